"""Bao and Qiao (2019): support vectors on reduced states, and systems stacked under a logistic regression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.resolver import Fitted, Resolver, page_folds
from lib.coreference.resolvers.systems.abzaliev2019 import ThirdPlace
from lib.coreference.resolvers.systems.kurita2019 import Baseline

Change = Callable[[NDArray[np.floating]], NDArray[np.floating]]

REDUCTIONS = ("none", "PCA", "PPA-PCA-PPA")


@dataclass(frozen=True, kw_only=True)
class SupportVectors(Resolver):
    """Support vectors on the reduced states of A, B and the pronoun, and the products of the names with the pronoun.

    PPA takes out the mean and the strongest principal components, which many vectors share whatever they mean; PCA
    keeps the strongest of the others.

    Differs from the paper: the encoder, and the size its vectors are reduced to (a quarter of 384, as 256 is of
    1,024); the reduction is worked out from the mentions, exactly, and not from all tokens by an autoencoder; each
    class against the rest becomes a probability by Platt's scaling, on folds that divide no page.

    Parameters
    ----------
    reduction : str
        One of `REDUCTIONS`.
    share : float
        Share of dimensions that PCA keeps.
    removed : int
        Components that each PPA takes out.
    layer : int
        Of the encoder; -2 is the second from the last.
    C : float
        Weight of what is on the wrong side.
    folds : int
        For the scaling.
    """

    paper: ClassVar[str] = "bao2019_transfer"

    reduction: str = "PPA-PCA-PPA"
    share: float = 0.25
    removed: int = 4
    layer: int = -2
    C: float = 5.0
    folds: int = 5

    def __post_init__(self) -> None:
        one_of("reduction", self.reduction, REDUCTIONS)

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedVectors:
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.svm import SVC

        mentions = examples.states[:, self.layer]
        steps = self._steps(mentions.reshape(-1, mentions.shape[-1]))
        out = page_folds(examples, self.folds, int(np.random.default_rng(rng).integers(2**31)))
        rows = np.arange(len(examples))
        splits = [(np.setdiff1d(rows, left), left) for left in out]
        classifier = CalibratedClassifierCV(SVC(C=self.C), ensemble=False, cv=splits)
        fitted = FittedVectors(self.layer, steps, classifier)
        classifier.fit(fitted.inputs(examples), examples.answers)
        return fitted

    def _steps(self, vectors: NDArray[np.floating]) -> list[Change]:
        kept = max(1, round(self.share * vectors.shape[1]))
        wanted: list[tuple[Callable[..., Change], int]] = {
            "none": [],
            "PCA": [(_strongest, kept)],
            "PPA-PCA-PPA": [
                (_uncommon, self.removed),
                (_strongest, kept),
                (_uncommon, self.removed),
            ],
        }[self.reduction]
        steps = []
        for step, components in wanted:
            steps.append(step(vectors, components))
            vectors = steps[-1](vectors)
        return steps


@dataclass(frozen=True)
class FittedVectors:
    """A trained classifier with what it reads."""

    layer: int
    steps: list[Change]
    classifier: Any

    def inputs(self, examples: Examples) -> NDArray[np.floating]:
        """Reduced A, B, pronoun and products, shape (n, 5 k)."""
        states = reduce(lambda read, step: step(read), self.steps, examples.states[:, self.layer])
        pronoun, a, b = np.moveaxis(states, 1, 0)
        return np.concatenate([a, b, pronoun, a * pronoun, b * pronoun], axis=1)

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        return self.classifier.predict_proba(self.inputs(examples))


@dataclass(frozen=True, kw_only=True)
class Stack(Resolver):
    """Systems under a logistic regression, which learns from what each says of passages it was not trained on.

    Differs from the paper: three quick heads for its 23 systems, whose list is not printed; what the systems of the
    folds say of a test passage is averaged.

    Parameters
    ----------
    systems : tuple of Resolver
    folds : int
        Each system is trained on all but one of so many parts; no page is in two.
    C : float
        Of the regression: 1 over its penalty.
    """

    paper: ClassVar[str] = "bao2019_transfer"

    systems: tuple[Resolver, ...] = (SupportVectors(), Baseline(), ThirdPlace())
    folds: int = 5
    C: float = 0.5

    def __post_init__(self) -> None:
        if not self.systems:
            raise ValueError("systems: expected at least one to put in the stack, got none")

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedStack:
        from sklearn.linear_model import LogisticRegression

        rng = np.random.default_rng(rng)
        unseen = np.empty((len(examples), 3 * len(self.systems)))
        fitted = []
        for out in page_folds(examples, self.folds, int(rng.integers(2**31))):
            inside = examples.take(np.setdiff1d(np.arange(len(examples)), out))
            fitted.append([system.fit(inside, rng=rng) for system in self.systems])
            unseen[out] = _side_by_side(fitted[-1], examples.take(out))
        return FittedStack(fitted, LogisticRegression(C=self.C).fit(unseen, examples.answers))


@dataclass(frozen=True)
class FittedStack:
    """The systems of each fold and the regression on them."""

    systems: list[list[Fitted]]
    regression: Any

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        said = [_side_by_side(systems, examples) for systems in self.systems]
        return self.regression.predict_proba(np.mean(said, axis=0))


def _side_by_side(systems: list[Fitted], examples: Examples) -> NDArray[np.float64]:
    return np.concatenate([system.probabilities(examples) for system in systems], axis=1)


def _strongest(vectors: NDArray[np.floating], components: int) -> Change:
    """PCA: the coordinates of vectors along the strongest components of these."""
    from sklearn.decomposition import PCA

    pca = PCA(components).fit(vectors)
    return lambda changed: (changed - pca.mean_) @ pca.components_.T


def _uncommon(vectors: NDArray[np.floating], components: int) -> Change:
    """PPA: vectors without the mean and the strongest components of these."""
    from sklearn.decomposition import PCA

    pca = PCA(components).fit(vectors)

    def change(changed: NDArray[np.floating]) -> NDArray[np.floating]:
        centred = changed - pca.mean_
        return centred - centred @ pca.components_.T @ pca.components_

    return change
