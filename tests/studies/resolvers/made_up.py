"""Passages for the tests of systems that read texts."""

import numpy as np
import pandas as pd

from lib.coreference.resolvers.examples import Examples

TEXTS = (
    ("Ann Lee met Eve Ray. Ann said she won.", "she", "Ann Lee", "Eve Ray", "A", "female"),
    ("Bob saw Max before he left, and Max slept.", "he", "Bob", "Max", "B", "male"),
    ("Joan called Ruth when her train was late.", "her", "Joan", "Ruth", "A", "female"),
    ("Paul thanked Carl. His friend was asleep.", "His", "Paul", "Carl", "NEITHER", "male"),
)


def passages(copies=1):
    rows = [
        {
            "ID": f"made-up-{copy}-{k}",
            "Text": text,
            "Pronoun": pronoun,
            "Pronoun-offset": text.index(f" {pronoun} ") + 1,
            "A": a,
            "A-offset": text.index(a),
            "B": b,
            "B-offset": text.index(b),
            "answer": answer,
            "gender": gender,
            "URL": f"http://en.wikipedia.org/wiki/{copy}_{k}",
        }
        for copy in range(copies)
        for k, (text, pronoun, a, b, answer, gender) in enumerate(TEXTS)
    ]
    return pd.DataFrame(rows)


def examples():
    """24 passages with states that say nothing."""
    frame = passages(copies=6)
    states = np.random.default_rng(0).normal(size=(len(frame), 7, 3, 384)).astype(np.float32)
    return Examples(frame, states, "made up")
