"""What every resolver has in common: settings, fitting, probabilities; and its predictions by seed, kept for the next
run.
"""

import dataclasses
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import Examples
from lib.definitions import code_of
from lib.kept import kept, path_of

log = logging.getLogger("lib")


class Fitted(Protocol):
    """A resolver that has been trained."""

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        ...


class Resolver(ABC):
    """A way to resolve pronouns. Subclasses are frozen dataclasses: their fields are the settings.

    Attributes
    ----------
    paper : str
        Whose idea it is, as its file in data/claims is called; empty for the book's own.
    """

    paper: ClassVar[str] = ""

    @abstractmethod
    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> Fitted:
        """Train on examples.

        Parameters
        ----------
        examples : Examples
        validation : Examples, optional
            Watched to stop early, where the resolver does so.
        rng : Generator, int or None
        """

    # What of the texts it reads beside the states of the mentions, such as "tags"; "" for nothing.
    reads: ClassVar[str] = ""

    def read(self, examples: Examples) -> None:
        """Put what `reads` names into the book's cache, so that processes can train side by side."""
        raise NotImplementedError(f"{type(self).__name__} reads {self.reads!r}, but not ahead")

    def __str__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in dataclasses.fields(self)  # type: ignore[arg-type]
            if getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def predictions_by_seed(
    resolver: Resolver,
    train: Examples,
    test: Examples,
    *,
    seeds: int = 5,
    folds: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float64]:
    """What a resolver says when it is trained with one seed after another.

    Parameters
    ----------
    resolver : Resolver
    train, test : Examples
        No page of one should be in the other.
    seeds : int
        Trained with the seeds 0 to seeds - 1.
    folds : int
        0 trains on all of `train`. From 2 on, each seed is the mean of so many models, each watched on the fold that
        it was not trained on; a page is in one fold.
    progress : callable, optional
        Told how many seeds are done, and of how many.

    Returns
    -------
    ndarray of float, shape (seeds, n, 3)
        Kept in the book's cache, by settings, data, and what the resolver's code computes. Trained on one thread.

    Raises
    ------
    ValueError
        For no seeds, one fold, or probabilities that are none.
    """
    if seeds < 1 or folds == 1 or folds < 0:
        raise ValueError(f"expected seeds ≥ 1 and folds 0 or ≥ 2, got {seeds} and {folds}")
    found = []
    for seed in range(seeds):
        predict = partial(_predicted, resolver, train, test, seed, folds)
        found.append(kept("predictions", _key(resolver, train, test, seed, folds), predict))
        log.info("%s: seed %d of %d", resolver, seed + 1, seeds)
        if progress:
            progress(seed + 1, seeds)
    return np.stack(found)


def are_kept(
    resolver: Resolver, train: Examples, test: Examples, *, seeds: int = 5, folds: int = 0
) -> bool:
    """Whether `predictions_by_seed`, asked the same, would train nothing."""
    return all(
        path_of("predictions", _key(resolver, train, test, seed, folds), _predicted).is_file()
        for seed in range(seeds)
    )


def page_folds(examples: Examples, folds: int, seed: int = 0) -> list[NDArray[np.intp]]:
    """Rows of each fold: pages undivided, answers in like shares.

    Parameters
    ----------
    examples : Examples
    folds, seed : int

    Returns
    -------
    list of ndarray of int
        The rows that each fold leaves out.
    """
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    rows = np.zeros(len(examples))
    return [out for _, out in splitter.split(rows, examples.answers, examples.pages)]


def _predicted(
    resolver: Resolver, train: Examples, test: Examples, seed: int, folds: int
) -> NDArray[np.float64]:
    from lib.threads import one_thread

    with one_thread():
        return _trained(resolver, train, test, seed, folds)


def _trained(
    resolver: Resolver, train: Examples, test: Examples, seed: int, folds: int
) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    if not folds:
        return _checked(resolver, resolver.fit(train, rng=rng).probabilities(test), len(test))
    parts = []
    for out in page_folds(train, folds, seed):
        inside = np.setdiff1d(np.arange(len(train)), out)
        fitted = resolver.fit(train.take(inside), validation=train.take(out), rng=rng)
        parts.append(_checked(resolver, fitted.probabilities(test), len(test)))
    return np.mean(parts, axis=0)


def _checked(resolver: Resolver, probabilities: NDArray, rows: int) -> NDArray[np.float64]:
    fits = probabilities.shape == (rows, 3) and np.isfinite(probabilities).all()
    if not fits or not np.allclose(probabilities.sum(axis=1), 1, atol=1e-6):
        raise ValueError(
            f"{resolver}: expected {rows} rows of three probabilities that sum to 1; the training may have diverged"
        )
    return probabilities


def _key(resolver: Resolver, train: Examples, test: Examples, seed: int, folds: int) -> str:
    settings = {field.name: getattr(resolver, field.name) for field in dataclasses.fields(resolver)}  # type: ignore[arg-type]
    kind = type(resolver)
    asked = [kind.__qualname__, settings, train.identity, test.identity, seed, folds]
    return json.dumps([code_of(kind), *asked], default=str)
