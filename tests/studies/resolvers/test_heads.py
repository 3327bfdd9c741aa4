"""Heads on frozen states: each learns what made-up states show."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from lib.coreference.resolvers.examples import Examples, encode_examples, joined
from lib.coreference.resolvers.resolver import predictions_by_seed
from lib.coreference.scores import log_loss
from lib.datasets.gap import read_gap
from studies.resolvers.anonymised import Anonymised, End2end, NamedExamples, PureBert
from studies.resolvers.heads import (
    STEPS,
    Baseline,
    FillTheGap,
    Frozen,
    MSNet,
    SupportVectors,
    ThirdPlace,
)
from studies.resolvers.networks import Dropout, divided, word_distances

QUICK = {"epochs": 15, "patience": 15, "learning_rate": 0.03, "batch_size": 24}
SYSTEMS = {
    "Kurita": Baseline(**QUICK, dropout=0.1),
    **{
        f"Yang, {step}": FillTheGap(
            step=step, **QUICK, input_dropout=0.1, combined_dropout=0.1, dropout=0.1
        )
        for step in STEPS
    },
    "Yang, heads side by side": FillTheGap(
        combine="concatenation", **QUICK, input_dropout=0.1, combined_dropout=0.1, dropout=0.1
    ),
    "Wang": MSNet(top=2, similarity=8, **QUICK, dropout=0.1),
    "Liu, one scorer": End2end(**QUICK | {"epochs": 40, "patience": 40}),
    "Liu, states alone": PureBert(**QUICK, hidden=(16, 8), dropout=0.1),
    "Ionita": Frozen(**QUICK, dropout=0.1, feature_dropout=0.1),
    "Abzaliev": ThirdPlace(**QUICK, dropout=0.1),
    "Bao": SupportVectors(removed=0, reduction="PCA", share=0.5),
    "Bao, all dimensions": SupportVectors(reduction="none"),
}


def made_up(n=240, seed=0, dimensions=12):
    """Two passages a page. The pronoun's state is like that of the name it refers to; for neither, unlike both."""
    rng = np.random.default_rng(seed)
    answers = np.arange(n) % 3
    states = rng.normal(size=(n, 5, 3, dimensions)).astype(np.float32)
    states[..., :2] = 0
    states[np.arange(n), :, 0, 0] = np.where(answers < 2, 2.0, -2.0)[:, None]
    for name in (0, 1):
        states[:, :, 1 + name, 1] = np.where(answers == name, 3.0, -1.0)[:, None]
    passages = pd.DataFrame(
        {
            "Text": "Ann met Eve after she won.",
            "Pronoun": "she",
            "Pronoun-offset": 18,
            "A": "Ann",
            "A-offset": 0,
            "B": "Eve",
            "B-offset": 8,
            "answer": np.array(["A", "B", "NEITHER"])[answers],
            "gender": np.resize(["female", "male"], n),
            "URL": [f"page {row // 2}" for row in range(n)],
        }
    )
    return Examples(passages, states, f"made up {n} {seed}")


def renamed(examples, changed):
    """The same passages with a second version of states, where they changed."""
    states = examples.states + 0.1 * changed[:, None, None, None].astype(np.float32)
    version = Examples(examples.passages, states, f"{examples.identity} renamed")
    return NamedExamples(
        examples.passages, examples.states, "both", (version,), np.array(changed)[:, None]
    )


@pytest.fixture(scope="module")
def train():
    return made_up()


@pytest.fixture(scope="module")
def test():
    return made_up(90, seed=1)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_learns_what_the_states_show(name, train, test):
    probabilities = SYSTEMS[name].fit(train, rng=0).probabilities(test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)
    assert log_loss(probabilities, test.answers) < 0.7 < np.log(3)


@pytest.mark.parametrize("name", ["Yang, projection", "Wang", "Liu, one scorer", "Ionita", "Bao"])
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(name, train, test):
    system = SYSTEMS[name]
    if hasattr(system, "epochs"):
        system = replace(system, epochs=3)
    one, again, other = (system.fit(train, rng=seed).probabilities(test) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_one_scorer_for_both_names_exchanges_its_answers_with_them(train, test):
    fitted = replace(SYSTEMS["Liu, one scorer"], epochs=3).fit(train, rng=0)
    said, of_swapped = fitted.probabilities(test), fitted.probabilities(test.swapped())
    np.testing.assert_allclose(of_swapped[:, [1, 0, 2]], said, atol=1e-6)


def test_neither_scores_zero(train):
    system = End2end()
    inputs = system.inputs(train)
    logits = system.network(*inputs)(*inputs)
    assert (logits[:, 2] == 0).all() and (logits[:, :2] != 0).any()


def test_the_two_names_share_an_encoder_in_every_head(train):
    torch.manual_seed(0)
    system = FillTheGap(input_dropout=0, combined_dropout=0)
    (states,) = system.inputs(train)
    encoder = system.network(states).encoder.eval()
    read, of_swapped = encoder(states), encoder(states[:, [0, 2, 1]])
    torch.testing.assert_close(of_swapped, read.unflatten(1, (2, -1)).flip(1).flatten(1))


def test_a_share_of_dimensions_is_kept_for_a_whole_training(train):
    system = FillTheGap(step="plain", kept=0.5)
    network = system.network(*system.inputs(train))
    assert sorted(network.kept.tolist()) != list(range(12)) and len(set(network.kept.tolist())) == 6


def test_features_are_those_asked_for(train):
    (_, all_features), (_, without_title), (_, none) = (
        system.inputs(train)
        for system in (ThirdPlace(), ThirdPlace(url=False), ThirdPlace(features=False))
    )
    assert all_features.shape[1] == without_title.shape[1] + 2 * 3 and none.shape[1] == 0


def test_penalty_on_the_scores_shrinks_them(train):
    sizes = [
        replace(SYSTEMS["Kurita"], output_decay=share)
        .fit(train, rng=0)
        .network[-1]
        .weight.square()
        .sum()
        for share in (0.0, 0.1, 1.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_distances_count_words_and_are_negative_before_the_pronoun():
    passages = pd.DataFrame(
        {
            "Text": ["Ann, who saw her, fell; Eve too."],
            "Pronoun-offset": [13],
            "A-offset": [0],
            "B-offset": [24],
        }
    )
    assert word_distances(passages).tolist() == [[-4, 4]]
    assert word_distances(passages[:0]).shape == (0, 2)


def test_the_part_that_is_watched_shares_no_page_with_the_rest(train):
    inside, watched = divided(train, 4, np.random.default_rng(0))
    assert len(inside) + len(watched) == len(train) and 50 <= len(watched) <= 70
    assert not set(inside.pages) & set(watched.pages)


def test_reduction_takes_out_the_mean_and_the_strongest_directions(train):
    states = train.states.copy()
    states[..., 5] += 40 + 10 * np.random.default_rng(0).normal(size=states.shape[:-1])
    loud = Examples(train.passages, states, "loud")
    fitted = SupportVectors(removed=1, share=1.0).fit(loud, rng=0)
    mentions = loud.states[:, -2].reshape(-1, 12)
    for step in fitted.steps:
        mentions = step(mentions)
    np.testing.assert_allclose(mentions.mean(axis=0), 0, atol=1e-3)
    kept = np.linalg.svd(mentions - mentions.mean(axis=0), compute_uv=False)
    before = np.linalg.svd(
        states[:, -2].reshape(-1, 12) - states[:, -2].mean(axis=(0, 1)), compute_uv=False
    )
    np.testing.assert_allclose(kept[: 12 - 2], before[2:], rtol=1e-3)


def test_other_names_come_in_where_they_are_asked_for(train, test):
    half = np.arange(len(test)) % 2 == 0
    named_train, named_test = renamed(train, np.full(len(train), True)), renamed(test, half)
    base = replace(SYSTEMS["Kurita"], epochs=5)
    said = {
        (at_train, at_test): Anonymised(resolver=base, train=at_train, test=at_test)
        .fit(named_train, rng=0)
        .probabilities(named_test)
        for at_train in (False, True)
        for at_test in (False, True)
    }
    assert not np.allclose(said[False, False], said[True, False])
    np.testing.assert_allclose(said[False, False][~half], said[False, True][~half])
    assert not np.allclose(said[False, False][half], said[False, True][half])


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize(
    "system",
    [
        Baseline(),
        FillTheGap(),
        MSNet(),
        End2end(),
        PureBert(),
        Frozen(),
        ThirdPlace(),
        SupportVectors(),
    ],
    ids=lambda system: type(system).__name__,
)
def test_on_gap_a_system_beats_majority_and_chance(system):
    train, test = (
        joined([encode_examples(read_gap(key)) for key in keys])
        for keys in (("gap_test", "gap_validation"), ("gap_development",))
    )
    (said,) = predictions_by_seed(system, train, test, seeds=1)
    shares = np.bincount(train.answers, minlength=3) / len(train)
    assert log_loss(said, test.answers) < log_loss(np.tile(shares, (len(test), 1)), test.answers)
    assert (said.argmax(axis=1) == test.answers).mean() > np.mean(test.answers == 1)


@pytest.mark.parametrize("share", [0.1, 0.6])
def test_dropout_drops_its_share_keeps_the_mean_and_ends_with_training(share):
    layer, values = Dropout(share), torch.ones(40_000)
    torch.manual_seed(0)
    dropped = layer(values)
    assert (dropped == 0).float().mean().item() == pytest.approx(share, abs=0.01)
    assert dropped.mean().item() == pytest.approx(1, abs=0.02)
    assert torch.equal(layer.eval()(values), values)
