"""What the neutral outputs are that raise the index: copied text, *the person*, *they*, *it*, or nothing at all."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from lib.translation.tgbi import CLASSES, gender_classes, words_of
from studies.translation_index.cho2019 import PARTITIONS, Released

# Kinds of neutral outputs, and words that make them so; the first that fits counts.
KINDS = ("copied", "the person", "they", "it", "other pronoun", "no pronoun")
PERSON_KINDS = ("the person", "they")  # of these, those that speak of a person
NEUTRAL_WORDS = {
    "they": "they them their theirs themselves",
    "it": "it its itself",
    "other pronoun": "i me my you your we us our this that these those someone",
}


def neutral_kinds(sentences: Sequence[str], sources: Sequence[str] | None = None) -> Counter:
    """What the neutral outputs are, counted by `KINDS`; the first kind that fits counts.

    sources: what was translated, for copied text; letters outside the Latin alphabet count as copied either way.
    """
    if sources is not None and len(sources) != len(sentences):
        raise ValueError(
            f"expected a source for each of {len(sentences)} outputs, got {len(sources)}"
        )
    return Counter(map(_neutral_kind, sentences, sources or [""] * len(sentences)))


def _neutral_kind(sentence: str, source: str) -> str:
    words = words_of(sentence)
    other_script = any(ord(letter) > 0x24F for letter in re.findall(r"[^\W\d_]", sentence))
    if sentence.strip() == source.strip() or other_script:
        return "copied"
    if re.search(r"\b(?:the|that|this) person\b", " ".join(words)):
        return "the person"
    for kind, forms in NEUTRAL_WORDS.items():
        if set(forms.split()) & set(words):
            return kind
    return "no pronoun"


def outputs_about_a_person(outputs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The outputs of each set that say *she*, *he*, *the person* or *they*, in order: without *it*, copies and failures.

    Their index is that of what a translator says of people, if it speaks of them. Those left out are the neutral outputs of other
    kinds than `PERSON_KINDS`.
    """
    return {
        name: [
            sentence
            for sentence, gender in zip(sentences, gender_classes(sentences, name=name))
            if CLASSES[gender] != "neutral" or _neutral_kind(sentence, "") in PERSON_KINDS
        ]
        for name, sentences in outputs.items()
    }


def neutral_by_partition(released: Released) -> pd.DataFrame:
    """The neutral outputs of a system by kind, over the same sentences divided in three ways.

    Columns sets: "pronoun", "ending" or "kind"; kind: one of `KINDS`; outputs: their number.
    """
    rows = []
    for way, names in PARTITIONS.items():
        pairs = [
            (output, source)
            for name in names
            for output, source, gender in zip(
                released.outputs[name],
                released.sources[name],
                gender_classes(released.outputs[name]),
            )
            if CLASSES[gender] == "neutral"
        ]
        kinds = neutral_kinds(*map(list, zip(*pairs))) if pairs else {}
        rows += [(way, kind, number) for kind, number in kinds.items()]
    return pd.DataFrame(rows, columns=["sets", "kind", "outputs"])
