"""The peak memory of a Python program that runs in a process of its own."""

import subprocess
import sys

__all__ = ["peak_megabytes"]

#: What the child prints of itself. On Linux the peak of its own memory: `ru_maxrss` there begins with what
#: the parent had when it forked, which would measure the test suite.
PEAK = """
def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
    except FileNotFoundError:
        import resource, sys
        unit = 1 << 20 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
"""


def peak_megabytes(program: str, *arguments: object) -> float:
    """Run a program and return its peak memory; it fails if the program does."""
    done = subprocess.run(
        [sys.executable, "-c", f"{PEAK}\n{program}\nprint(peak())", *map(str, arguments)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout.splitlines()[-1])
