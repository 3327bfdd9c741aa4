"""GAP's own rules with a parse in place of the words around a name: how many more answers are right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.checks import one_of
from studies.resolvers.contrasts import paired_gap
from studies.resolvers.evidence import PARSERS
from studies.resolvers.heuristics import InTitle, Parallelism
from studies.resolvers.parsers import LightParser, Parse, spacy_parses

RULES = {"parallelism": Parallelism, "page title, then parallelism": InTitle}
DRAWS = 10_000  # exchanges of pages


def parses_by(parser: str, texts: Sequence[str], encoder: str = "minilm") -> list[Parse]:
    """The parses of texts by a parser of `PARSERS`."""
    one_of("parser", parser, PARSERS)
    return spacy_parses(texts) if parser == "spacy" else LightParser(encoder).parses(texts)


def rules_with_parser(
    passages: pd.DataFrame,
    parses: Sequence[Parse],
    *,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Share of right answers of each rule without parses and with them, among the passages of which A or B is right.

    passages: rows of GAP; parses: of their texts. Columns without, with, gain (with less without), low and high (95 % over pages),
    p (two-sided, exchanging both answers of a page), n; a row a rule.
    """
    if len(parses) != len(passages):
        raise ValueError(f"expected {len(passages):,} parses, one a passage; got {len(parses):,}")
    known = dict(zip(passages["Text"], (parse.frame() for parse in parses)))
    named = passages[passages["answer"].isin(["A", "B"])]
    right = named["answer"].map({"A": 0, "B": 1}).to_numpy()
    rows = {}
    for name, rule in RULES.items():
        found = {
            side: np.equal(rule(parser).decide(named), right)
            for side, parser in (("with", known.__getitem__), ("without", None))
        }
        table = pd.DataFrame({"template": named["ID"], "cluster": named["URL"]})
        both = pd.concat([table.assign(side=side) for side in found], ignore_index=True)
        values = np.concatenate([*found.values()]).astype(float)
        gap = paired_gap(both, values, ("with", "without"), column="side", draws=DRAWS, rng=rng)
        rows[name] = {side: held.mean() for side, held in found.items()} | {
            "gain": gap.value,
            "low": gap.low,
            "high": gap.high,
            "p": gap.pvalue,
            "n": len(named),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rule")
