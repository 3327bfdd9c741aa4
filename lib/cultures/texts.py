"""Messages sorted into one text for each culture.

A file of messages becomes a folder `<name>-<hash>` with a cleaned text `<code>.txt` for each state
or country, one message a line, and report.json. Memory is a batch of messages, and eight bytes for each message
to know it again.
"""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from itertools import compress
from pathlib import Path

import numpy as np

from lib.checks import one_of
from lib.cultures.cleaning import FEWEST_WORDS, clean, count_words, looks_english
from lib.cultures.messages import Messages, Progress
from lib.cultures.places import Places, Reading
from lib.documents import read_json
from lib.files import file_hash, new_folder, text_hash

REPORT = "report.json"
RULES = 2  # of reading messages and places; texts that were made by other ones are made anew
DUPLICATES = ("keep", "drop")
NEW_KEYS = 2**18  # messages after which what is known is sorted again
COUNTED_PLACES = 10_000  # different places that matched nothing, kept to tell the commonest
DROPS = (
    "malformed",
    "repeated_headers",
    "other_language",
    "no_place",
    "unmatched",
    "ambiguous",
    "not_english",
    "short",
    "duplicate",
)


@dataclass(frozen=True)
class Splitting:
    """How messages are sorted.

    Parameters
    ----------
    text, place : str
        Columns of the message and of where it is from.
    level, ambiguous : str
        As `lib.cultures.places.Places` takes them.
    language, wanted : str
        Column of a language code, and the code that is kept.
    english : bool
        Keep only what looks English by its commonest words (`lib.cultures.cleaning.looks_english`), for files
        without such a column.
    quoting : str
        As `lib.cultures.messages.Messages` takes it.
    duplicates : str
        "keep" or "drop" messages that repeat the words of an earlier one of their culture and file.
    """

    text: str
    place: str
    level: str = "state"
    ambiguous: str = "keep"
    language: str | None = None
    wanted: str = "en"
    english: bool = False
    quoting: str = "usual"
    duplicates: str = "keep"

    def __post_init__(self) -> None:
        one_of("duplicates", self.duplicates, DUPLICATES)


@dataclass(frozen=True)
class SplitReport:
    """What became of the rows of some files: rows = kept + dropped.

    Attributes
    ----------
    rows : int
        All rows read.
    dropped : dict of str to int
        Reason -> rows: malformed, repeated_headers, other_language, no_place (empty), unmatched, ambiguous
        (where such places are dropped), not_english, short (fewer than three words), duplicate (where these
        are dropped).
    repaired, open_quotes : int
        Stretches of bytes that were no UTF-8, and quotation marks that no other one closes.
    messages, words, ambiguous, duplicates : dict of str to int
        By culture, of the rows kept (ambiguous: how many of them came from such a place; duplicates: how many
        repeat the words of an earlier message of the culture in the same file).
    texts : dict of str to str
        SHA-256 of each culture's text.
    unmatched : dict of str to int
        The commonest places that matched nothing.
    """

    rows: int
    dropped: Mapping[str, int]
    repaired: int
    messages: Mapping[str, int]
    words: Mapping[str, int]
    ambiguous: Mapping[str, int]
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    unmatched: Mapping[str, int] = field(default_factory=dict, repr=False)
    duplicates: Mapping[str, int] = field(default_factory=dict)
    open_quotes: int = 0

    @property
    def kept(self) -> int:
        """Messages in the texts of all cultures."""
        return sum(self.messages.values())

    @classmethod
    def total(cls, reports: Sequence["SplitReport"]) -> "SplitReport":
        """Several files as one; the hash of a text is that of its parts' hashes."""
        summed = {
            name: dict(sum((Counter(getattr(report, name)) for report in reports), Counter()))
            for name in ("dropped", "messages", "words", "ambiguous", "unmatched", "duplicates")
        }
        hashes = {
            code: text_hash("".join(report.texts.get(code, "-") for report in reports))
            for code in summed["messages"]
        }
        return cls(
            sum(report.rows for report in reports),
            repaired=sum(report.repaired for report in reports),
            open_quotes=sum(report.open_quotes for report in reports),
            texts=hashes,
            **summed,
        )


def part_folder(path: Path, folder: Path, splitting: Splitting) -> Path:
    """Where the texts of one file go: the name says which bytes and which settings they come
    from.
    """
    content = json.dumps([file_hash(path), asdict(splitting), RULES], sort_keys=True)
    return folder / f"{path.name.partition('.')[0]}-{text_hash(content)[:12]}"


def split_file(
    path: Path | str, folder: Path | str, splitting: Splitting, progress: Progress | None = None
) -> SplitReport:
    """Sort one file of messages into a text for each culture; what is there already is not done
    again.

    Parameters
    ----------
    path : path
        A file that `lib.cultures.messages.Messages` reads.
    folder : path
        The texts go to a folder of their own below it, `part_folder`; it is there whole or not at
        all.
    splitting : Splitting
        How.
    progress : callable, optional
        Told the rows read and the share of the file.

    Raises
    ------
    ValueError
        Where columns or formats are not as expected.
    """
    path = Path(path)
    target = part_folder(path, Path(folder), splitting)
    if not (target / REPORT).is_file():
        with contextlib.suppress(FileExistsError), new_folder(target) as part:
            report = _split(path, part, splitting, progress)
            text = json.dumps(asdict(report), indent=1, ensure_ascii=False)
            (part / REPORT).write_text(text, encoding="utf-8")
    return read_report(target)


def read_report(folder: Path) -> SplitReport:
    """What report.json says of one file's texts. Raises ValueError where it is damaged."""
    path = folder / REPORT
    try:
        return SplitReport(**read_json(path, dict))
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{path}: expected what became of the rows of a file, got something else ({error}); remove the "
            "folder, and sort the messages again"
        ) from error


class _Texts:
    """One open text for each culture, with its hash and counts."""

    def __init__(self, folder: Path, stack: ExitStack):
        self.folder, self.stack = folder, stack
        self.files, self.hashes = {}, {}
        self.messages, self.words, self.ambiguous = Counter(), Counter(), Counter()
        self.duplicates, self.known = Counter(), _Known()

    def add(self, code: str, lines: Sequence[str], words: int, ambiguous: int) -> None:
        if code not in self.files:
            self.files[code] = self.stack.enter_context((self.folder / f"{code}.txt").open("wb"))
            self.hashes[code] = hashlib.sha256()
        data = "".join(f"{line}\n" for line in lines).encode()
        self.files[code].write(data)
        self.hashes[code].update(data)
        self.messages[code] += len(lines)
        self.words[code] += words
        self.ambiguous[code] += ambiguous


class _Known:
    """Which messages were there before: a sorted array of their hashes, and a set of the latest."""

    def __init__(self) -> None:
        self.sorted, self.latest = np.empty(0, np.uint64), set()

    def add(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text was there before, in an earlier call or in this one."""
        hashes = (hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
        keys = np.frombuffer(b"".join(hashes), np.uint64)
        before = np.zeros(len(keys), bool)
        if len(self.sorted):
            places = np.searchsorted(self.sorted, keys).clip(max=len(self.sorted) - 1)
            before = self.sorted[places] == keys
        answers = []
        for key, known in zip(keys.tolist(), before.tolist()):
            answers.append(known or key in self.latest)
            self.latest.add(key)
        if len(self.latest) > NEW_KEYS:
            latest = np.fromiter(self.latest, np.uint64, len(self.latest))
            self.sorted = np.union1d(self.sorted, latest)
            self.latest.clear()
        return answers


def _split(
    path: Path, folder: Path, splitting: Splitting, progress: Progress | None
) -> SplitReport:
    columns = splitting.text, splitting.place, splitting.language
    asked = {"wanted": splitting.wanted, "quoting": splitting.quoting}
    messages = Messages(path, *columns, **asked, progress=progress)
    places = Places(splitting.level, splitting.ambiguous)
    dropped, unmatched = Counter(), Counter()
    with ExitStack() as stack:
        texts = _Texts(folder, stack)
        for batch, written_places in messages:
            readings = []
            for place in written_places:
                reading = places.read(place) if place and not place.isspace() else None
                readings.append(reading)
                if reading is None:
                    dropped["no_place"] += 1
                elif reading.code is None:
                    dropped[reading.status] += 1
                    if place in unmatched or len(unmatched) < COUNTED_PLACES:
                        unmatched[place] += 1
            known = [reading is not None and reading.code is not None for reading in readings]
            lines = clean(list(compress(batch, known)))
            dropped += _add_batch(texts, lines, list(compress(readings, known)), splitting)
    counts = messages.counts + dropped
    return SplitReport(
        counts["rows"],
        {reason: counts[reason] for reason in DROPS},
        counts["repaired"],
        messages=dict(sorted(texts.messages.items())),
        words=dict(sorted(texts.words.items())),
        ambiguous=dict(sorted(texts.ambiguous.items())),
        texts={code: digest.hexdigest() for code, digest in sorted(texts.hashes.items())},
        unmatched=dict(unmatched.most_common(20)),
        duplicates=dict(sorted(texts.duplicates.items())),
        open_quotes=counts["open_quotes"],
    )


def _add_batch(
    texts: _Texts, lines: Sequence[str], readings: Sequence[Reading], splitting: Splitting
) -> Counter:
    """Add cleaned messages to the texts of their cultures. Returns how many were dropped, by
    reason.
    """
    dropped, fit = Counter(), []
    for line, reading in zip(lines, readings):
        words = count_words(line)
        if words < FEWEST_WORDS:
            dropped["short"] += 1
        elif splitting.english and not looks_english(line):
            dropped["not_english"] += 1
        else:
            fit.append((reading.code, line, words, reading.status == "ambiguous"))
    known, kept = texts.known.add([f"{code} {line}" for code, line, *_ in fit]), {}
    for (code, *row), before in zip(fit, known):
        if before and splitting.duplicates == "drop":
            dropped["duplicate"] += 1
            continue
        texts.duplicates[code] += before
        kept.setdefault(code, []).append(row)
    for code, rows in kept.items():
        of_culture, words, ambiguous = zip(*rows)
        texts.add(code, of_culture, sum(words), sum(ambiguous))
    return dropped
