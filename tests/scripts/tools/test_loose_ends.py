"""What is forgotten is named in one line that says what to do, and nothing is forgotten."""

import pytest

from scripts.tools.loose_ends import loose_ends

REGISTRY = "key,url,hash,bytes,license,description\n"
METRICS = "metric,meaning,kind\n"
CLAIMS = "claim_id,location,metric,value\n"
SCOPE = {"data/claims/scope/doe2020_words.csv": "claims,data\ndoe2020_words.*,any\n"}
FORGOTTEN = {
    "an export": (
        {
            "lib/measures/__init__.py": "__all__ = []",
            "lib/measures/fresh.py": "def fresh():\n    return 1",
        },
        [
            "lib/measures/fresh.py: nothing but tests imports it: export it in lib/measures/__init__.py"
        ],
    ),
    "a test of a reader": (
        {
            "lib/datasets/doe.py": "from lib.sources import fetch\nfetch('doe_words')",
            "scripts/uses.py": "import lib.datasets.doe",
            "data/registry.csv": f"{REGISTRY}doe_words,,,,MIT,words\n",
        },
        ["lib/datasets/doe.py: no test imports this reader: write tests/lib/datasets/test_doe.py"],
    ),
    "test and user of one reader of two": (
        {
            "studies/doe/doe.py": "from lib.sources import fetch\ndef old():\n    return _get('a')\n"
            "def new():\n    return _get('b')\ndef _get(key):\n    return fetch(key)",
            "scripts/uses.py": "from studies.doe.doe import old",
            "tests/test_doe.py": "from studies.doe import doe\ndoe.old()",
        },
        [
            "studies/doe/doe.py: no test names the reader new: test it in tests/studies/doe/test_doe.py",
            "studies/doe/doe.py: nothing calls the reader new: use it in a chapter, or delete it",
        ],
    ),
    "a licence and a description": (
        {
            "data/registry.csv": f"{REGISTRY}doe_words,,,,,\n",
            "scripts/uses.py": "key = 'doe_words'",
        },
        ["data/registry.csv: doe_words has no license and no description: write what"],
    ),
    "a reader": (
        {
            "data/registry.csv": f"{REGISTRY}doe_words,,,,MIT,words\ndoe_part_b,,,,MIT,b\ndoe_sum_b,,,,MIT,b\n",
            "scripts/uses.py": "key = f'doe_part_{letter}'\nother = 'doe_sum_' + letter",
            "data/profiles/sample.yml": "chapters: {doe: {data: [doe_words]}}",
        },
        ["data/registry.csv: nothing reads doe_words: name it in a reader"],
    ),
    "the place of a metric": (
        {
            **SCOPE,
            "data/claims/metrics.csv": f"{METRICS}a,,\nd,,\nb,,\nc,,\n",
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n2,,b,\n3,,c,\n4,,d,\n",
        },
        ["data/claims/metrics.csv: the line of 'd' belongs behind that of 'c'"],
    ),
    "the line of a metric, and one of none": (
        {
            **SCOPE,
            "data/claims/metrics.csv": f"{METRICS}a,,\nz,,\n",
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n2,,b,\n",
        },
        [
            "data/claims/metrics.csv: no claim has the metric 'z': take its line out",
            "data/claims/metrics.csv: 'b', a metric of doe2020_words, has no line: write one behind that of 'a'",
        ],
    ),
    "the claims of one paper, the scope of another": (
        {
            "data/claims/doe2019_empty.csv": CLAIMS,
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n",
            "data/claims/metrics.csv": f"{METRICS}a,,\n",
        },
        [
            "data/claims/doe2019_empty.csv: no claim is in it: delete it",
            "data/claims/scope/doe2020_words.csv: a line for doe2020_words.* is missing: write which",
        ],
    ),
    "the data of a paper": (
        {
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n",
            "data/claims/scope/doe2020_words.csv": "claims,data\ndoe2020_words.*,\n",
            "data/claims/metrics.csv": f"{METRICS}a,,\n",
        },
        ["data/claims/scope/doe2020_words.csv: no line has data: write from which"],
    ),
    "a row of the map": (
        {
            "pages/what_we_learned.md": "| [Doe](chapters/doe.ipynb) | to be filled in | words | – |\n"
        },
        [
            "pages/what_we_learned.md: the row of [Doe](chapters/doe.ipynb) still says 'to be filled in'"
        ],
    ),
    "a goal": (
        {"data/course.yml": 'parts:\n  - chapters:\n      doe: {goal: "to be filled in"}\n'},
        ["data/course.yml: the goal of doe still says 'to be filled in'"],
    ),
    "a reference": (
        {
            "references.bib": "@book{full, title = {All}}\n@book{doe2020,\n author = {to be filled in}}"
        },
        ["references.bib: doe2020 still says 'to be filled in'"],
    ),
}


@pytest.mark.parametrize("what", FORGOTTEN)
def test_what_is_forgotten_is_named_with_what_to_do(what, tmp_path):
    files, expected = FORGOTTEN[what]
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = loose_ends(tmp_path)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected)), found
