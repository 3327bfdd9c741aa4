"""GAP: Wikipedia passages around an ambiguous pronoun, as many of women as of men, and what systems
said about them.
"""

import io
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from lib.sources import fetch

KEYS = ("gap_development", "gap_test", "gap_validation")
FEMININE = ("she", "her", "hers")
MASCULINE = ("he", "him", "his")
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
    FileNotFoundError
        For a path where there is none.
    ValueError
        For text that is not UTF-8, missing columns, a row with more or fewer cells than the heading, an ID that occurs
        twice, an offset that is no number or at which the name or pronoun is not found, a pronoun other than those of
        GAP, labels other than TRUE and FALSE, or a passage that is said to refer to both names; with the row.

    References
    ----------
    Webster, Recasens, Axelrod and Baldridge (2018), "Mind the GAP".
    """
    if source in KEYS:
        content = fetch(str(source)).read_bytes()
    else:
        content = _content(Path(source), f"a file of passages, or one of {', '.join(KEYS)}")
    return _labelled(_read_passages(content, str(source), _LABELLED), str(source))


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
        A registry key; or a file, with commas or tabs between its cells: with the columns ID, A, B and NEITHER, or in the
        format of GAP's own scorer, which has no heading, an ID in each row and TRUE or FALSE for A and for B.

    Returns
    -------
    DataFrame
        Columns ID, A, B, NEITHER; of GAP's format 1 for the answer and 0 for the others.
        `lib.coreference.predictions.aligned` checks them and puts them in the order of the passages.

    Raises
    ------
    FetchError
        Where a registered file is not at hand.
    FileNotFoundError
        For a path where there is none.
    ValueError
        For missing columns, text that is not UTF-8, a file that is no table, or both names for one pronoun.
    """
    path = Path(source)
    path = path if path.suffix or path.is_file() else fetch(str(source))
    text = _text(_content(path, "a file of predictions"), str(source))
    heading = text.partition("\n")[0]
    separator = "\t" if "\t" in heading and "," not in heading else ","
    if _is_of_scorer(heading.split(separator)):
        return _answers(text, separator, str(source))
    try:
        frame = pd.read_csv(io.StringIO(text), sep=separator)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(
            f"{source}: expected a table with columns ID, A, B, NEITHER ({str(error).strip()})"
        ) from error
    _require_columns(frame, ("ID", *CLASSES), str(source))
    return frame[["ID", *CLASSES]]


def _is_of_scorer(cells: list[str]) -> bool:
    """Whether a row is one of GAP's own format: an ID, and TRUE or FALSE twice."""
    labels = [cell.strip().upper() for cell in cells[1:]]
    return len(labels) == 2 and {*labels} <= {"TRUE", "FALSE"}


def _answers(text: str, separator: str, source: str) -> pd.DataFrame:
    """Rows of GAP's own format, as 1 for the answer and 0 for the others."""
    found: dict[str, list[float]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        cells = [cell.strip() for cell in line.split(separator)]
        if not line.strip():
            continue
        if not _is_of_scorer(cells) or [cell.upper() for cell in cells[1:]] == ["TRUE", "TRUE"]:
            raise ValueError(
                f"{source}, line {number}: expected an ID and TRUE or FALSE for A and for B, TRUE for one of them at most; "
                f"got {line.strip()[:60]!r}"
            )
        if cells[0] in found:
            raise ValueError(
                f"{source}, line {number}: expected each ID once; {cells[0]} occurs again"
            )
        a, b = (float(cell.upper() == "TRUE") for cell in cells[1:])
        found[cells[0]] = [a, b, 1 - a - b]
    frame = pd.DataFrame.from_dict(found, orient="index", columns=list(CLASSES))
    return frame.rename_axis("ID").reset_index()


def _content(path: Path, wanted: str) -> bytes:
    if not path.is_file():
        raise FileNotFoundError(f"{path}: expected {wanted}; there is no such file")
    return path.read_bytes()


def _text(content: bytes, source: str) -> str:
    """A file as text, without a mark at its beginning."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{source}, line {line}: expected text in UTF-8, got the byte {content[error.start]:#x}; save it as UTF-8"
        ) from error


def _rows(text: str, source: str) -> pd.DataFrame:
    """A table with tabs between its cells, quotation marks as they are; every row as long as the heading."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    cells = [line.split("\t") for line in lines]
    for number, row in enumerate(cells, start=1):
        if row != [""] and len(row) != len(cells[0]):
            raise ValueError(
                f"{source}, line {number}: expected {len(cells[0])} cells with tabs between them, as in the heading; got {len(row)}"
            )
    return pd.DataFrame([row for row in cells[1:] if row != [""]], columns=cells[0], dtype="str")


def _offsets(passages: pd.DataFrame, column: str, source: str) -> pd.Series:
    """A column of whole numbers."""
    numbers = pd.to_numeric(passages[column], errors="coerce").astype(float)
    wrong = ~(numbers.abs() < 2**31) | (numbers % 1 != 0)
    if wrong.any():
        row = passages[wrong].iloc[0]
        raise ValueError(
            f"{source}, {row['ID']}: {column}: expected the number of a character, counted from 0; got {row[column]!r}"
        )
    return numbers.astype(np.int64)


def _read_passages(content: bytes, source: str, columns: tuple[str, ...]) -> pd.DataFrame:
    """Passages with the gender of the pronoun, columns and offsets checked."""
    passages = _rows(_text(content, source), source)
    _require_columns(passages, columns, source)
    twice = [name for name in columns if list(passages.columns).count(name) > 1]
    if twice:
        raise ValueError(f"{source}: expected each column once; {twice[0]} is there again")
    if passages["ID"].duplicated().any():
        again = passages.loc[passages["ID"].duplicated(), "ID"].iloc[0]
        raise ValueError(f"{source}: expected each ID once; {again} occurs again")
    for name in ("Pronoun", "A", "B"):
        passages[f"{name}-offset"] = _offsets(passages, f"{name}-offset", source)
        for row in passages[["ID", "Text", name, f"{name}-offset"]].itertuples(index=False):
            identity, text, word, start = row
            there = text[start : start + len(word)] if start >= 0 else ""
            if there != word or not word:
                raise ValueError(
                    f"{source}, {identity}: expected {name} {word!r} at character {start}, got {there!r}; "
                    "count characters from 0, and read the file without quote handling"
                )
    spelt = passages["Pronoun"].str.lower()
    other = ~spelt.isin([*FEMININE, *MASCULINE])
    if other.any():
        row = passages[other].iloc[0]
        raise ValueError(
            f"{source}, {row['ID']}: expected one of the pronouns {', '.join([*FEMININE, *MASCULINE])}; got {row['Pronoun']!r}"
        )
    gender = spelt.isin(FEMININE).map({True: "female", False: "male"})
    return passages.assign(gender=gender)


def _labelled(passages: pd.DataFrame, source: str) -> pd.DataFrame:
    """Passages with their answers, made of the two columns of labels."""
    for name in ("A-coref", "B-coref"):
        truth = passages[name].astype(str).str.upper().map({"TRUE": True, "FALSE": False})
        if truth.isna().any():
            raise ValueError(
                f"{source}, {passages.loc[truth.isna(), 'ID'].iloc[0]}: expected TRUE or FALSE in {name}; "
                f"got {passages.loc[truth.isna(), name].iloc[0]!r}"
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
