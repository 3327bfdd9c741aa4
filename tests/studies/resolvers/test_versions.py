"""Passages under other names: taken, put together and encoded with them."""

import numpy as np
import pandas as pd

from lib.coreference.resolvers.examples import Examples
from studies.resolvers.anonymised import (
    NamedExamples,
    encode_versions,
    joined_versions,
)


def passages(*texts):
    row = {"Pronoun": "she", "Pronoun-offset": 18, "A": "Ann", "A-offset": 0, "B": "Eve"}
    row |= {"B-offset": 8, "answer": "A", "gender": "female"}
    return pd.DataFrame([row | {"Text": text, "URL": f"page {k}"} for k, text in enumerate(texts)])


def test_examples_with_versions_are_taken_and_put_together_with_them():
    frame = passages(*["Ann met Eve after she won."] * 8)
    states = np.random.default_rng(0).normal(size=(8, 5, 3, 4)).astype(np.float32)
    version = Examples(frame, states + 1, "renamed")
    changed = (np.arange(8) % 4 == 0)[:, None]
    named = NamedExamples(frame, states, "both", (version,), changed).take([0, 1, 4])
    assert len(named) == 3 and len(named.versions[0]) == 3
    assert named.changed[:, 0].tolist() == [True, False, True]
    assert len(named.augmented) == 5
    np.testing.assert_array_equal(named.augmented.states[4], named.versions[0].states[2])


def test_versions_differ_where_names_could_give_way():
    kate = "Ann met Eve after she won; Kate saw it."  # Kate is in set 1
    named = joined_versions(
        [
            encode_versions(passages(text), device="cpu", sets=(1, 2))
            for text in ("Ann met Eve after she won.", kate)
        ]
    )
    assert named.changed.tolist() == [[True, True], [False, True]]
    assert named.versions[0].passages["A"].tolist() == ["Alice", "Ann"]
    same = [(version.states == named.states).all(axis=(1, 2, 3)) for version in named.versions]
    np.testing.assert_array_equal(np.transpose(same), ~named.changed)
    assert len({named.identity, *(version.identity for version in named.versions)}) == 3
