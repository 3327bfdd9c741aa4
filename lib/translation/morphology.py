"""Who speaks and who is spoken to, by parsing: any language that stanza has a model for. stanza is an optional extra.

A word says the gender of a person when it agrees with them: a verb or predicate with Gender whose own features, subject or
copula are of that person. Spanish outputs of the book's own translator are read by `lib.translation.gender_spanish`, without a model.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence

from lib.translation.gender import Marking, one_of

EXTRA = "pip install -e '.[morphology]'"
GENDER = {"Fem": "feminine", "Masc": "masculine"}
NUMBER = {"Sing": "singular", "Plur": "plural"}
PERSONS = {"speaker": "1", "audience": "2"}
AGREEING = ("VERB", "ADJ", "AUX", "NOUN", "PRON")


class MorphologyReader:
    """Gender and number of speaker or audience in sentences of one language, by stanza's parser.

    language : stanza's code ("he", "ru", "fr"). folder : where its models lie (default: stanza's own). Nothing is
    downloaded. Raises ValueError, which says how to get them, when stanza or the language's model is not there.
    """

    def __init__(self, language: str, folder: str | None = None):
        try:
            stanza = importlib.import_module("stanza")
        except ImportError as error:
            raise ValueError(
                f"stanza is not installed; it is optional: {EXTRA}, then "
                f"python -c \"import stanza; stanza.download('{language}')\""
            ) from error
        where = {"model_dir": folder} if folder else {}
        try:
            self._parse = stanza.Pipeline(
                language,
                processors="tokenize,mwt,pos,lemma,depparse",
                download_method=None,
                verbose=False,
                **where,
            )
        except (
            Exception
        ) as error:  # stanza has several kinds; all mean that its models are not at hand
            raise ValueError(
                f"stanza has no model for '{language}' at hand ({type(error).__name__}: {str(error)[:120]}); "
                f"python -c \"import stanza; stanza.download('{language}')\""
            ) from error
        self.language = language

    def markings(self, sentences: Sequence[str], person: str = "speaker") -> list[Marking]:
        """One `Marking` for each sentence. person : "speaker" (first person) or "audience" (second)."""
        if person not in PERSONS:
            raise ValueError(f"person must be one of {', '.join(PERSONS)}; got {person!r}")
        if isinstance(sentences, str):
            raise ValueError(
                f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
            )
        return [
            person_marking([part.words for part in self._parse(text).sentences], PERSONS[person])
            if text.strip()
            else Marking("unmarked", "unmarked")
            for text in sentences
        ]


def person_marking(sentences: Sequence[Sequence], person: str) -> Marking:
    """The marking of a person ("1" or "2") in parsed sentences: words with id, head, deprel, upos, text and feats as in
    Universal Dependencies."""
    genders, numbers, forms = [], [], []
    for words in sentences:
        for word in words:
            about = _features(word)
            if about.get("Person") == person and about.get("Number") in NUMBER:
                numbers.append(NUMBER[about["Number"]])
            if (
                about.get("Gender") in GENDER
                and word.upos in AGREEING
                and person in _persons(word, words)
            ):
                genders.append(GENDER[about["Gender"]])
                forms.append(word.text)
    return Marking(one_of(genders), one_of(numbers), tuple(forms))


def _persons(word, words: Sequence) -> Iterator[str]:
    """The persons a word agrees with: its own, its subject's, its copula's or auxiliary's."""
    own = _features(word)
    yield own.get("Person", "")
    for other in words:
        if other.head == word.id and other.deprel.partition(":")[0] in ("nsubj", "cop", "aux"):
            yield _features(other).get("Person", "")


def _features(word) -> dict[str, str]:
    return dict(part.split("=", 1) for part in (word.feats or "").split("|") if "=" in part)
