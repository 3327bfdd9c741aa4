"""The analogy test set: pairs, each once, with their relation."""

import pytest

from lib.datasets.mikolov2013 import read_analogy_pairs


def test_questions_are_read_as_pairs_with_their_kind(cache, server, register):
    content = b"// about\n: capitals\nAthens Greece Oslo Norway\nOslo Norway Rome Italy\n: plural\na as b bs\n"
    (server.folder / "file.txt").write_bytes(content)
    register(f"{server.url}/file.txt", content, key="questions")
    pairs = read_analogy_pairs("questions")
    assert pairs.kind.tolist() == ["capitals"] * 3 + ["plural"] * 2
    assert list(zip(pairs.x, pairs.y))[2:4] == [("Rome", "Italy"), ("a", "as")]


@pytest.mark.sample("zhang_word_test_v1")
def test_the_published_set_has_550_pairs_and_one_kind_lies_inside_another():
    pairs = read_analogy_pairs()
    assert len(pairs) == 550 and "capital-common-countries" not in set(pairs.kind)
