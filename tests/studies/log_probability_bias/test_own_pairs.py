"""Pairs for the gap, given or in a file."""

import pytest

from studies.log_probability_bias.own_pairs import male_first, pairs_or_file


def test_pairs_of_a_file_are_turned_and_given_ones_stay(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("ella,él\nMaría,Juan\n", encoding="utf-8")
    assert pairs_or_file("targets", str(path)) == [str(path)]
    assert male_first([str(path)]) == ["él/ella", "Juan/María"]
    path.write_text("male,female\nél,ella\n", encoding="utf-8")
    assert male_first([str(path)]) == ["él/ella"]
    assert pairs_or_file("targets", "book") == ["book"] == male_first(["book"])
    assert male_first(pairs_or_file("targets", ["he / she"])) == ["he/she"]


@pytest.mark.parametrize("value", ["my/pairs.csv", [""], [], [7], {}, "pairs.json"])
def test_what_is_neither_is_refused_by_name(value):
    with pytest.raises(ValueError, match="targets: expected"):
        pairs_or_file("targets", value)
