"""M.1 of Bhaskaran and Bhallamudi trained again, and its difference taken apart word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from lib.inference.random_words import random_pairs

Floats = NDArray[np.float64]


def train_words(texts: Sequence[str], labels: ArrayLike) -> Pipeline:
    """A logistic regression on tf-idf weights of single words, with scikit-learn's liblinear solver; nothing in it is random.

    M.1 of Bhaskaran and Bhallamudi (2019), Section 3. A label is 1 where a phrase is positive, 0 where it is negative.
    """
    labels = np.asarray(labels)
    if len(texts) != len(labels) or set(np.unique(labels)) != {0, 1}:
        raise ValueError(
            f"labels: expected a 0 or a 1 for each of {len(texts)} texts, and both of them; "
            f"got {len(labels)} labels, {sorted(set(labels.tolist()))}"
        )
    return make_pipeline(TfidfVectorizer(), LogisticRegression(solver="liblinear")).fit(
        texts, labels
    )


@dataclass(frozen=True)
class Parts:
    """What the difference between twin sentences is made of, in probability: `decompose`.

    `nouns` has two rows a pair (side, pair, words, value): what the words that only this side has add to the mean difference. `shared`
    is, by pair, what the words of both sentences add, as the nouns change the length of the sentence's vector. `difference` is the mean
    difference, and the sum of all parts.
    """

    nouns: pd.DataFrame
    shared: pd.Series
    difference: float

    def table(self) -> pd.DataFrame:
        """All parts, a row each: pair, part ("female noun", "male noun" or "words of both"), word, value."""
        nouns = self.nouns.assign(part=self.nouns["side"] + " noun", word=self.nouns["words"])
        shared = self.shared.rename_axis("pair").reset_index(name="value")
        shared = shared.assign(part="words of both", word="")
        columns = ["pair", "part", "word", "value"]
        return pd.concat([nouns[columns], shared[columns]], ignore_index=True)


def decompose(model: Pipeline, sentences: pd.DataFrame) -> Parts:
    """The mean difference of a linear model between twin sentences, female minus male, exactly, as a sum over their words.

    The logit of a sentence is a constant plus, for each word, weight times tf-idf, divided by the length of the sentence's vector; so
    the difference of two logits is a sum over words. Within each pair of twins the difference in probability is that of the logits
    times one number, the slope of the line between them; each word gets its share of the logit times that slope.
    """
    cells = sentences.set_index(["side", "pair", "occupation"])["text"].unstack("side")
    if cells.isna().any(axis=None) or {*cells.columns} != {"female", "male"}:
        raise ValueError("sentences: expected each sentence with its twin; got one without")
    vectoriser, regression = model[0], model[-1]
    weights, names = regression.coef_[0], vectoriser.get_feature_names_out()
    female = sparse.csr_matrix(vectoriser.transform(cells["female"])).multiply(weights).tocsr()
    male = sparse.csr_matrix(vectoriser.transform(cells["male"])).multiply(weights).tocsr()
    intercept = regression.intercept_[0]
    logits = [np.asarray(side.sum(axis=1)).ravel() + intercept for side in (female, male)]
    slope = _slope(*logits)

    both = vectoriser.transform(cells["female"]).multiply(vectoriser.transform(cells["male"])) > 0
    shared = (female - male).multiply(both)
    count = len(cells)
    by_row = np.asarray(shared.sum(axis=1)).ravel() * slope / count
    pairs = cells.index.get_level_values("pair")
    rows = []
    for side, matrix, sign in (("female", female, 1), ("male", male, -1)):
        own = sign * (matrix - matrix.multiply(both))
        part = pd.Series(np.asarray(own.sum(axis=1)).ravel() * slope / count)
        for pair, value in part.groupby(pairs, sort=False).sum().items():
            used = np.unique(sparse.csr_matrix(own[pairs == pair]).nonzero()[1])
            rows.append((side, pair, " ".join(names[used]), value))
    nouns = pd.DataFrame(rows, columns=["side", "pair", "words", "value"])
    whole = float((expit(logits[0]) - expit(logits[1])).mean())
    order = pd.unique(sentences["pair"])
    by_pair = pd.Series(by_row).groupby(pairs, sort=False).sum().reindex(order)
    return Parts(nouns, by_pair, whole)


def _slope(one: Floats, other: Floats) -> Floats:
    """How far probabilities are apart for each unit between two logits."""
    apart = one - other
    middle = expit((one + other) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        line = (expit(one) - expit(other)) / apart
    return np.where(np.abs(apart) > 1e-9, line, middle * (1 - middle))


def noun_scores(model: Pipeline, occupations: Sequence[str]) -> pd.Series:
    """How positive a linear model takes "This <word> is a <occupation>." to be, mean over occupations, for every word it knows.

    Probability by word, and for "" that of a word which the model does not know.
    """
    vectoriser, regression = model[0], model[-1]
    weight, idf = regression.coef_[0], vectoriser.idf_
    frames = [f"This is a {occupation}." for occupation in occupations]
    counts = CountVectorizer(vocabulary=vectoriser.vocabulary_).transform(frames)
    terms = counts.toarray() * idf  # tf-idf before a sentence is given length 1
    of_frame = (terms @ weight)[:, None]
    square = (terms**2).sum(axis=1, keepdims=True)
    logits = (of_frame + weight * idf) / np.sqrt(square + idf**2)
    known = expit(logits + regression.intercept_[0]).mean(axis=0)
    plain = model.predict_proba(frames)[:, 1].mean()
    return pd.Series([*known, plain], [*vectoriser.get_feature_names_out(), ""])


def random_noun_differences(
    model: Pipeline,
    texts: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    occupations: Sequence[str],
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, Floats]:
    """The mean difference, first minus second, between pairs of nouns; and (draws,) between random words matched in frequency.

    A word's frequency is the number of `texts` (what the model was trained on) that hold it. A noun that the model does not know stays
    such a word in every draw. The sentences are those of `noun_scores`.
    """
    vectoriser, scores = model[0], noun_scores(model, occupations)
    counts = np.asarray((vectoriser.transform(texts) > 0).sum(axis=0)).ravel()
    order = np.argsort(-counts, kind="stable")  # most frequent first
    place = {word: row for row, word in enumerate(vectoriser.get_feature_names_out()[order])}
    positions = np.array([[place.get(word, -1) for word in pair] for pair in pairs])
    values = scores.to_numpy()[np.append(order, len(order))]  # the last is that of unknown words
    drawn = random_pairs(positions, len(order), draws, rng=rng)
    drawn = np.where(positions < 0, -1, drawn)
    both = values[np.concatenate([positions[None], drawn])]
    means = (both[..., 0] - both[..., 1]).mean(axis=1)
    return float(means[0]), means[1:]
