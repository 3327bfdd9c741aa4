"""Systems on planted vectors: a gap where one is planted, none where nothing is; scores likewise."""

import numpy as np
import pytest

from lib.embeddings import Embedding
from lib.embeddings.trained import load_space
from lib.lexicons import base_pairs, load_lexicon
from studies.predictive_validity.forcing import (
    ARMS,
    AS_TRAINED,
    REMOVED,
    arm_signs,
    grid_rows,
)
from studies.predictive_validity.scores import JOB_SCORES, SCORES, intrinsic_scores
from studies.predictive_validity.systems import (
    coreference_gap,
    sentiment_gap,
    system_signs,
)
from studies.predictive_validity.words import gendered_words, job_halves, score_signs

WIDTH = 24


def space(strength=0.0, seed=0):
    """Random words with a female-male direction; words of score and systems lean by their stereotype."""
    rng = np.random.default_rng(seed)
    lists = load_lexicon("gender_specific")
    sides = dict.fromkeys(lists["female"], 1) | dict.fromkeys(lists["male"], -1)
    for female, male in (*load_lexicon("two_people")["known_pairs"], *base_pairs()):
        sides |= {female: 1, male: -1}
    others = load_lexicon("caliskan2017")
    leans = {word: strength * sign for word, sign in arm_signs("both").items()}
    words = list(
        dict.fromkeys(
            [
                *sides,
                *leans,
                *load_lexicon("two_people")["participants"],
                *(word for name in ("female_terms", "male_terms_8") for word in others[name]),
            ]
        )
    )
    vectors = rng.standard_normal((len(words), WIDTH))
    vectors[:, 0] = 0.2 * vectors[:, 0] + [5 * sides.get(w, 0) + leans.get(w, 0) for w in words]
    return Embedding(words, vectors.astype(np.float32))


def test_no_word_of_the_scores_is_one_of_the_systems():
    first, second = job_halves()
    assert not set(first.all) & set(second.all)
    assert (
        abs(len(first.female) - len(second.female)) <= 1 >= abs(len(first.male) - len(second.male))
    )
    assert not set(score_signs()) & (set(system_signs()) | gendered_words())


def test_each_score_of_jobs_has_the_sign_of_what_was_planted():
    women, none, men = (intrinsic_scores(space(lean)) for lean in (2.0, 0.0, -2.0))
    for name in JOB_SCORES:
        if name != "mean |cosine|":
            assert women[name] > 4 * abs(none[name]) and men[name] < -4 * abs(none[name]), name


def test_the_resolver_knows_its_nouns_and_has_the_gap_that_was_planted():
    strong, none, turned = (coreference_gap(space(lean)) for lean in (3.0, 0.0, -3.0))
    assert strong.accuracy == none.accuracy == 1
    assert strong.gap > 0.8 and turned.gap < -0.8 and abs(none.gap) < 0.3


def test_the_rater_has_the_gap_that_was_planted():
    assert sentiment_gap(space(2.0)).gap > 0.1 > abs(sentiment_gap(space(0.0)).gap)
    assert sentiment_gap(space(-2.0)).gap < -0.1


def test_what_the_score_reads_moves_no_gap_and_what_systems_read_no_score():
    rows = grid_rows(load_space("brown"), corpus="brown", seed=0, strengths=(2.0,)).set_index("arm")
    assert list(rows.index) == [AS_TRAINED, REMOVED, *ARMS]
    start, of_scores, of_systems = (rows.loc[arm] for arm in (AS_TRAINED, ARMS[1], ARMS[2]))
    gaps = ["coreference gap", "sentiment gap", "biographies gap"]
    assert of_scores[gaps].tolist() == pytest.approx(start[gaps].tolist(), abs=1e-3)
    assert of_scores["WEAT jobs"] > start["WEAT jobs"] + 1
    exact = [name for name in SCORES if name != "neighbours"]
    assert of_systems[exact].tolist() == pytest.approx(start[exact].tolist(), abs=1e-5)
    assert of_systems["coreference gap"] > start["coreference gap"] + 0.2
