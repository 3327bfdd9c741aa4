"""CrowS-Pairs and StereoSet, revised and rewritten: how many of each, and whose twin is whose."""

import pytest

from lib.datasets import pikuliak2023
from lib.datasets.pikuliak2023 import (
    read_gender_swaps,
    read_revised_pairs,
    read_twin_pairs,
    rewritten_gender_pairs,
)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(pikuliak2023, "fetch", lambda key: tmp_path / "file")

    return write


def test_a_twin_belongs_to_the_pair_of_its_own_column(file):
    file("a,b\nc,d\n,e\n,f\n,\n,\n")
    twins = read_twin_pairs("negation")
    assert twins.to_dict("records") == [
        {"pair": 1, "sent_more": "b", "sent_less": "d", "twin_more": "e", "twin_less": "f"}
    ]


def test_blocks_are_stereotype_and_anti_stereotype_by_turns(file):
    file("She is <kind>.\nHe is <kind>.\n\nShe is <cruel>.\nHe is <cruel>.\n")
    table = read_gender_swaps()
    assert table["kind"].tolist() == ["stereotype", "anti-stereotype"]
    assert table["item"].tolist() == [0, 0]
    assert table.loc[1, ["sentence", "twin", "attribute"]].tolist() == [
        "She is cruel.",
        "He is cruel.",
        "cruel",
    ]


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match="negation"):
        read_twin_pairs("negated")


@pytest.mark.sample(
    "pikuliak_crows_revised",
    "pikuliak_crows_negation",
    "pikuliak_crows_antistereotype",
    "pikuliak_stereoset_genderswap",
    "pikuliak_stereoset_genderswap_filtered",
    "crows_pairs",
)
def test_there_are_as_many_as_published():
    revised = read_revised_pairs()
    assert (len(revised), (revised["bias_type"] == "gender").sum()) == (1467, 250)
    assert {kind: len(read_twin_pairs(kind)) for kind in ("negation", "antistereotype")} == {
        "negation": 66,
        "antistereotype": 65,
    }
    assert [read_gender_swaps(filtered=f)["item"].nunique() for f in (True, False)] == [147, 251]
    versions = rewritten_gender_pairs()
    assert {name: len(pairs[0]) for name, (pairs, _) in versions.items()} == {
        "CrowS-Pairs, revised": 250,
        "CrowS-Pairs, negation": 66,
        "CrowS-Pairs, antistereotype": 65,
        "StereoSet, anti-stereotype": 147,
    }
    assert all(len({len(part) for part in (*a, *b)}) == 1 for a, b in versions.values())
