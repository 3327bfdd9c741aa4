"""Attention between mentions: what the encoder itself gives, any choice of passages, any encoder."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers.attention import GROUPS, attention_between, mention_groups
from lib.coreference.resolvers.examples import encode_examples
from lib.coreference.resolvers.scorer import CandidateScorer
from lib.kept import kept_rows
from lib.language_models.pretrained import load_transformer
from tests.support.tiny_models import build

PASSAGES = pd.DataFrame(
    [
        ("Ann met Eve; Ann saw her.", "her", 21, "Ann", 0, "Eve", 8),
        (
            "Then, after a long day in town, Mary Poe told Zoe that she was ill.",
            "she",
            55,
            "Mary Poe",
            32,
            "Zoe",
            46,
        ),
    ],
    columns=["Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset"],
)


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))


def test_groups_are_the_mentions_in_the_text():
    named = [
        [[text[slice(*span)] for span in spans] for spans in groups]
        for text, groups in zip(PASSAGES["Text"], mention_groups(PASSAGES))
    ]
    assert named[0] == [["her"], ["Ann"], ["Eve"], ["Ann"], []]
    assert named[1] == [["she"], ["Mary Poe"], ["Zoe"], [], []]


def test_attention_is_that_of_the_encoder():
    import torch

    text = PASSAGES["Text"][0]
    transformer = load_transformer("minilm", device="cpu")
    transformer.model.set_attn_implementation("eager")
    pieces = transformer.tokenizer(text, return_tensors="pt")
    words = transformer.tokenizer.convert_ids_to_tokens(pieces["input_ids"][0])
    ann, eve, her = words.index("ann"), words.index("eve"), words.index("her")
    again = words.index("ann", ann + 1)
    with torch.inference_mode():
        heads = torch.stack(transformer.model(**pieces, output_attentions=True).attentions)[:, 0]
    found = attention_between(PASSAGES, device="cpu")[0].astype(float)
    for row, i in enumerate([her, ann, eve, again]):
        for column, j in enumerate([her, ann, eve, again]):
            expected = heads[:, :, i, j].numpy()
            np.testing.assert_allclose(found[..., row, column], expected, atol=1e-3)
    assert not found[..., 4].any()
    assert not found[..., 4, :].any()


def test_any_choice_of_passages_gives_the_same_and_is_kept(monkeypatch):
    both = attention_between(PASSAGES, device="cpu")
    assert both.shape == (2, 6, 12, len(GROUPS), len(GROUPS))
    assert (both.sum(axis=-1) <= 1.02).all()
    monkeypatch.setattr(
        "lib.coreference.resolvers.attention.passes", None
    )  # nothing is computed again
    np.testing.assert_array_equal(attention_between(PASSAGES[::-1], device="cpu"), both[::-1])
    np.testing.assert_array_equal(attention_between(PASSAGES[1:], device="cpu"), both[1:])


def test_another_encoder_from_a_folder_is_read_and_scored(tmp_path):
    folder = build("bert", tmp_path / "bert")
    passages = PASSAGES[:1].assign(
        Text="he was a nurse to men of women.", Pronoun="he", A="men", B="women"
    )
    passages = passages.assign(**{"Pronoun-offset": 0, "A-offset": 18, "B-offset": 25})
    assert attention_between(passages, str(folder), device="cpu").shape == (1, 3, 2, 5, 5)
    known = passages.assign(answer="A", gender="male", URL="")
    examples = encode_examples(known, str(folder), device="cpu")
    fitted = CandidateScorer(encoder=str(folder), epochs=1).fit(examples, rng=0)
    np.testing.assert_allclose(fitted.probabilities(examples).sum(axis=1), [1])


def test_rows_are_computed_once_and_damaged_ones_again(tmp_path):
    asked = []

    def compute(places):
        asked.append(list(places))
        return np.array(places, float)[:, None]

    def rows(keys):
        found = np.full((len(keys), 1), np.nan)
        for places, part in kept_rows("numbers", keys, compute, chunk=2):
            found[places] = part
        return found.ravel().tolist()

    assert rows(["a", "b", "c"]) == [0, 1, 2]
    assert asked == [[0, 1], [2]]
    assert rows(["c", "new", "a"]) == [2, 1, 0]
    assert asked[2:] == [[1]]
    for path in (tmp_path / "cache" / "kept" / ".numbers").iterdir():
        path.write_bytes(b"cut")
    assert rows(["a", "b"]) == [0, 1]
    assert asked[3:] == [[0, 1]]
