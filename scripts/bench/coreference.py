"""Pronoun resolution: GAP's passages encoded together against one at a time, and the training of a head."""

from __future__ import annotations

import os
import tempfile
import time

import numpy as np
import pandas as pd

from scripts.bench.weat import median_seconds


def main(quick: bool, row) -> None:
    """All 4,454 passages of GAP where its files are at hand; nothing is read from the book's cache."""
    from lib.datasets.gap import KEYS, read_gap
    from lib.sources import FetchError

    try:
        passages = pd.concat([read_gap(key) for key in KEYS], ignore_index=True)
    except FetchError as error:
        print(f"coreference: left out, {error}")
        return
    passages = passages.sample(454 if quick else len(passages), random_state=0)
    kept = os.environ.get("BIASBOOK_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BIASBOOK_CACHE"] = folder
        try:
            bench_encoding(passages, 40 if quick else 100, row)
            bench_head(passages[:454], row)
        finally:
            if kept is None:
                del os.environ["BIASBOOK_CACHE"]
            else:
                os.environ["BIASBOOK_CACHE"] = kept


def bench_encoding(passages: pd.DataFrame, few: int, row) -> None:
    """The states of three mentions in every layer, by length and in batches, against a batch of one."""
    import torch

    from lib.coreference.resolvers.examples import encode_spans, mention_spans
    from lib.language_models.pretrained import load_transformer

    texts, spans = passages["Text"].tolist(), mention_spans(passages)
    begin = time.perf_counter()
    encode_spans(texts, spans, device="cpu")
    together = time.perf_counter() - begin
    transformer = load_transformer("minilm", device="cpu")

    def one_at_a_time():
        for text, held in zip(texts[:few], spans):
            pieces = transformer.tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
            offsets = pieces.pop("offset_mapping")[0]
            with torch.inference_mode():
                output = transformer.model(**pieces, output_hidden_states=True)
            layers = torch.stack(output.hidden_states)[:, 0]
            for start, stop in held:
                layers[:, (offsets[:, 0] < stop) & (offsets[:, 1] > start)].mean(dim=1)

    alone = median_seconds(one_at_a_time, 1) * len(texts) / few
    row(
        f"states of {len(texts):,} passages of GAP, MiniLM",
        together,
        alone,
        f"one at a time, {few} scaled",
        "target <= 180 s on two cores",
    )
    begin = time.perf_counter()
    encode_spans(texts, spans, device="cpu")
    row("the same, kept in the cache", time.perf_counter() - begin, together, "encoded")


def bench_head(passages: pd.DataFrame, row) -> None:
    """What the book's scorer reads, computed and from the cache; and one training on as many rows as it ships with."""
    from lib.coreference.resolvers.scorer import CandidateScorer

    scorer = CandidateScorer()
    seconds = []
    for _ in range(2):
        begin = time.perf_counter()
        inputs = scorer.inputs(passages, device="cpu")
        seconds.append(time.perf_counter() - begin)
    row(
        f"attention and features of {len(passages)} passages, kept",
        seconds[1],
        seconds[0],
        "computed",
    )
    many = inputs.repeat(6, 1, 1)[:2454]
    answers = np.random.default_rng(0).integers(0, 3, len(many))
    head = median_seconds(lambda: scorer.fit_inputs(many, answers, rng=0), 1)
    print(
        f"{f'a head on {len(many):,} passages, {scorer.epochs} epochs':<58} {head:>9.3f} s   target <= 20 s"
    )
