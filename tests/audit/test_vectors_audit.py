"""The audit of vectors from its command: one folder, one page, nothing left where input is bad."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from audit.__main__ import main, run_audit
from audit.report import COLUMNS
from lib.files import file_hash
from lib.lexicons import base_pairs, pair_list

JOBS = ["nurse", "mason", "<script>alert(1)</script>", "=cmd|'/C'!A0", "clerk", "poet"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Vectors in which all pairs lie along one axis, words of one's own, and a list that holds a word not there."""
    folder = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(0)
    pairs = [*base_pairs(), *pair_list("known_groups/pairs")]
    words = list(
        dict.fromkeys(
            [word for pair in pairs for word in pair] + JOBS + [f"x{i}" for i in range(400)]
        )
    )
    vectors = pd.DataFrame(rng.standard_normal((len(words), 12)), words)
    for female, male in dict.fromkeys(pairs):
        vectors.loc[female, 0] += 4
        vectors.loc[male, 0] -= 4
    lines = [
        f"{word} {' '.join(f'{x:.4f}' for x in row)}"
        for word, row in zip(words, vectors.to_numpy())
    ]
    (folder / "own.vec").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "<b>jobs.txt").write_text("\n".join([*JOBS, "nowhere", "she"]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def report(files):
    out = files / "report"
    arguments = [
        "vectors",
        str(files / "own.vec"),
        "--words",
        str(files / "<b>jobs.txt"),
        "--out",
        str(out),
    ]
    assert main([*arguments, "--draws", "99"]) == 0
    return out


def test_an_audit_leaves_one_folder_with_all_its_files(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    figures = {f"figures/words.{kind}" for kind in ("svg", "pdf", "png", "csv")}
    assert names == {
        "report.html",
        "scores.csv",
        "questions.csv",
        "methods.md",
        "run.json",
        "audit.ipynb",
        *figures,
    }
    scores = pd.read_csv(report / "scores.csv")
    assert list(scores.columns[: len(COLUMNS)]) == list(COLUMNS)
    words = scores[scores["measure"] == "direct bias"]
    assert len(words) == len(JOBS) and (words["smallest_p"] <= words["p"]).all()
    run = json.loads((report / "run.json").read_text())
    assert "@sha256:" in run["read"]["own"] and run["parameters"]["draws"] == 99
    assert set(run["files"]) == {"embeddings", "words"}
    assert run["written"]["scores.csv"] == file_hash(report / "scores.csv")
    methods = (report / "methods.md").read_text()
    assert "@inproceedings{zhang2020," in methods and "<b>jobs" not in methods


def test_the_page_reads_no_other_file_and_runs_nothing_of_the_words(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page)
    assert "nowhere" in page, "what is missing is said"
    assert "as they are words of the pairs: she." in page
    assert page.index("You may say") < page.index("Known groups first")
    assert "=cmd" not in re.sub(r"'=cmd", "", (report / "scores.csv").read_text())


BAD = {
    "a file that is not there": (["vectors", "nowhere.vec"], "nowhere.vec"),
    "another kind": (["vector"], "did you mean 'vectors'"),
    "words that are none": (["vectors", "minilm", "--words", "{own}/own.png"], "own.png"),
    "a name that is none": (["vectors", "minilm", "-p", "drawz=3"], "draws"),
    "a number that is none": (
        ["vectors", "minilm", "--draws", "many"],
        "draws: expected a whole number",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line_and_leaves_nothing(name, files, capsys, tree):
    arguments, said = BAD[name]
    (files / "own.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    before = tree(files)
    out = [] if name == "another kind" else ["--out", str(files / "none")]
    assert main([part.format(own=files) for part in arguments] + out) == 2
    line = capsys.readouterr().err.strip()
    assert said.lower() in line.lower() and "\n" not in line and "Traceback" not in line
    assert tree(files) == before


def test_folders_above_that_were_made_for_a_report_go_away_with_it(tmp_path, monkeypatch):
    def refused(*arguments, **options):
        raise ValueError("none of 3 words is there")

    monkeypatch.setattr("papermill.execute_notebook", refused)
    (tmp_path / "kept").mkdir()
    with pytest.raises(ValueError, match="none of 3 words"):
        run_audit("vectors", {}, tmp_path / "kept" / "new" / "newer" / "report")
    assert [path.name for path in tmp_path.rglob("*")] == ["kept"]


def test_a_folder_that_is_there_is_kept(report, files, capsys):
    assert main(["vectors", str(files / "own.vec"), "--out", str(report)]) == 2
    assert "exists already" in capsys.readouterr().err
