"""`python -m lib.audit sentences [own|winomt|genderous|geneval]`: the sentences to translate for an audit of a translator, as CSV with id and source."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from audit.translator import own_sentences, winomt_sentences
from audit.translator.genderous import genderous_sentences
from audit.translator.geneval import geneval_sentences
from lib.command import called, command
from lib.datasets.mt_geneval import LANGUAGES
from lib.sources import FetchError

SETS = {
    "own": own_sentences,
    "winomt": winomt_sentences,
    "genderous": genderous_sentences,
    "geneval": geneval_sentences,
}


@command("nothing was written")
def main(arguments: Sequence[str] | None = None) -> int:
    """Write the sentences to standard output; add a column ``output`` to them. Returns 2 where they cannot be had."""
    parser = argparse.ArgumentParser(prog=called("audit sentences"), description=__doc__)
    parser.add_argument("set", nargs="?", choices=SETS, default="own", help="default: own")
    parser.add_argument(
        "--language", choices=LANGUAGES, help="that geneval's sentences are to be translated into"
    )
    options = parser.parse_args(arguments)
    if (options.set == "geneval") != bool(options.language):
        parser.error("geneval takes a --language, and the others none")
    try:
        sentences = SETS[options.set](*filter(None, [options.language]))
    except FetchError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    table = sentences[["id", "text"]].rename(columns={"text": "source"})
    sys.stdout.write(table.to_csv(index=False, lineterminator="\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
