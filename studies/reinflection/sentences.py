"""Spanish sentences in both genders, of those who speak, of others, and of nobody."""

from collections.abc import Iterable, Sequence
from pathlib import Path

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


def paired_sentences(pairs: Iterable[Sequence[str]]) -> pd.DataFrame:
    """Sentences of one's own, (as a man says it, as a woman says it), in the form of `own_sentences`; two that are the same mark
    nobody. What an interval resamples is the pair.
    """
    rows = [tuple(" ".join(str(form).split()) for form in pair) for pair in pairs]
    for row in rows:
        if len(row) != 2 or not all(row):
            raise ValueError(f"expected two sentences, as a man and as a woman, got {row!r:.80}")
        if len(row[0].split()) != len(row[1].split()):
            raise ValueError(f"expected as many words in both forms, got {row[0]!r} and {row[1]!r}")
    rows = list(dict.fromkeys(rows))
    if len(rows) < 2:
        raise ValueError(f"expected two pairs of sentences or more, got {len(rows)}")
    speakers = pd.DataFrame(
        [(man, woman, woman) for man, woman in rows if man != woman],
        columns=["masculine", "feminine", "form"],
    )
    plain = [man for man, woman in rows if man == woman]
    return pd.concat([both_forms(speakers), unchanged(plain, ABOUT[2], plain)], ignore_index=True)


def read_paired(path: str | Path) -> pd.DataFrame:
    """`paired_sentences` of a CSV file with the columns masculine and feminine."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
    lacking = {"masculine", "feminine"} - set(table.columns)
    if lacking:
        raise ValueError(
            f"{path}: expected the columns masculine and feminine, got {', '.join(table.columns)}"
        )
    return paired_sentences(table[["masculine", "feminine"]].to_numpy().tolist())


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
