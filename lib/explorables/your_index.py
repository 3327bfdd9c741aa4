"""The shares of she, he and neither, and the score that the translation gender bias index makes of them."""

from __future__ import annotations

import pandas as pd

from lib.explorables.mount import example_table, show

NAME = "your-index"
SETTINGS = {  # per cent of she, he, neither
    "always he": (0, 100, 0),
    "half she, half he": (50, 50, 0),
    "he, one in four neutral": (0, 75, 25),
    "says nothing": (0, 0, 100),
}


def your_index(printed: pd.DataFrame) -> dict[str, object]:
    """The printed sets of a paper beside settings that everybody can read.

    Parameters
    ----------
    printed : DataFrame
        A row for each printed set: `system`, `set`, `p_w` and `p_n` (shares of feminine and neutral
        outputs) and `P_s` (its score).

    Returns
    -------
    dict
        What the script reads.

    Raises
    ------
    KeyError
        When a column is missing.

    Examples
    --------
    >>> row = {"system": "A", "set": "formal", "p_w": 0.25, "p_n": 0.0, "P_s": 0.433}
    >>> your_index(pd.DataFrame([row]))["printed"]
    [['A', 'formal', 0.25, 0.0, 0.433]]
    """
    rows = printed[["system", "set", "p_w", "p_n", "P_s"]].dropna()
    return {
        "printed": [[s, name, *map(float, v)] for s, name, *v in rows.itertuples(index=False)],
        "settings": [[name, *shares] for name, shares in SETTINGS.items()],
    }


def show_your_index(printed: pd.DataFrame) -> None:
    """Display the widget that scores shares of she, he and neither, and its table of examples.

    Parameters
    ----------
    printed
        As in `your_index`.
    """
    # Here and not above: a page with another widget does not depend on the translators.
    from lib.translation.tgbi import set_score

    rows = [
        [name, *(f"{share} %" for share in shares), f"{set_score(*shares).score:.2f}"]
        for name, shares in SETTINGS.items()
    ]
    note = "A translator that says nothing, or copies what it is asked, counts as neutral throughout: the best possible score."
    columns = ["a translator that …", "she", "he", "neither", "score"]
    fallback = example_table("What the index makes of it", columns, rows, note)
    show(NAME, your_index(printed), fallback=fallback, text=note)
