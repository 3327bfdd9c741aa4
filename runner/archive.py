"""What is kept of the runs of a book: results, executed notebooks, and the depfiles that vouch for
them.
"""

import csv
import io
import json
import math
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from lib.definitions import Definitions
from lib.documents import read_json, read_run_record
from lib.files import text_hash, write_if_changed, write_together
from lib.profiles import story_of
from lib.sources.registry import registry
from runner.book import Book, Run
from runner.depfile import FORMAT, hash_if_there, library_hash, module_hashes, why_stale
from runner.execution import Failure, Outcome
from runner.meaning import code_meaning, reached, shows_only

RECORD_FORMAT = 4
LONGEST_TURN = 120  # seconds: what takes longer is run when it is due, and not in turn
COSTS = Path("data", "costs", "chapters.csv")
_RECORDED = {"code", "data", "definitions", "format", "packages", "parameters", "python"}
_NO_SOURCE = ("data/results/", "data/profiles/", "data/registry.csv")
_IMPORTS = "what it imports"  # says least of what has changed
_EDITED = "its code changed while the chapter ran"
_PROSE = (".md",)  # cards and notes beside data
_SCOPE = "data/claims/scope/"


class Archive:
    """What is kept of the runs of one book. A run counts as done when its depfile is there and
    vouches for the rest.

    Parameters
    ----------
    book : Book
    profile : str
    """

    def __init__(self, book: Book, profile: str):
        self.book, self.profile = book, profile
        self.hashes = module_hashes()
        self.library = library_hash(self.hashes)

    @cached_property
    def definitions(self) -> Definitions:
        """The code of lib and studies as it is now."""
        return Definitions(passed_over=shows_only)

    def _reached(self, run: Run) -> dict[str, str]:
        return reached(run.chapter.notebook, self.definitions)

    def folder(self, run: Run) -> Path:
        """Where executed notebook and depfile of a run lie."""
        return self.book.cache(self.profile) / run.name

    def executed(self, run: Run) -> Path:
        """The executed notebook of a run."""
        return self.folder(run) / "executed.ipynb"

    def why_stale(self, run: Run, inputs: Mapping[str, bytes]) -> str | None:
        """The first reason to run this again, in words, or None.

        Parameters
        ----------
        run : Run
        inputs : Mapping of str to bytes
            Results of other chapters that it would be given, by file name.
        """
        record = self._record(run)
        if not record:
            return "never run"
        for name, recorded in record["outputs"].items():
            if hash_if_there(self.book.folder / name) != recorded:
                return f"its output {name} was lost or changed"
        return self._why_outdated(run, record, inputs)

    def refusal(
        self, run: Run, outcome: Outcome, inputs: Mapping[str, bytes], remote: bool
    ) -> Failure | None:
        """Why an outcome cannot be kept: a result under a foreign name, or a worker whose files
        differ from ours.
        """
        foreign = [name for name in outcome.results if name != f"{run.name}.csv"]
        if foreign:
            return Failure(
                "after the last cell",
                f"expected results in {run.name}.csv; got {', '.join(foreign)}. "
                "Give the Ledger the chapter's name and all of its parameters.",
            )
        record = {**outcome.depfile, "code": run.chapter.code}
        reason = self._why_outdated(run, record, inputs) if remote else None
        if reason:
            said = f"its checkout or packages differ from these here: {reason}."
            return Failure("on the worker", said)
        return None

    def unlisted(self, run: Run, outcome: Outcome) -> list[str]:
        """The registered files that a run read with the profile's own parameters and that the profile does not list for its
        chapter, so that nobody fetches them beforehand.
        """
        path = self.book.folder / "data" / "registry.csv"
        if not (run.default and path.is_file()):
            return []
        entry = self.book.entries(self.profile).get(run.chapter.name, {})
        listed = {
            source.path for key, source in registry(path).items() if key in entry.get("data", ())
        }
        read = [Path(name) for name in outcome.depfile.get("external", ())]
        return [
            key
            for key, source in registry(path).items()
            if source.path not in listed
            and any(file.parts[-len(source.path.parts) :] == source.path.parts for file in read)
        ]

    def keep(self, run: Run, outcome: Outcome) -> None:
        """Write results, run record and executed notebook, each whole or not at all, and the
        depfile last.

        Raises
        ------
        WriteError
            Where the disk is full; the run then counts as not done.
        """
        before = self._outputs(run)
        folder = self.book.results(self.profile)
        files = {folder / name: data for name, data in outcome.results.items()}
        files[folder / f"{run.name}.run.json"] = _json(self._run_record(run, outcome))
        files[self.executed(run)] = outcome.notebook
        write_together(files)
        outputs = {
            path.relative_to(self.book.folder).as_posix(): text_hash(data)
            for path, data in files.items()
        }
        record = {**outcome.depfile, "code": run.chapter.code, "outputs": outputs}
        write_if_changed(self._depfile(run), _json(record))
        for name in set(before) - set(outputs):
            (self.book.folder / name).unlink(missing_ok=True)
        (self.folder(run) / "failed.ipynb").unlink(missing_ok=True)

    def keep_failed(self, run: Run, outcome: Outcome) -> Path | None:
        """Write the notebook up to the cell that failed; None when there is none."""
        path = self.folder(run) / "failed.ipynb"
        if not outcome.notebook:
            return None
        write_if_changed(path, outcome.notebook)
        return path.relative_to(self.book.folder)

    def fresh_results(self) -> tuple[dict[str, bytes], list[str]]:
        """The result files of all default runs that are up to date, by name, and the chapters that
        have none.
        """
        results: dict[str, bytes] = {}
        missing = []
        for run in self.book.runs(self.profile):
            if run.after_all:
                continue
            if self.why_stale(run, {}):
                missing.append(run.chapter.name)
            else:
                tables = (path for path in self.results(run) if path.suffix == ".csv")
                results |= {path.name: path.read_bytes() for path in tables}
        return results, missing

    def results(self, run: Run) -> list[Path]:
        """The files under results/ that a run left."""
        paths = [self.book.folder / name for name in self._outputs(run)]
        return [path for path in paths if path.parent == self.book.results(self.profile)]

    def seconds(self, run: Run) -> float:
        """How long a run takes on a quiet machine, from when it was last done, here or by whoever
        recorded it or its costs; infinite when it never was.
        """
        for folder in (self.book.results(self.profile), self.book.recorded(self.profile)):
            path = folder / f"{run.name}.run.json"
            if path.is_file():
                with suppress(ValueError):  # damaged: it only tells which chapter begins first
                    return quiet_seconds(read_run_record(path, ["seconds"]))
        return self._costs.get(run.chapter.name, math.inf) if run.default else math.inf

    def packages(self, run: Run) -> set[str]:
        """The packages that a chapter is known to import, from the last record of it with whatever parameters."""
        folders = (self.book.results(self.profile), self.book.folder / "data" / "results")
        for folder in folders:
            for path in sorted(folder.rglob(f"{run.chapter.name}--*.run.json")):
                with suppress(ValueError):  # damaged: it only tells what is imported beforehand
                    return {*read_run_record(path, ["packages"])["packages"]}
        return set()

    @cached_property
    def _costs(self) -> dict[str, float]:
        """Seconds of the processor that each chapter took with the parameters of the profile."""
        path = self.book.folder / COSTS
        if not path.is_file():
            return {}
        with path.open(encoding="utf-8", newline="") as file:
            return {
                row["chapter"]: float(row["cpu_seconds"])
                for row in csv.DictReader(file)
                if row["profile"] == self.profile
            }

    def record(self, runs: Sequence[Run]) -> Path:
        """Copy the results of runs to data/results/<profile>, with the commit and the data they
        came from.

        Numbers and record of a chapter are replaced together, or not at all.
        A chapter that comes after all is not recorded: it says nothing that does not follow from the others. Older
        recordings of the same chapters go, those of other chapters stay.

        Parameters
        ----------
        runs : sequence of Run
            Default runs that are up to date.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        WriteError
            Where the disk is full; chapters are then recorded as before or anew, none in between.
        """
        folder = self.book.recorded(self.profile)
        kept = [run for run in runs if not run.after_all]
        chapters: dict[str, dict[Path, bytes]] = {run.chapter.name: {} for run in runs}
        for run in kept:
            files = {path.name: path.read_bytes() for path in self.results(run)}
            name = f"{run.name}.run.json"
            origin = {
                "commit": _commit(self.book.folder),
                "data": self._data_read(run),
                "format": RECORD_FORMAT,
                "code": code_meaning(run.chapter.notebook),
                "definitions": self._as_run(run),
            }
            files[name] = _json({**json.loads(files[name]), **origin})
            # the record last: a kill in between leaves the old one, which is due
            names = sorted(files, key=lambda name: name.endswith(".run.json"))
            wanted = {folder / name: files[name] for name in names}
            chapters[run.chapter.name].update(wanted)
        for chapter, wanted in chapters.items():
            write_together(wanted)
            for path in folder.glob(f"{chapter}--*"):
                if path not in wanted:
                    path.unlink()
        return folder

    def why_unrecorded(self, run: Run) -> str | None:
        """Why what is recorded of a run may differ from what it would find now, in words, or None.

        What decides a recorded value (`runner.meaning`), parameters, packages and files of the book are compared. What reads, judges,
        words or shows results, profiles (their parameters aside), cards and recorded results, which a chapter may show, are not:
        they change no number. Of the registry only the rows of files that were read count.
        """
        path = self.book.recorded(self.profile) / f"{run.name}.run.json"
        if not path.is_file():
            return "never recorded"
        try:
            kept = read_run_record(path, ())
        except ValueError as error:
            return f"its record is damaged: {error}"
        if kept.get("format") != RECORD_FORMAT or not kept.keys() >= _RECORDED:
            return "the record says less than is recorded now"
        code = code_meaning(run.chapter.notebook)
        if kept["code"] != code:
            return "a code cell changed"
        pinned = _pinned(self.book.folder / "data" / "registry.csv")
        for name, known in kept["data"].items():
            if name in pinned and known not in pinned[name]:
                return f"the registry pins another {name}"
        files = {
            name: known
            for name, known in kept["data"].items()
            if "/" in name and not name.startswith(_NO_SOURCE) and not name.endswith(_PROSE)
            if not (name.startswith(_SCOPE) and self._only_other_notebooks(name, known, run))
        }
        now, known = self._reached(run), set(kept["definitions"])
        if known == {_EDITED}:
            return _EDITED
        for place, computed in sorted(now.items(), key=lambda one: one[0] == _IMPORTS):
            if short(computed) not in known:
                return f"{place} is new or changed"
        if len(known) != len({*now.values()}):
            return "it reaches less code than it did"
        record = {"format": FORMAT, "inputs": {}, "folders": {}, "external": {}, "modules": {}}
        return why_stale(
            {**kept, **record, "files": files}, self.book.folder, code, run.parameters, {}, {}
        )

    def _only_other_notebooks(self, scope: str, known: str, run: Run) -> bool:
        """Whether a paper's scope is as recorded, but for which notebook of another chapter, story or evidence, answers its numbers."""
        path = self.book.folder / scope
        if not path.is_file():
            return False
        scope, own = path.read_text(encoding="utf-8"), story_of(run.chapter.name)
        chapter, text = answered_by_stories(scope)
        if chapter == own:  # numbers of the paper that another chapter answers
            text = others_as_stories(scope, own)
        return text_hash(text) == known

    def due(self, runs: Sequence[Run]) -> dict[Run, str]:
        """The runs whose record may be outdated, with the reason, and one more, another with each commit.

        Parameters
        ----------
        runs : sequence of Run
            Default runs.

        Returns
        -------
        dict of Run to str
            A chapter that comes after all is not recorded, and so never due; one that takes longer than `LONGEST_TURN` has no turn.
        """
        recorded = [run for run in runs if not run.after_all]
        reasons = {run: self.why_unrecorded(run) for run in recorded}
        due = {run: reason for run, reason in reasons.items() if reason}
        fresh = [run for run in recorded if run not in due and self.seconds(run) < LONGEST_TURN]
        if fresh:
            turn = int(text_hash(_commit(self.book.folder) or "")[:8], 16) % len(fresh)
            due[fresh[turn]] = "its turn"
        return due

    def _as_run(self, run: Run) -> list[str]:
        """Short hashes of the definitions that a run reached; none of them is right where its code has changed since."""
        now = module_hashes()
        record = {**self._record(run), "external": {}, "folders": {}, "packages": {}}
        if why_stale(
            record, self.book.folder, run.chapter.code, run.parameters, now, record["inputs"]
        ):
            return [_EDITED]
        return sorted({short(computed) for computed in self._reached(run).values()})

    def _data_read(self, run: Run) -> dict[str, str]:
        """Names and SHA-256 of the data files that a run read."""
        record = self._record(run)
        external = {Path(name).name: entry["sha256"] for name, entry in record["external"].items()}
        return external | {name: known for name, known in record["files"].items() if known}

    def _depfile(self, run: Run) -> Path:
        return self.folder(run) / "depfile.json"

    def _record(self, run: Run) -> dict[str, Any]:
        path = self._depfile(run)
        try:
            return read_json(path, dict, ["format", "outputs"]) if path.is_file() else {}
        except ValueError:  # damaged, so it vouches for nothing
            return {}

    def _outputs(self, run: Run) -> dict[str, str]:
        return dict(self._record(run).get("outputs", {}))

    def _why_outdated(
        self, run: Run, record: Mapping[str, Any], inputs: Mapping[str, bytes]
    ) -> str | None:
        given = {name: text_hash(data) for name, data in sorted(inputs.items())}
        return why_stale(
            record, self.book.folder, run.chapter.code, run.parameters, self.hashes, given
        )

    def _run_record(self, run: Run, outcome: Outcome) -> dict[str, Any]:
        return {
            "chapter": run.chapter.name,
            "profile": self.profile,
            "parameters": dict(run.parameters),
            "seconds": round(outcome.seconds, 1),
            "cpu_seconds": round(outcome.cpu_seconds, 1),
            "peak_megabytes": round(outcome.peak_bytes / 1e6),
            "device": outcome.device,
            "machine": outcome.machine,
            "python": outcome.depfile["python"],
            "packages": outcome.depfile["packages"],
            "lib": self.library,
        }


def short(known: str) -> str:
    """The beginning of a hash, enough to tell some hundreds of definitions from one another."""
    return known[:12]


def answered_by_stories(scope: str) -> tuple[str, str]:
    """The chapter that answers the numbers of a paper, and the paper's scope as if that were one notebook.

    Parameters
    ----------
    scope : str
        CSV with a column `chapter`, filled in its first row and where another notebook answers.

    Examples
    --------
    >>> answered_by_stories("claims,chapter\\na.*,one_evidence\\na.1,one\\na.2,two\\n")
    ('one', 'claims,chapter\\na.*,one\\na.1,\\na.2,two\\n')
    """
    head, *rows = csv.reader(io.StringIO(scope))
    if "chapter" not in head or not rows:
        return "", scope
    place, first = head.index("chapter"), story_of(rows[0][head.index("chapter")])
    for row in rows:
        row[place] = story_of(row[place])
    for row in rows[1:]:
        row[place] = "" if row[place] == first else row[place]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return first, text.getvalue()


def others_as_stories(scope: str, own: str) -> str:
    """The scope of a paper as if each chapter but one's own were one notebook.

    Examples
    --------
    >>> others_as_stories("claims,chapter\\na.*,one_evidence\\na.1,two_evidence\\n", "one")
    'claims,chapter\\na.*,one_evidence\\na.1,two\\n'
    """
    head, *rows = csv.reader(io.StringIO(scope))
    if "chapter" not in head:
        return scope
    place = head.index("chapter")
    for row in rows:
        row[place] = row[place] if story_of(row[place]) == own else story_of(row[place])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def quiet_seconds(record: Mapping[str, Any]) -> float:
    """How long a run takes on a machine that does nothing else: the seconds of the processor that it
    used, or those on the clock where these were fewer or nothing else was recorded.

    Examples
    --------
    >>> quiet_seconds({"seconds": 90.0, "cpu_seconds": 41.2})
    41.2
    """
    seconds = float(record["seconds"])
    return min(seconds, float(record.get("cpu_seconds", seconds)))


def _json(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _commit(folder: Path) -> str | None:
    """The commit that is checked out, with "+changes" where files differ from it; None outside a
    repository.
    """
    head = git(folder, "rev-parse", "HEAD")
    files = ("--untracked-files=no", "--", ".", ":!data/results")
    changed = git(folder, "status", "--porcelain", *files)
    return head and head + ("+changes" if changed else "")


def git(folder: Path, *arguments: str) -> str | None:
    """What git says of a folder; None outside a repository, and where there is no git."""
    command = ["git", "-C", str(folder), *arguments]
    with suppress(OSError):
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        return finished.stdout.strip() if finished.returncode == 0 else None
    return None


def _pinned(path: Path) -> dict[str, set[str]]:
    """The SHA-256 that a registry pins for each file name; without a registry none."""
    hashes: dict[str, set[str]] = {}
    for source in registry(path).values() if path.is_file() else ():
        kind, _, known = source.hash.partition(":")
        if kind == "sha256":
            hashes.setdefault(source.path.name, set()).add(known)
    return hashes
