"""Who speaks in an Arabic sentence, by the rules and the models of Habash, Bouamor and Chung (2019), sections 5.2 and 5.3.

The models are logistic regressions on n-grams of one to seven words, characters or morphological features, 20,000 of each kind.
What the paper does not print is a setting here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.files import text_hash, write_whole
from lib.inference.sums import resampled_sums
from lib.paths import cache_folder

LONGEST, FEATURES = 7, 20_000  # as printed
MODELS = {
    "Lexicalized": ("words", "characters"),
    "Delexicalized": ("features",),
    "Joint": ("words", "characters", "features"),
}
CHOICES = {
    "weighting": ("counts", "presence", "tf-idf"),
    "tokens": ("between blanks", "two letters or more"),
    "characters": ("across words", "within words"),
}
SCORES = ("precision", "recall", "f1")
AVERAGE = "Average"
_TOKEN = {"between blanks": r"\S+", "two letters or more": r"(?u)\b\w\w+\b"}
_ANALYZER = {"across words": "char", "within words": "char_wb"}
_ALIF_YA = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي"})


@dataclass(frozen=True)
class Settings:
    """What the paper leaves open.

    weighting: of an n-gram, how often it occurs, whether it does, or tf-idf. tokens: what a word is, all between blanks, as the
    corpus was tokenised, or scikit-learn's default. characters: whether n-grams of characters run across words. C: inverse
    strength of the penalty; scikit-learn's default is 1.
    """

    weighting: str = "counts"
    tokens: str = "between blanks"
    characters: str = "across words"
    C: float = 1.0

    def __post_init__(self) -> None:
        for name, legal in CHOICES.items():
            one_of(name, getattr(self, name), legal)
        if not self.C > 0:
            raise ValueError(f"C: expected a number above 0, got {self.C}")


def multiverse(strengths: Sequence[float] = (0.1, 10.0)) -> list[Settings]:
    """All combinations of weighting, tokens and characters, the default first, and the default ones at other values of C."""
    combined = [Settings(*choice) for choice in product(*CHOICES.values())]
    return [*combined, *(Settings(C=strength) for strength in strengths)]


def normalised(sentence: str) -> str:
    """An Arabic sentence with one form of Alif and one of Ya."""
    return sentence.translate(_ALIF_YA)


class Identifier:
    """Models that learn labels from sentences (columns input, features, label) and give labels to others (input, features).

    Predictions are kept in the book's cache; they are the same in every run.
    """

    def __init__(self, train: pd.DataFrame, test: pd.DataFrame) -> None:
        for name, table, needed in (
            ("train", train, {"input", "features", "label"}),
            ("test", test, {"input", "features"}),
        ):
            if needed - set(table):
                raise ValueError(f"{name}: expected columns {sorted(needed)}, got {list(table)}")
        self.labels = train["label"].tolist()
        self._texts = [
            {
                "words": [normalised(text) for text in table["input"]],
                "features": table["features"].tolist(),
            }
            for table in (train, test)
        ]
        self._counts: dict[tuple[str, str], Any] = {}

    def predict(
        self, model: str, settings: Settings | None = None, labels: Sequence[str] | None = None
    ) -> list[str]:
        """The label of each test sentence; labels, if given, are learnt in place of those of train, for a null."""
        one_of("model", model, MODELS)
        settings, labels = settings or Settings(), list(labels or self.labels)
        if len(set(labels)) < 2:
            raise ValueError(f"expected two labels or more to learn, got {set(labels)}")
        path = self._path(model, settings, labels)
        try:
            return np.load(path, allow_pickle=False).tolist()
        except (OSError, ValueError, EOFError):
            found = self._fit_and_predict(model, settings, labels)
        buffer = BytesIO()
        np.save(buffer, found, allow_pickle=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, buffer.getvalue())
        except OSError:  # a cache that cannot be written costs time only
            pass
        return found.tolist()

    def _fit_and_predict(
        self, model: str, settings: Settings, labels: list[str]
    ) -> NDArray[np.str_]:
        from scipy.sparse import hstack
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier

        blocks = [self._weighted(kind, settings) for kind in MODELS[model]]
        train, test = (hstack([block[side] for block in blocks]).tocsr() for side in (0, 1))
        regression = LogisticRegression(solver="liblinear", C=settings.C, random_state=0)
        fitted = OneVsRestClassifier(regression).fit(train, labels)
        return np.asarray(fitted.predict(test), np.str_)

    def _weighted(self, kind: str, settings: Settings) -> tuple[Any, Any]:
        """N-grams of the train and of the test sentences, as the settings weigh them."""
        from sklearn.feature_extraction.text import TfidfTransformer

        choice = settings.characters if kind == "characters" else settings.tokens
        if (kind, choice) not in self._counts:
            self._counts[kind, choice] = self._counted(kind, choice)
        train, test = self._counts[kind, choice]
        if settings.weighting == "presence":
            return train > 0, test > 0
        if settings.weighting == "tf-idf":
            weights = TfidfTransformer().fit(train)
            return weights.transform(train), weights.transform(test)
        return train, test

    def _counted(self, kind: str, choice: str) -> tuple[Any, Any]:
        from sklearn.feature_extraction.text import CountVectorizer

        unit: dict[str, Any] = (
            {"analyzer": _ANALYZER[choice]}
            if kind == "characters"
            else {"token_pattern": _TOKEN[choice]}
        )
        vectorizer = CountVectorizer(
            ngram_range=(1, LONGEST), max_features=FEATURES, lowercase=False, **unit
        )
        train, test = (
            texts["features" if kind == "features" else "words"] for texts in self._texts
        )
        return vectorizer.fit_transform(train), vectorizer.transform(test)

    @cached_property
    def _identity(self) -> str:
        import sklearn

        return text_hash(json.dumps([self._texts, sklearn.__version__]))

    def _path(self, model: str, settings: Settings, labels: list[str]) -> Path:
        name = text_hash(json.dumps([self._identity, model, asdict(settings), labels]))
        return cache_folder() / "reinflection" / ".labels" / f"{name}.npy"


def identification_scores(
    labels: Sequence[str],
    predicted: Sequence[str],
    pairs: Sequence[int] | None = None,
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """Precision, recall and F1 of each label and their plain means (`AVERAGE`), with 95 % bootstrap intervals: columns label,
    score, value, low and high, 0 to 1; 0 where nothing was predicted or nothing is right. Rows of one number in pairs, the two
    forms of one sentence, are resampled together.
    """
    if not len(labels) or len(labels) != len(predicted):
        raise ValueError(
            f"expected a prediction for each of {len(labels)} labels, got {len(predicted)}"
        )
    right, said = np.asarray(labels), np.asarray(predicted)
    names = sorted(set(labels))
    terms = np.column_stack(
        [
            column
            for name in names
            for column in ((said == name) & (right == name), said == name, right == name)
        ]
    ).astype(float)
    drawn = resampled_sums(terms, clusters=pairs, n_resamples=resamples, rng=rng)
    values, spread = _scores(terms.sum(axis=0)[None]), _scores(drawn)
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    rows = [
        (label, score, values[0, row, column], low[row, column], high[row, column])
        for row, label in enumerate([*names, AVERAGE])
        for column, score in enumerate(SCORES)
    ]
    return pd.DataFrame(rows, columns=["label", "score", "value", "low", "high"])


def _scores(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """(draws, labels and their mean, scores) from hits, predicted and right of each label."""
    hits, said, right = sums.reshape(len(sums), -1, 3).transpose(2, 0, 1)
    parts = ((hits, said), (hits, right), (2 * hits, said + right))
    scores = [np.divide(a, b, out=np.zeros_like(a), where=b > 0) for a, b in parts]
    table = np.stack(scores, axis=-1)
    return np.concatenate([table, table.mean(axis=1, keepdims=True)], axis=1)


def small_sets(
    train: pd.DataFrame,
    test: pd.DataFrame,
    draws: int = 20,
    size: int = 50,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """The models learnt from few sentences: `size` of label B, and `size` pairs of F and M, drawn from train.

    Columns draw, model, and f1: the mean over labels.
    """
    generator = np.random.default_rng(rng)
    neutral = np.flatnonzero(train["label"] == "B")
    pairs = train.loc[train["label"] != "B", "pair"].unique()
    if min(len(neutral), len(pairs)) < size:
        raise ValueError(
            f"expected {size} sentences of label B and {size} pairs, got {len(neutral)} and {len(pairs)}"
        )
    rows = []
    for draw in range(draws):
        chosen = (
            train["pair"].isin(generator.choice(pairs, size, replace=False)).to_numpy(copy=True)
        )
        chosen[generator.choice(neutral, size, replace=False)] = True
        models = Identifier(train[chosen], test)
        for model in MODELS:
            rows.append((draw, model, macro_f1(test["label"], models.predict(model))))
    return pd.DataFrame(rows, columns=["draw", "model", "f1"])


def macro_f1(labels: Sequence[str], predicted: Sequence[str]) -> float:
    """The plain mean of F1 over labels, 0 to 1."""
    from sklearn.metrics import f1_score

    return float(f1_score(labels, predicted, average="macro", zero_division=0))


def shuffled_f1(
    train: pd.DataFrame,
    test: pd.DataFrame,
    model: str = "Delexicalized",
    draws: int = 19,
    *,
    rng: np.random.Generator | int = 0,
) -> NDArray[np.float64]:
    """The mean F1 of a model that learns from shuffled labels, shape (draws,)."""
    generator = np.random.default_rng(rng)
    models = Identifier(train, test)
    found = []
    for _ in range(draws):
        labels = generator.permutation(train["label"].to_numpy()).tolist()
        found.append(macro_f1(test["label"], models.predict(model, labels=labels)))
    return np.array(found)


# "I", "I was", or "that" and the like with a clitic of the speaker
_SPEAKER = r"(?:pron\+1\wsy|KAN\+1\ws\w|(?:conj_sub\+|verb_pseudo\+n) 1s_\w+)"
# a noun for a person or an adjective, in the singular
_DESCRIBED = r"(?:noun\+([mf])sr|adj\+([mf])sn)"
_RULE = re.compile(f"(?<!\\S){_SPEAKER} {_DESCRIBED}(?!\\S)")


def rule_labels(features: Iterable[str]) -> list[str]:
    """A label for each sentence, from its features: the gender (M or F) of the first singular adjective or noun for a person
    right behind a word for the speaker; B where there is none. The paper describes its regular expression in words; this is
    the shortest reading of them.
    """
    found = (_RULE.search(sentence) for sentence in features)
    return ["B" if match is None else (match[1] or match[2]).upper() for match in found]
