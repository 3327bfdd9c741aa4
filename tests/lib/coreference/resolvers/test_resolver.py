"""Fitting small networks and keeping what they predict."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
import torch

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.fitting import fit_network, probabilities_of
from lib.coreference.resolvers.resolver import Resolver, page_folds, predictions_by_seed

FITS = []


def made_up(n=60, seed=0):
    """Passages whose answer shows in the states, three classes in turn, two passages a page."""
    rng = np.random.default_rng(seed)
    answers = np.arange(n) % 3
    states = rng.normal(size=(n, 2, 3, 4)).astype(np.float32)
    states[np.arange(n), :, answers] += 3
    passages = pd.DataFrame(
        {
            "answer": np.array(["A", "B", "NEITHER"])[answers],
            "gender": np.resize(["female", "male"], n),
            "URL": [f"page {row // 2}" for row in range(n)],
        }
    )
    return Examples(passages, states, f"made up {n} {seed}")


def inputs(examples):
    return (torch.tensor(examples.states[:, -1].reshape(len(examples), -1)),)


@dataclass(frozen=True)
class Linear(Resolver):
    """A linear layer on the last states."""

    epochs: int = 20

    def fit(self, examples, *, validation=None, rng=None):
        FITS.append(len(examples))
        watched = None if validation is None else (inputs(validation), validation.answers)
        network = fit_network(
            lambda: torch.nn.Linear(12, 3),
            inputs(examples),
            examples.answers,
            validation=watched,
            epochs=self.epochs,
            learning_rate=0.05,
            rng=rng,
        )
        return LinearFit(network)


class LinearFit:
    def __init__(self, network):
        self.network = network

    def probabilities(self, examples):
        return probabilities_of(self.network, inputs(examples))


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    FITS.clear()


def test_a_network_learns_what_the_states_show_and_the_same_seed_gives_the_same_numbers():
    train, test = made_up(), made_up(30, seed=1)
    one, again, other = (Linear().fit(train, rng=seed).probabilities(test) for seed in (0, 0, 1))
    assert (one.argmax(axis=1) == test.answers).mean() > 0.9
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_global_random_numbers_are_left_alone():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    Linear().fit(made_up(), rng=0)
    np.testing.assert_array_equal(torch.rand(3), expected)


def test_predictions_are_kept_by_settings_data_and_seed():
    train, test = made_up(), made_up(30, seed=1)
    first = predictions_by_seed(Linear(), train, test, seeds=2)
    assert (first.shape, len(FITS)) == ((2, 30, 3), 2)
    np.testing.assert_array_equal(predictions_by_seed(Linear(), train, test, seeds=2), first)
    assert len(FITS) == 2
    predictions_by_seed(Linear(), train, test, seeds=3)
    predictions_by_seed(Linear(epochs=5), train, test, seeds=1)
    predictions_by_seed(Linear(), train.take(range(50)), test, seeds=1)
    assert FITS == [60, 60, 60, 60, 50]


def test_folds_leave_each_page_out_once_and_never_divide_it():
    examples = made_up()
    folds = page_folds(examples, 3)
    assert sorted(np.concatenate(folds)) == list(range(60))
    pages = [set(examples.pages[rows]) for rows in folds]
    assert not (pages[0] & pages[1] or pages[0] & pages[2] or pages[1] & pages[2])
    predictions_by_seed(Linear(), examples, made_up(30, seed=1), seeds=1, folds=3)
    assert len(FITS) == 3 and sum(FITS) == 120


class Diverging(Linear):
    def fit(self, examples, *, validation=None, rng=None):
        return self

    def probabilities(self, examples):
        return np.full((len(examples), 3), np.nan)


def test_predictions_that_are_no_numbers_are_refused(refuses):
    refuses(lambda: predictions_by_seed(Diverging(), made_up(), made_up()), ("diverged",))
