"""WinoMT's files: the sentences of the paper, and released outputs of them."""

import numpy as np
import pandas as pd
import pytest

from lib.translation.winomt import read_sentences
from studies.translated_gender import winomt
from studies.translated_gender.winomt import (
    HUMAN,
    LOGS,
    PUBLISHED,
    human_genders,
    published_translations,
    with_adjectives,
)


def test_counts_of_a_log_are_all_sentences():
    assert all([sum(row) for row in log] == [1826, 1822, 240] for log in LOGS.values())


def test_scores_follow_from_counts_as_the_logs_print_them():
    assert PUBLISHED["google", "es"] == (53.1, 63.4, 40.0, 81.4, 28.5)
    assert PUBLISHED["bing", "he"] == (48.1, 55.8, 40.9, 67.9, 34.7)
    assert PUBLISHED["google", "fr"] == (63.6, 69.7, 63.3, 80.1, 52.5)
    assert PUBLISHED["google", "de"].delta_g == 12.5


@pytest.mark.sample("winomt_en", *(key for _, keys in HUMAN.values() for key in keys))
@pytest.mark.parametrize("language", HUMAN)
def test_people_read_translations_of_these_sentences(language):
    people = human_genders(language)
    assert len(people) == 100 * len(HUMAN[language][1])
    says = read_sentences()["person"].str.lower().str.strip()
    named = people["person"].str.lower().str.replace(r"^(?:the|an?) ", "", regex=True).str.strip()
    of_index = says[people["index"]].str.replace(r"^(?:the|an?) ", "", regex=True).to_numpy()
    assert (named.to_numpy() == of_index).mean() > 0.97


def test_a_file_with_other_lines_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "out.txt").write_text("a ||| b\nc\n")
    monkeypatch.setattr(winomt, "fetch", lambda key: tmp_path / "out.txt")
    sentences = pd.DataFrame({"text": ["a", "c"], "person": "x", "place": 0, "gender": "male"})
    monkeypatch.setattr(winomt, "read_sentences", lambda: sentences)
    refuses(
        lambda: published_translations("google", "es"),
        ["winomt_out_google_en_es", "2 lines 'English ||| translation'"],
    )
    (tmp_path / "out.txt").write_text("a ||| b\nd ||| c\n")
    refuses(lambda: published_translations("google", "es"), ["sentences of WinoMT, got 'd'"])


@pytest.mark.sample("winomt_en", "winomt_out_google_en_es")
def test_an_output_is_paired_with_the_sentence_of_its_line_not_of_its_number():
    released, sentences = published_translations("google", "es"), read_sentences()
    differ = released["text"].to_numpy() != sentences["text"].to_numpy()
    assert np.flatnonzero(differ).tolist() == [2120, 2121]
    columns = [*sentences.columns, "translation"]
    again = released.loc[[2120, 2121], columns].to_numpy()
    assert (again == released.loc[[536, 537], columns].to_numpy()).all()


@pytest.mark.sample("winomt_en", "winomt_en_pro", "winomt_en_anti", "winomt_out_google_adj_en_es")
def test_adjectives_are_put_into_the_anti_stereotypical_sentences():
    assert len(with_adjectives("es")) == 1584
