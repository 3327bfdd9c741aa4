"""What Karve, Ungar & Sedoc released: their spreadsheet as a tidy table, and the lists their code loads."""

import openpyxl
import pytest

from lib.datasets import karve2019
from lib.datasets.karve2019 import TABLES, read_equalised_pairs, read_results, read_word_lists


def test_cells_become_rows_without_gaps_and_bare_zeros(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in TABLES:
        rows = [
            ["Embedding", "Subspace", "Without Debiasing", None, "Mu", None, "B", None, "C", None],
            [None, None, *["d", "p"] * 4],
            ["Glove", "Pronouns", 1.5, 0, 1.25, 0.5, "NA", None, 0.125, 0.25],
            [None, "AND", None, None, None, None, None, None, -0.5, 0.75],
            ["Elmo", "Pronouns", 1.75, 0.5, None, None, None, None, None, None],
        ]
        for row in rows:
            (book[sheet] if sheet in book.sheetnames else book.create_sheet(sheet)).append(row)
    book.save(tmp_path / "small.xlsx")
    monkeypatch.setattr(karve2019, "fetch", lambda key: tmp_path / "small.xlsx")
    cells = read_results()
    assert len(cells) == 3 * 9
    places = cells.set_index(["location", "dataset", "system", "subspace", "metric"])["stored"]
    assert places["Table 1", "GloVe", "Without Debiasing", "none", "weat_effect_size_d"] == 1.5
    assert places["Table 3", "GloVe", "Conceptor Negation", "OR", "p_value"] == 0.75
    assert places["Table 6", "ELMo", "Without Debiasing", "none", "p_value"] == 0.5


@pytest.mark.sample("conceptor_weat_results")
def test_the_published_spreadsheet_is_read():
    cells = read_results()
    first = cells[(cells["location"] == "Table 1") & (cells["dataset"] == "GloVe")].iloc[0]
    assert first["stored"] == pytest.approx(1.7819, abs=1e-4)
    assert set(cells["location"]) == {f"Table {number}" for number in range(1, 7)}
    assert set(cells.loc[cells["subspace"] == "OR", "label"]) == {"AND"}


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
