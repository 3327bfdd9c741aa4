"""The pronoun as a gap, a question, a choice: against written-out computations."""

import numpy as np
import pytest

from lib.datasets.gap import read_gap
from lib.language_models.masked import MaskedLanguageModel
from studies.resolvers.formulations import (
    NAMES,
    MaskedNames,
    MultipleChoice,
    QuestionAnswering,
    answered,
    choices,
    question,
    six_scores,
    span_weights,
    with_gap,
)
from tests.studies.resolvers import made_up


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))


@pytest.fixture
def examples():
    return made_up.examples()


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


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (0, "mary met alice. mary said [MASK] won."),
        (1, "john saw harry before [MASK] left, and harry slept."),
        (3, "john thanked harry. [MASK] friend was asleep."),
    ],
)
def test_names_are_replaced(row, text):
    passage = made_up.passages().iloc[row].to_dict()
    assert with_gap(passage, NAMES[passage["gender"]]) == text


def test_an_untrained_model_says_what_its_vocabulary_says(examples):
    some = examples.take(range(4))
    given = MaskedNames(epochs=0).fit(some, validation=some).probabilities(some)
    model = MaskedLanguageModel("minilm-mlm", device="cpu")
    for row, passage in enumerate(some.passages.to_dict("records")):
        names = NAMES[passage["gender"]]
        logs = model.log_probabilities([with_gap(passage, names)], [*names, "none"])[0]
        np.testing.assert_allclose(given[row], np.exp(logs) / np.exp(logs).sum(), atol=2e-3)


def test_choices_are_where_the_text_has_them():
    text, spans = choices(made_up.passages().iloc[2].to_dict())
    assert [text[a:b] for a, b in spans] == ["her", "Joan", "Ruth", "neither"]
    assert text.endswith("her is Joan. her is Ruth. her is neither.")


@pytest.mark.parametrize(
    "resolver",
    [MultipleChoice(epochs=2), QuestionAnswering(), MaskedNames(epochs=2, classifier=True)],
    ids=str,
)
def test_each_runs_on_the_encoder_and_repeats(resolver, examples):
    first = resolver.fit(examples, rng=0).probabilities(examples)
    assert first.shape == (24, 3)
    np.testing.assert_allclose(first.sum(axis=1), 1)
    np.testing.assert_array_equal(first, resolver.fit(examples, rng=0).probabilities(examples))
