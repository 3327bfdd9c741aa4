"""The labels of GAP that three teams of the shared task took for wrong, and what they put instead."""

import re

import pandas as pd

from lib.checks import one_of
from lib.datasets.gap import KEYS, read_gap, read_stage2
from lib.sources import fetch

TEAMS = ("attree", "ionita", "liu")
_NOTED = {"(a)": "A", "(b)": "B", "neither": "NEITHER"}  # looked for in this order
_LETTERS = {"A": "A", "B": "B", "N": "NEITHER"}


def corrections(team: str, key: str = "gap_test") -> pd.Series:
    """The passages whose label a team names as wrong, with the answer it gives instead.

    Parameters
    ----------
    team : str
        "attree" (notes, a line for a passage), "ionita" (a list gathered in the competition's forum) or "liu" (whole
        files with other labels: here the passages whose label differs from GAP's).
    key : str
        A part of GAP, one of `lib.datasets.gap.KEYS`.

    Returns
    -------
    Series of str
        One of `lib.datasets.gap.CLASSES` for each ID, in the order of the team's file. It may be the answer that GAP
        has as well.

    Raises
    ------
    ValueError
        For an unknown team or part, an ID that GAP does not have, or one that gets two answers.
    FetchError
        Where a file is not at hand.

    References
    ----------
    Attree (2019), Section 2.2; Ionita et al. (2019), Section 5.5; Liu (2019), Section 3.
    """
    one_of("team", team, TEAMS)
    one_of("key", key, KEYS)
    original = read_gap(key).set_index("ID")["answer"]
    part = key.removeprefix("gap_")
    if team == "attree":
        source = f"attree_corrections_{part}"
        answers = _noted(source).rename(lambda number: f"{part}-{number}")
    elif team == "ionita":
        source = "ionita_gap_corrections"
        answers = _listed(source)
        answers = answers[answers.index.str.rpartition("-").get_level_values(0) == part]
    else:
        source = (
            f"liu_gap_{'development' if part == 'development' else 'test_validation'}_corrected"
        )
        answers = _relabelled(source)
        answers = answers[answers.index.isin(original.index)]
        if len(answers) < len(original):
            raise ValueError(
                f"{source}: expected all {len(original)} passages of {key}, got {len(answers)}; fetch it again"
            )
        answers = answers[answers != original[answers.index]]
    unknown = answers.index.difference(original.index)
    if len(unknown):
        raise ValueError(
            f"{source}: expected IDs of {key}; it does not have {unknown[0]}; read the number of a note as that of the ID"
        )
    return answers.rename("answer").rename_axis("ID")


def corrected_answers(team: str, key: str = "gap_test") -> pd.Series:
    """The answers of a part of GAP after the corrections of a team: all passages, changed or not.

    Parameters
    ----------
    team, key
        As in `corrections`.

    Returns
    -------
    Series of str
        One of `lib.datasets.gap.CLASSES` for each ID, in the order of GAP.

    Raises
    ------
    ValueError, FetchError
        As `corrections`.
    """
    answers = read_gap(key).set_index("ID")["answer"].copy()
    changes = corrections(team, key)
    answers[changes.index] = changes
    return answers


def stage2_answers() -> pd.Series:
    """The answers that Attree gave to some passages of the competition's second stage, before its labels were known.

    His notes count the rows of that file from 0, not its IDs.

    Returns
    -------
    Series of str
        One of `lib.datasets.gap.CLASSES` for each ID.

    Raises
    ------
    ValueError
        For a row that the file does not have.
    FetchError
        Where a file is not at hand.
    """
    ids = read_stage2()["ID"]
    answers = _noted("attree_corrections_stage2")
    beyond = answers.index[answers.index >= len(ids)]
    if len(beyond):
        raise ValueError(
            f"attree_corrections_stage2: expected rows 0 to {len(ids) - 1}; got {beyond[0]}"
        )
    return answers.set_axis(ids.iloc[answers.index]).rename("answer").rename_axis("ID")


def _noted(source: str) -> pd.Series:
    """Answers by the number at the start of a note; a note without an answer, or one marked as a doubt, says nothing."""
    answers: dict[int, str] = {}
    for line in fetch(source).read_text(encoding="utf-8").splitlines():
        number = re.match(r"\s*(\d+)", line)
        said = [answer for mark, answer in _NOTED.items() if mark in line.lower()]
        if number is None or not said:
            continue
        if answers.setdefault(int(number[1]), said[0]) != said[0]:
            raise ValueError(f"{source}: expected one answer for number {number[1]}; got two")
    return pd.Series(answers, dtype=str)


def _listed(source: str) -> pd.Series:
    """Answers by ID, from a list of ID and letter without a heading. One line of it lacks the comma between the two and
    is left out, as in the count that the paper prints.
    """
    rows = pd.read_csv(fetch(source), header=None, names=["ID", "letter"])
    rows = rows[rows["letter"].notna()]
    unknown = rows.loc[~rows["letter"].isin(_LETTERS), "letter"]
    if len(unknown):
        raise ValueError(f"{source}: expected A, B or N; got {unknown.iloc[0]!r}")
    if rows["ID"].duplicated().any():
        twice = rows.loc[rows["ID"].duplicated(), "ID"].iloc[0]
        raise ValueError(f"{source}: expected one answer for each ID; got two for {twice}")
    return rows.set_index("ID")["letter"].map(_LETTERS)


def _relabelled(source: str) -> pd.Series:
    """Answers by ID, from a file with the columns of GAP."""
    return read_gap(fetch(source)).set_index("ID")["answer"]
