"""Every example of README.md, docs/ and the docstrings runs, and prints what it is said to print."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hiddencauses
from tests.docs.pages import blocks_of, run_page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: What is only shown.
SHOWN = ((), ("text",))
WITH_EXAMPLES = [
    page for page in PAGES if any(block.words not in SHOWN for block in blocks_of(page.read_text("utf-8")))
]

#: Files that the README speaks of and its reader has: these stand in for them.
PLAIN = "fever,cough,rash\n1,1,0\n0,,0\n1,0,1\n0,1,0\n"
NAMED = "patient,age,fever,cough,rash\np1,61,1,1,0\np2,35,0,,0\np3,48,1,0,1\np4,70,0,1,0\n"
RAW = "patient,weakness,speech\np1,left,none\np2,both,mild\np3,none,severe\n"


def stand_in(command: tuple[str, ...]) -> None:
    """Put the stand-ins in place, but for one that the command is to write."""
    for name, text in {"table.csv": PLAIN if command else NAMED, "raw.csv": RAW}.items():
        if "--out" in command and command[command.index("--out") + 1] == name:
            Path(name).unlink(missing_ok=True)
        else:
            Path(name).write_text(text)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    prepare: Callable[[tuple[str, ...]], None] = stand_in if page.name == "README.md" else lambda _: None
    assert run_page(page, prepare) > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            file, _, anchor = target.partition("#")
            linked = page.parent / file if file else page
            assert linked.exists(), target
            assert not anchor or anchor in headings(linked), target


def headings(page: Path) -> set[str]:
    """Return what links to the headings of a page say."""
    found = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in found}


def modules() -> Iterator[str]:
    for found in pkgutil.walk_packages(hiddencauses.__path__, "hiddencauses."):
        if not found.name.endswith("__main__"):
            yield found.name


def test_docstrings() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for name in modules():
        for example in finder.find(importlib.import_module(name)):
            runner.run(example)
    assert runner.tries > 10
    assert runner.failures == 0


# -- the harness notices what is wrong --------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```python\nassert 1 == 2, 'sums'\n```\n", "sums"),
        ("```sh\nhiddencauses inspect nothing.csv\n```\n```text output\nfine\n```\n", "the output is now"),
        ("```sh\nhiddencauses datasets davis\n```\n```text output\ndavis: men\n```\n", "the output is now"),
        ("```python\n1\n", "not closed"),
    ],
)
def test_wrong_examples_are_noticed(
    page: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(page)
    with pytest.raises(AssertionError, match=said):
        run_page(tmp_path / "page.md")


def test_a_refused_command_must_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("```sh\nhiddencauses inspect nothing.csv\n```\n")
    with pytest.raises(AssertionError, match="refused"):
        run_page(tmp_path / "page.md")
