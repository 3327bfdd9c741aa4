"""Register a remote file: its row in data/registry.csv and its key in the profiles of a chapter.

python -m scripts.tools.register KEY URL FILE --license LICENCE --description WORDS --chapter NAME [--profile sample full]

FILE is a copy of it that you have downloaded: its hash and size are what `lib.sources.fetch` will insist on from now on.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from lib.checks import one_of
from lib.command import command
from lib.files import file_hash, write_together
from lib.paths import DATA, ROOT
from lib.profiles import PROFILES, chapter_entries, chapter_of
from lib.sources.registry import COLUMNS, Source, registry

COMMIT = re.compile(r"[0-9a-f]{40}")
ON_A_BRANCH = re.compile(r"https://(?:raw\.githubusercontent\.com|github\.com|huggingface\.co)/")


def row(source: Source) -> str:
    """A line of the registry."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([getattr(source, name) for name in COLUMNS])
    return line.getvalue()


def checked(source: Source, known: Path) -> Source:
    """A source that may be added to a registry.

    Raises
    ------
    ValueError
        Where the key is taken, the address is one of a branch, or a word is missing.
    """
    if source.key in registry(known):
        raise ValueError(f"{known.name} has a row of {source.key} already; take another key")
    if (
        ON_A_BRANCH.match(source.url)
        and not COMMIT.search(source.url)
        and "/releases/" not in source.url
    ):
        raise ValueError(
            f"expected an address at a fixed commit of 40 digits, got {source.url}; a branch moves on"
        )
    if not source.license.strip() or not source.description.strip():
        raise ValueError("--license, --description: expected what the source says, got nothing")
    return source


def listing(text: str, chapter: str, key: str) -> str:
    """The text of a profile whose chapter reads a key."""
    start = re.search(rf"^  {chapter}:(?P<rest>.*)\n", text, re.MULTILINE)
    if start is None:
        return f"{text.rstrip()}\n  {chapter}:\n    data: [{key}]\n"
    stop = re.compile(r"^  \w|\Z", re.MULTILINE).search(text, start.end())
    assert stop is not None  # the end of the text is one
    entry = text[start.end() : stop.start()]
    if (data := re.search(r"^    data: \[[^\]]*", entry, re.MULTILINE)) is not None:
        before, after = entry[: data.end()], entry[data.end() :]
        entry = f"{before}{'' if before.endswith('[') else ', '}{key}{after}"
    else:
        entry = f"{entry}    data: [{key}]\n"
    return f"{text[: start.start()]}  {chapter}:\n{entry}{text[stop.start() :]}"


def register(
    source: Source, chapter: str, profiles: Sequence[str], data: Path = DATA
) -> list[Path]:
    """Add a source to the registry and to profiles. Returns the files that were changed."""
    path = data / "registry.csv"
    held = path.read_text(encoding="utf-8")
    texts = {path: f"{held.rstrip()}\n{row(checked(source, path))}"}
    for name in profiles:
        profile = data / "profiles" / f"{name}.yml"
        if source.key not in chapter_entries(name, profile.parent).get(chapter, {}).get("data", ()):
            texts[profile] = listing(profile.read_text(encoding="utf-8"), chapter, source.key)
    write_together({path: text.encode() for path, text in texts.items()})
    return list(texts)


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    made.add_argument("key", help="what lib.sources.fetch will call it")
    made.add_argument("url", help="its address, at a fixed commit")
    made.add_argument("file", type=Path, help="a copy of it on this machine")
    made.add_argument("--license", required=True, help="what may be done with it")
    made.add_argument("--description", required=True, help="what it is, in a few words")
    made.add_argument("--chapter", required=True, help="the chapter that reads it")
    made.add_argument("--profile", nargs="+", default=["sample", "full"], choices=PROFILES)
    return made


@command()
def main() -> int:
    given = parser().parse_args()
    one_of(
        "--chapter",
        given.chapter,
        sorted(map(chapter_of, (ROOT / "chapters").rglob("*.ipynb"))),
    )
    known, size = f"sha256:{file_hash(given.file)}", given.file.stat().st_size
    source = Source(given.key, given.url, known, size, given.license, given.description)
    try:
        changed = register(source, given.chapter, given.profile)
    except ValueError as error:
        parser().error(str(error))
    for path in changed:
        print(path.relative_to(ROOT))
    print(f"next: a reader of {given.key}, a test of it, and its use in {given.chapter}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
