"""The book's scorer: fair to both names, able to learn, and as it ships."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers import load_resolver
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.scorer import CandidateScorer
from lib.coreference.scores import log_loss
from lib.datasets.gap import read_gap

NAMES = ("Ann Lee", "Mary Poe", "Zoe Fox", "Eve Kay", "Sue Day", "Amy Orr")
TEXT = "{} met {}, and they spoke about {} in 1990. Later {} wrote to {} that she was ill."


def passages(n=60, seed=0):
    """Texts in which the pronoun is the last name before it, or neither where that one is not asked for."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(n):
        names = rng.permutation(NAMES)[:5]
        text = TEXT.format(*names)
        a, b = rng.permutation(names)[:2]
        last = names[4]
        answer = "A" if a == last else "B" if b == last else "NEITHER"
        row = {"Text": text, "Pronoun": "she", "Pronoun-offset": text.index("she"), "A": a, "B": b}
        row |= {"A-offset": text.index(a), "B-offset": text.index(b), "URL": ""}
        rows.append(row | {"answer": answer, "gender": "female"})
    return pd.DataFrame(rows)


def examples(n=60, seed=0):
    rows = passages(n, seed)
    return Examples(rows, np.zeros((n, 1, 3, 1), np.float32), f"{n} {seed}")


SURFACE = CandidateScorer(
    attention=False, epochs=30, batch_size=16, learning_rate=1e-2, dropout=0.1
)


def test_exchanging_the_names_exchanges_their_probabilities_exactly():
    train = examples(12)
    fitted = CandidateScorer(epochs=2, batch_size=4).fit(train, rng=0)
    found, swapped = fitted.probabilities(train), fitted.probabilities(train.swapped())
    np.testing.assert_allclose(found, swapped[:, [1, 0, 2]], atol=1e-6)
    assert np.abs(found[:, 0] - found[:, 1]).max() > 1e-3


def test_the_surface_teaches_a_rule_of_order():
    train, test = examples(200), examples(60, seed=1)
    fitted = SURFACE.fit(train, rng=0)
    assert log_loss(fitted.probabilities(test), test.answers) < 0.35


def test_the_shipped_resolver_runs_on_any_text():
    resolver = load_resolver()
    text = (
        "Mary Poe was born in Ohio. In 1990, Poe visited Zoe Fox, and she wrote a book about Fox."
    )
    spans = [
        (text.index(word), text.index(word) + len(word)) for word in ("she", "Mary Poe", "Zoe Fox")
    ]
    said = resolver.resolve(text, *spans)
    assert said.idxmax() == "A"
    swapped = resolver.resolve(text, spans[0], spans[2], spans[1])
    np.testing.assert_allclose(said[["A", "B"]], swapped[["B", "A"]], atol=1e-6)


def test_the_shipped_resolver_by_seed():
    resolver, rows = load_resolver(), passages(4)
    found = resolver.by_seed(rows)
    assert found.shape == (len(resolver.members), 4, 3)
    assert len(found) >= 5
    np.testing.assert_allclose(found.sum(axis=2), 1)
    np.testing.assert_allclose(resolver.probabilities(rows), found.mean(axis=0))
    assert found.std(axis=0).max() > 0


def test_what_cannot_be_resolved_is_refused(refuses, tmp_path):
    refuses(lambda: load_resolver("bert-base-uncased"), ["'bert-base-uncased'", "minilm", "fit"])
    damaged = tmp_path / "model.safetensors"
    refuses(lambda: load_resolver(path=damaged), [str(damaged), "git"])
    damaged.write_bytes(b"cut")
    refuses(lambda: load_resolver(path=damaged), ["damaged"])
    refuses(
        lambda: load_resolver().resolve("She ran.", (0, 3), (4, 9), (0, 3)),
        ["A", "8 characters", "9"],
    )
    moved = passages(1).assign(**{"A-offset": 3})
    refuses(lambda: load_resolver().by_seed(moved), ["A", "offset"])


@pytest.mark.sample
@pytest.mark.slow
def test_the_shipped_resolver_on_a_part_of_gap():
    test = read_gap("gap_test")[:300]
    answers = test["answer"].map({"A": 0, "B": 1, "NEITHER": 2}).to_numpy()
    assert log_loss(load_resolver().probabilities(test), answers) < 0.6
