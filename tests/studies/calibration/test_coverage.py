"""Which intervals of the book are simulated, and simulations whose answer is known."""

import ast

import pytest
from scipy import stats

from lib.paths import ROOT
from studies.calibration.coverage import KINDS, LIKE, simulate_coverage
from studies.calibration.known_truth import SIMULATORS

NOT_OF_NUMBERS = {
    "interval_dots",
    "interval_coverage",
    "interval",
    "interval_ends",
    "by_intervals",
}  # a figure, a simulation of its own, how ends are written, ends of other authors made again, and p-values of known ends

ROOMS = ("plots", "ledger", "training", "book", "explorables")  # that compute no interval


def interval_functions():
    """Names of the public functions of lib and studies that are called after an interval."""
    for path in sorted([*(ROOT / "lib").rglob("*.py"), *(ROOT / "studies").rglob("*.py")]):
        if path.relative_to(ROOT).parts[1] not in ROOMS and path.stem != "figures":
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef) and "interval" in node.name:
                    yield node.name


def test_every_function_called_after_an_interval_is_simulated_or_like_one_that_is():
    simulated = {kind.function.partition(",")[0] for kind in KINDS.values()}
    public = {name for name in interval_functions() if not name.startswith("_")}
    assert len(public) > 15
    assert public - NOT_OF_NUMBERS <= simulated | set(LIKE)
    assert set(LIKE.values()) <= set(KINDS) == set(SIMULATORS)


@pytest.mark.parametrize("kind", ["icc_by_f_20", "tokens_12"])
def test_a_quick_simulation_covers_as_it_should(kind):
    covered, n = simulate_coverage(kind, 200, rng=1)
    assert n == 200 and stats.binom.sf(covered, n, 0.85) < 0.01


def test_the_interval_of_tgbi_alarms_where_there_is_no_bias():
    covered, n = simulate_coverage("tgbi_even", 400, rng=1)
    assert 0.8 < covered / n < 0.95


@pytest.mark.parametrize("kind", ["seeds_3", "exact_share"])
def test_intervals_with_a_known_coverage_have_it(kind):
    covered, n = simulate_coverage(kind, 300, rng=1)
    assert n == 300 and covered / n > 0.91
