"""Rules for parameters: what passes, what is refused and with which hint, and names that are none."""

import json

import pytest

from lib import parameters as rules
from lib.lexicons import read_words

COMMIT = "a" * 40


@pytest.mark.parametrize(
    ("rule", "value", "fragments"),
    [
        (rules.count, 0, ["draws", "1 or more", "got 0"]),
        (rules.count, True, ["whole number", "True"]),
        (rules.between(1, 10), 11, ["from 1 to 10", "11"]),
        (rules.number, float("nan"), ["finite", "nan"]),
        (rules.positive, 0.0, ["above 0", "0.0"]),
        (rules.flag, "yes", ["true or false", "'yes'"]),
        (rules.text, 1984, ["text", "int", "-r draws 1984"]),
        (rules.device, "cudo", ["auto, cpu, cuda, mps", "Did you mean 'cuda'?"]),
        (rules.pairs, "he", ["two words such as he/she", "'he'"]),
        (rules.pairs, ["he/she/they"], ["two words such as he/she", "he/she/they"]),
        (rules.words, "mine.json", ["path of a file", "mine.json"]),
        (rules.codes, ["eng_Latn"], ["two languages", "eng_Latn"]),
        (rules.choice("book", "published"), "publishedd", ["Did you mean 'published'?"]),
        (rules.choice("book", file=True), "mine.json", ["book", "no file here", "mine.json"]),
        (rules.choices("gap", "film"), "gap, filn", ["'filn'", "Did you mean 'film'?"]),
        (rules.embedding, "minilmm", ["word vectors", "Did you mean 'minilm'?"]),
        (rules.embedding, "hf:bert-base-uncasd", ["Did you mean 'bert-base-uncased'?"]),
        (rules.encoder, "owner/model@main", ["40 hexadecimal digits"]),
        (rules.masked_model, "minilm", ["a fill-mask model", "Did you mean 'minilm-mlm'?"]),
        (rules.translator, "tatoeba-en-e", ["Did you mean 'tatoeba-en-es'?"]),
        (rules.translator, "instructed:", ["instructed: and a folder"]),
        (rules.kept_folder, "dose", ["Did you mean 'doses'?"]),
        (rules.optional(rules.folder), "no/such/folder", ["path of a folder"]),
    ],
)
def test_what_names_no_such_thing_is_refused_with_a_hint(rule, value, fragments, refuses):
    refuses(lambda: rule("draws", value), fragments)


@pytest.mark.parametrize(
    ("rule", "value", "kept"),
    [
        (rules.number, 13, 13.0),
        (rules.codes, "eng_Latn,spa_Latn", ["eng_Latn", "spa_Latn"]),
        (rules.each(rules.label), "LABEL_1, 2", ["LABEL_1", 2]),
        (rules.choices("gap", "film"), "none", []),
        (rules.embedding, "glove_6b_50d_5k", "glove_6b_50d_5k"),
        (rules.embedding, f"hf:owner/model@{COMMIT}", f"hf:owner/model@{COMMIT}"),
        (rules.masked_model, "minilm-mlm-seed1", "minilm-mlm-seed1"),
        (rules.translator, "instructed:http://localhost:8000/v1#m", None),
        (rules.translator, f"owner/model@{COMMIT}", None),
    ],
)
def test_what_the_chapters_take_passes(rule, value, kept):
    assert rule("parameter", value) == (value if kept is None else kept)


def test_a_near_name_in_the_folder_is_named(tmp_path, refuses):
    (tmp_path / "predictions.csv").touch()
    refuses(
        lambda: rules.file("predictions", str(tmp_path / "prediction.csv")), ["predictions.csv"]
    )


PARAMETERS = 'profile = "embedded"\nseed = 0\ndevice = "cpu"\ndraws = 9  # of something\nnew = 1'


@pytest.mark.parametrize(
    ("cells", "unknown"),
    [
        (["", "watch()", PARAMETERS, "# Parameters\nseed = 1\nprofil = 'x'\n"], "profil"),
        (["", PARAMETERS, "# Parameters\nsead = 1\n", "import os", "check()"], "sead"),
    ],
)
def test_a_name_that_papermill_sets_and_the_chapter_lacks_is_refused(cells, unknown, refuses):
    given = {"profile": "embedded", "seed": 0, "device": "cpu", "draws": 5, "In": cells}
    refuses(
        lambda: rules.check(given, draws=rules.count),
        ["parameter of this chapter", repr(unknown), "Did you mean"],
    )


@pytest.mark.parametrize(
    "cells",
    [
        ["", PARAMETERS, "# Parameters\ndraws = 5\nnew = 2\n"],
        ["", PARAMETERS, "# Parameters\ndrws = 5\n", PARAMETERS, "check()"],
        ["", "drws = 5", PARAMETERS, "not python(", "check()"],
    ],
)
def test_names_of_the_chapter_and_cells_of_the_reader_pass(cells):
    given = {"profile": "embedded", "seed": 0, "device": "cpu", "draws": "7", "In": cells}
    rules.check(given | {"draws": 7}, draws=rules.count)


def test_values_are_brought_into_form():
    given = {"profile": "embedded", "seed": 0, "device": "cpu", "scale": 2, "beside": "gap"}
    rules.check(given, scale=rules.positive, beside=rules.choices("gap"))
    assert given["scale"] == 2.0 and given["beside"] == ["gap"]
    assert isinstance(given["scale"], float)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.json", json.dumps(["nurse", "vice president", "nurse"])),
        ("mine.txt", "nurse\nvice president\n\nnurse\n"),
        ("mine.csv", '\ufeffnurse\r\n"vice president"\r\n'),
    ],
)
def test_words_of_one_s_own_are_read_from_three_kinds_of_file(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")
    assert read_words(path) == ("nurse", "vice president")
    assert rules.choice("book", file=True)("lists", str(path)) == str(path)


@pytest.mark.parametrize(
    ("name", "content", "fragments"),
    [
        ("mine.json", b'{"a": 1}', ["JSON list", "{'a': 1}"]),
        ("mine.csv", b"nurse,7\n", ["one word a line", "2 columns", "nurse,7"]),
        ("mine.txt", "Köchin\n".encode("latin-1"), ["UTF-8"]),
        ("mine.txt", b"\n\n", ["no word"]),
    ],
)
def test_files_that_hold_anything_else_are_refused(tmp_path, name, content, fragments, refuses):
    path = tmp_path / name
    path.write_bytes(content)
    refuses(lambda: read_words(path), [str(path), *fragments])
