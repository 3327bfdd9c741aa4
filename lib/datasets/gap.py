"""GAP: Wikipedia passages around an ambiguous pronoun, as many of women as of men, and what systems
said about them.
"""

import csv
import io
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from lib.sources import fetch

KEYS = ("gap_development", "gap_test", "gap_validation")
FEMININE = ("she", "her", "hers")
CLASSES = ("A", "B", "NEITHER")
COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset", "URL")
_LABELLED = (*COLUMNS, "A-coref", "B-coref")
_SPELT = {name.lower().replace("-", "_"): name for name in _LABELLED}  # as one team writes them


def read_gap(source: str | Path = "gap_development") -> pd.DataFrame:
    """The passages of a part of GAP, with what the annotators say of the pronoun.

    Parameters
    ----------
    source : str or Path
        One of `KEYS`: 2,000 passages for development, 2,000 for testing, 454 for validation; or a file of your own
        with the same columns, tab-separated and without quotation marks around its fields.

    Returns
    -------
    DataFrame
        One row a passage, in the order of the file: its columns (`ID`, `Text`, `Pronoun`, `A`, `B`, offsets in
        characters, `A-coref` and `B-coref` as booleans, `URL`), the `gender` of the pronoun ("female" or
        "male"), the `answer` (one of `CLASSES`), and `neither`, whether it refers to neither of the two names.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    ValueError
        For missing columns, an ID that occurs twice, an offset at which the name or pronoun is not found, labels
        other than TRUE and FALSE, or a passage that is said to refer to both names.

    References
    ----------
    Webster, Recasens, Axelrod and Baldridge (2018), "Mind the GAP".
    """
    path = fetch(source) if source in KEYS else Path(source)
    return _labelled(_read_passages(path.read_bytes(), str(source), _LABELLED), str(source))


def read_stage2() -> pd.DataFrame:
    """The 12,359 passages of the competition's second stage, with the 760 labels that were scored.

    Returns
    -------
    DataFrame
        As `read_gap`, without `A-coref` and `B-coref`; `scored` says which rows count. The `answer` of
        the others is a dummy, NEITHER.

    Raises
    ------
    FetchError
        Where a file is not at hand.
    ValueError
        As `read_gap`, or where texts and labels differ in their IDs.

    References
    ----------
    Webster, Costa-jussà, Hardmeier and Radford (2019), "Gendered Ambiguous Pronouns (GAP) Shared Task", Section 2.
    """
    with zipfile.ZipFile(fetch("gap_stage2_text")) as archive:
        content = archive.read(archive.namelist()[0])
    passages = _read_passages(content, "gap_stage2_text", COLUMNS)
    labels = pd.read_csv(fetch("gap_stage2_solution")).set_index("ID")
    if set(labels.index) != set(passages["ID"]):
        raise ValueError(
            "expected texts and labels of the second stage to have the same IDs; fetch both again"
        )
    labels = labels.loc[passages["ID"]]
    answer = np.array(CLASSES)[labels[list(CLASSES)].to_numpy().argmax(axis=1)]
    return passages.assign(
        answer=answer,
        neither=answer == "NEITHER",
        scored=(labels["Usage"] == "Private").to_numpy(),
    )


def read_added_neither() -> pd.DataFrame:
    """The 253 passages that Attree added to GAP: the pronoun refers to neither of the two names.

    Returns
    -------
    DataFrame
        As `read_gap`; the IDs are those of the passages of gap-test that the texts were taken from.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    ValueError
        As `read_gap`.

    References
    ----------
    Attree (2019), Section 2.1.
    """
    heading, _, rows = fetch("attree_neither").read_bytes().partition(b"\n")
    spelt = "\t".join(_SPELT.get(name, name) for name in heading.decode().split())
    return _labelled(
        _read_passages(f"{spelt}\n".encode() + rows, "attree_neither", _LABELLED), "attree_neither"
    )


def read_predictions(source: str | Path) -> pd.DataFrame:
    """Probabilities that a system gave the three classes, as they are in its file.

    Parameters
    ----------
    source : str or Path
        A registry key, or a CSV with the columns ID, A, B and NEITHER.

    Returns
    -------
    DataFrame
        Columns ID, A, B, NEITHER. `lib.coreference.predictions.aligned` checks them and puts them in the
        order of the passages.

    Raises
    ------
    FetchError
        Where a registered file is not at hand.
    ValueError
        For missing columns or a file that is no CSV.
    """
    path = Path(source)
    path = path if path.suffix or path.is_file() else fetch(str(source))
    try:
        frame = pd.read_csv(path)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{source}: expected a CSV with columns ID, A, B, NEITHER ({error})"
        ) from error
    _require_columns(frame, ("ID", *CLASSES), str(source))
    return frame[["ID", *CLASSES]]


def _read_passages(content: bytes, source: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Passages with the gender of the pronoun, columns and offsets checked."""
    passages = pd.read_csv(io.BytesIO(content), sep="\t", quoting=csv.QUOTE_NONE)
    _require_columns(passages, columns, source)
    if passages["ID"].duplicated().any():
        twice = passages.loc[passages["ID"].duplicated(), "ID"].iloc[0]
        raise ValueError(f"{source}: expected each ID once; {twice} occurs again")
    for name in ("Pronoun", "A", "B"):
        for row in passages[["ID", "Text", name, f"{name}-offset"]].itertuples(index=False):
            identity, text, word, start = row
            there = text[start : start + len(word)] if start >= 0 else ""
            if there != word:
                raise ValueError(
                    f"{source}, {identity}: expected {name} {word!r} at character {start}, got {there!r}; "
                    "count characters from 0, and read the file without quote handling"
                )
    female = passages["Pronoun"].str.lower().isin(FEMININE)
    return passages.assign(gender=female.map({True: "female", False: "male"}))


def _labelled(passages: pd.DataFrame, source: str) -> pd.DataFrame:
    """Passages with their answers, made of the two columns of labels."""
    for name in ("A-coref", "B-coref"):
        truth = passages[name].astype(str).str.upper().map({"TRUE": True, "FALSE": False})
        if truth.isna().any():
            raise ValueError(
                f"{source}: expected TRUE or FALSE in {name}; got {passages.loc[truth.isna(), name].iloc[0]!r}"
            )
        passages[name] = truth.astype(bool)
    both = passages["A-coref"] & passages["B-coref"]
    if both.any():
        raise ValueError(
            f"{source}: expected at most one name for a pronoun; {passages.loc[both, 'ID'].iloc[0]} has both A and B"
        )
    answer = np.select([passages["A-coref"], passages["B-coref"]], CLASSES[:2], CLASSES[2])
    return passages.assign(answer=answer, neither=answer == "NEITHER")


def _require_columns(frame: pd.DataFrame, columns: tuple[str, ...], source: str) -> None:
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise ValueError(
            f"{source}: expected the columns {', '.join(columns)}; {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing, got {', '.join(map(str, frame.columns))}"
        )
