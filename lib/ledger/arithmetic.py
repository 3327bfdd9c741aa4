"""Numbers that follow from other printed numbers: do they add up?

A file of data/claims/arithmetic says which printed number follows from which others, and by which
rule. A number *does not add up* where no numbers that would be printed like its parts give a number
that would be printed like it. For that, every printed number stands for the interval of the numbers
that are printed so (half a step of its last digit to both sides; one step where digits are cut),
the parts vary independently of each other within theirs, and the rule is evaluated in exact
fractions. Ends count as inside, for a tie may have gone either way; only a number that is restated
with as many digits must be the same. A relation may say that the digits of its number are cut, where its paper rounds else. Counts, ranks and chosen settings printed in full stand for themselves. So a *does not
add up* is never a matter of rounding; it may be a misprint on either side. A bound, a sign or a rank, which hardly
could have failed, is *not contradicted*.
"""

from __future__ import annotations

import fnmatch
import inspect
import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from lib.checks import did_you_mean
from lib.ledger import claims
from lib.ledger.claims import FOLDER, ClaimError
from lib.ledger.printed import Printed

RELATION_COLUMNS = ["claim_id", "rule", "parts", "digits", "note"]
ADDS_UP, NOT_CONTRADICTED, DOES_NOT = "adds up", "not contradicted", "does not add up"
_CUT = "cut"  # digits of a number that is not rounded as its paper rounds
# What these allow is a range that most numbers of the kind lie in.
_BOUNDS = (
    "between",
    "lower bound",
    "upper bound",
    "upper bound of sizes",
    "ascending rank",
    "same sign",
    "loss of blend",
    "permutation p",
)
_EXACT_KINDS = ("count", "rank", "yes or no", "setting")
_SHOWN_PARTS = 12
_DRAWS_SD = 5  # how many standard deviations a p value from random draws may be off

Number = Fraction | float  # whole numbers, too


@dataclass(frozen=True)
class Interval:
    """All numbers from `low` to `high`, the ends included.

    `+ - * /` and `abs` give the interval of all results. A number that occurs twice in a formula
    counts as two, so write formulas in which each occurs once.

    Examples
    --------
    >>> Interval(1, 2) / Interval(4, 8)
    Interval(low=0.125, high=0.5)
    """

    low: Number
    high: Number

    @property
    def ends(self) -> tuple[Number, Number]:
        return self.low, self.high

    @classmethod
    def exactly(cls, number: Number) -> Interval:
        """The interval of one number."""
        return cls(number, number)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        products = [one * two for one in self.ends for two in other.ends]
        return Interval(min(products), max(products))

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise ValueError(
                f"expected a divisor away from zero; got {other}. Choose another rule."
            )
        quotients = [one / two for one in self.ends for two in other.ends]
        return Interval(min(quotients), max(quotients))

    def __abs__(self) -> Interval:
        return Interval(max(self.low, -self.high, 0), max(self.high, -self.low))

    def meets(self, other: Interval, slack: Number = 0) -> bool:
        """Whether the two have a number in common, or come as near as `slack`."""
        return self.low <= other.high + slack and other.low <= self.high + slack


_ONE = Interval.exactly(1)


# --- the rules: each gives all values that the parts allow


def ratio(first: Interval, second: Interval) -> Interval:
    """first / second, such as a bias ratio."""
    return first / second


def share(*counts_and_whole: Interval) -> Interval:
    """The sum of all parts but the last, divided by the last."""
    *counts, whole = counts_and_whole
    return total(*counts) / whole


def difference(first: Interval, second: Interval) -> Interval:
    """first − second."""
    return first - second


def change_of_size(new: Interval, old: Interval) -> Interval:
    """abs(new) − abs(old)."""
    return abs(new) - abs(old)


def relative_change(new: Interval, old: Interval) -> Interval:
    """new / old − 1."""
    return new / old - _ONE


def error_reduction(*after_and_before: Interval) -> Interval:
    """1 − (1 − after) / (1 − before): how much of what was wrong is right now. `after` is the mean
    of all parts but the last.
    """
    *after, before = after_and_before
    return _ONE - (_ONE - mean(*after)) / (_ONE - before)


def total(*parts: Interval) -> Interval:
    """The sum of all parts."""
    return Interval(sum(part.low for part in parts), sum(part.high for part in parts))


def mean(*parts: Interval) -> Interval:
    """The sum of all parts, divided by their number."""
    return total(*parts) / Interval.exactly(Fraction(len(parts)))


def weighted_mean(*values_and_weights: Interval) -> Interval:
    """Sum of value · weight / sum of weights; all values first, then as many weights."""
    half = len(values_and_weights) // 2
    values, weights = values_and_weights[:half], values_and_weights[half:]
    return total(*(value * weight for value, weight in zip(values, weights))) / total(*weights)


def loss_of_blend(*losses_and_weights: Interval) -> Interval:
    """At most the weighted mean of the losses of the systems blended: the logarithm is concave, so a
    weighted mean of probabilities (or a geometric one) loses no more log loss than that.
    """
    return Interval(-math.inf, weighted_mean(*losses_and_weights).high)


def weighted_sum(*values_and_weights: Interval) -> Interval:
    """Sum of value · weight; all values first, then as many weights."""
    half = len(values_and_weights) // 2
    return total(
        *map(Interval.__mul__, values_and_weights[:half], values_and_weights[half:]),
    )


def standard_deviation(*parts: Interval) -> Interval:
    """sqrt(sum of (part − mean)² / (n − 1)).

    The largest one is that of some ends. The smallest one is found through the centre: the sum of
    squares is the least over all centres, and each part comes as near to a centre as it can.
    """
    from scipy.optimize import minimize_scalar  # most questions need no scipy

    def squares(numbers: tuple[Number, ...]) -> float:
        centre = sum(numbers) / len(numbers)
        return float(sum((number - centre) ** 2 for number in numbers))

    def least_squares(centre: float) -> float:
        nearest = [min(max(centre, float(part.low)), float(part.high)) for part in parts]
        return sum((number - centre) ** 2 for number in nearest)

    ends = (float(min(part.low for part in parts)), float(max(part.high for part in parts)))
    least = minimize_scalar(least_squares, bounds=ends, method="bounded").fun
    most = max(squares(numbers) for numbers in itertools.product(*(part.ends for part in parts)))
    return Interval(math.sqrt(least / (len(parts) - 1)), math.sqrt(most / (len(parts) - 1)))


def product(*parts: Interval) -> Interval:
    """All parts multiplied."""
    return math.prod(parts, start=_ONE)


def complement(*parts: Interval) -> Interval:
    """1 − the sum of the parts: the share that is left."""
    return _ONE - total(*parts)


def f1(precision: Interval, recall: Interval) -> Interval:
    """2 / (1 / precision + 1 / recall)."""
    return Interval.exactly(Fraction(2)) / (_ONE / precision + _ONE / recall)


def f1_of_rates(right: Interval, other_right: Interval) -> Interval:
    """2 / (1 + (2 − other_right) / right): F1 of a class of which the share `right` is labelled right,
    next to one other class of the same size, of which the share `other_right` is.
    """
    two = Interval.exactly(Fraction(2))
    return two / (_ONE + (two - other_right) / right)


def equal(other: Interval) -> Interval:
    """The same number printed elsewhere."""
    return other


def between(*parts: Interval) -> Interval:
    """From the smallest to the largest part: where a pooled accuracy, F1 or mean must lie."""
    return Interval(min(part.low for part in parts), max(part.high for part in parts))


def minimum(*parts: Interval) -> Interval:
    """The smallest part."""
    return Interval(min(part.low for part in parts), min(part.high for part in parts))


def maximum(*parts: Interval) -> Interval:
    """The largest part."""
    return Interval(max(part.low for part in parts), max(part.high for part in parts))


def lower_bound(*parts: Interval) -> Interval:
    """Any number that no part is below."""
    return Interval(-math.inf, min(part.high for part in parts))


def upper_bound(*parts: Interval) -> Interval:
    """Any number that no part is above."""
    return Interval(max(part.low for part in parts), math.inf)


def upper_bound_of_sizes(*parts: Interval) -> Interval:
    """Any number that the size of no part is above."""
    return upper_bound(*map(abs, parts))


def ascending_rank(value: Interval, other_rank: Interval, other_value: Interval) -> Interval:
    """The ranks on the right side of `other_rank`, where the smaller value has the smaller rank."""
    if value.low > other_value.high:
        return Interval(other_rank.high + 1, math.inf)
    if value.high < other_value.low:
        return Interval(-math.inf, other_rank.low - 1)
    return Interval(-math.inf, math.inf)


def count_below(threshold: Interval, *parts: Interval) -> Interval:
    """How many of the parts are below the threshold, such as significant p values."""
    surely = sum(part.high < threshold.low for part in parts)
    perhaps = sum(part.low < threshold.high for part in parts)
    return Interval(Fraction(surely), Fraction(perhaps))


def same_sign(other: Interval) -> Interval:
    """All numbers on the side of zero on which the other one is."""
    if other.low > 0:
        return Interval(0, math.inf)
    return Interval(-math.inf, 0) if other.high < 0 else Interval(-math.inf, math.inf)


def permutation_p(
    effect: Interval,
    draws: Interval | None = None,
    first: Interval | None = None,
    second: Interval | None = None,
) -> Interval:
    """One-sided p values that a permutation test of two sets of words can give, for an effect size d
    (difference of the means / standard deviation over both sets).

    With sets of n and m words the difference, over its own standard deviation under permutation, is
    z = d · sqrt((N − 1) n m) / N, N = n + m (sqrt(N n m) where d was taken with the sample standard
    deviation; what is less is used). For d > 0 Cantelli's inequality gives p ≤ 1 / (1 + z²). With two
    sets of equal size (also where it is not said) exchanging them turns the sign of the difference,
    so its distribution is symmetric: p ≤ 1/2, Chebyshev's inequality gives p ≤ 1 / (2 z²), and as no
    z² is larger than N − 1, p ≥ (1 − z²) / (2 (N − 1 − z²)). For d < 0 their mirror images hold. A p
    value from random draws may besides be 5 standard deviations off.
    """
    if effect.low <= 0 <= effect.high:
        return Interval(0, 1)
    if effect.high < 0:
        return _ONE - permutation_p(Interval(-effect.high, -effect.low), draws, first, second)
    low, high = 0.0, 0.5
    if first is not None and second is not None:
        n, m = float(first.low), float(second.low)
        in_deviations = n * m / (n + m) ** 2
        least = float(effect.low) ** 2 * (n + m - 1) * in_deviations
        most = float(effect.high) ** 2 * (n + m) * in_deviations
        if n != m:
            high = 1 / (1 + least)
        else:
            high = min(high, 1 / (2 * least))
            low = (1 - most) / (2 * (n + m - 1 - most)) if most < 1 else 0.0
    if draws is not None:
        low -= _DRAWS_SD * math.sqrt(low * (1 - low) / float(draws.low))
        high += _DRAWS_SD * math.sqrt(high * (1 - high) / float(draws.low))
    return Interval(max(low, 0), min(high, 1))


def p_of_correlation(correlation: Interval, n: Interval) -> Interval:
    """Two-sided p of a correlation of n points: t = r · sqrt((n − 2) / (1 − r²)), n − 2 degrees of
    freedom; the usual approximation for a rank correlation, too.
    """
    from scipy import stats

    degrees = float(n.low) - 2

    def p_value(size: float) -> float:
        t = size * math.sqrt(degrees / (1 - size**2))
        return float(2 * stats.t.sf(t, degrees))

    size = abs(correlation)
    return Interval(p_value(float(size.high)), p_value(float(size.low)))


def neutrality(women: Interval, neutral: Interval) -> Interval:
    """sqrt(p_w · p_m + p_n) with p_m = 1 − p_w − p_n: the score P_s of translations of gender-neutral
    sentences. It grows in p_n, and in p_w up to p_w = p_m.
    """
    scores = []
    for share in (max(end, 0) for end in neutral.ends):
        even = (1 - share) / 2
        shares = [max(end, 0) for end in women.ends]
        shares += [even] if women.low <= even <= women.high else []
        scores += [math.sqrt(one * (1 - one - share) + share) for one in shares]
    return Interval(min(scores), max(scores))


def share_of(printed: Interval, n: Interval) -> Interval:
    """k / n for the whole number k that comes nearest to the printed share or mean (the GRIM test);
    of use only where the printed steps are finer than 1 / n.
    """
    nearest = round((printed.low + printed.high) / 2 * n.low)
    return Interval.exactly(Fraction(nearest) / Fraction(n.low))


def share_of_share(printed: Interval, first: Interval, n: Interval) -> Interval:
    """k / m that comes nearest to the printed share of a share: m is a whole number of n things that
    the first share can stand for, k a whole number of these m.
    """
    sizes = range(math.ceil(first.low * n.low), math.floor(first.high * n.low) + 1)
    centre = (printed.low + printed.high) / 2
    nearest = [Fraction(round(centre * size), size) for size in sizes if size]
    if not nearest:
        raise ValueError(
            f"expected a share of {n.low} things that a whole number of them can be; got {first}. "
            "Test the first share alone with the rule 'share of'."
        )
    distances = [abs(float(number - centre)) for number in nearest]
    return Interval.exactly(nearest[distances.index(min(distances))])


def share_of_splits(
    printed: Interval, draws: Interval, first: Interval, second: Interval
) -> Interval:
    """What so many random draws may give for the p value k / S that comes nearest to the printed one, where S is the
    number of splits into sets of n and of m words and k a whole number: 5 standard deviations to both sides.

    Of use where S is small. No set of words and no vectors give a p value between two of these.
    """
    splits = math.comb(int(first.low + second.low), int(first.low))
    centre = float(printed.low + printed.high) / 2
    spreads = []
    for k in (math.floor(centre * splits), math.ceil(centre * splits)):
        p = min(max(k / splits, 0), 1)
        spread = _DRAWS_SD * math.sqrt(p * (1 - p) / float(draws.low))
        spreads.append(Interval(p - spread, p + spread))
    return min(spreads, key=lambda spread: max(spread.low - centre, centre - spread.high))


def kappa_of(printed: Interval, first: Interval, second: Interval) -> Interval:
    """The Cohen's kappa that comes nearest to the printed one, of all that two labels can give for
    `first` things of one class and `second` of the other.
    """
    one, two = int(first.low), int(second.low)
    n, centre = one + two, (printed.low + printed.high) / 2
    kappas = []
    for right, wrong in itertools.product(range(one + 1), range(two + 1)):
        observed = Fraction(right + two - wrong, n)
        labelled = right + wrong
        expected = Fraction(one * labelled + two * (n - labelled), n * n)
        if expected != 1:
            kappas.append((observed - expected) / (1 - expected))
    distances = [abs(float(kappa - centre)) for kappa in kappas]
    return Interval.exactly(kappas[distances.index(min(distances))])


RULES: Mapping[str, Callable[..., Interval]] = {
    "ratio": ratio,
    "share": share,
    "difference": difference,
    "change of size": change_of_size,
    "relative change": relative_change,
    "error reduction": error_reduction,
    "sum": total,
    "mean": mean,
    "weighted mean": weighted_mean,
    "weighted sum": weighted_sum,
    "loss of blend": loss_of_blend,
    "standard deviation": standard_deviation,
    "product": product,
    "complement": complement,
    "f1": f1,
    "f1 of rates": f1_of_rates,
    "equal": equal,
    "between": between,
    "minimum": minimum,
    "maximum": maximum,
    "lower bound": lower_bound,
    "upper bound": upper_bound,
    "upper bound of sizes": upper_bound_of_sizes,
    "ascending rank": ascending_rank,
    "count below": count_below,
    "same sign": same_sign,
    "permutation p": permutation_p,
    "p of correlation": p_of_correlation,
    "neutrality": neutrality,
}
WHOLE_NUMBER_RULES: Mapping[str, Callable[..., Interval]] = {
    "share of": share_of,
    "share of share": share_of_share,
    "share of splits": share_of_splits,
    "kappa of": kappa_of,
}
_SIGNS = {
    "ratio": " / ",
    "share": " + ",
    "difference": " − ",
    "sum": " + ",
    "weighted sum": " + ",
    "product": " · ",
    "complement": " − ",
    "equal": "",
}
_PHRASES = {  # how a rule of few parts is written out; the others as "rule of a, b, …"
    "change of size": "|{0}| − |{1}|",
    "relative change": "{0} / {1} − 1",
    "f1": "2 · {0} · {1} / ({0} + {1})",
    "neutrality": "sqrt({0} · (1 − {0} − {1}) + {1})",
    "permutation p": "p where d is {0}",
    "p of correlation": "p where r is {0} and n is {1}",
    "ascending rank": "rank of {0} where rank {1} has {2}",
    "same sign": "on the side of {0}",
    "share of": "the nearest share of {0} whole things",
    "share of share": "the nearest share of whole things that are {0} of {1}",
    "kappa of": "the nearest kappa of {0} and {1} whole things",
}


# --- the relations


def check(paper: str | None = None, folder: Path = FOLDER) -> pd.DataFrame:
    """Evaluate the relations between printed numbers.

    Parameters
    ----------
    paper : str, optional
        The name of a file in data/claims; left out, all. For one paper only its own files are
        opened, and those of the papers that it quotes.
    folder : Path
        Where the files lie.

    Returns
    -------
    DataFrame
        A row for each relation: claim_id; rule; parts (claim ids, or numbers, separated by ";");
        low and high, what the parts allow, in the unit of the claim; printed (the claim's text);
        verdict ("adds up", "not contradicted" or "does not add up"); arithmetic (the sum written out); note.

    Raises
    ------
    ClaimError
        Where a relation names an unknown claim or rule, a rule gets the wrong number of parts, or
        parts that it cannot be taken of; the message says in which row of which file.

    Examples
    --------
    >>> rows = check("chada2019_qa").set_index(["claim_id", "rule"])
    >>> rows.loc[("chada2019_qa.table2.11", "ratio"), ["arithmetic", "printed", "verdict"]].tolist()
    ['87.1 % / 91.1 % = 0.9561', '0.95', 'adds up']
    """
    columns = [*RELATION_COLUMNS[:3], "low", "high", "printed", "verdict", "arithmetic", "note"]
    names = _papers(folder) if paper is None else [paper]
    rows = [row for name in names for row in _check_paper(name, folder)]
    return pd.DataFrame(rows, columns=columns)


def by_claim(paper: str | None = None, folder: Path = FOLDER) -> dict[str, str]:
    """Whether each derived number adds up: in all its relations, or not in one of them; *not contradicted* where all are bounds.

    Parameters
    ----------
    paper, folder
        As in `check`.

    Returns
    -------
    dict of str to str
        For the claims that follow from others: "adds up", "not contradicted" or "does not add up".

    Examples
    --------
    >>> by_claim("chada2019_qa")["chada2019_qa.table2.11"]
    'adds up'
    """
    said: dict[str, set[str]] = {}
    for row in check(paper, folder).to_dict("records"):
        said.setdefault(row["claim_id"], set()).add(row["verdict"])
    order = (DOES_NOT, ADDS_UP, NOT_CONTRADICTED)
    return {claim: next(name for name in order if name in names) for claim, names in said.items()}


def tested(
    paper: str | None = None,
    folder: Path = FOLDER,
    *,
    side: Literal["derived", "either"] = "either",
) -> set[str]:
    """The claims that a relation touches.

    Parameters
    ----------
    paper, folder
        As in `check`.
    side : {"either", "derived"}
        "derived": only the numbers that follow from others; "either": these and their parts.

    Returns
    -------
    set of str
        Claim ids.

    Examples
    --------
    >>> "chada2019_qa.table2.9" in tested("chada2019_qa")
    True
    """
    rows = check(paper, folder)
    derived = set(rows.claim_id)
    if side == "derived":
        return derived
    parts = {part for text in rows.parts for part in text.split(";")}
    return derived | {part for part in parts if not _is_number(part)}


def read_relations(paper: str, folder: Path = FOLDER) -> pd.DataFrame:
    """The relations of one paper as their file has them; none where there is no file.

    Parameters
    ----------
    paper, folder
        As in `check`.

    Returns
    -------
    DataFrame
        The columns of `RELATION_COLUMNS`, as text.
    """
    path = Path(folder) / "arithmetic" / f"{paper}.csv"
    if not path.is_file():
        return pd.DataFrame(columns=RELATION_COLUMNS)
    return claims.read_table(path, RELATION_COLUMNS)


def _papers(folder: Path) -> list[str]:
    return sorted(path.stem for path in (Path(folder) / "arithmetic").glob("*.csv"))


def _check_paper(paper: str, folder: Path) -> list[dict[str, Any]]:
    rows = []
    for number, relation in enumerate(read_relations(paper, folder).to_dict("records"), start=1):
        try:
            rows.append(_evaluate(relation, paper, folder))
        except (ValueError, ArithmeticError) as error:
            raise ClaimError(f"arithmetic/{paper}.csv, row {number}: {error}") from error
    return rows


def _evaluate(relation: Mapping[Any, str], paper: str, folder: Path) -> dict[str, Any]:
    claim, rule = _claim(relation["claim_id"], folder), relation["rule"]
    if relation["digits"] not in ("", _CUT):
        raise ClaimError(
            f"{relation['claim_id']}: expected {_CUT!r} or nothing for digits; got {relation['digits']!r}"
        )
    if relation["digits"]:
        claim = {**claim, "rounding": "truncate"}
    printed = Printed.of(claim)
    parts = _part_names(relation, paper, folder)
    target = _interval(claim)
    allowed = _apply(relation, target, [_part_interval(part, folder) for part in parts])
    centre = allowed
    if rule not in WHOLE_NUMBER_RULES:
        centre = _apply(relation, target, [_part_value(part, folder) for part in parts])
    slack = Fraction(printed.step) / Fraction(printed.scale) / 10**9
    if rule == "equal" and target.low < target.high:  # one number is rounded in one way only
        slack = -slack
    verdict = DOES_NOT
    if target.meets(allowed, slack):
        weak = rule in _BOUNDS or printed.relation != "="
        verdict = NOT_CONTRADICTED if weak else ADDS_UP
    return {
        "claim_id": relation["claim_id"],
        "rule": rule,
        "parts": ";".join(parts),
        "low": float(allowed.low * Fraction(printed.scale)),
        "high": float(allowed.high * Fraction(printed.scale)),
        "printed": claim["value"],
        "verdict": verdict,
        "arithmetic": _written(rule, [_part_text(part, folder) for part in parts], centre, claim),
        "note": relation["note"],
    }


def _apply(relation: Mapping[Any, str], target: Interval, parts: list[Interval]) -> Interval:
    rule = relation["rule"]
    where = f"{relation['claim_id']}, {rule}"
    if rule in WHOLE_NUMBER_RULES:
        function, arguments = WHOLE_NUMBER_RULES[rule], [target, *parts]
    elif rule in RULES:
        function, arguments = RULES[rule], parts
    else:
        hint = did_you_mean(rule, [*RULES, *WHOLE_NUMBER_RULES], n=3)
        raise ClaimError(f"{relation['claim_id']}: expected a known rule; got {rule!r}. {hint}")
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as error:
        raise ClaimError(
            f"{where}: expected the parts that {function.__name__}{inspect.signature(function)} "
            f"takes; got {len(parts)} ({error})."
        ) from None
    return function(*arguments)


def _part_names(relation: Mapping[Any, str], paper: str, folder: Path) -> list[str]:
    """The parts of a relation, patterns expanded and the name of the own paper put before."""
    own = claims.load_paper(paper, folder).index
    names: list[str] = []
    for part in relation["parts"].split(";"):
        full = part if part.partition(".")[0] in claims.papers(folder) else f"{paper}.{part}"
        if _is_number(part) or not any(mark in part for mark in "*?["):
            names.append(part if _is_number(part) else full)
            continue
        matching = [name for name in own if fnmatch.fnmatchcase(name, full)]
        if not matching:
            raise ClaimError(
                f"{relation['claim_id']}: expected a pattern of claim ids of {paper}; {part!r} "
                "matches none. Patterns look at the ids of the own paper."
            )
        names += [name for name in matching if name != relation["claim_id"]]
    return names


def _is_number(part: str) -> bool:
    return part.removeprefix("-").replace(".", "", 1).isdecimal()


@cache
def _claim(name: str, folder: Path) -> Mapping[Any, str]:
    table = claims.load_paper(name.partition(".")[0], folder)
    if name not in table.index:
        hint = did_you_mean(name, table.index, n=3)
        raise ClaimError(f"expected the id of a claim in data/claims; got {name!r}. {hint}")
    return {str(column): str(text) for column, text in table.loc[name].items()}


def _interval(claim: Mapping[Any, str]) -> Interval:
    """All numbers that a claim may stand for; only itself for a count, a rank or a choice that is
    printed in full.
    """
    printed = Printed.of(claim)
    exact = (
        claim["metric_kind"] in _EXACT_KINDS
        and printed.scale == 1
        and printed.relation == "="
        and not claim["step"]
        and (claim["metric_kind"] == "setting" or printed.step == 1)
    )
    return Interval.exactly(Fraction(printed.value)) if exact else Interval(*printed.bounds)


def _part_interval(part: str, folder: Path) -> Interval:
    if _is_number(part):
        return Interval.exactly(Fraction(part))
    return _interval(_claim(part, folder))


def _part_value(part: str, folder: Path) -> Interval:
    if _is_number(part):
        return Interval.exactly(Fraction(part))
    printed = Printed.of(_claim(part, folder))
    return Interval.exactly(Fraction(printed.value) / Fraction(printed.scale))


def _part_text(part: str, folder: Path) -> str:
    if _is_number(part):
        return part
    claim = _claim(part, folder)
    return f"{claim['value']} %" if _is_percent(claim) else claim["value"]


def _is_percent(claim: Mapping[Any, str]) -> bool:
    return (claim["unit"] or claim["metric_unit"]).startswith("%")


def _written(rule: str, texts: list[str], result: Interval, claim: Mapping[Any, str]) -> str:
    """The sum as a reader would write it down: parts as printed, the result with two digits more
    than the claim has.
    """
    last = ""
    if rule == "share":
        texts, last = texts[:-1], f" of {texts[-1]}"
    elif rule == "weighted sum":
        texts = list(map(" · ".join, zip(texts[: len(texts) // 2], texts[len(texts) // 2 :])))
    elif rule == "complement":
        texts = ["1", *texts]
    if len(texts) > _SHOWN_PARTS:
        last += f" ({len(texts)} numbers)"
        texts = [*texts[:3], "…", texts[-1]]
    if rule in _PHRASES:
        sum_ = _PHRASES[rule].format(*texts)
    else:
        start = "" if rule in _SIGNS else f"{rule} of "
        sum_ = f"{start}{_SIGNS.get(rule, ', ').join(texts)}{last}"
    printed = Printed.of(claim)
    ends = [_shown(end, printed) for end in result.ends]
    if ends[0] == ends[1]:
        outcome = f"= {ends[0]}"
    elif math.isinf(result.high):
        outcome = f"≥ {ends[0]}"
    elif math.isinf(result.low):
        outcome = f"≤ {ends[1]}"
    else:
        outcome = f"= {ends[0]} to {ends[1]}"
    return f"{sum_} {outcome}" + (" %" if _is_percent(claim) else "")


def _shown(number: Number, printed: Printed) -> str:
    if math.isinf(number):
        return "any"
    in_unit = float(number * Fraction(printed.scale))
    if "e" in printed.text.lower():
        return f"{in_unit:.3g}"
    decimals = printed.text.partition(".")[2]
    shown = f"{in_unit:.{len(decimals) + 2}f}"
    return f"{round(in_unit)}" if not decimals and in_unit == round(in_unit) else shown
