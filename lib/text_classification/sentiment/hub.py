"""Classifiers of sentiment from the hub or a folder: safetensors only, and no code of theirs is run."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lib.checks import did_you_mean
from lib.language_models.batching import batched, encoded
from lib.sources.hub import model_folder
from lib.text_classification.sentiment.classifier import SentimentModel, checked_sentences
from lib.text_classification.sentiment.encoders import load_head

if TYPE_CHECKING:
    from lib.language_models.pretrained import Transformer

POSITIVE = ("positive", "pos")


def load_classifier(
    name: str = "minilm", *, positive: Sequence[str] = (), device: str = "cpu"
) -> SentimentModel:
    """A classifier of sentiment by name: what a chapter's parameter `model` may hold.

    Parameters
    ----------
    name : str
        "minilm" for the book's own, or a text classifier: a folder, or "<model>@<commit>" on the hub.
    positive : sequence of str
        The labels that mean positive, where the model does not name one of them so.
    device : str
        "auto", "cpu", "cuda" or "mps".

    Returns
    -------
    SentimentModel

    Raises
    ------
    ValueError
        For a model without a trained classifier, or labels of which none is known to be positive.
    FetchError
        Where a hub model is not at hand.

    Examples
    --------
    >>> load_classifier("minilm").name
    'minilm with a linear head'
    """
    if name == "minilm":
        return load_head(device=device)
    if name == "minilm-mlm":
        raise ValueError(
            "'minilm-mlm' fills masks and has no classifier of sentiment; 'minilm' is the same encoder with one, or give "
            "a text classifier as a folder or <model>@<commit>"
        )
    transformer = _classifier_of(name, device)
    labels = transformer.model.config.id2label
    return HubClassifier(transformer, positive_labels(labels, positive))


@dataclass(frozen=True)
class HubClassifier:
    """A text classifier of transformers.

    Attributes
    ----------
    transformer : Transformer
        Its model gives one logit for each label.
    places : tuple of int
        The labels that are positive; their probabilities are added.
    """

    transformer: "Transformer"
    places: tuple[int, ...]

    @property
    def name(self) -> str:
        return self.transformer.name

    @property
    def source(self) -> str:
        """The model's name and commit, or the hash of its folder, for the ledger."""
        return self.transformer.source

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities of positive, by a softmax over all labels.

        Parameters
        ----------
        sentences : sequence of str
            n texts.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        ValueError
            For no sentence, one that is no text, or one that is too long for the model.
        """
        import torch

        rows = encoded(self.transformer, checked_sentences(sentences))
        found = np.empty(len(rows))
        with torch.inference_mode():
            for at, ids, real in batched(self.transformer, rows):
                logits = self.transformer.model(input_ids=ids, attention_mask=real).logits
                shares = logits.double().softmax(dim=1)[:, list(self.places)].sum(dim=1)
                found[at] = shares.cpu().numpy()
        return found


def positive_labels(labels: Mapping[int, str], named: Sequence[str] = ()) -> tuple[int, ...]:
    """The places of a classifier's labels that mean positive.

    Parameters
    ----------
    labels : mapping of int to str
        `config.id2label`.
    named : sequence of str
        The labels to take; by default the one called "positive" or "pos", in any case.

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        For one label alone, no label of that name, several, or a name that is not there.

    Examples
    --------
    >>> positive_labels({0: "NEGATIVE", 1: "POSITIVE"})
    (1,)
    >>> positive_labels({0: "1 star", 1: "2 stars", 2: "3 stars"}, ["3 stars"])
    (2,)
    """
    listed = ", ".join(map(str, labels.values()))
    if len(labels) < 2:
        raise ValueError(
            f"labels: expected two or more, got {listed or 'none'}: a model of one number is no classifier"
        )
    if isinstance(named, str):
        raise ValueError(f"positive: expected a list of labels, got {named!r}; put it in a list")
    wanted = {label.casefold() for label in named or POSITIVE}
    places = tuple(place for place, label in labels.items() if label.casefold() in wanted)
    if named and len(places) < len(wanted):
        known = {label.casefold() for label in labels.values()}
        stranger = next(label for label in named if label.casefold() not in known)
        hint = did_you_mean(stranger, labels.values())
        raise ValueError(f"positive: expected labels of {listed}; got {stranger!r}. {hint}".strip())
    if len(places) == len(labels):
        raise ValueError(f"positive: expected some of {listed}, got all of them; leave one out")
    if not named and len(places) != 1:
        raise ValueError(
            f"labels: expected one that is called positive, got {listed}; name those that mean it: positive=[…]"
        )
    return places


def _classifier_of(name: str, device: str) -> "Transformer":
    """A text classifier with its tokenizer: the encoder is read first, whose errors say what is wrong with a folder."""
    from safetensors import SafetensorError
    from transformers import AutoModelForSequenceClassification
    from transformers.utils import logging

    from lib.language_models.pretrained import load_transformer

    encoder = load_transformer(name, device=device)
    folder, _ = model_folder(name)
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        model, report = AutoModelForSequenceClassification.from_pretrained(
            folder,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except (SafetensorError, OSError, RuntimeError, ValueError, KeyError) as error:
        why = str(error).partition("\n")[0]
        raise ValueError(
            f"{folder}: expected a text classifier of a kind built into transformers ({why})"
        ) from error
    finally:
        if bars:
            logging.enable_progress_bar()
    if lacking := sorted(report["missing_keys"]):
        raise ValueError(
            f"{folder}: its weights lack those of a classifier ({', '.join(lacking[:3])}), so that it would answer at random; "
            "give a model that was trained to classify"
        )
    if model.config.problem_type == "multi_label_classification":
        raise ValueError(
            f"{folder}: its labels do not exclude each other; give a classifier of one label a sentence"
        )
    return dataclasses.replace(encoder, model=model.to(encoder.device).eval())
