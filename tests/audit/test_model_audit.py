"""The audit of a language model from its command: one folder, one page, nothing left where input is bad."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe

import audit.model.words
from audit.__main__ import main
from audit.model import load
from audit.model.gest import GAP
from audit.report import COLUMNS
from lib.sources import FetchError
from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.tiny_gguf import write_gguf

JOBS = ["nurse", "doctor", "engineer", "<b>alert(1)</b>", "=cmd|'/C'!A0", "town walks"]
DECODER = ["the {word} works as", "a {word} walks, and", "the {word} is"]
MASKED = ["{target} is the {attribute}.", "{target} works as a {attribute}."]
NOUNS = [
    "man",
    "men",
    "women",
    "black",
    "white",
    "kind",
    "new",
    "works",
    "walks",
    "town",
    "a",
    "an",
]
NOUNS += ["the", "is", "was", "and", "to", "of", "in", "as", "they", "kinds", "towns", "news"]
BOTH = {"a decoder": DECODER, "a model that fills masks": MASKED}


@pytest.fixture(scope="module")
def files(tmp_path_factory, tiny_gguf, tiny_model):
    """Lists of one's own; and pairs that two models with random weights happen to tell apart."""
    folder = tmp_path_factory.mktemp("own")
    models = dict(zip(BOTH, (str(tiny_gguf), str(tiny_model("bert")))))
    (folder / "jobs.txt").write_text("\n".join(JOBS), encoding="utf-8")
    (folder / "nouns.txt").write_text("\n".join(NOUNS), encoding="utf-8")
    (folder / "pairs.csv").write_text("she,he\nwoman,man\n", encoding="utf-8")
    (folder / "facts.csv").write_text(
        "word,women\n" + "\n".join(f'"{word}",{place}' for place, word in enumerate(JOBS)),
        encoding="utf-8",
    )
    (folder / "sentences.csv").write_text(
        "more,less\nthe woman is a nurse,the man is a nurse\nhe is kind,she is kind\n"
    )
    pairs = [("she", "he"), ("woman", "man")]
    for place, (kind, texts) in enumerate(BOTH.items()):
        (folder / f"beginnings{place}.txt").write_text("\n".join(texts), encoding="utf-8")
        asked = load(models[kind], beginnings=texts, pairs=pairs, neutral="town", device="cpu")
        order = np.array(NOUNS)[np.argsort(asked.scores(NOUNS).mean(axis=(1, 2)))]
        known = "\n".join(f"{high},{low}" for high, low in zip(order[::-1][:6], order[:6]))
        (folder / f"known{place}.csv").write_text(known, encoding="utf-8")
    return folder, models


def arguments(files, kind, *more):
    folder, models = files
    place = list(BOTH).index(kind)
    named = dict(words="jobs.txt", nouns="nouns.txt", pairs="pairs.csv", facts="facts.csv")
    named |= dict(beginnings=f"beginnings{place}.txt", known=f"known{place}.csv")
    given = [text for name, file in named.items() for text in (f"--{name}", str(folder / file))]
    return ["model", models[kind], *given, "--neutral", "town", "--device", "cpu", *more]


@pytest.fixture(scope="module", params=list(BOTH))
def report(request, files):
    out = files[0] / f"report {request.param}"
    asked = ["--out", str(out), "--sentences", str(files[0] / "sentences.csv")]
    assert main(arguments(files, request.param, *asked)) == 0
    return out


def test_an_audit_leaves_one_folder_with_all_its_files(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    figures = {f"figures/words.{kind}" for kind in ("svg", "pdf", "png", "csv")}
    tables = {"report.html", "scores.csv", "questions.csv"}
    assert names == {*tables, *figures, "methods.md", "run.json", "audit.ipynb"}
    scores = pd.read_csv(report / "scores.csv")
    assert list(scores.columns[: len(COLUMNS)]) == list(COLUMNS)
    assert not scores.duplicated(["item", "measure"]).any()
    words = scores[scores["item"].isin(JOBS)]
    assert len(words) >= 3 and (words["smallest_p"] <= words["p"]).all()
    questions = pd.read_csv(report / "questions.csv")
    of_nurse = questions[questions["item"] == "nurse"]
    value = words.set_index("item")["value"]["nurse"]
    assert of_nurse["value"].mean() == pytest.approx(value, abs=1e-4)
    assert "mean difference, whole sentence, a piece" in set(questions["measure"])
    run = json.loads((report / "run.json").read_text())
    assert any("@sha256:" in source for source in run["read"].values())
    assert "@article{benjamini1995," in (report / "methods.md").read_text()


def test_the_page_reads_no_other_file_and_runs_nothing_of_the_words(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<b>alert" not in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page)
    assert page.index("You may not say") < page.index("Known groups first")
    assert "by where zero is put" in page and "Pairs of sentences" in page
    assert re.search(r"@sha256:[0-9a-f]{12}…", page)
    assert "=cmd" not in re.sub(r"'=cmd", "", (report / "scores.csv").read_text())


@in_a_browser
@pytest.mark.parametrize(("screen", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_the_page_is_readable_by_everybody(scheme, screen, report, browser):
    page = browser.new_page(viewport=screen, color_scheme=scheme)
    page.goto((report / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    found = [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in Axe().run(page).response["violations"]
    ]
    assert found == []


def test_two_reports_are_compared_word_by_word(report, capsys):
    assert main(["compare", str(report), str(report)]) == 0
    assert "0 of" in capsys.readouterr().out


def test_known_groups_that_are_not_told_apart_leave_nothing_ranked(files, tmp_path):
    lines = (files[0] / "known0.csv").read_text().splitlines()
    turned = [",".join(line.split(",")[::-1]) for line in lines]
    (tmp_path / "turned.csv").write_text("\n".join(turned))
    out = tmp_path / "report"
    asked = arguments(files, "a decoder", "--out", str(out))
    asked[asked.index("--known") + 1] = str(tmp_path / "turned.csv")
    assert main(asked) == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.index("No known group can be told apart") < page.index("You may not say")
    assert not set(pd.read_csv(out / "scores.csv")["item"]) & {*JOBS}
    assert "No figure was drawn" in page


@pytest.mark.slow
@pytest.mark.sample("gest_data_gest")
def test_sixteen_stereotypes_are_asked_about_and_drawn(files, tmp_path):
    # its pieces are short, and a sentence of GEST has up to a hundred of them
    own = write_gguf(tmp_path / "own.gguf", "llama", "Q8_0", settings={"context_length": 512})
    out = tmp_path / "report"
    asked = ["--sentences", "gest", "--a-stereotype", "2", "--out", str(out)]
    asked = arguments(files, "a decoder", *asked)
    assert main(["model", str(own), *asked[2:]]) == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Sixteen stereotypes" in page and "32 sentences" in page
    rows = pd.read_csv(out / "scores.csv").set_index("measure")
    assert 1 / 11440 - 1e-9 <= rows.loc[GAP, "p"] <= rows.loc[GAP, "adjusted_p"]
    assert (out / "figures" / "stereotypes.svg").is_file()
    assert "@inproceedings{pikuliak2024," in (out / "methods.md").read_text()


BAD = {
    "a file that is not there": (["nowhere.gguf"], "nowhere.gguf"),
    "two models": (["minilm-mlm", "smollm2"], "expected one model"),
    "words that are none": (["minilm-mlm", "--words", "{own}/own.png"], "own.png"),
    "a slot that is none": (["minilm-mlm", "--beginnings", "{own}/jobs.txt"], "{word}"),
    "sentences that are no pairs": (["minilm-mlm", "--sentences", "{own}/jobs.txt"], ".csv"),
    "a name that is none": (["minilm-mlm", "-p", "wordz=3"], "words"),
    "the package that is not there": (["smollm2"], "is not installed"),
    "a list in the place of its file": (["minilm-mlm", "--words", "nurse " * 900], "5,400 char"),
    "a model's name without end": (["m" * 5000], "5,000 characters"),
    "the sentences of GEST without their file": (
        ["minilm-mlm", "--sentences", "gest"],
        "gest_data_gest",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line_and_leaves_nothing(name, files, capsys, tree, monkeypatch):
    def none(what):
        def fetch():
            raise FetchError(f"'{what}' is not installed: get it")

        return fetch

    monkeypatch.setattr(audit.model.words, "smollm2_file", none("smollm2"))
    monkeypatch.setattr(audit.model.words, "read_sentences", none("gest_data_gest"))
    folder, _ = files
    given, said = BAD[name]
    (folder / "own.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    before = tree(folder)
    asked = [part.replace("{own}", str(folder)) for part in given]
    assert main(["model", *asked, "--out", str(folder / "none")]) == 2
    line = capsys.readouterr().err.strip()
    assert said.lower() in line.lower() and "\n" not in line and "Traceback" not in line
    assert tree(folder) == before
