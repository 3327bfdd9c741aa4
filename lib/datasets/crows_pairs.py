"""CrowS-Pairs: pairs of sentences that differ in the group they name, one meant to be a
stereotype.
"""

import ast

import pandas as pd

from lib.sources import fetch


def read_crows_pairs() -> pd.DataFrame:
    """The 1,508 pairs, in the order of the file.

    Returns
    -------
    DataFrame
        Its columns, `sent_more` and `sent_less` (the more and the less stereotyping sentence), `stereo_antistereo` and
        `bias_type` among them; `one_word`, whether the two differ in one word only, and `all_agree`, whether all five
        annotators see the kind of bias that the pair is filed under.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Nangia, Vania, Bhalerao and Bowman (2020).
    """
    pairs = pd.read_csv(fetch("crows_pairs"), index_col=0)
    more, less = (pairs[side].str.lower().str.split() for side in ("sent_more", "sent_less"))
    votes = pairs["annotations"].map(ast.literal_eval)
    return pairs.assign(
        one_word=[
            len(x) == len(y) and sum(a != b for a, b in zip(x, y)) == 1 for x, y in zip(more, less)
        ],
        all_agree=[
            all(kind in vote for vote in of_pair)
            for kind, of_pair in zip(pairs["bias_type"], votes)
        ],
    )
