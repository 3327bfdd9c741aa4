"""The analogy test set: pairs, each once, with their relation."""

import pytest

from studies.base_pair_stability.mikolov2013 import read_analogies, read_analogy_pairs


def test_questions_are_read_as_pairs_with_their_kind(cache, server, register):
    content = b"// about\n: capitals\nAthens Greece Oslo Norway\nOslo Norway Rome Italy\n: plural\na as b bs\n: cities\nRome Italy a as\n"
    (server.folder / "file.txt").write_bytes(content)
    register(f"{server.url}/file.txt", content, key="questions")
    assert read_analogies("questions").values.tolist()[2] == ["plural", "a", "as", "b", "bs"]
    pairs = read_analogy_pairs("questions")
    assert pairs.kind.tolist() == ["capitals"] * 3 + ["plural"] * 2 + ["cities"] * 2
    assert list(zip(pairs.x, pairs.y))[2:4] == [("Rome", "Italy"), ("a", "as")]


@pytest.mark.sample("zhang_word_test_v1")
def test_the_published_set_has_550_pairs_beside_the_family_of_which_23_are_of_two_kinds():
    kinds, pairs = read_analogies().kind, read_analogy_pairs()
    grammar = kinds.str.startswith("gram")
    assert (len(kinds), (~grammar).sum(), kinds.nunique()) == (19544, 8869, 14)
    others = pairs[pairs.kind != "family"]
    assert len(others) == 550 and len(others.drop_duplicates(["x", "y"])) == 527
