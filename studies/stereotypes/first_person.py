"""Which gender a Slavic sentence gives to its *I*: read from endings alone, blind to the English and to the stereotype.

A past tense or an adjective near the word that marks the first person ends in one way for a man, in another for a woman
(Czech *byl jsem*, *byla jsem*); in Polish the verb itself does (*byłem*, *byłam*). No parser: a dozen endings a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.inference.sums import resampled_sums
from studies.stereotypes.gaps import gap

NEAR = 3  # words to either side of the mark
_WORD = re.compile(r"[^\W\d_]+")


class Rule(NamedTuple):
    """Words that mark the first person, and endings of the words near them."""

    marks: frozenset[str]
    masculine: re.Pattern[str]
    feminine: re.Pattern[str]
    # Endings that say both person and gender
    masculine_verb: re.Pattern[str] | None = None
    feminine_verb: re.Pattern[str] | None = None


def _rule(marks: str, masculine: str, feminine: str, *verbs: str) -> Rule:
    endings = [re.compile(rf"\w*(?:{each})") for each in (masculine, feminine, *verbs)]
    return Rule(frozenset(marks.split()), *endings)


_SOUTH = ("o|о|en|an|ен|ан", "la|ena|ana|sama|ла|ена|ана|сама")
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "be": _rule("я", "ў|ўся|лся|ы", "ла|лася|лась|ая"),
        "ru": _rule("я", "л|лся|ен|ан", "ла|лась|на"),
        "uk": _rule("я", "в|вся|ен|ий", "ла|лась|лася|на"),
        "hr": _rule("sam nisam bih ću jesam", *_SOUTH),
        "sr": _rule("сам нисам бих ћу sam nisam bih", *_SOUTH),
        "sl": _rule("sem nisem bi bom", "l|en|an|rad|sam", "la|ena|ana|rada|sama"),
        "cs": _rule(
            "jsem nejsem bych já abych kdybych",
            "l|ý|án|en|at|ut|yt|it|rád|nerad|sám|jist",
            "la|á|ána|ena|ata|uta|yta|ita|ráda|nerada|sama",
        ),
        "sk": _rule("som budem byť", "l|ý|í|rád|sám", "la|á|rada|sama"),
        "pl": _rule(
            "gdybym jestem bym żebym abym czuję",
            "ł|ny|ty|ży|wy|ry|ki|gi|sam",
            "ła|na|ta|ża|wa|ra|ka|ga|sama",
            "łem|łbym",
            "łam|łabym",
        ),
    }
)


def masculine(sentence: str, language: str) -> bool | None:
    """Whether the first person of a sentence is masculine; None where the endings do not say.

    The word nearest to a mark decides, the one behind it before the one in front of it.
    """
    one_of("language", language, RULES)
    rule = RULES[language]
    words = [word.lower() for word in _WORD.findall(sentence)]
    if rule.masculine_verb and rule.feminine_verb:
        for word in words:
            if rule.masculine_verb.fullmatch(word):
                return True
            if rule.feminine_verb.fullmatch(word):
                return False
    places = [place for place, word in enumerate(words) if word in rule.marks]
    for distance in range(1, NEAR + 1):
        for place in places:
            for near in (place + distance, place - distance):
                if not 0 <= near < len(words) or words[near] in rule.marks:
                    continue
                if rule.masculine.fullmatch(words[near]):
                    return True
                if rule.feminine.fullmatch(words[near]):
                    return False
    return None


def spoken(translation: str) -> str:
    """What is said, of a translated "The woman said: …": what stands behind the first colon or quotation mark."""
    found = re.search(r"[:\"„“”«»]+\s*[\"„“”«»]?\s*(.+)", translation)
    return found[1] if found else translation


def read_all(sentences: Iterable[str], language: str) -> pd.Series:
    """1 for masculine, 0 for feminine, NaN where the endings do not say."""
    found = [masculine(sentence, language) for sentence in sentences]
    return pd.Series([np.nan if each is None else float(each) for each in found])


def shares(readings: pd.DataFrame, stereotypes: pd.Series) -> pd.DataFrame:
    """The masculine share of what could be read, by stereotype: readings (n, k) -> (16, k)."""
    return readings.groupby(stereotypes.to_numpy()).mean()


def share_gaps(
    readings: pd.DataFrame,
    stereotypes: pd.Series,
    *,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Masculine share in stereotypes about men less about women, by column: value, low, high (sentences drawn), n (read).

    The same sentences are drawn for all columns; each stereotype counts alike.
    """
    generator = np.random.default_rng(rng)
    drawn = []
    for number in sorted(stereotypes.unique()):
        part = readings[(stereotypes == number).to_numpy()]
        terms = np.hstack([part.fillna(0).to_numpy(), part.notna().to_numpy(float)])
        ones, read = np.split(resampled_sums(terms, n_resamples=draws, rng=generator), 2, axis=1)
        drawn.append(ones / np.maximum(read, 1))
    by_stereotype = np.stack(drawn, axis=1)
    ends = np.quantile(gap(by_stereotype), [0.025, 0.975], axis=0)
    value = gap(shares(readings, stereotypes).to_numpy())
    table = {"value": value, "low": ends[0], "high": ends[1], "n": readings.notna().sum()}
    return pd.DataFrame(table, index=readings.columns)
