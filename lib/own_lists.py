"""Lists of a reader's own in files: words, groups of words, pairs, numbers by word, sentences; as text, CSV, TSV, JSON or YAML.

Nothing is dropped silently: what was read twice, or set aside as a comment, stands in the notes of the result. Chapters take
these files by the rules `words_or`, `pairs_or` and `sentences_or`.
"""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lib.checks import did_you_mean, one_of
from lib.documents import read_json, read_yaml

_HEADINGS = ("word", "words", "item", "items", "term", "terms")
_GROUPED = ("group", "groups", "category", "list")
_SEPARATED = {".csv": ",", ".tsv": "\t"}
_PAIR_HEADING = re.compile(
    r"(sent\w*[_ ])?(more|less|first|second)([_ ]\w+)?|(anti[-_ ]?)?stereotyp\w*"
)
LONGEST = 200  # characters of a word or phrase
LONGEST_SENTENCE = 2000
_DECIMAL = re.compile(r"[-+−]?\d*,\d+(e[-+]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[-+−]?[1-9]\d{0,2}(,\d{3})+")
_FORMS = "text, CSV, TSV, JSON or YAML"
_ENDINGS = (".txt", ".csv", ".tsv", ".json", ".yaml", ".yml")


@dataclass(frozen=True)
class OwnWords:
    """Words of a reader's own, in groups.

    Attributes
    ----------
    groups : mapping of str to tuple of str
        Name of a group -> its words, in the order of the file, no word twice in a group.
    notes : tuple of str
        What was read otherwise than it stands in the file, in sentences.
    """

    groups: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = field(default=())

    @property
    def words(self) -> tuple[str, ...]:
        """All words once, in order."""
        return tuple(dict.fromkeys(word for words in self.groups.values() for word in words))


def read_own_words(reference: str | Path) -> OwnWords:
    """Words of one's own from a file, in one group or several.

    Parameters
    ----------
    reference : str or Path
        A file in UTF-8, or ``file.csv:column`` for one column of a table:

        - text: a word or phrase a line; lines that begin with ``#`` are comments;
        - CSV or TSV with one column: a word a line, below a heading if the first line is ``word``;
        - with a column ``word`` and a column ``group``: groups as that column says;
        - with other headings: a group for each column;
        - JSON or YAML: a list of words, of words with their ratings, or names of groups with lists of words.

    Returns
    -------
    OwnWords

    Raises
    ------
    ValueError
        Where the file cannot be read, or holds anything but words; the message says what stood there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("word,group\\nnurse,care\\nmason,craft\\nnurse,care\\n")
    >>> own = read_own_words(file.name)
    >>> own.groups
    {'care': ('nurse',), 'craft': ('mason',)}
    >>> own.notes
    ("'nurse' stands there more than once and is read once.",)
    """
    path, column = _parted(reference)
    if path.suffix.lower() in (".json", ".yaml", ".yml"):
        if column:
            raise ValueError(
                f"{path}: expected no column of a file without columns, got {column!r}"
            )
        found, notes = _of_document(path)
    else:
        rows, notes = _rows(path)
        found = _of_rows(path, rows, column)
    groups: dict[str, tuple[str, ...]] = {}
    for name, words in found.items():
        wrong = [word for word in words if not _is_word(word)]
        if wrong or not words:
            got = f"{wrong[0]!r:.60}" if wrong else f"none in {name!r}"
            raise ValueError(
                f"{path}: expected words of up to {LONGEST} printable characters, got {got}"
                + (
                    "; in YAML put no, yes, on and off in quotation marks"
                    if got in ("True", "False")
                    else ""
                )
            )
        words = [" ".join(word.split()) for word in words]
        groups[name] = tuple(dict.fromkeys(words))
        twice = [word for word in groups[name] if words.count(word) > 1]
        notes += [f"{word!r} stands there more than once and is read once." for word in twice]
    return OwnWords(groups, tuple(notes))


def read_own_pairs(reference: str | Path) -> tuple[tuple[str, str], ...]:
    """Pairs of words of one's own, the female word first.

    Parameters
    ----------
    reference : str or Path
        A file in UTF-8: two words a line with a comma, a tab or a stroke between them; a heading ``female,male`` or
        ``male,female`` says which is which; JSON or YAML: a list of two words each.

    Returns
    -------
    tuple of (str, str)
        No pair twice.

    Raises
    ------
    ValueError
        For anything else; the message names the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
    ...     _ = file.write("ella/él\\nmujer/hombre\\n")
    >>> read_own_pairs(file.name)
    (('ella', 'él'), ('mujer', 'hombre'))
    """
    path = Path(reference).expanduser()
    if path.suffix.lower() in (".json", ".yaml", ".yml"):
        rows = _document(path)
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise ValueError(f"{path}: expected a list of two words each, got {rows!r:.60}")
    else:
        rows, _ = _rows(path)
        if all(len(row) == 1 for row in rows):
            rows = [row[0].split("/") for row in rows]
    rows = [[str(word).strip() for word in row] for row in rows]
    if rows and sorted(map(str.lower, rows[0])) == ["female", "male"]:
        rows = [row[:: 1 if rows[0][0].lower() == "female" else -1] for row in rows[1:]]
    for row in rows:
        if len(row) != 2 or not all(map(_is_word, row)) or row[0] == row[1]:
            raise ValueError(
                f"{path}: expected two different words a line, the female one first, got {','.join(row)!r:.60}"
            )
    if not rows:
        raise ValueError(f"{path}: expected two words a line, got no pair")
    return tuple(dict.fromkeys((row[0], row[1]) for row in rows))


def pairs_notes(reference: str | Path) -> list[str]:
    """What `read_own_pairs` reads otherwise than it stands in the file, in sentences.

    Parameters
    ----------
    reference : str or Path
        As there.

    Returns
    -------
    list of str
        Pairs that stand there twice, or both ways round; and how many lines are comments.

    Raises
    ------
    ValueError
        As there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("female,male\\nella,él\\nmujer,hombre\\nella,él\\n")
    >>> pairs_notes(file.name)
    ["'ella – él' stands there more than once and is read once."]
    """
    pairs, path = read_own_pairs(reference), Path(reference).expanduser()
    document = path.suffix.lower() in (".json", ".yaml", ".yml")
    rows, notes = (_document(path), []) if document else _rows(path)
    cells = [row if len(row) > 1 else str(row[0]).split("/") for row in rows]
    stands = Counter(tuple(str(word).strip() for word in row) for row in cells)
    turned = tuple(str(word).strip().lower() for word in cells[0]) == ("male", "female")
    for first, second in pairs:
        if stands[(second, first) if turned else (first, second)] > 1:
            notes.append(f"'{first} – {second}' stands there more than once and is read once.")
        if (second, first) in pairs and first < second:
            notes.append(
                f"'{first} – {second}' stands there both ways round; both are read, and cancel each other."
            )
    return notes


def read_own_numbers(reference: str | Path) -> dict[str, float]:
    """A number for each word of one's own, such as women's share of an occupation.

    Parameters
    ----------
    reference : str or Path
        A CSV or TSV of two columns, word and number, in UTF-8; a first line without a number is its heading. Semicolons may
        stand for the commas of a CSV; decimal commas are read as points.

    Returns
    -------
    dict of str to float

    Raises
    ------
    ValueError
        For anything else, and for a word with two different numbers.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("occupation,women\\nnurse,.89\\nmason,.03\\n")
    >>> read_own_numbers(file.name)
    {'nurse': 0.89, 'mason': 0.03}
    """
    path = Path(reference).expanduser()
    rows = _rows_with_numbers(path)
    numbers: dict[str, float] = {}
    for place, row in enumerate(rows):
        value = _number(row[1]) if len(row) == 2 else math.nan
        if place == 0 and len(row) == 2 and math.isnan(value):
            continue
        if math.isnan(value) or not _is_word(row[0]):
            raise ValueError(
                f"{path}: expected a word and a number a line, got {','.join(row)!r:.60}"
            )
        word = " ".join(row[0].split())
        if numbers.setdefault(word, value) != value:
            raise ValueError(
                f"{path}: expected one number for {word!r}, got {numbers[word]:g} and {value:g}"
            )
    if not numbers:
        raise ValueError(f"{path}: expected a word and a number a line, got none")
    return numbers


def read_own_sentences(reference: str | Path) -> tuple[str, ...]:
    """Sentences of one's own, such as beginnings with a slot.

    Parameters
    ----------
    reference : str or Path
        A file in UTF-8: a sentence a line, commas and all (lines that begin with ``#`` are comments); a CSV or TSV with
        one column; or a JSON or YAML list.

    Returns
    -------
    tuple of str
        None twice.

    Raises
    ------
    ValueError
        For anything else; the message says what stood there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
    ...     _ = file.write("as soon as the {word} came,\\nwe asked the {word} whether\\n")
    >>> read_own_sentences(file.name)
    ('as soon as the {word} came,', 'we asked the {word} whether')
    """
    path = Path(reference).expanduser()
    if path.suffix.lower() in (".json", ".yaml", ".yml"):
        rows = [[one] for one in _document(path)]
    elif path.suffix.lower() in _SEPARATED:
        rows, _ = _rows(path)
    else:
        lines = [line.strip() for line in _text(path).splitlines()]
        rows = [[line] for line in lines if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 1 or not _is_sentence(row[0]):
            raise ValueError(
                f"{path}: expected a sentence a line, got {','.join(map(str, row))!r:.60}"
            )
    if not rows:
        raise ValueError(f"{path}: expected a sentence a line, got none")
    return tuple(dict.fromkeys(row[0] for row in rows))


def read_own_sentence_pairs(reference: str | Path) -> tuple[tuple[str, str], ...]:
    """Pairs of sentences of one's own, the one that is expected to be likelier first.

    Parameters
    ----------
    reference : str or Path
        A CSV or TSV in UTF-8 of two columns, more and less stereotypical. A heading is known by such names as `more` and
        `less`, `sent_more` and `sent_less`, `stereotype` and `anti-stereotype`, `first` and `second`; with the less
        stereotypical column first it turns all pairs.

    Returns
    -------
    tuple of (str, str)
        None twice.

    Raises
    ------
    ValueError
        For anything else; the message says what stood there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write('less,more\\n"Well, he is a nurse.","Well, she is a nurse."\\n')
    >>> read_own_sentence_pairs(file.name)
    (('Well, she is a nurse.', 'Well, he is a nurse.'),)
    """
    path = Path(reference).expanduser()
    if path.suffix.lower() not in _SEPARATED:
        raise ValueError(f"{path}: expected pairs of sentences as a .csv or .tsv of two columns")
    rows, _ = _rows(path)
    if rows and all(_PAIR_HEADING.fullmatch(cell.lower()) for cell in rows[0]):
        turned = any(name in rows[0][0].lower() for name in ("less", "anti"))
        rows = [row[:: -1 if turned else 1] for row in rows[1:]]
    for row in rows:
        if len(row) != 2 or not all(map(_is_sentence, row)) or row[0] == row[1]:
            raise ValueError(
                f"{path}: expected two different sentences a line, got {','.join(row)!r:.60}"
            )
    if not rows:
        raise ValueError(f"{path}: expected two sentences a line, got no pair")
    return tuple(dict.fromkeys((row[0], row[1]) for row in rows))


def read_own_list(reference: str | Path) -> OwnWords:
    """Words of one's own as one list, for a chapter that measures one: groups are joined, and that is said.

    Parameters
    ----------
    reference : str or Path
        As in `read_own_words`.

    Returns
    -------
    OwnWords
        With one group, named as the file. Its notes also name words that differ in nothing but case or the form of their
        accents: both are read, and vectors may hold one.

    Raises
    ------
    ValueError
        As from `read_own_words`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("care,craft\\nnurse,mason\\nNurse,welder\\n")
    >>> own = read_own_list(file.name)
    >>> own.words
    ('nurse', 'Nurse', 'mason', 'welder')
    >>> own.notes
    ('The groups care and craft are read as one list.', "'nurse' and 'Nurse' differ in case or accents alone; each is read.")
    """
    own = read_own_words(reference)
    notes = list(own.notes)
    if len(own.groups) > 1:
        *others, last = own.groups
        notes.append(f"The groups {', '.join(others)} and {last} are read as one list.")
    alike: dict[str, list[str]] = {}
    for word in own.words:
        alike.setdefault(unicodedata.normalize("NFC", word).casefold(), []).append(word)
    notes += [
        f"{' and '.join(map(repr, forms))} differ in case or accents alone; each is read."
        for forms in alike.values()
        if len(forms) > 1
    ]
    return OwnWords({_parted(reference)[0].stem: own.words}, tuple(notes))


def words_or(*names: str) -> Callable[[str, Any], str]:
    """A rule for a parameter: one of some names, or a file of words that `read_own_words` reads.

    Parameters
    ----------
    *names : str
        What else the parameter may be; "" for nothing.

    Returns
    -------
    callable
        Of a parameter's name and value; it returns the value, or raises ValueError.

    Examples
    --------
    >>> words_or("book", "published")("lists", "publish")
    Traceback (most recent call last):
    ValueError: lists: expected book, published, or a file of your own words (text, CSV, TSV, JSON or YAML); got 'publish', which is no file here. Did you mean 'published'?
    """
    return _file_or(names, "words", read_own_words)


def pairs_or(*names: str) -> Callable[[str, Any], str]:
    """A rule as `words_or`, for a file of pairs that `read_own_pairs` reads."""
    return _file_or(names, "pairs", read_own_pairs)


def sentences_or(*names: str, slots: Iterable[str]) -> Callable[[str, Any], str]:
    """A rule as `words_or`, for a file that `read_own_sentences` reads, with each slot once in each sentence."""
    slots = tuple(slots)

    def read(reference: str | Path) -> None:
        for sentence in read_own_sentences(reference):
            if any(sentence.count(slot) != 1 for slot in slots):
                raise ValueError(
                    f"{reference}: expected sentences with one {' and one '.join(slots)}, got {sentence!r}"
                )

    return _file_or(names, "sentences", read)


def _file_or(
    names: tuple[str, ...], what: str, read: Callable[[str], object]
) -> Callable[[str, Any], str]:
    """A rule: one of some names, or a file that is read without complaint."""

    known = [name for name in names if name]
    either = f"{', '.join(known)}, or a file" if known else "a file"

    def rule(name: str, value: Any) -> str:
        if isinstance(value, str) and value in names:
            return value
        path = _parted(value)[0] if isinstance(value, str) and value else None
        if path is None or not path.is_file():
            there = path.parent.iterdir() if path is not None and path.parent.is_dir() else ()
            lists = [file.name for file in there if file.suffix.lower() in _ENDINGS]
            near = did_you_mean(value, known) or did_you_mean(path.name if path else "", lists)
            raise ValueError(
                f"{name}: expected {either} of your own {what} ({_FORMS}); got {value!r}, which is no file here. {near}".strip()
            )
        try:
            read(value)
        except ValueError as error:
            raise ValueError(f"{name}: expected {what} of your own. {error}") from error
        return str(value)

    return rule


def with_points(texts: Sequence[str]) -> list[str] | None:
    """Numbers with decimal points in place of decimal commas; None where there are none, or where these may part thousands.

    Examples
    --------
    >>> with_points(["0,5", "12"]), with_points(["1,250", "12"]), with_points(["0.5", "1,5"])
    (['0.5', '12'], None, None)
    """
    commas = [text for text in texts if "," in text]
    if not commas or any("." in text for text in texts):
        return None
    if not all(map(_DECIMAL.fullmatch, commas)) or all(map(_THOUSANDS.fullmatch, commas)):
        return None
    return [text.replace(",", ".") for text in texts]


def _rows_with_numbers(path: Path) -> list[list[str]]:
    """As `_rows`; also with semicolons between cells and commas in numbers."""
    rows, _ = _rows(path)
    if path.suffix.lower() == ".csv" and rows:
        lines = [line for line in _text(path).splitlines() if line.strip()]
        parted = [[cell.strip() for cell in line.split(";")] for line in lines]
        if all(len(cells) == 2 for cells in parted):
            rows = [cells for cells in parted if not cells[0].startswith("#")]
    cells = [row[1] for row in rows if len(row) == 2]
    if not cells or len(cells) < len(rows):
        return rows
    heading = math.isnan(_number(cells[0].replace(",", ".")))
    points = with_points(cells[heading:])
    if points is None:
        return rows
    return [*rows[:heading], *([row[0], point] for row, point in zip(rows[heading:], points))]


def _parted(reference: str | Path) -> tuple[Path, str]:
    """The file and the column asked for."""
    path = Path(reference).expanduser()
    if not path.is_file():
        file, colon, column = str(path).rpartition(":")
        if colon and Path(file).is_file():
            return Path(file), column
    return path, ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        got = getattr(error, "strerror", None) or "other bytes; save it as UTF-8"
        raise ValueError(f"{path}: expected a file of words in UTF-8, got: {got}") from error


def _rows(path: Path) -> tuple[list[list[str]], list[str]]:
    """Lines as cells without blanks around them; empty lines and comments are left out, the latter with a note."""
    text, separator = _text(path), _SEPARATED.get(path.suffix.lower())
    if separator is None:
        lines = text.splitlines()
        separator = "\t" if any("\t" in line for line in lines) else None
        rows = [line.split(separator) if separator else [line] for line in lines]
        if not separator and all(
            "," in line for line in lines if line.strip() and not line.startswith("#")
        ):
            rows = [line.split(",") for line in lines]
    else:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
        except csv.Error as error:
            raise ValueError(
                f"{path}: expected a table with {separator!r} between cells, got {error}"
            ) from error
    cells = [[cell.strip() for cell in row] for row in rows]
    kept = [row for row in cells if any(row) and not row[0].startswith("#")]
    comments = sum(bool(row) and row[0].startswith("#") for row in cells)
    return kept, [f"{comments} lines are comments (they begin with #)."] * bool(comments)


def _of_rows(path: Path, rows: list[list[str]], column: str) -> dict[str, list[str]]:
    if not rows:
        raise ValueError(f"{path}: expected words, got none")
    heading = [cell.lower() for cell in rows[0]]
    width = max(map(len, rows))
    if column:
        one_of(f"column of {path}", column, rows[0])
        return {column: _column(rows[1:], rows[0].index(column))}
    if width == 1:
        return {path.stem: _column(rows[heading[0] in _HEADINGS :], 0)}
    word = next((place for place, name in enumerate(heading) if name in _HEADINGS), None)
    group = next((place for place, name in enumerate(heading) if name in _GROUPED), None)
    if word is not None and group is not None:
        found: dict[str, list[str]] = {}
        for row in rows[1:]:
            cells = [*row, *[""] * (width - len(row))]
            if not (cells[word] and cells[group]):
                raise ValueError(
                    f"{path}: expected a word and its group, got {','.join(row)!r:.60}"
                )
            found.setdefault(cells[group], []).append(cells[word])
        return found
    if len(set(rows[0])) < width or "" in rows[0]:
        raise ValueError(
            f"{path}: expected a heading for each of {width} columns, got {','.join(rows[0])!r:.60}; or give one column"
        )
    return {name: _column(rows[1:], place) for place, name in enumerate(rows[0])}


def _column(rows: Iterable[list[str]], place: int) -> list[str]:
    return [row[place] for row in rows if place < len(row) and row[place]]


def _document(path: Path) -> Any:
    """What a JSON or YAML file holds: a list, or names with values."""
    read = read_json if path.suffix.lower() == ".json" else read_yaml
    try:
        return read(path, list)
    except OSError as error:
        raise ValueError(f"{path}: expected a file of words, got: {error.strerror}") from error
    except ValueError as error:
        if "expected a list" not in str(error):
            raise
        return read(path, dict)


def _of_document(path: Path) -> tuple[dict[str, list[Any]], list[str]]:
    """Groups of words, and what is to be said of them."""
    content = _document(path)
    if isinstance(content, list):
        if content and all(map(_is_rated, content)):
            said = "Each entry is a word with numbers; the word is read."
            return {path.stem: [word for word, *_ in content]}, [said]
        return {path.stem: content}, []
    if isinstance(content, dict) and all(isinstance(words, list) for words in content.values()):
        return {str(name): words for name, words in content.items()}, []
    raise ValueError(
        f"{path}: expected a list of words, or names of groups with lists, got {content!r:.60}"
    )


def _is_rated(entry: object) -> bool:
    """Whether this is a word with numbers behind it, as lists of rated words come."""
    if not isinstance(entry, list) or len(entry) < 2:
        return False
    return isinstance(entry[0], str) and all(type(one) in (int, float) for one in entry[1:])


def _is_word(word: object) -> bool:
    return (
        isinstance(word, str) and bool(word.strip()) and len(word) <= LONGEST and word.isprintable()
    )


def _is_sentence(text: object) -> bool:
    return (
        isinstance(text, str)
        and bool(text.strip())
        and len(text) <= LONGEST_SENTENCE
        and text.isprintable()
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan
