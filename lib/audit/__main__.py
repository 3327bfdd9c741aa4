"""python -m lib.audit KIND …: an audit of vectors, a model, a translator, predictions or messages of one's own."""

import sys

from audit.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
