"""The commands put together, and what becomes of errors."""

from __future__ import annotations

import importlib
import logging
import sys
import warnings
from collections.abc import Sequence

import click

from hiddencauses import __version__
from hiddencauses.cli.output import message as tell
from hiddencauses.errors import HiddenCausesWarning, UserError

__all__ = ["app", "main"]

EXIT_WELL, EXIT_BUG, EXIT_USER, EXIT_INTERRUPTED = 0, 1, 2, 130

#: Each command lives in the module of its name and is imported when asked for; the help has this order.
COMMANDS = {
    "demo": "Look at the bundled data and simulate a table, in ./hiddencauses-demo.",
    "datasets": "List the built-in tables, or write one out.",
    "inspect": "Describe a table, or draft an encoding for a raw one.",
    "encode": "Turn raw columns into yes/no columns.",
    "simulate": "Draw a table from the model, with its truth.",
    "fit": "Draw from the posterior and say what was found.",
    "resume": "Go on with a run, or give it more draws.",
    "summary": "Say what a run has found, and how sure it is.",
    "check": "Compare the table with tables that the fitted model makes.",
    "compare": "Compare models by what they predict of held-out cells or rows.",
    "apply": "Find the causes at work in new rows.",
    "explain": "Explain one row, cause by cause.",
}


class _Commands(click.Group):
    """The group of all commands, imported late: help and mistakes cost no heavy import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"hiddencauses.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, suggesting the nearest for a name that is none."""
        import difflib

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"commands are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Start with: hiddencauses demo",
)
@click.version_option(__version__, message="hiddencauses %(version)s")
@click.option("--verbose", "-v", is_flag=True, help="Tell what is being done.")
def app(verbose: bool) -> None:
    """Find the hidden causes behind a table of yes/no observations."""
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(stream=sys.stderr, level=level, format="%(name)s: %(message)s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 well; 2 the user's mistake, told in one line; 130 interrupted; 1 our bug.
    """
    given = None if arguments is None else list(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        warnings.simplefilter("always", HiddenCausesWarning)  # each is told, and none becomes an error
        try:
            outcome = app.main(args=given, prog_name="hiddencauses", standalone_mode=False)
        except (click.Abort, KeyboardInterrupt):
            tell("interrupted")
            return EXIT_INTERRUPTED
        except click.exceptions.NoArgsIsHelpError as error:
            tell(error.format_message())
            return EXIT_USER
        except click.ClickException as error:
            tell(f"error: {_usage_line(error)}")
            return EXIT_USER
        except UserError as error:
            tell(f"error: {error}")
            return EXIT_USER
        except BrokenPipeError:
            # Whoever read our output has read enough. Python would complain once more at exit.
            sys.stdout = None
            return EXIT_WELL
        except Exception as error:
            tell(
                f"bug: {type(error).__name__}: {error}; this is our mistake: please report it with the "
                "command, the version (hiddencauses --version) and, if you may share it, the table "
                "(-v shows where)"
            )
            logging.getLogger(__name__).info("traceback", exc_info=True)
            return EXIT_BUG
    return outcome if isinstance(outcome, int) else EXIT_WELL


def _usage_line(error: click.ClickException) -> str:
    """Say a usage error in one line, with the command whose help explains it."""
    text = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "hiddencauses"
    return f"{text[:1].lower()}{text[1:]} (see {where} --help)"


def _show_warning(message: Warning | str, category: type[Warning], *_rest: object, **_more: object) -> None:
    """Show a warning of ours as one line; others are for developers (-v)."""
    if issubclass(category, HiddenCausesWarning):
        tell(f"warning: {message}")
    else:
        logging.getLogger("py.warnings").info("%s: %s", category.__name__, message)
