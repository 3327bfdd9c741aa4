"""The command line: forms of input, bad input, interruption, and what is left behind."""

import csv
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.sources import fetch
from lib.taxonomy import stream
from lib.taxonomy.__main__ import main
from lib.taxonomy.filters import flags
from lib.taxonomy.stream import (
    HEADER,
    Reading,
    TooLongError,
    filter_file,
    sentences_of,
    split_sentences,
)
from tests.support.mutations import not_worded

SCOUT, BOY, KETTLE = "A scout shares his bread.", "The boy lost his hat.", "Fill the kettle."


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(tmp_path, content, *options, name="text.txt"):
    """The exit code, and the rows that were written."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code = main([str(path), *options])
    output = tmp_path / f"{name}.candidates.csv"
    left = {entry.name for entry in tmp_path.iterdir()} - {path.name, output.name}
    assert not left, f"left behind: {left}"
    return code, rows_of(output) if output.exists() else None


def test_candidates_of_lines_are_written(tmp_path, capsys):
    code, rows = run(tmp_path, f"{SCOUT}\n\n{BOY}\n{KETTLE}\n")
    assert code == 0
    assert [tuple(row) for row in rows] == [HEADER]
    assert rows[0]["number"] == "1" and rows[0]["mentions"] == "A scout | his"
    assert "1 of 3 sentences are candidates (33.3 %)" in capsys.readouterr().err


def test_every_sentence_is_written_when_asked(tmp_path):
    _, rows = run(tmp_path, f"{SCOUT}\n{BOY}\n{KETTLE}\n", "--every")
    assert [row["candidate"] for row in rows] == ["yes", "no", "no"]
    assert [row["dropped_by"] for row in rows] == ["", "no gendered term", "coreference"]
    assert all(row["reason"] for row in rows)


def test_running_text_is_split(tmp_path):
    text = f"Mr. Hale said:\n{SCOUT} {BOY}\nWhy?\n\n{KETTLE}"
    _, rows = run(tmp_path, text, "--format", "running", "--every")
    assert [row["sentence"] for row in rows] == [f"Mr. Hale said: {SCOUT}", BOY, "Why?", KETTLE]


def test_names_of_a_file_are_found_where_a_sentence_begins(tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("Amelia\n", encoding="utf-8")
    text, output = tmp_path / "text.txt", tmp_path / "out.csv"
    text.write_text("Amelia lost her map.\n", encoding="utf-8")
    assert main([str(text), "--out", str(output), "--names", str(names), "--every"]) == 0
    assert rows_of(output)[0]["dropped_by"] == "no name"


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_column_of_a_table_is_read(tmp_path, form, separator):
    table = f'id{separator}text\n1{separator}"{SCOUT}"\n2{separator}\n3{separator}{BOY}\n'
    _, rows = run(tmp_path, table, "--format", form, "--column", "text", "--every")
    assert [row["sentence"] for row in rows] == [SCOUT, BOY]


def test_a_byte_mark_is_no_part_of_the_first_sentence(tmp_path):
    path = tmp_path / "mark.txt"
    path.write_bytes(b"\xef\xbb\xbf" + SCOUT.encode())
    assert list(sentences_of(path, Reading())) == [SCOUT]


def test_ten_megabytes_in_one_line_are_split_or_refused(tmp_path, capsys):
    line = f"{KETTLE} " * 600_000
    path = tmp_path / "line.txt"
    path.write_text(line, encoding="utf-8")
    first = list(itertools.islice(sentences_of(path, Reading("running")), 3))
    assert first == [KETTLE] * 3
    code, rows = run(tmp_path, line, name="line.txt")
    assert (code, rows) == (2, None)
    assert "at most 20,000 characters" in (message := capsys.readouterr().err)
    assert "--format running" in message and "line.txt" in message


BAD = [
    (b"", (), ["expected sentences, got none"]),
    ("Café".encode("latin-1"), (), ["expected utf-8", "latin-1"]),
    (SCOUT.encode(), ("--encoding", "klingon"), ["encoding", "'klingon'"]),
    (b"id,txt\n1,a\n", ("--format", "csv", "--column", "text"), ["'text'", "id, txt", "--column"]),
    (b"id,sentence\n1\n", ("--format", "csv"), ["expected 2 cells, got 1 in line 2", "quotes"]),
    (b"sentence\n" + b"x" * 30_000, ("--format", "csv"), ["at most 20,000 characters"]),
]


@pytest.mark.parametrize(("content", "options", "fragments"), BAD)
def test_bad_input_is_told_and_leaves_nothing(tmp_path, capsys, content, options, fragments):
    code, rows = run(tmp_path, content, *options)
    message = capsys.readouterr().err
    assert (code, rows) == (2, None)
    assert all(fragment in message for fragment in fragments), message


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_a_file_that_is_not_there_is_told(tmp_path, capsys, name):
    assert main([str(tmp_path / name)]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_an_output_that_is_there_is_kept_unless_told(tmp_path, capsys):
    run(tmp_path, SCOUT)
    (tmp_path / "text.txt.candidates.csv").write_text("kept", encoding="utf-8")
    assert main([str(tmp_path / "text.txt")]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert (tmp_path / "text.txt.candidates.csv").read_text(encoding="utf-8") == "kept"
    assert main([str(tmp_path / "text.txt"), "--overwrite"]) == 0
    assert len(rows_of(tmp_path / "text.txt.candidates.csv")) == 1


def test_the_input_is_never_the_output(tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text(SCOUT, encoding="utf-8")
    assert main([str(path), "--out", str(path), "--overwrite"]) == 2
    assert path.read_text(encoding="utf-8") == SCOUT


@pytest.mark.parametrize("changed", [False, True])
def test_an_interrupted_run_goes_on_with_the_same_file_only(tmp_path, monkeypatch, changed):
    monkeypatch.setattr(stream, "KEPT_EVERY", 3)
    path, output = tmp_path / "in.txt", tmp_path / "out.csv"
    path.write_text("".join(f"{SCOUT} {n}\n{BOY}\n" for n in range(10)), encoding="utf-8")

    def stop(done):
        if done.sentences == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filter_file(path, output, progress=stop)
    assert not output.exists()
    with (tmp_path / ".out.csv.part").open("ab") as file:
        file.write(b"half a row")
    if changed:
        path.write_text(path.read_text(encoding="utf-8") + SCOUT, encoding="utf-8")
    judged = []
    monkeypatch.setattr(
        stream, "judge", lambda text, _judge=stream.judge, **k: judged.append(text) or _judge(text)
    )
    done = filter_file(path, output)
    assert len(judged) == (21 if changed else 11)
    assert (done.sentences, done.candidates) == ((21, 11) if changed else (20, 10))
    whole = tmp_path / "whole.csv"
    filter_file(path, whole)
    assert output.read_bytes() == whole.read_bytes()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["in.txt", "out.csv", "whole.csv"]


@given(st.text(alphabet="ab AB.!?\n\"' ", max_size=200), st.integers(1, 50))
def test_splitting_loses_no_character(text, size):
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert "".join("".join(split_sentences(pieces)).split()) == "".join(text.split())


@pytest.mark.sample("hitti_filters_mindreading")
def test_a_released_log_gives_the_candidates_that_the_filters_give(tmp_path):
    path, output = fetch("hitti_filters_mindreading"), tmp_path / "out.csv"
    column = ["--format", "csv", "--column", "Sentences", "--out", str(output)]
    assert main([str(path), *column]) == 0
    found = {int(row["number"]) for row in rows_of(output)}
    expected = flags(sentences_of(path, Reading("csv", "Sentences")))["candidate"]
    assert found == {number for number, passed in enumerate(expected, start=1) if passed}


def test_blank_lines_before_the_header_are_passed_over(tmp_path):
    _, rows = run(tmp_path, f"\r\n\nn,sentence\n1,{SCOUT}\n", "--format", "csv", name="t.csv")
    assert len(rows) == 1


@pytest.mark.parametrize("header", ["\r,n", "n,m", "sentence,sentence"])
def test_a_table_without_the_column_is_named(tmp_path, capsys, header):
    code, rows = run(tmp_path, f"{header}\na,b\n", "--format", "csv", name="t.csv")
    assert code == 2 and rows is None
    assert "t.csv: expected one column 'sentence'" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "running", "csv", "tsv"])
def test_a_damaged_file_is_filtered_or_named(tmp_path, form):
    path, output = tmp_path / "t.txt", tmp_path / "out.csv"
    mark = {"csv": ",", "tsv": "\t"}.get(form)
    lines = [SCOUT, '"The boy, a café owner, lost his hat."', KETTLE]
    if mark:
        lines = [f"n{mark}sentence", *(f"{n}{mark}{line}" for n, line in enumerate(lines))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def read(mutant):
        output.unlink(missing_ok=True)
        filter_file(mutant, output, Reading(form))

    assert not_worded(read, path, 200, also=(TooLongError,)) == []
    assert {entry.name for entry in tmp_path.iterdir()} <= {path.name, output.name}


def test_a_sentence_is_no_formula_of_a_spreadsheet(tmp_path):
    _, rows = run(tmp_path, f"=1+1 is two.\n{SCOUT}\n", "--every")
    assert [row["sentence"] for row in rows] == ["'=1+1 is two.", SCOUT]
