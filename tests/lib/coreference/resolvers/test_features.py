"""Surface features: what they are on a sentence worked out by hand, and the same for A and B."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.resolvers.features import FEATURES, Name, other_mentions, surface_features

TEXT = (
    "Ann Lee grew up in Ohio. In 1990, Lee met Mary Poe, and later she wrote a book with Mary Poe."
)


def passage(text=TEXT, pronoun="she", a="Ann Lee", b="Mary Poe", url="http://x.org/wiki/Ann_Lee"):
    words = {"Pronoun": pronoun, "A": a, "B": b}
    offsets = {f"{name}-offset": text.index(word) for name, word in words.items()}
    return pd.DataFrame([{"Text": text, "URL": url} | words | offsets])


def named(passages):
    return pd.DataFrame(surface_features(passages)[0], index=["A", "B"], columns=list(FEATURES))


def test_features_of_a_passage_worked_out_by_hand():
    found = named(passage())
    assert found["before"].tolist() == [1, 1]
    assert found["nearer"].tolist() == [0, 1]
    assert found["last before"].tolist() == [0, 1]
    assert found["other between"].tolist() == [1, 0]
    assert found["sentences"].tolist() == [0.25, 0]
    assert found["same sentence"].tolist() == [0, 1]
    assert found["title"].tolist() == [1, 0]
    assert found["title words"].tolist() == [1, 0]
    assert found["opens sentence"].tolist() == [1, 0]
    assert found["subject cue"].tolist() == [0, 0]  # "grew" is no form that the cue knows
    assert found["name length"].tolist() == [0.5, 0.5]
    assert found["pronoun subject"].tolist() == [1, 1]
    # Lee, before the pronoun; Mary Poe, after it
    np.testing.assert_allclose(found["mentions"], np.log([2, 2]) / 2, rtol=1e-6)
    np.testing.assert_allclose(found["mentions before"], [np.log(2) / 2, 0], rtol=1e-6)
    between = len(", and later ")
    np.testing.assert_allclose(found.loc["B", "characters"], np.log1p(between) / 6, rtol=1e-6)
    np.testing.assert_allclose(found.loc["B", "words"], np.log1p(2) / 5, rtol=1e-6)
    np.testing.assert_allclose(found.loc["B", "marks between"], np.log1p(1) / 3, rtol=1e-6)


def test_possessive_pronoun_and_abbreviations():
    found = named(passage("Mr. Ann Lee saw Mary Poe's dog near her house.", pronoun="her"))
    assert found["pronoun possessive"].tolist() == [1, 1]
    assert found["possessive"].tolist() == [0, 1]
    assert found["parallel"].tolist() == [0, 1]
    assert found["same sentence"].tolist() == [1, 1]
    assert found["subject cue"].tolist() == [1, 0]


@given(
    st.permutations(["Ann Lee", "Mary Poe", "she", "Sue", "and", "met.", "Then", "of", "(", ")"]),
    st.sampled_from(["", "http://x.org/wiki/Ann_Lee", "http://x.org/wiki/Sue"]),
)
def test_exchanging_the_names_exchanges_the_rows(words, url):
    text = " ".join(words)
    one = surface_features(passage(text, url=url))
    other = surface_features(passage(text, a="Mary Poe", b="Ann Lee", url=url))
    np.testing.assert_array_equal(one, other[:, ::-1])
    assert (one >= 0).all()
    assert (one <= 1.3).all()


def test_other_mentions_leave_out_shared_parts_and_the_names_themselves():
    text = "Ann Lee met Mary Lee. Ann fell; Lee too. Mary Lee saw Ann Lee."
    names = Name("Ann Lee", (0, 7)), Name("Mary Lee", (12, 20))
    assert [text[slice(*place)] for place in other_mentions(text, *names)] == ["Ann", "Ann Lee"]
    assert [text[slice(*place)] for place in other_mentions(text, *names[::-1])] == ["Mary Lee"]
