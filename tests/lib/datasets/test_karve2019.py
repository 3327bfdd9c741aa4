"""What Karve, Ungar & Sedoc released: their spreadsheet as a tidy table, and the lists their code loads."""

import math

import openpyxl
import pandas as pd
import pytest

from lib.datasets import karve2019
from lib.datasets.karve2019 import (
    CELL,
    TABLES,
    read_equalised_pairs,
    read_results,
    read_word_lists,
)
from lib.ledger import claims
from lib.ledger.printed import Printed

PAPER = "karve2019_conceptor"


@pytest.fixture
def small_spreadsheet(tmp_path, monkeypatch):
    """A file with the authors' sheets and headings, and a few numbers."""
    tests = [
        ["Glove", "Pronouns", 1.5, 0, 1.25, 0.5, "NA", None, 0.125, 0.25],
        [None, "AND", None, None, None, None, None, None, -0.5, 0.75],
        ["Elmo", "Pronouns", 1.75, 0.5, None, None, None, None, None, None],
    ]
    sheets = dict.fromkeys(TABLES, tests)
    sheets["Race"] = [["Glove", 1.5, 0, 0.75, 0.005, -0.25, 0.625]]
    sheets["Figure 5"] = [["Bert", "Pronouns", 1.25, 1.375, 1.5], [None, "AND", 1.25, None, 0.5]]
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet, rows in sheets.items():
        page = book.create_sheet(sheet)
        for row in [["Embedding", "Subspace", "Without Debiasing"], [None, None, "d", "p"], *rows]:
            page.append(row)
    book.save(tmp_path / "small.xlsx")
    monkeypatch.setattr(karve2019, "fetch", lambda key: tmp_path / "small.xlsx")


def test_cells_become_rows_without_gaps(small_spreadsheet):
    cells = read_results()
    assert cells["location"].value_counts().to_dict() == {
        **{f"Table {number}": 8 for number in (1, 3, 5)},
        "Table 2": 2 + 4,
        **{f"Table {number}": 2 for number in (4, 6)},
        "Table 7": 4,
    }
    places = cells.set_index(CELL)["stored"]
    assert places["Table 1", "GloVe", "Without Debiasing", "none", "weat_effect_size_d"] == 1.5
    assert places["Table 3", "GloVe", "Conceptor Negation", "OR", "p_value"] == 0.75
    assert places["Table 6", "ELMo", "Without Debiasing", "none", "p_value"] == 0.5
    assert places["Table 1", "GloVe", "Without Debiasing", "none", "p_value"] == 0  # and not a gap
    assert places["Table 7", "GloVe", "Conceptor Negation", "names", "p_value"] == 0.625
    assert places["Table 2", "BERT", "Mu et al.", "Pronouns", "weat_effect_size_d"] == 1.375


@pytest.fixture(scope="module")
def released():
    """Printed cells of Tables 1 to 7 beside the spreadsheet."""
    places = [f"Table {number}" for number in range(1, 8)]
    tables = [claims.table(paper=PAPER, location=place).assign(location=place) for place in places]
    printed = pd.concat(tables).fillna({"subspace": "names"})
    cells = printed.merge(read_results(), on=CELL, how="left", validate="one_to_one")
    equal = [
        Printed.of(claims.row(cell.claim_id)).matches(cell.stored)
        for cell in cells.fillna({"stored": math.inf}).itertuples()
    ]
    return cells.assign(equal=equal)


@pytest.mark.sample("conceptor_weat_results")
def test_the_spreadsheet_holds_all_printed_cells_but_four(released):
    missing = released[released["stored"].isna()]
    about = missing[["location", "dataset", "system", "metric"]].drop_duplicates()
    assert about.values.tolist() == [["Table 2", "BERT", "Mu et al.", "p_value"]]
    assert (len(released), len(missing)) == (392, 4)


@pytest.mark.sample("conceptor_weat_results")
def test_all_but_eleven_round_to_the_print(released):
    kept = released.dropna(subset="stored")
    assert (len(kept), sum(kept["equal"])) == (388, 377)
    digits = kept[
        kept["location"].ne("Table 7") & kept["stored"].ne(0) & kept["sheet"].ne("Figure 5")
    ]
    assert (len(digits), sum(digits["equal"])) == (339, 328)


def test_only_effects_that_the_paper_finds_significant_are_compared_elsewhere():
    paper = claims.load_paper(PAPER)
    p = paper[paper["metric"] == "p_value"].set_index(["location", "system", "dataset", "setting"])
    allowed = paper[paper["elsewhere"] == "allowed"]
    assert len(allowed) >= 10 and set(allowed["system"]) == {"Without Debiasing"}
    for claim in allowed.itertuples():
        place = claim.location, claim.system, claim.dataset, claim.setting
        assert float(p.loc[place, "value"]) < 0.05


@pytest.mark.sample("winobias_extra_gendered_words", "gn_glove_male_word_file", "nltk_names")
def test_the_published_lists_are_whole_and_in_order():
    lists = read_word_lists()
    assert {name: len(words) for name, words in lists.items()} == {
        "Extended List": 628,
        "Propernouns": 7944,
    }
    assert lists["Extended List"][:2] == ["cowboy", "cowgirl"]
    assert lists["Propernouns"][0] == "Aamir"


@pytest.mark.sample("bolukbasi_equalize_pairs")
def test_pairs_to_set_level_come_in_twos():
    assert read_equalised_pairs()[0] == ("monastery", "convent")
