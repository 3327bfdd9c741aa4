"""Names of texts in sentences."""

from studies.domains.texts import in_a_row


def test_the_last_name_follows_an_and():
    assert [in_a_row(["news", "film", "Brown"][:count]) for count in range(4)] == [
        *("", "news", "news and film"),
        "news, film and Brown",
    ]
