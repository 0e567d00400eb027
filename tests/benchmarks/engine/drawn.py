"""Axes that only remember what was drawn on them: the library that draws is not needed for the tests."""

from contextlib import contextmanager
from types import SimpleNamespace

__all__ = ["fake_figure"]


class FakeAxes:
    """Takes every call, and remembers its name and arguments."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*given, **named):
            self.calls.append((name, given, named))
            return [SimpleNamespace(set_alpha=lambda _: None) for _ in given[0]] if name == "bar" else None

        return call


@contextmanager
def fake_figure(path, columns=1, **_):
    """Stand in for `benchmarks.engine.figures.figure`; what was drawn is counted in a file."""
    axes = [FakeAxes() for _ in range(columns)]
    yield axes
    path.write_text(f"{[len(each.calls) for each in axes]}")
