"""Sphinx extension: the files that chapters offer beside their page, written into `_static/files`.

An output of a chapter that has such files carries them in its metadata, as `site_files`: content by
name. So they come from the run that made the page, whatever the page shows of them. The copy of the
notebook that a reader downloads does without them, without the data of its figures, which is beside them
on the page, and without figures as SVG, which JupyterLab draws only where the notebook was run: the
caption stands in their place.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from sphinx.application import Sphinx

FIGURE_DATA = re.compile(r'<details class="figure-data">.*?</details>', re.DOTALL)


def write_site_files(app: Sphinx, error: Exception | None) -> None:
    """Write the files of all chapters of a site that was built."""
    if error or app.builder.name != "html":
        return
    site = Path(app.outdir)
    for document in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(document))
        if source.suffix == ".ipynb":
            notebook = json.loads(source.read_text(encoding="utf-8"))
            for name, content in taken_out(notebook).items():
                path = site / "_static" / "files" / Path(name).name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            copy = site / "_sources" / f"{document}.ipynb"
            if copy.is_file():
                leave_figures_out(notebook)
                text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
                copy.write_text(text + "\n", encoding="utf-8")


def taken_out(notebook: dict) -> dict[str, str]:
    """The files of a notebook by name; they are no longer in it."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    files = [output.get("metadata", {}).pop("site_files", {}) for output in outputs]
    return {name: content for held in files for name, content in held.items()}


def leave_figures_out(notebook: dict) -> None:
    """Outputs keep what JupyterLab shows of them, less the links that hold the data of a figure."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "text/html" in data:
                html = "".join(data["text/html"])
                data["text/html"] = FIGURE_DATA.sub("", html)
            if len(data) > 1:
                data.pop("image/svg+xml", None)
                output["metadata"].pop("image/svg+xml", None)


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.connect("build-finished", write_site_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
