"""Fair inputs and planted ones for the audits of a reader's own (`audit`), and what an audit says of one.

A *finding* is what the first screen of a report claims after its own correction: a sentence of *You may say* that tells the two sides apart.
Which statistic decides is settled here, before anything is run:

- vectors: a word that leans, a list beyond random pairs, or an order that follows the fact
- model: a word that leans, or an order that follows the fact; of pairs of sentences the share by shared words
- translator: any of the three tests (women lost, pronoun, stereotype)
- predictions: F1 of pronouns; the mean size of TPR gaps or the TPR gap of a class; mean or ranks of twins
- messages: any lean, order or fact

What cannot be told from chance in known groups is not ranked, and so gives no finding. Where something is planted it is *found* if the report says so of the
very thing that was planted (one word, one class, one place), on its side; *alone* is the same test at 5 % by itself, which is what reports
state the power of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from audit.messages import LEAN, ORDER, audit_messages
from audit.messages.places import cleaned_pairs
from audit.model import (
    ModelAudit,
    known_groups,
    nouns_for,
    orders_of_random_pairs,
    p_of_order,
    sentence_pairs,
)
from audit.predictions import adjusted, audit_classifier, audit_pronouns, audit_twins
from audit.predictions.classifier import MEAN, TPR
from audit.predictions.common import POWER_REACH
from audit.predictions.pronouns import DECIDES, RATIO
from audit.translator import LOSS, TESTED, audit_outputs, own_sentences
from audit.vectors import audit_vectors
from lib.cultures.tasks import Training, train
from lib.embeddings import Embedding
from lib.inference.correlation import power
from lib.lexicons import base_pairs, pair_list
from lib.measures.outside import order_by_share
from studies.calibration.audit_marks import said_power

Floats = NDArray[np.float64]
LEVEL = 0.05


class Said(NamedTuple):
    """What an audit says of one input: `claims` by name (empty: no finding), whether what was planted is found, whether its test
    alone is at most .05, the power that the report states for so much, and, where the size of the effect is only known from many
    inputs, the effect measured and the one that the report says it sees in eight of ten."""

    claims: tuple[str, ...]
    found: bool
    alone: bool
    stated: float = math.nan
    effect: float = math.nan
    seen: float = math.nan


class Form(NamedTuple):
    """A form of input: the kind of audit, what is fair about it, what is planted in which unit, its sizes from small to large, and
    how an audit of one is done."""

    kind: str
    fair: str
    planted: str
    sizes: tuple[float, ...]
    audit: Callable[[float, np.random.Generator, int], Said]


def _named(claims: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name, said in claims.items() if said)


# Vectors

PAIRS = [(f"f{i}", f"m{i}") for i in range(10)]
KNOWN_PAIRS = [(f"kf{i}", f"km{i}") for i in range(10)]


def space(
    leans: Sequence[float], rng: np.random.Generator, *, axis: float = 3.0, others: int = 1200
) -> Embedding:
    """Random vectors in 50 dimensions that share a mean; both sides of pairs are moved along an axis, and words w0, w1 … by their leans, in
    standard deviations of random words."""
    sides = [word for pair in [*PAIRS, *KNOWN_PAIRS] for word in pair]
    words = [f"w{i}" for i in range(len(leans))]
    every = [*sides, *words, *(f"x{i}" for i in range(others))]
    vectors = rng.standard_normal((len(every), 50)) + rng.standard_normal(50)
    direction = rng.standard_normal(50)
    moved = [axis, -axis] * (len(sides) // 2) + [*leans]
    vectors[: len(moved)] += np.outer(moved, direction / np.linalg.norm(direction))
    order = rng.permutation(len(every))  # of frequency, which says nothing here
    return Embedding([every[i] for i in order], vectors[order], "made", ranked=True)


def _of_vectors(
    leans: Sequence[float], facts: Floats, rng: np.random.Generator, seed: int, axis: float
) -> tuple[dict[str, bool], pd.DataFrame, tuple[float, float]]:
    words = [f"w{i}" for i in range(len(leans))]
    made = space(leans, rng, axis=axis)
    audit = audit_vectors(made, words, PAIRS, known=KNOWN_PAIRS, questions=3, rng=seed)
    fact = order_by_share(audit.scores["direct bias"].by_pair, facts, rng=seed)
    times = audit.asked(fact.p)
    table = audit.table(times["words"])
    rows = table[table["measure"] == "direct bias"].set_index("item")
    claims = {"words": bool((rows["leans"] != "").any())}
    claims["list"] = times["list"] * audit.beyond_random_pairs()[1] <= LEVEL
    claims["fact"] = times["fact"] * fact.p <= LEVEL
    if not audit.told_apart:
        claims = dict.fromkeys(claims, False)
    return claims, rows, (fact.rho, fact.p)


def random_vectors(size: float, rng: np.random.Generator, seed: int) -> Said:
    """Vectors in which nothing means anything, the known groups neither."""
    return vectors_of_words(size, rng, seed, axis=0.0)


def vectors_of_words(
    size: float, rng: np.random.Generator, seed: int, *, axis: float = 3.0
) -> Said:
    """24 words in vectors that know their pairs; four lean each way by so many standard deviations of random words."""
    leans = [size, -size] * 4 + [0.0] * 16
    claims, rows, _ = _of_vectors(leans, rng.standard_normal(24), rng, seed, axis)
    first = rows.loc["w0"]
    found = claims["words"] and first["leans"] == "female"
    return Said(_named(claims), bool(found), bool(first["p"] <= LEVEL and first["value"] > 0))


def order_in_vectors(size: float, rng: np.random.Generator, seed: int) -> Said:
    """30 words whose place along the axis correlates with an outside fact."""
    n = 30
    facts = rng.standard_normal(n)
    # the words' own place is random, too: together they correlate by `size`
    leans = (size / math.sqrt(1 - size**2) * facts).tolist()
    # far apart, so that the contrast of the pairs is the axis, and the correlation is what is said
    claims, _, (rho, p) = _of_vectors(leans, facts, rng, seed, 9.0)
    found = claims["fact"] and rho > 0
    stated = float(power(size, n)) if size else math.nan
    return Said(_named(claims), bool(found), bool(p <= LEVEL and rho > 0), stated)


# Models


class MadeModel:
    """A model whose scores are drawn: words begin with the side to which they lean, by so many standard deviations of nouns."""

    kind, measure = "masked", "made"
    beginnings, pairs = ("b0", "b1", "b2", "b3"), (("f0", "m0"), ("f1", "m1"), ("f2", "m2"))

    def __init__(self, leans: Mapping[str, float], rng: np.random.Generator):
        self.leans, self.rng = leans, rng
        b, p = len(self.beginnings), len(self.pairs)
        self.of_all = rng.standard_normal((1, b, 1)) + rng.standard_normal((1, 1, p))

    def scores(self, words: Sequence[str]) -> Floats:
        """Log odds (n, b, p): of the word, with a beginning, with a pair, and noise."""
        n, b, p = len(words), len(self.beginnings), len(self.pairs)
        draw = self.rng.standard_normal
        own = draw((n, 1, 1)) + np.array([self.leans[word[0]] for word in words])[:, None, None]
        parts = 0.4 * draw((n, b, 1)) + 0.4 * draw((n, 1, p)) + 0.3 * draw((n, b, p))
        return np.asarray(0.5 * (own + 0.5 * self.of_all + parts))


def model_words(size: float, rng: np.random.Generator, seed: int) -> Said:
    """40 words, 400 nouns, 12 known pairs that lie apart; four words lean each way."""
    made = MadeModel({"f": 3.0, "m": -3.0, "w": size, "v": -size, "x": 0.0}, rng)
    words = [*(f"w{i}" for i in range(4)), *(f"v{i}" for i in range(4))]
    words += [f"x{i}" for i in range(32)]
    _, gate = known_groups(made, [(f"f{i}", f"m{i}") for i in range(12)], rng=seed)  # type: ignore[arg-type]
    nouns = made.scores([f"x{i}" for i in range(nouns_for(len(words), 1000, 400, questions=2))])
    audit = ModelAudit(made, tuple(words), made.scores(words), nouns)  # type: ignore[arg-type]
    facts = rng.standard_normal(len(words))
    fact = order_by_share(audit.scores.reshape(len(words), -1), facts, rng=seed)
    at_ends = rng.standard_normal((len(words), len(made.beginnings), 12))
    by_lot = orders_of_random_pairs(at_ends, facts, len(made.pairs), rng=seed)
    p_fact = np.nanmax([fact.p, p_of_order(fact.rho, by_lot)[0]])
    times = audit.asked_with(fact=p_fact)
    rows = audit.table(times["words"]).set_index("item")
    told = gate is not None and gate.low > 0.5
    claims = {"words": told and (rows["leans"] != "").any()}
    claims["fact"] = told and times["fact"] * p_fact <= LEVEL and (fact.low > 0 or fact.high < 0)
    first = rows.loc["w0"]
    alone = first["p"] <= LEVEL and first["value"] > audit.zero
    return Said(_named(claims), bool(told and first["leans"] == "female"), bool(alone))


def model_sentences(size: float, rng: np.random.Generator, seed: int) -> Said:
    """194 pairs of sentences; in so many more than half of them the first is likelier. The report says that it takes so many for a share of .6."""
    n = 194
    sign = np.where(rng.random(n) < 0.5 + size, 1, -1)
    apart = sign * rng.exponential(0.3, n)
    by_rule = {sentence_pairs.WHOLE: apart + rng.normal(0, 0.3, n), sentence_pairs.SHARED: apart}
    table = sentence_pairs.table(by_rule, rng=seed).set_index("measure")
    row = table.loc[f"share of pairs, {sentence_pairs.SHARED}"]
    said = row["adjusted_p"] <= LEVEL
    p = 0.5 + size
    reach = (math.sqrt(n) * size - stats.norm.isf(0.025) / 2) / math.sqrt(p * (1 - p))
    stated = float(stats.norm.cdf(reach)) if size else math.nan
    right = row["value"] > 0.5
    return Said(
        _named({"pairs": said}), bool(said and right), bool(row["p"] <= LEVEL and right), stated
    )


# Translators


def outputs_of(feminine: NDArray[np.bool_]) -> pd.DataFrame:
    """Our sentences with Spanish outputs whose person has the gender given; sentences that differ in the pronoun alone share their words."""
    asked = own_sentences()
    number = pd.factorize(asked["twin"])[0]
    texts = [
        f"{'La' if one else 'El'} artista número {n} perdió las llaves."
        for n, one in zip(number, feminine)
    ]
    empty = dict.fromkeys(["person", "gender", "stereotype", "ended"], "")
    return pd.DataFrame({"id": asked["id"], "source": asked["text"], "output": texts}).assign(
        **empty
    )


def _translated(feminine: NDArray[np.bool_], size: float, seed: int, claims: Sequence[str]) -> Said:
    kept = audit_outputs(outputs_of(feminine), "es", rng=seed).valid
    if kept is None:
        raise AssertionError("made outputs are translations")
    row = kept.table.loc[LOSS]
    alone = row["p"] <= LEVEL and row["value"] > 0
    # the report says how many occupations a loss of so many points takes
    seen = POWER_REACH * kept.spread / math.sqrt(kept.occupations)
    stated = said_power(size, seen) if size and seen > 0 else math.nan
    named = tuple(name for name in claims if kept.found(name))
    return Said(named, kept.found(LOSS) == 1, bool(alone), stated)


def blind_translator(size: float, rng: np.random.Generator, seed: int) -> Said:
    """Each occupation has its usual form, drawn evenly, whatever the English says."""
    asked = own_sentences()
    usual = dict(zip(asked["person"].unique(), rng.beta(0.5, 0.5, asked["person"].nunique())))
    feminine = rng.random(len(asked)) < asked["person"].map(usual)
    return _translated(feminine.to_numpy(), size, seed, TESTED)


def losing_translator(size: float, rng: np.random.Generator, seed: int) -> Said:
    """A translator that reads the English and loses one in ten men, and so many points more of the women; that it reads is no finding here."""
    asked = own_sentences()
    woman = asked["gender"].eq("female").to_numpy()
    said = woman | (asked["gender"].eq("") & (rng.random(len(asked)) < 0.5)).to_numpy()
    lost = rng.random(len(asked)) < 0.1 + np.where(woman, size / 100, 0)
    feminine = np.where(asked["gender"].ne(""), said ^ lost, said)
    return _translated(feminine, size, seed, [name for name in TESTED if name == LOSS])


# Predictions


def pronouns(size: float, rng: np.random.Generator, seed: int) -> Said:
    """900 passages on 600 pages, some harder than others; genders are dealt to pages, and F1 on feminine ones is lower by so much (a ratio of one less it)."""
    pages = np.sort(rng.integers(600, size=900))
    female = (rng.random(600) < 0.5)[pages]
    answers = rng.choice(3, size=900, p=[0.45, 0.45, 0.1])
    easy = rng.beta(8.5, 1.5, 600)[pages]
    right = 0.85
    f1 = 1.8 * right / (1.8 * right + 1.45 * (1 - right))
    wanted = (1 - size) * f1
    fewer = 1.45 * wanted / (1.8 * (1 - wanted) + 1.45 * wanted) / right
    hit = rng.random(900) < easy * np.where(female, fewer, 1.0)
    said = np.where(hit, answers, (answers + rng.integers(1, 3, size=900)) % 3)
    sure = rng.uniform(0.5, 1.0, 900)[:, None]
    rows = sure * np.eye(3)[said] + (1 - sure) / 3
    audit = audit_pronouns(rows, answers, female, pages=pages, rng=seed)
    table = adjusted([audit.table()])[0]
    row = table[(table["measure"] == RATIO) & (table["item"] == DECIDES)].iloc[0]
    said_so = audit.gate.passed and row["beyond"]
    seen = POWER_REACH * audit.error[DECIDES]
    stated = said_power(math.log(1 - size), seen) if size else math.nan
    return Said(
        _named({DECIDES: said_so}),
        bool(said_so and row["value"] < 1),
        bool(row["p"] <= LEVEL and row["value"] < 1),
        stated,
    )


def classifier(size: float, rng: np.random.Generator, seed: int, *, seeds: int = 1) -> Said:
    """1,800 rows of six classes, which differ in how many women they have and how easy they are; women of the first are found less often by a gap."""
    classes, n = 6, 1800
    truth = rng.integers(classes, size=n)
    female = rng.random(n) < np.array([0.5, 0.2, 0.35, 0.5, 0.65, 0.8])[truth]
    easy = np.array([0.75, 0.6, 0.9, 0.7, 0.8, 0.85])[truth] - size * ((truth == 0) & female)
    level = stats.norm.ppf(easy)
    shared = rng.standard_normal(n)  # seeds err on the same rows
    parts = []
    for run in range(seeds):
        own = rng.standard_normal(n) + (rng.normal(0, 0.1, classes)[truth] if seeds > 1 else 0)
        hit = (0.8 * shared + 0.6 * own) < level
        said = np.where(hit, truth, (truth + rng.integers(1, classes, size=n)) % classes)
        names = {"truth": [f"c{t}" for t in truth], "prediction": [f"c{s}" for s in said]}
        parts.append(pd.DataFrame(names).assign(female=female, seed=str(run), id=np.arange(n)))
    given = pd.concat(parts, ignore_index=True)
    audit = audit_classifier(given if seeds > 1 else given.drop(columns="seed"), rng=seed)
    table = adjusted([audit.table()])[0]
    whole = table[(table["measure"] == MEAN) & (table["item"] == TPR)].iloc[0]
    rows = table[table["measure"] == TPR].set_index("item")
    claims = {"mean": whole["adjusted_p"] <= LEVEL, "classes": rows["beyond"].any()}
    first = rows.loc["c0"]
    lower = first["value"] < 0
    stated = said_power(size, audit.takes().loc["c0", "seen with power .8"]) if size else math.nan
    return Said(
        _named(claims),
        bool(first["beyond"] and lower),
        bool(first["p"] <= LEVEL and lower),
        stated,
    )


def classifier_of_seeds(size: float, rng: np.random.Generator, seed: int) -> Said:
    """The same, trained three times."""
    return classifier(size, rng, seed, seeds=3)


def twins(size: float, rng: np.random.Generator, seed: int) -> Said:
    """60 pairs in two templates, of which a pair's own difference and noise have heavy tails; the first of each scores higher by so much."""
    n = 60
    level, own = rng.normal(0.5, 0.1, n), 0.03 * rng.standard_t(4, n)
    rows = [
        (f"p{i}", f"t{j}", side, level[i] + (size + own[i]) * side + 0.03 * rng.standard_t(4))
        for i in range(n)
        for j in range(2)
        for side in (True, False)
    ]
    audit = audit_twins(pd.DataFrame(rows, columns=["pair", "item", "female", "score"]), rng=seed)
    tested = adjusted([audit.table()])[0].set_index("item")
    shown = {item: tested.loc[item, "adjusted_p"] <= LEVEL for item in ("mean", "signed ranks")}
    mean = tested.loc["mean"]
    stated = said_power(size, audit.takes()["seen with power .8"].iloc[0]) if size else math.nan
    found = any(said and tested.loc[item, "value"] > 0 for item, said in shown.items())
    return Said(_named(shown), bool(found), bool(mean["p"] <= LEVEL and mean["value"] > 0), stated)


# Messages

BASE = cleaned_pairs(base_pairs())
KNOWN = [
    pair for pair in pair_list("known_groups/pairs") if not {*pair} & {w for p in BASE for w in p}
][:6]
THEMES = {"law": ("jail", "prison", "crime", "criminal"), "food": ("bread", "soup", "cake", "rice")}


def made_messages(
    n: int, planted: float, seed: int | Sequence[int], themed: float = 0.5
) -> list[list[str]]:
    """Messages of ten words: most name one side, half have a word of a theme. So large a part of those of law name the male side on purpose."""
    rng = np.random.default_rng(seed)
    pairs, fillers = [*BASE[:5], *KNOWN], [f"w{number}" for number in range(150)]
    often = 1 / (np.arange(len(fillers)) + 3)
    messages = []
    for _ in range(n):
        theme = ["law", "food"][rng.integers(2)] if rng.random() < themed else ""
        purpose = theme == "law" and (planted == 1 or rng.random() < planted)
        side = int(purpose or rng.random() < 0.5)
        words = [pairs[k][side] for k in rng.integers(len(pairs), size=3)]
        words += list(rng.choice(THEMES[theme], 2)) if theme else []
        words += list(rng.choice(fillers, 10 - len(words), p=often / often.sum()))
        messages.append([words[k] for k in rng.permutation(10)])
    return messages


def genders_shuffled(
    messages: Sequence[Sequence[str]], seed: int | Sequence[int]
) -> list[list[str]]:
    """The same messages, the sides of all words exchanged in every other one at random."""
    other = {one: two for pair in [*BASE, *KNOWN] for one, two in (pair, pair[::-1])}
    swapped = np.random.default_rng(seed).random(len(messages)) < 0.5
    return [
        [other.get(word, word) for word in words] if swap else list(words)
        for words, swap in zip(messages, swapped)
    ]


def messages(size: float, rng: np.random.Generator, seed: int) -> Said:
    """600 messages from each of six places, beside a random fact. Fair ones are planted first, and their genders shuffled."""
    places, training = [f"p{k}" for k in range(6)], Training(dimensions=12, epochs=12, window=5)
    texts = {}
    for place in places:
        first, second = rng.integers(2**32, size=2).tolist()
        made = made_messages(600, size or 1.0, first)
        texts[place] = made if size else genders_shuffled(made, second)
    whole = {place: train(text, training, place) for place, text in texts.items()}
    halves = {}
    for place, text in texts.items():
        one, two = (
            train(text[h::2], replace(training, seed=1 + h, epochs=24), place) for h in (0, 1)
        )
        halves[place] = one, two
    audit = audit_messages(
        *(whole, halves, THEMES, *zip(*BASE), KNOWN),
        words={place: 10 * len(text) for place, text in texts.items()},
        gaps={"fact": pd.Series(rng.standard_normal(len(places)), places)},
        rng=seed,
    )
    names = {LEAN: "leans", ORDER: "order"}
    claims = dict.fromkeys(names.get(measure, "fact") for measure in audit.found["measure"])
    law = audit.leans()
    law = law[law["theme"] == "law"].set_index("place")
    if "p0" not in law.index:
        return Said(tuple(claims), False, False)
    first = law.loc["p0"]
    return Said(
        tuple(claims),
        bool(first["leans"] == "male"),
        bool(first["p"] <= LEVEL and first["value"] < 0),
        effect=float(law["value"].astype(float).mean()),
        seen=float(audit.power["seen"].median()),
    )


FORMS: Mapping[str, Form] = {
    "random vectors": Form("vectors", "vectors without any meaning", "", (), random_vectors),
    "words in vectors": Form(
        "vectors",
        "random words in vectors that tell known groups apart",
        "a word moved along the axis, in standard deviations of words",
        (2, 3, 4, 6),
        vectors_of_words,
    ),
    "order in vectors": Form(
        "vectors",
        "random words beside a random fact",
        "correlation of 30 words with the fact",
        (0.3, 0.5, 0.7, 0.9),
        order_in_vectors,
    ),
    "words in a model": Form(
        "model",
        "words drawn as the nouns are",
        "log odds of a word, in standard deviations of nouns",
        (2, 3, 4, 6),
        model_words,
    ),
    "sentences in a model": Form(
        "model",
        "sentences as likely as their twins",
        "share of 194 pairs beyond one half",
        (0.05, 0.1, 0.15, 0.2),
        model_sentences,
    ),
    "blind translator": Form(
        "translator", "forms that do not depend on the English", "", (), blind_translator
    ),
    "losing translator": Form(
        "translator",
        "women and men lost alike",
        "points of women lost beyond men",
        (5, 10, 20, 40),
        losing_translator,
    ),
    "pronouns": Form(
        "predictions",
        "genders dealt to pages at random",
        "F1 lower on feminine pronouns, share",
        (0.03, 0.05, 0.1, 0.15),
        pronouns,
    ),
    "classifier": Form(
        "predictions",
        "rates that gender makes no difference to",
        "TPR gap of one class",
        (0.05, 0.1, 0.15, 0.25),
        classifier,
    ),
    "classifier, three seeds": Form(
        "predictions", "the same, trained three times", "", (), classifier_of_seeds
    ),
    "twins": Form(
        "predictions",
        "twins whose differences are as often up as down",
        "mean difference within pairs",
        (0.01, 0.02, 0.03, 0.04),
        twins,
    ),
    "messages": Form(
        "messages",
        "messages whose genders were shuffled",
        "share of the messages of a theme that name the male side on purpose",
        (0.5, 0.75, 1.0),
        messages,
    ),
}


def audited(form: str, size: float, seed: int) -> Said:
    """Make an input of a form and audit it; the same form, size and seed give the same input."""
    name = int.from_bytes(form.encode()[:8], "little")
    rng = np.random.default_rng([seed, round(1000 * size), name, len(form)])
    return FORMS[form].audit(size, rng, seed)
