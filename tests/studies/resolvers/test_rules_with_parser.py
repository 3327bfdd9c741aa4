"""What a parse changes in GAP's own rules."""

import numpy as np
import pandas as pd
import pytest

from studies.resolvers.dependencies import ROOT
from studies.resolvers.heuristics import Parallelism
from studies.resolvers.parsers import Parse, words_of
from studies.resolvers.rules_with_parser import rules_with_parser

LINES = (
    "Ann met Eve and she won.",
    "When Ann saw Eve, she left.",
    "Eve thanked Ann. She smiled.",
    "Ann and Eve sang until she slept.",
)


def passages():
    rows = []
    for number, text in enumerate(LINES):
        row = {
            "ID": f"t-{number}",
            "Text": text,
            "URL": f"http://x/{number % 3}",
            "answer": "AB"[number % 2],
        }
        for name, word in {"A": "Ann", "B": "Eve"}.items():
            row |= {name: word, f"{name}-offset": text.index(word)}
        pronoun = "She" if "She" in text else "she"
        rows.append(row | {"Pronoun": pronoun, "Pronoun-offset": text.index(pronoun)})
    return pd.DataFrame(rows)


def chain(text, label=""):
    """Each word hangs on the one before it, all with one label."""
    spans = words_of(text)
    heads = np.arange(len(spans)) - 1
    return Parse(spans, np.where(heads < 0, ROOT, heads), (label,) * len(spans) if label else ())


def test_a_parse_without_labels_leaves_the_roles_to_the_words_around_a_name():
    held = passages()
    assert "label" not in chain(LINES[0]).frame() and "label" in chain(LINES[0], "nsubj").frame()
    found = rules_with_parser(held, [chain(text) for text in LINES], rng=0)
    right = Parallelism().decide(held) == np.array([0, 1, 0, 1])
    assert (found["without"] == right.mean()).all() and (found["n"] == 4).all()
    # arcs along a chain are words between: nearest stays nearest, and roles are read as before
    assert (found["gain"] == 0).all() and (found["p"] == 1).all()


def test_labels_decide_where_there_are_any():
    held, parses = passages(), []
    for text in LINES:
        words = [text[a:b] for a, b in words_of(text)]
        plain = chain(text)
        labels = tuple("obj" if word == "Eve" else "nsubj" for word in words)
        parses.append(Parse(plain.spans, plain.heads, labels))
    found = rules_with_parser(held, parses, rng=0)
    # Ann is the subject in every line, and the answer in half of them
    assert (found["with"] == 0.5).all()


def test_a_parse_is_needed_for_each_passage():
    with pytest.raises(ValueError, match="expected 4 parses, one a passage; got 1"):
        rules_with_parser(passages(), [chain(LINES[0])])
