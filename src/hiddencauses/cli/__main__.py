"""Run the command line as `python -m hiddencauses.cli`."""

import sys

from hiddencauses.cli.app import main

sys.exit(main())
