"""Graph convolution, tags and evidence: against dense or written-out computations."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.resolvers import evidence as module
from studies.resolvers.dependencies import ROOT
from studies.resolvers.evidence import (
    EvidencePooling,
    LookAgain,
    MentionTags,
    RelationalGraphConvolution,
    contracted,
    ends_at_mentions,
    tagged,
)
from studies.resolvers.parsers import Parse
from tests.studies.resolvers import made_up


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))


@pytest.fixture
def examples():
    return made_up.examples()


def test_a_mention_is_one_node():
    # "Ann Lee saw her . He won": Ann Lee is one node, the sentences stay apart.
    spans = np.array([[0, 3], [4, 7], [8, 11], [12, 15], [16, 17], [18, 20], [21, 24]])
    parse = Parse(spans, np.array([1, 2, ROOT, 2, 2, 6, ROOT]))
    arcs, sentences = contracted(parse, np.array([[12, 15], [0, 7], [18, 20]]))
    assert arcs.tolist() == [[2, 4], [2, 7], [2, 8], [6, 9]]
    assert sentences.tolist() == [2, 2, 2, 6]
    ends = ends_at_mentions(arcs, words=7)
    assert ends.tolist() == [[7, 0, 0], [8, 1, 0], [9, 2, 0], [2, 0, 1], [2, 1, 1], [6, 2, 1]]


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.booleans())
def test_the_convolution_equals_the_dense_one(seed, gate):
    generator = torch.Generator().manual_seed(seed)
    nodes, arcs, size, width = 5, 9, 4, 3
    vectors = torch.randn(nodes, size, generator=generator)
    sources, targets = torch.randint(nodes, (2, arcs), generator=generator)
    relations = torch.randint(3, (arcs,), generator=generator)
    layer = RelationalGraphConvolution(size, width, gate)
    with torch.no_grad():
        layer.weight.normal_(generator=generator)
        if gate:
            layer.gate.normal_(generator=generator)
    dense = torch.zeros(nodes, width)
    for r in range(3):
        adjacency = torch.zeros(nodes, nodes)
        for source, target, relation in zip(sources, targets, relations):
            adjacency[target, source] += float(relation == r)
        degree = adjacency.sum(dim=1, keepdim=True).clamp(min=1)
        open_ = torch.sigmoid(vectors @ layer.gate[r]) if gate else torch.ones(nodes)
        dense += adjacency / degree @ (open_[:, None] * (vectors @ layer.weight[r]))
    found = layer(vectors, sources, targets, relations, nodes)
    torch.testing.assert_close(found, dense.relu(), rtol=1e-4, atol=1e-5)


@pytest.fixture
def graphs(monkeypatch):
    """Graphs whose first head says which name is the answer; the rewired ones say nothing."""

    def made_up(frame, parser, layer, encoder):
        rng = np.random.default_rng(1)
        found = np.full((len(frame), 2, 6, 386), -1, dtype=np.float16)
        found[:, :, :3, :384] = rng.normal(size=(len(frame), 2, 3, 384))
        found[:, :, :3, 384] = [1, 2, 0]
        found[:, :, :3, 385] = 1
        for row, answer in enumerate(frame["answer"]):
            found[row, 0, 0, :50] += 4 * (answer == "A")
            found[row, 0, 1, :50] += 4 * (answer == "B")
        return found

    monkeypatch.setattr(module, "mention_graphs", made_up)


def accuracy(resolver, examples, seed=0):
    given = resolver.fit(examples, rng=seed).probabilities(examples)
    np.testing.assert_allclose(given.sum(axis=1), 1)
    return (given.argmax(axis=1) == examples.answers).mean()


def test_the_graph_is_read(examples, graphs):
    resolver = LookAgain(epochs=25, concatenated=False, folds=0, dropout=0.1, graph_dropout=0.0)
    assert accuracy(resolver, examples) > 0.9


def test_tags_are_text_and_offsets_follow():
    text, spans = tagged("He saw Bob.", [(0, 2), (7, 10), (3, 6)], [(10, 11)])
    assert text == "<P> He <P> <B> saw <B> <A> Bob <A>."
    assert [text[a:b] for a, b in spans] == ["He", "Bob", "saw", "."]


def test_what_is_outside_of_a_cluster_changes_nothing(examples, monkeypatch):
    states = np.random.default_rng(2).normal(size=(len(examples), 7, 7, 384)).astype(np.float32)
    monkeypatch.setattr(module, "tagged_states", lambda frame, encoder: states[: len(frame)])
    fitted = EvidencePooling(epochs=1, annotators=("page title",)).fit(examples, rng=0)
    held, member = fitted.settings.inputs(examples)
    changed = held.clone()
    outside = ~member[:, 0]
    outside[:, :3] = False  # queries
    changed[outside] += 10
    assert outside.any()
    torch.testing.assert_close(fitted.network(held, member), fitted.network(changed, member))


@pytest.mark.parametrize(
    "resolver",
    [MentionTags(epochs=2), EvidencePooling(epochs=2)],
    ids=str,
)
def test_each_runs_on_the_encoder_and_repeats(resolver, examples):
    first = resolver.fit(examples, rng=0).probabilities(examples)
    assert first.shape == (24, 3)
    np.testing.assert_allclose(first.sum(axis=1), 1)
    np.testing.assert_array_equal(first, resolver.fit(examples, rng=0).probabilities(examples))
