"""Text in which the log odds of a female over a male context are known for every target word."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax

SHIFT = 2.7  # of Zipf and Mandelbrot's law


@dataclass(frozen=True)
class Plan:
    """How text is made: in each sentence one target, female or male words, invented words."""

    sentences: int = 20_000
    length: int = 10  # words in a sentence
    pairs: int = 6  # base pairs
    # female or male words in a sentence, all of one side; with one alone, a target shares no context with the words it leans to
    mentions: int = 2
    types: int = 1_000  # invented words
    topics: int = 10  # that the invented words and the targets are dealt to
    on_topic: float = 0.5  # share of invented words from the topic of the sentence
    imbalance: float = 0.0  # log odds of a female over a male word where nothing is planted
    # sd of the log frequency of a pair's female over its male word; the sides as a whole stay in balance
    pair_spread: float = 0.0
    topic_spread: float = 0.0  # sd of the topics' own log odds, in sentences without a target
    untargeted: float = 0.3  # share of sentences without a target
    # share of a target's tokens in another sense: another topic, and nothing planted
    polysemy: float = 0.0


@dataclass(frozen=True, eq=False)
class PlantedCorpus:
    """Sentences and what was planted in them."""

    words: tuple[str, ...]  # female words, male words, targets, invented ones
    numbers: NDArray[np.int32] = field(repr=False)  # (sentences, length), places in `words`
    log_odds: NDArray[np.float64]  # (targets,), female over male
    topics: NDArray[np.int64] = field(repr=False)  # (targets,), the topic each was dealt to
    # (topics,), in sentences without a target
    topic_log_odds: NDArray[np.float64] = field(repr=False)
    # (pairs,), log frequency of female over male word, less what the sides differ by
    pair_log_odds: NDArray[np.float64] = field(repr=False)
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
        return np.asarray((1 - plan.polysemy) * planted + plan.polysemy * expit(plan.imbalance))


def plant(
    log_odds: ArrayLike, plan: Plan = Plan(), rng: np.random.Generator | int | None = None
) -> PlantedCorpus:
    """Text in which each target has the log odds given, (targets,), female over male; 0 for a target that leans nowhere."""
    beta = np.asarray(log_odds, dtype=float)
    if beta.ndim != 1 or not beta.size or not np.isfinite(beta).all():
        raise ValueError(f"log_odds: expected a row of finite numbers, got shape {beta.shape}")
    if plan.mentions < 1 or plan.length < plan.mentions + 2:
        raise ValueError(
            "plan: expected a mention or more, and a length of at least two words more than mentions, "
            f"got {plan.mentions} and {plan.length}"
        )
    rng = np.random.default_rng(rng)
    rows, targets, first = plan.sentences, len(beta), 2 * plan.pairs
    topic_of_target = rng.integers(plan.topics, size=targets)
    topic_of_type = rng.permutation(plan.types) % plan.topics
    topic_odds = plan.topic_spread * rng.standard_normal(plan.topics)
    pair_odds = plan.pair_spread * rng.standard_normal(plan.pairs)
    target = rng.choice(targets, p=_zipfian(targets), size=rows)
    targeted = rng.random(rows) >= plan.untargeted
    sense = targeted & (rng.random(rows) >= plan.polysemy)
    topic = np.where(sense, topic_of_target[target], rng.integers(plan.topics, size=rows))
    planted = np.where(sense, beta[target], np.where(targeted, 0.0, topic_odds[topic]))
    female = rng.random(rows) < expit(plan.imbalance + planted)
    people = np.empty((rows, plan.mentions), dtype=np.int64)
    for side, first_of_side, sign in ((female, 0, 0.5), (~female, plan.pairs, -0.5)):
        shares = softmax(np.log(_zipfian(plan.pairs)) + sign * pair_odds)
        size = (side.sum(), plan.mentions)
        people[side] = first_of_side + rng.choice(plan.pairs, p=shares, size=size)
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
    numbers[every[:, None], places[:, : plan.mentions]] = people
    numbers[every[targeted], places[targeted, plan.mentions]] = first + target[targeted]
    named = [("female", plan.pairs), ("male", plan.pairs), ("target", targets), ("w", plan.types)]
    words = tuple(f"{name}{number:04d}" for name, size in named for number in range(size))
    return PlantedCorpus(
        words=words,
        numbers=numbers.astype(np.int32),
        log_odds=beta,
        topics=topic_of_target,
        topic_log_odds=topic_odds,
        pair_log_odds=pair_odds,
        plan=plan,
    )


def _zipfian(types: int) -> NDArray[np.float64]:
    weights = 1 / (np.arange(types) + SHIFT)
    return weights / weights.sum()
