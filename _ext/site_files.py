"""Sphinx extension: the files that chapters offer beside their page, written into `_static/files`.

An output of a chapter that has such files carries them in its metadata, as `site_files`: content by
name. So they come from the run that made the page, whatever the page shows of them.
"""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx


def write_site_files(app: Sphinx, error: Exception | None) -> None:
    """Write the files of all chapters of a site that was built."""
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "_static" / "files"
    for document in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(document))
        text = source.read_text(encoding="utf-8") if source.suffix == ".ipynb" else ""
        if '"site_files"' not in text:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for cell in json.loads(text)["cells"]:
            for output in cell.get("outputs", ()):
                for name, content in output.get("metadata", {}).get("site_files", {}).items():
                    (folder / Path(name).name).write_text(content, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.connect("build-finished", write_site_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
