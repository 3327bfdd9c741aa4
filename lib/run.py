"""The command that runs chapters and builds the book: python -m lib.run --profile embedded"""

import sys

from runner.command import main

if __name__ == "__main__":
    sys.exit(main())
