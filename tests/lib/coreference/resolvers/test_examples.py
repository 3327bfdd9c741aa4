"""States of mentions: from the right pieces, from the cache as computed, and for any encoder."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers import examples as module
from lib.coreference.resolvers.examples import (
    encode_examples,
    encode_spans,
    encode_tokens,
    joined,
    mention_spans,
)

TEXTS = ["Ann met Eve Miller after she won.", "He told Bob that Al had called him."]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def passages():
    rows = [("she", "Ann", "Eve Miller", "A"), ("him", "Bob", "Al", "B")]
    frame = pd.DataFrame(rows, columns=["Pronoun", "A", "B", "answer"])
    frame["Text"] = TEXTS
    for name in ("Pronoun", "A", "B"):
        frame[f"{name}-offset"] = [text.index(word) for text, word in zip(TEXTS, frame[name])]
    return frame.assign(gender=["female", "male"], URL=["u", "v"], ID=["x-1", "x-2"])


def test_a_span_has_the_mean_state_of_its_pieces(cache):
    states, _ = encode_spans(TEXTS[:1], [[(25, 28), (0, 3), (8, 18)]], device="cpu")
    ((_, offsets, vectors),) = encode_tokens(TEXTS[:1], layer=-1, device="cpu")
    inside = (offsets[:, 0] < 18) & (offsets[:, 1] > 8)
    assert inside.sum() >= 2
    np.testing.assert_allclose(states[0, -1, 2], vectors[inside].mean(axis=0), atol=2e-3)


def test_attention_over_one_piece_is_that_piece_and_over_several_lies_among_them(cache):
    spans = [[(25, 28), (0, 3), (8, 18)]]
    mean, _ = encode_spans(TEXTS[:1], spans, device="cpu")
    attention, _ = encode_spans(TEXTS[:1], spans, pooling="attention", device="cpu")
    np.testing.assert_array_equal(attention[0, :, :2], mean[0, :, :2])
    assert not np.allclose(attention[0, -1, 2], mean[0, -1, 2], atol=1e-3)
    ((_, offsets, vectors),) = encode_tokens(TEXTS[:1], layer=-1, device="cpu")
    held = vectors[(offsets[:, 0] < 18) & (offsets[:, 1] > 8)]
    assert (attention[0, -1, 2] <= held.max(axis=0) + 2e-3).all()
    assert (attention[0, -1, 2] >= held.min(axis=0) - 2e-3).all()


def test_a_second_call_reads_what_the_first_kept_and_a_damaged_file_is_made_anew(
    cache, passages, monkeypatch
):
    first = encode_examples(passages, device="cpu")
    kept = list(cache.rglob("*.npy"))
    assert len(kept) == 1
    monkeypatch.setattr(module, "batched", lambda *a: pytest.fail("encoded again"))
    np.testing.assert_array_equal(encode_examples(passages, device="cpu").states, first.states)
    monkeypatch.undo()
    monkeypatch.setenv("BIASBOOK_CACHE", str(cache))
    kept[0].write_bytes(b"half of a file")
    np.testing.assert_array_equal(encode_examples(passages, device="cpu").states, first.states)


def test_the_order_and_number_of_texts_does_not_change_a_state(cache, passages):
    both = encode_examples(passages, device="cpu")
    alone = encode_examples(passages.iloc[[1]], device="cpu")
    np.testing.assert_allclose(alone.states[0], both.states[1], atol=5e-3)


def test_swapping_exchanges_names_states_and_answers_and_twice_is_nothing(cache, passages):
    examples = encode_examples(passages, device="cpu")
    swapped = examples.swapped()
    assert swapped.answers.tolist() == [1, 0]
    assert mention_spans(swapped.passages) == [
        [p, b, a] for p, a, b in mention_spans(examples.passages)
    ]
    np.testing.assert_array_equal(swapped.states[:, :, 1], examples.states[:, :, 2])
    pd.testing.assert_frame_equal(swapped.swapped().passages, examples.passages)
    assert swapped.identity != examples.identity


def test_parts_can_be_taken_and_joined(cache, passages):
    examples = encode_examples(passages, device="cpu")
    whole = joined([examples.take([1]), examples.take(np.array([True, False]))])
    assert whole.passages["ID"].tolist() == ["x-2", "x-1"]
    np.testing.assert_array_equal(whole.states, examples.states[::-1])
    assert (whole.answers.tolist(), whole.female.tolist()) == ([1, 0], [False, True])


def test_another_pooling_a_span_outside_or_parts_of_two_encoders_are_refused(
    refuses, cache, passages
):
    refuses(lambda: encode_spans(TEXTS, [[(0, 2)]] * 2, pooling="max"), ("pooling", "mean"))
    outside = [[(0, 3)], [(30, 40)]]
    refuses(lambda: encode_spans(TEXTS, outside, device="cpu"), ("within the 35", "30 to 40"))
    examples = encode_examples(passages, device="cpu")
    other = type(examples)(examples.passages, examples.states[..., :8], "other")
    refuses(lambda: joined([examples, other]), ("one encoder",))
