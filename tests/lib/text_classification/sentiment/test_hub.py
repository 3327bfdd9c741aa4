"""Text classifiers from a folder: the same as transformers gives, which label is positive, and what is refused."""

import json
import shutil

import numpy as np
import pytest
import torch

from lib.text_classification.sentiment.hub import load_classifier, positive_labels
from tests.support.tiny_models import build_classifier

pytestmark = pytest.mark.usefixtures("one_thread")
TEXTS = ["she is a nurse.", "the man is kind, and the woman was new.", "he walks"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build_classifier(tmp_path_factory.mktemp("classifier") / "tiny-sst")


@pytest.fixture
def spoiled(folder, tmp_path):
    """A function from changes of config.json to a folder that differs in them."""

    def make(**changes):
        made = shutil.copytree(folder, tmp_path / "spoiled")
        config = json.loads((made / "config.json").read_text(encoding="utf-8")) | changes
        (made / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return str(made)

    return make


def test_probabilities_are_those_of_transformers(folder):
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    found = load_classifier(str(folder))
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        logits = [model(**tokenizer(text, return_tensors="pt")).logits[0] for text in TEXTS]
    expected = torch.stack(logits).softmax(dim=1)[:, 1].numpy()
    np.testing.assert_allclose(found.positive(TEXTS), expected, atol=1e-6)
    assert found.name == "tiny-sst"
    assert found.source.startswith("tiny-sst@sha256:")


def test_the_label_that_is_named_is_the_one_that_counts(folder):
    bad = load_classifier(str(folder), positive=["negative"])
    good = load_classifier(str(folder))
    np.testing.assert_allclose(bad.positive(TEXTS) + good.positive(TEXTS), 1, atol=1e-12)


@pytest.mark.parametrize(
    ("labels", "named", "places"),
    [
        (["NEGATIVE", "POSITIVE"], [], (1,)),
        (["positive", "neutral", "negative"], [], (0,)),
        (["NEG", "POS"], [], (1,)),
        (["LABEL_0", "LABEL_1"], ["LABEL_1"], (1,)),
        (["1 star", "2 stars", "3 stars", "4 stars"], ["4 stars", "3 stars"], (2, 3)),
    ],
)
def test_which_label_is_positive(labels, named, places):
    assert positive_labels(dict(enumerate(labels)), named) == places


@pytest.mark.parametrize(
    ("labels", "named", "fragments"),
    [
        (["LABEL_0", "LABEL_1"], [], ["LABEL_0, LABEL_1", "positive=[…]"]),
        (["pos", "positive", "negative"], [], ["one that is called positive"]),
        (["NEGATIVE", "POSITIVE"], ["POSITI"], ["'POSITI'", "Did you mean 'POSITIVE'?"]),
        (["NEGATIVE", "POSITIVE"], ["positive", "negative"], ["all of them", "leave one out"]),
    ],
)
def test_labels_of_which_none_is_known_to_be_positive(labels, named, fragments, refuses):
    refuses(lambda: positive_labels(dict(enumerate(labels)), named), fragments)


def test_folders_that_hold_no_classifier_are_refused(tiny_model, spoiled, refuses):
    refuses(lambda: load_classifier(str(tiny_model("bert"))), ["lack", "classifier", "at random"])
    refuses(lambda: load_classifier("minilm-mlm"), ["fills masks", "'minilm'"])
    refuses(lambda: load_classifier("no-such-model"), ["expected a model", "no-such-model"])
    several = spoiled(problem_type="multi_label_classification")
    refuses(lambda: load_classifier(several), ["do not exclude each other"])


def test_pickled_weights_are_not_opened(folder, tmp_path, refuses):
    made = shutil.copytree(folder, tmp_path / "pickled")
    (made / "model.safetensors").rename(made / "pytorch_model.bin")
    refuses(lambda: load_classifier(str(made)), ["safetensors"])
