"""The same audit on texts of your own: a CSV file with a text, an occupation and a gender in each row.

The file is read once, some thousand rows at a time, and a text is gone as soon as its mean vectors are there. What is wrong with a file is
said before anything is trained, with the line. Predictions that another classifier made need no vectors.
"""

from __future__ import annotations

import csv
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import did_you_mean, one_of
from lib.parameters import word
from lib.paths import DATA
from lib.text_classification.occupations.classifiers import fit, mean_vectors, without, word_counts
from lib.text_classification.occupations.rates import confusions, gap_summary, gap_table
from studies.biographies.probe import probe_gender
from studies.biographies.variants import NAMES, GenderLists, variants

BLOCK = 4096  # rows
LONGEST_LINE = 2**20  # characters
NAMED = 8  # labels in a message
AUDITED = ("plain", "scrubbed", "strongly debiased")

Floats = NDArray[np.floating]
Tables = Mapping[str, tuple[Floats, frozenset[str]]]  # vectors, and words that are deleted


def encoding_rule(name: str, value: Any) -> str:
    """A rule for the parameter of the chapter: the name of an encoding that Python reads text in."""
    try:
        "".encode(word(name, value))
    except LookupError:
        raise ValueError(
            f"{name}: expected the name of an encoding, such as utf-8, cp1252 or utf-16; got {value!r}."
        ) from None
    return str(value)


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What the columns of a file are called, and its two labels of gender; other spellings are other labels."""

    text: str = "text"
    occupation: str = "occupation"
    gender: str = "gender"
    female: str = "female"
    male: str = "male"


SAID = Columns(text="said", occupation="truth")  # a file of predictions
_FIELDS = {field.name: field.name for field in fields(Columns)}
_FIELDS |= {"said": "text", "truth": "occupation"}


def columns_of(given: Iterable[str] | Columns | None, default: Columns | None = None) -> Columns:
    """Columns as a parameter of the chapter names them: texts such as "gender=sex", the book's name and that of the file.

    Of a file of predictions *truth* is the occupation, and *said* what a classifier said.
    """
    if isinstance(given, Columns):
        return given
    named = {}
    for text in given or ():
        name, equals, value = str(text).partition("=")
        if not equals:
            raise ValueError(
                f'columns: expected texts such as "gender=sex" or "female=F"; got {text!r}'
            )
        one_of("columns", name.strip(), _FIELDS)
        named[_FIELDS[name.strip()]] = value.strip()
    columns = replace(default or Columns(), **named)
    if columns.female == columns.male:
        raise ValueError(
            f"columns: expected two labels of gender; female and male are both {columns.male!r}"
        )
    return columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Block:
    """Some rows of a file: texts, occupations, and whether each is about a woman."""

    texts: list[str]
    occupations: list[str]
    female: list[bool]


@dataclass(frozen=True, eq=False, kw_only=True)
class Audit:
    """What a file's texts give away.

    `taught` of the `texts` were learnt from; `unread` have no word of the vocabulary, so that their vector is zero; `repeated` stand in the file
    before, but for case and spaces: all copies are taught, or none is. `summary` has a row for each variant and measure (accuracy, TPR gap, TNR
    gap, probe) as `comparison.compare`; `occupations` is `rates.gap_table` of each variant. `genders` has the accuracy over all occupations:
    women and men have other occupations, so that a difference is no gap. `predictions` is indexed by the row in the file, from 0.
    """

    texts: int
    taught: int
    unread: int
    repeated: int
    summary: pd.DataFrame
    occupations: pd.DataFrame
    genders: pd.DataFrame
    predictions: pd.DataFrame


def measured_costs() -> pd.DataFrame:
    """What audits of synthetic files cost, as `scripts/bench/occupations.py` measured them.

    `way` is one process, or Dask with two workers; cpu_seconds are of all processes, peak_mb of the process that reads.
    """
    return pd.read_csv(DATA / "costs" / "biographies.csv")


def read_blocks(
    path: Path | str, columns: Iterable[str] | Columns | None = None, *, encoding: str = "utf-8-sig"
) -> Iterator[Block]:
    """The rows of a CSV file, checked, some thousand at a time; fields may be quoted and hold line ends."""
    columns, path = columns_of(columns), Path(path)
    with _readable(path, encoding), path.open(encoding=encoding, newline="") as file:
        reader = csv.reader(_lines(file, path))
        header = next(reader, None)
        if not header:
            raise ValueError(f"{path}: expected a header and rows, got an empty file")
        wanted = ("text", "occupation", "gender")
        places = [_place(path, header, getattr(columns, field), field) for field in wanted]
        genders = {columns.female: True, columns.male: False}
        texts, jobs, female, read = [], [], [], 0
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise ValueError(
                    f"{path}, line {reader.line_num}: expected {len(header)} fields as in the header, "
                    f"got {len(row)}; quote texts that hold commas"
                )
            text, job, gender = (row[place] for place in places)
            if gender not in genders:
                raise ValueError(
                    f"{path}, line {reader.line_num}: {columns.gender}: expected {columns.female!r} or "
                    f"{columns.male!r}, got {gender[:40]!r}; name the labels of your file, "
                    'columns=["female=…", "male=…"], or leave other rows out'
                )
            if not job.strip():
                raise ValueError(
                    f"{path}, line {reader.line_num}: {columns.occupation}: expected an occupation, "
                    "got nothing; leave such rows out"
                )
            read += 1
            texts.append(text)
            jobs.append(job)
            female.append(genders[gender])
            if len(texts) == BLOCK:
                yield Block(texts=texts, occupations=jobs, female=female)
                texts, jobs, female = [], [], []
        if not read:
            raise ValueError(f"{path}: expected rows after the header, got none")
        if texts:
            yield Block(texts=texts, occupations=jobs, female=female)


def audit_file(
    path: Path | str,
    words: Sequence[str],
    vectors: ArrayLike,
    lists: GenderLists,
    *,
    names: Sequence[str] = AUDITED,
    columns: Iterable[str] | Columns | None = None,
    encoding: str = "utf-8-sig",
    share: float = 0.5,
    most_taught: int = 20_000,
    client: Any = None,
    n_resamples: int = 500,
    rng: np.random.Generator | int | None = None,
) -> Audit:
    """Classify a file's texts with each variant of the vectors (V, d), and measure its gaps.

    A `share` of the texts is taught, `most_taught` at most, which bounds the time of training; memory grows with texts x d x variants. With a
    Dask client blocks are counted there, and the result is the same.
    """
    for name in names:
        one_of("variant", name, (*NAMES, "scrubbed"))
    if not 0 < share < 1:
        raise ValueError(f"share: expected a number between 0 and 1, got {share!r}")
    made = variants(words, vectors, lists)
    tables: Tables = {
        name: (made["plain"], lists.scrubbed) if name == "scrubbed" else (made[name], frozenset())
        for name in names
    }
    jobs: list[str] = []
    female: list[bool] = []
    parts: dict[str, list[Floats]] = {name: [] for name in names}
    first: dict[bytes, int] = {}  # the row at which a text stands first
    copies: list[int] = []
    unread = 0
    for block, (features, none) in _counted(
        read_blocks(path, columns, encoding=encoding), words, tables, client
    ):
        for row, text in enumerate(block.texts, start=len(jobs)):
            copies.append(first.setdefault(_digest(text), row) if text.strip() else row)
        jobs += block.occupations
        female += block.female
        unread += none
        for name in names:
            parts[name].append(features[name])
    _check_labels(Path(path), jobs, female)
    generator = np.random.default_rng(rng)
    truth, women = np.array(jobs), np.array(female)
    taught = _taught(Path(path), truth, share, most_taught, np.array(copies), generator)
    both = {*truth[~taught & women].tolist()} & {*truth[~taught & ~women].tolist()}
    if len(set(women[taught].tolist())) < 2 or not both:
        raise ValueError(
            f"{path}: expected women and men among the {taught.sum():,} rows that are taught, and in one occupation of the others; "
            f"{len(jobs):,} rows are too few"
        )
    rows, tables_of_jobs, by_gender = [], [], []
    said: dict[str, NDArray[Any]] = {}
    order = sorted(set(jobs))
    for name in names:
        features = np.concatenate(parts.pop(name))
        said[name] = fit(features[taught], truth[taught]).predict(features[~taught])
        cells = confusions(truth[~taught], said[name], women[~taught], occupations=order)
        measured = gap_summary(cells, n_resamples=n_resamples, rng=0)
        probed = probe_gender(features, women, truth, taught, n_resamples=n_resamples, rng=0)
        rows += [
            {"variant": name, "measure": measure, **row}
            for measure, row in [*measured.to_dict("index").items(), ("probe", probed.as_row())]
        ]
        table = gap_table(cells, order, n_resamples=n_resamples, rng=0).reset_index()
        tables_of_jobs.append(table.assign(variant=name))
        by_gender.append(
            _by_gender(truth[~taught], said[name], women[~taught]).assign(variant=name)
        )
    asked = pd.DataFrame({"occupation": truth[~taught], "female": women[~taught], **said})
    return Audit(
        texts=len(jobs),
        taught=int(taught.sum()),
        unread=unread,
        repeated=sum(row != copy for row, copy in enumerate(copies)),
        summary=pd.DataFrame(rows),
        occupations=pd.concat(tables_of_jobs, ignore_index=True),
        genders=pd.concat(by_gender, ignore_index=True),
        predictions=asked.set_index(np.flatnonzero(~taught)),
    )


def audit_predictions(
    path: Path | str,
    *,
    columns: Iterable[str] | Columns | None = None,
    encoding: str = "utf-8-sig",
    n_resamples: int = 500,
    rng: np.random.Generator | int | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gaps in what any classifier said, `rates.gap_summary` and `rates.gap_table`, of a file with the columns truth, said and gender."""
    truth: list[str] = []
    said: list[str] = []
    female: list[bool] = []
    for block in read_blocks(path, columns_of(columns, SAID), encoding=encoding):
        truth += block.occupations
        said += block.texts
        female += block.female
    empty = sum(not answer.strip() for answer in said)
    if empty:
        raise ValueError(
            f"{path}: expected an occupation that was said in each row, got none in {empty:,}; leave such rows out"
        )
    _check_labels(Path(path), truth, female)
    order = sorted({*truth, *said})
    cells = confusions(truth, said, np.array(female), occupations=order)
    generator = np.random.default_rng(rng)
    summary = gap_summary(cells, n_resamples=n_resamples, rng=generator)
    return summary, gap_table(cells, order, n_resamples=n_resamples, rng=generator)


def _by_gender(truth: NDArray[Any], named: NDArray[Any], women: NDArray[np.bool_]) -> pd.DataFrame:
    from fairlearn.metrics import MetricFrame, count
    from sklearn.metrics import accuracy_score

    frame = MetricFrame(
        metrics={"texts": count, "accuracy": accuracy_score},
        y_true=truth,
        y_pred=named,
        sensitive_features=pd.Series(np.where(women, "female", "male"), name="gender"),
    )
    return frame.by_group.reset_index()


def _counted(
    blocks: Iterator[Block], words: Sequence[str], tables: Tables, client: Any
) -> Iterator[tuple[Block, tuple[dict[str, Floats], int]]]:
    """Each block with its mean vectors, in order; on a cluster a few blocks are under way at a time."""
    if client is None:
        for block in blocks:
            yield block, _features(block.texts, words, tables)
        return
    shared = client.scatter([(list(words), tables)], broadcast=True, hash=False)[0]
    ahead = 2 * max(1, len(client.ncores()))
    waiting: deque[tuple[Block, Any]] = deque()
    for block in blocks:
        future = client.submit(_features_of, block.texts, shared, pure=False)
        waiting.append((block, future))
        if len(waiting) > ahead:
            block, future = waiting.popleft()
            yield block, future.result()
    while waiting:
        block, future = waiting.popleft()
        yield block, future.result()


def _features_of(
    texts: Sequence[str], shared: tuple[Sequence[str], Tables]
) -> tuple[dict[str, Floats], int]:
    return _features(texts, *shared)


def _features(
    texts: Sequence[str], words: Sequence[str], tables: Tables
) -> tuple[dict[str, Floats], int]:
    """Mean vectors of some texts for each variant, and how many have no known word."""
    counts = word_counts(texts, words)
    features = {
        name: mean_vectors(without(counts, words, deleted) if deleted else counts, vectors).astype(
            np.float32
        )
        for name, (vectors, deleted) in tables.items()
    }
    return features, int((counts.sum(axis=1) == 0).sum())


def _digest(text: str) -> bytes:
    """What two copies of a text have in common, whatever their case and spaces."""
    return blake2b(
        " ".join(text.casefold().split()).encode("utf-8", "replace"), digest_size=16
    ).digest()


def _taught(
    path: Path,
    truth: NDArray[Any],
    share: float,
    most: int,
    copies: NDArray[np.intp],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Which rows are taught: a random share of all, the same for a seed, and of one text all copies or none."""
    size = min(most, int(share * len(truth)))
    taught = np.zeros(len(truth), bool)
    taught[rng.permutation(len(truth))[:size]] = True
    taught = taught[copies]
    if taught.all() or not taught.any():
        raise ValueError(
            f"{path}: expected different texts to teach and to ask about; {len(set(copies.tolist()))} among {len(truth):,} rows are too few"
        )
    if len(set(truth[taught].tolist())) < 2:
        raise ValueError(
            f"{path}: expected two occupations or more among the {size} rows that are taught, "
            f"got fewer; {len(truth)} rows are too few"
        )
    return taught


def _check_labels(path: Path, jobs: Sequence[str], female: Sequence[bool]) -> None:
    found = Counter(jobs)
    if len(found) < 2:
        raise ValueError(
            f"{path}: expected two occupations or more, got {next(iter(found))!r} in all {len(jobs):,} "
            "rows; there is nothing to tell apart"
        )
    if len(set(female)) < 2:
        raise ValueError(
            f"{path}: expected texts about women and men, got {'women' if female[0] else 'men'} alone "
            f"in {len(jobs):,} rows; a gap needs both"
        )
    pairs = Counter(job for job, _ in set(zip(jobs, female)))
    if max(pairs.values()) < 2:
        raise ValueError(
            f"{path}: expected an occupation with women and men, got none; a gap needs both in one"
        )


def _place(path: Path, header: list[str], name: str, field: str) -> int:
    if header.count(name) == 1:
        return header.index(name)
    what = "there twice" if name in header else "missing"
    listed = ", ".join(repr(column[:40]) for column in header[:NAMED])
    raise ValueError(
        f"{path}: expected one column {name!r}, which is {what} among {listed}; "
        f'name that of your file, columns=["{field}=…"]. {did_you_mean(name, header)}'.rstrip()
    )


def _lines(file: Any, path: Path) -> Iterator[str]:
    """The lines of a file, none longer than the limit: a lost quotation mark must not fill memory."""
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), 1):
        if len(line) == LONGEST_LINE:
            raise ValueError(
                f"{path}, line {number}: expected less than {LONGEST_LINE:,} characters, got more; "
                "cut it into rows, or look for a lost quotation mark"
            )
        yield line


@contextmanager
def _readable(path: Path, encoding: str) -> Iterator[None]:
    """What the decoder and the csv module say, in words that help."""
    try:
        yield
    except UnicodeError as error:
        raise ValueError(
            f"{path}: expected text in {encoding}, got bytes that are not ({error}); "
            'name its encoding, such as encoding="cp1252" or "utf-16"'
        ) from error
    except csv.Error as error:
        raise ValueError(
            f"{path}: expected fields of ordinary length, got: {error}; is a quotation mark lost?"
        ) from error
    except LookupError as error:
        raise ValueError(f"encoding: expected a known one, got {encoding!r}") from error
