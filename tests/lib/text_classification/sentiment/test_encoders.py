"""The frozen encoder with its head: vectors, the regression, the file that ships, and what is refused."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file
from sentence_transformers import SentenceTransformer
from sklearn.linear_model import LogisticRegression

from lib.language_models.pretrained import load_transformer
from lib.sources.hub import minilm_folder
from lib.text_classification.sentiment.classifier import checked_sentences
from lib.text_classification.sentiment.encoders import (
    SHIPPED,
    C,
    fit_head,
    load_head,
    resampled_heads,
    sentence_vectors,
)

pytestmark = pytest.mark.usefixtures("one_thread")
TEXTS = ["A dull film.", "She is a nurse.", "A warm, funny and generous picture from start to end."]


@pytest.fixture(scope="module")
def transformer():
    return load_transformer("minilm", device="cpu")


def rows(n=40, d=3, seed=0):
    """Vectors in two clouds, and their labels."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return rng.standard_normal((n, d)) + labels[:, None], labels


def test_vectors_are_those_of_sentence_transformers(transformer):
    theirs = SentenceTransformer(str(minilm_folder()), device="cpu")
    expected = theirs.encode(TEXTS, normalize_embeddings=True)
    found = sentence_vectors(transformer, TEXTS)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


def test_a_sentence_has_one_vector_alone_and_among_others(transformer):
    together = sentence_vectors(transformer, TEXTS)
    for place, text in enumerate(TEXTS):
        np.testing.assert_allclose(
            sentence_vectors(transformer, [text])[0], together[place], atol=1e-5
        )


def test_the_head_is_the_logistic_regression_of_sklearn():
    vectors, labels = rows()
    peer = LogisticRegression(C=C, max_iter=1000).fit(vectors, labels)
    head = fit_head(vectors, labels)
    np.testing.assert_allclose(head.positive(vectors), peer.predict_proba(vectors)[:, 1], atol=1e-6)


def test_a_constant_alone_gives_the_share_of_positives():
    """Vectors that say nothing: the closed form is the base rate."""
    head = fit_head(np.ones((10, 1)) * 1e-9, [1] * 7 + [0] * 3)
    assert head.positive([[0.0]])[0] == pytest.approx(0.7, abs=1e-4)


def test_exchanged_labels_exchange_the_classes():
    vectors, labels = rows()
    one, other = fit_head(vectors, labels), fit_head(vectors, 1 - labels)
    np.testing.assert_allclose(one.positive(vectors), 1 - other.positive(vectors), atol=1e-3)


def test_resampled_heads_differ_and_come_back_with_the_seed():
    vectors, labels = rows()
    first, again = (resampled_heads(vectors, labels, 3, rng=1) for _ in range(2))
    assert len({head.constant for head in first}) == 3
    assert [head.constant for head in first] == [head.constant for head in again]
    whole = resampled_heads(vectors, labels, 1, size=len(labels), rng=0)[0]
    np.testing.assert_allclose(whole.weights, fit_head(vectors, labels).weights, atol=1e-3)


def test_the_shipped_head_knows_good_from_bad():
    classifier = load_head()
    praise = ["A wonderful, moving film.", "Brilliant and very funny.", "I loved every minute."]
    blame = ["A terrible, boring film.", "Stupid and very ugly.", "I hated every minute."]
    assert (classifier.positive(praise) > 0.9).all()
    assert (classifier.positive(blame) < 0.1).all()
    spread = classifier.by_resample(praise)
    assert spread.shape == (10, 3)
    np.testing.assert_allclose(spread.mean(axis=0), classifier.positive(praise), atol=0.05)


@pytest.mark.parametrize(
    ("sentences", "fragments"),
    [
        ("one text", ["list of sentences", "'one text'", "put it in a list"]),
        ([], ["at least one sentence", "got none"]),
        (["fine", float("nan")], ["place 1", "nan"]),
    ],
)
def test_sentences_that_are_none_are_refused(sentences, fragments, refuses):
    refuses(lambda: checked_sentences(sentences), fragments)


def test_a_sentence_that_is_too_long_is_refused(transformer, refuses):
    refuses(lambda: sentence_vectors(transformer, ["word " * 600]), ["602 pieces", "split it"])


@pytest.mark.parametrize(
    ("vectors", "labels", "fragments"),
    [
        ([[1.0], [2.0]], [1, 1], ["both classes", "[1]"]),
        ([[1.0], [2.0]], [0, 2], ["1 for positive and 0 for negative", "[0, 2]"]),
        ([[1.0], [2.0], [3.0]], [0, 1], ["2 labels and 3 vectors"]),
        ([[1.0], [np.nan]], [0, 1], ["NaN", "row 1"]),
    ],
)
def test_rows_that_cannot_be_learned_from_are_refused(vectors, labels, fragments, refuses):
    refuses(lambda: fit_head(vectors, labels), fragments)


def test_other_misuse_is_refused(tmp_path, refuses):
    vectors, labels = rows()
    refuses(lambda: resampled_heads(vectors, labels, 1, size=41), ["2 to 40", "41"])
    refuses(lambda: fit_head(vectors, labels).positive([[1.0]]), ["3 dimensions", "got 1"])
    refuses(lambda: load_head(path=tmp_path / "none"), ["missing or damaged", "sentiment_head"])
    (tmp_path / "cut").write_bytes(SHIPPED.read_bytes()[:200])
    refuses(lambda: load_head(path=tmp_path / "cut"), ["missing or damaged"])
    tensors = {
        "weights": np.zeros((1, 384), dtype=np.float32),
        "constants": np.zeros(1, dtype=np.float32),
    }
    save_file(tensors, tmp_path / "other", {"settings": json.dumps({"encoder": "another"})})
    refuses(lambda: load_head(path=tmp_path / "other"), ["another", "train them again"])
