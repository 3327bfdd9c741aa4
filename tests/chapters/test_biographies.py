"""What the chapter biographies finds."""

from tests.chapters.runs import run_of


def test_every_number_is_one():
    assert run_of("embedded", "biographies")["value"].notna().all()
