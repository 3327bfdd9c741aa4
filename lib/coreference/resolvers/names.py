"""Names of a passage replaced by common ones, so that what a system reads is the context and not who is named."""

import pandas as pd

from lib.checks import one_of
from lib.lexicons import load_lexicon

SETS = (1, 2, 3, 4)
NAMES_OF = ("pronoun", "other", "female", "male")
ROW_REASONS = (
    "one name contains the other",
    "a placeholder occurs in the text",
    "a name is part of a placeholder",
)
NAME_REASONS = ("more than two words", "a part of the name occurs alone")
_MOVED = ("Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset")


def placeholders(number: int, gender: str) -> tuple[str, str]:
    """The names that a set has for A and for B.

    Parameters
    ----------
    number : int
        One of `SETS`, in the order of the paper.
    gender : str
        "female" or "male".

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        For another set or gender.

    References
    ----------
    Liu (2019), Section 2.1.

    Examples
    --------
    >>> placeholders(1, "female")
    ('Alice', 'Kate')
    """
    one_of("number", number, SETS)
    one_of("gender", gender, ("female", "male"))
    return load_lexicon("liu2019")[gender][number - 1]


def replace_names(
    passages: pd.DataFrame, number: int = 1, names_of: str = "pronoun"
) -> pd.DataFrame:
    """Passages with every occurrence of their two names replaced, by the rule of Liu's code.

    A passage is left alone where one name contains the other, where a placeholder occurs anywhere in the text, also
    within a word, where a name is part of a placeholder, and where neither of its names may be replaced. A name may not
    where it has more than two words, or where one of its two occurs more often than both together.

    Parameters
    ----------
    passages : DataFrame
        With the columns of GAP (`lib.datasets.gap.COLUMNS`); others are kept.
    number : int
        One of `SETS`.
    names_of : str
        Whose names are put in: those of the "pronoun"'s gender, as Liu does, of the "other" one, or "female" or "male"
        ones everywhere. As in his code *her* and *she* count as feminine, and *hers* does not.

    Returns
    -------
    DataFrame
        The same rows. `Text`, `A`, `B` and the three offsets are those after the replacement; `replaced` says which
        names were ("A", "B", "AB" or ""); `left_alone` why none was (one of `ROW_REASONS`, or the reasons of A and B joined by
        " | "), or "".

    Raises
    ------
    ValueError
        For another set or choice of names, missing columns, or an offset at which a name is not found.

    References
    ----------
    Liu (2019), Section 2.1, and the first notebook of github.com/boliu61/gendered-pronoun-resolution, which says more.

    Examples
    --------
    >>> passage = {"Text": "Ann Lee met Bea; Ann Lee thanked her.", "Pronoun": "her", "Pronoun-offset": 33}
    >>> passage |= {"A": "Ann Lee", "A-offset": 17, "B": "Bea", "B-offset": 12}
    >>> renamed = replace_names(pd.DataFrame([passage])).iloc[0]
    >>> renamed["Text"], renamed["Text"][renamed["A-offset"] :]
    ('Alice met Kate; Alice thanked her.', 'Alice thanked her.')
    """
    one_of("names_of", names_of, NAMES_OF)
    missing = [name for name in _MOVED if name not in passages]
    if missing:
        raise ValueError(
            f"passages: expected the columns {', '.join(_MOVED)}; {', '.join(missing)} missing, got "
            f"{', '.join(map(str, passages.columns))}"
        )
    feminine = passages["Pronoun"].str.lower().isin(["her", "she"])
    if names_of in ("female", "male"):
        feminine[:] = names_of == "female"
    elif names_of == "other":
        feminine = ~feminine
    put_in = {True: placeholders(number, "female"), False: placeholders(number, "male")}
    rows = [
        _replaced(row, put_in[female])
        for row, female in zip(passages[list(_MOVED)].to_dict("records"), feminine)
    ]
    renamed = pd.DataFrame(rows, index=passages.index, columns=[*_MOVED, "replaced", "left_alone"])
    return passages.assign(**{name: renamed[name] for name in renamed})


def _replaced(row: dict, names: tuple[str, str]) -> dict:
    """One passage after the replacement, or as it was, with the reason."""
    text, starts = row["Text"], {name: row[f"{name}-offset"] for name in ("Pronoun", "A", "B")}
    for name, start in starts.items():
        if not text.startswith(row[name], start):
            raise ValueError(
                f"expected {name} {row[name]!r} at character {start}, got {text[start : start + len(row[name])]!r}; "
                "count characters from 0"
            )
    whole = _reason_of_row(text, row["A"], row["B"], names)
    of_each = {name: _reason_of_name(text, row[name]) for name in "AB"}
    if whole or all(of_each.values()):
        reason = whole or " | ".join(of_each.values())
        return row | {"replaced": "", "left_alone": reason}
    fit = [name for name in "AB" if not of_each[name]]
    new = dict(row)
    for name in fit:
        old, other = row[name], names["AB".index(name)]
        for mention, start in starts.items():
            starts[mention] = start + (len(other) - len(old)) * text[:start].count(old)
        text, new[name] = text.replace(old, other), other
    new |= {"Text": text} | {f"{name}-offset": start for name, start in starts.items()}
    return new | {"replaced": "".join(fit), "left_alone": ""}


def _reason_of_row(text: str, a: str, b: str, names: tuple[str, str]) -> str:
    applies = (
        a in b or b in a,
        any(name in text for name in names),
        any(given in name for given in (a, b) for name in names),
    )
    return next((reason for reason, true in zip(ROW_REASONS, applies) if true), "")


def _reason_of_name(text: str, name: str) -> str:
    words = name.split(" ")
    if len(words) > 2:
        return NAME_REASONS[0]
    alone = len(words) == 2 and any(text.count(word) > text.count(name) for word in words)
    return NAME_REASONS[1] if alone else ""
