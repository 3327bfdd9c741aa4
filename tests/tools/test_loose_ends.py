"""What is forgotten is named in one line that says what to do, and nothing is forgotten."""

import pytest

from tools.loose_ends import loose_ends

REGISTRY = "key,url,hash,bytes,license,description\n"
METRICS = "metric,meaning,kind\n"
CLAIMS = "claim_id,location,metric,value\n"
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
            "tools/uses.py": "import lib.datasets.doe",
            "data/registry.csv": f"{REGISTRY}doe_words,,,,,\n",
        },
        ["lib/datasets/doe.py: no test imports this reader: write tests/lib/datasets/test_doe.py"],
    ),
    "a reader": (
        {
            "data/registry.csv": f"{REGISTRY}doe_words,,,,,\ndoe_part_b,,,,,\n",
            "tools/uses.py": "key = f'doe_part_{letter}'",
        },
        ["data/registry.csv: nothing reads doe_words: name it in a reader"],
    ),
    "the place of a metric": (
        {
            "data/claims/metrics.csv": f"{METRICS}a,,\nd,,\nb,,\nc,,\n",
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n2,,b,\n3,,c,\n4,,d,\n",
        },
        ["data/claims/metrics.csv: the line of 'd' belongs behind that of 'c'"],
    ),
    "the line of a metric, and one of none": (
        {
            "data/claims/metrics.csv": f"{METRICS}a,,\nz,,\n",
            "data/claims/doe2020_words.csv": f"{CLAIMS}1,,a,\n2,,b,\n",
        },
        [
            "data/claims/metrics.csv: no claim has the metric 'z': take its line out",
            "data/claims/metrics.csv: 'b', a metric of doe2020_words, has no line: write one behind that of 'a'",
        ],
    ),
    "a reference": (
        {
            "references.bib": "@book{full, title = {All}}\n@book{doe2020,\n author = {to be filled in}}"
        },
        ["references.bib: doe2020 still says {to be filled in}"],
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
