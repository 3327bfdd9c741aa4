"""What is kept of the runs of a book: results, executed notebooks, and the depfiles that vouch for them."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from lib.book import depfile
from lib.book.book import Book, Run
from lib.book.depfile import digest
from lib.book.execution import Failure, Outcome
from lib.files import write_if_changed


class Archive:
    """What is kept of the runs of one book. A run counts as done when its depfile is there and vouches for the rest."""

    def __init__(self, book: Book, profile: str):
        self.book, self.profile = book, profile
        self.hashes = depfile.module_hashes()
        self.library = depfile.library_hash(self.hashes)

    def folder(self, run: Run) -> Path:
        return self.book.cache(self.profile) / run.name

    def executed(self, run: Run) -> Path:
        return self.folder(run) / "executed.ipynb"

    def why_stale(self, run: Run, inputs: Mapping[str, bytes]) -> str | None:
        """The first reason to run this again, in words, or None."""
        record = self._record(run)
        if record is None:
            return "never run"
        for name, recorded in record["outputs"].items():
            if depfile.hash_file(self.book.folder / name) != recorded:
                return f"its output {name} was lost or changed"
        return self._why_outdated(run, record, inputs)

    def refusal(
        self, run: Run, outcome: Outcome, inputs: Mapping[str, bytes], remote: bool
    ) -> Failure | None:
        """Why an outcome cannot be kept: a result under a foreign name, or a worker whose files differ from ours."""
        foreign = [name for name in outcome.results if name != f"{run.name}.csv"]
        if foreign:
            return Failure(
                "after the last cell",
                f"expected results in {run.name}.csv; got {', '.join(foreign)}. "
                "Give the Ledger the chapter's name and all of its parameters.",
            )
        record = {**outcome.depfile, "code": run.chapter.code}
        reason = self._why_outdated(run, record, inputs) if remote else None
        return reason and Failure(
            "on the worker", f"its checkout or packages differ from these here: {reason}."
        )

    def keep(self, run: Run, outcome: Outcome) -> None:
        """Write results, run record and executed notebook, each whole or not at all, and the depfile last."""
        before = self._record(run) or {"outputs": {}}
        stem = self.book.results(self.profile) / run.name
        files = {stem.with_name(name): data for name, data in outcome.results.items()}
        files[stem.with_name(f"{run.name}.run.json")] = _json(self._run_record(run, outcome))
        files[self.executed(run)] = outcome.notebook
        for path, data in files.items():
            write_if_changed(path, data)
        outputs = {
            path.relative_to(self.book.folder).as_posix(): digest(data)
            for path, data in files.items()
        }
        write_if_changed(
            self._depfile(run),
            _json({**outcome.depfile, "code": run.chapter.code, "outputs": outputs}),
        )
        for name in before["outputs"].keys() - outputs.keys():
            (self.book.folder / name).unlink(missing_ok=True)
        (self.folder(run) / "failed.ipynb").unlink(missing_ok=True)

    def keep_failed(self, run: Run, outcome: Outcome) -> Path | None:
        """Write the notebook up to the cell that failed; None when there is none."""
        path = self.folder(run) / "failed.ipynb"
        if outcome.notebook:
            write_if_changed(path, outcome.notebook)
        return path.relative_to(self.book.folder) if outcome.notebook else None

    def fresh_results(self) -> tuple[dict[str, bytes], list[str]]:
        """The result files of all default runs that are up to date, by name, and the chapters that have none."""
        results, missing = {}, []
        for run in self.book.runs(self.profile):
            if run.after_all:
                continue
            if self.why_stale(run, {}):
                missing.append(run.chapter.name)
            else:
                results |= {
                    path.name: path.read_bytes()
                    for path in self.results(run)
                    if path.suffix == ".csv"
                }
        return results, missing

    def results(self, run: Run) -> list[Path]:
        """The files under results/ that a run left."""
        folder = self.book.results(self.profile)
        paths = [
            self.book.folder / name for name in (self._record(run) or {"outputs": {}})["outputs"]
        ]
        return [path for path in paths if path.parent == folder]

    def seconds(self, run: Run) -> float:
        """How long a run took when it was last done, here or by whoever recorded it; infinite when it never was."""
        for folder in (
            self.book.results(self.profile),
            self.book.folder / "data" / "results" / self.profile,
        ):
            path = folder / f"{run.name}.run.json"
            if path.is_file():
                return json.loads(path.read_text(encoding="utf-8"))["seconds"]
        return math.inf

    def record(self, runs: Sequence[Run]) -> Path:
        """Copy the results of these runs to data/results/<profile>, with the commit and the data they came from.

        A chapter that comes after all is not recorded: it says nothing that does not follow from the others. Older
        recordings of the same chapters go. Returns the folder.
        """
        folder = self.book.folder / "data" / "results" / self.profile
        found = [run for run in runs if not run.after_all]
        files = {path.name: path.read_bytes() for run in found for path in self.results(run)}
        for run in found:
            name = f"{run.name}.run.json"
            extra = {"commit": _commit(self.book.folder), "data": self._data_read(run)}
            files[name] = _json({**json.loads(files[name]), **extra})
        for name, data in files.items():
            write_if_changed(folder / name, data)
        for path in folder.glob("*--*"):
            if path.name not in files and path.name.partition("--")[0] in {
                run.chapter.name for run in runs
            }:
                path.unlink()
        return folder

    def _data_read(self, run: Run) -> dict[str, str]:
        """Names and SHA-256 of the data files that a run read."""
        record = self._record(run) or {"files": {}, "external": {}}
        external = {Path(name).name: entry["sha256"] for name, entry in record["external"].items()}
        return {
            **external,
            **{name: recorded for name, recorded in record["files"].items() if recorded},
        }

    def _depfile(self, run: Run) -> Path:
        return self.folder(run) / "depfile.json"

    def _record(self, run: Run) -> dict | None:
        path = self._depfile(run)
        return json.loads(path.read_text()) if path.is_file() else None

    def _why_outdated(self, run: Run, record: Mapping, inputs: Mapping[str, bytes]) -> str | None:
        given = {name: digest(data) for name, data in sorted(inputs.items())}
        return depfile.why_stale(
            record, self.book.folder, run.chapter.code, run.parameters, self.hashes, given
        )

    def _run_record(self, run: Run, outcome: Outcome) -> dict:
        return {
            "chapter": run.chapter.name,
            "profile": self.profile,
            "parameters": dict(run.parameters),
            "seconds": round(outcome.seconds, 1),
            "peak_megabytes": round(outcome.peak_bytes / 1e6),
            "device": outcome.device,
            "python": outcome.depfile["python"],
            "packages": outcome.depfile["packages"],
            "lib": self.library,
        }


def _json(record: Mapping) -> bytes:
    return (json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _commit(folder: Path) -> str | None:
    """The commit that is checked out, with "+changes" where files differ from it; None outside a repository."""

    def git(*arguments: str) -> str | None:
        finished = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
        )
        return finished.stdout.strip() if finished.returncode == 0 else None

    head = git("rev-parse", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!data/results")
    return head and head + ("+changes" if changed else "")
