"""GEST in an audit: the gap beside labels dealt out anew over the sixteen stereotypes, which are the unit."""

import numpy as np
import pytest

from audit.model.gest import (
    GAP,
    NAMES,
    ODDS,
    SMALLEST_P,
    Asked,
    by_sentence,
    by_stereotype,
    gap,
    means,
    table,
)
from audit.report import COLUMNS
from studies.stereotypes.gaps import gap as of_chapter
from studies.stereotypes.gaps import standardised_gap
from studies.stereotypes.order import stereotype_means

NUMBERS = np.repeat(np.arange(1, 17), 6)


def made(apart, seed):
    """Sentences whose stereotypes differ among themselves, too."""
    rng = np.random.default_rng(seed)
    of_each = rng.normal(0, 0.3, 16) + apart * (np.arange(16) > 6)
    scores = of_each[NUMBERS - 1, None] + rng.normal(0, 1, (96, 2)) + [0.5, -2.0]
    return Asked(tuple(f"I {i}." for i in range(96)), NUMBERS, scores, ("t0", "t1"))


def test_the_gap_is_that_of_the_chapter_and_templates_make_it_up():
    asked = made(0.5, 0)
    found = gap(asked.scores, NUMBERS)
    of_means = stereotype_means(asked.scores, NUMBERS)
    assert means(asked.scores, NUMBERS) == pytest.approx(of_means)
    assert found.by_template == pytest.approx(of_chapter(of_means))
    assert found.value == pytest.approx(of_chapter(of_means).mean())
    variances = stereotype_means((asked.scores - of_means[NUMBERS - 1]) ** 2, NUMBERS) * 6 / 5
    assert found.in_spreads == pytest.approx(standardised_gap(of_means, variances).mean())
    # templates that differ in level, and a model that is bolder in everything, change nothing in spreads
    bolder = gap(5 * (asked.scores - [3.0, -1.0]), NUMBERS)
    assert bolder.in_spreads == pytest.approx(found.in_spreads) and bolder.p == found.p
    assert bolder.value == pytest.approx(5 * found.value)


def test_p_is_exact_over_ways_to_label_seven_of_sixteen():
    scores = np.repeat(np.arange(16.0), 6)[:, None]
    found = gap(scores, NUMBERS)
    assert found.p == pytest.approx(2 / 11440) and SMALLEST_P == 1 / 11440
    assert np.isnan(found.agreement) and found.in_spreads != found.in_spreads
    rng = np.random.default_rng(0)
    values = rng.normal(size=16)
    null = [of[7:].mean() - of[:7].mean() for of in (rng.permutation(values) for _ in range(4000))]
    observed = values[7:].mean() - values[:7].mean()
    by_draws = (np.abs(null) >= abs(observed)).mean()
    found = gap(values[NUMBERS - 1, None], NUMBERS)
    assert found.p == pytest.approx(by_draws, abs=0.03)
    assert found.null_low == pytest.approx(np.quantile(null, 0.025), abs=0.05)


def test_fair_stereotypes_give_no_finding_and_a_planted_gap_is_found_and_covered():
    fair = [gap(made(0, seed).scores, NUMBERS) for seed in range(30)]
    assert sum(one.p <= 0.05 for one in fair) <= 4
    assert sum(one.low <= 0 <= one.high for one in fair) >= 25
    planted = [gap(made(1.2, seed).scores, NUMBERS) for seed in range(10)]
    assert sum(one.p <= 0.05 and one.low > 0 for one in planted) >= 9
    assert sum(one.low <= 1.2 <= one.high for one in planted) >= 8


def test_rows_of_the_report_are_adjusted_for_what_else_is_asked():
    asked = made(0.3, 1)
    found = gap(asked.scores, NUMBERS)
    rows = table(found, asked, times=3.0)
    assert list(rows.columns) == list(COLUMNS) and not rows.duplicated(["item", "measure"]).any()
    first = rows.iloc[0]
    assert first["measure"] == GAP and first["adjusted_p"] == min(1, 3 * found.p)
    each = rows[rows["measure"] == ODDS].set_index("item")
    assert list(each.index) == list(NAMES) and each["n"].eq(6).all()
    of_one = by_sentence(asked)
    assert of_one.groupby("item")["value"].mean()[NAMES[2]] == pytest.approx(
        each["value"][NAMES[2]]
    )
    assert (by_stereotype(asked)["low"] < by_stereotype(asked)["value"]).all()


def test_sentences_for_some_stereotypes_only_are_refused(refuses):
    refuses(lambda: gap(np.zeros((6, 1)), NUMBERS[:6]), ["each of sixteen stereotypes"])
