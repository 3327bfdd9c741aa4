"""Head rules, the best projective tree, rewired arcs, and the parses made of them."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.coreference.resolvers.examples import encode_spans, encode_tokens
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
    ArcScorer,
    LightParser,
    Parse,
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


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_the_best_tree_is_the_best_of_all(words):
    scores = np.random.default_rng(words).normal(size=(3, words + 1, words))
    everything = itertools.product(range(-1, words), repeat=words)
    trees = [heads for heads in everything if one_projective_tree(heads)]
    for sentence, found in zip(scores, best_trees(scores)):
        total = {heads: sum(sentence[h + 1, w] for w, h in enumerate(heads)) for heads in trees}
        assert tuple(found) == max(total, key=total.get)


@settings(max_examples=30)
@given(st.integers(1, 12), st.integers(0, 1000))
def test_any_scores_give_one_projective_tree(words, seed):
    scores = np.random.default_rng(seed).normal(size=(2, words + 1, words)) * 100
    assert all(one_projective_tree(heads) for heads in best_trees(scores))


@pytest.mark.parametrize(
    ("phrase", "parts", "head"),
    [
        ("NP", "DT JJ NN", 2),
        ("NP", "NP PP", 0),
        ("NP", "NNP CC NNP", 0),
        ("NP", "NNP POS", 1),
        ("NP", "PRP", 0),
        ("VP", "MD VP", 1),
        ("VP", "VBZ NP", 0),
        ("VP", "VBD CC VBD NP", 0),
        ("S", "NP VP .", 1),
        ("S", ", NP , ADJP", 3),
        ("PP", "IN NP", 0),
        ("SBAR", "IN S", 1),
        ("X", "UH , UH", 0),
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


@pytest.mark.parametrize("text", ["(S (NP (PRP She))", ")("])
def test_brackets_that_do_not_close(text):
    with pytest.raises(ValueError, match="bracket"):
        bracketed_trees(text)


def test_brackets_and_quotes_are_characters_again():
    tree = bracketed_trees("(NP (-LRB- -LRB-) (`` ``) (NN and\\/or) (-RRB- -RRB-))")[0]
    assert [part.word for part in tree.parts] == ["(", '"', "and/or", ")"]
    assert tree.parts[0].label == "-LRB-"


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


def test_rewired_is_the_same_with_the_same_seed():
    arcs = [(i, i + 1) for i in range(20)]
    assert (rewired(arcs, rng=3) == rewired(arcs, rng=3)).all()
    assert (rewired(arcs, rng=3) != rewired(arcs, rng=4)).any()


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("She won . He lost .", [0, 3]),
        ("Mr . Lee won .", [0]),
        ("J . R . Lee won . He lost .", [0, 7]),
        ('" She won . " He lost .', [0, 5]),
        ('He lost . " She won . " He smiled .', [0, 3, 8]),
        ("won . he lost", [0]),
        ("", []),
    ],
)
def test_sentences_start(text, starts):
    assert sentence_starts(text.split()) == starts


def test_words_are_where_the_text_has_them():
    text = "She didn’t see Lee's St. Clair."
    held = [text[a:b] for a, b in words_of(text)]
    assert held == ["She", "did", "n’t", "see", "Lee", "'s", "St", ".", "Clair", "."]


def test_scores_of_arcs_by_hand():
    import torch

    scorer = ArcScorer(2, 2, 0.0).eval()
    with torch.no_grad():
        for parameter in scorer.parameters():
            parameter.zero_()
        scorer.distance[10 + 1] = 2.0  # the head is the word before
    assert scorer(torch.ones(1, 3, 2))[0].tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 2], [0, 0, 0]]


def test_a_parse_as_the_rules_of_gap_read_it():
    frame = Parse(np.array([[0, 3], [4, 7]]), np.array([1, ROOT]), ("nsubj", "ROOT")).frame()
    assert frame.to_dict("list") == {"start": [0, 4], "head": [1, 1], "label": ["nsubj", "ROOT"]}


def test_without_spacy_the_message_says_what_to_do():
    with pytest.raises(ModuleNotFoundError, match="parser"):
        spacy_parses(["She won."], model="no_such_model")


@pytest.mark.sample
def test_the_treebank_has_its_sentences():
    articles = read_treebank()
    assert (len(articles), sum(map(len, articles.values()))) == (199, 3914)
    trees = [dependencies(tree)[1] for trees in articles.values() for tree in trees]
    assert sum(map(len, trees)) == 94_084
    assert all(one_projective_tree(heads) for heads in trees[:300])


@pytest.mark.sample
@pytest.mark.slow
def test_the_light_parser_beats_the_neighbour():
    parser = LightParser()
    words = parser.attachment()
    assert words["right"].mean() > 0.75 > 2 * words["after"].mean()
    parse = parser.parses(["Ann Lee saw her sister. She smiled."])[0]
    assert parse.heads.tolist() == [1, 2, ROOT, 4, 2, 2, 7, ROOT, 7]


def test_passages_are_cut_to_the_sentences_of_their_mentions():
    text = 'It rained. Dr. Lee met Eve. "She won", he said. They left. All was well.'
    row = {"Text": text, "Pronoun": "They", "A": "Lee", "B": "Eve", "answer": "A"}
    row |= {f"{name}-offset": text.index(row[name]) for name in ("Pronoun", "A", "B")}
    cut = sentences_of_mentions(pd.DataFrame([row])).iloc[0]
    assert cut["Text"] == 'Dr. Lee met Eve. "She won", he said. They left.'
    for name in ("Pronoun", "A", "B"):
        start = cut[f"{name}-offset"]
        assert cut["Text"][start : start + len(row[name])] == row[name]


def test_layers_above_the_one_that_is_read_change_nothing():
    texts = ["She won.", "He lost a longer game."]
    states, _ = encode_spans(texts, [[(0, 3)], [(0, 2)]])
    for place, offsets, vectors in encode_tokens(texts, 4):
        assert len(offsets) == len(vectors)
        np.testing.assert_allclose(vectors[1], states[place, 4, 0], atol=2e-3)
