"""A chapter that was not run: its tests are skipped where a reader runs them, and fail where they decide."""

import pytest

from tests.chapters import runs


@pytest.fixture
def nothing_ran(tmp_path, monkeypatch):
    runs.default_runs("embedded"), runs.default_runs("full")
    monkeypatch.setattr(runs, "ROOT", tmp_path)


def test_it_skips(nothing_ran, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no run of ripa here"):
        runs.run_of("embedded", "ripa")


def test_it_fails_where_that_is_asked_for_and_the_profile_runs_here(nothing_ran, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="make book PROFILE=embedded"):
        runs.run_of("embedded", "ripa")
    with pytest.raises(pytest.skip.Exception):
        runs.run_of("full", "ripa")
