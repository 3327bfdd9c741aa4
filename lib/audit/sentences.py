"""The old name of `python -m lib.audit sentences`, kept for a version."""

import sys

from audit.sentences import main

if __name__ == "__main__":
    sys.exit(main())
