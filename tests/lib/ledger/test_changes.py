"""Numbers of a version that is out against those recorded now: what counts as the same number, and as a change."""

import json
import math

import pandas as pd
import pytest

from lib.ledger import changes as module
from lib.ledger.changes import changes, freeze, summary, versions
from lib.ledger.results import RESULT_COLUMNS, to_csv
from lib.paths import DATA
from scripts.tools.freeze_version import main

OLD = [
    ("kappa", {"way": "exact", "tests": 4}, "news@sha256:aa11", 0.5),
    ("kappa", {"way": "drawn"}, "news@sha256:aa11", 0.25),
    ("share", {}, "news@sha256:aa11;film@sha256:bb22", 0.125),
    ("share", {}, "film@sha256:bb22", 0.75),
]


def rows(found, chapter="alpha"):
    return pd.DataFrame(
        [
            (chapter, "sample", name, claim, value, "", "", "", json.dumps(settings), data)
            for name, settings, data, value, *claims in found
            for claim in (claims or [""])
        ],
        columns=RESULT_COLUMNS,
    )


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Numbers of version 0.1.0, and a function that records those of now."""
    monkeypatch.setattr("lib.ledger.results.ROOT", tmp_path)
    monkeypatch.setattr(module, "VERSIONS", tmp_path / "data" / "results" / "versions")
    folder = tmp_path / "data" / "results" / "sample"
    folder.mkdir(parents=True)

    def record(found, chapter="alpha"):
        (folder / f"{chapter}--seed=0.csv").write_text(to_csv(rows(found, chapter)))

    record(OLD)
    freeze("0.1.0", tmp_path / "data" / "results", module.VERSIONS)
    return record


def test_nothing_has_changed_where_the_numbers_are_the_same(book):
    assert changes("alpha").empty
    assert summary("alpha") == "Since version 0.1.0: none of 4 recorded numbers changed."


def test_changed_new_and_gone_are_counted_and_the_largest_change_comes_first(book):
    kappa, drawn, *_, share = OLD
    more = [(*kappa[:3], 0.5001), (*drawn[:3], 0.3), share, ("rank", {}, "news", 3)]
    book(more)
    found = changes("alpha", since="0.1.0")
    assert list(found.change) == ["changed", "changed", "gone", "new"]
    assert list(found.quantity) == ["kappa", "kappa", "share", "rank"]
    assert list(found.before[:3]) == [0.25, 0.5, 0.125] and math.isnan(found.before[3])
    assert list(found.now[:2]) == [0.3, 0.5001] and found.now[3] == 3
    assert found.by[0] == pytest.approx(1 / 6) and found.by[1:].max() < 0.001
    assert list(found.settings[:2]) == ["way: drawn", "way: exact, tests: 4"]
    assert found.data[2] == "news; film"
    assert summary("alpha") == (
        "Since version 0.1.0: 2 of 4 recorded numbers changed (1 by more than a thousandth), 1 is new, 1 is gone."
    )


@pytest.mark.parametrize(("by", "changed"), [(1e-9, 0), (3e-9, 1)])
def test_rounding_is_no_change(book, by, changed):
    book([(*row[:3], row[3] * (1 + by)) for row in OLD[:1]] + OLD[1:])
    assert len(changes("alpha")) == changed


def test_a_hash_of_the_data_or_a_claim_more_makes_no_other_number(book):
    book([(*row[:2], row[2].replace("aa11", "cc33"), row[3], "", "a.claim") for row in OLD])
    assert changes("alpha").empty


def test_a_number_under_other_settings_is_the_same_number(book):
    book([("kappa", {"way": "exact", "procedure": "printed"}, "news", 0.5), *OLD[1:]])
    assert changes("alpha").empty
    book([("kappa", {"way": "exact", "procedure": "printed"}, "film", 0.5), *OLD[1:]])
    assert sorted(changes("alpha").change) == ["gone", "new"]


def test_a_chapter_that_is_new_or_unknown_is_no_error(book):
    book(OLD, chapter="beta")
    assert summary("beta") == (
        "Since version 0.1.0: all 4 recorded numbers of this chapter are new."
    )
    assert list(changes("beta").change) == ["new"] * 4
    assert summary("gamma") == "" and changes("gamma").empty


def test_what_cannot_be_kept_or_compared_is_told(book, tmp_path, refuses):
    results = tmp_path / "data" / "results"
    refuses(lambda: freeze("0.1.0", results, module.VERSIONS), ["0.1.0 is kept already"])
    refuses(lambda: freeze("v2", results, module.VERSIONS), ["expected three numbers", "'v2'"])
    refuses(lambda: freeze("0.2.0", tmp_path, module.VERSIONS), ["no results in", "make record"])
    refuses(lambda: changes("alpha", since="0.1.1"), ["since", "0.1.1", "0.1.0"])


def test_the_command_says_what_it_kept_or_why_not(capsys):
    assert main(["0.1.0"]) == 2 and "kept already" in capsys.readouterr().err


def test_what_the_checkout_keeps_is_read_and_small():
    assert "0.1.0" in versions()
    files = list(module.VERSIONS.glob("*/*.csv"))
    assert len(files) >= 11 and sum(path.stat().st_size for path in files) < 1.5e6
    for chapter in sorted((DATA / "results" / "sample").glob("*.csv"))[:3]:
        name = chapter.name.partition("--")[0]
        assert summary(name, since="0.1.0").startswith("Since version 0.1.0: ")
