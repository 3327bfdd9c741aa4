"""The figures of GEST that are shipped are those of the released files."""

import pytest

from lib.datasets.gest import TEMPLATES
from scripts.tables.gest_scores import summary
from studies.stereotypes.gest import MODELS, SUMMARY, score_key

SCORES = [
    score_key(model.name, template)
    for model in MODELS
    for template in range(len(TEMPLATES[model.kind]))
]


@pytest.mark.sample("gest_data_gest", *SCORES)
def test_the_shipped_table_is_what_the_registered_files_give():
    assert SUMMARY.read_text(encoding="utf-8") == summary().to_csv(index=False)
