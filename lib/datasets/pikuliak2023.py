"""CrowS-Pairs and StereoSet, revised and rewritten: files of Pikuliak et al. (2023).

The sentences are offensive and stay in their files: the book shows numbers only.
"""

import re

import pandas as pd

from lib.checks import one_of
from lib.datasets.crows_pairs import read_crows_pairs
from lib.sources import fetch

# rows of the wide files behind the two of the pair
TWINS = {"negation": 2, "antistereotype": 1}
ATTRIBUTE = re.compile(r"<(.*?)>")


def read_revised_pairs() -> pd.DataFrame:
    """CrowS-Pairs after the revision of Pikuliak et al.

    Returns
    -------
    DataFrame
        By the number of the pair in CrowS-Pairs: `sent_more`, `sent_less`, `stereo_antistereo`,
        `bias_type`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023); Nangia, Vania, Bhalerao and Bowman (2020).
    """
    table = pd.read_csv(fetch("pikuliak_crows_revised"), index_col=0).rename_axis("pair")
    columns = ["sent_more", "sent_less", "stereo_antistereo", "bias_type"]
    # one row has a category from another column; the text is as published otherwise
    table["bias_type"] = table["bias_type"].astype(str).str.strip()
    return table[columns]


def read_twin_pairs(kind: str) -> pd.DataFrame:
    """The gender pairs of CrowS-Pairs that have a rewritten twin, each beside its twins.

    Parameters
    ----------
    kind : {"negation", "antistereotype"}
        Pairs that say the opposite because they are negated (some in two ways), or because another
        statement is put in place of the stereotype.

    Returns
    -------
    DataFrame
        One row a twin: `pair` (its column in the file), `sent_more`, `sent_less` of the pair, and
        `twin_more`, `twin_less`, the twin's sentences in the same order of groups.

    Raises
    ------
    ValueError
        For another kind.
    FetchError
        Where the file is not at hand.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023).
    """
    one_of("kind", kind, TWINS)
    # the file lies on its side: a column is a pair
    wide = pd.read_csv(fetch(f"pikuliak_crows_{kind}"), header=None, keep_default_na=False)
    pairs = wide.T
    rows = []
    for twin in range(TWINS[kind]):
        columns = [0, 1, 2 + 2 * twin, 3 + 2 * twin]
        part = pairs[columns].set_axis(["sent_more", "sent_less", "twin_more", "twin_less"], axis=1)
        rows.append(part[part["twin_more"].str.strip().astype(bool)])
    return pd.concat(rows).rename_axis("pair").reset_index()


def read_gender_swaps(*, filtered: bool = True) -> pd.DataFrame:
    """Sentences of StereoSet on gender beside their gender-swapped twins.

    Parameters
    ----------
    filtered : bool
        Only the items that their authors kept by hand as being about gender.

    Returns
    -------
    DataFrame
        One row a sentence and its twin: `item` (two rows each), `kind` ("stereotype" or
        "anti-stereotype", as StereoSet has it for the first sentence), `sentence`, `twin`, without
        the brackets around the attribute, and `attribute`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023); Nadeem, Bethke and Reddy (2021).
    """
    key = "pikuliak_stereoset_genderswap" + ("_filtered" if filtered else "")
    blocks = [
        block.splitlines()
        for block in re.split(r"\n\s*\n", fetch(key).read_text(encoding="utf-8").strip())
    ]
    rows = [
        {
            "item": number // 2,
            "kind": ("stereotype", "anti-stereotype")[number % 2],
            "sentence": ATTRIBUTE.sub(r"\1", lines[0]).strip(),
            "twin": ATTRIBUTE.sub(r"\1", lines[1]).strip(),
            "attribute": (ATTRIBUTE.findall(lines[0]) or [""])[0],
        }
        for number, lines in enumerate(blocks)
    ]
    return pd.DataFrame(rows)


Pairs = tuple[list[str], list[str]]


def rewritten_gender_pairs() -> dict[str, tuple[Pairs, Pairs]]:
    """Published pairs of sentences on gender, and how they were rewritten.

    Returns
    -------
    dict of str to (pairs, twins)
        Each two lists of as many sentences, first and second: CrowS-Pairs and its revision, negation
        and anti-stereotype, where the first is the more stereotyping sentence; and the sentences of
        StereoSet with their gender-swapped twins, for a stereotype and for its anti-stereotype.

    Raises
    ------
    FetchError
        Where a file is not at hand.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023).
    """
    original, revised = read_crows_pairs(), read_revised_pairs()
    gender = revised.index[revised["bias_type"] == "gender"]
    sides = ("sent_more", "sent_less")
    held = {
        "CrowS-Pairs, revised": (
            _lists(original.loc[gender], sides),
            _lists(revised.loc[gender], sides),
        )
    }
    for kind in TWINS:
        twins = read_twin_pairs(kind)
        held[f"CrowS-Pairs, {kind}"] = (
            _lists(twins, sides),
            _lists(twins, ("twin_more", "twin_less")),
        )
    swaps = read_gender_swaps()
    kinds = [swaps[swaps["kind"] == kind] for kind in ("stereotype", "anti-stereotype")]
    first, second = (_lists(part, ("sentence", "twin")) for part in kinds)
    held["StereoSet, anti-stereotype"] = first, second
    return held


def _lists(table: pd.DataFrame, columns: tuple[str, str]) -> Pairs:
    first, second = (table[column].tolist() for column in columns)
    return first, second
