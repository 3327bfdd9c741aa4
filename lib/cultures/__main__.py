"""The command `python -m lib.cultures`."""

import sys

from lib.cultures.steps import command

if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
