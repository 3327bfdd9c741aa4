"""Messages sorted into one text for each culture.

A file of messages becomes a folder `<name>-<hash>` with a cleaned text `<code>.txt` for each state
or country, one message a line, and report.json. Memory is a batch of messages.
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

from lib.cultures.cleaning import FEWEST_WORDS, clean, count_words, looks_english
from lib.cultures.messages import Messages, Progress
from lib.cultures.places import Places, Reading
from lib.documents import read_json
from lib.files import file_hash, new_folder, text_hash

REPORT = "report.json"
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
    """What became of the rows of some files: rows = kept + dropped.

    Attributes
    ----------
    rows : int
        All rows read.
    dropped : dict of str to int
        Reason -> rows: malformed, repeated_headers, other_language, no_place (empty), unmatched, ambiguous
        (where such places are dropped), not_english, short (fewer than three words).
    repaired : int
        Stretches of bytes that were no UTF-8.
    messages, words, ambiguous : dict of str to int
        By culture, of the rows kept (ambiguous: how many of them came from such a place).
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

    @property
    def kept(self) -> int:
        """Messages in the texts of all cultures."""
        return sum(self.messages.values())

    @classmethod
    def total(cls, reports: Sequence["SplitReport"]) -> "SplitReport":
        """Several files as one; the hash of a text is that of its parts' hashes."""
        summed = {
            name: dict(sum((Counter(getattr(report, name)) for report in reports), Counter()))
            for name in ("dropped", "messages", "words", "ambiguous", "unmatched")
        }
        hashes = {
            code: text_hash("".join(report.texts.get(code, "-") for report in reports))
            for code in summed["messages"]
        }
        return cls(
            sum(report.rows for report in reports),
            repaired=sum(report.repaired for report in reports),
            texts=hashes,
            **summed,
        )


def part_folder(path: Path, folder: Path, splitting: Splitting) -> Path:
    """Where the texts of one file go: the name says which bytes and which settings they come
    from.
    """
    content = json.dumps([file_hash(path), asdict(splitting)], sort_keys=True)
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
    """What report.json says of one file's texts."""
    return SplitReport(**read_json(folder / REPORT, dict))


class _Texts:
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
    columns = splitting.text, splitting.place, splitting.language
    messages = Messages(path, *columns, wanted=splitting.wanted, progress=progress)
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
            dropped += _add_batch(texts, lines, list(compress(readings, known)), splitting.english)
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
    )


def _add_batch(
    texts: _Texts, lines: Sequence[str], readings: Sequence[Reading], english: bool
) -> Counter:
    """Add cleaned messages to the texts of their cultures. Returns how many were dropped, by
    reason.
    """
    dropped, kept = Counter(), {}
    for line, reading in zip(lines, readings):
        words = count_words(line)
        if words < FEWEST_WORDS:
            dropped["short"] += 1
        elif english and not looks_english(line):
            dropped["not_english"] += 1
        else:
            kept.setdefault(reading.code, []).append((line, words, reading.status == "ambiguous"))
    for code, rows in kept.items():
        of_culture, words, ambiguous = zip(*rows)
        texts.add(code, of_culture, sum(words), sum(ambiguous))
    return dropped
