"""Job titles are cleaned, and lists hold each word once."""

import pytest

from lib.datasets import kurita2019


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(kurita2019, "fetch", lambda key: tmp_path / "file")

    return write


def test_job_titles_are_cleaned_and_missing_ones_stay_missing(file):
    file('Name,Job Title,Pay\nA,"CLERK  TYPIST 1 ",1\nB,,2\nC,Chief of Staff,3\n')
    titles = kurita2019.read_job_titles()
    assert titles.dropna().tolist() == ["clerk typist 1", "chief of staff"] and len(titles) == 3


def test_lists_hold_each_word_once(file):
    file("Kind\n\nbrave \nKIND\nwell read\n")
    assert kurita2019.read_words("kurita_positive_traits") == ["kind", "brave", "well read"]


@pytest.mark.sample("kurita_employee_salaries", *kurita2019.KEYS)
def test_the_files_have_the_length_of_the_repository():
    assert len(kurita2019.read_job_titles()) == 6882
    assert all(kurita2019.read_words(key) for key in kurita2019.KEYS)
