"""The printed table from the released outputs, the counts behind its cells, and other ways to make the index."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.ledger.claims import load_claims
from lib.translation.tgbi import (
    set_score,
    translation_gender_bias_index,
)
from studies.translation_index.cho2019 import PARTITIONS, SETS, SYSTEMS, released_outputs
from studies.translation_index.variants import (
    printed_counts,
    small_set_bias,
    truncated,
)

CORPUS = [
    f"tgbi_total_{part}"
    for system in SYSTEMS
    for part in (*(f"{system}_{end}" for _, end in SETS.values()),)
]
CORPUS += [f"tgbi_total_{end}" for end, _ in SETS.values()]


def test_a_number_is_cut_off_and_not_rounded():
    assert [truncated(value) for value in (406 / 2118, 1 / 2118, 0.035, 0.29973, 0.3, 1)] == [
        0.1916,
        0.0004,
        0.035,
        0.2997,
        0.3,
        1,
    ]


@pytest.mark.sample(*CORPUS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_released_outputs_give_every_printed_cell_when_cut_off(system):
    claims = load_claims()
    printed = claims[
        claims.claim_id.str.startswith("cho2019_tgbi.table1") & (claims.system == SYSTEMS[system])
    ]
    found = translation_gender_bias_index(released_outputs(system).outputs)
    averages = printed.setting.str.contains("mean of")
    cells = printed[~averages]
    assert len(cells) == 21
    for cell in cells.itertuples():
        score = found.sets[cell.setting.removeprefix("sentence_set=").partition(";")[0]]
        ours = {"P_s": score.score, "p_w": score.p_female, "p_n": score.p_neutral}[cell.metric]
        assert f"{truncated(ours):.4f}" == str(cell.value), cell.claim_id
    (mean,) = printed[averages].value
    assert (f"{truncated(found.index):.4f}" == str(mean)) == (system != "google")
    if system == "google":
        assert (str(mean), truncated(found.index)) == ("0.2992", 0.2997)


@given(st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 2500)).filter(any))
def test_counts_are_found_again_from_cells_cut_off_at_four_decimals(given_counts):
    female, male, neutral = given_counts
    found = set_score(female, male, neutral)
    cells = map(truncated, (found.p_female, found.p_neutral, found.score))
    assert (female, neutral) in printed_counts(*cells, found.n)


def test_every_printed_cell_has_one_count_behind_it_and_those_of_papago_cannot_come_from_one_run():
    claims = load_claims()
    cells = claims[
        claims.claim_id.str.startswith("cho2019_tgbi.table1")
        & claims.setting.str.contains("n_sentences")
    ]
    cells = cells.assign(
        value=cells.value.astype(float),
        set=cells.setting.str.extract(r"set=(\w+)")[0],
        n=cells.setting.str.extract(r"n_sentences=(\d+)")[0].astype(int),
    )
    cells = cells.pivot(index=["system", "set", "n"], columns="metric", values="value")
    found = {
        (system, name): printed_counts(row.p_w, row.p_n, row.P_s, n)
        for (system, name, n), row in cells.iterrows()
    }
    assert len(found) == 21 and all(len(pairs) == 1 for pairs in found.values())
    totals = {
        system: {
            tuple(np.sum([found[system, name][0] for name in parts], axis=0))
            for parts in PARTITIONS.values()
        }
        for system in SYSTEMS.values()
    }
    assert totals == {
        "Google Translator": {(429, 7)},
        "Kakao Translator": {(67, 1)},
        "Naver Papago": {(409, 2), (490, 1), (213, 6)},
    }
    assert printed_counts(0.5, 0.0, 0.1, 100) == []


def test_small_sets_score_too_low_and_large_ones_hardly():
    small, large = small_set_bias((0.0, 0.99, 0.01), [10, 10_000], 500, rng=0)
    assert small < -0.03 and abs(large) < 0.002
    assert small_set_bias((0, 1, 0), [10], 5, rng=0) == [0]
