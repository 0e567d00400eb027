"""The commands put together, and what becomes of errors."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import click
import typer

from hiddencauses import __version__
from hiddencauses.cli.output import message
from hiddencauses.errors import HiddenCausesWarning, UserError

__all__ = ["app", "main"]

EXIT_WELL, EXIT_BUG, EXIT_USER, EXIT_INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="hiddencauses",
    help="Find the hidden causes behind a table of yes/no observations.",
    epilog="Start with: hiddencauses demo",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"hiddencauses {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[  # noqa: ARG001 - handled by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what is being done.")] = False,
) -> None:
    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO if verbose else logging.WARNING, format="%(name)s: %(message)s"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 well; 2 the user's mistake, told in one line; 130 interrupted; 1 our bug.
    """
    # A warning of ours is one line on stderr, without the place in our code that gave it.
    warnings.showwarning = _show_warning
    try:
        outcome = app(args=None if arguments is None else list(arguments), prog_name="hiddencauses", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        message("interrupted")
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        text = error.format_message().replace("\n", " ")
        if text:  # no_args_is_help has printed its page already
            message(f"error: {text} (see hiddencauses --help)")
        return EXIT_USER
    except UserError as error:
        message(f"error: {error}")
        return EXIT_USER
    except BrokenPipeError:
        return EXIT_WELL
    except Exception as error:  # noqa: BLE001 - the last line of defence
        message(
            f"bug: {type(error).__name__}: {error}; this is our mistake: please report it with the command you ran, "
            "the version (hiddencauses --version) and, if you may share it, the table"
        )
        logging.getLogger(__name__).info("traceback", exc_info=True)
        return EXIT_BUG
    return outcome if isinstance(outcome, int) else EXIT_WELL


def _show_warning(text: Warning | str, category: type[Warning], *rest: object) -> None:
    if issubclass(category, HiddenCausesWarning):
        message(f"warning: {text}")
    else:
        logging.getLogger("py.warnings").info("%s: %s", category.__name__, text)
