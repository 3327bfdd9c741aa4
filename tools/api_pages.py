"""The pages of the library, one for each room, every public module listed: python -m tools.api_pages [--check]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lib.paths import LIBRARY, ROOT
from tools.rooms import rooms

FOLDER = ROOT / "api"


def modules(room: str, library: Path = LIBRARY) -> list[str]:
    """The public modules of a room, the package itself first."""
    folder = library / room
    if not folder.is_dir():
        return [f"lib.{room}"]
    names = []
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(library.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
            if path.parent != folder:
                continue
        if not any(part.startswith("_") for part in parts):
            names.append(".".join(parts))
    return sorted(names, key=lambda name: (name != f"lib.{room}", name))


def page(room: str) -> str:
    """The Markdown of one room's page."""
    names = modules(room)
    # a package shows what its modules hold, each once: its own names are theirs
    directives = [
        f".. automodule:: {name}\n" + "   :members:\n" * (name != f"lib.{room}" or len(names) == 1)
        for name in names
    ]
    body = "\n".join(directives)
    return f"# `lib.{room}`\n\n```{{eval-rst}}\n{body}```\n"


def pages() -> dict[Path, str]:
    """Every page by its path, the page that lists them included."""
    entries = rooms()
    front = "\n".join(
        f"- [`lib.{name}`](api/{name}.md): {purpose}" for name, purpose, *_ in entries
    )
    listing = (
        "# The `lib` package\n\nEverything that a chapter calls, package by package. Functions take arrays first; results are small frozen\n"
        "dataclasses; nothing prints, draws at import, or keeps global state. Shapes: `n` words, `d` dimensions,\n"
        "`p` base pairs, `c` classes. Word-level measures are female first: positive leans female.\n"
        "[Architecture](architecture.md) shows which package may import which. To start with your own vectors, see\n"
        "[Questions and answers](faq-own).\n\n"
        f"{front}\n"
    )
    return {ROOT / "api.md": listing} | {
        FOLDER / f"{entry[0]}.md": page(entry[0]) for entry in entries
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 when a page is out of date"
    )
    check = parser.parse_args().check
    wanted = pages()
    stale = [
        path for path, text in wanted.items() if not path.is_file() or path.read_text() != text
    ]
    superfluous = [path for path in FOLDER.glob("*.md") if path not in wanted]
    if check:
        for path in [*stale, *superfluous]:
            print(f"{path.relative_to(ROOT)} is out of date: run `make lint`")
        return 1 if stale or superfluous else 0
    FOLDER.mkdir(exist_ok=True)
    for path in stale:
        path.write_text(wanted[path])
    for path in superfluous:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
