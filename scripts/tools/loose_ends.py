"""What is easily forgotten when something is added, a line each that says what to do: python -m scripts.tools.loose_ends

A module that nothing uses or exports, a data set without a reader, a test or a user of it, a paper's file without claims, a metric
without its line or in the wrong place, a reference or a row of the map that is not filled in, an example of a report that the audit
would not make any more. Exit code 1 where there is any. What is named only by parts of a string in another way than
`f"doe_{part}"` or `"doe_" + part` is not seen: such a data set is named in the docstring of its reader.
"""

from __future__ import annotations

import ast
import bisect
import csv
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lib.command import command
from lib.paths import ROOT
from scripts.tools.examples import stale
from scripts.tools.rooms import cells

PLACEHOLDER = "to be filled in"
CODE = ("audit", "lib", "studies")
# Registered before their use was known, and read by nothing since; each change of the registry makes every chapter run again, so
# that they go with the next one.
SPARE = {
    "bolukbasi_definitional_pairs",
    "zhang_professions",
    "zhang_equalize_pairs",
    "zhang_gender_specific_full",
    "vecto_mturk_771",
    "vecto_simlex999",
    "kurita_google_job_skills",
    "garg_adjectives_appearance",
    "garg_adjectives_intelligencegeneral",
    "garg_female_pairs",
    "garg_male_pairs",
    "winogender_all_sentences",
    "winomt_human_italian_it_in",
    "winomt_human_bing_it_in_it_in",
    "winomt_human_ru_2_google_ru_in",
    "winomt_human_ru_google_ru_in",
    "winomt_human_uk_google_gold_uk_in",
    "winomt_wmt20_de",
    "winomt_wmt20_ru",
    "prates_results_by_adjective_dat",
    "prates_results_by_category_dat",
    "prates_results_by_occupation_dat",
    "conceptor_notebook_weat_final",
    "conceptor_notebook_bert_cn",
    "winobias_generalized_swaps",
    "ionita_gap_test_frozen_2",
    "gendered_words_wordnet",
    "gsent_gender",
    "nltk_vader_lexicon",
    "genderous_occupations",
    # what the authors' own numbers are checked against, by a test alone
    "gsent_run_results",
    "ionita_gap_test_corrected",
}
USERS = (*CODE, "runner", "scripts", "_ext", "chapters")
KEY = re.compile(r"\w+(?:[.+-]\w+)*")


def loose_ends(root: Path = ROOT) -> list[str]:
    """All that is forgotten, a line each."""
    return [
        *unused(root),
        *untested_readers(root),
        *unread(root),
        *unclaimed(root),
        *metrics(root),
        *to_be_filled_in(root),
        *stale(root),
    ]


def unused(root: Path = ROOT) -> Iterator[str]:
    """Modules of lib and studies that nothing but tests imports; in a package that exports names, what to export."""
    used = set().union(*(imported(path) for path in sources(root, *USERS)))
    for path in sources(root, *CODE):
        parts = path.relative_to(root).with_suffix("").parts
        if path.suffix != ".py" or parts[-1] in ("__init__", "__main__") or _runs(path):
            continue
        if ".".join(parts) not in used:
            front = path.with_name("__init__.py")
            exports = front.is_file() and "__all__" in front.read_text(encoding="utf-8")
            way = f"export it in {front.relative_to(root)}, " if exports else ""
            yield f"{path.relative_to(root)}: nothing but tests imports it: {way}use it in a chapter, or delete it"


def untested_readers(root: Path = ROOT) -> Iterator[str]:
    """Readers of data sets that no test imports, or names, and those that nothing calls."""
    tests = sources(root, "tests")
    tested = set().union(*(imported(path) for path in tests))
    users = sources(root, *USERS)
    for path in sources(root, *CODE):
        parts = path.relative_to(root).with_suffix("").parts
        reads = parts[:2] == ("lib", "datasets") or {"lib.sources.fetch"} & imported(path)
        module = ".".join(parts)
        place = "/".join(("tests", *parts[:-1], f"test_{parts[-1]}.py"))
        if path.suffix == ".py" and reads and parts[-1] != "__init__" and module not in tested:
            yield f"{path.relative_to(root)}: no test imports this reader: write {place}"
            continue
        for name in readers(path) if path.suffix == ".py" else ():
            if not any(uses(path, module, name) for path in tests):
                yield f"{path.relative_to(root)}: no test names the reader {name}: test it in {place}"
            if not any(uses(user, module, name) for user in users):
                yield f"{path.relative_to(root)}: nothing calls the reader {name}: use it in a chapter, or delete it"


def readers(path: Path) -> list[str]:
    """The public functions of a module that get registered files and that it does not call itself."""
    if "lib.sources.fetch" not in imported(path):
        return []
    body = ast.parse(path.read_text(encoding="utf-8")).body
    called = {
        node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        for node in body
        if isinstance(node, ast.FunctionDef)
    }
    fetching: set[str] = set()
    while more := {name for name in called if called[name] & {"fetch", *fetching}} - fetching:
        fetching |= more
    inside = {name for user, names in called.items() for name in names - {user}}
    return sorted(name for name in fetching - inside if not name.startswith("_"))


def unread(root: Path = ROOT) -> Iterator[str]:
    """Registered files without licence or description, and those that nothing names: no code, no lexicon, no paper's scope. A
    profile names what it fetches, whether or not anything reads it.
    """
    registry = root / "data" / "registry.csv"
    if not registry.is_file():
        return
    named: set[str] = set()
    made: set[str] = set()
    for path in sources(root, *USERS):
        text = cells(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
        named.update(KEY.findall(text))
        made.update(composed(text))
    places = ("data/lexicons", "data/claims", "data/statistics", "data/wordnet")
    for path in (path for place in places for path in (root / place).rglob("*")):
        if path.suffix in (".csv", ".json", ".yml", ".md"):
            named.update(KEY.findall(path.read_text(encoding="utf-8")))
    shape = re.compile("|".join(sorted(made)) or "(?!)")
    for row in _rows(registry):
        if missing := [what for what in ("license", "description") if row[what] == ""]:
            yield f"data/registry.csv: {row['key']} has no {' and no '.join(missing)}: write what its source says"
        if row["key"] not in named | SPARE and not shape.fullmatch(row["key"]):
            yield (
                f"data/registry.csv: nothing reads {row['key']}: name it in a reader in lib/datasets or in the study of its chapter, "
                "or take it out"
            )


def composed(source: str) -> Iterator[str]:
    """The f-strings and sums of some code that may be keys, as regular expressions."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.left, ast.Constant)
            and re.fullmatch(r"[a-z]{2}\w*_\w*", str(node.left.value))
        ):
            yield f"{node.left.value}\\w*"
        if isinstance(node, ast.JoinedStr):
            parts = [
                re.escape(part.value) if isinstance(part, ast.Constant) else r"\w+"
                for part in node.values
            ]
            if re.fullmatch(r"(\w|\\w\+|\\[-.])+", "".join(parts)) and re.search(
                r"[a-z]{2}", parts[0]
            ):
                yield "".join(parts)


def unclaimed(root: Path = ROOT) -> Iterator[str]:
    """Files of papers that hold no claim, claims without a scope, and scopes that do not say on which data."""
    folder = root / "data" / "claims"
    for path in sorted(folder.glob("*_*.csv")):
        scope = folder / "scope" / path.name
        if not _rows(path):
            yield f"data/claims/{path.name}: no claim is in it: delete it until the first printed number"
        elif not scope.is_file() or not _rows(scope):
            yield (
                f"data/claims/scope/{path.name}: a line for {path.stem}.* is missing: write which chapter answers, "
                "see data/claims/README.md"
            )
        elif not any(rule.get("data") for rule in _rows(scope)):
            yield (
                f"data/claims/scope/{path.name}: no line has data: write from which a result is on the paper's own, "
                "a registry key, any or unreleased"
            )


def metrics(root: Path = ROOT) -> Iterator[str]:
    """Metrics of claims without their line in metrics.csv, lines without a claim, and lines out of order."""
    folder = root / "data" / "claims"
    if not (folder / "metrics.csv").is_file():
        return
    listed = [row["metric"] for row in _rows(folder / "metrics.csv")]
    claimed = {
        row["metric"]: path.stem
        for path in sorted(folder.glob("*_*.csv"))
        for row in _rows(path)
        if row.get("metric")
    }
    right = sorted(set(listed) | {*claimed})
    for number, name in enumerate(listed):
        if name not in claimed:
            yield f"data/claims/metrics.csv: no claim has the metric {name!r}: take its line out"
        elif name in listed[:number]:
            yield f"data/claims/metrics.csv: {name!r} stands there twice"
    for name in _out_of_order(listed):
        yield f"data/claims/metrics.csv: the line of {name!r} belongs {_place(name, right)}"
    for name in sorted(claimed.keys() - set(listed)):
        yield (
            f"data/claims/metrics.csv: {name!r}, a metric of {claimed[name]}, has no line: write one {_place(name, right)}"
        )


def to_be_filled_in(root: Path = ROOT) -> Iterator[str]:
    """What `--new` wrote into bibliography, map and course, and nobody has filled in."""
    path = root / "references.bib"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for entry in re.split(r"^(?=@)", text, flags=re.MULTILINE):
        if PLACEHOLDER in entry:
            key = entry.partition("{")[2].partition(",")[0]
            yield f"references.bib: {key} still says {PLACEHOLDER!r}: write who its authors are and where it appeared"
    page = root / "pages" / "what_we_learned.md"
    for line in page.read_text(encoding="utf-8").splitlines() if page.is_file() else ():
        if PLACEHOLDER in line:
            chapter = line.strip("| ").partition(" |")[0]
            yield f"pages/what_we_learned.md: the row of {chapter} still says {PLACEHOLDER!r}: write what it measures, and on which data"
    course = root / "data" / "course.yml"
    for line in course.read_text(encoding="utf-8").splitlines() if course.is_file() else ():
        if PLACEHOLDER in line:
            chapter = line.strip().partition(":")[0]
            yield f"data/course.yml: the goal of {chapter} still says {PLACEHOLDER!r}: write what its reader can do afterwards"


def sources(root: Path, *places: str) -> list[Path]:
    """Python files and notebooks below folders."""
    found = (path for place in places for path in (root / place).rglob("*"))
    return sorted(path for path in found if path.suffix in (".py", ".ipynb") and path.is_file())


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules, and names in modules, that a file imports; of a package that imports names when they are asked for, these
    modules too."""
    source = cells(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
    tree, names = ast.parse(source), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            package = ".".join(path.parent.parts[-_depth(path) :])
            names |= {f"{package}.{home}" for home in ast.literal_eval(node.value).values()}
    return frozenset(names)


def uses(path: Path, module: str, name: str) -> bool:
    """Whether a file imports a name of a module, or the module and writes the name behind a dot."""
    names = imported(path)
    return f"{module}.{name}" in names or (module in names and name in attributes(path))


@cache
def attributes(path: Path) -> frozenset[str]:
    """All that stands behind a dot in a file's code."""
    source = cells(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(source))
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))


def _depth(path: Path) -> int:
    """How many packages a module lies in."""
    return next(
        depth for depth, folder in enumerate(path.parents) if not (folder / "__init__.py").is_file()
    )


def _runs(path: Path) -> bool:
    """Whether a module is a command, which nothing needs to import."""
    return '__name__ == "__main__"' in path.read_text(encoding="utf-8")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _out_of_order(names: list[str]) -> list[str]:
    """The fewest names that have to move for the others to be in order."""
    ends: list[str] = []  # the last names of the longest ordered runs of each length
    places: list[int] = []
    before: list[int] = [-1] * len(names)
    for number, name in enumerate(names):
        length = bisect.bisect_left(ends, name)
        ends[length : length + 1] = [name]
        places[length : length + 1] = [number]
        before[number] = places[length - 1] if length else -1
    kept, number = set(), places[-1] if places else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return [name for number, name in enumerate(names) if number not in kept]


def _place(name: str, names: list[str]) -> str:
    """Where a name belongs among sorted ones, in words."""
    place = names.index(name)
    return f"behind that of {names[place - 1]!r}" if place else "first"


@command()
def main() -> int:
    found = loose_ends()
    print("\n".join(found) or "loose ends: none")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
