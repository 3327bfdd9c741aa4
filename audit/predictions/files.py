"""Predictions of a reader's own in a file: which of three forms it has, what its columns hold, and what cannot be used.

pronouns     an ID, and TRUE or FALSE for two names (the format of GAP's scorer), or three probabilities
classifier   truth, prediction and gender of each row; optional group, seed, id
twins        pair, gender or variant, and score; optional item, truth
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from audit.rules import as_text
from lib.checks import did_you_mean, one_of
from lib.datasets.gap import read_predictions
from lib.files import file_hash
from lib.own_lists import with_points
from lib.sources import FetchError, fetch
from lib.sources.registry import registry

FORMS = ("pronouns", "classifier", "twins")

# What a column may be called, the name used here first; "-" and blanks count as "_".
ROLES = {
    "truth": ("truth", "true", "gold", "target", "y_true", "y", "true_label", "occupation"),
    "prediction": ("prediction", "predicted", "pred", "y_pred", "said", "predicted_label"),
    "gender": ("gender", "sex"),
    "variant": ("variant", "version", "side"),
    "group": ("group", "topic", "domain"),
    "seed": ("seed", "run"),
    "id": ("id", "row", "row_id", "text_id"),
    "pair": ("pair", "pair_id", "twin", "twin_id"),
    "item": ("item", "template", "sentence_id", "context"),
    "score": ("score", "probability", "prob", "p", "prediction", "said", "label"),
}
_CLASSIFIER = ("truth", "prediction", "gender")
_TWINS = ("pair", "score")
_SIDES = (
    ("female", "f", "woman", "women", "w", "feminine", "fem", "she"),
    ("male", "m", "man", "men", "masculine", "masc", "he"),
)
_ONE = ("1", "true", "yes", "positive", "pos")
_ZERO = ("0", "false", "no", "negative", "neg")
_LONGEST = 500  # characters of a cell
_PROBABILITY = ("probability", "prob", "p")  # columns that say what they hold
_EXPECTED = (
    "expected pronoun predictions (ID, A-coref, B-coref, or ID, A, B, NEITHER), a classifier's rows "
    "(truth, prediction, gender) or twins (pair, gender, score)"
)


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a file holds, checked.

    Attributes
    ----------
    name : str
        Of the file, or the registry key.
    form : str
        One of `FORMS`.
    source : str
        Name and hash.
    table : DataFrame
        pronouns: ID, A, B, NEITHER. classifier: truth, prediction (text), female, and group, seed, id, score where
        given. twins: pair, item, female, score, and truth where given.
    sides : (str, str)
        The two labels that are compared: the first, which `female` is true of, less the second.
    notes : tuple of str
        What was read otherwise than it stands in the file, or left out, in sentences.
    hard : bool
        Whether pronouns have answers only, so that a log loss would say nothing.
    """

    name: str
    form: str
    source: str
    table: pd.DataFrame
    sides: tuple[str, str] = ("female", "male")
    notes: tuple[str, ...] = ()
    hard: bool = False


def read_own_predictions(
    reference: str | Path,
    *,
    form: str = "auto",
    columns: Iterable[str] = (),
    labels: Sequence[object] = (),
    threshold: float = 0.5,
) -> Predictions:
    """Predictions from a file with commas, semicolons or tabs, in UTF-8; the columns say which form they have.

    Parameters
    ----------
    reference : str or Path
        A file, or a registry key of released predictions.
    form : str
        One of `FORMS`; "auto" takes the one that the columns fit.
    columns : iterable of str, optional
        What columns are called in the file, such as ``"truth=y"``.
    labels : sequence of two, optional
        The label of gender that counts as female and that which counts as male; of other variants the one that the
        other is taken from.
    threshold : float
        From which probability on the prediction is 1, where truth is 0 and 1 and predictions are probabilities.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        Where the file cannot be read or misses what it takes; the message names file and line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
    ...     _ = file.write("pair,gender,score\\n1,F,0.7\\n1,M,0.6\\n")
    >>> found = read_own_predictions(file.name)
    >>> found.form, found.table["score"].tolist()
    ('twins', [0.7, 0.6])
    """
    one_of("form", form, ("auto", *FORMS))
    path = _path(reference)
    name = path.name if Path(reference).expanduser().is_file() else str(reference)
    heading, rows = _rows(path)
    named = _named(columns)
    places = _places(path, heading, named)
    answers = _is_answer(heading)
    pronouns = answers or {"id", "a_coref", "b_coref"} <= {*map(_plain, heading)}
    pronouns |= {"id", "a", "b", "neither"} <= {*map(_plain, heading)}
    if form == "auto":
        form = _form(path, heading, pronouns, places)
    source = f"{name}@sha256:{file_hash(path)}"
    if form == "pronouns":
        table, hard = _pronouns(path, heading, rows, answers)
        return Predictions(name, form, source, table, hard=hard)
    read = _classifier if form == "classifier" else _twins
    table, sides, notes = read(path, heading, rows, places, labels, threshold)
    return Predictions(name, form, source, table, sides, notes)


def read_all(
    references: Sequence[str | Path],
    *,
    form: str = "auto",
    columns: Iterable[str] = (),
    labels: Sequence[object] = (),
    threshold: float = 0.5,
) -> dict[str, Predictions]:
    """Files of one form, by name.

    Parameters
    ----------
    references : sequence of str or Path
    form, columns, labels, threshold
        As in `read_own_predictions`.

    Returns
    -------
    dict of str to Predictions
        A name that was there before gets a number.

    Raises
    ------
    ValueError
        Without a file, for files of several forms, and as `read_own_predictions`.
    """
    if not references:
        raise ValueError(f"files: {_EXPECTED}; got no file")
    if len(labels) not in (0, 2) or len({*map(str, labels)}) != len(labels):
        raise ValueError(
            f"labels: expected two different labels, the female one first, got {[*labels]!r:.60}"
        )
    found: dict[str, Predictions] = {}
    for reference in references:
        read = read_own_predictions(
            reference, form=form, columns=columns, labels=labels, threshold=threshold
        )
        name = read.name if read.name not in found else f"{read.name} ({len(found) + 1})"
        found[name] = read
    forms = {read.form: name for name, read in found.items()}
    if len(forms) > 1:
        got = ", ".join(f"{name} of {kind}" for kind, name in forms.items())
        raise ValueError(f"files: expected files of one form, got {got}; make one report for each")
    return found


def _path(reference: str | Path) -> Path:
    path = Path(reference).expanduser()
    if path.is_file():
        return path
    if str(reference) in registry():
        try:
            return fetch(str(reference))
        except FetchError as error:
            raise ValueError(f"{reference}: expected a file of predictions: {error}") from error
    got = "got a folder" if path.is_dir() else "there is no such file"
    raise ValueError(f"{reference}: expected a file of predictions; {got}")


def _rows(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The heading, and the other rows with their line numbers, all as long as the heading."""
    as_text(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        got = getattr(error, "strerror", None) or "other bytes; save it as UTF-8"
        raise ValueError(f"{path}: expected a table in UTF-8, got: {got}") from error
    if text.lstrip()[:1] in ("{", "["):
        raise ValueError(
            f"{path}: expected a table with a heading and cells, got JSON; save it as CSV"
        )
    first = text.partition("\n")[0]
    separator = max("\t;,", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise ValueError(
            f"{path}, line {reader.line_num}: expected a table with {separator!r} between cells, got {error}"
        ) from error
    if not rows:
        raise ValueError(f"{path}: {_EXPECTED}; the file is empty")
    heading = rows[0][1]
    if len(heading) < 2:
        raise ValueError(f"{path}: {_EXPECTED}; got one column, {heading[0]!r:.60}")
    for line, cells in rows:
        if len(cells) != len(heading):
            raise ValueError(
                f"{path}, line {line}: expected {len(heading)} cells as in the first line, got {len(cells)}"
            )
        wrong = next((c for c in cells if len(c) > _LONGEST or not c.isprintable()), None)
        if wrong is not None and not _is_text_column(heading, cells.index(wrong)):
            raise ValueError(
                f"{path}, line {line}: expected cells of up to {_LONGEST} printable characters, got {wrong!r:.60}"
            )
    return heading, rows


def _is_text_column(heading: Sequence[str], place: int) -> bool:
    return _plain(heading[place]) in ("text", "sentence", "passage")


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def _named(columns: Iterable[str]) -> dict[str, str]:
    """The reader's names by role."""
    named = {}
    for text in columns:
        role, equals, name = str(text).partition("=")
        if not equals or not name.strip():
            raise ValueError(f'columns: expected texts such as "truth=y"; got {text!r}')
        one_of("columns", role.strip(), ROLES)
        named[role.strip()] = name.strip()
    return named


def _places(path: Path, heading: Sequence[str], named: Mapping[str, str]) -> dict[str, int]:
    """Where the column of each role stands, if it is there."""
    plain = [_plain(name) for name in heading]
    places = {}
    for role, names in ROLES.items():
        if role in named:
            if heading.count(named[role]) != 1:
                raise ValueError(
                    f"{path}: expected one column {named[role]!r} for {role}, got {', '.join(heading)!r:.200}. "
                    f"{did_you_mean(named[role], heading)}".rstrip()
                )
            places[role] = heading.index(named[role])
            continue
        found = next((name for name in names if name in plain), None)
        if found is None:
            continue
        if plain.count(found) > 1:
            raise ValueError(f"{path}: expected one column {found!r}, got {plain.count(found)}")
        places[role] = plain.index(found)
    return places


def _form(path: Path, heading: Sequence[str], pronouns: bool, places: Mapping[str, int]) -> str:
    if pronouns:
        return "pronouns"
    side = "gender" in places or "variant" in places
    if side and all(role in places for role in _TWINS):
        return "twins"
    if all(role in places for role in _CLASSIFIER):
        return "classifier"
    got = ", ".join(heading)
    raise ValueError(
        f'{path}: {_EXPECTED}; got the columns {got!r:.200}; name yours with columns, such as "truth=y"'
    )


def _needed(
    path: Path, heading: Sequence[str], places: Mapping[str, int], roles: Sequence[str], form: str
) -> None:
    missing = [role for role in roles if role not in places]
    if missing:
        raise ValueError(
            f"{path}: expected the columns {', '.join(roles)} of {form}; {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing among {', '.join(heading)!r:.200}; "
            f'name yours with columns, such as "{missing[0]}=…"'
        )


def _cells(
    path: Path,
    rows: Sequence[tuple[int, list[str]]],
    places: Mapping[str, int],
    roles: Iterable[str],
) -> pd.DataFrame:
    """The columns of some roles, indexed by line; none may be empty."""
    chosen = [role for role in roles if role in places]
    table = pd.DataFrame(
        [[cells[places[role]] for role in chosen] for _, cells in rows],
        pd.Index([line for line, _ in rows], name="line"),
        chosen,
    )
    for role in chosen:
        empty = table[role].str.lower().isin(["", "nan", "na", "none", "null"])
        if empty.any():
            raise ValueError(
                f"{path}, line {empty.idxmax()}: {role}: expected a value in each row, got {table.loc[empty.idxmax(), role]!r} "
                f"in {empty.sum():,} of {len(table):,}; leave such rows out"
            )
    if table.empty:
        raise ValueError(f"{path}: expected rows after the heading, got none")
    return table


def _sides(
    path: Path, given: pd.Series, labels: Sequence[object], role: str
) -> tuple[pd.Series, pd.Series, tuple[str, str], list[str]]:
    """Whether each row is of the first side, which rows are of either, what the sides are called, and notes."""
    found = list(dict.fromkeys(given))
    if labels:
        first, second = (str(label) for label in labels)
        for label in (first, second):
            one_of(f"labels: the column {role} of {path.name} holds", label, found)
        sides, female, male = (first, second), given == first, given == second
    else:
        plain = given.str.lower()
        female, male = (plain.isin(names) for names in _SIDES)
        sides = ("female", "male")
        if not (female | male).any() and role == "variant" and len(found) == 2:
            second, first = sorted(found)
            sides, female, male = (first, second), given == first, given == second
    if not female.any() or not male.any():
        got = ", ".join(map(repr, found[:6])) + (" …" if len(found) > 6 else "")
        raise ValueError(
            f"{path}: {role}: expected rows of both female and male, got {got}; "
            f"name the two labels of your file with labels, such as {','.join(found[:2]) if len(found) > 1 else 'F,M'}"
        )
    kept = female | male
    notes = []
    if not kept.all():
        others = ", ".join(map(repr, dict.fromkeys(given[~kept])))
        notes.append(
            f"{(~kept).sum():,} of {len(given):,} rows with the {role} {others:.200} are left out: a gap is between two."
        )
    return female, kept, sides, notes


def _numbers(path: Path, given: pd.Series, role: str) -> tuple[pd.Series, list[str]]:
    """A column of finite numbers, and notes; labels such as positive and negative are 1 and 0, decimal commas are points."""
    plain = given.str.lower()
    if plain.isin([*_ONE, *_ZERO]).all():
        return plain.isin(_ONE).astype(float), []
    notes: list[str] = []
    if points := with_points([*given]):
        given = pd.Series(points, given.index)
        notes = [f"Commas in the column {role} are read as decimal points."]
    numbers = pd.to_numeric(given, errors="coerce")
    wrong = ~numbers.map(math.isfinite)
    if wrong.any():
        mend = "; write decimals with a point" if "," in given[wrong.idxmax()] else ""
        raise ValueError(
            f"{path}, line {wrong.idxmax()}: {role}: expected finite numbers, or labels such as positive and negative; "
            f"got {given[wrong.idxmax()]!r:.60}{mend}"
        )
    return numbers.astype(float), notes


def _is_answer(cells: Sequence[str]) -> bool:
    """Whether a row is one of GAP's own format: an ID, and TRUE or FALSE twice."""
    return len(cells) == 3 and {cell.upper() for cell in cells[1:]} <= {"TRUE", "FALSE"}


def _pronouns(
    path: Path, heading: Sequence[str], rows: Sequence[tuple[int, list[str]]], answers: bool
) -> tuple[pd.DataFrame, bool]:
    """Three columns of probabilities by ID, and whether they are answers only."""
    plain = [_plain(name) for name in heading]
    if answers or {"id", "a", "b", "neither"} <= {*plain}:
        return read_predictions(path), answers
    missing = [name for name in ("ID", "A-coref", "B-coref") if _plain(name) not in plain]
    if missing:
        raise ValueError(
            f"{path}: expected the columns ID, A-coref, B-coref, or ID, A, B, NEITHER, of pronoun predictions; "
            f"got {', '.join(heading)!r:.200}"
        )
    places = [plain.index(name) for name in ("id", "a_coref", "b_coref")]
    found = []
    for line, cells in rows[1:]:
        identity, *said = (cells[place] for place in places)
        yes = [each.upper() == "TRUE" for each in said]
        if not {each.upper() for each in said} <= {"TRUE", "FALSE"} or all(yes):
            raise ValueError(
                f"{path}, line {line}: expected an ID and TRUE or FALSE for A and for B, TRUE for one of them at most; "
                f"got {', '.join(said)!r:.60}"
            )
        found.append([identity, *map(float, yes), float(not any(yes))])
    return pd.DataFrame(found, columns=["ID", "A", "B", "NEITHER"]), True


def _classifier(
    path: Path,
    heading: Sequence[str],
    rows: Sequence[tuple[int, list[str]]],
    places: Mapping[str, int],
    labels: Sequence[object],
    threshold: float,
) -> tuple[pd.DataFrame, tuple[str, str], tuple[str, ...]]:
    _needed(path, heading, places, _CLASSIFIER, "a classifier")
    table = _cells(path, rows[1:], places, (*_CLASSIFIER, "group", "seed", "id"))
    female, kept, sides, notes = _sides(path, table["gender"], labels, "gender")
    table = table.assign(female=female).drop(columns="gender")[kept]
    key = [role for role in ("seed", "id") if role in table]
    if "id" in table and table.duplicated(key).any():
        line = table.duplicated(key).idxmax()
        raise ValueError(
            f"{path}, line {line}: expected each id once{' a seed' if 'seed' in table else ''}; "
            f"{table.loc[line, 'id']!r:.60} occurs again"
        )
    truth = {*table["truth"]}
    if truth <= {"0", "1"} and not {*table["prediction"]} <= truth:
        score, said_of = _numbers(path, table["prediction"], "prediction")
        notes += said_of
        outside = ~score.between(0, 1)
        if outside.any():
            line = outside.idxmax()
            raise ValueError(
                f"{path}, line {line}: prediction: expected 0, 1 or a probability between them, as truth is 0 or 1; "
                f"got {table.loc[line, 'prediction']!r:.60}"
            )
        if not {*score} <= {0.0, 1.0}:
            table = table.assign(score=score)
            notes.append(f"Predictions are probabilities: from {threshold:g} on they count as 1.")
        said = (score >= threshold).map({True: "1", False: "0"})
        table = table.assign(prediction=said)
    if len(truth) < 2:
        raise ValueError(
            f"{path}: truth: expected two classes or more, got {next(iter(truth))!r:.60} in all {len(table):,} rows"
        )
    both = table.groupby("truth")["female"].nunique()
    if both.max() < 2:
        raise ValueError(
            f"{path}: expected a class with rows of both {sides[0]} and {sides[1]}, got none; a gap needs both in one"
        )
    return table, sides, tuple(notes)


def _twins(
    path: Path,
    heading: Sequence[str],
    rows: Sequence[tuple[int, list[str]]],
    places: Mapping[str, int],
    labels: Sequence[object],
    threshold: float,
) -> tuple[pd.DataFrame, tuple[str, str], tuple[str, ...]]:
    side = "gender" if "gender" in places else "variant"
    _needed(path, heading, places, ("pair", side, "score"), "twins")
    places = {role: place for role, place in places.items() if role in ROLES}
    if places.get("truth") == places["score"]:
        places = {role: place for role, place in places.items() if role != "truth"}
    table = _cells(path, rows[1:], places, ("pair", side, "score", "item", "truth"))
    female, kept, sides, notes = _sides(path, table[side], labels, side)
    score, said_of = _numbers(path, table["score"], "score")
    notes += said_of
    called = heading[places["score"]]
    outside = ~score.between(0, 1)
    if _plain(called) in _PROBABILITY and outside.any():
        line = outside.idxmax()
        raise ValueError(
            f"{path}, line {line}: {called}: expected probabilities from 0 to 1, got {table.loc[line, 'score']!r:.60}; "
            "call the column score if it holds other numbers"
        )
    table = table.assign(female=female, score=score).drop(columns=side)[kept]
    if "truth" in table:
        table = table.assign(truth=_numbers(path, table["truth"], "truth")[0])
        if not {*table["truth"]} <= {0.0, 1.0}:
            raise ValueError(f"{path}: truth: expected 0 and 1 for twins, got other numbers")
    key = ["pair", "item"] if "item" in table else ["pair"]
    twice = table.duplicated([*key, "female"])
    if twice.any():
        line = twice.idxmax()
        more = "" if "item" in table else "; say what differs between them in a column item"
        raise ValueError(
            f"{path}, line {line}: expected each pair once a side, but {table.loc[line, 'pair']!r:.60} occurs again{more}"
        )
    alone = table.groupby(key)["female"].transform("nunique") < 2
    if alone.any():
        line = alone.idxmax()
        raise ValueError(
            f"{path}, line {line}: expected a twin for each row, but {table.loc[line, 'pair']!r:.60} has none "
            f"({alone.sum():,} of {len(table):,} rows have none); add it or leave them out"
        )
    if "item" not in table:
        table = table.assign(item="")
    return table, sides, tuple(notes)
