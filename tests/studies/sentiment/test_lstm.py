"""The small LSTM: its recurrence written out, what it can learn, that it comes back, and what it refuses."""

import dataclasses

import numpy as np
import pytest
import torch

from lib.embeddings import load_embedding
from studies.sentiment.lstm import LstmSettings, train_lstms

pytestmark = pytest.mark.usefixtures("one_thread")
WORDS = ["good", "bad", "film", "day", "very", "this"]
SMALL = LstmSettings(vectors="", units=3, phrases=40, epochs=8, batch_size=8, learning_rate=0.03)
TEXTS = ["good film", "very good day", "bad film", "this bad day"] * 10
LABELS = [1, 1, 0, 0] * 10


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    """A file of vectors for a few words."""
    path = tmp_path_factory.mktemp("vectors") / "few.npz"
    values = np.random.default_rng(0).standard_normal((len(WORDS), 4)).astype(np.float32)
    np.savez(path, words=np.array(WORDS), vectors=values)
    return str(path)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def train(vectors):
    """`train_lstms` on the toy phrases, with some settings changed."""

    def run(seeds=(0,), texts=TEXTS, labels=LABELS, **changes):
        given = dataclasses.replace(SMALL, **{"vectors": vectors, **changes})
        return train_lstms(texts, labels, seeds, given)

    return run


def by_hand(model, text, vectors):
    """The probability from the equations of Hochreiter and Schmidhuber's cell with a forget gate, in numpy."""
    embedding, settings = load_embedding(vectors), model.settings
    table = np.asarray(embedding.vectors, float)
    table = table / (table.std(ddof=1) if settings.scaled else 1)
    known = dict(zip(embedding.words, table))
    steps = [known.get(word, np.zeros(table.shape[1])) for word in text.lower().split()]
    steps = [np.zeros(table.shape[1])] * (settings.padded - len(steps)) + steps
    weights = {name: tensor.numpy() for name, tensor in model.network.state_dict().items()}
    last = []
    for suffix, order in (("", steps), ("_reverse", steps[::-1])):
        hidden, cell = np.zeros(3), np.zeros(3)
        for vector in order:
            gates = (
                weights[f"lstm.weight_ih_l0{suffix}"] @ vector
                + weights[f"lstm.bias_ih_l0{suffix}"]
                + weights[f"lstm.weight_hh_l0{suffix}"] @ hidden
                + weights[f"lstm.bias_hh_l0{suffix}"]
            )
            enter, forget, candidate, leave = np.split(gates, 4)
            cell = cell / (1 + np.exp(-forget)) + np.tanh(candidate) / (1 + np.exp(-enter))
            hidden = np.tanh(cell) / (1 + np.exp(-leave))
        last.append(hidden)
    logit = weights["out.weight"][0] @ np.concatenate(last) + weights["out.bias"][0]
    return 1 / (1 + np.exp(-logit))


@pytest.mark.parametrize("padded", [0, 9])
def test_its_probability_is_that_of_the_equations(train, vectors, padded):
    """Padded, zeros in front are read as words are, as in the released code."""
    text = "an unseen very good day"
    model = train(epochs=1, padded=padded, scaled=not padded)[0]
    assert model.positive([text])[0] == pytest.approx(by_hand(model, text, vectors), abs=1e-10)


def test_as_released_nothing_is_drawn_but_weights_and_dropout(train):
    same = {"phrases": 0, "shuffled": False, "dropout": 0.0, "word_dropout": 0.0}
    whole = train(epochs=1, **same)[0].positive(TEXTS[:4])
    twice = train(texts=TEXTS * 2, labels=LABELS * 2, epochs=1, **same)[0].positive(TEXTS[:4])
    again = train(epochs=2, **same)[0].positive(TEXTS[:4])
    assert (whole != twice).all()
    np.testing.assert_array_equal(twice, again)  # two epochs in one order are the list twice


def test_it_can_read_the_order_of_words(train):
    """No bag of words can: the same words, the other way round, have the other label."""
    texts, labels = ["good bad", "bad good"] * 20, [1, 0] * 20
    model = train(texts=texts, labels=labels, epochs=25)[0]
    first, second = model.positive(["good bad", "bad good"])
    assert first > 0.8 > 0.2 > second


def test_a_seed_comes_back_to_the_last_digit_and_another_does_not(train, tmp_path, monkeypatch):
    first, other = train(seeds=(0, 1))
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "fresh"))
    torch.rand(3)
    torch.set_num_threads(2)
    again = train(seeds=(0,))[0]
    assert torch.get_num_threads() == 2
    np.testing.assert_array_equal(first.positive(TEXTS[:4]), again.positive(TEXTS[:4]))
    assert (first.positive(TEXTS[:4]) != other.positive(TEXTS[:4])).all()


def test_trained_networks_are_kept_and_a_setting_changes_the_key(train, cache):
    kept = lambda: sorted(path.name for path in cache.rglob("*.npy"))  # noqa: E731
    model = train()[0]
    assert len(kept()) == 1
    np.testing.assert_array_equal(model.positive(TEXTS[:4]), train()[0].positive(TEXTS[:4]))
    assert len(kept()) == 1
    train(units=2)
    train(labels=LABELS[::-1])
    assert len(kept()) == 3
