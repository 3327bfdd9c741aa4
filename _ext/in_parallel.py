"""Sphinx extension: pages are read and written by several processes.

Sphinx does so only where each extension says that it can. Three of those that Jupyter Book brings do not say so: they add styles,
number the parts once all pages are read, or act in LaTeX alone.
"""

from __future__ import annotations

from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx

SAFE = ("sphinx_jupyterbook_latex", "sphinx_multitoc_numbering", "sphinx-mathjax-offline")


def declare(app: Sphinx) -> None:
    """Say it for them."""
    for name in SAFE:
        if name in app.extensions and app.extensions[name].parallel_read_safe is None:
            app.extensions[name].parallel_read_safe = True


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    group = "pybtex.backends"
    for name in ("docutils", "plaintext"):  # else each citation looks through all packages
        register_plugin(group, name, find_plugin(group, name), force=True)
    app.connect("builder-inited", declare)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
