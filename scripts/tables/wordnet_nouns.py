"""Make the tables of data/wordnet from a checkout of Open English WordNet.

git clone https://github.com/globalwordnet/english-wordnet && git -C english-wordnet checkout COMMIT
python -m scripts.tables.wordnet_nouns english-wordnet/src/yaml [--folder data/wordnet]   about two minutes

COMMIT is in data/wordnet/README.md, which says what the tables hold and why no more.
"""

import gzip
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from lib.command import command
from lib.files import write_whole
from lib.taxonomy.wordnet import DETACHMENT, FOLDER, PERSON, Sense, detached
from scripts import commands

Entries = dict[str, list[str]]


def read_entries(folder: Path) -> tuple[Entries, dict[str, set[str]]]:
    """Noun in small letters -> its synsets in order; irregular form -> its nouns."""
    synsets: Entries = {}
    forms: dict[str, set[str]] = defaultdict(set)
    for path in sorted(folder.glob("entries-*.yaml")):
        entries = {str(lemma): parts for lemma, parts in _yaml(path).items()}
        for lemma, parts in sorted(entries.items(), key=_small_first):
            for part, entry in parts.items():
                if not part.startswith("n"):
                    continue
                key = lemma.lower()
                known = synsets.setdefault(key, [])
                known += [s["synset"] for s in entry["sense"] if s["synset"] not in known]
                for form in map(str.lower, map(str, entry.get("form", []))):
                    if key not in detached(form):
                        forms[form].add(key)
    return synsets, forms


def read_senses(folder: Path, synsets: Entries) -> dict[str, Sense]:
    """Synset -> lexical file, WordNet's name and the set of the words of its definition."""
    found = {}
    for path in sorted(folder.glob("noun.*.yaml")):
        file = path.stem.partition(".")[2]
        for synset, entry in _yaml(path).items():
            first = str(entry["members"][0])
            number = synsets[first.lower()].index(synset) + 1
            words = tuple(sorted(set(" ".join(map(str, entry["definition"])).split())))
            found[synset] = Sense(f"{first.replace(' ', '_')}.n.{number:02d}", file, words)
    return found


def chosen_nouns(
    synsets: Entries, forms: dict[str, set[str]], senses: dict[str, Sense]
) -> list[str]:
    """The nouns that the table has to hold for its answers to be those of the whole WordNet."""
    plurals = defaultdict(set)
    for form, lemmas in forms.items():
        for lemma in lemmas:
            plurals[lemma].add(form)
    wanted: set[str] = set()
    for lemma, listed in synsets.items():
        found = [senses[synset] for synset in listed]
        if any(sense.gendered() or (sense.file == PERSON and " " not in lemma) for sense in found):
            wanted.add(lemma)
    sharing = set()
    for lemma in wanted:
        written = {lemma, *_attached(lemma), *plurals[lemma]}
        for form in written:
            sharing.update({form, *(forms.get(form) or detached(form))} & synsets.keys())
    return sorted(wanted | sharing)


def _small_first(entry: tuple[str, Any]) -> tuple[bool, str]:
    """ "town" before "Town", a surname: WordNet's own order puts the frequent sense first."""
    return not entry[0].islower(), entry[0]


def _attached(lemma: str) -> Iterable[str]:
    """The forms that the rules of detachment bring back to a noun."""
    return (
        lemma[: len(lemma) - len(base)] + ending
        for ending, base in DETACHMENT
        if lemma.endswith(base)
    )


def _yaml(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def _packed(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> bytes:
    text = "".join("\t".join(row) + "\n" for row in (head, *rows))
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


@command()
def main(arguments: Sequence[str] | None = None) -> None:
    """Write both tables."""
    parser = commands.parser("tables.wordnet_nouns", __doc__, FOLDER)
    parser.add_argument("source", type=Path, help="the folder src/yaml of Open English WordNet")
    options = commands.read(parser, arguments)
    if not (options.source / "noun.person.yaml").is_file():
        parser.error(f"{options.source} holds no noun.person.yaml: give src/yaml of the checkout")
    synsets, forms = read_entries(options.source)
    plurals = sorted((form, lemma) for form, lemmas in forms.items() for lemma in lemmas)
    write_whole(options.folder / "plurals.tsv.gz", _packed(("form", "noun"), plurals))
    senses = read_senses(options.source, synsets)
    rows, seen = [], set()
    for lemma in chosen_nouns(synsets, forms, senses):
        for sense in (senses[synset] for synset in synsets[lemma]):
            words = "" if sense.label in seen else " ".join(sense.words)
            rows.append((lemma, sense.label, "" if not words else sense.file, words))
            seen.add(sense.label)
    head = ("noun", "synset", "file", "words")
    write_whole(options.folder / "nouns.tsv.gz", _packed(head, rows))


if __name__ == "__main__":
    sys.exit(main())
