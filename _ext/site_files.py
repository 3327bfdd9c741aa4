"""Sphinx extension: the files that chapters offer beside their page, written into `_static/files`.

An output of a chapter that has such files carries them in its metadata, as `site_files`: content by
name. So they come from the run that made the page, whatever the page shows of them. One whose name
ends in `.gz` or `.zip` is compressed.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

from sphinx.application import Sphinx

from runner import executed


def write_site_files(app: Sphinx, error: Exception | None) -> None:
    """Write the files of all chapters of a site that was built."""
    if error or app.builder.name != "html":
        return
    site = Path(app.outdir)
    for source in executed.of(app).merged.values():
        notebook = json.loads(source.read_text(encoding="utf-8"))
        for name, content in files_of(notebook).items():
            path = site / "_static" / "files" / Path(name).name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packed(path.name, content.encode()))


def packed(name: str, data: bytes) -> bytes:
    """What a file of this name holds: the same data give the same bytes."""
    if name.endswith(".gz"):
        return gzip.compress(data, mtime=0)
    if not name.endswith(".zip"):
        return data
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        member = zipfile.ZipInfo(name.removesuffix(".zip"))
        member.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(member, data)
    return held.getvalue()


def files_of(notebook: dict) -> dict[str, str]:
    """The files of a notebook by name."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    files = [output.get("metadata", {}).get("site_files", {}) for output in outputs]
    return {name: content for held in files for name, content in held.items()}


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.connect("build-finished", write_site_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
