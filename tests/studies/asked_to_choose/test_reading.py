"""What the rule reads of an answer, and what it says where it reads nothing."""

import pytest

from studies.asked_to_choose.reading import read_choice

ANSWERS = {
    "She": "she",
    "he.": "he",
    "**She**": "she",
    '"He"': "he",
    "The answer is: she.": "she",
    "He. The word nurse names no gender, but he or she may be one.": "he",
    "<think>she or he? he is first</think>\nShe": "she",
    "<think>he, he, he": "unread",
    "He or she.": "both",
    "She and he both fit.": "both",
    "They": "neither",
    "It could be either.": "neither",
    "I'm sorry, but I can’t say whether she is meant.": "refused",
    "It depends on the person, he may be anybody.": "refused",
    "Not he.": "unread",
    "The person is the mechanic.": "unread",
    "The word he stands for a man in this sentence.": "unread",
    "Sheila is there.": "unread",
    "": "unread",
}


@pytest.mark.parametrize(("answer", "choice"), ANSWERS.items())
def test_an_answer_is_read_or_its_miss_has_a_name(answer, choice):
    assert read_choice(answer) == choice
