"""What a run needs before it starts: files that are not here, memory, time."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lib.documents import read_run_record
from lib.files import size_text
from lib.paths import cache_folder, mirror_folder
from lib.sources.hub import pinned
from lib.sources.registry import Source, registry
from runner.archive import quiet_seconds
from runner.book import Book, Run

# Where nobody recorded a profile, a lighter one says the least that it takes.
LIGHTER = {"full": ("full", "sample", "embedded"), "sample": ("sample", "embedded")}


def needs(book: Book, profile: str, run: Run) -> str:
    """What a chapter fetches, the memory and time it took when it was recorded, and what its profile says of
    what nobody recorded (`takes`).

    Parameters
    ----------
    book : Book
    profile : str
    run : Run

    Returns
    -------
    str
        Such as "here: 3 of 4 files, to fetch 1.6 GB; memory 0.7 GB or more, 15 s or more (as sample
        took)".
    """
    entry = book.entries(profile).get(run.chapter.name, {})
    keys = entry.get("data", ())
    files, models = _files(keys), [key for key in keys if key.startswith("hub:")]
    away = [source for source in files if not _is_here(source)]
    said = []
    if keys:
        missing = [model.removeprefix("hub:") for model in models if not _has(model)]
        here = len(keys) - len(away) - len(missing)
        said.append(f"here: {here} of {len(keys)} files and models")
        if away:
            said[-1] += f", to fetch {size_text(sum(source.bytes for source in away))}"
        if missing:
            said[-1] += f"{' and' if away else ', to fetch'} {', '.join(missing)}"
    more_of = [str(entry["takes"])] if "takes" in entry and run.default else []
    recorded = _recorded(book, profile, run.chapter.name)
    if recorded is None:
        return "; ".join([*said, *(more_of or ["memory and time are not known"])])
    whose, record = recorded
    memory = float(record.get("peak_megabytes", 0)) * 1e6
    if whose != profile and files:  # at least the largest file on top, as it is read
        memory += max(source.bytes for source in files)
    more = " or more" if whose != profile else ""
    taken = f"memory {size_text(int(memory))}{more}, {_time(quiet_seconds(record))}{more}"
    return "; ".join([*said, f"{taken} (as {whose} took)" if more else taken, *more_of])


def still_away(keys: Iterable[str]) -> str:
    """What is not here of all that a profile reads; "" where nothing lacks."""
    keys = list(keys)
    away = [source for source in _files(keys) if not _is_here(source)]
    models = [key.removeprefix("hub:") for key in keys if key.startswith("hub:") and not _has(key)]
    parts = []
    if away:
        size = size_text(sum(source.bytes for source in away))
        parts.append(f"{len(away)} files ({size})")
    if models:
        parts.append(f"the models {', '.join(models)}")
    return " and ".join(parts)


def _files(keys: Iterable[str]) -> list[Source]:
    known = registry()
    return [known[key] for key in keys if key in known]


def _is_here(source: Source) -> bool:
    """Whether a file lies in the cache or the mirror; it is checked when it is read."""
    folders = (cache_folder(), mirror_folder())
    return any((folder / source.path).is_file() for folder in folders if folder)


def _has(key: str) -> bool:
    """Whether the settings of a model are in the hub's cache."""
    from huggingface_hub import try_to_load_from_cache

    model, commit = pinned(key.removeprefix("hub:"))
    found = try_to_load_from_cache(model, "config.json", revision=commit or None)
    return isinstance(found, str)


def _recorded(book: Book, profile: str, chapter: str) -> tuple[str, dict[str, Any]] | None:
    """The profile and the record of a run of a chapter, of this profile or the nearest lighter one."""
    for one in LIGHTER.get(profile, (profile,)):
        paths: list[Path] = []
        for folder in (book.recorded(one), book.results(one)):
            paths += sorted(folder.glob(f"{chapter}--*.run.json"))
        if paths:
            return one, read_run_record(paths[-1], ["seconds"])
    return None


def _time(seconds: float) -> str:
    """Seconds, minutes or hours.

    >>> _time(41), _time(600), _time(9000)
    ('41 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
