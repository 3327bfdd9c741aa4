"""Words beside random pairs and random words: fair input gives no finding, a planted lean is found."""

import numpy as np
import pytest

from audit.vectors import MEASURES, audit_vectors, ranking, word_scores
from lib.embeddings import Embedding
from lib.measures import direct_bias, ripa

PAIRS = [(f"f{i}", f"m{i}") for i in range(8)]
KNOWN = [(f"kf{i}", f"km{i}") for i in range(6)]
WORDS = [f"w{i}" for i in range(12)]


def embedding(lean: float, seed: int, planted: int = 4) -> Embedding:
    """1,500 words of 40 dimensions; pairs and known words lie along one axis where lean > 0, and so do the first of the words."""
    rng = np.random.default_rng(seed)
    sides = [word for pair in [*PAIRS, *KNOWN] for word in pair]
    rest = [f"x{i}" for i in range(1500 - len(sides) - len(WORDS))]
    words = [*sides, *WORDS, *rest]
    vectors = rng.standard_normal((len(words), 40))
    axis = np.zeros(40)
    axis[0] = lean
    for place in range(len(sides)):
        vectors[place] += axis if place % 2 == 0 else -axis
    vectors[len(sides) : len(sides) + planted] += axis
    return Embedding(words, vectors, f"seed {seed}", ranked=False)


def test_scores_by_pair_are_those_of_the_measures():
    rng = np.random.default_rng(0)
    words, female, male, random, others = rng.standard_normal((5, 9, 7))
    for name, measure in (("direct bias", direct_bias), ("RIPA", ripa)):
        found = word_scores(MEASURES[name], words, female, male, random, others)
        assert np.allclose(found.by_pair, measure(words, female, male))
        assert found.zero == pytest.approx(np.median(measure(others, female, male).mean(axis=1)))


def test_random_pairs_are_as_long_as_the_pairs_so_that_only_directions_differ():
    rng = np.random.default_rng(1)
    words, female, male, random, others = rng.standard_normal((5, 9, 7))
    short, long = (
        word_scores(MEASURES["RIPA"], words, female, male, size * random, others)
        for size in (0.1, 10)
    )
    assert np.allclose(short.random, long.random)


def test_a_fair_space_gives_no_finding_and_is_not_ranked():
    runs = [
        audit_vectors(embedding(0, seed), WORDS, PAIRS, known=KNOWN, draws=240, rng=seed)
        for seed in range(10)
    ]
    assert sum(run.table()["leans"].ne("").any() for run in runs) <= 1
    assert sum(run.told_apart for run in runs) <= 2
    assert sum(run.beyond_random_pairs()[1] <= 0.05 for run in runs) <= 2


def test_a_planted_lean_is_found_on_its_side_and_nothing_else_is():
    runs = [
        audit_vectors(embedding(6, seed), WORDS, PAIRS, known=KNOWN, draws=240, rng=seed)
        for seed in range(10)
    ]
    assert all(run.told_apart for run in runs)
    leans = np.array([run.table().query("measure == 'direct bias'")["leans"] for run in runs])
    assert (leans[:, :4] == "female").mean() > 0.9
    assert (leans[:, 4:] != "").mean() < 0.1


def test_several_questions_about_the_same_words_cost_something():
    found = audit_vectors(embedding(6, 0), WORDS, PAIRS, draws=240, questions=3, rng=0)
    assert found.draws == 60 * len(WORDS)
    alone, times = found.table(), found.asked(fact=0.4)
    together = found.table(times["words"])
    assert set(times) == {"words", "list", "fact"} and times["fact"] == 1
    assert times["words"] >= 2 and (together["adjusted_p"] >= alone["adjusted_p"]).all()
    assert set(found.asked()) == {"words", "list"}


def test_what_is_missing_is_listed_and_nothing_at_all_is_an_error():
    e = embedding(1, 0)
    found = audit_vectors(e, ["w0", "nowhere"], [*PAIRS[:2], ("f0", "nobody")], draws=50, rng=0)
    assert found.missing == ("nowhere",) and found.missing_pairs == (("f0", "nobody"),)
    assert found.known is None and not found.told_apart
    assert found.table()["low"].isna().all(), "two pairs say nothing of other pairs"
    with pytest.raises(ValueError, match="none of 1 words is in seed 0"):
        audit_vectors(e, ["nowhere"], PAIRS, rng=0)


def test_p_could_be_small_enough_for_one_word_among_all():
    found = audit_vectors(embedding(0, 0), WORDS, PAIRS, draws=10, rng=0)
    assert len(WORDS) / (1 + found.draws) < 0.05


def test_embeddings_are_ranked_by_lean_beside_random_pairs_and_copies_share_the_rank():
    audits = [audit_vectors(embedding(lean, 3), WORDS, PAIRS, draws=240, rng=0) for lean in (0, 6)]
    table = ranking([*audits, audits[1]], rng=0)
    assert list(table["rank"]) == [3, 1.5, 1.5]
    assert table["low"][1] > table["high"][0]
    with pytest.raises(ValueError, match="two embeddings or more"):
        ranking(audits[:1])


def test_among_few_words_none_is_said_to_be_rarer_than_one_of_them():
    words = [
        *(word for pair in [*PAIRS, *KNOWN] for word in pair),
        *WORDS,
        *(f"x{i}" for i in range(20)),
    ]
    vectors = np.random.default_rng(0).standard_normal((len(words), 30))
    axis = np.eye(30)[0]
    vectors[:28] += 4 * np.where(np.arange(28) % 2, -1, 1)[:, None] * axis
    vectors[28] += 9 * axis
    found = audit_vectors(Embedding(words, vectors), WORDS, PAIRS, known=KNOWN, draws=1000, rng=0)
    rows = found.table().set_index(["measure", "item"]).loc["direct bias"]
    assert found.others == 32 and rows.loc["w0", "p"] == rows["smallest_p"].iloc[0] == 1 / 33
    assert found.one_alone() == pytest.approx(12 / 33 * found.asked()["words"], rel=0.5)
    assert found.one_alone() > 0.05 and not rows["leans"].any()


def test_embeddings_that_are_the_same_share_the_lead():
    one = audit_vectors(embedding(3, 0), WORDS, PAIRS, known=KNOWN, draws=240, rng=0)
    placed = ranking([one, one], rng=0)
    assert placed["share of draws in which it is first"].tolist() == [0.5, 0.5]
