"""Normalise the chapters' notebooks and check the house rules that a general linter does not know.

python .ci/notebooks.py [--fix] [NOTEBOOK ...]      exit code 1 when a rule is broken (with --fix: that cannot be mended)
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = [
    "The question",
    "The idea in one picture",
    "The measure",
    "The data",
    "The run",
    "Paper against run",
    "What breaks it",
    "What to trust",
    "Try it",
]
LONGEST = 20
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
DECIMAL = re.compile(r"(?<![\w.])[-−]?\d*\.\d+")
NOT_PROSE = re.compile(r"`+[^`]*`+|\]\([^)]*\)|https?://\S+")


def normalised(notebook: dict) -> dict:
    """The notebook as it is committed: no outputs, no counts, no language_info, only tags as metadata."""
    cells = []
    for cell in notebook["cells"]:
        tags = cell["metadata"].get("tags")
        kept = {
            "cell_type": cell["cell_type"],
            "id": cell.get("id", ""),
            "metadata": {"tags": tags} if tags else {},
        }
        if cell["cell_type"] == "code":
            kept |= {"execution_count": None, "outputs": []}
        source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
        cells.append(kept | {"source": source.rstrip().splitlines(keepends=True)})
    return {"cells": cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}


def rendered(notebook: dict) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def complaints(name: str, notebook: dict) -> list[str]:
    """What the house rules have against this notebook, a sentence each."""
    cells = [(cell, "".join(cell["source"])) for cell in notebook["cells"]]
    code = [(cell, source) for cell, source in cells if cell["cell_type"] == "code"]
    prose = "\n".join(source for cell, source in cells if cell["cell_type"] == "markdown")
    found = []
    ids = [cell["id"] for cell, _ in cells]
    found += [
        f"cell id {i!r} is not a readable name"
        for i in ids
        if not re.fullmatch(r"[a-z][a-z0-9-]{2,40}", i)
    ]
    found += [f"cell id {i!r} stands twice" for i in sorted({i for i in ids if ids.count(i) > 1})]
    found += [
        f"cell {c['id']!r} has {n} lines (at most {LONGEST}): let lib or two cells carry it"
        for c, s in code
        if (n := len(s.splitlines())) > LONGEST
    ]
    found += [f"cell {c['id']!r} records a literal value" for c, s in code if records_literal(s)]
    found += [
        f"a decimal typed into Markdown is no printed claim of a paper cited here: {number}"
        for number in typed_decimals(prose)
    ]
    found += parameter_complaints(code)
    headings = re.findall(r"^## (.+)$", prose, flags=re.M)
    if "The measure" in headings and [h for h in headings if h in SECTIONS] != SECTIONS:
        found.append(f"sections are {headings}, expected in this order {SECTIONS}")
    return [f"{name}: {complaint}" for complaint in found]


def parameter_complaints(code: list[tuple[dict, str]]) -> list[str]:
    if not code or "parameters" not in code[0][0]["metadata"].get("tags", []):
        return ["the first code cell must be tagged 'parameters'"]
    names = [
        t.id
        for node in ast.parse(code[0][1]).body
        if isinstance(node, ast.Assign)
        for t in node.targets
    ]
    missing = {"profile", "seed", "device"} - set(names)
    shown = code[1][1] if len(code) > 1 else ""
    unshown = [name for name in names if not re.search(rf"\b{name}\b", shown)]
    return [f"parameter {name!r} is missing" for name in sorted(missing)] + [
        f"parameter {name!r} is not among the effective parameters printed by the second cell"
        for name in unshown
    ]


def records_literal(source: str) -> bool:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    values = [
        next(
            (k.value for k in call.keywords if k.arg == "value"),
            call.args[1] if len(call.args) > 1 else None,
        )
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "record"
    ]
    return any(
        value is not None and not any(isinstance(n, ast.Name) for n in ast.walk(value))
        for value in values
    )


def typed_decimals(prose: str) -> list[str]:
    cited = {
        key.strip()
        for keys in re.findall(r"\{cite[:a-z]*\}`([^`]+)`", prose)
        for key in keys.split(",")
    }
    printed = set()
    for path in (ROOT / "data" / "claims").glob("*_*.csv"):
        if path.stem.split("_")[0] in cited:
            with path.open(encoding="utf-8", newline="") as file:
                printed |= {row["value"] for row in csv.DictReader(file)}
    numbers = DECIMAL.findall(NOT_PROSE.sub(" ", prose))
    return [number for number in numbers if number.replace("−", "-") not in printed]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "notebooks", nargs="*", type=Path, help="default: chapters/*.ipynb and the tests' miniature"
    )
    parser.add_argument("--fix", action="store_true", help="write the normalised form back")
    arguments = parser.parse_args()
    wrong = []
    for path in arguments.notebooks or sorted((ROOT / "chapters").glob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        notebook = normalised(json.loads(text))
        if text != rendered(notebook):
            if arguments.fix:
                path.write_text(rendered(notebook), encoding="utf-8")
            else:
                wrong.append(f"{path.name}: not in normal form; run `make lint`")
        wrong += complaints(path.name, notebook)
    print("\n".join(wrong) or "notebooks: in normal form, house rules kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
