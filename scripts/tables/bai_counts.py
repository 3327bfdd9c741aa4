"""Make data/released/bai_*.csv: counts of the association tests that Bai et al. (2025) released.

python -m scripts.tables.bai_counts, with the files of profile `sample`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lib.command import command
from lib.files import write_together
from studies.asked_to_choose.bai2025 import (
    ANSWERS,
    JUDGEMENTS,
    WORDS,
    answer_counts,
    read_judgements,
)


def tables() -> dict[Path, str]:
    """The texts of the three files, from the registered ones."""
    answers, words = answer_counts()
    made = {ANSWERS: answers, WORDS: words, JUDGEMENTS: read_judgements()}
    return {path: table.to_csv(index=False) for path, table in made.items()}


@command()
def main() -> int:
    """The command line. Returns the exit code."""
    write_together({path: text.encode() for path, text in tables().items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
