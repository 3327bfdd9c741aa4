"""What a page says besides figures and tables: the answer at its top, the questions at its end."""

import pytest

from lib import pages

ANSWERS = {
    "repeats": "In 9 of 10 draws.",
    "agrees": "Yes.",
    "beyond_chance": "p < .01",
    "predicts": "Not tried.",
    "cannot_show": "Harm.",
}


def test_the_answer_is_a_list_and_carries_the_card_of_the_landing_page(displayed):
    pages.take_away(
        "**Often.** 9 of\n 10.", "**So** ask twice.", finding="Ask twice", number="9 of 10."
    )
    data, options = displayed[0]
    assert data["text/markdown"].splitlines()[2:] == [
        "- **Often.** 9 of 10.",
        "- **So** ask twice.",
    ]
    assert options["metadata"]["finding"] == {"finding": "Ask twice", "number": "9 of 10."}


@pytest.mark.parametrize(
    "sentences, finding, said",
    [
        (["One."], "Title", "expected 2 to 4, got 1"),
        (["One.", " "], "Title", "got an empty one"),
        (["One.", "Two."], "", "got an empty one"),
        (["One.", "Two."], "a " * 11, "at most 10 words, got 11"),
    ],
)
def test_an_answer_that_says_nothing_is_refused(sentences, finding, said):
    with pytest.raises(ValueError, match=said):
        pages.take_away(*sentences, finding=finding, number="1.")


def test_each_question_has_its_answer_below_it(displayed):
    pages.trust(**ANSWERS)
    html = displayed[0][0].data
    assert html.count("<dt>") == 5
    assert "<dt>Is it more than chance? " in html and "<dd>p &lt; .01</dd>" in html


@pytest.mark.parametrize("name", ANSWERS)
def test_no_question_is_left_out(name):
    with pytest.raises(ValueError, match=f"{name}: expected an answer"):
        pages.trust(**{**ANSWERS, name: " "})
