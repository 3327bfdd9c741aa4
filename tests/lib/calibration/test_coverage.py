"""Which intervals of the book are simulated, and simulations whose answer is known."""

import ast

import numpy as np
import pytest
from scipy import stats

from lib.calibration.coverage import KINDS, LIKE, simulate_coverage
from lib.calibration.known_truth import SIMULATORS
from lib.calibration.predictive.spread import clustered_correlation
from lib.paths import ROOT

NOT_OF_NUMBERS = {"interval_dots", "interval_coverage"}  # a figure, and a simulation of its own
ROOMS = ("plots", "ledger", "training", "book", "explorables")  # that compute no interval


def interval_functions():
    """Names of the public functions of lib and studies that are called after an interval."""
    for path in sorted([*(ROOT / "lib").rglob("*.py"), *(ROOT / "studies").rglob("*.py")]):
        if path.relative_to(ROOT).parts[1] not in ROOMS:
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef) and "interval" in node.name:
                    yield node.name


def test_every_function_called_after_an_interval_is_simulated_or_like_one_that_is():
    simulated = {kind.function.partition(",")[0] for kind in KINDS.values()}
    public = {name for name in interval_functions() if not name.startswith("_")}
    assert len(public) > 15
    assert public - NOT_OF_NUMBERS <= simulated | set(LIKE)
    assert set(LIKE.values()) <= set(KINDS) == set(SIMULATORS)


@pytest.mark.parametrize("kind", ["wilson", "icc_by_f_20", "between_seeds", "tokens_12"])
def test_a_quick_simulation_covers_as_it_should(kind):
    covered, n = simulate_coverage(kind, 200, rng=1)
    assert n == 200 and stats.binom.sf(covered, n, 0.85) < 0.01


def test_the_interval_of_tgbi_alarms_where_there_is_no_bias():
    covered, n = simulate_coverage("tgbi_even", 400, rng=1)
    assert 0.8 < covered / n < 0.95


def test_leaving_out_groups_is_wider_where_groups_differ():
    rng = np.random.default_rng(0)
    moves, groups = np.tile(np.linspace(-1, 1, 9), 10), np.repeat(np.arange(10), 9)
    widths = []
    for spread in (0.05, 1.0):
        means = spread * rng.standard_normal((2, 10))[:, groups]
        noise = 0.5 * rng.standard_normal(90)
        result = clustered_correlation(moves + means[0], moves + means[1] + noise, groups)
        assert result.low < result.r < result.high
        widths.append(result.high - result.low)
    assert widths[0] < widths[1]


def test_two_groups_or_a_constant_have_no_ends():
    assert np.isnan(clustered_correlation([1, 2, 3, 4], [1, 3, 2, 5], list("aabb")).low)
    assert np.isnan(clustered_correlation([1, 1, 1], [1, 2, 3], list("abc")).r)
