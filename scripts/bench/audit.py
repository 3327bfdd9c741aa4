"""Audits: 500 words and ten pairs in 400,000 × 300 vectors, against the products alone that the scores are; 10,000 outputs of a
translator, against the search for their articles alone.
"""

from __future__ import annotations

import csv
import re
import tempfile
import time
from pathlib import Path

import numpy as np

OPEN = "from audit.vectors import audit_vectors; from lib.embeddings import open_store; from lib.lexicons import base_pairs"
AUDIT = "audit_vectors(open_store({store!r}), [f'x{{i}}' for i in range(1000, {last})], base_pairs(), questions=3, rng=0).table()"

READ = (
    "from audit.translator import audit_outputs; from lib.translation.outputs import read_outputs"
)
SCORE = "audit_outputs(read_outputs({path!r}).table, 'es', rng=0)"
SPANISH = ("La {} perdió sus llaves.", "El {} llegó tarde a la reunión.", "{} trabajó todo el día.")


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
    bench_translator(quick, row, in_a_process)


def bench_translator(quick: bool, row, in_a_process) -> None:
    """Our sentences with many answers each: checked, read in Spanish, scored beside a blind translator."""
    from audit.translator import own_sentences

    count, asked = 2_000 if quick else 10_000, own_sentences()
    nouns = ("enfermera", "médico", "ingeniero", "maestra", "abogado")
    outputs = [
        SPANISH[place % len(SPANISH)].format(nouns[place % len(nouns)]) for place in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outputs.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("id", "output"))
            writer.writerows(
                (asked["id"].iloc[place % len(asked)], output)
                for place, output in enumerate(outputs)
            )
        seconds, memory = in_a_process(READ, SCORE.format(path=str(path)))
    begin = time.perf_counter()
    for output in outputs:
        re.findall(r"\b(?:el|la|los|las|un|una)\b", output, re.IGNORECASE)
    bare = time.perf_counter() - begin
    row(f"audit of {count:,} translations", seconds, bare, "search for articles alone")
    print(
        f"{'the same':<58} {count / seconds:>7,.0f} outputs a second, peak memory {memory:,.0f} MB  target >= 2,000"
    )
