"""Five probes of static vectors carried over to vectors in context, beside random pairs of words treated alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lib.checks import one_of
from lib.measures import gender_polarity, neighbours
from lib.measures.geometry import absolute_cosine, classification_accuracy, clustering_accuracy
from studies.contextual_geometry.geometry import explained_variance, neighbour_correlation

Array = NDArray[np.floating]
Sides = tuple[Array, Array]
KINDS = ("gender", "random", "plurals")


@dataclass
class ContextSpace:
    """Words in s sentences each; static rows are words in one sentence.

    pairs: the female and the male words of definitional pairs, swapped in the same sentences, (p, s, d) each; persons (q,
    s, d): other words for people; jobs (n, s, d): professions; plurals (r, s, d) of some of the persons, those at the
    places `singular` (r,); pool (m, s, d): the words that lists of biased words are chosen from.

    drawn: "jobs" and "pool" -> draws of one sentence for each word, the vectors (n, d) and the means of each word's other
    sentences; near: the nearest professions (n, k) of each profession in each draw.
    """

    pairs: Sides
    persons: Array
    jobs: Array
    plurals: Array | None = None
    singular: Sequence[int] = ()
    pool: Array | None = None
    drawn: dict[str, list[Sides]] = field(default_factory=dict)
    near: list[NDArray[np.integer]] = field(default_factory=list)

    def draw_sentences(self, repeats: int, rng: np.random.Generator) -> None:
        """Draw one sentence for each word so many times; once where words have only one."""
        repeats = repeats if self.jobs.shape[1] > 1 else 1
        for name, vectors in (("jobs", self.jobs), ("pool", self.pool)):
            if vectors is not None:
                self.drawn[name] = [one_sentence(vectors, rng) for _ in range(repeats)]

    def find_neighbours(self, k: int) -> None:
        """Find the k nearest professions of each profession, in every draw."""
        draws = [taken for taken, _ in self.drawn["jobs"]]
        own = np.arange(len(self.jobs))
        self.near = [neighbours(taken, taken, k, exclude=own) for taken in draws]

    def centred(self) -> ContextSpace:
        """The same space with the mean of the professions taken out of the professions."""
        away = [(taken - taken.mean(axis=0), rest) for taken, rest in self.drawn["jobs"]]
        return replace(self, drawn=self.drawn | {"jobs": away})

    def sides(self, kind: str, rng: np.random.Generator) -> Sides:
        """As many pairs as there are definitional ones: these, random persons, or persons and their plurals."""
        one_of("kind", kind, KINDS)
        count = len(self.pairs[0])
        if kind == "gender":
            return self.pairs
        if kind == "random":
            a, b = rng.permutation(len(self.persons))[: 2 * count].reshape(2, -1)
            return self.persons[a], self.persons[b]
        assert self.plurals is not None
        some = rng.permutation(len(self.plurals))[:count]
        return self.persons[np.asarray(self.singular)][some], self.plurals[some]

    def axis(self, kind: str, pair: Sequence[int]) -> tuple[Array, Array]:
        """Two words, each the mean of its sentences, whose difference gives the label.

        `pair` holds the place of a definitional pair, of two persons, or of a plural.
        """
        one_of("kind", kind, KINDS)
        if kind == "gender":
            first, second = (side[pair[0]] for side in self.pairs)
        elif kind == "random":
            first, second = self.persons[np.asarray(pair)]
        else:
            assert self.plurals is not None
            first, second = self.persons[self.singular[pair[0]]], self.plurals[pair[0]]
        return first.mean(axis=0), second.mean(axis=0)


def one_sentence(vectors: Array, rng: np.random.Generator) -> Sides:
    """One sentence for each word (n, d), drawn from (n, s, d), and the mean of its others; of static rows the row."""
    n, sentences, _ = vectors.shape
    taken = vectors[np.arange(n), rng.integers(sentences, size=n)]
    if sentences == 1:
        return taken, taken
    return taken, (vectors.sum(axis=1) - taken) / (sentences - 1)


def swap_probes(
    space: ContextSpace,
    kind: str,
    count: int,
    direction: Callable[[Array], Array],
    *,
    rng: np.random.Generator,
) -> tuple[Array, Array]:
    """Gender space and direct bias: where swaps of a word for its partner go, and how near the professions lie to it.

    Shares (count, p) of the squared length along each principal component, not centred, and the mean size of the cosine
    (count,) of the professions with the first; each time on another half of the sentences. `direction` makes (1, d) of
    differences (m, d). Bolukbasi et al. (2016), sections 5.1 and 5.2; the paper's section 4.
    """
    results = []
    for place in range(count):
        first, second = space.sides(kind, rng)
        half = rng.permutation(first.shape[1])[: max(1, first.shape[1] // 2)]
        differences = (first - second)[:, half].reshape(-1, first.shape[-1])
        axis = direction(differences)
        words = space.drawn["jobs"][place % len(space.drawn["jobs"])][0]
        shares = explained_variance(differences)[: len(space.pairs[0])]
        results.append((shares, absolute_cosine(words, axis)[0]))
    return np.array([shares for shares, _ in results]), np.array([bias for _, bias in results])


def extremes(leans: Array, side: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the words with the largest and with the least leans, so many of each, and their labels 1 and 0."""
    order = np.argsort(leans)
    return np.r_[order[-side:], order[:side]], np.repeat([1, 0], side)


def label_probe(
    probe: str,
    chooser: ContextSpace,
    tester: ContextSpace,
    kind: str,
    pair: Sequence[int],
    place: int,
    size: int = 0,
) -> float:
    """Clustering, classification (share right) or neighbours (correlation) of words that another space has labelled.

    The chooser's axis gives the labels, by sentences that are not tested; the tester is asked. `place` is the draw of
    sentences and the seed, `size` the words a side; the number of neighbours is that of `find_neighbours`. Gonen and
    Goldberg (2019); the paper's section 4.
    """
    one_of("probe", probe, ("clustering", "classification", "neighbours"))
    words = "jobs" if probe == "neighbours" else "pool"
    chosen, tested = chooser.drawn[words], tester.drawn[words]
    leans = gender_polarity(chosen[place % len(chosen)][1], *chooser.axis(kind, pair))
    if probe == "neighbours":
        return float(neighbour_correlation(leans, tester.near[place % len(tester.near)]))
    vectors = tested[place % len(tested)][0]
    rows, labels = extremes(leans, size)
    accuracy = clustering_accuracy if probe == "clustering" else classification_accuracy
    return float(accuracy(vectors[rows], labels, rng=place))


def order(first: Mapping[str, float], second: Mapping[str, float]) -> str:
    """ "lower" or "higher" where all draws of the second ("low" to "high") lie on that side of all draws of the first."""
    if second["high"] < first["low"]:
        return "lower"
    return "higher" if second["low"] > first["high"] else "not decided"


def order_beside_nulls(first: Mapping[str, float], second: Mapping[str, float]) -> str:
    """`order` of two results of `beside_null`, where multiples of the null's median and deviations from the null agree."""
    multiples, deviations = (
        [
            {end: row[name.format(end)] / divisor for end in ("low", "high")}
            for row in (first, second)
            for divisor in [row["null"] if name == "{}" else 1.0]
        ]
        for name in ("{}", "distance {}")
    )
    answers = {order(*multiples), order(*deviations)}
    return answers.pop() if len(answers) == 1 else "not decided"
