"""Whether a Spanish first-person sentence is masculine, feminine or neither: two identifiers.

One is the book's reader, rules over endings; the other is the Lexicalized model of Habash et al.
(2019) in small, a logistic regression on n-grams of characters, which learned from sentences of
Tatoeba.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.inference.sums import resampled_sums
from lib.paths import DATA
from lib.translation.gender_spanish import speaker_marking
from studies.reinflection.spanish import LABELS, OTHER

SHIPPED = DATA / "models" / "spanish-reinflection" / "model.safetensors"
NGRAMS = (1, 6)
FEATURES = 2**16  # places for n-grams; two may share one


def by_reader(sentences: Sequence[str]) -> list[str]:
    """Labels as `lib.translation.gender_spanish.speaker_marking` reads them; "neither" is unmarked, or marked as both."""
    read = (speaker_marking(sentence).gender for sentence in sentences)
    return [gender if gender in OTHER else "neither" for gender in read]


@dataclass(frozen=True)
class Classifier:
    """A logistic regression for each label, one against the others, in the order of `LABELS`: weights (3, features), constants
    (3,).
    """

    weights: NDArray[np.float32]
    constants: NDArray[np.float32]

    def label(self, sentences: Sequence[str]) -> list[str]:
        """The likeliest label of each sentence."""
        if not len(sentences):
            return []
        scores = ngram_counts(sentences) @ self.weights.T + self.constants
        return [LABELS[place] for place in np.asarray(scores).argmax(axis=1)]


def ngram_counts(sentences: Sequence[str]):
    """Counts of the n-grams of characters of each sentence, a sparse matrix of `FEATURES` columns."""
    from sklearn.feature_extraction.text import HashingVectorizer

    vectorizer = HashingVectorizer(
        analyzer="char",
        ngram_range=NGRAMS,
        n_features=FEATURES,
        norm=None,
        alternate_sign=False,
        dtype=np.float32,
    )
    return vectorizer.transform([f" {sentence} " for sentence in sentences])


def fit_classifier(sentences: Sequence[str], labels: Sequence[str], C: float = 1.0) -> Classifier:
    """Learn from labelled sentences, liblinear as in the paper; all of `LABELS` are needed."""
    from sklearn.linear_model import LogisticRegression

    if set(labels) != set(LABELS):
        raise ValueError(f"expected the labels {', '.join(LABELS)}, got {sorted(set(labels))}")
    counts, labels = ngram_counts(sentences), np.asarray(labels)
    fitted = [
        LogisticRegression(solver="liblinear", C=C, random_state=0).fit(counts, labels == label)
        for label in LABELS
    ]
    return Classifier(
        np.concatenate([model.coef_ for model in fitted]).astype(np.float32),
        np.concatenate([model.intercept_ for model in fitted]).astype(np.float32),
    )


def load_classifier(path: Path = SHIPPED) -> Classifier:
    """The classifier that ships with the book; its card says what it learned from."""
    from safetensors.numpy import load_file

    tensors = load_file(path)
    weights, constants = (tensors[f"identifier.{name}"] for name in ("weights", "constants"))
    return Classifier(weights.astype(np.float32), constants.astype(np.float32))


def agreement(
    truth: Sequence[str],
    labels: Sequence[str],
    groups: Sequence[str] | None = None,
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """Share of right labels (index "accuracy") and Cohen's "kappa", with 95 % bootstrap intervals over groups of sentences, or
    over sentences: columns value, low, high.
    """
    for label in {*truth, *labels}:
        one_of("label", label, LABELS)
    if len(truth) != len(labels):
        raise ValueError(f"expected a label for each of {len(truth)} sentences, got {len(labels)}")
    places = [LABELS.index(right) * 3 + LABELS.index(said) for right, said in zip(truth, labels)]
    cells = np.eye(9)[places]
    draws = resampled_sums(cells, clusters=groups, n_resamples=resamples, rng=rng)
    found, drawn = _accuracy_and_kappa(cells.sum(axis=0)[None]), _accuracy_and_kappa(draws)
    ends = np.nanquantile(drawn, [0.025, 0.975], axis=0)
    return pd.DataFrame({"value": found[0], "low": ends[0], "high": ends[1]}, ["accuracy", "kappa"])


def right_by_label(
    truth: Sequence[str],
    labels: Sequence[str],
    groups: Sequence[str],
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """Share of right labels by true label: columns value, low, high (a bootstrap over groups; NaN for one group), n."""
    table = pd.DataFrame({"truth": truth, "right": np.equal(truth, labels), "group": groups})
    rows = {}
    for label, part in table.groupby("truth"):
        low = high = np.nan
        if part["group"].nunique() > 1:
            terms = np.column_stack([part["right"], np.ones(len(part))]).astype(float)
            clusters = part["group"].to_numpy()
            sums = resampled_sums(terms, clusters=clusters, n_resamples=resamples, rng=rng)
            low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
        rows[label] = (part["right"].mean(), low, high, len(part))
    found = pd.DataFrame(rows, index=["value", "low", "high", "n"]).T
    return found.reindex([label for label in LABELS if label in rows])


def _accuracy_and_kappa(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """From rows of nine cells, truth by label."""
    tables = cells.reshape(-1, 3, 3) / cells.sum(axis=1)[:, None, None]
    accuracy = tables.trace(axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.column_stack([accuracy, (accuracy - chance) / (1 - chance)])


def load_rewriter(path: Path = SHIPPED):
    """The character model that ships with the book, a `lib.translation.reinflection.network.Rewriter`."""
    import torch
    from safetensors import safe_open

    from lib.translation.reinflection.network import Rewriter

    with safe_open(path, framework="pt") as stored:
        settings = json.loads(stored.metadata()["settings"])
        model = Rewriter(stored.metadata()["letters"], settings["embedding"], settings["hidden"])
        names = [name for name in stored.keys() if name.startswith("rewriter.")]  # noqa: SIM118
        weights = {name.removeprefix("rewriter."): stored.get_tensor(name) for name in names}
    model.load_state_dict({name: tensor.to(torch.float32) for name, tensor in weights.items()})
    return model.eval()
