"""Sentences of published tests: SEAT's by the word that they are about; CrowS-Pairs and StereoSet revised and rewritten.

The pairs are offensive and stay in their files: the book shows numbers only.
"""

import difflib
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from lib.checks import one_of
from lib.datasets.crows_pairs import read_crows_pairs
from lib.sources import fetch
from lib.sources.registry import registry

PREFIX = "seat_sent_"
PARTS = ("targ1", "targ2", "attr1", "attr2")
# rows of the wide files behind the two of the pair
TWINS = {"negation": 2, "antistereotype": 1}
ATTRIBUTE = re.compile(r"<(.*?)>")
Sentences = dict[str, list[str]]
Pairs = tuple[list[str], list[str]]


class SentenceSets(NamedTuple):
    """A test of SEAT: word -> its sentences, for the targets X and Y and the attributes A and B."""

    X: Sentences
    Y: Sentences
    A: Sentences
    B: Sentences


def sentence_tests() -> tuple[str, ...]:
    """Registry keys of the 19 tests with sentences in `W4ngatang/sent-bias`, in alphabetical order."""
    return tuple(sorted(key for key in registry() if _is_test(key)))


def read_sentence_sets(key: str) -> SentenceSets:
    """A test of SEAT (May et al. 2019) with the sentences of each word together."""
    if not _is_test(key):
        raise ValueError(f"key: expected one of {', '.join(sentence_tests())}; got {key!r}")
    # the file has sentences only: which word each is about is read from the file of the same test with words
    sentences, words = (
        json.loads(fetch(name).read_text(encoding="utf-8"))
        for name in (key, key.replace(PREFIX, "seat_"))
    )
    return SentenceSets(
        *(by_word(sentences[part]["examples"], words[part]["examples"]) for part in PARTS)
    )


def by_word(sentences: Sequence[str], words: Sequence[str]) -> Sentences:
    """Sentences by the word that they are about; those of a word stand together, and a word without any is left out."""
    held: Sentences = {}
    last = words[0]
    for sentence in sentences:
        last = _closest(sentence, words) or last  # of irregular forms (men, of man) the word before
        held.setdefault(last, []).append(sentence)
    return held


def _closest(sentence: str, words: Sequence[str]) -> str:
    """The word that the sentence holds, or one that a word of it begins like."""
    text = sentence.lower()
    whole = [word for word in words if re.search(rf"\b{re.escape(word.lower())}\b", text)]
    if whole:
        return max(whole, key=len)
    best, closeness = "", 0.0
    for token in re.findall(r"\w+", text):
        for word in words:
            if token.startswith(word.lower()[: max(3, len(word) - 3)]):
                ratio = difflib.SequenceMatcher(None, token, word.lower()).ratio()
                best, closeness = (word, ratio) if ratio > closeness else (best, closeness)
    return best


def _is_test(key: str) -> bool:
    sources = registry()
    return key.startswith(PREFIX) and key in sources and "/sent-bias/" in sources[key].url


def read_revised_pairs() -> pd.DataFrame:
    """CrowS-Pairs after the revision of Pikuliak et al. (2023), by the number of the pair."""
    table = pd.read_csv(fetch("pikuliak_crows_revised"), index_col=0).rename_axis("pair")
    columns = ["sent_more", "sent_less", "stereo_antistereo", "bias_type"]
    # one row has a category from another column; the text is as published otherwise
    table["bias_type"] = table["bias_type"].astype(str).str.strip()
    return table[columns]


def read_twin_pairs(kind: str) -> pd.DataFrame:
    """Gender pairs of CrowS-Pairs beside their twins: negated (some in two ways), or with another statement."""
    one_of("kind", kind, TWINS)
    # the file lies on its side: a column is a pair
    wide = pd.read_csv(fetch(f"pikuliak_crows_{kind}"), header=None, keep_default_na=False)
    pairs = wide.T
    rows = []
    for twin in range(TWINS[kind]):
        columns = [0, 1, 2 + 2 * twin, 3 + 2 * twin]
        part = pairs[columns].set_axis(["sent_more", "sent_less", "twin_more", "twin_less"], axis=1)
        rows.append(part[part["twin_more"].str.strip().astype(bool)])
    return pd.concat(rows).rename_axis("pair").reset_index()


def read_gender_swaps(*, filtered: bool = True) -> pd.DataFrame:
    """Sentences of StereoSet on gender beside their swapped twins, two an item; `filtered`: those the authors kept by hand."""
    key = "pikuliak_stereoset_genderswap" + ("_filtered" if filtered else "")
    blocks = [
        block.splitlines()
        for block in re.split(r"\n\s*\n", fetch(key).read_text(encoding="utf-8").strip())
    ]
    rows = [
        {
            "item": number // 2,
            "kind": ("stereotype", "anti-stereotype")[number % 2],
            "sentence": ATTRIBUTE.sub(r"\1", lines[0]).strip(),
            "twin": ATTRIBUTE.sub(r"\1", lines[1]).strip(),
            "attribute": (ATTRIBUTE.findall(lines[0]) or [""])[0],
        }
        for number, lines in enumerate(blocks)
    ]
    return pd.DataFrame(rows)


def rewritten_gender_pairs() -> dict[str, tuple[Pairs, Pairs]]:
    """Published pairs on gender and their twins, by name; the first sentence is the more stereotyping one, but of StereoSet."""
    original, revised = read_crows_pairs(), read_revised_pairs()
    gender = revised.index[revised["bias_type"] == "gender"]
    sides = ("sent_more", "sent_less")
    held = {
        "CrowS-Pairs, revised": (
            _lists(original.loc[gender], sides),
            _lists(revised.loc[gender], sides),
        )
    }
    for kind in TWINS:
        twins = read_twin_pairs(kind)
        held[f"CrowS-Pairs, {kind}"] = (
            _lists(twins, sides),
            _lists(twins, ("twin_more", "twin_less")),
        )
    swaps = read_gender_swaps()
    kinds = [swaps[swaps["kind"] == kind] for kind in ("stereotype", "anti-stereotype")]
    first, second = (_lists(part, ("sentence", "twin")) for part in kinds)
    held["StereoSet, anti-stereotype"] = first, second
    return held


def _lists(table: pd.DataFrame, columns: tuple[str, str]) -> Pairs:
    first, second = (table[column].tolist() for column in columns)
    return first, second
