"""Counts of the shared task's data against the eleven papers that print them."""

import pytest

from lib.ledger import claims
from lib.ledger.printed import Printed
from studies.pronoun_resolution.printed_counts import (
    printed_counts,
    read_files,
)

FILES = (
    "gap_development",
    "gap_test",
    "gap_validation",
    "gap_stage2_text",
    "gap_stage2_solution",
    "attree_neither",
    "attree_corrections_development",
    "attree_corrections_validation",
    "attree_corrections_test",
    "ionita_gap_corrections",
    "liu_gap_development_corrected",
    "liu_gap_test_validation_corrected",
)
NOT_AS_PRINTED = {  # the scope of each claim says why
    *(f"attree2019_evidence_pooling.table{table}.{row}" for table in (7, 10) for row in (1, 2, 3)),
    "yang2019_fill_the_gap.table1.4",
}


@pytest.fixture(scope="module")
def files():
    return read_files()


@pytest.mark.sample(*FILES)
def test_every_count_answers_a_claim_of_its_own_and_all_but_seven_come_out(files):
    counts = printed_counts(files)
    found = {}
    for row in counts:
        about = {"paper": row.paper, "location": row.location, "metric": row.metric}
        claim = claims.row(claims.one(**about, **row.about))
        assert (claim["chapter"], claim["procedure"]) == (
            "pronoun_resolution_evidence",
            row.procedure,
        )
        found[claim["claim_id"]] = (
            Printed.of(claim).matches(row.value),
            claim["known_difference"],
            row.value,
        )
    assert len(found) == len(counts) == 204
    assert {claim for claim, (matches, *_) in found.items() if not matches} == NOT_AS_PRINTED
    assert all(known for matches, known, _ in found.values() if not matches)
    moved = [
        claims.printed(claim) - value
        for claim, (_, _, value) in found.items()
        if "offset" in claims.row(claim)["metric"]
    ]
    assert sorted(moved) == [25, 75, 115, 225, 305, 400]  # whole tags of five characters
