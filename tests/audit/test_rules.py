"""Lists and tables of a reader's own at the door of an audit: what others export is read or refused with what to do."""

import pickle

import pytest

from audit import overheard, own_numbers, own_pairs, own_words, two_groups
from audit.vectors import load_vectors

REFUSED = {
    "semi.csv": (b"word;group\nnurse;care\nmason;craft\n", own_words, "tr ';' ','"),
    "pairs.csv": ("\ufefffemale;male\nsie;er\n".encode(), own_pairs, "tr ';' ','"),
    "list.pkl": (pickle.dumps(["nurse"], protocol=0), own_words, "a pickle"),
    "list.txt": (pickle.dumps(["nurse"]), own_words, "a pickle"),
    "list.csv": (b"PK\x03\x04" + bytes(50), own_words, "a spreadsheet"),
    "facts.csv": (b"PAR1" + bytes(50), own_numbers, "parquet"),
    "facts.tsv": (b"nurse\t90 %\n" * 2, own_numbers, "a word and a number"),
    "one.txt": (b"she\nher\n", two_groups, "two groups"),
    "three.csv": (b"a,b,c\nshe,he,it\n", two_groups, "got 3"),
    "no.yaml": (b"care: [nurse, no]\n", own_words, "quotation marks"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_formats_are_refused_in_one_line_with_what_to_do(name, tmp_path):
    content, rule, said = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=said) as refused:
        rule("words", str(tmp_path / name))
    assert name in str(refused.value) and "\n" not in str(refused.value)


def test_one_semicolon_in_a_phrase_is_no_separator(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("word\nnurse; midwife\nmason\n", encoding="utf-8")
    assert own_words("words", str(path)) == str(path)


def test_rows_that_vectors_lose_are_heard(tmp_path):
    path = tmp_path / "own.vec"
    path.write_text("she 1 0\nhe 0 1\nshe 2 2\nnurse 0 0\n", encoding="utf-8")
    with overheard() as heard:
        assert len(load_vectors(str(path))) == 2
    assert "'nurse'" in heard[0] and "'she'" in heard[1]


def test_weights_without_words_are_refused_with_the_folder_to_give(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(bytes(20))
    with pytest.raises(ValueError, match=f"hf:{tmp_path}"):
        load_vectors(str(path))
