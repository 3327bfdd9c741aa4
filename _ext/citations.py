"""Sphinx extension: the plugins that write a citation are looked for once, not among all packages for each citation."""

from __future__ import annotations

from pybtex.plugin import find_plugin, register_plugin
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    group = "pybtex.backends"
    for name in ("docutils", "plaintext"):
        register_plugin(group, name, find_plugin(group, name), force=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
