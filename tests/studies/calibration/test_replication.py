"""A small text through everything that is trained, and every measure."""

from studies.calibration.corpus import Plan
from studies.calibration.replication import Condition, replicate

SMALL = Condition(1.0, Plan(sentences=3_000, types=120), 8, "a small text", retrained=True)


def test_a_replication_has_every_statistic():
    first = replicate(SMALL, 3)
    wanted = {
        "rank correlation",
        "rank correlation, another seed",
        "slope",
        "sign accuracy",
        "one pair",
        "value",
        "p, two lists",
        "p, against zero",
    }
    assert wanted <= set(first["statistic"])
    assert set(first["space"]) == {"skip-gram", "GloVe", "masked head", "counts"}
    p_values = first[first["statistic"].str.startswith("p,")]["value"]
    assert p_values.between(0, 1).all()
    same = first[first["statistic"] == "rank correlation, another seed"].set_index(
        ["space", "measure"]
    )["value"]
    assert set(same.index.get_level_values("space")) == {"skip-gram", "GloVe", "masked head"}
    assert same.between(-1, 1).all() and 0.3 < same["skip-gram", "direct bias"] < 1
