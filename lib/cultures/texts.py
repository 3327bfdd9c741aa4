"""Messages sorted into one text for each culture, and a fixed random sample of each text.

A file of messages becomes a folder `<name>-<hash>` with a cleaned text `<code>.txt` for each state or country, one message a
line, and report.json, which is written last: a folder that has it is whole. Memory is a batch of messages.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import compress, islice
from pathlib import Path
from secrets import token_hex

import numpy as np
from numpy.typing import NDArray

from lib.cultures.cleaning import FEWEST_WORDS, clean, count_words, looks_english
from lib.cultures.messages import Progress, Records
from lib.cultures.places import Places
from lib.files import file_hash

REPORT = "report.json"
LINES = 2**16  # of a text, read at a time
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
)


@dataclass(frozen=True)
class Splitting:
    """How messages are sorted: columns, the level of places (see `lib.cultures.places.Places`) and which language is kept.

    language : column of a language code, of which `wanted` is kept; english : keep only what looks English by its commonest
    words (`lib.cultures.cleaning.looks_english`), for files without such a column.
    """

    text: str
    place: str
    level: str = "state"
    ambiguous: str = "keep"
    language: str | None = None
    wanted: str = "en"
    english: bool = False


@dataclass(frozen=True)
class SplitReport:
    """What became of the rows of some files. rows = kept + dropped.

    dropped : reason -> rows: malformed, repeated_headers, other_language, no_place (empty), unmatched, ambiguous (where such
    places are dropped), not_english, short (fewer than three words); repaired : stretches of bytes that were no UTF-8;
    messages, words, ambiguous : by culture, of the rows kept (ambiguous: how many of them came from such a place);
    texts : SHA-256 of each culture's text; unmatched : the commonest places that matched nothing.
    """

    rows: int
    dropped: Mapping[str, int]
    repaired: int
    messages: Mapping[str, int]
    words: Mapping[str, int]
    ambiguous: Mapping[str, int]
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    unmatched: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def kept(self) -> int:
        """Messages in the texts of all cultures."""
        return sum(self.messages.values())

    @classmethod
    def total(cls, reports: Sequence[SplitReport]) -> SplitReport:
        """Several files as one; the hash of a text is that of its parts' hashes."""
        names = ("dropped", "messages", "words", "ambiguous", "unmatched")
        summed = {
            name: dict(sum((Counter(getattr(report, name)) for report in reports), Counter()))
            for name in names
        }
        hashes = {
            code: hashlib.sha256(
                "".join(report.texts.get(code, "-") for report in reports).encode()
            ).hexdigest()
            for code in summed["messages"]
        }
        return cls(
            sum(report.rows for report in reports),
            repaired=sum(report.repaired for report in reports),
            texts=hashes,
            **summed,
        )


def part_folder(path: Path, folder: Path, splitting: Splitting) -> Path:
    """Where the texts of one file go: the name says which bytes and which settings they come from."""
    content = json.dumps([file_hash(path), asdict(splitting)], sort_keys=True)
    return (
        folder
        / f"{path.name.partition('.')[0]}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    )


def split_file(
    path: Path | str, folder: Path | str, splitting: Splitting, progress: Progress | None = None
) -> SplitReport:
    """Sort one file of messages into a text for each culture below `folder`; what is there already is not done again.

    Raises ValueError where columns or formats are not as expected. Nothing half-written is left under a final name.
    """
    path = Path(path)
    target = part_folder(path, Path(folder), splitting)
    if (target / REPORT).is_file():
        return read_report(target)
    part = target.with_name(
        f".{target.name}.{token_hex(4)}.part"
    )  # process numbers repeat on hosts that share a disk
    part.mkdir(parents=True)
    try:
        report = _split(path, part, splitting, progress)
        (part / REPORT).write_text(
            json.dumps(asdict(report), indent=1, ensure_ascii=False), encoding="utf-8"
        )
        if not (target / REPORT).is_file():  # else another process was faster
            shutil.rmtree(target, ignore_errors=True)
            part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return report


def read_report(folder: Path) -> SplitReport:
    """What report.json says of one file's texts."""
    return SplitReport(**json.loads((folder / REPORT).read_text(encoding="utf-8")))


class _Shelves:
    """One open text for each culture, with its hash and counts."""

    def __init__(self, folder: Path, stack: ExitStack):
        self.folder, self.stack = folder, stack
        self.files, self.hashes = {}, {}
        self.messages, self.words, self.ambiguous = Counter(), Counter(), Counter()

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


def _split(
    path: Path, folder: Path, splitting: Splitting, progress: Progress | None
) -> SplitReport:
    records = Records(
        path, splitting.text, splitting.place, splitting.language, splitting.wanted, progress
    )
    places, dropped, unmatched = Places(splitting.level, splitting.ambiguous), Counter(), Counter()
    with ExitStack() as stack:
        shelves = _Shelves(folder, stack)
        for texts, written in records:
            readings = [
                places.read(place) if place and not place.isspace() else None for place in written
            ]
            for place, reading in zip(written, readings):
                if reading is None or reading.code is None:
                    dropped["no_place" if reading is None else reading.status] += 1
                    if reading is not None and (
                        place in unmatched or len(unmatched) < COUNTED_PLACES
                    ):
                        unmatched[place] += 1
            found = [reading is not None and reading.code is not None for reading in readings]
            _shelve(
                clean(list(compress(texts, found))),
                list(compress(readings, found)),
                splitting,
                shelves,
                dropped,
            )
    counts = records.counts
    dropped.update(
        {name: counts[name] for name in ("malformed", "repeated_headers", "other_language")}
    )
    by_culture = {
        name: dict(sorted(getattr(shelves, name).items()))
        for name in ("messages", "words", "ambiguous")
    }
    return SplitReport(
        counts["rows"],
        {name: dropped[name] for name in DROPS},
        counts["repaired"],
        **by_culture,
        texts={code: found.hexdigest() for code, found in sorted(shelves.hashes.items())},
        unmatched=dict(unmatched.most_common(20)),
    )


def _shelve(
    lines: list[str], readings: list, splitting: Splitting, shelves: _Shelves, dropped: Counter
) -> None:
    """Put a batch of cleaned messages on the shelves of their cultures, but for short ones and other languages."""
    batch: dict[str, list] = {}
    for line, reading in zip(lines, readings):
        words = count_words(line)
        if words < FEWEST_WORDS:
            dropped["short"] += 1
        elif splitting.english and not looks_english(line):
            dropped["not_english"] += 1
        else:
            shelf = batch.setdefault(reading.code, [[], 0, 0])
            shelf[0].append(line)
            shelf[1] += words
            shelf[2] += reading.status == "ambiguous"
    for code, (kept, words, ambiguous) in batch.items():
        shelves.add(code, kept, words, ambiguous)


@dataclass(frozen=True)
class CultureText:
    """The text of one culture from several files, message by message as lists of words; can be iterated again and again.

    parts : folders made by `split_file`; cap : most messages taken, None for all. Each message has a random key that
    depends on the seed, its file and its place there alone, and the `cap` smallest keys are taken: a reservoir sample that
    is the same for any number of workers. Messages come in the order of the files.
    """

    code: str
    parts: tuple[Path, ...]
    cap: int | None = None
    seed: int = 0

    @cached_property
    def _counts(self) -> list[int]:
        return [read_report(part).messages.get(self.code, 0) for part in self.parts]

    @property
    def messages(self) -> int:
        """How many messages an iteration gives."""
        return min(sum(self._counts), self.cap or sum(self._counts))

    @cached_property
    def _limit(self) -> np.uint64 | None:
        """The largest key that is taken."""
        if self.messages == sum(self._counts):
            return None
        smallest = np.empty(0, np.uint64)
        for part, count in zip(self.parts, self._counts):
            for start in range(0, count, LINES):
                keys = self._keys(part, start, min(LINES, count - start))
                smallest = np.concatenate(
                    (
                        smallest,
                        keys if not len(smallest) >= self.cap else keys[keys < smallest.max()],
                    )
                )
                if len(smallest) > self.cap + 16 * LINES:
                    smallest = np.partition(smallest, self.cap - 1)[: self.cap]
        return np.partition(smallest, self.cap - 1)[self.cap - 1]

    def _keys(self, part: Path, start: int, count: int) -> NDArray[np.uint64]:
        """Keys of the messages start, start + 1, … of one part (the finaliser of SplitMix64)."""
        name = f"{self.seed} {part.name} {self.code}".encode()
        first = np.uint64(int.from_bytes(hashlib.sha256(name).digest()[:8], "little"))
        keys = (np.arange(start, start + count, dtype=np.uint64) + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15
        ) + first
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            keys = (keys ^ (keys >> np.uint64(shift))) * np.uint64(factor)
        return keys ^ (keys >> np.uint64(31))

    def lines(self) -> Iterator[str]:
        """The messages as lines."""
        for part, count in zip(self.parts, self._counts):
            if not count:
                continue
            with (part / f"{self.code}.txt").open(encoding="utf-8", newline="\n") as file:
                for start in range(0, count, LINES):
                    block = islice(file, min(LINES, count - start))
                    if self._limit is not None:
                        block = list(block)
                        block = compress(block, self._keys(part, start, len(block)) <= self._limit)
                    yield from block

    def __iter__(self) -> Iterator[list[str]]:
        return map(str.split, self.lines())
