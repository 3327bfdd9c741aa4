"""One chapter run as a pure function: notebook and parameters in, executed notebook, results and
records out.

`execute` works in a folder of its own that it removes again, so it can run in any process on any
machine that has a checkout of the book; whoever asked for the run writes the files.
"""

import json
import logging
import os
import re
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbformat import NotebookNode
from traitlets import Any as Anything
from traitlets import Dict, Int
from traitlets.config import Config

from lib.files import FULL, crowded, explained, scratch_folder
from lib.paths import ROOT
from runner.book import PROGRAM
from runner.depfile import depfile, library_hash, module_hashes
from runner.notebooks import ADDED, KERNEL, read_notebook, tags, tidied, write_notebook
from runner.nursery import Forked, Nursery

TOPIC = "bias-measured"
_PATIENCE = 300  # seconds for a kernel to start on a busy machine
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_FOR_A_PHONE = "BIASBOOK_PHONE"  # as lib.plots.display reads it
# For glibc: arrays that come and go with every batch stay with the process; else the system clears the
# same memory again and again.
_KEPT_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**40)}


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to run one chapter once.

    Attributes
    ----------
    name : str
        Of the run.
    notebook : bytes
    parameters : Mapping
    library : str
        The `library_hash` that the worker's own checkout must have.
    book : str or None
        The book's folder where the worker runs; None for the worker's checkout.
    inputs : Mapping of str to bytes
        Results of other chapters, by file name, to be found in the folder that BIASBOOK_RESULTS
        names.
    threads : int
        For linear algebra.
    """

    name: str
    notebook: bytes
    parameters: Mapping[str, Any]
    library: str
    book: str | None = None
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    threads: int = 1


@dataclass(frozen=True)
class Failure:
    """Why a run gave no results. `cell` says which cell stopped, `message` ends with the error
    itself.
    """

    cell: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What a run gave.

    Attributes
    ----------
    name : str
        Of the run.
    notebook : bytes
        Executed, as far as it came.
    results : Mapping of str to bytes
        Result files by name.
    depfile : Mapping
        What the run depended on.
    seconds : float
        On the clock.
    cpu_seconds : float
        Of the processor, by the kernel and the processes that it waited for.
    peak_bytes : int
        Of memory.
    device : str or None
        What the chapter says that it ran on.
    machine : str
        Processor, cores and system.
    failure : Failure or None
    """

    name: str
    notebook: bytes = b""
    results: Mapping[str, bytes] = field(default_factory=dict)
    depfile: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    device: str | None = None
    machine: str = ""
    failure: Failure | None = None


class ChapterKernel(AsyncKernelManager):
    """A kernel of the running interpreter, whatever kernel specifications are installed, in a given
    environment.

    Attributes
    ----------
    environment : dict
        Its variables.
    printed : int
        File descriptor for what it prints outside its cells.
    nursery : Nursery or None
        Where it is forked; else an interpreter is started.
    """

    environment = Dict().tag(config=True)
    printed = Int().tag(config=True)
    nursery = Anything()

    @property
    def kernel_spec(self) -> KernelSpec:
        """How the kernel is started."""
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            language=KERNEL["language"],
            display_name=KERNEL["display_name"],
        )

    async def _async_pre_start_kernel(self, **options: Any) -> Any:
        own = {"env": dict(self.environment), "stdout": self.printed, "stderr": self.printed}
        if self.nursery is not None:
            self.kernel_id = self.kernel_id or str(uuid.uuid4())
            self.provisioner = Forked(
                kernel_id=self.kernel_id, kernel_spec=self.kernel_spec, parent=self
            )
        return await super()._async_pre_start_kernel(**{**options, **own})


def execute(job: Job, nursery: Nursery | None = None) -> Outcome:
    """Run one chapter.

    Parameters
    ----------
    job : Job
        What to run.
    nursery : Nursery, optional
        Where its kernel is forked, of as many threads.

    Returns
    -------
    Outcome
        An error in the chapter, a full disk, or a worker with other code come back as its
        failure.
    """
    hashes = module_hashes()
    if library_hash(hashes) != job.library:
        return _refusal(
            job,
            f"the code of this worker ({ROOT}: {', '.join(PROGRAM)}) is not that of the client. "
            "Run again if it was edited just now; on a cluster, bring the worker to the same state.",
        )
    book = Path(job.book) if job.book else ROOT
    if not book.is_dir():
        return _refusal(job, f"this worker has no folder {book}. Give it a checkout at that path.")
    _announce(job.name)
    try:
        with scratch_folder("biasbook") as folder:
            try:
                outcome = _execute_in(folder, book, job, hashes, nursery)
            except (OSError, ValueError) as error:  # ValueError: a file that was cut
                outcome = _refusal(job, _said(error))
            return _told_of_a_full_disk(outcome, folder.parent)
    except OSError as error:
        return _refusal(job, _said(error))


def _execute_in(
    folder: Path, book: Path, job: Job, hashes: Mapping[str, str], nursery: Nursery | None
) -> Outcome:
    results, seen = folder / "results", folder / "seen.json"
    results.mkdir()
    for name, data in job.inputs.items():
        (results / name).write_bytes(data)
    started = time.monotonic()
    notebook = _watched(read_notebook(job.notebook), seen)
    with (folder / "kernel.log").open("w+b") as log:
        notebook, failure = _run_notebook(notebook, book, job, folder, log, nursery)
    seconds = time.monotonic() - started
    data = write_notebook(tidied(notebook, book, folder))
    if failure:
        return Outcome(job.name, data, seconds=seconds, failure=failure)
    report = json.loads(seen.read_text())
    new = {path.name: path for path in sorted(results.iterdir()) if path.name not in job.inputs}
    return Outcome(
        job.name,
        data,
        {name: path.read_bytes() for name, path in new.items()},
        {
            **depfile(report, book, hashes, job.inputs),
            "parameters": dict(job.parameters),
        },
        seconds,
        report["cpu_seconds"],
        report["peak_bytes"],
        report["device"],
        report["machine"],
    )


def _watched(notebook: NotebookNode, seen: Path) -> NotebookNode:
    """The notebook between two cells that note what it does, and the first picture between two that ask for it as narrow as a phone."""

    def added(source: str) -> NotebookNode:
        cell: NotebookNode = nbformat.v4.new_code_cell(source)
        cell.metadata["tags"] = ["remove-cell", ADDED]
        return cell

    watch, asked = '__import__("runner.watch").watch', f'__import__("os").environ[{_FOR_A_PHONE!r}]'
    cells = [added(f"{watch}.watch()")]
    for cell in notebook.cells:
        if cell.cell_type == "code" and "picture" in tags(cell):
            cells += [added(f'{asked} = "1"'), cell, added(f"del {asked}")]
        else:
            cells.append(cell)
    report = f'{watch}.report({str(seen)!r}, globals().get("device"))'
    notebook.cells = [*cells, added(report)]
    return notebook


def _run_notebook(
    notebook: NotebookNode,
    book: Path,
    job: Job,
    folder: Path,
    log: IO[bytes],
    nursery: Nursery | None,
) -> tuple[NotebookNode, Failure | None]:
    """The notebook executed as far as it came, and why it came no further."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError
    from papermill import execute_notebook

    for quiet in ("papermill", __name__):
        logging.getLogger(quiet).addHandler(logging.NullHandler())
    # papermill sets the parameters; its own engine would write the whole notebook twice a cell
    notebook = execute_notebook(
        notebook,
        None,
        dict(job.parameters),
        kernel_name=KERNEL["name"],
        language=KERNEL["language"],
        prepare_only=True,
    )
    started: list[NotebookNode] = []
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL["name"],
        kernel_manager_class=ChapterKernel,
        config=_kernel_settings(folder, job.threads, log.fileno()),
        resources={"metadata": {"path": str(book)}},
        timeout=None,
        startup_timeout=_PATIENCE,
        coalesce_streams=True,
        raise_on_iopub_timeout=True,
        record_timing=False,
        on_cell_execute=lambda cell, cell_index: started.append(cell),
        log=logging.getLogger(__name__),
    )
    client.create_kernel_manager().nursery = nursery  # type: ignore[attr-defined]
    try:
        client.execute()
    except CellExecutionError as error:
        message = _ANSI.sub("", error.traceback).strip() or f"{error.ename}: {error.evalue}"
    except DeadKernelError:
        message = _printed(log, "the kernel died: not enough memory, or a crash in compiled code")
    except Exception as error:
        message = _printed(log, _said(error))
    else:
        return notebook, None
    return notebook, Failure(_place(notebook, started), _last_lines(message))


def _printed(log: IO[bytes], message: str) -> str:
    """What the kernel printed outside its cells, and what is said of it."""
    log.seek(0)
    return f"{log.read().decode(errors='replace')}\n{message}"


def _told_of_a_full_disk(outcome: Outcome, temporary: Path) -> Outcome:
    """The outcome; a failure with the reason added where the disk of the temporary files is full, as what fails then says
    anything but that.
    """
    full = crowded(temporary)
    if outcome.failure is None or not full or "the disk is full" in outcome.failure.message:
        return outcome
    message = f"{outcome.failure.message}\n{full} (TMPDIR)"
    return replace(outcome, failure=replace(outcome.failure, message=message))


def _said(error: Exception) -> str:
    """An error in one line; where the disk of the temporary files is full, which disk that is."""
    if isinstance(error, OSError) and error.errno in FULL:
        return f"{explained(error, Path(tempfile.gettempdir())) or error} (TMPDIR)"
    return f"{type(error).__name__}: {error}"


def _last_lines(text: str, count: int = 12) -> str:
    return "\n".join(text.strip().splitlines()[-count:])


def _place(notebook: NotebookNode, started: Sequence[NotebookNode]) -> str:
    """The cell that began to run last, by its number, id and first line."""
    injected = {ADDED, "injected-parameters"}
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    own = [cell.id for cell in cells if not injected & tags(cell)]
    for cell in reversed(started):
        if cell.id in own:
            first_line = cell.source.strip().partition("\n")[0]
            return f"code cell {own.index(cell.id) + 1} (id {cell.id}): {first_line}"
    return "outside any cell"


def _kernel_settings(folder: Path, threads: int, log: int) -> Config:
    """Sockets are files, as long as their path fits: the limit is 107 bytes, on some systems
    103.
    """
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


def open_nursery(threads: int, modules: Sequence[str]) -> Nursery:
    """A process that forks kernels of so many threads."""
    return Nursery(_environment(Path(tempfile.gettempdir()), threads), modules)


def _environment(folder: Path, threads: int) -> dict[str, str]:
    """The caller's environment without its drawing backend, with the results folder, quiet bars,
    thread limits and how memory is kept.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **_KEPT_MEMORY,
        **inherited,
        **dict.fromkeys(_THREADS, str(threads)),
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


def _refusal(job: Job, message: str) -> Outcome:
    return Outcome(job.name, failure=Failure("before any cell", message))


def _announce(name: str) -> None:
    """Tell the client that the run has started, where this is a worker of Dask."""
    if "distributed" not in sys.modules:
        return
    from distributed import get_worker

    try:
        get_worker().log_event(TOPIC, name)
    except ValueError:
        return
