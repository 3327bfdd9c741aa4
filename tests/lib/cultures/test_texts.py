"""Messages sorted by culture: counts that add up, texts that are whole or not there, and samples that never change."""

import pytest

from lib.cultures import texts as culture_texts
from lib.cultures.texts import (
    Splitting,
    split_file,
)
from tests.support.messages import ROWS, SPLITTING, write


def test_every_row_is_kept_or_counted_with_its_reason(tmp_path):
    report = split_file(write(tmp_path / "t.csv"), tmp_path / "texts", SPLITTING)
    assert report.rows == len(ROWS) == report.kept + sum(report.dropped.values())
    assert {name: count for name, count in report.dropped.items() if count} == {
        "short": 2,
        "unmatched": 1,
        "no_place": 1,
    }
    assert report.messages == {"GA": 1, "OH": 2, "TX": 2}
    assert report.words == {"GA": 4, "OH": 8, "TX": 10}
    assert report.ambiguous == {"GA": 1, "OH": 0, "TX": 0}
    assert report.unmatched == {"Narnia": 1}


@pytest.mark.parametrize(
    ("change", "reason", "kept"),
    [
        ({"ambiguous": "drop"}, "ambiguous", {"OH": 2, "TX": 2}),
        ({"english": True}, "not_english", {"GA": 1, "OH": 1, "TX": 2}),
        ({"level": "country"}, "unmatched", {"USA": 4, "GEO": 1}),
    ],
)
def test_the_rules_are_by_argument(tmp_path, change, reason, kept):
    report = split_file(
        write(tmp_path / "t.csv"), tmp_path / "texts", Splitting("body", "where", **change)
    )
    assert report.messages == kept
    assert report.dropped[reason] == 1


def test_what_is_there_is_not_done_again_and_what_changed_is(tmp_path, monkeypatch, tree):
    path = write(tmp_path / "t.csv")
    first = split_file(path, tmp_path / "texts", SPLITTING)
    before = tree(tmp_path / "texts")
    with monkeypatch.context() as patch:
        patch.setattr(culture_texts, "clean", lambda *_: pytest.fail("done again"))
        assert split_file(path, tmp_path / "texts", SPLITTING) == first
    write(path, ROWS[:3])
    assert split_file(path, tmp_path / "texts", SPLITTING).rows == 3
    assert before.items() <= tree(tmp_path / "texts").items()


def test_an_interruption_leaves_nothing(tmp_path, monkeypatch, tree):
    monkeypatch.setattr(culture_texts, "clean", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        split_file(write(tmp_path / "t.csv"), tmp_path / "texts", SPLITTING)
    assert tree(tmp_path / "texts") == {}
