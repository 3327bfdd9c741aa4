"""Reports that the book shows as examples: the numbers of the chapters, nothing of what others wrote, and whole or not at all."""

import dataclasses
import json
import re

import nbformat
import pandas as pd
import pytest

from audit.page import report_page, undressed
from lib.paths import ROOT
from lib.sources import fetch
from scripts.tools import examples as module
from scripts.tools.examples import KEPT, differences, examples, make, quotations, why_due

EVERY = examples()
by_name = pytest.mark.parametrize("example", EVERY, ids=[example.name for example in EVERY])


def test_each_kind_has_an_example_on_the_page_and_no_other_is_kept():
    page = (ROOT / "pages" / "measure_your_own.md").read_text(encoding="utf-8")
    names = [example.name for example in EVERY]
    assert sorted(re.findall(r"```\{report\} (\w+)", page)) == sorted(names)
    folders = [path.name for path in (ROOT / module.FOLDER).iterdir() if path.is_dir()]
    assert sorted(folders) == sorted(names)


@by_name
def test_its_numbers_are_those_that_the_chapter_recorded(example):
    assert differences(example, pd.read_csv(example.folder / "scores.csv")) == []


@by_name
def test_it_is_small_names_no_machine_and_says_what_it_took(example):
    page = (example.folder / "report.html").read_text(encoding="utf-8")
    assert len(page) < 200_000 and example.record["cpu_seconds"] > 0
    for text in (page, (example.folder / "run.json").read_text(encoding="utf-8")):
        assert not re.search(r"/(?:tmp|home|root|work)/", text)


@pytest.mark.sample
@by_name
def test_it_quotes_nothing_of_what_was_released(example):
    texts = {key: fetch(key).read_text(encoding="utf-8") for key in example.texts}
    page = (example.folder / "report.html").read_text(encoding="utf-8")
    assert quotations(texts, page) == []


def test_five_words_in_a_row_are_a_quotation_through_tags_and_points():
    page = "<p>It said: <em>The cook</em> burned his hand.</p>"
    assert quotations({"a": "Then the cook burned his hand, too."}, page) == [
        "a: the cook burned his hand"
    ]
    assert quotations({"a": "the cook burned\nhis hand"}, page) == []


def test_another_entry_makes_it_due_and_another_name_of_it_does_not():
    example = EVERY[-1]
    assert why_due(dataclasses.replace(example, about="something else")) == ""
    assert "has changed" in why_due(dataclasses.replace(example, parameters={"seed": 1}))
    assert "is not there" in why_due(dataclasses.replace(example, name="none"))


CELL = nbformat.v4.new_code_cell("1")
ROW = {"item": "a", "measure": "b", "value": 0.5}
SAME = {"item": "a", "measure": "b", "quantity": "c", "settings": {"d": 1}}
REFUSED = {
    "a cell that complained": (
        {"outputs": [nbformat.v4.new_output("stream", name="stderr", text="Warning: no")]},
        {},
        "cell 1 wrote to stderr: Warning: no",
    ),
    "another number": ({}, {"value": 0.6}, "a, b, value: 0.6, in doe 0.5"),
    "a number that is not there": ({}, {"item": "e"}, "a, b: 0 rows of scores, 1 of doe"),
    "a sentence of others": ({}, {}, "doe_text: nobody knows what comes now"),
}


@pytest.fixture
def example(tmp_path, monkeypatch):
    """An example of a chapter with one row, whose audit writes what the test says."""
    folder = tmp_path / "data" / "results" / "sample"
    folder.mkdir(parents=True)
    row = {"quantity": "c", "value": 0.5, "settings": json.dumps({"d": 1, "e": 2})}
    pd.DataFrame([row]).to_csv(folder / "doe--a=1.csv", index=False)
    (tmp_path / "text.txt").write_text("Nobody knows what comes now.\n")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "code_of_audit", lambda kind: "code")
    monkeypatch.setattr("lib.sources.fetch", lambda key: tmp_path / "text.txt")
    example = module.Example(
        "one", "vectors", "one", "doe", [SAME], never_quoted=["doe_text"], root=tmp_path
    )

    def writes(cell, row, page):
        def run(kind, parameters, out):
            out.mkdir()
            nbformat.write(
                nbformat.v4.new_notebook(cells=[nbformat.from_dict(CELL | cell)]),
                out / "audit.ipynb",
            )
            pd.DataFrame([ROW | row]).to_csv(out / "scores.csv", index=False)
            whole = report_page(nbformat.v4.new_notebook()).replace("<main>", f"<main>{page}")
            (out / "report.html").write_text(whole)
            (out / "run.json").write_text('{"cpu_seconds": 2.0}')

        monkeypatch.setattr("audit.__main__.run_audit", run)

    return example, writes


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_leaves_nothing(name, example):
    one, writes = example
    cell, row, said = REFUSED[name]
    quoted = "Nobody knows what comes now." if name == "a sentence of others" else "Nothing."
    writes(cell, row, f"<p>{quoted}</p>")
    with pytest.raises(ValueError, match=re.escape(said)):
        make(one)
    assert not one.folder.exists()


def test_texts_by_place_are_a_table_of_their_lines_and_not_to_be_quoted(example, tmp_path):
    one, writes = example
    (tmp_path / "text.txt").write_text('Nobody knows what comes now,\n\n"she" said.\n')
    table = module._content({"Ohio": "a", "New York": "b"}).decode()
    lines = '"Nobody knows what comes now,"', '"""she"" said."'
    rows = [f"{line},{place}" for place in ("Ohio", "New York") for line in lines]
    assert table.splitlines() == ["text,place", *rows]
    writes({}, {}, "<p>Nobody knows what comes now.</p>")
    files = {"own.csv": {"Ohio": "doe_text"}}
    with pytest.raises(ValueError, match="doe_text: nobody knows what comes now"):
        make(dataclasses.replace(one, never_quoted=[], files=files))


def test_an_example_may_share_no_number_with_its_chapter(example):
    one, writes = example
    writes({}, {}, "<p>Nothing.</p>")
    make(dataclasses.replace(one, same=[]))
    assert one.folder.exists()


def test_what_is_kept_says_what_it_was_made_by(example):
    one, writes = example
    writes({}, {}, "<p>Nothing.</p>")
    make(one)
    page = (one.folder / "report.html").read_text()
    assert undressed(page) == page and "<p>Nothing.</p>" in page
    assert sorted(path.name for path in one.folder.iterdir()) == sorted(KEPT)
    assert why_due(one) == ""
