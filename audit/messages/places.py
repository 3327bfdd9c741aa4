"""Messages of one's own sorted by place, with vectors of each place, of two halves of its messages, and with what the messages say when counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path

import numpy as np
import pandas as pd

from audit.rules import own_words
from lib.checks import did_you_mean, one_of
from lib.cultures.biases import usual_lists
from lib.cultures.cleaning import clean
from lib.cultures.messages import Messages
from lib.cultures.places import Places
from lib.cultures.sample import CultureText
from lib.cultures.tasks import Task, Training, open_vectors, plan_tasks, run_tasks
from lib.cultures.texts import SplitReport, Splitting, part_folder, read_report, split_file
from lib.datasets.statistics import statistics_table
from lib.embeddings import Embedding
from lib.files import text_hash
from lib.own_lists import read_own_numbers, read_own_words

STATISTICS = {"state": "us_states_2016", "country": "gender_gap_2018"}
_OPTIONS = {"--text-column": "--text", "--place-column": "--place"}  # as this command calls them
SIDES = ("female", "male")


@dataclass(frozen=True)
class HalfText(CultureText):
    """Every message of a place or not, by a coin thrown once for each: `side` 0 and 1 are the two halves."""

    side: int = 0

    def lines(self) -> Iterator[str]:
        """The messages of this half as lines."""
        name = int.from_bytes(self.code.encode(), "little")
        heads = np.random.default_rng([self.seed, name]).random(self.messages) < 0.5
        return compress(super().lines(), heads == (self.side == 0))


@dataclass(frozen=True)
class AllTexts:
    """The messages of several places, one place after the other."""

    code: str
    texts: tuple[CultureText, ...]

    def __iter__(self) -> Iterator[list[str]]:
        for text in self.texts:
            yield from text


@dataclass(frozen=True, eq=False)
class Counted:
    """What the messages themselves say.

    Attributes
    ----------
    words : mapping of str to int
        How often each word that was asked for is said, in all places together.
    messages : DataFrame
        A row for each place and theme: messages that name one side only, with a word of the theme (female, male) and
        without one (other female, other male).
    """

    words: Mapping[str, int]
    messages: pd.DataFrame = field(repr=False)

    def log_odds(self) -> pd.DataFrame:
        """Log odds of a female over a male message with a word of the theme, less those without one: value, low, high
        (95 %, by Woolf with a half added to each count), n."""
        counts = self.messages + 0.5
        female, male, *other = (counts[name] for name in counts)
        value = np.log(female / male) - np.log(other[0] / other[1])
        reach = 1.959964 * np.sqrt((1 / counts).sum(axis=1))
        n = self.messages.iloc[:, :2].sum(axis=1)
        return pd.DataFrame({"value": value, "low": value - reach, "high": value + reach, "n": n})


def count_messages(
    texts: Mapping[str, Iterable[Sequence[str]]],
    themes: Mapping[str, Sequence[str]],
    female: Sequence[str],
    male: Sequence[str],
    known: Iterable[str] = (),
) -> Counted:
    """Count messages with a word of a theme by the side that they name, and how often known words are said.

    Examples
    --------
    >>> said = [["she", "fears", "jail"], ["he", "fears", "nobody"], ["she", "and", "he", "know", "jail"]]
    >>> counted = count_messages({"TX": said}, {"law": ["jail"]}, ["she"], ["he"], ["fears"])
    >>> counted.messages.loc[("TX", "law")].tolist(), counted.words["fears"]
    ([1, 0, 0, 1], 2)
    """
    sides = [frozenset(female), frozenset(male)]
    theme_of = {word: theme for theme, words in themes.items() for word in words}
    wanted, said_of = frozenset(known), Counter[str]()
    rows = {}
    for place, text in texts.items():
        whole, of_theme = [0, 0], {theme: [0, 0] for theme in themes}
        for message in text:
            words = set(message)
            if not wanted.isdisjoint(words):
                said_of.update(word for word in message if word in wanted)
            there = [not side.isdisjoint(words) for side in sides]
            if there[0] == there[1]:
                continue
            side = int(there[1])
            whole[side] += 1
            for theme in {theme_of[word] for word in words if word in theme_of}:
                of_theme[theme][side] += 1
        for theme, with_word in of_theme.items():
            rest = [all_of - part for all_of, part in zip(whole, with_word)]
            rows[place, theme] = [*with_word, *rest]
    columns = [*SIDES, *(f"other {side}" for side in SIDES)]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    table.index = pd.MultiIndex.from_tuples(rows, names=["place", "theme"])
    return Counted(said_of, table)


@dataclass(frozen=True, eq=False)
class TrainedPlaces:
    """Places with their vectors.

    Attributes
    ----------
    report : SplitReport
        What became of the rows of the files.
    texts : mapping of str to CultureText
        The messages of each place that was trained.
    whole : mapping of str to Embedding
        Vectors of all messages of a place: those of `python -m lib.cultures` with the same settings.
    halves : mapping of str to (Embedding, Embedding)
        Vectors of two halves of its messages, each from a seed of its own and with twice the passes; not for places where a half is too small.
    left_out : mapping of str to str
        Places without vectors, and why.
    """

    report: SplitReport
    texts: Mapping[str, CultureText]
    whole: Mapping[str, Embedding]
    halves: Mapping[str, tuple[Embedding, Embedding]]
    left_out: Mapping[str, str]


def train_places(
    files: Sequence[str | Path],
    folder: Path,
    splitting: Splitting,
    training: Training,
    *,
    fewest: int = 1,
    workers: int = 1,
) -> TrainedPlaces:
    """Sort files of messages by place and train each place and its halves; what is in the folder already is not done again.

    Parameters
    ----------
    files : sequence of path
        That `lib.cultures.messages.Messages` reads.
    folder : Path
        For texts and vectors; that of `python -m lib.cultures --output` will do.
    splitting, training
        As there.
    fewest : int
        Words of text below which a place is left out.
    workers : int
        Processes that train.

    Raises
    ------
    ValueError
        Where columns or formats are not as expected, and where no place has words enough.
    """
    paths = {part_folder(Path(path), folder / "texts", splitting): Path(path) for path in files}
    for path in paths.values():
        split_file(path, folder / "texts", splitting)
    report = SplitReport.total([read_report(part) for part in paths])
    left_out = {
        code: f"{n:,} words, fewer than {fewest:,}"
        for code, n in report.words.items()
        if n < fewest
    }
    if len(left_out) == len(report.messages):
        dropped = ", ".join(
            f"{n:,} {why.replace('_', ' ')}" for why, n in report.dropped.items() if n
        )
        unmatched = [*report.unmatched][:3]
        largest = max(report.words.values(), default=0)
        mend = f"; fewest takes places of fewer words (the largest has {largest:,})"
        if not report.rows:
            mend = "; there is nothing below the heading"
        if unmatched and not report.messages:
            some = ", ".join(f"{name!r:.40}" for name in unmatched)
            mend = f"; such as {some}, which is no {splitting.level}: place names the column, level says what a place is"
        raise ValueError(
            f"expected places with {fewest:,} words of messages or more, got none: {report.rows:,} rows, "
            f"{report.kept:,} messages of {len(report.messages)} places kept; dropped: {dropped or 'none'}{mend}"
        )
    vectors = folder / "vectors"
    whole = [
        task
        for task in plan_tasks(report, list(paths), vectors, training)
        if task.text.code not in left_out
    ]
    halves = {task.text.code: [_half(task, side) for side in (0, 1)] for task in whole}
    tasks = [*whole, *(task for two in halves.values() for task in two)]
    waiting = sum(not task.done for task in tasks)
    with _client(min(workers, waiting)) as client:
        for code, error in run_tasks(tasks, client):
            if error:
                left_out.setdefault(code, "no word is said often enough")
    trained = open_vectors(whole)
    left_out = {code: why for code, why in left_out.items() if code not in trained}
    if not trained:
        raise ValueError(
            f"expected places in which words are said {training.min_count} times or more, got none; give more text"
        )
    opened = {code: [*map(open_vectors, ([task] for task in two))] for code, two in halves.items()}
    return TrainedPlaces(
        report,
        {task.text.code: task.text for task in whole if task.done},
        dict(sorted(trained.items())),
        {
            code: (first[code], second[code])
            for code, (first, second) in opened.items()
            if first and second and code in trained
        },
        left_out,
    )


def train_together(places: TrainedPlaces, folder: Path, training: Training) -> Embedding | None:
    """Vectors of all messages of all places together; None where no word is said often enough."""
    texts = tuple(text for _, text in sorted(places.texts.items()))
    key = text_hash("".join(places.report.texts[text.code] for text in texts) + repr(training))[:12]
    task = Task(AllTexts("together", texts), training, folder / "vectors", key)  # type: ignore[arg-type]
    for _ in run_tasks([task]):
        pass
    return open_vectors([task]).get("together")


def _half(task: Task, side: int) -> Task:
    # other first vectors for each half, else two halves agree in what training made of these; twice the passes, so that a half
    # has as many steps as the whole: leans grow with training, and so does what chance makes of them
    training = replace(
        task.training, seed=task.training.seed + 1 + side, epochs=2 * task.training.passes
    )
    text = task.text
    half = HalfText(text.code, text.parts, text.cap, text.seed, side)
    return Task(half, training, task.folder, text_hash(f"{task.key} half {side}")[:12])


def _client(workers: int):  # type: ignore[no-untyped-def]
    if workers < 2:
        return nullcontext()
    from lib.cluster import connect

    return connect(None, workers)


def check_messages(files: Sequence[str], splitting: Splitting) -> None:
    """Read the beginning of each file. Raises ValueError, in the words of this command, where it is not there or lacks a column."""
    if not files:
        raise ValueError("files: expected a file of messages or more, got none")
    absent = [name for name in files if not Path(name).is_file()]
    if absent:
        raise ValueError(f"files: expected files of messages; got {absent[0]!r}, which is no file")
    for name in files:
        if not Path(name).stat().st_size:
            raise ValueError(f"{name}: expected messages with a heading, got an empty file")
        asked = {"wanted": splitting.wanted, "quoting": splitting.quoting}
        columns = splitting.text, splitting.place, splitting.language
        try:
            next(iter(Messages(Path(name), *columns, **asked)), None)
        except ValueError as error:
            said = str(error)
            for theirs, ours in _OPTIONS.items():
                said = said.replace(theirs, ours)
            raise ValueError(said.replace("--language-column", "--language")) from None


def read_themes(reference: str) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Themes as messages spell their words once they are cleaned: those of Friedman et al. (2019), or a file with groups of words.

    Returns
    -------
    themes : dict of str to tuple of str
    notes : tuple of str
        What was read otherwise than it stands in the file.

    Raises
    ------
    ValueError
        For what is no file of words, and for a word that stands in two themes.
    """
    if reference == "friedman2019":
        return usual_lists()[0], ()
    names = [name for name in (reference, reference.rpartition(":")[0]) if name]
    if not any(Path(name).expanduser().is_file() for name in names):
        hint = did_you_mean(reference, ["friedman2019"])
        raise ValueError(
            f"themes: expected friedman2019, or a file of words with a column for each theme; got {reference!r}, which is no file. {hint}".rstrip()
        )
    own, themes = read_own_words(own_words("themes", reference)), {}
    for name, words in own.groups.items():
        themes[name] = tuple(dict.fromkeys(filter(None, clean(words))))
    every = [word for words in themes.values() for word in words]
    if twice := sorted({word for word in every if every.count(word) > 1}):
        raise ValueError(
            f"{reference}: expected each word in one theme, got {twice[0]!r} in two; leave it in one"
        )
    return themes, own.notes


def cleaned_pairs(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs as messages spell them once they are cleaned, none twice."""
    sides = (clean([pair[side] for pair in pairs]) for side in (0, 1))
    return [*dict.fromkeys(pair for pair in zip(*sides) if all(pair) and pair[0] != pair[1])]


def read_gap(reference: str, level: str) -> pd.Series:
    """A number for each place, by code: a column of this book's statistics of the level, or a file of place and number.

    Raises
    ------
    ValueError
        For what is neither; for a file that names a place which is none, or one place twice.

    Examples
    --------
    >>> round(float(read_gap("earnings_ratio_full_time", "state")["TX"]), 2)
    0.79
    """
    if not Path(reference).expanduser().is_file():
        numbers = statistics_table(STATISTICS[level]).select_dtypes("number")
        one_of("gap", reference, numbers)
        return numbers[reference].dropna()
    places, found = Places(level), {}
    for name, value in read_own_numbers(reference).items():
        code = places.read(name).code
        if code is None or code in found:
            why = f"{code} a second time" if code else f"no {level}"
            raise ValueError(
                f"{reference}: expected names or codes of different places; {name!r} is {why}"
            )
        found[code] = value
    return pd.Series(found, name=Path(reference).stem, dtype=float)
