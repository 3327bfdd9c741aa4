"""Clusters of mentions from files of one's own, in place of the rules: what other resolvers link to the pronoun is pooled as in
Attree's GREP.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from lib import parameters as rules
from lib.coreference.resolvers.examples import Examples, mention_spans
from lib.files import file_hash
from studies.resolvers.evidence import (
    OTHERS,
    EvidencePooling,
    other_occurrences,
    tagged_states,
)
from studies.resolvers.lineup import Entry
from studies.resolvers.networks import layer_at

COLUMNS = ("ID", "start", "stop", "cluster")
NAME = "tags and your clusters"
FILES = ("development", "validation", "test")  # that GAP's IDs begin with


@dataclass(frozen=True, kw_only=True)
class OwnClusters(EvidencePooling):
    """`EvidencePooling` over the clusters that files hold, an annotator a file; a pronoun that no cluster holds is alone in its own."""

    files: tuple[str, ...]
    contents: str = ""  # hashes of the files: other clusters are another resolver

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        states = tagged_states(examples.passages, self.encoder)
        held = [members(examples.passages, read_clusters(path)) for path in self.files]
        layer = layer_at(self.depth, examples)
        return torch.from_numpy(states[:, layer]), torch.from_numpy(np.stack(held, axis=1))


def own_entries(files: Sequence[str]) -> list[Entry]:
    """The row of one's own clusters, among the comparisons of evidence; none without files."""
    if not files:
        return []
    hashes = " ".join(map(file_hash, files))
    resolver = OwnClusters(files=tuple(files), contents=hashes)
    return [Entry(NAME, "evidence", resolver, split="reverse")]


def cluster_file(name: str, value: Any) -> str:
    """A rule: the path of a file of clusters."""
    path = rules.file(name, value)
    read_clusters(path)
    return path


def read_clusters(path: str) -> pd.DataFrame:
    """A CSV with a mention a row: the passage's ID in GAP, its first character and the one behind its last, counted from 0 in
    GAP's text, and the cluster it is in.
    """
    table = pd.read_csv(path)
    if missing := [column for column in COLUMNS if column not in table]:
        raise ValueError(
            f"{path}: expected the columns {', '.join(COLUMNS)}, a mention a row; got {', '.join(map(str, table.columns))}. Name {', '.join(missing)} in its first line"
        )
    table = table[list(COLUMNS)]
    for column in ("start", "stop"):
        if not pd.api.types.is_integer_dtype(table[column]):
            raise ValueError(
                f"{path}: expected whole numbers as {column}, got {table[column].dtype}; count characters of the passage's text from 0"
            )
    if empty := int((table["stop"] <= table["start"]).sum() + (table["start"] < 0).sum()):
        raise ValueError(
            f"{path}: expected 0 <= start < stop, got {empty} rows that break it; stop is the character behind the mention"
        )
    named = table["ID"].astype(str).str.partition("-")[0].isin(FILES)
    if not named.all():
        wrong = table.loc[~named, "ID"].iloc[0] if len(table) else "no row"
        raise ValueError(
            f"{path}: expected IDs of GAP such as development-1, got {wrong!r}; name each passage as GAP does"
        )
    if not len(table):
        raise ValueError(f"{path}: expected a mention a row, got none; fill the file")
    return table


def members(passages: pd.DataFrame, clusters: pd.DataFrame) -> NDArray[np.bool_]:
    """Which of the mentions of `evidence.tagged_states` are in a cluster with the pronoun, shape (n, 3 + 2 · OTHERS). A mention
    of a cluster stands for a name where it begins with it or lies within it, and for a pronoun where it is just that.

    >>> made = pd.DataFrame([{"ID": "test-1", "Text": "Ann met Eve after she won.", "Pronoun": "she", "Pronoun-offset": 18,
    ...     "A": "Ann", "A-offset": 0, "B": "Eve", "B-offset": 8}])
    >>> linked = pd.DataFrame({"ID": "test-1", "start": [18, 8], "stop": [21, 11], "cluster": 1})
    >>> members(made, linked)[0, :3].tolist()
    [True, False, True]
    """
    known = {name: part for name, part in clusters.groupby("ID")}
    member = np.zeros((len(passages), 3 + 2 * OTHERS), dtype=bool)
    member[:, 0] = True
    rows = zip(passages.to_dict("records"), mention_spans(passages))
    for row, (passage, mentions) in enumerate(rows):
        part = known.get(passage["ID"])
        if part is None:
            continue
        start, stop, cluster = (part[column].to_numpy() for column in COLUMNS[1:])
        pronoun, *names = mentions
        own = cluster[(start == pronoun[0]) & (stop == pronoun[1])]
        linked = np.isin(cluster, own)
        for code, (name, span) in enumerate(zip("AB", names)):
            others = other_occurrences(passage, mentions, name)
            places = [1 + code, *range(3 + code * OTHERS, 3 + code * OTHERS + len(others))]
            for place, (first, last) in zip(places, [span, *others]):
                within = (start >= first) & (start < last) & (stop <= last)
                member[row, place] = bool((linked & (within | (start == first))).any())
    return member
