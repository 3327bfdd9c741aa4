"""BERT base and large at true size on a GPU: masked scoring and words in context, against what the card can multiply.

Weights are random: speed does not depend on them, and none have to be fetched.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from scripts.bench.weat import median_seconds

# What differs from the default configuration of transformers, which is BERT base.
SIZES = {
    "BERT base": {},
    "BERT large": {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    },
}


def main(quick: bool, row) -> None:
    """Both sizes on the GPU at hand; a line that says so where there is none."""
    import torch

    if not torch.cuda.is_available():
        print("gpu: left out, there is no GPU here")
        return
    for name, size in SIZES.items():
        bench_size(name, size, "cuda", row, copies=2 if quick else 20)


def bench_size(name: str, size: dict[str, int], device: str, row, copies: int) -> None:
    """Masked scoring and encoding with one size in bfloat16, each beside the products that they need."""
    from lib.language_models import ContextEncoder, MaskedLanguageModel
    from lib.language_models.batching import encoded
    from lib.lexicons import word_list

    jobs = word_list("occupations/occupations")[:100]
    sentences = [
        text.replace("{target}", "she").replace("{attribute}", job)
        for text in word_list("templates/job_templates")
        for job in jobs
    ] * copies
    masked = [sentence.replace("she", "[MASK]", 1) for sentence in sentences]
    with tempfile.TemporaryDirectory() as folder:
        write_model(Path(folder), size)
        scorer = MaskedLanguageModel(folder, device, dtype="bfloat16")
        encoder = ContextEncoder(folder, device=device, dtype="bfloat16")
    lengths = np.array([len(ids) for ids in encoded(scorer.transformer, masked)])
    work = {
        "masked scoring": lambda: scorer.log_probabilities(masked, ["he", "she"]),
        "words in context": lambda: encoder.encode(sentences, ["she"] * len(sentences)),
    }
    config, speed = scorer.transformer.model.config, products_a_second(device)
    for what, run in work.items():
        peak_memory(device, reset=True)
        run()
        seconds = median_seconds(run, 3)
        needed = operations(config, lengths, what == "masked scoring") / speed
        label = f"{name}, {what}, {len(sentences):,} sentences, {device}"
        row(label, seconds, needed, "its products at the card's own pace")
        print(
            f"{'the same':<58} {len(sentences) / seconds:>7,.0f} sentences a second; {needed / seconds:.0%} of the pace of a "
            f"large bfloat16 product ({speed / 1e12:.3g} T operations a second); {peak_memory(device):,.0f} MB on the card"
        )


def write_model(folder: Path, size: dict[str, int]) -> None:
    """A masked BERT with random weights, and the tokenizer of minilm-mlm, whose vocabulary is BERT's."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    from lib.language_models import MaskedLanguageModel

    tokenizer = MaskedLanguageModel("minilm-mlm", "cpu").transformer.tokenizer
    torch.manual_seed(0)
    BertForMaskedLM(BertConfig(vocab_size=len(tokenizer), **size)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def operations(config, lengths: np.ndarray, with_logits: bool) -> float:
    """Multiplications and additions that sentences of these lengths need, without padding, one mask each."""
    d, wide, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    products = 2 * lengths.sum() * layers * (4 * d * d + 2 * d * wide)
    attention = 4 * layers * d * (lengths.astype(float) ** 2).sum()
    logits = 2 * len(lengths) * d * (d + config.vocab_size) if with_logits else 0
    return float(products + attention + logits)


def products_a_second(device: str) -> float:
    """Operations a second of a large product in bfloat16: the peak that a program can reach on this machine."""
    import torch

    side = 8192 if device == "cuda" else 1024
    factor = torch.randn(side, side, device=device, dtype=torch.bfloat16)

    def multiply():
        for _ in range(10):
            factor @ factor
        if device == "cuda":
            torch.cuda.synchronize()

    multiply()
    return 10 * 2 * side**3 / median_seconds(multiply, 3)


def peak_memory(device: str, reset: bool = False) -> float:
    """Megabytes that were taken on the card at most since the last reset; 0 on a processor."""
    import torch

    if device != "cuda":
        return 0.0
    if reset:
        torch.cuda.reset_peak_memory_stats()
    return torch.cuda.max_memory_allocated() / 1e6
