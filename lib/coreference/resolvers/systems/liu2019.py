"""Passages that also come under other names (Liu 2019), encoded once for each set of names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import Examples, encode_examples, joined
from lib.coreference.resolvers.names import replace_names
from lib.files import text_hash


@dataclass(frozen=True)
class NamedExamples(Examples):
    """Examples with the same passages under other names.

    Attributes
    ----------
    versions : tuple of Examples
        One for each set of names, of n rows each.
    changed : ndarray of bool, shape (n, versions)
        Whether the names of a passage could give way.
    """

    versions: tuple[Examples, ...]
    changed: NDArray[np.bool_]

    def take(self, rows: Sequence[int] | NDArray) -> NamedExamples:
        """Some of the examples, in the order of `rows`, with their versions."""
        taken = super().take(rows)
        versions = tuple(version.take(rows) for version in self.versions)
        return NamedExamples(
            taken.passages, taken.states, taken.identity, versions, self.changed[rows]
        )

    @property
    def augmented(self) -> Examples:
        """The examples and, below, each version of those that changed."""
        others = [version.take(kept) for version, kept in zip(self.versions, self.changed.T)]
        return joined([self, *(other for other in others if len(other))])


def encode_versions(
    passages: pd.DataFrame,
    encoder: str = "minilm",
    *,
    sets: Sequence[int] = (1, 2, 3, 4),
    device: str = "auto",
) -> NamedExamples:
    """Passages as they are and with the names of some sets in place of theirs.

    Parameters
    ----------
    passages : DataFrame
        n rows, as from `lib.datasets.gap.read_gap`.
    encoder, device : str
        As in `lib.coreference.resolvers.examples.encode_examples`.
    sets : sequence of int
        Of Liu's four pairs of names for each gender.

    Returns
    -------
    NamedExamples
        Only texts that change are encoded again.
    """
    plain = encode_examples(passages, encoder, device=device)
    versions, changed = [], []
    for number in sets:
        other = replace_names(passages, number)
        rows = (other["replaced"] != "").to_numpy()
        other = other[passages.columns].reset_index(drop=True)
        states, identity = plain.states.copy(), plain.identity
        if rows.any():
            encoded = encode_examples(other[rows], encoder, device=device)
            states[rows], identity = encoded.states, text_hash(f"{identity} {encoded.identity}")
        versions.append(Examples(other, states, identity))
        changed.append(rows)
    identity = text_hash(" ".join([plain.identity, *(version.identity for version in versions)]))
    return NamedExamples(
        plain.passages, plain.states, identity, tuple(versions), np.transpose(changed)
    )


def joined_versions(parts: Sequence[NamedExamples]) -> NamedExamples:
    """Several sets of examples with versions, one below the other, so that each file is encoded once.

    Parameters
    ----------
    parts : sequence of NamedExamples
        With as many versions each.

    Returns
    -------
    NamedExamples

    Raises
    ------
    ValueError
        As `lib.coreference.resolvers.examples.joined`.
    """
    plain = joined(parts)
    versions = tuple(joined(same) for same in zip(*(part.versions for part in parts), strict=True))
    changed = np.concatenate([part.changed for part in parts])
    return NamedExamples(plain.passages, plain.states, plain.identity, versions, changed)
