"""Systems that do not contain one another, their ratios over pages beside shuffled genders, and the same systems on two sets of passages."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.coreference.intervals import gender_draws
from lib.coreference.scores import SCORES, by_gender
from lib.coreference.terms import Floats, row_terms, sides_from
from lib.datasets.gap import CLASSES
from lib.inference.sums import share_reaching, shuffled_sums
from lib.ledger import Ledger
from studies.pronoun_resolution.released import System, passages

# made of others of this list, or counted with them: the blend, six classifiers behind the fine-tuned one, texts with other names
_INSIDE = ("blend", "classifier")
SIDES = ("feminine", "masculine")
FEWEST = 20  # passages of one gender
MOST = 200_000  # passages of one gender in a table of counts
COLUMNS = ["value", "low", "high", "null low", "null high", "p", "smallest p"]


class Family(NamedTuple):
    """Systems of one design on one part, which count once."""

    name: str
    part: str
    members: tuple[System, ...]


def families(systems: Sequence[System]) -> list[Family]:
    """One family for each system that is made of no other, and for each kind of early submission; what is no better than one answer is out.

    Of a system trained again on texts with other names the one with the original names stands for all.
    """
    found: dict[tuple[str, str], list[System]] = {}
    for system in systems:
        inside = system.name.startswith(_INSIDE) or ", names" in system.name
        if inside or system.own or system.failed:
            continue
        name = f"{system.kind.partition(', ')[2]}, early"
        if not system.kind.startswith("Bao"):
            name = system.name.replace(", original", ", again")
        found.setdefault((name, system.part), []).append(system)
    return [Family(name, part, tuple(members)) for (name, part), members in found.items()]


def ratio_draws(
    family: Family,
    *,
    answers: NDArray[np.intp] | None = None,
    n_resamples: int = 2000,
    rng: int = 0,
) -> Floats:
    """Draws over pages of the logarithm of each score's ratio, the mean over the members, (n_resamples, scores); by other answers than GAP's where given."""
    on, options = passages(family.part), {"n_resamples": n_resamples, "rng": rng}
    labels = on.answers if answers is None else answers
    drawn = [
        gender_draws(one.probabilities, labels, on.female, pages=on.pages, **options)
        for one in family.members
    ]
    return _mean_log([each[..., -1] for each in drawn])


def log_ratios(family: Family, answers: NDArray[np.intp] | None = None) -> Floats:
    """The mean logarithm of each score's ratio over the members, (scores,); by other answers than GAP's where given."""
    on = passages(family.part)
    labels = on.answers if answers is None else answers
    tables = [by_gender(one.probabilities, labels, on.female) for one in family.members]
    return _mean_log([table.loc[list(SCORES), "ratio"].to_numpy(float) for table in tables])


def shuffled(
    family: Family,
    *,
    answers: NDArray[np.intp] | None = None,
    n_resamples: int = 2000,
    rng: int = 0,
) -> Floats:
    """The same as `ratio_draws` with the gender shuffled over pages: what the ratio is where gender makes no difference."""
    on, options = passages(family.part), {"n_resamples": n_resamples, "rng": rng}
    labels = on.answers if answers is None else answers
    return _mean_log(
        [
            _shuffled(one.probabilities, labels, on.female, on.pages, **options)
            for one in family.members
        ]
    )


def judged(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    pages: ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: int = 0,
) -> pd.DataFrame:
    """`against_chance` of one system, from what it said: over pages, or over passages where there are none."""
    given, options = (probabilities, answers, female), {"n_resamples": n_resamples, "rng": rng}
    values = by_gender(*given).loc[list(SCORES), "ratio"].to_numpy(float)
    draws = gender_draws(*given, pages=pages, **options)[..., -1]
    null = _shuffled(*given, pages, **options)
    return against_chance(_mean_log([values]), _mean_log([draws]), _mean_log([null]))


def from_counts(
    counts: Mapping[str, ArrayLike],
) -> tuple[Floats, NDArray[np.intp], NDArray[np.bool_]]:
    """Probabilities (n, 3) of 0 and 1, answers and female (n,) of a table of counts for each gender: rows are what is right, columns what was said.

    >>> shares, answers, female = from_counts({"feminine": [[2, 0, 0], [0, 1, 0], [0, 1, 0]], "masculine": np.eye(3)})
    >>> shares.argmax(axis=1).tolist(), answers.tolist(), int(female.sum())
    ([0, 0, 1, 1, 0, 1, 2], [0, 0, 1, 2, 0, 1, 2], 4)
    """
    if {*counts} != {*SIDES}:
        raise ValueError(
            f"counts: expected tables for feminine and masculine, got {', '.join(map(str, counts)) or 'none'}"
        )
    said, answers, sides = [], [], []
    for side in SIDES:
        table = np.asarray(counts[side])
        whole = table.dtype.kind in "iuf" and table.shape == (3, 3) and (table >= 0).all()
        if not whole or (table % 1).any() or table.sum() < 2 or table.sum() > MOST:
            raise ValueError(
                f"counts, {side}: expected three rows (right: A, B, neither) of three whole numbers (said: A, B, neither), "
                f"2 to {MOST:,} passages in all; got {counts[side]}"
            )
        cells = np.repeat(np.arange(9), table.astype(int).ravel())
        answers.append(cells // 3)
        said.append(cells % 3)
        sides.append(np.full(len(cells), side == "feminine"))
    return np.eye(3)[np.concatenate(said)], np.concatenate(answers), np.concatenate(sides)


def counted(system: System) -> pd.DataFrame:
    """What a system said of the passages of its part, by what is right and by gender: right, said, value."""
    on, said = passages(system.part), system.probabilities.argmax(axis=1)
    rows = []
    for side in SIDES:
        chosen = on.female == (side == "feminine")
        cells = np.bincount(3 * on.answers[chosen] + said[chosen], minlength=9)
        rows += [
            {"gender": side, "right": CLASSES[cell // 3], "said": CLASSES[cell % 3], "value": n}
            for cell, n in enumerate(cells.tolist())
        ]
    return pd.DataFrame(rows)


def against_chance(values: Floats, draws: Floats, null: Floats) -> pd.DataFrame:
    """Ratios from their logarithms (scores,), with intervals from draws (n, scores), and beside a null (n, scores)."""
    low, high = np.exp(np.nanquantile(draws, [0.025, 0.975], axis=0))
    null_low, null_high = np.exp(np.nanquantile(null, [0.025, 0.975], axis=0))
    p = share_reaching(values, null)
    columns = [
        np.exp(values),
        low,
        high,
        null_low,
        null_high,
        p,
        np.full(len(p), 1 / (1 + len(null))),
    ]
    table = pd.DataFrame(dict(zip(COLUMNS, columns)), list(SCORES))
    return table.rename_axis("score")


def between_parts(first: Floats, second: Floats, draws: Sequence[Floats]) -> pd.DataFrame:
    """Ratio of the ratios on two sets of passages (second by first), from logarithms (scores,) and draws of each, whose passages are drawn apart.

    The p is two-sided from the draws: twice the smaller side of 1, one draw more on it.
    """
    apart = draws[1] - draws[0]
    low, high = np.exp(np.nanquantile(apart, [0.025, 0.975], axis=0))
    beyond = np.minimum((apart <= 0).sum(axis=0), (apart >= 0).sum(axis=0))
    p = np.minimum(2 * (beyond + 1) / (len(apart) + 1), 1)
    smallest = np.full(len(p), 2 / (len(apart) + 1))
    columns = [np.exp(second - first), low, high, p, smallest]
    table = pd.DataFrame(
        dict(zip(["value", "low", "high", "p", "smallest p"], columns)), list(SCORES)
    )
    return table.rename_axis("score")


def as_tables(rows: pd.DataFrame) -> dict[str, list[list[int]]]:
    """What `counted` gives as `from_counts` takes it; {} where there is nothing."""
    if not len(rows):
        return {}
    table = rows.pivot(index=["gender", "right"], columns="said", values="value").astype(int)
    return {
        side: table.loc[side].loc[list(CLASSES), list(CLASSES)].to_numpy().tolist()
        for side in SIDES
    }


def why_not(probabilities: ArrayLike, answers: ArrayLike, female: ArrayLike) -> str:
    """Why a system's ratios are not worth a test, or ""."""
    rows, right, group = np.asarray(probabilities), np.asarray(answers), np.asarray(female, bool)
    if min(group.sum(), (~group).sum()) < FEWEST:
        return (
            f"{FEWEST} passages of each gender are needed, got {group.sum()} and {(~group).sum()}"
        )
    hits = (rows.argmax(axis=1) == right) & (right < len(CLASSES) - 1)
    if not hits[group].any() or not hits[~group].any():
        return "no name is found for one of the genders, so there is no ratio of F1"
    if (rows.argmax(axis=1) == right).mean() <= np.bincount(right).max() / len(right):
        return "one and the same answer to every passage would be right as often"
    return ""


def keep(ledger: Ledger, table: pd.DataFrame, quantity: str, **about: Any) -> None:
    """Record a table of `against_chance` or `between_parts`: values with intervals, their null, and p with the smallest p."""
    ledger.answer(table[["value", "low", "high"]], quantity, **about)
    if "null low" in table:
        null = table[["null low", "null high"]].set_axis(["low", "high"], axis=1)
        ledger.answer(null.assign(value=1.0), f"{quantity}, genders shuffled", **about)
    ledger.answer(table[["p"]].set_axis(["value"], axis=1), f"p of the {quantity}", **about)
    smallest = table[["smallest p"]].set_axis(["value"], axis=1)
    ledger.answer(smallest, f"smallest p of the {quantity}", **about)


def kept(ledger: Ledger, quantity: str) -> pd.DataFrame:
    """What `keep` recorded, a row a value: settings, n, recorded, and the columns of its table; empty where there is nothing."""
    found = ledger.results(quantity)
    if not len(found):
        return found
    keys = [c for c in found if c not in ("value", "low", "high", "n", "data", "recorded")]
    columns = {f"p of the {quantity}": {"value": "p"}}
    columns[f"smallest p of the {quantity}"] = {"value": "smallest p"}
    columns[f"{quantity}, genders shuffled"] = {"low": "null low", "high": "null high"}
    for name, renamed in columns.items():
        part = ledger.results(name)
        if len(part):
            part = part.rename(columns=renamed)[[*keys, *renamed.values()]]
            found = found.merge(part, on=keys, how="left", validate="one_to_one")
    return found


def _shuffled(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    pages: ArrayLike | None,
    *,
    n_resamples: int,
    rng: int,
) -> Floats:
    terms = row_terms(probabilities, answers)
    feminine = shuffled_sums(terms, female, clusters=pages, n_resamples=n_resamples, rng=rng)
    drawn: Floats = sides_from(terms.sum(axis=0) - feminine, feminine)[..., -1]
    return drawn


def _mean_log(ratios: Sequence[Floats]) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Floats = np.log(np.stack(ratios)).mean(axis=0)
    return mean
