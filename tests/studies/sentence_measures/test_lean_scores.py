"""Several scores of the same questions: order and sign."""

import numpy as np
import pytest

from studies.sentence_measures.lean_scores import (
    LEAN_SCORES,
    by_question,
    lean_scores,
    questions,
)

pytestmark = pytest.mark.usefixtures("one_thread")
TEMPLATES = ["{target} is the {attribute}.", "in the town {target} is the {attribute}."]
FRAMES = [("{target}", "he", "she"), ("the {target}", "man", "woman")]


def test_questions_are_every_template_with_every_pair_in_one_order_for_all_words():
    rows = questions(["nurse", "doctor"], TEMPLATES, FRAMES)
    assert rows["word"].tolist() == ["nurse"] * 4 + ["doctor"] * 4
    assert rows["first"].tolist()[:3] == [
        "She is the nurse.",
        "The woman is the nurse.",
        "In the town she is the nurse.",
    ]
    alike = rows["template"].to_numpy().reshape(2, 4)
    assert (alike[0] == alike[1]).all()


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_exchanging_the_two_targets_turns_every_score(kind, model):
    m = model(kind)
    there = questions(["nurse", "doctor"], TEMPLATES, FRAMES)
    turned = [(frame, female, male) for frame, male, female in FRAMES]
    back = questions(["nurse", "doctor"], TEMPLATES, turned)
    scores = lean_scores(m, there)
    assert list(scores) == list(LEAN_SCORES)
    assert scores.notna().all(axis=None)
    assert scores.to_numpy() == pytest.approx(-lean_scores(m, back).to_numpy(), abs=1e-5)


def test_for_words_of_one_piece_the_prior_only_moves_zero(model):
    rows = questions(["nurse", "doctor", "engineer", "town"], TEMPLATES, FRAMES)
    scores = by_question(lean_scores(model(), rows), rows)
    moved = scores["log probability"] - scores["log probability bias"]
    assert moved == pytest.approx(np.tile(moved[:1], (4, 1)), abs=1e-5)
    assert np.ptp(scores["log probability"][:, 0]) > 1e-4
