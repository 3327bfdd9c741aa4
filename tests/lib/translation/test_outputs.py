"""Files of outputs in every usual form, and bad ones with one line."""

import pytest

from lib.translation.outputs import read_outputs

GOOD = {
    "a.csv": 'id,source,output\n1,"One, two.","Uno, dos."\n',
    "a.tsv": "id\tsource\toutput\n1\tOne, two.\tUno, dos.\n",
    "a.jsonl": '{"id": 1, "source": "One, two.", "output": ["Uno, dos."]}\n',
    "a.txt": "One, two. ||| Uno, dos.\n",
    "tabs.csv": "id\tsource\toutput\n1\tOne, two.\tUno, dos.\n",
    "semicolons.csv": 'id;source;output\r\n1;"One, two.";"Uno, dos."\r\n',
    "bom.csv": '\ufeffID,English,Translation\r\n1,"One, two.","Uno, dos."\r\n',
}
BAD = {
    "none.csv": ("", "heading"),
    "heading.csv": ("id,source,output\n", "got none"),
    "columns.csv": ("id,sauce\n1,x\n", "columns id, source and output"),
    "width.csv": ("id,output\n1,a,b\n", "2 cells in each row, got 3 in row 2"),
    "quote.csv": ('id,output\n1,"a\n', "cells"),
    "two.csv": ("id,source,output\n1,a,x\n1,b,y\n", "one source for each id"),
    "gender.csv": ("id,source,output,gender\n1,a,x,queen\n", "expected a gender"),
    "side.csv": ("id,source,output,stereotype\n1,a,x,both\n", "pro, anti or nothing"),
    "list.jsonl": ("[1]\n", "line 1"),
    "nested.jsonl": ('{"id": 1, "output": {"a": 1}}\n', "line 1"),
    "bars.txt": ("a ||| b\nc\n", "line 2"),
    "a.parquet": ("PAR1", "expected a file of .csv"),
}


@pytest.mark.parametrize("name", GOOD)
def test_every_form_reads_the_same(name, tmp_path):
    (tmp_path / name).write_text(GOOD[name], encoding="utf-8", newline="")
    row = read_outputs(tmp_path / name).table.iloc[0]
    assert row[["id", "source", "output"]].tolist() == ["1", "One, two.", "Uno, dos."]


@pytest.mark.parametrize("name", BAD)
def test_what_is_none_gets_a_line(name, tmp_path):
    text, said = BAD[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said) as caught:
        read_outputs(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_an_open_quotation_mark_swallows_no_rows(tmp_path):
    lines = ["id\toutput", '1\t"El', "2\tLa", '3\t"a ""b"""']
    (tmp_path / "a.tsv").write_text("\n".join(lines), encoding="utf-8")
    assert read_outputs(tmp_path / "a.tsv").table["output"].tolist() == ['"El', "La", 'a "b"']


def test_a_row_without_an_id_goes_by_its_source(tmp_path):
    (tmp_path / "a.csv").write_text("id,source,output\n1,One.,Uno.\n,Two.,Dos.\n,,Tres.\n")
    table, notes = read_outputs(tmp_path / "a.csv")
    assert table["id"].tolist() == ["1", "Two."]
    assert [note[:6] for note in notes] == ["2 rows", "1 rows"]


def test_several_outputs_of_an_id_are_rows_and_other_bytes_are_named(tmp_path):
    line = '{"id": "a", "source": "One.", "outputs": 3, "output": ["x", "y"]}'
    (tmp_path / "a.jsonl").write_text(line, encoding="utf-8")
    assert read_outputs(tmp_path / "a.jsonl").table["output"].tolist() == ["x", "y"]
    (tmp_path / "b.csv").write_bytes(b"id,output\n1,\xff\xfe\n")
    with pytest.raises(ValueError, match="UTF-8"):
        read_outputs(tmp_path / "b.csv")
    with pytest.raises(ValueError, match="No such file"):
        read_outputs(tmp_path / "c.csv")
