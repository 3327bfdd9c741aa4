"""What Hitti et al. (2019) released: a filter log a book, candidates, the labels of a crowd and of an expert."""

import csv
from pathlib import Path

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

# the books, by the name of their files, with the title that Table 3 prints
BOOKS = {
    "boyscouts": "Boy Scouts Handbook",
    "businesshints": "Business Hints for Men and Women",
    "commonlaw": "The Common Law",
    "constitution": "The Constitution of the United States of America",
    "federalists": "The Federalists Papers",
    "honey": "the Hive and the Honey-Bee: A Bee Keeper's Manual",
    "magnacarta": "Magna Carta",
    "girlscouts": "Official Handbook of the Girl Scouts",
    "mindreading": "Practical Mind-Reading",
}
SHORT_TITLES = {
    "boyscouts": "Boy Scouts",
    "businesshints": "Business Hints",
    "commonlaw": "Common Law",
    "constitution": "Constitution",
    "federalists": "Federalist Papers",
    "honey": "Honey-Bee",
    "magnacarta": "Magna Carta",
    "girlscouts": "Girl Scouts",
    "mindreading": "Mind-Reading",
}
# the columns of a log, in its order: what must be so for a sentence to pass
FILTERS = {
    "Coreference": "coreference",
    "Gender pronoun": "pronoun",
    "Gender link": "not only pronouns",
    "Human Name": "no name",
    "Gendered term": "no gendered term",
}
CANDIDATE = "Final candidates"
LABELS = {
    "gender_generalization": "generalisation",
    "not_a_gender_generalization": "none",
    "problematic_sentence": "problematic",
}
_QUESTION = (
    "please_identify_if_the_sentence_is_a_gender_generalization_refer_to_the_rules_provided_above"
)


def read_filter_log(book: str, path: Path | None = None) -> pd.DataFrame:
    """What each of the five filters said of each sentence of a book: sentence (accents repaired), true and false by filter, candidate.

    The last three filters were run on every sentence that passed the pronoun filter, so each can be counted alone. The log of the Boy
    Scouts is tab-separated, the others are comma-separated: the header says which.
    """
    one_of("book", book, BOOKS)
    where = path or fetch(f"hitti_filters_{book}")
    header = _text(where).partition("\n")[0]
    cells = _cells(where, separator="\t" if "\t" in header else ",")
    table = _with_columns(where, cells, ["Sentences", *FILTERS, CANDIDATE])
    marks = table[[*FILTERS, CANDIDATE]]
    wrong = ~marks.isin(["0", "1"])
    if wrong.to_numpy().any():
        row = wrong.any(axis=1).to_numpy().argmax()
        raise ValueError(
            f"{where}: expected 0 or 1 in {', '.join(marks)}; row {row + 1} has {', '.join(marks.iloc[row])}"
        )
    log = marks.eq("1").rename(columns={**FILTERS, CANDIDATE: "candidate"})
    log.insert(0, "sentence", table["Sentences"].map(repaired))
    return log


def read_candidates(book: str, path: Path | None = None) -> list[str]:
    """The candidate sentences of a book, as they went to the crowd: a sentence a line, no header."""
    one_of("book", book, BOOKS)
    lines = _text(path or fetch(f"hitti_candidates_{book}")).split("\n")
    return [repaired(line) for line in lines if line.strip()]


def read_crowd(path: Path | None = None, *, realigned: bool = True) -> pd.DataFrame:
    """The export of the crowd's labels: a row a sentence, the test questions among them.

    sentence ("" where a row as released has none), source ("" where it was lost), label (a value of `LABELS`), confidence, judgments,
    test_question, and batch (2 for rows whose sentence is in the column of the sources).

    In the rows of the second batch the sentence lies lower than its label, by as many rows as there are test questions: the first rows
    of the batch have no sentence, and the test questions, at the end, have one too many. The list of confident labels shows it: with
    every sentence moved up, and only then, it has the very sentences on which all three workers agreed (`crowd.offset_check`).
    `realigned=False` gives the rows as they were released.
    """
    where = path or fetch("hitti_gutenberg_1584_raw")
    columns = ["_golden", "_trusted_judgments", _QUESTION, f"{_QUESTION}:confidence"]
    table = _with_columns(where, _cells(where), [*columns, "sentence", "source"])
    unknown = ~table[_QUESTION].isin(LABELS)
    if unknown.any():
        raise ValueError(
            f"{where}: expected one of {', '.join(LABELS)}; row {unknown.to_numpy().argmax() + 1} has {table[_QUESTION][unknown].iloc[0]!r}"
        )
    confidence = pd.to_numeric(table[f"{_QUESTION}:confidence"], errors="coerce")
    if not confidence.between(0, 1).all():
        raise ValueError(f"{where}: expected every confidence to be a number from 0 to 1")
    judgments = table["_trusted_judgments"]
    if not judgments.str.fullmatch("[0-9]{1,9}").all():
        raise ValueError(f"{where}: expected every number of judgments to be a whole number")
    slipped = table["sentence"].str.strip() == ""
    test_question = table["_golden"] == "TRUE"
    sentences = table["sentence"].where(~slipped, table["source"])
    if realigned and slipped.any():
        in_other_column = table["source"][slipped | test_question]
        texts = in_other_column[in_other_column.str.strip() != ""]
        if len(texts) != slipped.sum():
            raise ValueError(
                f"{where}: expected a sentence in the column source for each of the {slipped.sum()} rows without one, got {len(texts)}; realigned=False reads the rows as they are"
            )
        sentences = sentences.mask(slipped, pd.Series(texts.to_numpy(), table.index[slipped]))
    return pd.DataFrame(
        {
            "sentence": sentences.map(repaired),
            "source": table["source"].mask(slipped | test_question, "").str.strip(),
            "label": table[_QUESTION].map(LABELS),
            "confidence": confidence,
            "judgments": judgments.astype(int),
            "test_question": test_question,
            "batch": 1 + slipped.astype(int),
        }
    )


def read_confident_labels(path: Path | None = None) -> pd.DataFrame:
    """The sentences on which all three workers agreed: sentence, and generalisation (true or false)."""
    where = path or fetch("hitti_confident_labels")
    return _labelled(where, _with_columns(where, _cells(where), ["label", "sentence"]))


def read_expert(path: Path | None = None) -> pd.DataFrame:
    """What one expert said of 180 sentences that the crowd had labelled: sentence, and generalisation (true or false)."""
    where = path or fetch("hitti_expert_180")
    try:
        table = pd.read_excel(where, header=None, dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise
    except Exception as error:  # openpyxl passes on whatever zip, XML and number readers raise
        raise ValueError(
            f"{where}: expected an Excel workbook (.xlsx), got something else or damage inside "
            f"({type(error).__name__}: {error}); fetch it again, or save it anew"
        ) from error
    if table.shape[1] != 2:
        raise ValueError(
            f"{where}: expected two columns, labels and sentences; got {table.shape[1]}"
        )
    return _labelled(where, table.set_axis(["label", "sentence"], axis=1))


def repaired(text: str) -> str:
    """A text that was encoded twice, with the accents it had, and without a byte mark or spaces at its ends."""
    if not text.isascii():
        for encoding in ("cp1252", "latin-1"):
            try:
                text = text.encode(encoding).decode("utf-8")
                break
            except UnicodeError:
                continue
    return text.removeprefix("\ufeff").strip()


def _labelled(where: Path, table: pd.DataFrame) -> pd.DataFrame:
    """Sentences with true or false for the labels 1 and 0."""
    wrong = ~table["label"].isin(["0", "1"])
    if wrong.any():
        raise ValueError(
            f"{where}: expected labels 0 and 1; row {wrong.to_numpy().argmax() + 1} has {table['label'][wrong].iloc[0]!r}"
        )
    sentences = table["sentence"].map(repaired)
    return pd.DataFrame({"sentence": sentences, "generalisation": table["label"] == "1"})


def _text(where: Path) -> str:
    try:
        text = Path(where).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{where}: expected UTF-8; byte {error.start} is not; save it as UTF-8"
        ) from None
    if not text.strip():
        raise ValueError(f"{where}: expected sentences, got an empty file; fetch it again")
    return text


def _cells(where: Path, separator: str = ",") -> pd.DataFrame:
    """A table of texts, "" where a cell is empty."""
    try:
        rows = list(csv.reader(_text(where).splitlines(keepends=True), delimiter=separator))
    except csv.Error as error:
        raise ValueError(
            f"{where}: expected a table, got {error}; is a quotation mark lost?"
        ) from None
    header, body = rows[0], [row for row in rows[1:] if row]
    for number, row in enumerate(body, start=1):
        if len(row) != len(header):
            raise ValueError(
                f"{where}: expected {len(header)} cells in row {number}, got {len(row)}; a sentence that has a separator needs quotes"
            )
    return pd.DataFrame(body, columns=header, dtype=object)


def _with_columns(where: Path, table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    missing = [name for name in columns if name not in table.columns]
    if missing:
        raise ValueError(
            f"{where}: expected the columns {', '.join(columns)}; {', '.join(missing)} is missing"
        )
    if twice := [name for name in columns if list(table.columns).count(name) > 1]:
        raise ValueError(f"{where}: expected each column once; {', '.join(twice)} is there twice")
    return table[columns]
