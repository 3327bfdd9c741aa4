"""Write what has the colours of women and men outside of figures: python -m scripts.tools.cover

_static/cover.svg is RIPA of eight occupations with ten base pairs on minilm, cover.csv the numbers behind it; palette.css is the palette
of the style sheets, favicon.svg the icon of the pages. Where a page says which colour leans where, the words are put right.
`lib.plots.style` has all colours.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pandas as pd

from lib import plots
from lib.command import command
from lib.embeddings import load_embedding
from lib.files import write_whole
from lib.lexicons import base_pairs
from lib.measures import ripa
from lib.paths import ROOT
from lib.plots.style import COLOUR_WORDS, PALETTE, css_variables

OCCUPATIONS = (
    "nurse",
    "teacher",
    "judge",
    "journalist",
    "doctor",
    "surgeon",
    "engineer",
    "carpenter",
)
STATIC = ROOT / "_static"
SENTENCE = re.compile(r"\b(\w+) leans female, (\w+) leans male")  # where prose names the colours
FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <title>Bias, Measured</title>
  <rect width="32" height="32" rx="6" fill="#fff"/>
  <path d="M4 22h24M16 6v16" stroke="{neutral}" stroke-width="2"/>
  <circle cx="9" cy="14" r="4" fill="{male}"/>
  <circle cx="24" cy="14" r="4" fill="{female}"/>
</svg>
"""


def cover_scores() -> pd.DataFrame:
    """RIPA of each occupation (row) with each base pair (column); positive leans female."""
    e = load_embedding("minilm")
    pairs = e.pairs(base_pairs())
    scores = ripa(e.rows(OCCUPATIONS).vectors, pairs.female, pairs.male)
    return pd.DataFrame(scores, index=OCCUPATIONS, columns=pairs.labels)


def named_colours(text: str) -> str:
    """A text that says "purple leans female, green leans male" in the words of the palette."""

    def said(match: re.Match[str]) -> str:
        female = COLOUR_WORDS["female"]
        first = female.capitalize() if match[1][0].isupper() else female
        return f"{first} leans female, {COLOUR_WORDS['male']} leans male"

    return SENTENCE.sub(said, text)


def prose() -> list[Path]:
    """The pages and chapters that name the colours."""
    pages = [ROOT / "README.md", ROOT / "intro.md", *(ROOT / "pages").glob("*.md")]
    pages += (ROOT / "chapters").rglob("*.ipynb")
    return [page for page in sorted(pages) if SENTENCE.search(page.read_text(encoding="utf-8"))]


@command()
def main() -> None:
    """Write them all."""
    write_whole(STATIC / "palette.css", css_variables())
    write_whole(STATIC / "favicon.svg", FAVICON.format(**PALETTE))
    for page in prose():
        write_whole(page, named_colours(page.read_text(encoding="utf-8")))
    scores = cover_scores()
    table = scores.to_csv(float_format="%.5f", index_label="word")
    write_whole(STATIC / "cover.csv", table)
    pairs = [column.split("-") for column in scores.columns]
    fig = plots.scores_by_pair(scores.to_numpy(), list(scores.index), pairs, measure="RIPA")
    write_whole(STATIC / "cover.svg", plots.render(fig))


if __name__ == "__main__":
    sys.exit(main())
