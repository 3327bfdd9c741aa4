"""What the printed tables of Escudé Font & Costa-jussà (2019) say together."""

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd

VECTORS = ("GloVe", "GloVe Hard-Debiased", "GN-GloVe")
SIDES = ("encoder", "decoder", "encoder and decoder")
PAIRS = {"pronouns": ("her", "him"), "names": ("Mary", "John")}
# Table 6 in the order of Table 5: the friend in the sentence with her, and the occupation's noun
# (F, M, or - for neither), first of the refrigeration mechanic, then of the shuttle car operator.
TABLE_6 = {
    ("none", "none"): ("MM", "FM"),
    ("GloVe", "encoder"): ("FM", "MM"),
    ("GloVe", "decoder"): ("FM", "FM"),
    ("GloVe", "encoder and decoder"): ("FM", "F-"),
    ("GloVe Hard-Debiased", "encoder"): ("MM", "F-"),
    ("GloVe Hard-Debiased", "decoder"): ("FM", "MM"),
    ("GloVe Hard-Debiased", "encoder and decoder"): ("FM", "F-"),
    ("GN-GloVe", "encoder"): ("FM", "FM"),
    ("GN-GloVe", "decoder"): ("FM", "FM"),
    ("GN-GloVe", "encoder and decoder"): ("FF", "FF"),
}
SENTENCES = ("refrigeration mechanic", "mine shuttle car operator")


def system_name(system: tuple[str, str]) -> str:
    """A system of the paper as figures name it: "hard-debiased, both", "no vectors"."""
    vectors, side = system
    words = {"GloVe Hard-Debiased": "hard-debiased", "none": "no vectors"}.get(vectors, vectors)
    return words if side == "none" else f"{words}, {'both' if side == SIDES[2] else side}"


def table_five(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 5, from its claims, with what a context changes, by system, (vectors, side) or ("none", "none"), in per cent.

    Columns her, him, Mary, John; mean: of the four; pronouns, names: right after the feminine context less wrong after the
    masculine one, in percentage points: 100 where the context decides, 0 where it changes nothing. An output with neither word
    counts as wrong in print, so that the true difference of *amiga* may be larger by as much as the second is below 100.
    """
    systems = printed["system"].where(printed["pretrained_side"] != "none", "none")
    table = printed.assign(vectors=systems, value=100 * printed["printed"]).pivot(
        index=["vectors", "pretrained_side"], columns="context", values="value"
    )
    table = table.loc[list(TABLE_6), ["her", "him", "Mary", "John"]]
    table.index.names = ["vectors", "side"]
    means = table.mean(axis=1)
    for name, (feminine, masculine) in PAIRS.items():
        table[name] = table[feminine] + table[masculine] - 100
    return table.assign(mean=means)


def gain_by_chance(values: pd.Series, vectors: str, other: str) -> tuple[float, float, int]:
    """Mean of one kind of vectors less another's over the sides, in the unit of the values (nine, by vectors and side); how often
    labels alone do it: one-sided p, the share of all ways to deal the three kinds over the numbers of each side whose
    difference is as large; and how many ways these are.
    """
    table = values.unstack()[list(SIDES)].loc[list(VECTORS)].to_numpy(float)
    first, second = VECTORS.index(vectors), VECTORS.index(other)
    observed = (table[first] - table[second]).mean()
    orders = list(itertools.permutations(range(len(VECTORS))))
    by_side = [
        [table[order[first], side] - table[order[second], side] for order in orders]
        for side in range(len(SIDES))
    ]
    dealt = np.array([np.mean(ways) for ways in itertools.product(*by_side)])
    return float(observed), float((~(dealt < observed - 1e-9)).mean()), len(dealt)


def table_six(her: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    """Table 6 beside the rates of Table 5 (her: per cent of *amiga*), as printed and with the mechanic's rows one further down.

    Indexed by (vectors, side): her; for each sentence "<name>": the printed friend, "amiga" or "amigo", and "<name>, noun";
    "<name>, chance": how probable that friend is at the printed rate at most, 0.05 points of rounding allowed; "shifted, chance":
    the same where each row of the mechanic belongs to the next system, and the first to the last.
    """
    words = {"F": "amiga", "M": "amigo"}
    nouns = {"F": "feminine", "M": "masculine", "-": "neither"}
    rows = []
    for place, (system, cells) in enumerate(TABLE_6.items()):
        row = {"her": her[system]}
        for name, (friend, noun) in zip(SENTENCES, cells):
            row |= {
                name: words[friend],
                f"{name}, noun": nouns[noun],
                f"{name}, chance": _chance(friend, her[system]),
            }
        above = list(TABLE_6.values())[place - 1][0][0]
        rows.append(row | {"shifted, chance": _chance(above, her[system])})
    index = pd.MultiIndex.from_tuples(list(TABLE_6), names=["vectors", "side"])
    return pd.DataFrame(rows, index)


def _chance(friend: str, rate: float) -> float:
    """How probable *amiga* ("F") or *amigo* is at a printed rate at most."""
    least, most = max(rate - 0.05, 0), min(rate + 0.05, 100)
    return most / 100 if friend == "F" else 1 - least / 100
