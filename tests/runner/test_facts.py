"""What is known of a run when the page of its chapter is built."""

import json

import nbformat
import pandas as pd
import pytest

from lib.slug import slug
from runner import facts as module
from runner.book import Book, Chapter
from runner.facts import facts, reading_minutes


def notebook(**cells):
    made = [
        nbformat.v4.new_code_cell(source, metadata={"tags": [tag.replace("_", "-")]})
        for tag, source in cells.items()
    ]
    return nbformat.v4.new_notebook(cells=made)


@pytest.fixture
def book(tmp_path):
    names = ["one", "two"]
    return Book(tmp_path, (), {name: Chapter(name, f"{name}.ipynb", b"") for name in names})


@pytest.fixture(autouse=True)
def card(monkeypatch):
    """In the place of the report card of all recorded runs, one of a few lines."""
    rows = [("two", kind, "reproduced") for kind in ("result", "result", "setting")]
    rows += [("two", "result", "adds up"), ("three", "result", "reproduced")]
    made = pd.DataFrame(rows, columns=["chapter", "kind", "verdict"])
    monkeypatch.setattr(module, "card_of", lambda profile: made)
    monkeypatch.setattr(module, "_card", module._card.__wrapped__)  # nothing is kept


def test_the_run_is_found_by_the_parameters_that_it_was_given(book):
    given = {"seed": 3, "profile": "sample"}
    folder = book.results("sample")
    folder.mkdir(parents=True)
    (folder / f"two--{slug(given)}.run.json").write_text(
        json.dumps({"seconds": 60, "cpu_seconds": 12.5})
    )
    staged = notebook(
        parameters='seed = 0\nprofile = "embedded"',
        injected_parameters="seed = 3\nprofile = 'sample'",
    )
    known = facts(book, "two", staged)
    assert (known.number, known.parameters, known.seconds) == (2, given, 12.5)
    assert known.results is None and known.verdicts == {"reproduced": 2}
    known = facts(book, "one", notebook(parameters="seed = 0"))
    assert (known.number, known.seconds, known.results) == (1, None, None), "it has not run"


def test_reading_takes_a_minute_at_least():
    assert reading_minutes(0, 0) == 1
