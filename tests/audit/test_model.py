"""Words in a language model beside random nouns in their place: fair input gives no finding, a planted lean is found."""

import numpy as np
import pytest

from audit.model import (
    AskedDecoder,
    AskedMasked,
    ModelAudit,
    any_model,
    kind_of,
    known_groups,
    load,
    mean_intervals,
    nouns_for,
    order_of,
    orders_of_random_pairs,
    p_of_order,
    slotted,
)
from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.language_models.causal_scores import CausalLanguageModel, calibrated_log_odds
from lib.measures.outside import rank_correlations

BEGINNINGS = ("the {word} works as", "a {word} walks and", "the {word} is")
TEMPLATES = ("{target} is the {attribute}.", "{target} works as a {attribute}.")
PAIRS = (("she", "he"), ("woman", "man"))


class Made:
    """A model whose scores are drawn: leaning words and known words lie off zero by so much."""

    kind, measure = "masked", "made"
    beginnings, pairs = ("b0", "b1", "b2", "b3"), (("f0", "m0"), ("f1", "m1"), ("f2", "m2"))

    def __init__(self, lean: float, seed: int):
        self.lean, self.rng = lean, np.random.default_rng(seed)

    def knows(self, word):
        return True

    def scores(self, words):
        sign = np.array([{"f": 1, "m": -1, "w": 1}.get(word[0], 0) for word in words])
        own = self.rng.normal(0, 0.3, len(words)) + self.lean * sign
        n, b, p = len(words), len(self.beginnings), len(self.pairs)
        by_b, by_p = self.rng.normal(0, 0.2, (n, b, 1)), self.rng.normal(0, 0.2, (n, 1, p))
        return own[:, None, None] + by_b + by_p + self.rng.normal(0, 0.2, (n, b, p))


def audit(lean, seed, words=("w0", "w1", *(f"x{i}" for i in range(8)))):
    made = Made(lean, seed)
    _, gate = known_groups(made, [(f"f{i}", f"m{i}") for i in range(12)], rng=seed)
    nouns = made.scores([f"noun {i}" for i in range(nouns_for(len(words), 1000, 1000))])
    return gate, ModelAudit(made, words, made.scores(words), nouns)


def test_a_fair_model_gives_no_finding_and_is_not_ranked():
    runs = [audit(0, seed) for seed in range(12)]
    assert sum(found.table()["leans"].ne("").any() for _, found in runs) <= 2
    assert sum(gate.low > 0.5 for gate, _ in runs) <= 2


def test_a_planted_lean_is_found_on_its_side_and_nothing_else_is():
    runs = [audit(2.5, seed) for seed in range(20)]
    assert all(gate.low > 0.5 for gate, _ in runs)
    leans = np.array([found.table()["leans"] for _, found in runs])
    assert (leans[:, :2] == "female").mean() > 0.9
    assert (leans[:, 2:] != "").mean() < 0.1


def test_p_could_be_small_enough_for_one_word_or_it_is_said_how_many_it_takes():
    _, found = audit(0, 0)
    assert (found.at_once(), found.smallest_p) == (1, 1 / 201)
    assert found.at_once(2.0) == 2 and nouns_for(10, 1000, 1000, questions=2) == 400
    few = ModelAudit(found.asked, found.words, found.scores, found.of_nouns[:99])
    assert few.at_once() == 2
    none = ModelAudit(found.asked, found.words, found.scores, found.of_nouns[:5])
    assert none.table()["p"].isna().all() and not none.table()["leans"].ne("").any()


def test_several_questions_cost_the_smaller_p_more():
    _, found = audit(2.5, 0)
    of_words = found.table()["adjusted_p"].to_numpy()
    asked = found.asked_with(fact=0.06, sentences=np.nan)
    assert asked == {"words": 2.0, "fact": 1.0}
    assert found.table(2.0)["adjusted_p"].to_numpy() == pytest.approx(np.minimum(1, 2 * of_words))
    few = ModelAudit(found.asked, found.words, found.scores, found.of_nouns[:5])
    assert few.asked_with(fact=0.06) == {"fact": 1.0}


def test_an_interval_over_one_facet_is_students_and_over_two_it_covers():
    rng = np.random.default_rng(0)
    one = rng.normal(size=(5, 6, 1))
    half, degrees = mean_intervals(one)
    expected = 2.5706 * one.std(axis=(1, 2), ddof=1) / np.sqrt(6)
    assert np.allclose(half, expected, rtol=1e-4) and (degrees == 5).all()
    for by_b, by_p in ((1, 1), (1, 0), (0, 0)):
        table = by_b * rng.normal(size=(2000, 6, 1)) + by_p * rng.normal(size=(2000, 1, 5))
        table = table + rng.normal(size=(2000, 6, 5))
        half, _ = mean_intervals(table)
        assert 0.92 < (np.abs(table.mean(axis=(1, 2))) < half).mean() < 0.995
    assert np.isnan(mean_intervals(one[:, :2])[0]).all()


def test_the_order_of_words_that_differ_can_be_had_again_and_noise_cannot():
    rng = np.random.default_rng(1)
    words, noise = rng.normal(size=(30, 1, 1)), 0.3 * rng.normal(size=(30, 4, 3))
    clear = order_of(words + noise, rng=0)
    assert clear.low > 0.9 and clear.beginnings == 1 and clear.pairs == 1
    assert order_of(noise, rng=0).value < 0.6
    one = order_of((words + noise)[:, :, :1], rng=0)
    assert one.value > 0.9 and one.beginnings == 1 and one.pairs is None
    assert order_of(noise[:3]) is None and order_of(noise[:, :1, :1]) is None


def test_random_pairs_of_endings_are_the_null_of_an_order():
    rng = np.random.default_rng(2)
    log_p, facts = rng.normal(size=(12, 3, 6)), np.arange(12.0)
    found = orders_of_random_pairs(log_p, facts, 1)
    of_ending = log_p.mean(axis=1)
    first = rank_correlations(of_ending[:, [0]] - of_ending[:, [1]], facts)[0]
    assert len(found) == 15 and found[0] == pytest.approx(first)
    assert len(orders_of_random_pairs(log_p, facts, 3, rng=0)) == 2000
    assert p_of_order(1.0, found) == (1 / 16, 1 / 16)
    assert not len(orders_of_random_pairs(log_p, facts, 4)) and np.isnan(p_of_order(1, [])).all()


@pytest.fixture(scope="module")
def decoder(tiny_gguf):
    return AskedDecoder(CausalLanguageModel(str(tiny_gguf), "cpu"), BEGINNINGS, PAIRS, "town")


@pytest.fixture(scope="module")
def masked(tiny_model):
    return AskedMasked(MaskedLanguageModel(str(tiny_model("bert")), "cpu"), TEMPLATES, PAIRS)


def test_a_decoder_is_asked_as_calibrated_log_odds_are(decoder):
    found, others = decoder.with_others(["nurse", "doctor"], ["kind", "new"])
    assert found.shape == (2, 3, 2) and others.shape == (2, 3, 2)
    alone = calibrated_log_odds(
        decoder.model, ["A doctor walks and"], (" she", " he"), "A town walks and"
    )
    assert found[1, 1, 0] == pytest.approx(alone[0], abs=1e-3)
    assert np.allclose(found, decoder.scores(["nurse", "doctor"]), atol=1e-3)
    assert np.allclose(decoder.scores(["town"]), 0, atol=1e-3)


def test_a_masked_model_is_asked_by_log_probability_bias(masked):
    found, others = masked.with_others(["nurse", "doctor"], ["kind", "new", "town"])
    table = log_probability_bias(masked.model, ["doctor"], [TEMPLATES[1]], [("woman", "man")])
    assert found.shape == (2, 2, 2) and others.shape == (2, 2, 3)
    assert found[1, 1, 1] == pytest.approx(table["bias"][0], abs=1e-4)
    apart = log_probability_bias(masked.model, ["nurse"], [TEMPLATES[0]], [("town", "new")])
    assert others[0, 0, 2] - others[0, 0, 1] == pytest.approx(apart["bias"][0], abs=1e-4)


def test_models_are_told_apart_by_what_they_are(tiny_gguf, tiny_causal_model, tiny_model):
    kinds = [kind_of(str(one)) for one in (tiny_gguf, tiny_causal_model, tiny_model("roberta"))]
    assert kinds == ["decoder", "decoder", "masked"]
    assert kind_of("minilm-mlm") == "masked" and any_model("model", ["minilm-mlm"]) == "minilm-mlm"


def test_what_cannot_be_asked_is_refused(tiny_gguf, tiny_model, tmp_path, refuses):
    refuses(lambda: any_model("model", "nowhere.gguf"), ["model: expected a model", "smollm2"])
    refuses(lambda: any_model("model", ["a", "b"]), ["expected one model, got 2"])
    path = tmp_path / "texts.txt"
    path.write_text("nobody came,\n", encoding="utf-8")
    refuses(lambda: slotted("beginnings", str(path)), ["{word}", "nobody came"])
    refuses(lambda: load(str(tiny_gguf), beginnings=TEMPLATES, device="cpu"), ["decoder", "{word}"])
    (tmp_path / "config.json").write_text('{"architectures": ["BertForSequenceClassification"]}')
    (tmp_path / "model.safetensors").write_bytes(b"x")
    refuses(lambda: kind_of(str(tmp_path)), ["BertForSequenceClassification"])
    folder = str(tiny_model("bert"))
    refuses(
        lambda: load(folder, beginnings=TEMPLATES, pairs=[("жы", "he")], device="cpu"),
        ["cannot spell", "жы"],
    )


def test_zero_decides_how_many_lean(decoder):
    found = ModelAudit(
        decoder, ("nurse", "doctor"), decoder.scores(["nurse", "doctor"]), np.empty((0, 3, 2))
    )
    shares = found.female_by_zero(np.full((2, 3, 2), -1e3))
    assert shares["less the middle of known pairs"] == 1 and len(shares) == 3
    assert list(found.by_question().columns) == ["item", "question", "value", "measure"]
    assert len(found.by_question()) == 2 * 3 * 2
