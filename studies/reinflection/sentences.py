"""Spanish sentences in both genders, of those who speak, of others, and of nobody."""

import pandas as pd

from lib.lexicons import load_lexicon
from lib.translation.evaluation_sets import feminine, first_person_set, plain_set

COLUMNS = ["about", "given", "sentence", "masculine", "feminine", "adjective"]
ABOUT = ("the speaker", "somebody else", "nobody")


def both_forms(speakers: pd.DataFrame) -> pd.DataFrame:
    """Sentences of `lib.translation.evaluation_sets.first_person_set`, given once in each form: columns `COLUMNS`, about "the
    speaker".
    """
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "about": "the speaker",
                    "given": given,
                    "sentence": speakers[given],
                    "masculine": speakers["masculine"],
                    "feminine": speakers["feminine"],
                    "adjective": speakers["form"],
                }
            )
            for given in ("masculine", "feminine")
        ],
        ignore_index=True,
    )


def unchanged(sentences: list[str], about: str, adjectives: list[str]) -> pd.DataFrame:
    """Sentences that do not mark who speaks, so that they are the same in both genders."""
    return pd.DataFrame(
        {
            "about": about,
            "given": "neither",
            "sentence": sentences,
            "masculine": sentences,
            "feminine": sentences,
            "adjective": adjectives,
        }
    )


def own_sentences() -> pd.DataFrame:
    """Sentences written for this book, whose adjectives no model here was trained on: columns `COLUMNS`.

    about: one of `ABOUT`; given: "masculine", "feminine" or "neither"; adjective: what an interval resamples, for sentences about
    nobody the sentence itself.
    """
    lexicon = load_lexicon("first_person")
    others = [
        (frame.format(form if gender == "masculine" else feminine(form)), form)
        for copula in ("estar", "ser")
        for gender, frame in load_lexicon("reinflection")[f"others_{copula}"]
        for _, form in lexicon[f"being_{copula}"]
    ]
    plain = plain_set()["spanish"].tolist()
    return pd.concat(
        [
            both_forms(first_person_set()),
            unchanged([text for text, _ in others], ABOUT[1], [form for _, form in others]),
            unchanged(plain, ABOUT[2], plain),
        ],
        ignore_index=True,
    )


def kinds_of_sentence() -> pd.DataFrame:
    """Sentences beyond an adjective in -o or -a after a copula, given in each form: columns kind, given, sentence, masculine,
    feminine. Sentences that mark nobody are given once, as "neither".
    """
    rows = []
    for kind, man, woman in load_lexicon("reinflection")["kinds"]:
        if man == woman:
            rows.append((kind, "neither", man, man, woman))
        else:
            rows += [(kind, "masculine", man, man, woman), (kind, "feminine", woman, man, woman)]
    return pd.DataFrame(rows, columns=["kind", "given", "sentence", "masculine", "feminine"])


def e_forms() -> pd.DataFrame:
    """Sentences in -o, -a and -e: columns kind, masculine, feminine, e."""
    rows = load_lexicon("reinflection")["e_forms"]
    return pd.DataFrame(rows, columns=["kind", "masculine", "feminine", "e"])
