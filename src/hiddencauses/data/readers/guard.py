"""What a library says of a file it cannot read, made into one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from hiddencauses.errors import InputError, UserError

__all__ = ["drawn", "reading"]

Item = TypeVar("Item")


@contextmanager
def reading(name: str, kind: str) -> Iterator[None]:
    """Around calls into a library that parses a file: whatever it raises means that the file is bad.

    Libraries raise almost anything on a damaged file, so everything is caught; keep our own code outside.

    Parameters
    ----------
    name
        The file.
    kind
        What it should be, with its article: "a Parquet file".
    """
    try:
        yield
    except UserError:
        raise
    except MemoryError:
        raise InputError(
            "asks for more memory than there is",
            source=name,
            rule=f"it was read as {kind}",
            fix="the file is damaged, or too large for this machine",
        ) from None
    except Exception as error:  # noqa: BLE001 - see above
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise InputError(
            f"cannot be read as {kind} ({said})",
            source=name,
            fix="it is damaged, cut short, or not what its name says: copy or download it again",
        ) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how libraries written in Rust report a bug of theirs
            raise
        raise InputError(
            f"cannot be read as {kind}",
            source=name,
            fix="it is damaged or not what its name says: copy or download it again",
        ) from None


def drawn(items: Iterator[Item], name: str, kind: str) -> Iterator[Item]:
    """Go through items that a library makes while it reads on."""
    while True:
        with reading(name, kind):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item
