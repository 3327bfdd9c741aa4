"""What the chapter `multiclass` found: only counts of the design answer the paper on vectors that cannot be its own."""

import pytest

from tests.chapters.runs import run_of


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_scores_of_other_vectors_answer_no_printed_score(profile):
    answered = set(run_of(profile, "multiclass")["claim_id"]) - {""}
    assert answered == {"lu2021_bold_and_beyond.sec32.1", "lu2021_bold_and_beyond.sec33.1"}
