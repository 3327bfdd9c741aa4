"""The audit of a translator from its command: one folder, outside words escaped, nothing left where input is bad."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from audit.__main__ import main
from audit.report import COLUMNS
from audit.sentences import main as print_sentences
from audit.translator import own_sentences
from audit.translator.genderous import genderous_sentences
from audit.translator.geneval import geneval_sentences

GENDERS = ("feminine", "masculine")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two answers to each of our sentences; a third of the women is lost, some rows are no translations, some names are hostile."""
    folder = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(0)
    lines = []
    for number, row in enumerate(own_sentences().itertuples()):
        for _ in range(2):
            feminine = row.gender == "female" and rng.random() < 2 / 3
            text = f"{'La' if feminine else 'El'} artista número {number} perdió las llaves."
            if number in (5, 6):
                text = "<script>alert(1)</script>" if number == 5 else "Sure!\n" + text
            if number == 7:
                text = "La persona perdió las llaves."
            lines.append(json.dumps({"id": row.id, "source": row.text, "output": text}))
    stranger = {"id": "<img src=x>", "source": "Nobody knows.", "output": "=cmd|'/C'!A0"}
    (folder / "own_<b>.jsonl").write_text("\n".join([*lines, json.dumps(stranger)]), "utf-8")
    return folder


@pytest.fixture(scope="module")
def report(files):
    out = files / "report"
    arguments = ["translator", str(files / "own_<b>.jsonl"), "--language", "Spanish"]
    assert main([*arguments, "--draws", "99", "--out", str(out)]) == 0
    return out


def test_an_audit_leaves_one_folder_with_all_its_files(report):
    names = {path.relative_to(report).as_posix() for path in report.rglob("*") if path.is_file()}
    figures = {f"figures/kept.{kind}" for kind in ("svg", "pdf", "png", "csv")}
    kept = {"report.html", "scores.csv", "questions.csv", "methods.md", "run.json", "audit.ipynb"}
    assert names == kept | figures
    scores = pd.read_csv(report / "scores.csv")
    assert list(scores.columns[: len(COLUMNS)]) == list(COLUMNS)
    assert not scores.duplicated(["item", "measure"]).any(), "two reports can be compared"
    women = scores.set_index(["item", "measure"]).loc[("translations", "women kept")]
    assert 50 < women["value"] < 80 and women["low"] < women["value"] < women["high"]
    run = json.loads((report / "run.json").read_text())
    assert "@sha256:" in run["read"]["own_<b>.jsonl"] and run["parameters"]["language"] == "es"
    assert "@inproceedings{stanovsky2019," in (report / "methods.md").read_text()


def test_the_page_says_what_it_found_and_runs_nothing_of_the_outputs(report):
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "<img src=x" not in page and "<b>.jsonl" not in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page)
    first = page[: page.index("What was read")]
    assert "women stay women" in first and "That women lose their gender more than men" in first
    assert "neutral or inclusive form" in first
    assert "this book's own" in page, "which sentences were translated is said"
    assert "reader agrees with people" in page
    assert "=cmd" not in re.sub(r"'=cmd", "", (report / "scores.csv").read_text())


@pytest.mark.sample(
    *(f"mtge_sentences_{g}_test_en_fr_{w}" for g in GENDERS for w in ("en", "fr")),
    *(f"genderous_gt_{kind}" for kind in ("base", "their", "adjectives")),
    "genderous_adjectives",
)
def test_an_unvalidated_reader_is_named_in_every_table_and_references_need_none(files, tmp_path):
    table = pd.DataFrame({"id": own_sentences()["id"], "source": own_sentences()["text"]})
    texts = [f"Le comptable numéro {n} a perdu ses clefs." for n in range(len(table))]
    known = geneval_sentences("fr")
    his = pd.DataFrame({"id": known["id"], "source": known["english"], "output": known["his"]})
    asked = genderous_sentences()
    leans = np.where(asked["occupation_stereotype"] == "feminine", "La", "Le")
    unsaid = pd.DataFrame({"id": asked["id"], "source": asked["text"]})
    unsaid["output"] = [f"{the} dentiste numéro {n} a fini." for n, the in enumerate(leans)]
    parts = [table.assign(output=texts), his, unsaid]
    pd.concat(parts).to_csv(tmp_path / "a.csv", index=False)
    arguments = ["translator", str(tmp_path / "a.csv"), "--language", "fr", "--draws", "99"]
    assert main([*arguments, "--examples", "0", "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    captions = re.findall(r'<p class="caption">(.*?)</p>', page, re.DOTALL)
    of_references = [caption for caption in captions if "without a reader" in caption]
    assert len(of_references) == 2, "pairs and contexts"
    others = [caption for caption in captions if "MT-GenEval" not in caption]
    assert others and all("unvalidated" in caption for caption in others)
    scores = pd.read_csv(tmp_path / "out" / "scores.csv").set_index(["item", "measure"])["value"]
    assert scores["MT-GenEval pairs", "men right"] == 100
    assert scores["MT-GenEval pairs", "women right"] < 10
    assert scores["GENDEROUS", "occupations, feminine less masculine"] == 100
    assert "That more persons become feminine where the occupation has a feminine" in page
    first = page[: page.index("What was read")]
    assert "The reader of French is <em>unvalidated</em>" in first
    assert "MT-GenEval pairs" in first and "women get the wrong gender more often than men" in first
    assert known["his"][5] not in page and asked["text"][5] not in page, (
        "no sentence of theirs stands in the report"
    )


def test_noise_is_refused_in_the_first_line(tmp_path):
    table = pd.DataFrame({"id": own_sentences()["id"], "source": own_sentences()["text"]})
    table.assign(output="Sure, my friend.").to_csv(tmp_path / "a.csv", index=False)
    arguments = ["translator", str(tmp_path / "a.csv"), "--draws", "99", "--examples", "0"]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    first = page[page.index("<li>") : page.index("You may say")]
    assert "Sure, my friend" not in page and ">own:1<" in page, "named, and not shown"
    assert "are no translations" in first and "nothing is scored" in first
    scores = pd.read_csv(tmp_path / "out" / "scores.csv")
    assert scores["measure"].tolist() == ["no translation"]


BAD = {
    "a file that is not there": (["nowhere.csv"], "nowhere.csv"),
    "a file without outputs": (["{own}/words.csv"], "id, source and output"),
    "a translator that is none": (["nowhere"], "nowhere"),
    "two things": (["{own}/words.csv", "tatoeba-en-es"], "one file of outputs or one translator"),
    "a language without a reader": (
        ["{own}/own_<b>.jsonl", "--language", "nl"],
        "no reader of gender for 'nl'; there are readers for es (Spanish)",
    ),
    "sentences of nobody": (["{own}/strange.csv"], "got none of 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line_and_leaves_nothing(name, files, capsys, tree):
    arguments, said = BAD[name]
    (files / "words.csv").write_text("word,group\nnurse,care\n")
    (files / "strange.csv").write_text("id,source,output\n1,Nobody knows.,Nadie sabe.\n")
    before = tree(files)
    given = [part.format(own=files) for part in arguments]
    assert main(["translator", *given, "--out", str(files / "none")]) == 2
    line = capsys.readouterr().err.strip()
    assert said.lower() in line.lower() and "\n" not in line and "Traceback" not in line
    assert tree(files) == before


def test_the_sentences_can_be_had_as_a_table(capsys):
    assert print_sentences(["own"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == ["id,source", "own:1,The nurse lost her keys."] and len(printed) == 385
