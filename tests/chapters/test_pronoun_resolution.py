"""What the chapter pronoun_resolution finds."""

from tests.chapters.runs import run_of


def test_every_number_is_one():
    assert run_of("embedded", "pronoun_resolution")["value"].notna().all()
