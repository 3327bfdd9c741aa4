"""Notebooks as bytes: read in one format, without what differs from run to run, written the same
way each time.
"""

import json
import re
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lib.files import text_hash
from lib.paths import ROOT

ADDED = "added-by-the-runner"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
_LANGUAGE = {
    "name": "python",
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "pygments_lexer": "ipython3",
}
_ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,16}\b")
_STYLED = re.compile(r'<table id="(T_[0-9a-f]{5})"')


def read_notebook(data: bytes) -> NotebookNode:
    """A notebook in format 4.5; cells that carry no id get one from their place, so that reading
    twice agrees.

    Raises
    ------
    ValueError
        Where the bytes are no notebook.
    """
    raw = json.loads(data)
    if not isinstance(raw, dict) or not _are_cells(raw.get("cells")):
        raise ValueError("JSON without a list of cells that have a type, a source and metadata")
    minor = raw.get("nbformat_minor", 0)
    if raw.get("nbformat") != 4 or not isinstance(minor, int):
        raise ValueError(f"format {raw.get('nbformat')}.{minor}; save it as format 4")
    raw["nbformat_minor"] = max(minor, 5)
    for place, cell in enumerate(raw["cells"]):
        cell.setdefault("id", f"cell-{place}")
    try:
        notebook: NotebookNode = nbformat.reads(json.dumps(raw), as_version=4)
    except nbformat.ValidationError as error:
        raise ValueError(f"JSON that is none: {error}") from error
    return notebook


def _are_cells(cells: object) -> bool:
    """Whether these are cells in whose fields one can look."""
    return isinstance(cells, list) and all(
        isinstance(cell, dict)
        and cell.get("cell_type") in ("code", "markdown", "raw")
        and isinstance(cell.get("metadata"), dict)
        and isinstance(cell["metadata"].get("tags", []), list)
        and isinstance(cell.get("source"), str | list)
        and all(isinstance(line, str) for line in cell["source"])
        for cell in cells
    )


def write_notebook(notebook: NotebookNode) -> bytes:
    """The notebook as bytes, the same for the same content: sorted keys, one space of indent, final
    newline.
    """
    text: str = nbformat.writes(notebook, version=4)
    return (text.rstrip("\n") + "\n").encode()


def tags(cell: NotebookNode) -> set[str]:
    """The tags of a cell."""
    return set(cell.metadata.get("tags", []))


def complaints(notebook: NotebookNode) -> list[str]:
    """What cells wrote to stderr, which no page shows: the number of the cell and the first line, or the first that warns."""
    found = []
    for number, cell in enumerate(notebook.cells, start=1):
        text = "".join(out.text for out in cell.get("outputs", []) if out.get("name") == "stderr")
        if text.strip():
            lines = text.strip().splitlines()
            line = next((line for line in lines if "Warning" in line), lines[0])
            found.append(f"cell {number} wrote to stderr: {line}")
    return found


def tidied(notebook: NotebookNode, book: Path, temporary: Path) -> NotebookNode:
    """An executed notebook without what differs from run to run, so that equal runs give equal
    bytes.

    Parameters
    ----------
    notebook : NotebookNode
        As papermill left it; it is changed in place.
    book, temporary : Path
        The book's folder and that of the run's temporary files, as they may stand in the output.

    Returns
    -------
    NotebookNode
        Without the cells of runner and papermill, timestamps, paths of this machine, memory addresses and random
        names of tables; cells are counted from 1 on.
    """
    machinery = {ADDED, "papermill-error-cell-tag"}
    notebook.cells = [cell for cell in notebook.cells if not machinery & tags(cell)]
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": _LANGUAGE})
    names = {
        f"{book}/": "",
        f"{temporary}": "<temporary>",
        f"{ROOT}/": "",
        sys.prefix: "<python>",
        sys.base_prefix: "<python>",
    }
    count = 0
    for cell in notebook.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if "injected-parameters" in tags(cell):
            cell.id = "injected-parameters"
        if cell.cell_type == "code" and cell.execution_count is not None:
            count += 1
            cell.execution_count = count
        for output in cell.get("outputs", []):
            _tidy(output, names, count)
    return notebook


def _tidy(output: NotebookNode, names: dict[str, str], count: int) -> None:
    if "execution_count" in output:
        output.execution_count = count
    for place in (output, output.get("data", {})):
        for key, value in place.items():
            if isinstance(value, str) and (key in ("text", "evalue") or key.startswith("text/")):
                place[key] = _tidy_text(value, names)
    if "traceback" in output:
        output.traceback = [_tidy_text(line, names) for line in output.traceback]


def _tidy_text(text: str, names: dict[str, str]) -> str:
    for path, name in names.items():
        text = text.replace(path, name)
    for random in set(_STYLED.findall(text)):  # pandas names a styled table anew each time
        text = text.replace(random, f"T_{text_hash(text.replace(random, ''))[:8]}")
    return _ADDRESS.sub("at 0x…", text)
