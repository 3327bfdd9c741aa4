"""Tuned encoders: what moves and what does not, a training that goes on where it stopped, and states like those of frozen heads."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from lib.coreference.resolvers.examples import Examples, encode_spans, mention_spans
from studies.resolvers.tuned import (
    HEADS,
    POOLINGS,
    WORDS,
    Training,
    Tuned,
    TunedNetwork,
    pooled,
)
from tests.studies.resolvers.made_up import passages
from tests.support import tiny_models


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tuned") / "bert"
    return str(tiny_models.build("bert", folder, words=[*tiny_models.WORDS, *WORDS]))


@pytest.fixture
def small(encoder, cache):
    return Tuned(
        encoder=encoder, device="cpu", tuned_layers=1, hidden=8, epochs=2, batch_size=4, folds=0
    )


def some(copies=1, identity="made up"):
    frame = passages(copies)
    return Examples(frame, np.empty((len(frame), 0, 3, 0), dtype=np.float32), identity)


def weights(network):
    return {name: value.clone() for name, value in network.state_dict().items()}


def moved(before, after):
    """Names of what changed; the pooler, which nothing reads, is drawn anew where a file lacks it."""
    return {
        name
        for name, value in before.items()
        if "pooler" not in name and not torch.equal(value, after[name])
    }


@pytest.mark.parametrize("layers", [0, 1, "all"])
def test_only_the_chosen_layers_move(small, layers):
    settings = replace(small, tuned_layers=layers)
    before = weights(TunedNetwork(settings))
    after = weights(settings.fit(some(), rng=0).network)
    names = {name for name in moved(before, after) if name.startswith("encoder.")}
    within = {0: (), 1: ("encoder.encoder.layer.2.",), "all": ("encoder.",)}[layers]
    assert all(name.startswith(within) for name in names) and bool(names) == (layers != 0)
    if layers == "all":
        assert any("embeddings" in name for name in names)


def test_gradients_reach_the_chosen_layers_and_no_others(small):
    network = TunedNetwork(small)
    network.tune(True)
    network(network.read(passages()))[:, 0].sum().backward()
    reached = {name for name, p in network.named_parameters() if p.grad is not None}
    assert {name for name in reached if "encoder" in name} == {
        name for name in network.trained() if "encoder" in name
    }
    network.zero_grad()
    network.tune(False)  # the head's own epochs
    network(network.read(passages()))[:, 0].sum().backward()
    assert all("encoder" not in n for n, p in network.named_parameters() if p.grad is not None)


def test_an_interrupted_training_ends_where_an_uninterrupted_one_does(small, tmp_path):
    settings = replace(small, patience=9, dropout=0.3, epochs=3)
    train, watched = some(2), some(1, "watched")
    whole = settings.fit(train, validation=watched, rng=1)
    path = tmp_path / "state.safetensors"

    def stop(step, steps):
        assert steps == 6
        if step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        settings.fit(train, validation=watched, rng=1, state=path, every=0, progress=stop)
    steps = []
    again = settings.fit(
        train,
        validation=watched,
        rng=1,
        state=path,
        progress=lambda step, _: steps.append(step),
    )
    assert steps == [4, 5, 6] and not path.exists()
    assert not moved(whole.network.state(), again.network.state())
    for one, two in zip(whole.history, again.history, strict=True):
        assert one | {"seconds": 0} == two | {"seconds": 0}


def test_a_state_of_another_training_is_refused(small, tmp_path, refuses):
    path = tmp_path / "state.safetensors"
    training = Training(small, some(), None, 0)
    training._take(0)
    training.save(path)
    other = Training(small, some(), None, 1)
    refuses(lambda: other.load(path), ["state.safetensors", "seed"])
    path.write_bytes(path.read_bytes()[:-9])
    refuses(lambda: training.load(path), ["damaged", "delete"])


def test_checkpointing_and_parts_change_nothing_but_memory(small):
    settings = replace(small, epochs=1, tuned_layers=2, dropout=0.3)
    for head in ("mentions", "similarity"):
        settings = replace(settings, head=head)
        plain = settings.fit(some(), rng=0).network.state()
        less = replace(settings, checkpointing=True).fit(some(), rng=0).network.state()
        assert not moved(plain, less)
    settings = replace(settings, head="mentions")
    still = replace(settings, dropout=0.0, head_dropout=0.0)
    states = [replace(still, parts=parts).fit(some(), rng=0).network.state() for parts in (1, 2)]
    whole, parted = states
    for name, value in whole.items():
        torch.testing.assert_close(value, parted[name], atol=1e-4, rtol=1e-3)


def test_states_of_mentions_are_those_of_frozen_heads(small):
    frame = passages()
    network = TunedNetwork(replace(small, head="similarity", top=1)).eval()
    read = network.read(frame)
    with torch.no_grad():
        hidden = [network.encoder(torch.tensor([p.ids])).last_hidden_state[:, None] for p in read]
    for pooling in POOLINGS:
        expected, _ = encode_spans(
            frame["Text"].tolist(),
            mention_spans(frame),
            small.encoder,
            pooling=pooling,
            device="cpu",
            keep=False,
        )
        for row, passage in enumerate(read):
            found = pooled(hidden[row], torch.tensor([passage.mentions]), pooling)
            np.testing.assert_allclose(found[0, 0].numpy(), expected[row, -1], atol=3e-3)


@pytest.mark.parametrize("head", HEADS)
def test_every_head_learns_what_it_is_taught(small, head):
    settings = replace(
        small,
        head=head,
        tagged=head in ("pronoun", "first"),
        top=2,
        hidden=64,
        epochs=16,
        head_dropout=0.0,
        dropout=0.0,
        tuned_layers="all",
        learning_rate=3e-3,
        head_learning_rate=1e-2,
        longest=64,
    )
    fitted = settings.fit(some(), rng=0)
    said = fitted.probabilities(some())
    np.testing.assert_allclose(said.sum(axis=1), 1)
    losses = [row["training"] for row in fitted.history]
    shares = np.bincount(some().answers) / 4  # what is known without reading a passage
    known = -(shares * np.log(shares)).sum()
    assert min(losses) < 0.8 * known


def test_the_head_goes_first_and_rates_rise_and_fall(small):
    settings = replace(small, epochs=6, head_epochs=2, warm_up=0.5)
    training = Training(settings, some(2), None, 0)  # two steps an epoch
    shares = [training._share(step) for step in range(12)]
    assert shares == [1, 1, 1, 1, 0.25, 0.5, 0.75, 1, 1, 0.75, 0.5, 0.25]
    before = weights(training.network)
    for step in range(4):
        training._take(step)
    changed = moved(before, weights(training.network))
    assert changed and all(name.startswith("head.") for name in changed)
    training.settings = replace(settings, schedule="constant")
    assert training._share(11) == 1


def test_the_head_slows_down_once_the_layers_move(small):
    settings = replace(
        small, epochs=2, head_epochs=1, later_head_rate=1e-6, schedule="constant", warm_up=0.0
    )
    training = Training(settings, some(), None, 0)  # a step an epoch
    rates = []
    for step in range(2):
        training._take(step)
        rates.append({group["lr"] for group in training.optimizer.param_groups})
    assert rates == [{5e-5, 1e-3}, {5e-5, 1e-6}]


def test_layers_are_counted_from_a_share_of_the_depth(small):
    network = TunedNetwork(replace(small, head="similarity", tuned_layers=0.5, top=1 / 3))
    assert (network.settings.tuned_layers, network.settings.top, len(network.tuned)) == (2, 1, 2)


def test_passages_of_a_file_are_watched_and_not_learned_from(small, refuses):
    frame = some(3).passages
    frame["ID"] = [f"{'validation' if k < 4 else 'development'}-{k}" for k in range(12)]
    both = Examples(frame, np.empty((12, 0, 3, 0), dtype=np.float32), "two files")
    settings = replace(small, watched="validation")
    one = settings.fit(both, rng=0).probabilities(both)
    given = settings.fit(both.take(range(4, 12)), validation=both.take(range(4)), rng=0)
    np.testing.assert_allclose(one, given.probabilities(both))
    refuses(lambda: replace(small, watched="test").fit(both), ["watched", "'test'", "0 of 12"])


def test_what_cannot_be_is_refused(small, refuses):
    refuses(lambda: replace(small, tuned_layers=-1), ["tuned_layers", "-1"])
    refuses(lambda: replace(small, tuned_layers=1.5), ["tuned_layers", "share", "1.5"])
    refuses(lambda: TunedNetwork(replace(small, tuned_layers=4)), ["at most 3", "4"])
    network = TunedNetwork(replace(small, longest=10))
    refuses(lambda: network.read(passages()), ["longest", "10"])
