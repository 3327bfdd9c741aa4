"""Graph convolution, tags and evidence, questions, masked names: against dense or written-out computations."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.rows import kept_lists, kept_rows
from lib.coreference.resolvers.systems import attree2019, chada2019, xu2019
from lib.coreference.resolvers.systems.alfaro2019 import NAMES, MaskedNames, with_gap
from lib.coreference.resolvers.systems.attree2019 import EvidencePooling, MentionTags, tagged
from lib.coreference.resolvers.systems.chada2019 import (
    MultipleChoice,
    QuestionAnswering,
    answered,
    question,
    six_scores,
    span_weights,
)
from lib.coreference.resolvers.systems.xu2019 import LookAgain, RelationalGraphConvolution
from lib.datasets.gap import read_gap
from lib.language_models.masked import MaskedLanguageModel

TEXTS = (
    ("Ann Lee met Eve Ray. Ann said she won.", "she", "Ann Lee", "Eve Ray", "A", "female"),
    ("Bob saw Max before he left, and Max slept.", "he", "Bob", "Max", "B", "male"),
    ("Joan called Ruth when her train was late.", "her", "Joan", "Ruth", "A", "female"),
    ("Paul thanked Carl. His friend was asleep.", "His", "Paul", "Carl", "NEITHER", "male"),
)


def passages(copies=1):
    rows = [
        {
            "ID": f"made-up-{copy}-{k}",
            "Text": text,
            "Pronoun": pronoun,
            "Pronoun-offset": text.index(f" {pronoun} ") + 1,
            "A": a,
            "A-offset": text.index(a),
            "B": b,
            "B-offset": text.index(b),
            "answer": answer,
            "gender": gender,
            "URL": f"http://en.wikipedia.org/wiki/{copy}_{k}",
        }
        for copy in range(copies)
        for k, (text, pronoun, a, b, answer, gender) in enumerate(TEXTS)
    ]
    return pd.DataFrame(rows)


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))


@pytest.fixture
def examples():
    frame = passages(copies=6)
    states = np.random.default_rng(0).normal(size=(len(frame), 7, 3, 384)).astype(np.float32)
    return Examples(frame, states, "made up")


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


def test_the_convolution_by_hand():
    layer = RelationalGraphConvolution(1, 1, gate=True)
    with torch.no_grad():
        layer.weight[:] = torch.tensor([1.0, 2.0, -1.0])[:, None, None]
    # Node 0 has itself (value 3) and two heads (1 and 5); a gate of zeros lets half of all through.
    found = layer(
        torch.tensor([[3.0], [1.0], [5.0]]),
        torch.tensor([0, 1, 2]),
        torch.tensor([0, 0, 0]),
        torch.tensor([0, 1, 1]),
        1,
    )
    assert found.item() == pytest.approx((3 + 2 * (1 + 5) / 2) / 2)


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

    monkeypatch.setattr(xu2019, "mention_graphs", made_up)


def accuracy(resolver, examples, seed=0):
    given = resolver.fit(examples, rng=seed).probabilities(examples)
    np.testing.assert_allclose(given.sum(axis=1), 1)
    return (given.argmax(axis=1) == examples.answers).mean()


@pytest.mark.parametrize(
    "settings", [{}, {"gate": False}, {"concatenated": False}, {"graph": "none"}]
)
def test_the_settings_of_the_table_run(settings, examples, graphs):
    resolver = LookAgain(epochs=3, **settings)
    first = resolver.fit(examples, rng=1).probabilities(examples)
    again = resolver.fit(examples, rng=1).probabilities(examples)
    np.testing.assert_array_equal(first, again)
    assert (first != resolver.fit(examples, rng=2).probabilities(examples)).any()


def test_the_graph_is_read(examples, graphs):
    resolver = LookAgain(epochs=25, concatenated=False, folds=0, dropout=0.1, graph_dropout=0.0)
    assert accuracy(resolver, examples) > 0.9


@pytest.mark.parametrize("settings", [{"graph": "tree"}, {"parser": "stanza"}])
def test_settings_that_do_not_exist(settings):
    with pytest.raises(ValueError, match="expected one of"):
        LookAgain(**settings)


def test_tags_are_text_and_offsets_follow():
    text, spans = tagged("He saw Bob.", [(0, 2), (7, 10), (3, 6)], [(10, 11)])
    assert text == "<P> He <P> <B> saw <B> <A> Bob <A>."
    assert [text[a:b] for a, b in spans] == ["He", "Bob", "saw", "."]


def test_mentions_that_overlap():
    with pytest.raises(ValueError, match="overlap"):
        tagged("Bob Lee", [(0, 3), (0, 7), (4, 7)])
    frame = passages().iloc[0].to_dict() | {"Pronoun-offset": 1}
    with pytest.raises(ValueError, match="overlap"):
        with_gap(frame, NAMES["female"])


def test_clusters_are_the_picked_name_and_its_other_occurrences():
    member = attree2019.clusters(passages(), np.array([[0, 1]] * len(TEXTS)))
    assert member.shape == (4, 2, 7)
    assert member[0].astype(int).tolist() == [[0, 1, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0]]
    assert member[1].astype(int).tolist() == [[0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0]]


@pytest.mark.parametrize("annotators", [("nobody",), ()])
def test_annotators_that_are_none(annotators):
    with pytest.raises(ValueError, match="expected"):
        EvidencePooling(annotators=annotators)


def test_what_is_outside_of_a_cluster_changes_nothing(examples, monkeypatch):
    states = np.random.default_rng(2).normal(size=(len(examples), 7, 7, 384)).astype(np.float32)
    monkeypatch.setattr(attree2019, "tagged_states", lambda frame, encoder: states[: len(frame)])
    fitted = EvidencePooling(epochs=1, annotators=("page title",)).fit(examples, rng=0)
    held, member = fitted.settings.inputs(examples)
    changed = held.clone()
    outside = ~member[:, 0]
    outside[:, :3] = False  # queries
    changed[outside] += 10
    assert outside.any()
    torch.testing.assert_close(fitted.network(held, member), fitted.network(changed, member))


@pytest.mark.parametrize(
    ("text", "offset", "settings", "asked"),
    [
        ("They say John and his wife Carol had a son", 18, (2, 2), "John and his wife Carol"),
        ("They say John and his wife Carol had a son", 18, (1, 3), "and his wife Carol had"),
        ("his wife left", 0, (2, 2), "his wife left"),
        ("it was (she) again", 8, (2, 2), "was (she) again"),
        ("it was (she) again", 8, (2, 2, "spaces"), "it was (she) again"),
        ("saw her", 4, (2, 2), "saw her"),
        ("a  b her c", 5, (2, 2), "a  b her c"),
    ],
)
def test_questions(text, offset, settings, asked):
    assert question(text, offset, *settings) == asked


@pytest.mark.parametrize(("offset", "settings"), [(9, ()), (3, ()), (0, (2, 2, "commas"))])
def test_questions_that_cannot_be(offset, settings):
    with pytest.raises(ValueError, match="expected"):
        question("she left", offset, *settings)


@pytest.mark.sample
def test_printed_questions_are_in_gap():
    rows = {
        "development-49": "1900. She was some",
        "development-726": "speech praising him for his",
    }
    rows |= {"development-161": "in which she planned to"}
    known = read_gap("gap_development").set_index("ID")
    for name, printed in rows.items():
        assert question(known.loc[name, "Text"], known.loc[name, "Pronoun-offset"]) == printed


PIECES = np.array(  # one dimension; then A, B
    [[1.0, 1, 0], [-2.0, 1, 0], [3.0, 0, 0], [2.5, 0, 1], [0.0, 0, 0]]
)


def test_six_scores_by_hand():
    found = six_scores([PIECES], np.array([[1.0], [-1.0]]))
    assert found.tolist() == [[1.0, 2.0, 2.5, -2.5, 3.0, 2.0]]


@pytest.mark.parametrize(
    ("start", "end", "longest", "whose"),
    [
        (1.0, 1.0, 1, 2),  # the third piece, nobody's
        (-1.0, -1.0, 1, 0),  # the second, of A
        (1.0, 0.1, 2, 2),
        (1.0, 1.0, 2, 1),  # third and fourth, the end in B
        (0.1, 1.0, 5, 2),  # first to third? no span may run backwards
    ],
)
def test_the_best_span_by_hand(start, end, longest, whose):
    scores = PIECES[:, 0]
    spans = {
        (i, j): start * scores[i] + end * scores[j]
        for i in range(5)
        for j in range(i, min(i + longest, 5))
    }
    i, j = max(spans, key=spans.get)
    a, b = PIECES[i : j + 1, 1:].any(axis=0)
    expected = 2 if a == b else int(b)
    assert answered([PIECES], np.array([[start], [end]]), longest)[0] == expected


def test_weights_find_the_marked_spans_and_shrink_with_the_penalty():
    rng = np.random.default_rng(0)
    pieces, answers = [], np.arange(40) % 2
    for answer in answers:
        held = np.column_stack([rng.normal(size=(8, 6)), np.zeros((8, 2))])
        held[1:3, 6] = held[5:7, 7] = 1
        first = 5 if answer else 1
        held[first, 0] += 4
        held[first + 1, 1] += 4
        pieces.append(held.astype(np.float16))
    weights = span_weights(pieces, answers, penalty=1e-3)
    assert (answered(pieces, weights) == answers).mean() > 0.9
    assert np.abs(weights).sum() > 3 * np.abs(span_weights(pieces, answers, penalty=1.0)).sum()


def test_questions_need_an_answer_that_is_a_name(examples):
    nobody = examples.take(examples.answers == 2)
    with pytest.raises(ValueError, match="answer is a name"):
        QuestionAnswering().fit(nobody)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (0, "mary met alice. mary said [MASK] won."),
        (1, "john saw harry before [MASK] left, and harry slept."),
        (3, "john thanked harry. [MASK] friend was asleep."),
    ],
)
def test_names_are_replaced(row, text):
    passage = passages().iloc[row].to_dict()
    assert with_gap(passage, NAMES[passage["gender"]]) == text


def test_a_shared_first_name_is_left_alone():
    passage = {
        "Text": "Ann Lee met Ann Ray; Ann said she won.",
        "Pronoun": "she",
        "Pronoun-offset": 30,
        "A": "Ann Lee",
        "A-offset": 0,
        "B": "Ann Ray",
        "B-offset": 12,
    }
    assert with_gap(passage, ("mary", "alice")) == "mary met alice; ann said [MASK] won."


def test_an_untrained_model_says_what_its_vocabulary_says(examples):
    some = examples.take(range(4))
    given = MaskedNames(epochs=0).fit(some, validation=some).probabilities(some)
    model = MaskedLanguageModel("minilm-mlm", device="cpu")
    for row, passage in enumerate(some.passages.to_dict("records")):
        names = NAMES[passage["gender"]]
        logs = model.log_probabilities([with_gap(passage, names)], [*names, "none"])[0]
        np.testing.assert_allclose(given[row], np.exp(logs) / np.exp(logs).sum(), atol=2e-3)


def test_two_texts_do_not_know_which_name_is_which(examples):
    some = examples.take(range(4))
    resolver = MaskedNames(texts=2, epochs=0)
    given = resolver.fit(some, validation=some).probabilities(some)
    names = {key: value[::-1] for key, value in NAMES.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lib.coreference.resolvers.systems.alfaro2019.NAMES", names)
        exchanged = resolver.fit(some, validation=some).probabilities(some)
    np.testing.assert_allclose(given, exchanged, atol=2e-3)


@pytest.mark.parametrize("settings", [{"texts": 3}, {"third": "nobody"}])
def test_settings_of_the_gap_that_do_not_exist(settings):
    with pytest.raises(ValueError, match="expected one of"):
        MaskedNames(**settings)


@pytest.mark.parametrize(
    "resolver",
    [
        MentionTags(epochs=2),
        MentionTags(tagged=False, epochs=2),
        EvidencePooling(epochs=2),
        MultipleChoice(epochs=2),
        QuestionAnswering(),
        MaskedNames(epochs=2, classifier=True),
    ],
    ids=str,
)
def test_each_runs_on_the_encoder_and_repeats(resolver, examples):
    first = resolver.fit(examples, rng=0).probabilities(examples)
    assert first.shape == (24, 3)
    np.testing.assert_allclose(first.sum(axis=1), 1)
    np.testing.assert_array_equal(first, resolver.fit(examples, rng=0).probabilities(examples))


def test_every_passage_is_computed_once(tmp_path):
    asked = []

    def compute(places):
        asked.append(places)
        return np.array([[place] for place in places])

    about = str(tmp_path)
    assert kept_rows("test", about, ["b", "a", "b"], compute)[:, 0].tolist() == [2, 1, 2]
    assert kept_rows("test", about, ["a", "c"], compute)[:, 0].tolist() == [1, 1]
    assert list(map(len, asked)) == [2, 1]


def test_lists_come_back_from_the_cache(monkeypatch):
    compute = lambda places: [np.full((place + 1, 2), place) for place in places]  # noqa: E731
    first = kept_lists("test", "lists", ["a", "b", "c"], compute)
    monkeypatch.setattr("lib.coreference.resolvers.rows._KNOWN", {})
    again = kept_lists("test", "lists", ["a", "b", "c"], lambda places: 1 / 0)
    for one, other in zip(first, again):
        np.testing.assert_array_equal(one, other)


def test_choices_are_where_the_text_has_them():
    text, spans = chada2019.choices(passages().iloc[2].to_dict())
    assert [text[a:b] for a, b in spans] == ["her", "Joan", "Ruth", "neither"]
    assert text.endswith("her is Joan. her is Ruth. her is neither.")
