"""The counts of Bai et al. that are shipped are those of the released files."""

import pytest

from scripts.tables.bai_counts import tables
from studies.asked_to_choose.bai2025 import TESTS, VARIANTS, answer_key

KEYS = [answer_key(test, variant) for test in TESTS for variant in VARIANTS]
MORE = ("result_chained", "result_absolute")
LISTS = ("iat_stimuli_synonym", "iat_stimuli_analysis")


@pytest.mark.sample(
    *KEYS, *(f"bai_data_{name}" for name in MORE), *(f"bai_stimuli_{name}" for name in LISTS)
)
def test_the_shipped_tables_are_what_the_registered_files_give():
    for path, text in tables().items():
        assert path.read_text(encoding="utf-8") == text
