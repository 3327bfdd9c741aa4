"""What the pages bring along: sizes, what is missing, and the tables that are read without a script."""

import json

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from lib.agreement import direction_kappa
from lib.association import weat
from lib.embeddings import Embedding, load_embedding
from lib.explorables import (
    show_your_index,
    show_your_weat,
    show_your_word,
    your_index,
    your_weat,
    your_word,
)
from lib.explorables.codes import unpacked
from lib.explorables.mount import LARGEST, data_script
from lib.lexicons import WordSets, base_pairs, load_lexicon, word_list
from lib.measures import ripa
from lib.paths import ROOT
from tests.lib.explorables.pages import DIMENSIONS, JOBS, PAIRS, Displayed, small_embedding
from tests.support.awkward import AWKWARD, awkward_file

LARGEST_SCRIPTS = 60_000
TEST = WordSets(*(tuple(JOBS[start : start + 6]) for start in (0, 6, 12, 18)))


@pytest.fixture
def shown(monkeypatch):
    return Displayed(monkeypatch)


@pytest.fixture(scope="module")
def e():
    return small_embedding()


def test_the_scripts_are_small():
    scripts = [
        ROOT / "_static" / "explorables.js",
        *(ROOT / "_static" / "explorables").glob("*.js"),
    ]
    assert len(scripts) == 4 and sum(path.stat().st_size for path in scripts) <= LARGEST_SCRIPTS


def test_the_data_of_the_books_own_vectors_are_less_than_a_megabyte():
    minilm = load_embedding("minilm")
    jobs = word_list("occupations/occupations")
    lexicon = load_lexicon("chaloner2019")
    word = your_word(minilm, base_pairs(), jobs, draws=20, raters=20)
    assert word["words"].count("\n") + 1 == len(minilm) > 21_000
    tests = {name: lexicon.test(name) for name in lexicon.tests}
    for name, content in (("your-word", word), ("your-weat", your_weat(minilm, tests, jobs))):
        assert len(data_script(name, content).encode()) <= LARGEST


def test_long_words_and_many_pairs_leave_room_for_fewer_words():
    names = [f"{number:0>60}" for number in range(14_000)]
    vectors = np.random.default_rng(0).standard_normal((len(names), 3))
    wide = Embedding(names, vectors, name="wide")
    pairs = [(names[i], names[i + 1]) for i in range(0, 20, 2)]
    content = your_word(wide, pairs, names[-2:], draws=20, raters=400)
    words = content["words"].split("\n")
    assert 5_000 < len(words) < len(names) and set(names[-2:]) <= set(words)
    assert words[0] == names[0] and [words[i] for i in content["occupations"]] == names[-2:]
    assert len(data_script("your-word", content).encode()) <= LARGEST


def test_scores_and_bands_are_those_of_the_measure(e):
    content = your_word(e, [*PAIRS, ("queen", "king")], [*JOBS, "astronaut"])
    words = content["words"].split("\n")
    assert content["missing"] == ["queen–king"] and len(content["occupations"]) == len(JOBS)
    found = e.pairs(PAIRS)
    scores = ripa(e.rows(words).vectors, found.female, found.male)
    codes = unpacked(content["scores"], np.int16, len(PAIRS))
    assert np.abs(codes * content["scale"] - scores).max() <= content["scale"]
    rows = content["occupations"]
    assert direction_kappa(codes[rows]) == direction_kappa(scores[rows])
    low, high = (unpacked(content["band"], np.int16, 2) * content["scale"]).T
    lengths = np.linalg.norm(e.rows(words).vectors, axis=1)
    # a random direction in d dimensions gives a score with a deviation of length / sqrt(d)
    ratio = (high - low) / (2 * 1.645 * lengths / np.sqrt(DIMENSIONS))
    assert np.median(ratio) == pytest.approx(1, abs=0.1)


def test_a_vocabulary_without_base_pairs_says_so(shown, e, refuses):
    show_your_word(e, [("queen", "king")], JOBS)
    assert "No base pair" in shown.seen[-1][0].data
    refuses(lambda: your_word(e, [("queen", "king")], JOBS), ["base pair", "none"])


@pytest.mark.parametrize("kind", AWKWARD)
def test_any_embedding_can_be_tried(shown, tmp_path, kind):
    e = load_embedding(str(awkward_file(kind, tmp_path)))
    lexicon, jobs = load_lexicon("chaloner2019"), word_list("occupations/occupations")
    show_your_word(e, base_pairs(), jobs)
    show_your_weat(e, {name: lexicon.test(name) for name in lexicon.tests}, jobs)
    content = json.loads(shown.files["your-weat.js"].partition("]=")[2].rstrip(";\n"))
    assert set(filter(None, content["words"].split("\n"))) <= set(e.words)


def test_the_table_of_tests_is_that_of_the_test_on_the_coded_vectors(shown, e):
    show_your_weat(
        e, {"some jobs": TEST, "one word": WordSets(*([word] for word in JOBS[:4]))}, JOBS
    )
    content = json.loads(shown.files["your-weat.js"].partition("]=")[2].rstrip(";\n"))
    assert [test["title"] for test in content["tests"]] == ["some jobs"]
    words = content["words"].split("\n")
    codes = unpacked(content["vectors"], np.int8, content["dimensions"]).astype(float)
    d = weat(*(codes[[words.index(word) for word in part]] for part in TEST)).effect_size
    table = BeautifulSoup(shown.html, "html.parser")
    assert table.select("tbody td")[1].text == f"{d:.2f}".replace("-", "−")
    exact = weat(*(e.rows(part).vectors for part in TEST)).effect_size
    assert d == pytest.approx(exact, abs=0.02)


def test_the_settings_of_the_index_have_the_scores_of_the_formula(shown):
    printed = pd.DataFrame(
        [["A", "formal", 0.25, 0.0, 0.433], ["A", "other", None, 0.0, 0.1]],
        columns=["system", "set", "p_w", "p_n", "P_s"],
    )
    assert your_index(printed)["printed"] == [["A", "formal", 0.25, 0.0, 0.433]]
    show_your_index(printed)
    rows = BeautifulSoup(shown.html, "html.parser").select("tbody tr")
    assert [row.select("td")[-1].text for row in rows] == ["0.00", "0.50", "0.50", "1.00"]
