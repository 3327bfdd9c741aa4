"""Passages under other names: taken, put together and encoded with them."""

import numpy as np
import pandas as pd

from studies.resolvers.anonymised import (
    encode_versions,
    joined_versions,
)


def passages(*texts):
    row = {"Pronoun": "she", "Pronoun-offset": 18, "A": "Ann", "A-offset": 0, "B": "Eve"}
    row |= {"B-offset": 8, "answer": "A", "gender": "female"}
    return pd.DataFrame([row | {"Text": text, "URL": f"page {k}"} for k, text in enumerate(texts)])


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
