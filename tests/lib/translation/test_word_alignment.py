"""Word alignment: words that go together, and any shape."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lib.translation.word_alignment import align_words


def test_words_that_go_together_are_aligned():
    english = [["the", "house"], ["the", "book"], ["a", "book"]]
    german = [["das", "Haus"], ["das", "Buch"], ["ein", "Buch"]]
    aligned = align_words(english, german)
    assert [links.argmax(axis=0).tolist() for links in aligned] == [[0, 1]] * 3


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abcd"), max_size=5)] * 2), max_size=6))
def test_any_sentences_are_aligned_in_their_shape(pairs):
    found = align_words([a for a, _ in pairs], [b for _, b in pairs])
    assert [links.shape for links in found] == [(len(a), len(b)) for a, b in pairs]
    assert all((links >= 0).all() and (links.sum(axis=0) <= 1 + 1e-9).all() for links in found)
