"""Scores of rewritten sentences against closed forms, sacrebleu and printed cells."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.sources import fetch
from studies.reinflection.scores import bleu, line_scores

WORDS = st.lists(st.sampled_from(["soy", "lista", "listo", "y", "ya"]), min_size=1, max_size=8)
LINES = st.lists(WORDS.map(" ".join), min_size=1, max_size=6)


def test_words_are_compared_by_place_and_aligned_where_one_is_missing_or_too_many():
    target, other = "Hoy estoy muy lista aquí", "Hoy estoy muy listo aquí"
    outputs = [target, other, "Hoy muy lista aquí", "Hoy estoy yo muy listo aquí", ""]
    scored = line_scores(outputs, [target] * 5, [other] * 5)
    assert scored["right"].tolist() == [True, False, False, False, False]
    assert scored["hits"].tolist() == [1, 0, 1, 0, 0]
    assert scored["kept"].tolist() == [4, 4, 3, 4, 0]
    assert set(scored["marking"]) == {1} and set(scored["words"]) == {5}


@given(LINES, LINES)
@settings(max_examples=30)
def test_bleu_is_that_of_sacrebleu_without_tokenisation(outputs, targets):
    from sacrebleu import corpus_bleu

    n = min(len(outputs), len(targets))
    expected = corpus_bleu(outputs[:n], [targets[:n]], tokenize="none").score
    assert bleu(outputs[:n], targets[:n]) == pytest.approx(expected)


@pytest.mark.sample
@pytest.mark.parametrize(
    ("system", "printed"),
    [("baseline_dev", 97.12), ("single_dev_f", 95.64), ("two_step_dev_f", 97.92)],
)
def test_bleu_is_that_of_table_5_of_habash_and_others(system, printed):
    outputs, targets = (
        Path(fetch(f"habash_{key}")).read_text(encoding="utf-8").splitlines()
        for key in (system, "ref_dev_f")
    )
    assert round(bleu(outputs, targets), 2) == printed
