"""A lock on a file that ends with the process that holds it, however it ends."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import TracebackType

from hiddencauses.errors import RunInUseError, RunStoppedError

__all__ = ["FileLock"]

RETRY_SECONDS = 0.05

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Hold the lock of a file, or refuse.

    The system gives the lock back when the process ends, also by `kill -9`; the file stays and means nothing
    by itself.

    Parameters
    ----------
    path
        The file; made if it is not there.
    run
        The run's folder, for messages.
    patience
        For how many seconds to wait for who holds it.
    """

    def __init__(self, path: Path, run: Path, *, patience: float = 0.0) -> None:
        self._path, self._run = path, run
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise RunStoppedError(
                f"{run} cannot be written to ({error.strerror}); check the folder"
            ) from None
        ends = time.monotonic() + patience
        while not self._taken():
            if time.monotonic() >= ends:
                os.close(self._handle)
                raise RunInUseError(
                    f"{run} is being worked on by another process; wait for it or stop it first"
                )
            time.sleep(RETRY_SECONDS)

    def _taken(self) -> bool:
        try:
            _take(self._handle)
        except OSError:
            return False
        return True

    def check_place(self) -> None:
        """Refuse to go on when the folder that is locked has been removed, moved away or replaced."""
        try:
            same = os.path.samestat(os.fstat(self._handle), self._path.stat())
        except OSError:
            same = False
        if not same:
            raise RunStoppedError(
                f"{self._run} was removed or moved while the run was going on; if it was moved, continue it "
                "with hiddencauses resume where it is now"
            )

    def release(self) -> None:
        """Give the lock back."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> FileLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
