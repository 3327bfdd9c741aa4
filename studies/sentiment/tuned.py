"""An encoder whose last layers are tuned to tell positive phrases from negative ones, beside the same encoder frozen.

The paper's third model is BERT with all layers tuned on SST-2. Here the head on the frozen encoder is fitted first, and tuning goes
on from there: what it changes is what the encoder's own weights add.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.files import text_hash
from lib.kept import kept
from lib.language_models.batching import encoded
from lib.language_models.pretrained import best_device, load_transformer
from lib.paths import DATA
from lib.text_classification.sentiment.encoders import (
    LinearHead,
    SentimentClassifier,
    fit_head,
    sentence_vectors,
)
from lib.threads import one_thread
from studies.sentiment.contrasts import differences
from studies.sentiment.lstm import Phrases

if TYPE_CHECKING:
    import torch

FOLDER = DATA / "models" / "tuned-sentiment"
ARMS = ("frozen", "tuned")

log = logging.getLogger("lib")


@dataclass(frozen=True)
class TunedSettings:
    """How an encoder is tuned. No setting was chosen by a score: rate, batch and epochs are among those that BERT's authors name.

    On a card with bfloat16 the encoder computes in it, else in single precision.
    """

    encoder: str = "minilm"
    layers: int | str = 2  # the last so many; "all": also the vectors of the pieces
    phrases: int = 4_000  # that a seed draws to learn from; 0: all
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 5e-5  # the highest, of AdamW
    warm_up: float = 0.1  # share of the steps in which it rises; then it falls to 0
    weight_decay: float = 0.01  # of matrices


def answers(
    phrases: Phrases,
    asked: Sequence[str],
    seed: int,
    settings: TunedSettings = TunedSettings(),
    *,
    device: str = "cpu",
) -> NDArray[np.float64]:
    """Probabilities of positive by the frozen encoder and by the tuned one, (2, n), both taught with the phrases that a seed draws.

    What was answered before comes from the book's cache. A seed decides which phrases are learned from, their order, and dropout.
    """
    device = best_device(device)
    source = load_transformer(settings.encoder, device="cpu").source
    about = [asdict(settings), source, phrases.hash, text_hash(json.dumps([*asked]))]
    key = json.dumps([*about, int(seed), device.partition(":")[0]])

    def compute() -> NDArray[np.float64]:
        both = tuned(phrases, seed, settings, device=device)
        return np.array([model.positive(asked) for model in both])

    return kept("sentiment-tuned", key, compute)


def tuned(
    phrases: Phrases, seed: int, settings: TunedSettings = TunedSettings(), *, device: str = "cpu"
) -> tuple[SentimentClassifier, SentimentClassifier]:
    """The classifier on the frozen encoder, and the tuned one."""
    rng = np.random.default_rng(seed)
    if settings.phrases > len(phrases.texts):
        raise ValueError(
            f"phrases: expected at most {len(phrases.texts):,}, got {settings.phrases:,}; 0 takes all"
        )
    drawn = rng.permutation(len(phrases.texts))[: settings.phrases or None]
    texts, labels = [phrases.texts[place] for place in drawn], phrases.labels[drawn]
    frozen = load_transformer(settings.encoder, device=device)
    head = fit_head(sentence_vectors(frozen, texts), labels)
    moving = load_transformer(settings.encoder, device=device)
    moved = _tune(moving, head, encoded(moving, texts), labels, settings, rng)
    return SentimentClassifier(frozen, head), SentimentClassifier(moving, moved)


def _tune(transformer, head: LinearHead, rows, labels, settings: TunedSettings, rng) -> LinearHead:
    """Tune the encoder in place, with its head, which comes back."""
    import torch
    from torch import nn

    model, device = transformer.model, transformer.device
    weights = nn.Parameter(torch.tensor(head.weights, device=device))
    constant = nn.Parameter(torch.tensor(head.constant, device=device))
    parts = _last_layers(model, settings.layers)
    model.requires_grad_(False)
    for part in parts:
        part.requires_grad_(True)
    trained = [*(p for part in parts for p in part.parameters()), weights, constant]
    groups = [
        {"params": [p for p in trained if p.ndim > 1], "weight_decay": settings.weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW([group for group in groups if group["params"]])
    lengths, answer = np.array([len(row) for row in rows]), torch.tensor(labels, device=device)
    at_once = settings.batch_size
    steps = settings.epochs * -(-len(rows) // at_once)
    rise, step = max(1, round(settings.warm_up * steps)), 0
    half = device.startswith("cuda") and torch.cuda.is_bf16_supported()
    with one_thread(), torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**31)))
        for part in parts:  # dropout where something moves, and nowhere else
            part.train()
        for _ in range(settings.epochs):
            # phrases of like length share a batch, in an order that changes with every epoch
            order = np.argsort(lengths + rng.uniform(0, 3, len(lengths)))
            batches = [order[k : k + at_once] for k in range(0, len(order), at_once)]
            for place in rng.permutation(len(batches)):
                batch, step = batches[place], step + 1
                share = min(step / rise, (steps - step + 1) / max(1, steps - rise))
                for group in optimiser.param_groups:
                    group["lr"] = settings.learning_rate * share
                ids, real = _padded([rows[k] for k in batch], transformer)
                with torch.autocast("cuda", torch.bfloat16, enabled=half):
                    states = model(input_ids=ids, attention_mask=real).last_hidden_state
                mean = (states.float() * real[..., None]).sum(1) / real.sum(1, keepdim=True)
                logits = nn.functional.normalize(mean, dim=1) @ weights + constant
                loss = nn.functional.binary_cross_entropy_with_logits(logits, answer[batch].float())
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(trained, 1.0)
                optimiser.step()
                if not step % 100:
                    log.info("step %d of %d, loss %.3f", step, steps, float(loss.detach()))
    model.eval().requires_grad_(False)
    return LinearHead(weights.detach().cpu().numpy(), float(constant.detach()))


def _last_layers(model: "torch.nn.Module", wanted: int | str) -> "list[torch.nn.Module]":
    """The modules to tune."""
    from torch import nn

    layers = next((part for part in model.modules() if isinstance(part, nn.ModuleList)), None)
    if layers is None:
        raise ValueError(f"{type(model).__name__}: expected an encoder with a list of layers")
    if wanted == "all":
        return [model]
    if not isinstance(wanted, int) or not 1 <= wanted <= len(layers):
        raise ValueError(f"layers: expected 'all' or 1 to {len(layers)}, got {wanted!r}")
    return list(layers[-wanted:])


def _padded(rows, transformer) -> "tuple[torch.Tensor, torch.Tensor]":
    """Pieces of phrases in one table, and which of them are real."""
    import torch

    padding = transformer.tokenizer.pad_token_id or 0
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], True, padding)
    real = torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]
    return ids.to(transformer.device), real.long().to(transformer.device)


def scores(
    said: Mapping[int, ArrayLike], labels: ArrayLike, sentences: pd.DataFrame
) -> pd.DataFrame:
    """A row for each seed and arm: share of the held-out texts right, log loss there, and F − M.

    `said` has for each seed what `answers` gives for the held-out texts, with these labels, and behind them the sentences.
    """
    truth, rows = np.asarray(labels).astype(bool), []
    for seed, both in said.items():
        for arm, values in zip(ARMS, np.asarray(both)):
            held_out, of_twins = values[: len(truth)], values[len(truth) :]
            given = np.where(truth, held_out, 1 - held_out).clip(1e-12)
            rows.append(
                {
                    "arm": arm,
                    "seed": seed,
                    "share right": ((held_out > 0.5) == truth).mean(),
                    "log loss": -np.log(given).mean(),
                    "F − M": differences(sentences, of_twins).to_numpy().mean(),
                }
            )
    return pd.DataFrame(rows)


def against_frozen(
    said: Mapping[int, ArrayLike],
    labels: ArrayLike,
    sentences: pd.DataFrame,
    *,
    draws: int = 10_000,
    rng: np.random.Generator | int | None = 0,
) -> pd.DataFrame:
    """What tuning changes, the mean over the seeds: what, value, low and high (95 %), lowest and highest seed.

    "share right" and "log loss", tuned less frozen: held-out texts and seeds are drawn anew, both arms on the same ones. "F − M" of the
    tuned encoder, and the change of it from the frozen one: nouns, occupations and seeds are drawn anew.
    """
    truth = np.asarray(labels).astype(bool)
    every = np.array([np.asarray(both) for both in said.values()])  # seeds, arms, texts
    held_out = every[..., : len(truth)]
    right = (held_out > 0.5) == truth
    losses = -np.log(np.where(truth, held_out, 1 - held_out).clip(1e-12))
    generator = np.random.default_rng(rng)

    def weights(n: int) -> NDArray[np.int64]:
        return generator.multinomial(n, np.full(n, 1 / n), draws)

    texts, picked = weights(len(truth)), generator.integers(len(every), size=(draws, len(every)))
    of_twins = np.array(
        [[differences(sentences, values[len(truth) :]) for values in both] for both in every]
    )  # seeds, arms, pairs, occupations
    pairs, jobs = (weights(n) for n in of_twins.shape[2:])
    tuned, frozen = of_twins[:, 1], of_twins[:, 0]
    rows = []
    for what, cells in (
        ("share right", right[:, 1].astype(float) - right[:, 0]),
        ("log loss", losses[:, 1] - losses[:, 0]),
        ("F − M, tuned", tuned),
        ("F − M, tuned less frozen", tuned - frozen),
    ):
        each = cells.reshape(len(every), -1).mean(axis=1)
        if cells.ndim == 2:
            means = texts @ cells.T / len(truth)
        else:
            means = np.einsum("dp,spj,dj->ds", pairs, cells, jobs, optimize=True)
            means /= cells[0].size
        drawn = np.take_along_axis(means, picked, axis=1).mean(axis=1)
        rows.append(
            (what, each.mean(), *np.quantile(drawn, [0.025, 0.975]), each.min(), each.max())
        )
    columns = ["what", "value", "low", "high", "lowest seed", "highest seed"]
    return pd.DataFrame(rows, columns=columns).assign(seeds=len(every))


def recorded() -> tuple[pd.DataFrame, pd.DataFrame]:
    """`scores` and `against_frozen` as `scripts.train.tuned_sentiment` recorded them."""
    return pd.read_csv(FOLDER / "scores.csv"), pd.read_csv(FOLDER / "differences.csv")
