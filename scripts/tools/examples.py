"""Reports of audits that the book shows as examples, made of files that are not ours: python -m scripts.tools.examples [NAME ...]

data/reports/examples.yml says how each is made. What is kept is the page (its style is put in with the site), its scores and its
record, in data/reports/<name>, all or nothing: a run that a cell complained of, that quotes what was released, or whose numbers are
not those of the chapter that measures the same leaves everything as it was. An example is stale once its entry, the cells of the audit or a definition that they reach has
changed, as with recorded chapters; `scripts.tools.loose_ends` names it. How a page looks makes no number wrong, so style sheets do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.command import command
from lib.definitions import Definitions, code_hash
from lib.documents import read_json, read_yaml
from lib.files import scratch_folder, text_hash, write_together
from lib.paths import ROOT
from runner.meaning import meaning, shows_only
from scripts.tools.rooms import cells

if TYPE_CHECKING:  # what takes long to import waits until something is made
    import pandas as pd

FOLDER = Path("data", "reports")
KEPT = ("report.html", "scores.csv", "run.json")
PROFILE = "sample"  # whose recorded rows an example is set beside
TOLERANCE = 1e-5  # scores.csv has six digits
QUOTED = 5  # words in a row that are a sentence of somebody's
# what libraries print of themselves is no complaint of the audit
QUIET = {
    "PYTHONWARNINGS": "ignore:IProgress not found",
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}


Source = str | list[str] | dict[str, str]  # registry key; lines; place -> registry key


@dataclass(frozen=True)
class Example:
    """One report, as its entry in examples.yml says; attributes are named as there."""

    name: str
    kind: str
    about: str
    chapter: str
    same: list[dict[str, Any]]
    parameters: dict[str, Any] = field(default_factory=dict)
    files: dict[str, Source] = field(default_factory=dict)
    never_quoted: list[str] = field(default_factory=list)
    where: dict[str, Any] = field(default_factory=dict)
    root: Path = ROOT

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return self.root / FOLDER / self.name

    @property
    def texts(self) -> list[str]:
        """Registry keys of what is not to be quoted: those named, and all that are sorted by place."""
        tables = [source for source in self.files.values() if isinstance(source, dict)]
        return [*self.never_quoted, *(key for table in tables for key in table.values())]

    @property
    def record(self) -> dict[str, Any]:
        """What the run says of itself, and `made_by`. Raises ValueError where that is damaged."""
        return read_json(self.folder / "run.json", dict)


def examples(root: Path = ROOT) -> list[Example]:
    """All of them, in the order of the file; none where there is no such file.

    Raises
    ------
    ValueError
        Where the file is damaged, or an entry says too much or too little.
    """
    path = root / FOLDER / "examples.yml"
    entries = read_yaml(path, dict) if path.is_file() else {}
    try:
        return [Example(name=name, root=root, **entry) for name, entry in entries.items()]
    except TypeError as error:
        raise ValueError(f"{path}: {error}") from error


def made_by(example: Example) -> str:
    """One hash of what the numbers of an example come from: its entry, and the code of its audit."""
    # the last part once said how lines were numbered; without it all examples would have to be made again
    entry = [example.kind, example.parameters, example.files, ""]
    return text_hash(json.dumps([entry, code_of_audit(example.kind)], sort_keys=True))


@cache
def code_of_audit(kind: str) -> str:
    """One hash of the cells of an audit, without comments and layout, and of the definitions that they reach."""
    source = cells(ROOT / "audit" / f"{kind}.ipynb")
    return text_hash(meaning(source) + code_hash(_definitions().of_source(source)))


@cache
def _definitions() -> Definitions:
    return Definitions(passed_over=shows_only)


def why_due(example: Example) -> str:
    """What has changed since an example was made; "" where nothing has."""
    if missing := [name for name in KEPT if not (example.folder / name).is_file()]:
        return f"{missing[0]} is not there"
    if example.record.get("made_by") != made_by(example):
        return "its entry or the code of the audit has changed"
    return ""


def stale(root: Path = ROOT) -> Iterator[str]:
    """Examples that would come out otherwise now, a line each that says what to do."""
    for example in examples(root):
        if reason := why_due(example):
            yield f"{FOLDER / example.name}: {reason}: run `python -m scripts.tools.examples {example.name}`"


def differences(example: Example, scores: pd.DataFrame) -> list[str]:
    """Numbers of an example that are not those of its chapter, a line each; also where either is not there."""
    import pandas as pd

    files = sorted((ROOT / "data" / "results" / PROFILE).glob(f"{example.chapter}--*.csv"))
    recorded = pd.concat([pd.read_csv(path, low_memory=False) for path in files])
    settings = recorded["settings"].map(json.loads)
    found = []
    for pair in example.same:
        name = f"{pair['item']}, {pair['measure']}"
        ours = scores[(scores["item"] == pair["item"]) & (scores["measure"] == pair["measure"])]
        asked = {**example.where, **pair.get("settings", {})}
        held = settings.map(lambda row, asked=asked: asked.items() <= row.items())
        theirs = recorded[held & (recorded["quantity"] == pair["quantity"])]
        if len(ours) != 1 or len(theirs) != 1:
            found.append(f"{name}: {len(ours)} rows of scores, {len(theirs)} of {example.chapter}")
            continue
        for column in ("value", "low", "high") if pair.get("ends") else ("value",):
            here, there = float(ours[column].iloc[0]), float(theirs[column].iloc[0])
            if not math.isclose(here, there, rel_tol=TOLERANCE, abs_tol=TOLERANCE / 10):
                found.append(f"{name}, {column}: {here:.6g}, in {example.chapter} {there:.6g}")
    return found


def quotations(texts: Mapping[str, str], page: str) -> list[str]:
    """Parts of a page that stand in released texts: `QUOTED` words in a row, the first of each text."""
    said = set(_in_a_row(re.sub(r"<[^>]*>", " ", page)))
    found = []
    for name, text in texts.items():
        quoted = (row for line in text.splitlines() for row in _in_a_row(line) if row in said)
        if first := next(quoted, ()):
            found.append(f"{name}: {' '.join(first)}")
    return found


def _in_a_row(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return zip(*(words[at:] for at in range(QUOTED)))


def make(example: Example) -> None:
    """Run the audit of an example, and keep what the site shows of it.

    Raises
    ------
    ValueError
        Where it is refused; nothing is kept then.
    FetchError
        Where a file is not to be had.
    """
    import nbformat
    import pandas as pd

    from audit.__main__ import run_audit
    from audit.page import undressed
    from lib.sources import fetch
    from runner.notebooks import complaints

    with scratch_folder("biasbook-example") as place, contextlib.chdir(place):
        for name, source in example.files.items():
            (place / name).write_bytes(_content(source))
        run_audit(example.kind, example.parameters, place / "report")
        notebook = nbformat.read(place / "report" / "audit.ipynb", as_version=4)
        texts = {key: fetch(key).read_text(encoding="utf-8") for key in example.texts}
        page = (place / "report" / "report.html").read_text(encoding="utf-8")
        scores = pd.read_csv(place / "report" / "scores.csv")
        wrong = complaints(notebook) + quotations(texts, page) + differences(example, scores)
        if wrong:
            raise ValueError(f"{example.name} is not kept:\n" + "\n".join(wrong))
        kept = {name: (place / "report" / name).read_bytes() for name in KEPT}
    record = json.loads(kept["run.json"]) | {"made_by": made_by(example)}
    kept["report.html"] = undressed(page).encode()
    kept["run.json"] = (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode()
    example.folder.mkdir(parents=True, exist_ok=True)
    write_together({example.folder / name: content for name, content in kept.items()})


def _content(source: Source) -> bytes:
    """A file that parameters name: lines of ours; a released file as it is; or released texts, each line with its place."""
    import pandas as pd

    from lib.sources import fetch

    if isinstance(source, list):
        return "".join(f"{line}\n" for line in source).encode()
    if isinstance(source, dict):
        texts = {place: fetch(key).read_text("utf-8") for place, key in source.items()}
        rows = [(line, place) for place, text in texts.items() for line in text.splitlines()]
        table = pd.DataFrame(rows, columns=["text", "place"])
        return table[table["text"].str.strip() != ""].to_csv(index=False).encode()
    return fetch(source).read_bytes()


@command("what was kept before is as it was")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code."""
    from lib.sources import FetchError

    every = {example.name: example for example in examples()}
    parser = argparse.ArgumentParser(prog="python -m scripts.tools.examples", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join(every)}; else those that are due",
    )
    names = parser.parse_args(arguments).names
    if unknown := [name for name in names if name not in every]:
        parser.error(f"expected names of {', '.join(every)}; got {unknown[0]!r}")
    for example in every.values():
        os.environ.update(QUIET)
        reason = "asked for" if example.name in names else "" if names else why_due(example)
        if not reason:
            continue
        try:
            make(example)
        except (ValueError, FetchError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        took = example.record["cpu_seconds"]
        sys.stdout.write(f"{FOLDER / example.name}: made, {reason} ({took:.0f} CPU seconds)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
