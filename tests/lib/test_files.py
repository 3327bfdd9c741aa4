"""Files that are there whole or not at all, also where the disk is full."""

import csv
import errno
import io
import os

import pytest

from lib.files import (
    WriteError,
    explained,
    file_hash,
    new_file,
    new_folder,
    size_text,
    spreadsheet_csv,
    text_hash,
    write_whole,
)


def full_disk(*arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_is_written_in_the_folder_that_it_needs(tmp_path, tree):
    path = tmp_path / "one" / "two.txt"
    assert write_whole(path, "é\n") == path
    os.umask(umask := os.umask(0))
    assert path.read_bytes() == "é\n".encode() and path.stat().st_mode & 0o777 == 0o666 & ~umask
    assert tree(tmp_path) == {"one": False, "one/two.txt": 3}


@pytest.mark.parametrize("temporary", [new_file, new_folder])
def test_what_fails_half_way_leaves_nothing(temporary, tmp_path, tree):
    with pytest.raises(ZeroDivisionError), temporary(tmp_path / "made"):
        raise ZeroDivisionError
    assert tree(tmp_path) == {}


def test_a_full_disk_keeps_the_old_file_and_says_what_did_not_fit(tmp_path, tree, monkeypatch):
    path = write_whole(tmp_path / "file.txt", "old")
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(WriteError) as caught:
        write_whole(path, "new!")
    assert str(caught.value).startswith(f"the disk is full: {path} needs 4 bytes or more and ")
    assert path.read_text() == "old" and tree(tmp_path) == {"file.txt": 3}


def test_a_full_disk_counts_what_a_folder_held_so_far(tmp_path, tree):
    with (
        pytest.raises(WriteError, match="store needs 3 bytes or more"),
        new_folder(tmp_path / "store") as part,
    ):
        (part / "words").write_text("one")
        full_disk()
    assert tree(tmp_path) == {}


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(WriteError, match=r"taken/file cannot be written.*BIASBOOK_CACHE"):
        write_whole(tmp_path / "taken" / "file", "")
    assert explained(PermissionError(errno.EACCES, "Permission denied"), tmp_path)
    assert explained(OSError(errno.EIO, "Input/output error"), tmp_path) is None


def test_a_folder_is_not_replaced_also_one_that_was_made_meanwhile(tmp_path, tree):
    with new_folder(tmp_path / "store") as part:
        (part / "kept").touch()
    with (
        pytest.raises(FileExistsError, match="choose another name"),
        new_folder(tmp_path / "store"),
    ):
        pass
    with (
        pytest.raises(FileExistsError, match="another process"),
        new_folder(tmp_path / "late") as part,
    ):
        (part / "ours").touch()
        write_whole(tmp_path / "late" / "theirs", "")
    assert tree(tmp_path) == {"late": False, "late/theirs": 0, "store": False, "store/kept": 0}


def test_hashes_of_files_and_texts_agree(tmp_path):
    path = write_whole(tmp_path / "file", "text")
    assert file_hash(path) == text_hash("text") == text_hash(b"text")
    assert file_hash(path, "md5") == "1cb251ec0d568de6a929b520c4aed8d1"


def test_sizes_are_written_for_people():
    sizes = (812, 2_178_873, 999_999, 1_743_563_840)
    assert [size_text(size) for size in sizes] == ["812 bytes", "2.2 MB", "1.0 MB", "1.7 GB"]


@pytest.mark.parametrize(
    "cell",
    [
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)",
        "+cmd|'x'!A1",
        "-1+cmd|'x'!A1",
        "\t=1+1",
    ],
)
def test_a_cell_that_a_spreadsheet_would_run_is_a_text(cell):
    written = io.StringIO()
    csv.writer(written).writerow(["word", cell, "-0.5"])
    (row,) = csv.reader(io.StringIO(spreadsheet_csv(written.getvalue()), newline=""))
    assert row == ["word", f"'{cell}", "-0.5"]


@pytest.mark.parametrize(
    "cell",
    [
        "-0.53",
        "-0.12 (-0.3 to +0.1)",
        "-",
        "she=he",
        "−0.5",
        "two\nlines",
        'a "word"',
    ],
)
def test_numbers_and_other_texts_of_a_table_keep_their_bytes(cell):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(["word", cell])
    assert spreadsheet_csv(written.getvalue()) == written.getvalue()


def test_empty_cells_stay_empty_beside_a_formula():
    assert spreadsheet_csv('a,b\n,=1\n"",\n') == 'a,b\n"",\'=1\n"",""\n'
