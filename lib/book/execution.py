"""One chapter run as a pure function: notebook and parameters in, executed notebook, results and records out.

`execute` works in a folder of its own that it removes again, so it can run in any process on any machine that has a
checkout of the book; whoever asked for the run writes the files.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpec
from nbformat import NotebookNode
from traitlets import Dict, Int
from traitlets.config import Config

from lib.book import depfile
from lib.paths import LIBRARY

TOPIC = "bias-measured"
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,16}\b")
_STYLED = re.compile(r'<table id="(T_[0-9a-f]{5})"')
_KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
_LANGUAGE = {
    "name": "python",
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "pygments_lexer": "ipython3",
}
_ADDED = "added-by-the-runner"


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to run one chapter once.

    library : the `depfile.library_hash` that the worker's own checkout must have
    book : the book's folder where the worker runs; None for the folder that holds the worker's `lib`
    inputs : results of other chapters, by file name, found in the folder that BIASBOOK_RESULTS names
    threads : for linear algebra
    """

    name: str
    notebook: bytes
    parameters: Mapping
    library: str
    book: str | None = None
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    threads: int = 1


@dataclass(frozen=True)
class Failure:
    """Why a run gave no results. `cell` says which cell stopped, `message` ends with the error itself."""

    cell: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What a run gave: executed notebook, result files by name, what it depended on, seconds and peak bytes."""

    name: str
    notebook: bytes = b""
    results: Mapping[str, bytes] = field(default_factory=dict)
    depfile: Mapping = field(default_factory=dict)
    seconds: float = 0.0
    peak_bytes: int = 0
    device: str | None = None
    failure: Failure | None = None


class ChapterKernel(AsyncKernelManager):
    """A kernel of the running interpreter, whatever kernel specifications are installed, in a given environment.

    printed : file descriptor for what it prints outside its cells.
    """

    environment = Dict().tag(config=True)
    printed = Int().tag(config=True)

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            language="python",
            display_name="Python 3 (ipykernel)",
        )

    async def _async_pre_start_kernel(self, **options):
        own = {"env": dict(self.environment), "stdout": self.printed, "stderr": self.printed}
        return await super()._async_pre_start_kernel(**{**options, **own})


def read_notebook(data: bytes) -> NotebookNode:
    """A notebook in format 4.5; cells that carry no id get one from their place, so that reading twice agrees."""
    raw = json.loads(data)
    if raw["nbformat"] == 4:
        raw["nbformat_minor"] = max(raw["nbformat_minor"], 5)
        for place, cell in enumerate(raw["cells"]):
            cell.setdefault("id", f"cell-{place}")
    return nbformat.reads(json.dumps(raw), as_version=4)


def write_notebook(notebook: NotebookNode) -> bytes:
    """The notebook as bytes, the same for the same content: sorted keys, one space of indent, final newline."""
    return (nbformat.writes(notebook, version=4).rstrip("\n") + "\n").encode()


def execute(job: Job) -> Outcome:
    """Run one chapter. An error in the chapter, or a worker with another `lib`, comes back as the outcome's failure."""
    hashes = depfile.module_hashes()
    if depfile.library_hash(hashes) != job.library:
        return _refusal(
            job,
            f"the lib of this worker ({LIBRARY}) is not the one that asked. "
            "Run again if it was edited just now; on a cluster, bring the worker to the same state.",
        )
    book = Path(job.book) if job.book else LIBRARY.parent
    if not book.is_dir():
        return _refusal(job, f"this worker has no folder {book}. Give it a checkout at that path.")
    _announce(job.name)
    with tempfile.TemporaryDirectory(prefix="biasbook-") as temporary:
        return _execute_in(Path(temporary), book, job, hashes)


def _execute_in(folder: Path, book: Path, job: Job, hashes: Mapping[str, str]) -> Outcome:
    results, seen = folder / "results", folder / "seen.json"
    results.mkdir()
    for name, data in job.inputs.items():
        (results / name).write_bytes(data)
    notebook = _with_watching_cells(read_notebook(job.notebook), seen, book)
    started = time.monotonic()
    failure = _run_notebook(notebook, folder, book, job)
    seconds = time.monotonic() - started
    executed = folder / "executed.ipynb"
    data = (
        write_notebook(_tidy(read_notebook(executed.read_bytes()), book, folder))
        if executed.exists()
        else b""
    )
    if failure:
        return Outcome(job.name, data, seconds=seconds, failure=failure)
    report = json.loads(seen.read_text())
    new = {
        path.name: path.read_bytes()
        for path in sorted(results.iterdir())
        if path.name not in job.inputs
    }
    return Outcome(
        job.name,
        data,
        new,
        _depfile(report, job, hashes),
        seconds,
        report["peak_bytes"],
        report["device"],
    )


def _depfile(report: Mapping, job: Job, hashes: Mapping[str, str]) -> dict:
    names = {
        depfile.distributions()[name]
        for name in report["imported"]
        if name in depfile.distributions()
    }
    packages = {name: depfile.installed(name) for name in sorted(names)}
    return {
        "format": depfile.FORMAT,
        "parameters": dict(job.parameters),
        "python": depfile.python_version(),
        "packages": {
            name: version for name, version in packages.items() if name != "bias-measured"
        },
        "modules": {name: hashes[name] for name in report["modules"] if name in hashes},
        "files": report["files"],
        "folders": report["folders"],
        "external": report["external"],
        "inputs": {name: depfile.digest(data) for name, data in sorted(job.inputs.items())},
    }


def _with_watching_cells(notebook: NotebookNode, seen: Path, book: Path) -> NotebookNode:
    first = '__import__("lib.book.depfile").book.depfile.watch()'
    last = f'__import__("lib.book.depfile").book.depfile.report({str(seen)!r}, {str(book)!r}, globals().get("device"))'
    cells = [
        nbformat.v4.new_code_cell(source, metadata={"tags": ["remove-cell", _ADDED]})
        for source in (first, last)
    ]
    notebook.cells = [cells[0], *notebook.cells, cells[1]]
    return notebook


def _run_notebook(notebook: NotebookNode, folder: Path, book: Path, job: Job) -> Failure | None:
    """Run into `executed.ipynb` in the folder; the failure names a cell by its id and first line."""
    from nbclient.exceptions import DeadKernelError
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    logging.getLogger("papermill").addHandler(logging.NullHandler())
    executed, printed = folder / "executed.ipynb", folder / "kernel.log"
    with printed.open("wb") as log:
        try:
            execute_notebook(
                notebook,
                executed,
                dict(job.parameters),
                kernel_name=_KERNEL["name"],
                language=_KERNEL["language"],
                progress_bar=False,
                coalesce_streams=True,
                record_timing=False,
                kernel_manager_class=ChapterKernel,
                config=_kernel_settings(folder, job.threads, log.fileno()),
                resources={"metadata": {"path": str(book)}},
            )
        except PapermillExecutionError as error:
            traceback = (
                _ANSI.sub("", "\n".join(error.traceback)).strip()
                or f"{error.ename}: {error.evalue}"
            )
            return Failure(_describe(error.source, notebook), _last_lines(traceback))
        except DeadKernelError:
            message = "the kernel died: not enough memory, or a crash in compiled code"
            return Failure(
                _describe(_last_started(executed), notebook),
                _last_lines(f"{printed.read_text(errors='replace')}\n{message}"),
            )
        except Exception as error:
            return Failure(
                "outside any cell",
                _last_lines(
                    f"{printed.read_text(errors='replace')}\n{type(error).__name__}: {error}"
                ),
            )
    return None


def _kernel_settings(folder: Path, threads: int, log: int) -> Config:
    """Sockets are files, as long as their path fits: the limit is 107 bytes, on some systems 103."""
    transport = "ipc" if len(os.fsencode(folder / "kernel-ipc-5")) <= 100 else "tcp"
    return Config(
        {
            "ChapterKernel": {
                "environment": _environment(folder, threads),
                "printed": log,
                "transport": transport,
                "connection_file": str(folder / "kernel.json"),
            }
        }
    )


def _last_started(executed: Path) -> str:
    """Source of the last cell that began to run."""
    cells = read_notebook(executed.read_bytes()).cells if executed.exists() else []
    started = [
        cell.source for cell in cells if cell.metadata.get("papermill", {}).get("start_time")
    ]
    return started[-1] if started else ""


def _last_lines(text: str, count: int = 12) -> str:
    return "\n".join(text.strip().splitlines()[-count:])


def _describe(source: str, notebook: NotebookNode) -> str:
    code = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and _ADDED not in cell.metadata.get("tags", [])
    ]
    found = [(place, cell.id) for place, cell in enumerate(code, start=1) if cell.source == source]
    where = f"code cell {found[0][0]} (id {found[0][1]})" if found else "a cell"
    return f"{where}: {source.strip().partition(chr(10))[0]}"


def _environment(folder: Path, threads: int) -> dict[str, str]:
    """The caller's environment without its drawing backend, with the results folder, quiet bars and thread limits."""
    limits = dict.fromkeys(
        (
            "OMP_NUM_THREADS",
            "MKL_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
            "NUMEXPR_NUM_THREADS",
            "VECLIB_MAXIMUM_THREADS",
        ),
        str(threads),
    )
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    paths = [str(LIBRARY.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **inherited,
        **limits,
        "BIASBOOK_RESULTS": str(folder / "results"),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "IPYTHONDIR": str(folder / "ipython"),
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONWARNINGS": "ignore:IProgress not found",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "TQDM_DISABLE": "1",
        "TRANSFORMERS_VERBOSITY": "error",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def _tidy(notebook: NotebookNode, book: Path, folder: Path) -> NotebookNode:
    """The executed notebook without the runner's cells, timestamps, paths of this machine, memory addresses, drawn names."""
    added = {_ADDED, "papermill-error-cell-tag"}
    notebook.cells = [
        cell for cell in notebook.cells if not added & set(cell.metadata.get("tags", []))
    ]
    notebook.metadata = nbformat.from_dict({"kernelspec": _KERNEL, "language_info": _LANGUAGE})
    names = {
        f"{book}/": "",
        f"{folder}": "<temporary>",
        f"{LIBRARY.parent}/": "",
        sys.prefix: "<python>",
        sys.base_prefix: "<python>",
    }
    count = 0
    for cell in notebook.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = "injected-parameters"
        if cell.cell_type == "code":
            count += cell.execution_count is not None
            cell.execution_count = count if cell.execution_count is not None else None
            cell.outputs = [_tidy_output(output, names, count) for output in cell.outputs]
    return notebook


def _tidy_output(output: NotebookNode, names: Mapping[str, str], count: int) -> NotebookNode:
    def tidy(text: str) -> str:
        for path, name in names.items():
            text = text.replace(path, name)
        for drawn in set(
            _STYLED.findall(text)
        ):  # pandas draws the name of a styled table anew each time
            text = text.replace(drawn, f"T_{depfile.digest(text.replace(drawn, '').encode())[:8]}")
        return _ADDRESS.sub("at 0x…", text)

    if "execution_count" in output:
        output.execution_count = count
    for place in (output, output.get("data", {})):
        for key, value in place.items():
            if isinstance(value, str) and (key in ("text", "evalue") or key.startswith("text/")):
                place[key] = tidy(value)
    if "traceback" in output:
        output.traceback = [tidy(line) for line in output.traceback]
    return output


def _refusal(job: Job, message: str) -> Outcome:
    return Outcome(job.name, failure=Failure("before any cell", message))


def _announce(name: str) -> None:
    """Tell the client that the run has started, where there is one to listen."""
    from distributed import get_worker

    try:
        get_worker().log_event(TOPIC, name)
    except ValueError:
        return
