"""Run the command line as `python -m hiddencauses`."""

import sys

from hiddencauses.cli import main

sys.exit(main())
