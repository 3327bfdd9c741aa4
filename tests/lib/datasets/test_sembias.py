"""SemBias as its file has it."""

import pytest

from lib.datasets import sembias


@pytest.mark.sample("sembias")
def test_every_definition_meets_every_stereotype_once():
    rows = sembias.read_sembias()
    assert len(rows) == 4 * 440
    by_kind = {kind: rows[rows["kind"] == kind].set_index("question") for kind in set(rows["kind"])}
    assert {kind: len(part) for kind, part in by_kind.items()} == {
        "definition": 440,
        "stereotype": 440,
        "none": 880,
    }
    met = by_kind["definition"].join(by_kind["stereotype"], rsuffix=" of stereotype")
    assert (met["male"].nunique(), met["male of stereotype"].nunique()) == (22, 20)
    assert not met.duplicated(["male", "male of stereotype"]).any()
    assert ("waiter", "waitress") in set(zip(met["male"], met["female"]))


def test_a_line_without_four_pairs_is_refused_with_its_number(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("a:b\tc:d\te:f\tg:h\na:b\tc:d\n", encoding="utf-8")
    monkeypatch.setattr(sembias, "fetch", lambda key: tmp_path / "file")
    with pytest.raises(ValueError, match="line 2: expected four pairs"):
        sembias.read_sembias()
