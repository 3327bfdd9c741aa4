"""Normalise the chapters' notebooks and check the house rules that a general linter does not know.

python -m scripts.tools.notebooks [--fix] [NOTEBOOK ...]      exit code 1 when a rule is broken (with --fix: that cannot be mended)
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
import sys
from pathlib import Path

from lib.command import command
from lib.files import write_whole

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = [
    "Why it matters",
    "The measure",
    "The data",
    "The run",
    "Paper against run",
    "What breaks it",
    "What to trust",
    "Try it",
]
CHECK = "check-parameters"  # the cell with a rule for each parameter, second where there is one
CLOSED_ROOMS = ("runner", "scripts", "lib.run")  # not for chapters
FOLDED = {"hide-input", "set-up", "picture", "take-away", "solution"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
QUOTED = [(r"(?<![\w*.])\*$", r"[.,]?\*(?!\*)"), (r"<i lang=[^>]*>$", "</i>")]
NAMES = {"name", "source", "word"}  # attributes that hold what somebody else wrote
NUMBER_FORMAT = re.compile(r"[,defgn%EFG]['\"]?$")
DECIMAL = re.compile(r"(?<![\w.])[-−]?\d*\.\d+")
NOT_PROSE = re.compile(r"`+[^`]*`+|\]\([^)]*\)|https?://\S+")

RECORDING = ("ledger.answer", "ledger.record", "ledger.record_frame")


def normalised(notebook: dict) -> dict:
    """The notebook as it is committed: no outputs, no counts, no language_info, tags as the only metadata.

    What the page folds away as set-up, or as the code of its first screen, is folded in JupyterLab as well, and a solution
    with its output.
    """
    cells = []
    for cell in notebook["cells"]:
        tags = cell["metadata"].get("tags")
        metadata = {"tags": tags} if tags else {}
        if cell["cell_type"] == "code" and "parameters" not in (tags or ()):
            folded = {"source_hidden": True} if FOLDED & {*(tags or ())} else {}
            folded |= {"outputs_hidden": True} if "solution" in (tags or ()) else {}
            metadata |= {"jupyter": folded} if folded else {}
        kept = {
            "cell_type": cell["cell_type"],
            "id": cell.get("id", ""),
            "metadata": metadata,
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
    found += [f"cell {c['id']!r} records a literal value" for c, s in code if records_literal(s)]
    found += [
        f"a decimal typed into Markdown is no printed claim of a paper cited here: {number}"
        for number in typed_decimals(prose)
    ]
    found += parameter_complaints(code)
    found += [f"cell {c['id']!r} {complaint}" for c, s in code for complaint in code_complaints(s)]
    headings = re.findall(r"^## (.+)$", prose, flags=re.M)
    if "The measure" in headings and [h for h in headings if h in SECTIONS] != SECTIONS:
        found.append(f"sections are {headings}, expected in this order {SECTIONS}")
    return [f"{name}: {complaint}" for complaint in found]


def code_complaints(source: str) -> list[str]:
    """What the house rules have against the code of one cell."""
    complaints = []
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module, names = node.module or "", [alias.name for alias in node.names]
            if (
                any(part.startswith("_") for part in [*module.split("."), *names])
                and module != "__future__"
            ):
                complaints.append(f"imports something private from {module}")
            if any(f"{module}.".startswith(f"{room}.") for room in CLOSED_ROOMS):
                complaints.append(f"imports from {module}, which is not for chapters")
            if module == "IPython.display":
                complaints.append("displays by itself: lib.pages and lib.plots have what is safe")
            if module == "lib.sources" and "fetch" in names:
                complaints.append("reads a registered file by itself: lib.datasets does that")
    passed = {
        id(given) for node in nodes if isinstance(node, ast.Call) for given in arguments(node)
    }
    if any(isinstance(node, ast.Lambda) and id(node) not in passed for node in nodes):
        complaints.append("stores a lambda: write a function, or pass it where it is used")
    if any(isinstance(node, ast.FormattedValue) and chooses_words(node) for node in nodes):
        complaints.append("chooses words inside an f-string: choose first, then write the sentence")
    if ends_in_a_record(tree) and not source.rstrip().endswith(";"):
        complaints.append("shows what it records, as it ends with that: end the line with ;")
    complaints += [
        f"puts {{{shown}}} into Markdown: write {{verbatim({shown})}}, as it may come from outside"
        for shown in unescaped(tree)
    ]
    return complaints


def unescaped(tree: ast.AST) -> list[str]:
    """What f-strings quote as a word or name of something, without `verbatim`.

    What stands between stars or in `<i lang="…">` is a word, a name or a translation, wherever the sentence is made.
    Inside a call that shows Markdown the names of things that were loaded count as well; between backticks they
    are code.
    """
    quoted = [
        place.value
        for text in ast.walk(tree)
        if isinstance(text, ast.JoinedStr)
        for before, place, after in zip(["", *text.values], text.values, [*text.values[1:], ""])
        if isinstance(place, ast.FormattedValue)
        and not is_number(place)
        and any(
            re.search(start, literal(before)) and re.match(end, literal(after))
            for start, end in QUOTED
        )
    ]
    named = [
        place.value
        for shown in shown_as_markdown(tree)
        for text in ast.walk(shown)
        if isinstance(text, ast.JoinedStr)
        for before, place in zip(["", *text.values], text.values)
        if isinstance(place, ast.FormattedValue)
        and isinstance(place.value, ast.Attribute)
        and place.value.attr in NAMES
        and not literal(before).endswith("`")
    ]
    found = {ast.unparse(value): value for value in [*quoted, *named]}
    return [text for text, value in found.items() if not is_verbatim(value)]


def literal(part: ast.expr | str) -> str:
    return part.value if isinstance(part, ast.Constant) else ""


def is_number(place: ast.FormattedValue) -> bool:
    """Whether the format of a placeholder takes nothing but numbers."""
    return place.format_spec is not None and bool(
        NUMBER_FORMAT.search(ast.unparse(place.format_spec))
    )


def is_verbatim(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("verbatim", "pages.verbatim")


def shown_as_markdown(tree: ast.AST) -> list[ast.expr]:
    """What is passed to the calls that show Markdown, and as the caption of a figure."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    shown = [
        given
        for call in calls
        if ast.unparse(call.func) in ("Markdown", "pages.take_away")
        for given in arguments(call)
    ]
    figures = [call for call in calls if ast.unparse(call.func) == "plots.show"]
    return shown + [k.value for call in figures for k in call.keywords if k.arg == "caption"]


def arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def chooses_words(placeholder: ast.FormattedValue) -> bool:
    """Whether an f-string stands inside this place of another one, or a choice between phrases."""
    nodes = list(ast.walk(placeholder.value))
    branches = [
        part for node in nodes if isinstance(node, ast.IfExp) for part in (node.body, node.orelse)
    ]
    phrases = [
        part.value
        for part in branches
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return any(isinstance(node, ast.JoinedStr) for node in nodes) or any(
        " " in text for text in phrases
    )


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
    rest = [(cell["id"], source) for cell, source in code[1:]]
    rules = rest.pop(0)[1] if rest and rest[0][0] == CHECK else None
    shown = rest[0][1] if rest else ""
    unshown = [name for name in names if not re.search(rf"\b{name}\b", shown)]
    unruled = [
        name
        for name in names
        if rules is not None
        and name not in ("profile", "seed", "device")
        and not re.search(rf"\b{name}=", rules)
    ]
    return (
        [f"parameter {name!r} is missing" for name in sorted(missing)]
        + [
            f"parameter {name!r} is not among the effective parameters printed by the second cell"
            for name in unshown
        ]
        + [f"parameter {name!r} has no rule in the cell {CHECK!r}" for name in unruled]
    )


def ends_in_a_record(tree: ast.Module) -> bool:
    """Whether the last line records something, and so displays it."""
    last = tree.body[-1] if tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in RECORDING


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


@command()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of chapters")
    parser.add_argument("--fix", action="store_true", help="write the normalised form back")
    arguments = parser.parse_args()
    wrong = []
    for path in arguments.notebooks or sorted((ROOT / "chapters").rglob("*.ipynb")):
        text = path.read_text(encoding="utf-8")
        notebook = normalised(json.loads(text))
        if text != rendered(notebook):
            if arguments.fix:
                write_whole(path, rendered(notebook))
            else:
                wrong.append(f"{path.name}: not in normal form; run `make lint`")
        wrong += complaints(path.name, notebook)
    print("\n".join(wrong) or "notebooks: in normal form, house rules kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
