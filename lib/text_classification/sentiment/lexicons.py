"""Sentiment by lists of words: VADER and the opinion lexicon, as baselines that know no context."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lib.datasets.corpora import zipped_texts
from lib.text_classification.sentiment.classifier import checked_sentences

OPINION = "nltk_opinion_lexicon"


class Vader:
    """VADER: a list of 7,500 words with values, and rules for negation, emphasis, capitals and punctuation.

    Its compound score runs from −1 to 1; `positive` is (1 + compound) / 2, so that .5 is neutral. It is no probability.

    References
    ----------
    Hutto and Gilbert (2014).

    Examples
    --------
    >>> Vader().positive(["She is a nurse.", "She is a wonderful nurse."]).round(2)
    array([0.5 , 0.79])
    """

    name = "VADER"
    source = "vaderSentiment 3.3.2"

    def __init__(self) -> None:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        self._analyser = SentimentIntensityAnalyzer()

    @property
    def values(self) -> Mapping[str, float]:
        """Its words and their values, −4 to 4."""
        return self._analyser.lexicon

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """(1 + compound) / 2 of each sentence.

        Raises
        ------
        ValueError
            For no sentence, or one that is no text.
        """
        texts = checked_sentences(sentences)
        compound = [self._analyser.polarity_scores(text)["compound"] for text in texts]
        return (1 + np.array(compound)) / 2


@dataclass(frozen=True)
class WordList:
    """Counts of positive and negative words.

    `positive` is p / (p + n) of the p positive and n negative words in a sentence, and .5 where there is none. It is no
    probability.

    Attributes
    ----------
    name, source : str
    values : mapping of str to float
        1 for positive words, −1 for negative ones, in lower case.

    Examples
    --------
    >>> words = WordList("two words", "here", {"good": 1, "dull": -1})
    >>> words.positive(["A good, good, dull day.", "A day."]).round(2)
    array([0.67, 0.5 ])
    """

    name: str
    source: str
    values: Mapping[str, float] = field(repr=False)

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """The share of positive words among those with a value.

        Raises
        ------
        ValueError
            For no sentence, or one that is no text.
        """
        found = []
        for text in checked_sentences(sentences):
            values = [self.values[word] for word in words_of(text) if word in self.values]
            found.append(np.mean([value > 0 for value in values]) if values else 0.5)
        return np.array(found)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, hyphens and apostrophes within them kept.

    Examples
    --------
    >>> words_of("The well-known man didn't.")
    ['the', 'well-known', 'man', "didn't"]
    """
    return re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text.lower())


def opinion_lexicon() -> WordList:
    """Hu and Liu's opinion lexicon: 2,006 positive and 4,783 negative words. Needs the `sample` files.

    A word on both lists has no value.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Hu and Liu (2004).
    """
    positive, negative = (
        _words_in(next(zipped_texts(OPINION, rf"opinion_lexicon/{side}-words\.txt"))[1])
        for side in ("positive", "negative")
    )
    values = dict.fromkeys(positive - negative, 1.0) | dict.fromkeys(negative - positive, -1.0)
    return WordList("opinion lexicon", OPINION, values)


def _words_in(text: str) -> set[str]:
    """The entries of a file, whose comments begin with a semicolon."""
    lines = (line.strip().lower() for line in text.splitlines())
    return {line for line in lines if line and not line.startswith(";")}


def valued_words(lexicon: Vader | WordList, texts: Sequence[str]) -> dict[str, float]:
    """The words of some texts that a lexicon has a value for: whether it can see a difference between them at all.

    Parameters
    ----------
    lexicon : Vader or WordList
    texts : sequence of str

    Returns
    -------
    dict of str to float
        In the order of the texts, each word once.

    Raises
    ------
    ValueError
        For no text, or one that is none.

    Examples
    --------
    >>> valued_words(Vader(), ["My mother is a clerk.", "A kind clerk."])
    {'kind': 2.4}
    """
    words = [word for text in checked_sentences(texts) for word in words_of(text)]
    return {word: lexicon.values[word] for word in words if word in lexicon.values}
