"""The pages of the library, one for each package, every public module listed: python -m scripts.tools.api_pages [--check]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lib.command import command
from lib.files import write_whole
from lib.paths import LIBRARY, ROOT
from scripts.tools.rooms import purpose_of, rooms

PAGES = ROOT / "pages"
FOLDER = PAGES / "api"


def packages(place: Path, root: Path = ROOT) -> dict[str, list[str]]:
    """The public modules of a package, or of a module alone, by the package that holds them, each package itself first."""
    if not place.is_dir():
        name = ".".join(place.relative_to(root).with_suffix("").parts)
        return {name: [name]}
    held: dict[str, list[str]] = {}
    for front in sorted(place.rglob("__init__.py")):
        inside = front.parent.relative_to(root).parts
        package = ".".join(inside)
        modules = [path.stem for path in sorted(front.parent.glob("*.py")) if path != front]
        public = [f"{package}.{name}" for name in modules if not name.startswith("_")]
        if not any(part.startswith("_") for part in inside):
            held[package] = [package, *public]
    return held


def page(package: str, modules: list[str]) -> str:
    """The Markdown of one package's page."""
    # a package shows what its modules hold, each once: its own names are theirs
    directives = [
        f".. automodule:: {name}\n" + "   :members:\n" * (name != package or len(modules) == 1)
        for name in modules
    ]
    body = "\n".join(directives)
    return f"# `{package}`\n\n```{{eval-rst}}\n{body}```\n"


def page_of(package: str) -> Path:
    """Where the page of a package is."""
    return FOLDER / f"{package.removeprefix('lib.').replace('.', '-')}.md"


def pages() -> dict[Path, str]:
    """Every page by its path, the page that lists them included."""
    documented = [
        (
            f"lib.{name}",
            purpose,
            LIBRARY / name if (LIBRARY / name).is_dir() else LIBRARY / f"{name}.py",
        )
        for name, purpose, *_ in rooms()
        if not (
            ROOT / name / "__init__.py"
        ).is_file()  # the door of a package that has pages itself
    ]
    documented.append(("audit", purpose_of(ROOT / "audit" / "__init__.py"), ROOT / "audit"))
    front = "\n".join(
        f"- [`{name}`](api/{page_of(name).name}): {purpose}" for name, purpose, _ in documented
    )
    listing = (
        "# The packages `lib` and `audit`\n\nEverything that a chapter calls, package by package. Functions take arrays first; results are small frozen\n"
        "dataclasses; nothing prints, draws at import, or keeps global state. Shapes: `n` words, `d` dimensions,\n"
        "`p` base pairs, `c` classes. Word-level measures are female first: positive leans female.\n"
        "[Architecture](architecture.md) shows which package may import which. To start with your own vectors, see\n"
        "[Questions and answers](faq-own).\n\n"
        f"{front}\n"
    )
    return {PAGES / "api.md": listing} | {
        page_of(package): page(package, modules)
        for _, _, place in documented
        for package, modules in packages(place).items()
    }


@command()
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
        write_whole(path, wanted[path])
    for path in superfluous:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
