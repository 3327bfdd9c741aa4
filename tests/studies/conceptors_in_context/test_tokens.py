"""Words in sentences of ours, or where they occur in a corpus."""

import numpy as np

from studies.conceptors_in_context.tokens import Texts, read_texts, texts_of, token_vectors


class Reader:
    """Gives each word the length of its sentence."""

    def encode(self, sentences, words):
        assert all(word in line.lower() for word, line in zip(words, sentences))
        return np.array([[len(line), 0.0] for line in sentences])


def test_words_stand_in_each_frame():
    found = token_vectors(
        Reader(), ["Anna", "guest", "anna"], ["{} left.", "I saw {}."], Texts([], {})
    )
    assert [*found] == ["anna", "guest"] and found["anna"][:, 0].tolist() == [10, 11]


def test_words_are_read_where_they_occur_and_no_more_often_than_asked():
    lines = [["The", "guest", "left"], ["A", "guest"], ["Nobody"], ["guest"] * 101]
    texts = texts_of(lines)
    assert texts.sentences == ["The guest left", "A guest", "Nobody"]
    assert texts.occurs["guest"] == [0, 1]
    both = token_vectors(Reader(), ["guest", "voter"], [], texts)
    assert [*both] == ["guest"] and both["guest"][:, 0].tolist() == [14, 7]
    assert len(token_vectors(Reader(), ["guest"], [], texts, most=1)["guest"]) == 1
    assert token_vectors(Reader(), ["voter"], [], texts) == {}
    assert not read_texts("book").sentences
