"""Made messages by place: two themes, of which one can be planted on the male side, and the same with genders shuffled."""

import numpy as np

from lib.audit.places import cleaned_pairs
from lib.lexicons import base_pairs, pair_list

BASE = cleaned_pairs(base_pairs())
KNOWN = [
    pair for pair in pair_list("known_groups/pairs") if not {*pair} & {w for p in BASE for w in p}
][:6]
THEMES = {"law": ("jail", "prison", "crime", "criminal"), "food": ("bread", "soup", "cake", "rice")}


def made_messages(n, planted, seed, themed=0.5):
    """Messages of ten words: most name one side, half have a word of a theme; planted: those of law name the male side."""
    rng = np.random.default_rng(seed)
    pairs, fillers = [*BASE[:5], *KNOWN], [f"w{number}" for number in range(150)]
    often = 1 / (np.arange(len(fillers)) + 3)
    messages = []
    for _ in range(n):
        theme = ["law", "food"][rng.integers(2)] if rng.random() < themed else ""
        side = int((theme == "law" and planted) or rng.random() < 0.5)
        words = [pairs[k][side] for k in rng.integers(len(pairs), size=3)]
        words += list(rng.choice(THEMES[theme], 2)) if theme else []
        words += list(rng.choice(fillers, 10 - len(words), p=often / often.sum()))
        messages.append([words[k] for k in rng.permutation(10)])
    return messages


def genders_shuffled(messages, seed):
    """The same messages, the sides of all words exchanged in every other one at random."""
    other = {one: two for pair in [*BASE, *KNOWN] for one, two in (pair, pair[::-1])}
    swapped = np.random.default_rng(seed).random(len(messages)) < 0.5
    return [
        [other.get(word, word) for word in words] if swap else words
        for words, swap in zip(messages, swapped)
    ]
