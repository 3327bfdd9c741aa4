"""The recorded counts of simulated intervals."""

from lib.datasets.coverage import read_coverage


def test_every_kind_was_simulated_often_and_covers_sometimes():
    counts = read_coverage()
    assert (counts["n"] >= 900).all() and counts.index.is_unique
    assert (counts["covered"] / counts["n"]).between(0.3, 1).all()
