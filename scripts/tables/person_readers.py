"""Make data/released/person_readers.csv: how the readers of `audit.translator.persons` agree with people.

python -m scripts.tables.person_readers, with the files of profile `sample`. People labelled the person of 100 outputs of WinoMT in Russian
and in Ukrainian, and marked the forms of a gender in MT-GenEval's references. The rules were written with WinoMT's labels in
sight, and with the pairs of MT-GenEval that have odd numbers; the others were kept for this test.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from audit.translator import PERSON_READERS
from audit.translator.persons import ALL_READERS, alignable
from lib.command import command
from lib.files import write_together
from lib.inference.bootstrap import clustered_share
from lib.lexicons import word_list
from lib.sources import fetch
from lib.translation.person_gender import target_words
from lib.translation.winomt import read_sentences, tokens
from lib.translation.word_alignment import align_words

LABELLED = {"ru": "winomt_human_ru_google_ru_in", "uk": "winomt_human_uk_google_gold_uk_in"}
GENDERS = {"M": "male", "F": "female", "N": "neutral"}
MARKED = re.compile(r"(<[FM]>.*?</[FM]>)")
# Words of a man, or the same of a woman, that are verbs, adjectives, participles, pronouns or plural: no noun for one person
NO_NOUN = re.compile(
    r"(?:л|лся|ый|ий|ой|его|ого|ему|ому|ым|им|[аеоя]н|[ыия]т|вш\w+|ов|ев|ей|ами|ями|ам|ям|ах|ях|и|ы)$"
)
VERB_OF_HER = re.compile(r"(?:ла|лась)$")
SEEN = 8  # first pairs that were seen, too
OTHERS = {"один", "она", "он", "них", "себя", "женат"}

Phrase = tuple[list[str], int]  # words of a sentence, and the place that is read


def labelled(language: str) -> pd.DataFrame:
    """Persons of WinoMT to whom people gave a gender: cluster (the English word), people, read."""
    table = pd.read_csv(fetch(LABELLED[language]), dtype=str, keep_default_na=False)
    # one of the files names them otherwise
    table.columns = ["index", "entity", "text", "found", "gender", "comments"]
    sentences = read_sentences()
    asked = sentences.iloc[table["index"].astype(int)]
    lines = fetch(f"winomt_out_google_en_{language}").read_text(encoding="utf-8").splitlines()
    texts = [*(line.split(" ||| ")[1] for line in lines), *table["text"]]
    words = [target_words(text.strip(), language) for text in texts]
    english = [tokens(text) for text in [*sentences["text"], *asked["text"]]]
    places = [*sentences["place"], *asked["place"]]
    links = align_words(english, [alignable(each, language) for each in words])
    reader = ALL_READERS[language]
    read = [reader(each, link[at]) for each, link, at in zip(words, links, places)]
    table = table.assign(
        cluster=asked["person"].str.lower().to_numpy(),
        people=table["gender"].str.strip().map(GENDERS),
        read=read[len(sentences) :],
    )
    found = table["found"].str.strip().str.upper() == "Y"
    return table.loc[found & table["people"].notna(), ["cluster", "people", "read"]]


def marked(language: str) -> pd.DataFrame:
    """Nouns of MT-GenEval that people marked as feminine or masculine: cluster (the pair), people, read."""
    texts = {
        gender: fetch(f"mtge_annot_sentences_{name}_test_en_{language}_{language}")
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
        for gender, name in (("female", "feminine"), ("male", "masculine"))
    }
    rows = []
    for number, (hers, his) in enumerate(zip(texts["female"], texts["male"]), 1):
        if number % 2 or number <= SEEN:
            continue
        for phrase in _nouns(hers, his, language):
            for gender, (words, place) in zip(texts, phrase):
                chances = np.eye(len(words))[place]
                rows.append((number, gender, ALL_READERS[language](words, chances)))
    return pd.DataFrame(rows, columns=["cluster", "people", "read"])


def _nouns(hers: str, his: str, language: str) -> Iterator[tuple[Phrase, Phrase]]:
    """Places of nouns for one person in two counterparts: behind an article in Portuguese; in Russian the last word by which both
    phrases differ, where it is no other part of speech."""
    (words, spans), (others, other_spans) = _marks(hers, language), _marks(his, language)
    if len(spans) != len(other_spans):
        return
    names = {word.lower() for word in re.findall(r"\b[^\W\d_]\w*", his) if word[0].isupper()}
    articles = {
        word
        for gender in ("feminine", "masculine")
        for word in word_list(f"person_gender_more/portuguese_{gender}_articles")
    }
    for span, other in zip(spans, other_spans):
        if len(span) != len(other):
            continue
        if language == "pt":
            if len(span) > 1 and words[span[0]] in articles:
                yield (words, span[1]), (others, other[1])
            continue
        differ = [(a, b) for a, b in zip(span, other) if words[a] != others[b]]
        if differ:
            place, place_of_his = differ[-1]
            noun = others[place_of_his]
            none = NO_NOUN.search(noun) or VERB_OF_HER.search(words[place])
            if not none and noun not in OTHERS | names and len(noun) > 3:
                yield (words, place), (others, place_of_his)


def _marks(text: str, language: str) -> tuple[list[str], list[list[int]]]:
    """Words of a text, and places of those of each marked phrase."""
    words: list[str] = []
    spans = []
    for part in MARKED.split(text):
        inner = target_words(re.sub(r"</?[FM]>", "", part), language)
        if MARKED.fullmatch(part) and inner:
            spans.append([*range(len(words), len(words) + len(inner))])
        words += inner
    return words, spans


def agreement(table: pd.DataFrame) -> dict[str, object]:
    """Share read as people say, its interval over clusters, and what reading one gender always would agree."""
    same = table["people"] == table["read"]
    value, low, high = clustered_share(same, table["cluster"].astype(str).tolist(), rng=0)
    women = table["people"] == "female"
    return {
        "value": value,
        "low": low,
        "high": high,
        "n": len(table),
        "women": int(women.sum()),
        "women_read": int((women & same).sum()),
        "one_gender": Counter(table["people"]).most_common(1)[0][1] / len(table),
    }


def table() -> pd.DataFrame:
    """All rows of the file."""
    tests = [("MT-GenEval", "forms", False, marked, ("pt", "ru"))]
    tests += [("WinoMT", "persons", True, labelled, ("ru", "uk"))]
    rows = [
        {
            "language": language,
            "data": data,
            "tested": tested,
            **agreement(read(language)),
            "seen": seen,
        }
        for data, tested, seen, read, languages in tests
        for language in languages
    ]
    return pd.DataFrame(rows).round(4)


@command()
def main() -> int:
    """The command line. Returns the exit code."""
    write_together({PERSON_READERS: table().to_csv(index=False).encode()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
