"""The words that scores and systems look at, and where both look at different ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lib.datasets.occupations import occupation_shares
from lib.lexicons import load_lexicon

HALF = 0.5


@dataclass(frozen=True)
class Jobs:
    """Occupations by the gender of most who work in them."""

    female: tuple[str, ...]  # more than half women
    male: tuple[str, ...]  # half men or more

    @property
    def all(self) -> tuple[str, ...]:
        """Both sides."""
        return self.female + self.male


@cache
def gendered_words() -> frozenset[str]:
    """Words that are female or male by definition."""
    lexicon = load_lexicon("gender_specific")
    pairs = load_lexicon("two_people")["known_pairs"]
    listed = {word for side in ("female", "male") for word in lexicon[side]}
    return frozenset(listed | {word for pair in pairs for word in pair})


@cache
def job_halves() -> tuple[Jobs, Jobs]:
    """Occupations of one word with a known share of women, dealt in turn: for scores, and for systems.

    No occupation is in both halves, and both have as many of women's and of men's as the other, or one more.
    """
    shares = occupation_shares()["women"].sort_index().sort_values(ascending=False, kind="stable")
    plain = [word for word in shares.index if word.isalpha() and word not in gendered_words()]
    women = [word for word in plain if shares[word] > HALF]
    men = [word for word in plain if shares[word] <= HALF]
    first, second = (Jobs(tuple(women[turn::2]), tuple(men[turn::2])) for turn in (0, 1))
    return first, second


# Lists of `caliskan2017` and their stereotype, women's 1 and men's −1
SIDES = {
    "family": 1,
    "arts": 1,
    "arts_8": 1,
    "pleasant": 1,
    "career": -1,
    "math": -1,
    "science": -1,
    "unpleasant": -1,
}


@cache
def score_signs() -> dict[str, int]:
    """The words of the scores and their stereotype: 1 female, −1 male. No system reads them when it is asked.

    The first half of the occupations, and the targets or attributes of the WEATs that are not female or male by definition; words of
    two lists with different signs are left out.
    """
    jobs = job_halves()[0]
    lists = load_lexicon("caliskan2017")
    signs: dict[str, set[int]] = {}
    for name, sign in SIDES.items():
        for word in lists[name]:
            signs.setdefault(word, set()).add(sign)
    for words, sign in ((jobs.female, 1), (jobs.male, -1)):
        for word in words:
            signs.setdefault(word, set()).add(sign)
    return {
        word: signs_of.copy().pop()
        for word, signs_of in signs.items()
        if len(signs_of) == 1 and word not in gendered_words()
    }
