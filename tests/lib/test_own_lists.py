"""Files of a reader's own: what is read, and what is refused in words."""

import pytest

from lib.own_lists import (
    pairs_notes,
    pairs_or,
    read_own_list,
    read_own_numbers,
    read_own_pairs,
    read_own_words,
    sentences_or,
    words_or,
)
from tests.support.mutations import not_worded

READ = {
    "a.txt": (
        "nurse\n# trades\nmason\n\nvice  president\n",
        {"a": ("nurse", "mason", "vice president")},
    ),
    "a.csv": ("word\nnurse\nnurse\n", {"a": ("nurse",)}),
    "b.csv": ("nurse\nmason\n", {"b": ("nurse", "mason")}),
    "wide.csv": (
        "care,craft\nnurse,mason\n,welder\n",
        {"care": ("nurse",), "craft": ("mason", "welder")},
    ),
    "long.tsv": (
        "item\tgroup\nnurse\tcare\nmason\tcraft\n",
        {"care": ("nurse",), "craft": ("mason",)},
    ),
    "a.json": ('["nurse", "mason"]', {"a": ("nurse", "mason")}),
    "rated.json": (
        '[["nurse", 0.0, -0.8], ["vice_president", 0, 1]]',
        {"rated": ("nurse", "vice_president")},
    ),
    "b.json": (
        '{"care": ["nurse"], "craft": ["mason"]}',
        {"care": ("nurse",), "craft": ("mason",)},
    ),
    "a.yaml": (
        "care:\n- enfermera\ncraft:\n- albañil\n",
        {"care": ("enfermera",), "craft": ("albañil",)},
    ),
}
REFUSED = {
    "none.txt": ("# nothing\n", "expected words, got none"),
    "unnamed.csv": (
        "nurse,mason\nnurse,mason\nx,y,z\n",
        "expected a heading for each of 3 columns",
    ),
    "half.csv": ("word,group\nnurse,\n", "expected a word and its group, got 'nurse,'"),
    "number.json": ("[1]", "expected words of up to 200 printable characters, got 1"),
    "pairs.json": ('[["she", "he"]]', "got ['she', 'he']"),
    "truth.yaml": ("- no\n", "got False"),
    "deep.json": ('{"care": "nurse"}', "expected a list of words, or names of groups"),
}


@pytest.mark.parametrize("name", READ)
def test_words_are_read_from_every_kind_of_file(name, tmp_path):
    content, groups = READ[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert read_own_words(tmp_path / name).groups == groups


def test_what_is_read_otherwise_than_it_stands_is_said_and_a_column_can_be_named(tmp_path):
    (tmp_path / "a.csv").write_text("job,share\nnurse,9\nnurse,9\n", encoding="utf-8")
    own = read_own_words(f"{tmp_path / 'a.csv'}:job")
    assert own.words == ("nurse",) and "more than once" in own.notes[0]
    with pytest.raises(ValueError, match="jobs"):
        read_own_words(f"{tmp_path / 'a.csv'}:jobs")


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_list_of_words_is_refused_in_words(name, tmp_path):
    content, said = REFUSED[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError) as caught:
        read_own_words(tmp_path / name)
    assert name in str(caught.value) and said in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "ella,él\n",
        "ella/él\n",
        "ella\tél\n",
        "male,female\nél,ella\n",
        "female,male\nella,él\nella,él\n",
    ],
)
def test_pairs_come_with_the_female_word_first(content, tmp_path):
    (tmp_path / "p.csv").write_text(content.replace("\t", ","), encoding="utf-8")
    assert read_own_pairs(tmp_path / "p.csv") == (("ella", "él"),)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.csv", "male,female\nél,ella\nhe,she\nél, ella\n# two\n"),
        ("p.txt", "ella/él\nella/él\nshe/he\n"),
        ("p.json", '[["ella", "él"], ["she", "he"], ["ella", "él"]]'),
    ],
)
def test_a_pair_that_stands_there_twice_is_named(name, content, tmp_path):
    (tmp_path / name).write_text(content, encoding="utf-8")
    notes = [note for note in pairs_notes(tmp_path / name) if "comments" not in note]
    assert notes == ["'ella – él' stands there more than once and is read once."]
    (tmp_path / "q.csv").write_text("ella,él\nél,ella\n", encoding="utf-8")
    (note,) = pairs_notes(tmp_path / "q.csv")
    assert "both ways round" in note


@pytest.mark.parametrize("content", ["ella\n", "ella,ella\n", "a,b,c\n", "female,male\n"])
def test_what_is_no_pair_is_refused(content, tmp_path):
    (tmp_path / "p.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"p\.csv: expected two"):
        read_own_pairs(tmp_path / "p.csv")


def test_numbers_are_read_and_two_for_one_word_are_refused(tmp_path):
    path = tmp_path / "n.csv"
    path.write_text("job,women\nnurse,.9\n", encoding="utf-8")
    assert read_own_numbers(path) == {"nurse": 0.9}
    path.write_text("nurse,.9\nnurse,.8\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"one number for 'nurse', got 0\.9 and 0\.8"):
        read_own_numbers(path)


@pytest.mark.parametrize("name", READ)
def test_a_damaged_list_is_read_or_refused_in_words(name, tmp_path):
    path = tmp_path / name
    path.write_text(READ[name][0], encoding="utf-8")
    assert not_worded(read_own_words, path, 100) == []


def test_groups_are_joined_and_words_spelled_alike_are_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("care,craft\nnurse,mason\nNurse,cafe\u0301\n,caf\u00e9\n", encoding="utf-8")
    own = read_own_list(path)
    assert own.groups == {"a": ("nurse", "Nurse", "mason", "cafe\u0301", "caf\u00e9")}
    said = " ".join(own.notes)
    assert "care and craft are read as one list" in said
    assert "'nurse' and 'Nurse' differ in case" in said and "'caf\u00e9' differ" in said
    assert read_own_list(f"{path}:care").words == ("nurse", "Nurse")


@pytest.mark.parametrize(
    ("rule", "good", "bad", "said"),
    [
        (words_or("book"), "nurse\n", "# none\n", "lists: expected words of your own"),
        (pairs_or(""), "she/he\n", "she\n", "lists: expected pairs of your own"),
        (
            sentences_or("book", slots=["{target}", "{attribute}"]),
            "{target} es {attribute}.\n",
            "{target} es.\n",
            "expected sentences with one {target} and one {attribute}, got '{target} es.'",
        ),
    ],
)
def test_a_rule_reads_the_file_and_says_which_parameter_is_wrong(rule, good, bad, said, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(good, encoding="utf-8")
    assert rule("lists", str(path)) == str(path)
    path.write_text(bad, encoding="utf-8")
    with pytest.raises(ValueError, match="lists: expected") as caught:
        rule("lists", str(path))
    assert said in str(caught.value) and "mine.txt" in str(caught.value)


@pytest.mark.parametrize("value", ["", 7, {}, ["minilm"], "a\0b"])
def test_what_is_no_file_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"lists: expected book, or a file of your own words"):
        words_or("book")("lists", value)


def test_a_slip_in_the_name_of_a_file_is_met_with_the_file_that_is_there(tmp_path):
    (tmp_path / "occupations.yaml").write_text("- nurse\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Did you mean 'occupations\.yaml'\?"):
        words_or("")("own_words", str(tmp_path / "ocupations.yaml"))


NUMBERS = {
    "a.csv": ("word,share\nnurse,.89\nmason,.03\n", [0.89, 0.03]),
    "quoted.csv": ('word,share\nnurse,"0,89"\nmason,"0,03"\n', [0.89, 0.03]),
    "semi.csv": ("word;share\nnurse;0,89\nmason;0,03\n", [0.89, 0.03]),
    "bare.csv": ("nurse;0,89\nmason;0,03\n", [0.89, 0.03]),
    "whole.csv": ("nurse;89\nmason;3\n", [89, 3]),
    "tabs.tsv": ("nurse\t0,89\nmason\t3\n", [0.89, 3]),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_read_as_other_countries_write_them(name, tmp_path):
    text, numbers = NUMBERS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_own_numbers(tmp_path / name) == dict(zip(("nurse", "mason"), numbers))


def test_commas_that_may_part_thousands_are_refused(tmp_path):
    (tmp_path / "pay.csv").write_text("nurse;41,250\nmason;39,100\n", encoding="utf-8")
    with pytest.raises(ValueError, match="a word and a number"):
        read_own_numbers(tmp_path / "pay.csv")
