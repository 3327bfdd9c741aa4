"""`python -m lib.audit.sentences [own|winomt]`: the sentences to translate for an audit of a translator, as CSV with id and source."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from lib.audit.translator import own_sentences, winomt_sentences
from lib.command import command
from lib.sources import FetchError

SETS = {"own": own_sentences, "winomt": winomt_sentences}


@command("nothing was written")
def main(arguments: Sequence[str] | None = None) -> int:
    """Write the sentences to standard output; add a column ``output`` to them. Returns 2 where they cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m lib.audit.sentences", description=__doc__)
    parser.add_argument("set", nargs="?", choices=SETS, default="own", help="default: own")
    options = parser.parse_args(arguments)
    try:
        sentences = SETS[options.set]()
    except FetchError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    table = sentences[["id", "text"]].rename(columns={"text": "source"})
    sys.stdout.write(table.to_csv(index=False, lineterminator="\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
