"""Pages of the documentation, read as programs.

What a fenced block is for stands behind its three backticks:

* `python`: run; all such blocks of a page share one namespace;
* `sh`: its lines that are hiddencauses commands are run, the others are not;
* `text output`: what the commands of the sh block just before printed, stdout and stderr;
* a language and a file name, as in `csv raw.csv`: written to a file of that name;
* anything else, `text` among it: shown, not run.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hiddencauses.cli import main

__all__ = ["Block", "blocks_of", "run_page"]

OUTPUT = ("text", "output")
_FENCE = re.compile(r"^```(.*)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind its fence, its text, and the line of the page it begins on."""

    words: tuple[str, ...]
    text: str
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    words: tuple[str, ...] | None = None
    held: list[str] = []
    for number, line in enumerate(page.split("\n"), start=1):
        fence = _FENCE.match(line)
        if fence and words is None:
            words, held, begun = tuple(fence[1].split()), [], number + 1
        elif fence and words is not None:
            assert not fence[1], f"line {number}: a fence within a fence"
            yield Block(words, "".join(text + "\n" for text in held), begun)
            words = None
        else:
            held.append(line)
    assert words is None, "the last fence is not closed"


def run_page(path: Path, prepare: Callable[[tuple[str, ...]], None] = lambda _: None) -> int:
    """Run the blocks of a page in the current folder, in order; return how many were run.

    Parameters
    ----------
    path
        The page.
    prepare
        Called before each command and each python block with the command's words (none for python).
    """
    namespace: dict[str, Any] = {"__name__": "page"}
    said, ran = "", 0
    blocks = list(blocks_of(path.read_text(encoding="utf-8")))
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        where = f"{path.name}, line {block.line}"
        if block.words == ("python",):
            prepare(())
            # as many empty lines in front as make line numbers those of the page
            exec(compile("\n" * (block.line - 1) + block.text, str(path), "exec"), namespace)
        elif block.words == ("sh",):
            said = "".join(_run(command, where, prepare) for command in _commands(block.text))
            shown = after is not None and after.words == OUTPUT
            assert shown or "error: " not in said, f"{where}: refused, which the page does not show:\n{said}"
        elif block.words == OUTPUT:
            assert _tidy(said) == _tidy(block.text), f"{where}: the output is now\n{said}"
        elif len(block.words) == 2:
            Path(block.words[1]).write_text(block.text, encoding="utf-8")
        else:
            continue
        ran += 1
    return ran


def _commands(text: str) -> Iterator[list[str]]:
    for line in text.replace("\\\n", " ").split("\n"):
        if line.startswith("hiddencauses "):
            yield shlex.split(line, comments=True)[1:]


def _run(command: list[str], where: str, prepare: Callable[[tuple[str, ...]], None]) -> str:
    """Run a command and return what it printed, a refusal too."""
    prepare(tuple(command))
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(command)
    assert code in (0, 2), f"{where}: hiddencauses {shlex.join(command)} gave {code}:\n{said.getvalue()}"
    return said.getvalue()


def _tidy(text: str) -> list[str]:
    """Return the lines without what an editor takes off their ends."""
    return [line.rstrip() for line in text.rstrip().split("\n")]
