"""The audit of messages from its command: one folder, one page, nothing left where input is bad."""

import csv
import json
import re

import pandas as pd
import pytest

from audit.__main__ import main
from audit.report import COLUMNS
from lib.cultures.biases import word_biases
from lib.embeddings import open_store
from tests.support.own_messages import BASE, THEMES, made_messages

HOSTILE = "<script>alert(1)</script>"
QUICK = ["--dimensions", "12", "--epochs", "12", "--window", "5", "--draws", "99"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Messages of two states in which law is male, and of a place with a hostile name; themes, one with a hostile name."""
    folder = tmp_path_factory.mktemp("own")
    with (folder / "own_messages.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["body", "where"])
        for number, place in enumerate(("Austin, TX", "Ohio")):
            for words in made_messages(1000, True, number):
                rows.writerow([" ".join(words), place])
        rows.writerows([["she and he are here", f"<img src=x onerror=alert({n})>"] for n in "ab"])
    names = {"law": HOSTILE}
    lines = [f"{word},{names.get(name, '=food')}" for name in THEMES for word in THEMES[name]]
    text = "\n".join(["word,group", *lines, f"{HOSTILE},=food"])
    (folder / "themes.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def report(files):
    out = files / "report"
    given = ["--text", "body", "--place", "where", "--themes", str(files / "themes.csv")]
    given += ["--kept", str(files / "kept"), "--out", str(out)]
    assert main(["messages", str(files / "own_messages.csv"), *given, *QUICK]) == 0
    return out


def test_an_audit_leaves_one_folder_with_all_its_files(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    figures = {f"figures/leans.{kind}" for kind in ("svg", "pdf", "png", "csv")}
    assert names == {"report.html", "scores.csv", "methods.md", "run.json", "audit.ipynb", *figures}
    scores = pd.read_csv(report / "scores.csv")
    assert list(scores.columns[: len(COLUMNS)]) == list(COLUMNS)
    tested = scores[scores["p"].notna()]
    assert len(tested) == 6 and (tested["smallest_p"] <= tested["p"]).all()
    run = json.loads((report / "run.json").read_text())
    assert "own_messages.csv@sha256:" in run["read"]["own_messages.csv"]
    assert "@inproceedings{friedman2019," in (report / "methods.md").read_text()


def test_the_page_says_what_was_planted_and_runs_nothing_of_the_words(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    assert (
        "<script>alert" not in page and "&lt;script&gt;alert" in page and "<img src=x" not in page
    )
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page)
    first_screen = page[: page.index("What was read")]
    assert "in <strong>2 of 2 places" in first_screen
    assert "leans male" in first_screen and "You may not say" in first_screen
    assert "=food" not in re.sub(r"'=food", "", (report / "scores.csv").read_text())


def test_plain_leans_are_those_of_the_command_for_cultures_on_the_same_vectors(report, files):
    scores = pd.read_csv(report / "scores.csv").set_index("item")
    stores = {path.name[:2]: path for path in (files / "kept" / "vectors").iterdir()}
    whole = {}
    for code in stores:  # three stores a place: the whole knows the most words
        spaces = map(open_store, (files / "kept" / "vectors").glob(f"{code}-*"))
        whole[code] = max(spaces, key=len)
    means = word_biases(whole, THEMES, *zip(*BASE)).means()
    for code in ("TX", "OH"):
        plain = scores.loc[f"{HOSTILE}, {code}", "plain"]
        assert plain == pytest.approx(means.at[code, "law"], abs=1e-6)


OWN = ["{own}/own_messages.csv", "--text", "body", "--place", "where"]
BAD = {
    "no file": ([], "files: expected a file of messages"),
    "a file that is not there": (["nowhere.csv"], "nowhere.csv"),
    "a column that is none": (["{own}/own_messages.csv", "--text", "bodi"], "did you mean 'body'"),
    "themes that share a word": (
        [*OWN, "--themes", "{own}/twice.csv"],
        "expected each word in one theme, got 'jail' in two",
    ),
    "a fact that is none": (
        [*OWN, "--gap", "earning_ratio"],
        "gap",
    ),
    "a level that is none": (["{own}/own_messages.csv", "--level", "city"], "level: expected"),
    "a name that is none": (["{own}/own_messages.csv", "-p", "themess=3"], "themes"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line_and_leaves_nothing(name, files, capsys, tree):
    arguments, said = BAD[name]
    (files / "twice.csv").write_text("law,fear\njail,jail\n", encoding="utf-8")
    before = tree(files)
    out = ["--out", str(files / "none")]
    assert main(["messages", *(part.format(own=files) for part in arguments), *out]) == 2
    line = capsys.readouterr().err.strip()
    assert said.lower() in line.lower() and "\n" not in line and "Traceback" not in line
    assert tree(files) == before
