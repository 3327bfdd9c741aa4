"""The audit of predictions from its command: one folder, one page, nothing left where input is bad."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from audit.__main__ import main
from audit.report import COLUMNS

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A classifier that misses the women of one class, whose name is hostile."""
    folder = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(0)
    n = 600
    truth, women = rng.choice([HOSTILE, "=cmd|'/C'!A0", "clerk"], n), rng.random(n) < 0.5
    right = rng.random(n) < np.where((truth == HOSTILE) & women, 0.4, 0.9)
    rows = {"truth": truth, "prediction": np.where(right, truth, "clerk")}
    rows["gender"] = np.where(women, "F", "M")
    pd.DataFrame(rows).to_csv(folder / "own_rows.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def report(files):
    out = files / "report"
    arguments = ["predictions", str(files / "own_rows.csv"), "--out", str(out), "--draws", "200"]
    assert main(arguments) == 0
    return out


def test_an_audit_leaves_one_folder_with_all_its_files(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    figures = {f"figures/differences.{kind}" for kind in ("svg", "pdf", "png", "csv")}
    assert names == {"report.html", "scores.csv", "methods.md", "run.json", "audit.ipynb", *figures}
    scores = pd.read_csv(report / "scores.csv")
    assert list(scores.columns) == [*COLUMNS, "system"]
    tested = scores[scores["p"].notna()]
    assert len(tested) == 9 and (tested["smallest_p"] <= tested["p"]).all()
    run = json.loads((report / "run.json").read_text())
    assert "own_rows.csv@sha256:" in run["read"]["own_rows.csv"] and run["kind"] == "predictions"
    assert "@inproceedings{dearteaga2019," in (report / "methods.md").read_text()


def test_the_page_says_what_was_planted_and_runs_nothing_of_the_words(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page)
    assert page.index("You may say") < page.index("Better than chance first")
    first_screen = page[: page.index("What was read")]
    assert "1 of 3 classes</strong> have a gap of their own" in first_screen
    assert "own_rows.csv" in first_screen and "&amp;#95;" not in first_screen
    assert "form <em>classifier</em>" in page
    assert "=cmd" not in re.sub(r"'=cmd", "", (report / "scores.csv").read_text())


def test_what_is_no_better_than_chance_is_said_first_and_not_compared(files):
    rng = np.random.default_rng(1)
    rows = {name: rng.choice(["yes", "no"], 200) for name in ("truth", "prediction")}
    rows["gender"] = rng.choice(["F", "M"], 200)
    pd.DataFrame(rows).to_csv(files / "blind.csv", index=False)
    out = files / "blind"
    assert main(["predictions", str(files / "blind.csv"), "--out", str(out), "--draws", "99"]) == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    first_screen = page[: page.index("What was read")]
    assert "no more answers are right than chance gives" in first_screen
    assert "You may say" not in first_screen and not list((out / "figures").iterdir())
    assert pd.read_csv(out / "scores.csv").empty


BAD = {
    "no file": ([], "files: expected pronoun predictions"),
    "a file that is not there": (["nowhere.csv"], "nowhere.csv"),
    "another form": (["{own}/own_rows.csv", "--form", "twins"], "pair is missing"),
    "a form that is none": (["{own}/own_rows.csv", "--form", "twin"], "did you mean 'twins'"),
    "a column that is none": (
        ["{own}/own_rows.csv", "--columns", "truth=y"],
        "one column 'y' for truth",
    ),
    "one label": (["{own}/own_rows.csv", "--labels", "F"], "two different labels"),
    "a name that is none": (["{own}/own_rows.csv", "-p", "goldd=3"], "gold"),
    "too few draws": (["{own}/own_rows.csv", "--draws", "9"], "draws: expected a whole number"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line_and_leaves_nothing(name, files, capsys, tree):
    arguments, said = BAD[name]
    before = tree(files)
    out = ["--out", str(files / "none")]
    assert main(["predictions", *(part.format(own=files) for part in arguments), *out]) == 2
    line = capsys.readouterr().err.strip()
    assert said.lower() in line.lower() and "\n" not in line and "Traceback" not in line
    assert tree(files) == before
