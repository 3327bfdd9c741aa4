"""Causal language models: scores of sentences and of ends against the bare forward pass and against reading everything, loading, and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from scripts.bench.weat import median_seconds

ROOT = Path(__file__).resolve().parents[2]
VOCABULARY = 262_144


def main(quick: bool, row, in_a_process) -> None:
    """SmolLM2 from its package; nothing where that is not installed."""
    from lib.language_models.causal_scores import BATCH, CausalLanguageModel, calibrated_log_odds
    from lib.sources import FetchError

    try:
        model = CausalLanguageModel("smollm2", "cpu")
    except FetchError as error:
        print(f"causal: {error}")
        return
    load = "from lib.language_models.decoders import load_decoder"
    seconds = cpu_seconds(f"{load}; load_decoder('smollm2', device='cpu')")
    bare = cpu_seconds("import torch, transformers, transformers.models.llama.modeling_llama")
    row("load of SmolLM2, converted, CPU", seconds, bare, "imports alone", "target < 6 CPU s")

    jobs = [f"{one} {two}" for one in ADJECTIVES for two in JOBS][: 40 if quick else 120]
    pairs = [f"{who} was the {job} of the town." for job in jobs for who in ("She", "He")]
    rows, _ = model._encode(pairs, None)
    ours = median_seconds(lambda: model.log_probabilities(pairs), 3)
    theirs = median_seconds(lambda: bare_forward(model, [one[:-1] for one in rows], BATCH), 3)
    what = f"{len(jobs)} sentence pairs"
    row(what, ours, theirs, "bare forward pass, same batches", "target <= 1.25x")
    worst = np.abs(model.log_probabilities(pairs) - every_place(model, pairs, None)).max()
    print(f"{'the same':<58} largest difference from every place of every text {worst:.1g}")

    contexts = [f"The {job} said that" for job in jobs[:60]]
    texts = [text + end for end in (" she", " he") for text in contexts]
    ours = median_seconds(lambda: calibrated_log_odds(model, contexts, (" she", " he")), 3)
    theirs = median_seconds(lambda: every_place(model, texts, contexts * 2), 3)
    what = f"{len(contexts)} beginnings with two ends"
    row(what, ours, theirs, "every place of every text", "target <= 0.33x")
    ends = [" she was", " he had been there"]
    told = [f"{' '.join([PROMPT] * 3)} The {job} said that" for job in jobs[: 8 if quick else 20]]
    texts = [text + end for end in ends for text in told]
    ours = median_seconds(lambda: model.log_probabilities(texts, told * 2), 1)
    theirs = median_seconds(lambda: every_place(model, texts, told * 2), 1)
    row(
        f"{len(told)} long prompts, two ends of some pieces",
        ours,
        theirs,
        "every place of every text",
    )

    for scored, what in ((True, "scored places alone"), (False, "softmax of every place")):
        _, memory = in_a_process(LARGE.format(vocabulary=VOCABULARY), TAKE[scored])
        print(f"{f'peak memory, vocabulary of {VOCABULARY:,}, {what}':<78} {memory:>7,.0f} MB")


def bare_forward(model, rows: list[list[int]], pieces: int) -> None:
    """Scores of the whole vocabulary at every place, thrown away."""
    import torch

    from lib.language_models.batching import batched

    with torch.inference_mode():
        for _, ids, real in batched(model.transformer, rows, pieces):
            model.transformer.model(input_ids=ids, attention_mask=real)


def every_place(model, texts: list[str], given: list[str] | None) -> np.ndarray:
    """Each text by itself in its batch, with a softmax at every place: how it was done before."""
    import torch

    from lib.language_models.batching import batched

    rows, first = model._encode(texts, given)
    values = np.empty(len(rows))
    with torch.inference_mode():
        for indices, ids, real in batched(model.transformer, rows, 1024):
            scores = model.transformer.model(input_ids=ids, attention_mask=real).logits[:, :-1]
            truth = scores.gather(2, ids[:, 1:, None])[..., 0] - scores.logsumexp(-1)
            behind = torch.arange(1, ids.shape[1]) >= torch.from_numpy(first[indices])[:, None]
            values[indices] = (truth * (real[:, 1:].bool() & behind)).double().sum(1).numpy()
    return values


def cpu_seconds(code: str) -> float:
    """Of a process of its own, the least of three."""
    measure = f"import time\n{code}\nprint(time.process_time())"
    said = [
        subprocess.run(
            [sys.executable, "-c", measure], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(3)
    ]
    return min(float(one.split()[-1]) for one in said)


ADJECTIVES = ("old", "new", "young", "tall", "kind", "proud", "quiet", "famous", "local", "retired")
JOBS = (
    "nurse",
    "mechanic",
    "teacher",
    "engineer",
    "secretary",
    "carpenter",
    "doctor",
    "lawyer",
    "clerk",
    "cook",
    "driver",
    "baker",
)
PROMPT = "This is a question about a story. Somebody came to the town in the morning and went home."
LARGE = """
import numpy as np, torch
from transformers import LlamaConfig, LlamaForCausalLM
from lib.language_models.causal_scores import _Network
model = LlamaForCausalLM(LlamaConfig(vocab_size={vocabulary}, hidden_size=64, intermediate_size=64, num_hidden_layers=1,
                                     num_attention_heads=2, num_key_value_heads=2)).eval()
from types import SimpleNamespace
network = _Network(SimpleNamespace(model=model, tokenizer=range(100), longest=512))
ids = torch.arange(2048).reshape(64, 32)
"""
TAKE = {
    True: "with torch.inference_mode(): network.log_p(network.states(ids).flatten(0, 1)[:200], np.arange(200))",
    False: "with torch.inference_mode(): model(ids[:16]).logits.logsumexp(-1)",
}
