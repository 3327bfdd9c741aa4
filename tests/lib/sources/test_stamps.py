"""Hashes of large files that are noted: found again, never believed where somebody else may have written them."""

import hashlib
import json
import os

import pytest

from lib.sources import stamps
from lib.sources.stamps import known_hash
from tests.support.mutations import flip_a_bit_and_set_the_time_back

CONTENT = b"she 0.1 0.2\nhe 0.3 0.4\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file, with a cache of its own beside it."""
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(stamps, "LARGE", 10)
    monkeypatch.setattr(stamps, "SETTLED", -1)
    path = tmp_path / "file.bin"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def hashed(monkeypatch):
    """The files that were hashed."""
    asked, whole = [], stamps.file_hash
    monkeypatch.setattr(
        stamps, "file_hash", lambda path, algorithm: asked.append(path) or whole(path, algorithm)
    )
    return asked


def note():
    """The one file of notes."""
    (place,) = stamps._folder().iterdir()
    return place


def test_a_file_is_read_once_for_each_algorithm_and_again_when_it_changed(file, hashed):
    assert known_hash(file) == known_hash(file) == DIGEST and len(hashed) == 1
    assert known_hash(file, "md5") == hashlib.md5(CONTENT).hexdigest() and len(hashed) == 2
    file.write_bytes(CONTENT.upper())
    assert known_hash(file) == hashlib.sha256(CONTENT.upper()).hexdigest() and len(hashed) == 3


def test_a_flipped_bit_under_the_old_time_is_seen(file):
    known_hash(file)
    before = file.stat()
    flip_a_bit_and_set_the_time_back(file)
    assert file.stat().st_mtime_ns == before.st_mtime_ns and file.stat().st_size == before.st_size
    assert known_hash(file) == hashlib.sha256(file.read_bytes()).hexdigest() != DIGEST


def test_another_file_under_the_same_name_size_and_time_is_seen(file):
    known_hash(file)
    before, other = file.stat(), file.with_name("other")
    other.write_bytes(CONTENT.replace(b"she", b"her"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    assert known_hash(file) == hashlib.sha256(file.read_bytes()).hexdigest() != DIGEST


def test_a_file_that_changed_just_now_is_not_noted(file, hashed, monkeypatch):
    monkeypatch.setattr(stamps, "SETTLED", 10**18)
    assert known_hash(file) == known_hash(file) == DIGEST and len(hashed) == 2
    assert not stamps._folder().exists()


def test_a_file_that_changes_while_it_is_read_is_not_noted(file, monkeypatch):
    whole = stamps.file_hash

    def slow(path, algorithm):
        found = whole(path, algorithm)
        flip_a_bit_and_set_the_time_back(path)
        return found

    monkeypatch.setattr(stamps, "file_hash", slow)
    assert known_hash(file) == DIGEST
    assert not stamps._folder().exists()


def forged(file):
    """A note that says of the file what is not so."""
    known_hash(file)
    place = note()
    place.write_text(json.dumps(json.loads(place.read_text()) | {"hash": "0" * 64}))
    return place


def test_a_note_of_ones_own_is_believed(file):
    forged(file)
    assert known_hash(file) == "0" * 64  # or the tests below would show nothing


def given_away(place):
    os.chown(place, 65534, 65534)


def linked(place):
    moved = place.rename(place.with_name("elsewhere"))
    place.symlink_to(moved)


FORGERIES = {
    "anybody may write the note": lambda place: place.chmod(0o666),
    "anybody may write the folder": lambda place: place.parent.chmod(0o777),
    "a link in place of the note": linked,
    "a note that is no JSON": lambda place: place.write_text("{"),
    "a hash that is a number": lambda place: place.write_text(
        json.dumps(json.loads(place.read_text()) | {"hash": 7})
    ),
}
if hasattr(os, "geteuid") and os.geteuid() == 0:  # only root can make files of others
    FORGERIES["another user's note"] = given_away
    FORGERIES["another user's folder"] = lambda place: given_away(place.parent)


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_note_that_somebody_else_may_have_written_is_not_believed(forge, file):
    forge(forged(file))
    assert known_hash(file) == DIGEST


def test_a_cache_that_cannot_be_written_costs_time_only(file, hashed, monkeypatch):
    (file.parent / "cache").write_text("a file in its place")
    assert known_hash(file) == known_hash(file) == DIGEST and len(hashed) == 2
