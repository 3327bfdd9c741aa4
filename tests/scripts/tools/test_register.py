"""A registered file: one row with the hash of what was downloaded, and the key in the profiles of its chapter."""

import shutil

import pytest

from lib.documents import read_yaml
from lib.files import file_hash
from lib.paths import DATA
from lib.profiles import chapter_entries
from lib.sources.registry import Source, registry
from scripts.tools.register import listing, register

URL = f"https://raw.githubusercontent.com/doe/words/{'0' * 40}/words.csv"
PROFILE = """chapters:
  one:
    parameters: {seed: 1}
    data: [a,
           b]
  two:
    data: []
  three: {}
  four:
    parameters: {seed: 1}
"""


def source(**changes):
    given = dict(key="doe_words", url=URL, hash=f"sha256:{'0' * 64}", bytes=3)
    return Source(**{**given, "license": "MIT", "description": "words, and more", **changes})


@pytest.fixture
def data(tmp_path):
    """A copy of the registry and the profiles of the book."""
    shutil.copytree(DATA / "profiles", tmp_path / "profiles")
    shutil.copy(DATA / "registry.csv", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "chapter, keys",
    [
        ("one", ["a", "b", "new"]),
        ("two", ["new"]),
        ("three", ["new"]),
        ("four", ["new"]),
        ("five", ["new"]),
    ],
)
def test_a_key_joins_those_of_its_chapter_and_no_other(chapter, keys, tmp_path):
    (tmp_path / "before.yml").write_text(PROFILE)
    (tmp_path / "after.yml").write_text(listing(PROFILE, chapter, "new"))
    before, after = (dict(chapter_entries(name, tmp_path)) for name in ("before", "after"))
    entry = before.get(chapter, {})
    assert after == before | {chapter: {**entry, "data": keys}}


def test_a_row_and_two_profiles_are_written_and_read_back(data):
    written = register(source(), "ripa", ["sample", "full"], data)
    names = ["registry.csv", "profiles/sample.yml", "profiles/full.yml"]
    assert [path.relative_to(data).as_posix() for path in written] == names
    assert registry(data / "registry.csv")["doe_words"] == source()
    before, after = registry(), registry(data / "registry.csv")
    assert {key: after[key] for key in before} == before
    for name in ("sample", "full"):
        profile = read_yaml(data / "profiles" / f"{name}.yml", dict)["chapters"]
        assert profile["ripa"]["data"][-1] == "doe_words"


BAD = {
    "a key that is taken": (dict(key="sembias"), ["a row of sembias already", "another key"]),
    "an address on a branch": (
        dict(url="https://raw.githubusercontent.com/doe/words/main/words.csv"),
        ["fixed commit", "main/words.csv"],
    ),
    "no licence": (dict(license=" "), ["--license", "got nothing"]),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_registered_is_refused_and_nothing_written(case, data, refuses):
    changes, fragments = BAD[case]
    before = file_hash(data / "registry.csv")
    refuses(lambda: register(source(**changes), "ripa", ["sample"], data), fragments)
    assert file_hash(data / "registry.csv") == before
