"""An audit of 500 words and ten pairs in 400,000 × 300 vectors, against the products alone that its scores are."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

OPEN = "from lib.audit.vectors import audit_vectors; from lib.embeddings import open_store; from lib.lexicons import base_pairs"
AUDIT = "audit_vectors(open_store({store!r}), [f'x{{i}}' for i in range(1000, {last})], base_pairs(), questions=3, rng=0).table()"


def main(quick: bool, row, in_a_process) -> None:
    """The audit in a process of its own; the products of the same sizes in this one."""
    from lib.embeddings import Embedding, save_store
    from lib.lexicons import base_pairs, pair_list

    n, d, words = (50_000, 300, 200) if quick else (400_000, 300, 500)
    sides = [word for pair in (*base_pairs(), *pair_list("known_groups/pairs")) for word in pair]
    listed = list(dict.fromkeys(sides))
    listed += [f"x{place}" for place in range(n - len(listed))]
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((n, d), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        save_store(Embedding(listed, vectors, "large", ranked=True), store)
        work = AUDIT.format(store=str(store), last=1000 + words)
        seconds, memory = in_a_process(OPEN, work)
    draws = 60 * words  # of three questions, as a report asks
    rows, contrasts = vectors[:words].astype(float), vectors[:draws].astype(float)
    begin = time.perf_counter()
    for _ in range(4):  # two measures, each with random pairs and with random words
        rows @ contrasts.T
    bare = time.perf_counter() - begin
    row(
        f"audit of {words} words, {draws:,} random pairs, {n:,} x {d}",
        seconds,
        bare,
        "bare products of its scores",
        "target < 20 CPU s",
    )
    print(f"{'the same':<58} peak memory {memory:,.0f} MB  target < 1,500 MB")
