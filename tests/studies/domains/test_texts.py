"""Names of texts in sentences."""

import pytest

from studies.domains.texts import in_a_row


@pytest.mark.parametrize(
    ("names", "said"),
    [([], ""), (["news"], "news"), (["news", "film"], "news and film")]
    + [(["news", "film", "Brown"], "news, film and Brown")],
)
def test_the_last_name_follows_an_and(names, said):
    assert in_a_row(names) == said
