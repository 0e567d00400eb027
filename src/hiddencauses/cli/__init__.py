"""The command line: each command parses, makes one library call, and prints.

Nothing here decides anything about models or data.
"""

from hiddencauses.cli.app import main

__all__ = ["main"]
