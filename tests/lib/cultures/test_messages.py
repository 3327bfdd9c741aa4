"""Reading files of messages: formats, messy rows, what is counted and what is refused."""

import codecs
import csv
import gzip
import io
import json

import pytest

from lib.cultures.messages import BATCH, LONGEST_FIELD, Messages
from tests.support.mutations import not_worded

ROWS = [
    ("hello there world", "TX"),
    ("zweite, Zeile", "CA"),
    ('a "quoted" one', "NY"),
    ("two\nlines", "FL"),
]


def read(path, **named):
    messages = Messages(path, **({"text": "body", "place": "where"} | named))
    pairs = [pair for texts, places in messages for pair in zip(texts, places)]
    return pairs, messages.counts


def write_csv(path, rows=ROWS, header=("id", "body", "where"), **named):
    with (gzip.open if path.suffix == ".gz" else open)(
        path, "wt", newline="", encoding="utf-8"
    ) as file:
        writer = csv.writer(file, **named)
        writer.writerow(header)
        writer.writerows((number, *row) for number, row in enumerate(rows))
    return path


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("t.csv", {}),
        ("t.tsv", {"delimiter": "\t"}),
        ("t.csv.gz", {}),
        ("semicolons.csv", {"delimiter": ";"}),
    ],
)
def test_csv_files_give_their_rows(tmp_path, name, options):
    pairs, counts = read(write_csv(tmp_path / name, **options))
    assert pairs == ROWS
    assert counts["rows"] == 4


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.ndjson"])
def test_json_lines_give_their_records_also_from_inside(tmp_path, name):
    lines = [json.dumps({"body": text, "user": {"location": place}}) for text, place in ROWS]
    data = "\n".join(
        [*lines, "", "{broken", "[1, 2]", '{"body": "no place here", "user": null}']
    ).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    pairs, counts = read(tmp_path / name, place="user.location")
    assert pairs == [*ROWS, ("no place here", "")]
    assert (counts["rows"], counts["malformed"]) == (7, 2)


def test_parquet_gives_its_rows_or_says_what_to_install(tmp_path, refuses):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"")
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return refuses(lambda: read(path), ["pyarrow", "not installed", "CSV"])
    texts, places = (list(column) for column in zip(*ROWS))
    parquet.write_table(pyarrow.table({"body": [*texts, None], "where": [*places, "TX"]}), path)
    assert read(path)[0] == [*ROWS, ("", "TX")]
    refuses(lambda: read(path, text="nothing"), ["no column 'nothing'"])


def test_messy_rows_are_read_or_counted(tmp_path):
    path = tmp_path / "messy.csv"
    lines = [
        b"\xef\xbb\xbfid,body,where",
        b"0,plain words here,TX",
        b"1,no place at all,",
        "2,😂,TX".encode(),
        b"3,short row",
        "4,caf\u00e9 in utf eight,TX".encode(),
        b"5,caf\xe9 in windows,TX",
        b"6,with \x00 nul byte,TX",
        b"id,body,where",
        b'7,"quotes "" inside",TX',
        b"8," + b"long " * 4000 + b",TX",
        b"",
        b"9,after all that,TX",
    ]
    path.write_bytes(b"\r\n".join(lines))
    pairs, counts = read(path)
    texts = [text for text, _ in pairs]
    assert texts[:3] == ["plain words here", "no place at all", "😂"]
    assert texts[3:6] == ["café in utf eight", "café in windows", "with \x00 nul byte"]
    assert texts[6:] == ['quotes " inside', "long " * 4000, "after all that"]
    assert counts == {"rows": 11, "malformed": 1, "repeated_headers": 1, "repaired": 1}
    assert counts["rows"] == len(pairs) + counts["malformed"] + counts["repeated_headers"]


def test_two_open_files_count_their_own_and_leave_the_process_as_it_was(tmp_path):
    limit = csv.field_size_limit()
    files = []
    for name, broken in (("a.csv", 3), ("b.csv", 1)):
        rows = [b"caf\xe9 au lait,TX"] * broken + ["naïve words,TX".encode()] * BATCH
        (tmp_path / name).write_bytes(b"\n".join([b"body,where", *rows]))
        files.append(Messages(tmp_path / name, "body", "where"))
    readers = [iter(messages) for messages in files]
    firsts = [next(reader) for reader in readers]
    for reader in readers:
        list(reader)
    assert [texts[0] for texts, _ in firsts] == ["café au lait"] * 2
    assert [messages.counts["repaired"] for messages in files] == [3, 1]
    assert csv.field_size_limit() == limit
    with pytest.raises(LookupError):
        codecs.lookup_error("cp1252")


def test_a_lost_quotation_mark_costs_no_row_however_many_follow(tmp_path):
    path = write_csv(tmp_path / "t.csv", [("fine row", "TX")])
    filler = "".join(f"{n},words of a row,TX\n" for n in range(LONGEST_FIELD // 10))
    path.write_text(path.read_text() + f'1,"lost its mark,TX\n{filler}')
    pairs, counts = read(path)
    assert pairs[:2] == [("fine row", "TX"), ('"lost its mark', "TX")]
    assert pairs[2:] == [("words of a row", "TX")] * (LONGEST_FIELD // 10)
    assert counts == {"rows": LONGEST_FIELD // 10 + 2, "open_quotes": 1}


@pytest.mark.parametrize(
    ("closed", "said"), [("\tIL\n", "nothing"), (' and "this" is not\tIL\n', "closes inside")]
)
def test_an_open_quotation_mark_swallows_no_row_of_a_tsv(tmp_path, closed, said):
    path = tmp_path / "t.tsv"
    between = "".join(f"{n}\twords of row {n}\tIL\n" for n in range(131))
    end = f'x\tlast{closed}y\t"two\nlines, of a text"\tNY\n'
    path.write_text(f'id\tbody\twhere\n0\t"open for ever\tMA\n{between}{end}')
    pairs, counts = read(path)
    assert pairs[0] == ('"open for ever', "MA")
    assert pairs[1:132] == [(f"words of row {n}", "IL") for n in range(131)]
    assert pairs[-1] == ("two\nlines, of a text", "NY"), said
    assert counts == {"rows": 134, "open_quotes": 1}


def test_without_quoting_a_mark_is_a_character(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text('body\twhere\n"5 feet tall\tTX\nplain\tCA\n')
    pairs, counts = read(path, quoting="none")
    assert pairs == [('"5 feet tall', "TX"), ("plain", "CA")] and counts == {"rows": 2}
    with pytest.raises(ValueError, match="usual, none"):
        read(path, quoting="off")


def test_a_line_without_end_is_counted_and_never_held(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.cultures.messages.LONGEST_LINE", 5000)
    read_at_once = []
    usual = io.TextIOWrapper.readline

    class Watched(io.TextIOWrapper):
        def readline(self, size=-1):
            read_at_once.append(size)
            return usual(self, size)

    monkeypatch.setattr("lib.cultures.messages.io.TextIOWrapper", Watched)
    (tmp_path / "t.csv").write_text(f"body,where\n{'x' * 10**6}\nfine words here,TX\n")
    pairs, counts = read(tmp_path / "t.csv")
    assert pairs == [("fine words here", "TX")] and counts == {"rows": 2, "malformed": 1}
    with gzip.open(tmp_path / "t.jsonl.gz", "wt") as file:
        file.write('{"body": "fine", "where": "TX"}\n[' + "1," * 10**6)
    pairs, counts = read(tmp_path / "t.jsonl.gz")
    assert pairs == [("fine", "TX")] and counts["malformed"] == 1
    assert set(read_at_once) == {5000}


@pytest.mark.parametrize("keep", [100, -5])
def test_cut_gzip_says_where_and_what_to_do(tmp_path, refuses, keep):
    path = write_csv(tmp_path / "t.csv.gz", [(f"words {n * 7919}", "TX") for n in range(500)])
    path.write_bytes(path.read_bytes()[:keep])
    refuses(lambda: read(path), ["t.csv.gz", "whole gzip data", "byte", "fetch the file again"])


def test_what_is_named_gz_and_is_not_packed_is_read(tmp_path):
    (tmp_path / "t.csv.gz").write_text("body,where\nfine,TX\n")
    assert read(tmp_path / "t.csv.gz")[0] == [("fine", "TX")]


def test_half_a_character_of_json_is_replaced(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"body": "half \\ud83d of it", "where": "TX"}\n')
    assert read(tmp_path / "t.jsonl")[0] == [("half ? of it", "TX")]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.csv.gz", "t.jsonl.gz"])
def test_damaged_files_give_messages_or_a_named_error(tmp_path, name):
    path = tmp_path / name
    if "json" in name:
        data = "\n".join(
            json.dumps({"body": text, "where": place}) for text, place in ROWS
        ).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    else:
        write_csv(path, delimiter="\t" if name.endswith("tsv") else ",")
    assert not_worded(read, path, also=()) == []


def test_damaged_parquet_gives_messages_or_a_named_error(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    texts, places = (list(column) for column in zip(*ROWS))
    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"body": texts, "where": places}), path)
    assert not_worded(read, path) == []


def test_utf16_is_read_by_its_mark(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("body,where\nzoë was here,TX\n", encoding="utf-16")
    assert read(path)[0] == [("zoë was here", "TX")]


def test_other_languages_are_counted_by_their_column(tmp_path):
    path = write_csv(
        tmp_path / "t.csv",
        [("hello", "TX", "en"), ("bonjour", "TX", "fr"), ("hi", "TX", "EN")],
        ("id", "body", "where", "lang"),
    )
    pairs, counts = read(path, language="lang")
    assert (len(pairs), counts["other_language"]) == (2, 1)


@pytest.mark.parametrize(
    ("name", "content", "fragments"),
    [
        ("t.csv", "id,body\n1,x\n", ["no column 'where'", "'body'", "--place-column"]),
        ("t.csv", "", ["no column 'body'"]),
        ("t.jsonl", '{"text": "x"}\n', ["no record has 'body'", "--text-column"]),
    ],
)
def test_files_without_the_columns_are_refused(tmp_path, refuses, name, content, fragments):
    path = tmp_path / name
    path.write_text(content)
    refuses(lambda: read(path), fragments)
