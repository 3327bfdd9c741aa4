"""Sphinx extension: the directive `licences`, a table of the packages that the book installs, with the licence that each names."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from docutils import nodes
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

OURS = "bias-measured"


class Licences(SphinxDirective):
    """A row for each package that is installed because the book asks for it, or a package that it asks for."""

    def run(self) -> list[nodes.Node]:
        lines = ["| package | version | licence |", "|---|---|---|"]
        lines += [
            f"| [{one.name}](https://pypi.org/project/{one.name}/) | {one.version} | {licence(one)} |"
            for one in sorted(needed(), key=lambda one: canonicalize_name(one.name))
        ]
        return self.parse_text_to_nodes("\n".join(lines))


def needed() -> Iterator[Distribution]:
    """The packages that the book asks for, and those that these ask for, as far as they are installed."""
    seen, waiting = {OURS}, [OURS]
    while waiting:
        try:
            found = distribution(waiting.pop())
        except PackageNotFoundError:
            continue
        if found.name != OURS:
            yield found
        for text in found.requires or ():
            asked = Requirement(text)
            name = canonicalize_name(asked.name)
            if name not in seen and (asked.marker is None or asked.marker.evaluate({"extra": ""})):
                seen.add(name)
                waiting.append(name)


def licence(package: Distribution) -> str:
    """What a package says of its licence, in its shortest form."""
    metadata = package.metadata
    if named := metadata.get("License-Expression"):
        return str(named)
    classes = [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or ()
        if text.startswith("License ::")
    ]
    first = (metadata.get("License") or "").strip().partition("\n")[0]
    named = ", ".join(classes) or first
    return " ".join(named.replace("|", "/").split())[:80] or "not named: see the package"


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("licences", Licences)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
