"""Text in which the log odds of a female over a male context are known for every target word."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

SHIFT = 2.7  # of Zipf and Mandelbrot's law


@dataclass(frozen=True)
class Plan:
    """How text is made.

    Parameters
    ----------
    sentences, length : int
        Sentences, and words in each: one target, one female or male word, invented words.
    pairs : int
        Base pairs.
    types, topics : int
        Invented words, and the topics they and the targets are dealt to.
    on_topic : float
        Share of invented words from the topic of the sentence.
    imbalance : float
        Log odds of a female over a male word where nothing is planted.
    topic_spread : float
        Standard deviation of the topics' own log odds, in sentences without a target.
    untargeted : float
        Share of sentences without a target.
    polysemy : float
        Share of a target's tokens in another sense: another topic, and nothing planted.
    """

    sentences: int = 20_000
    length: int = 10
    pairs: int = 6
    types: int = 1_000
    topics: int = 10
    on_topic: float = 0.5
    imbalance: float = 0.0
    topic_spread: float = 0.0
    untargeted: float = 0.3
    polysemy: float = 0.0


@dataclass(frozen=True, eq=False)
class PlantedCorpus:
    """Sentences and what was planted in them.

    Attributes
    ----------
    words : tuple of str
        The vocabulary: female words, male words, targets, invented ones.
    numbers : (sentences, length) array of int32
        Places in the vocabulary.
    log_odds : (targets,) array
        Planted, female over male; positive leans female.
    plan : Plan
        How the text was made.
    """

    words: tuple[str, ...]
    numbers: NDArray[np.int32] = field(repr=False)
    log_odds: NDArray[np.float64]
    plan: Plan

    def texts(self) -> list[list[str]]:
        """The sentences as lists of words."""
        return np.array(self.words, dtype=object)[self.numbers].tolist()

    def counts(self) -> NDArray[np.int64]:
        """(targets, 2): sentences in which a target stands with a female, with a male word."""
        pairs, targets = self.plan.pairs, len(self.log_odds)
        female = (self.numbers < pairs).any(axis=1)
        target = (self.numbers - 2 * pairs).astype(np.int64)
        rows, columns = np.nonzero((target >= 0) & (target < targets))
        counted = np.zeros((targets, 2), dtype=np.int64)
        np.add.at(counted, (target[rows, columns], np.where(female[rows], 0, 1)), 1)
        return counted

    def expected_share(self) -> NDArray[np.float64]:
        """(targets,): share of a target's sentences with a female word, in closed form."""
        plan = self.plan
        planted = expit(plan.imbalance + self.log_odds)
        return (1 - plan.polysemy) * planted + plan.polysemy * expit(plan.imbalance)


def plant(
    log_odds: ArrayLike, plan: Plan = Plan(), rng: np.random.Generator | int | None = None
) -> PlantedCorpus:
    """Text in which each target has the log odds given.

    Parameters
    ----------
    log_odds : (targets,) array_like
        Female over male, one for each target; 0 for a target that leans nowhere.
    plan : Plan
        How much text, and of what kind.
    rng : Generator or int, optional
        Of all that is drawn.

    Raises
    ------
    ValueError
        For log odds that are not a row of finite numbers, or sentences shorter than three words.

    Examples
    --------
    >>> corpus = plant([1.0, 0.0], Plan(sentences=100, types=20), rng=0)
    >>> corpus.numbers.shape
    (100, 10)
    >>> corpus.expected_share().round(3)
    array([0.731, 0.5  ])
    """
    beta = np.asarray(log_odds, dtype=float)
    if beta.ndim != 1 or not beta.size or not np.isfinite(beta).all():
        raise ValueError(f"log_odds: expected a row of finite numbers, got shape {beta.shape}")
    if plan.length < 3:
        raise ValueError(f"plan: expected a length of at least 3 words, got {plan.length}")
    rng = np.random.default_rng(rng)
    rows, targets, first = plan.sentences, len(beta), 2 * plan.pairs
    topic_of_target = rng.integers(plan.topics, size=targets)
    topic_of_type = rng.permutation(plan.types) % plan.topics
    topic_odds = plan.topic_spread * rng.standard_normal(plan.topics)
    target = rng.choice(targets, p=_zipfian(targets), size=rows)
    targeted = rng.random(rows) >= plan.untargeted
    sense = targeted & (rng.random(rows) >= plan.polysemy)
    topic = np.where(sense, topic_of_target[target], rng.integers(plan.topics, size=rows))
    planted = np.where(sense, beta[target], np.where(targeted, 0.0, topic_odds[topic]))
    female = rng.random(rows) < expit(plan.imbalance + planted)
    person = rng.choice(plan.pairs, p=_zipfian(plan.pairs), size=rows)
    numbers = rng.choice(plan.types, p=_zipfian(plan.types), size=(rows, plan.length))
    on_topic = rng.random(numbers.shape) < plan.on_topic
    for number in range(plan.topics):
        members = np.flatnonzero(topic_of_type == number)
        chosen = on_topic & (topic == number)[:, None]
        if members.size:
            weights = _zipfian(plan.types)[members]
            numbers[chosen] = rng.choice(members, p=weights / weights.sum(), size=chosen.sum())
    numbers += first + targets
    places = rng.random(numbers.shape).argsort(axis=1)
    every = np.arange(rows)
    numbers[every, places[:, 0]] = np.where(female, person, plan.pairs + person)
    numbers[every[targeted], places[targeted, 1]] = first + target[targeted]
    named = [("female", plan.pairs), ("male", plan.pairs), ("target", targets), ("w", plan.types)]
    words = tuple(f"{name}{number:04d}" for name, size in named for number in range(size))
    return PlantedCorpus(words, numbers.astype(np.int32), beta, plan)


def _zipfian(types: int) -> NDArray[np.float64]:
    weights = 1 / (np.arange(types) + SHIFT)
    return weights / weights.sum()
