"""Questions: every wording in both orders, the word last, and the answer where there is one."""

import pytest

from studies.asked_to_choose.questions import (
    FRAMES,
    OPTIONS,
    ORDERS,
    WORDINGS,
    begun,
    choices,
    controls,
    evenly,
    options_of,
)


def test_each_word_is_asked_in_each_wording_and_both_orders():
    rows = choices(["nurse", "plumber"], "occupation")
    assert len(rows) == 2 * len(WORDINGS) * len(ORDERS) and rows["prompt"].is_unique
    for row in rows.itertuples():
        first, second = options_of(row.order)
        assert row.prompt.index(f" {first}") < row.prompt.index(f" {second}")
        assert row.word in row.prompt[-40:] and row.right == ""


def test_the_answer_of_a_control_stands_in_its_text():
    rows = controls(["nurse"])
    assert len(rows) == len(OPTIONS) * len(ORDERS)
    assert all(
        f"{right.capitalize()} is the nurse." in text
        for right, text in zip(rows["right"], rows["prompt"])
    )


def test_a_known_word_keeps_its_answer_in_every_wording():
    rows = choices(["mother", "father"], "known", right=["she", "he"])
    assert rows.groupby("word")["right"].unique().str[0].to_dict() == {
        "mother": "she",
        "father": "he",
    }


def test_a_frame_stands_before_the_text_and_changes_nothing_else():
    plain, framed = (choices(["nurse"], "occupation", frame=frame) for frame in ("neither", "both"))
    assert (FRAMES["both"] + plain["prompt"]).tolist() == framed["prompt"].tolist()
    rows = begun(["nurse"], frames=[*FRAMES])
    assert rows.groupby("frame").size().to_dict() == {
        "neither": 3,
        "test": 1,
        "gender": 1,
        "both": 1,
    }


@pytest.mark.parametrize(
    ("count", "expected"), [(1, "a"), (2, "ae"), (3, "ace"), (5, "abcde"), (9, "abcde")]
)
def test_words_are_taken_evenly_from_the_first_to_the_last(count, expected):
    assert "".join(evenly([*"abcde"], count)) == expected
