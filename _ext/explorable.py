"""Sphinx extension: the directive `explorable`, a widget on any page, with the data that a chapter wrote.

```{explorable} your-word
What is read where no script runs, or where the chapter was not run.
```
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from lib.paths import ROOT

SCRIPTS = ROOT / "_static" / "explorables"


class Explorable(SphinxDirective):
    """The place of a widget; its content is the fallback."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        known = sorted(path.stem for path in SCRIPTS.glob("*.js"))
        if name not in known:
            raise self.error(f"explorable: expected one of {', '.join(known)}, got {name!r}")
        before = f'<div class="explorable mathjax_ignore" id="{name}" data-explorable="{name}"><div class="explorable-fallback">'
        return [
            nodes.raw("", before, format="html"),
            *self.parse_content_to_nodes(),
            nodes.raw("", "</div></div>", format="html"),
        ]


def leave_scripts_for_later(app: Sphinx, config: Config) -> None:
    """Jupyter Book puts every script below `_static` on every page; these are loaded when asked for."""
    later = {f"{SCRIPTS.name}/{path.name}" for path in SCRIPTS.glob("*.js")}
    config.html_js_files = [script for script in config.html_js_files if script not in later]


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("explorable", Explorable)
    app.connect("config-inited", leave_scripts_for_later)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
