"""What a page says besides figures and tables: the answer at its top, the questions at its end."""

import pytest

from lib import pages
from lib.markdown import verbatim
from lib.own_lists import OwnWords

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
    assert "dl.trust dt{clear:both}" in html  # else JupyterLab mixes questions and answers


def test_words_in_an_answer_may_slant_and_a_reader_s_are_shown_as_they_are(displayed):
    pages.trust(
        **ANSWERS | {"agrees": f"As *she* does, and **he**; not {verbatim('<i>*a_b*</i>')}."}
    )
    said = "As <em>she</em> does, and <strong>he</strong>; not &lt;i&gt;*a_b*&lt;/i&gt;."
    assert f"<dd>{said}</dd>" in displayed[0][0].data


@pytest.mark.parametrize("name", ANSWERS)
def test_no_question_is_left_out(name):
    with pytest.raises(ValueError, match=f"{name}: expected an answer"):
        pages.trust(**{**ANSWERS, name: " "})


def test_words_of_the_reader_that_are_not_measured_are_named_with_what_is_there(displayed):
    own = OwnWords({"mine": ("nurse", "Judge", "<b>x")}, ("'nurse' stands there more than once.",))
    pages.own_list(own, {"nurse", "judge"}, "MiniLM")
    box, note = (data for data, _ in displayed)
    assert "2 of 3 words of your own</strong> could not be measured" in box.data
    assert "&#x27;Judge&#x27; (but &#x27;judge&#x27;)" in box.data
    assert "&lt;b&gt;x" in box.data and "<b>" not in box.data
    assert "stands there more than once" in str(note.data)


def test_a_list_that_is_measured_as_it_stands_needs_no_words(displayed):
    pages.own_list(OwnWords({"mine": ("nurse",)}), {"nurse"}, "MiniLM")
    assert displayed == []


def test_pairs_of_the_reader_that_are_not_used_are_named(displayed):
    asked = [("she", "he"), ("<i>ella", "él")]
    pages.own_pairs(asked[1:], asked, "MiniLM")
    pages.own_pairs([], asked, "MiniLM")
    ((box, _),) = displayed
    assert "1 of 2 pairs of your own" in box.data and "&lt;i&gt;ella–él" in box.data
