"""Give all-MiniLM-L6-v2 a masked-LM head: train a transform, a bias and low-rank changes of all encoder
layers on public texts.

python -m scripts.train.masked_lm.train [--epochs 5 | --steps N | --minutes 2] [--folder data/models/minilm-mlm]
python -m scripts.train.masked_lm.train --card       writes card.md from the scores.json of all seeds and the size of the models

Needs the `sample` files. Everything that is not trained stays the verified package weights, the
decoder being tied to the input embeddings; only what was trained is written. One text in fifty is
held out. A run that was killed goes on from its last checkpoint when the same command is given
again; a run of --minutes is repeated exactly by its --steps.
"""

import argparse
import logging
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from lib.command import command
from lib.language_models.low_rank import DOWN, FOLDER, UP
from lib.language_models.minilm import untrained_minilm
from scripts.commands import GOES_ON, read
from scripts.train import cards, loop
from scripts.train.loop import (
    best_precision,
    checkpoint_settings,
    descend,
    run_options,
    take_steps,
    with_gradients,
    write_tensors,
)
from scripts.train.masked_lm.texts import (
    CORPORA,
    Sequences,
    batches,
    masked_batch,
    read_sequences,
    tokenizer,
)

EVALUATED = 0.15  # share of the held-out pieces that are masked
TRIAL = 12  # steps that --minutes is measured on; the first two warm up

log = logging.getLogger("lib")


@dataclass(frozen=True)
class Settings(loop.Settings):
    """What a run is made of."""

    corpora: tuple[str, ...] = CORPORA
    rank: int = 64
    tokens: int = 4096
    masked: tuple[float, float] = (0.15, 0.3)
    rate: float = 1.5e-3
    head_rate: float = 1e-3
    warmup: float = 0.03
    decay: float = 0.01
    precision: str = "float32"


def low_rank(rows: int, columns: int, rank: int):
    """The change of a matrix as the product of two thin ones, zero at the start (Hu et al. 2022)."""
    import torch

    class LowRank(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.down = torch.nn.Parameter(torch.randn(rank, columns) / math.sqrt(columns))
            self.up = torch.nn.Parameter(torch.zeros(rows, rank))

        def forward(self, matrix):
            return matrix + self.up @ self.down

    return LowRank()


def trained_parameters(model, rank: int) -> dict:
    """The parameters that are trained, by the name they are stored under: transform and bias, the
    biases and normalisations of all layers, and two factors for each of their matrices, which this adds.
    """
    import torch
    from torch.nn.utils.parametrize import register_parametrization

    found = {}
    for name, part in model.bert.encoder.layer.named_modules(prefix="bert.encoder.layer"):
        if isinstance(part, torch.nn.Linear):
            found[f"{name}.bias"] = part.bias
            if rank:
                factors = low_rank(*part.weight.shape, rank)
                register_parametrization(part, "weight", factors)
                found[f"{name}.weight{DOWN}"] = factors.down
                found[f"{name}.weight{UP}"] = factors.up
        elif isinstance(part, torch.nn.LayerNorm):
            found |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    head = model.cls.predictions
    found |= {
        f"cls.predictions.transform.{name}": parameter
        for name, parameter in head.transform.named_parameters()
    }
    return found | {"cls.predictions.bias": head.bias}


def unigram_bias(sequences: Sequences, size: int):
    """Log probability of each piece in the training texts, with one added to every count."""
    import torch

    counts = np.bincount(sequences.pieces, minlength=size) + 1.0
    return torch.from_numpy(np.log(counts / counts.sum())).float()


def unigram_scores(
    training: Sequences, held: Sequences, special: Sequence[int]
) -> dict[str, float]:
    """The yardstick: held-out loss and accuracy of frequencies alone, with no look at the sentence.

    special : pieces that are never masked, which open and close a sequence.
    """
    size = 1 + int(max(training.pieces.max(), held.pieces.max()))
    counts = np.bincount(training.pieces, minlength=size) + 1.0
    counts[list(special)] = 0
    share, asked = counts / counts.sum(), held.pieces[~np.isin(held.pieces, special)]
    return {
        "loss": float(-np.log(share[asked]).mean()),
        "accuracy": float((asked == counts.argmax()).mean()),
    }


def masked_features(model, pieces, real, masked):
    """What the decoder sees at the masked positions, (m, d)."""
    hidden = model.bert(input_ids=pieces, attention_mask=real.long()).last_hidden_state
    return model.cls.predictions.transform(hidden[masked])


def tied_loss(features, decoder, bias, truth):
    """Mean cross-entropy of a softmax whose decoder is frozen, the logits made and forgotten 256 rows at a time: the
    full softmax took a third of a step."""
    import torch

    with torch.no_grad(), torch.autocast(features.device.type, enabled=False):
        total, by_bias, by_features = (
            0.0,
            torch.zeros_like(bias),
            torch.empty_like(features, dtype=torch.float32),
        )
        for start in range(0, len(features), 256):
            rows = slice(start, start + 256)
            logits = (
                torch.nn.functional.linear(features[rows].to(decoder.dtype), decoder)
                .float()
                .add_(bias)
            )
            norm = logits.logsumexp(1, keepdim=True)
            right = truth[rows, None]
            total += (norm - logits.gather(1, right)).sum()
            logits.sub_(norm).exp_()
            logits.scatter_add_(1, right, torch.full_like(norm, -1))
            by_bias += logits.sum(0)
            by_features[rows] = (logits.to(decoder.dtype) @ decoder).float()
    size = len(features)
    return with_gradients(total / size, (features, bias), (by_features / size, by_bias / size))


def evaluate(
    model,
    sequences: Sequences,
    mask_id: int,
    device: str = "cpu",
    precision: str = "float32",
    seed: int = 1,
):
    """Held-out loss (nats a masked piece), accuracy, and accuracy and pieces by corpus, 15 % being
    masked, always alike.
    """
    import torch

    rng, loss, hits, origins = np.random.default_rng(seed), [], [], []
    order = np.argsort(sequences.lengths(), kind="stable")
    ends = np.cumsum(sequences.lengths()[order]) // 8192
    with (
        torch.inference_mode(),
        torch.autocast(device, getattr(torch, precision), enabled=precision != "float32"),
    ):
        for indices in np.split(order, np.flatnonzero(np.diff(ends)) + 1):
            pieces, real, masked, truth = (
                x.to(device) for x in masked_batch(sequences, indices, EVALUATED, rng, mask_id)
            )
            logits = model.cls.predictions.decoder(
                masked_features(model, pieces, real, masked)
            ).float()
            loss.append(
                torch.nn.functional.cross_entropy(logits, truth, reduction="none").cpu().numpy()
            )
            hits.append((logits.argmax(-1) == truth).cpu().numpy())
            origins.append(np.repeat(sequences.corpus[indices], masked.sum(1).cpu().numpy()))
    hits, origins = np.concatenate(hits), np.concatenate(origins)
    by_corpus = {
        int(number): (float(hits[origins == number].mean()), int((origins == number).sum()))
        for number in np.unique(origins)
    }
    return float(np.concatenate(loss).mean()), float(hits.mean()), by_corpus


def starting_model(training: Sequences, settings: Settings, device: str = "cpu"):
    """The model before training, the head at the identity with a unigram bias, and its parameters
    to train, by name.
    """
    import torch

    torch.manual_seed(settings.seed)
    model = untrained_minilm().to(device)
    model.set_attn_implementation(
        "eager"
    )  # short sequences: faster than the flash kernel on a processor
    with torch.no_grad():
        model.cls.predictions.bias.copy_(unigram_bias(training, model.config.vocab_size))
    parameters = trained_parameters(model.requires_grad_(False), settings.rank)
    for parameter in parameters.values():
        parameter.requires_grad_(True)
    return model, parameters


def new_optimizer(parameters: dict, settings: Settings):
    import torch

    groups = [
        {"params": [p for n, p in parameters.items() if n.startswith("cls") == head], "base": base}
        for head, base in ((True, settings.head_rate), (False, settings.rate))
    ]
    groups = [group for group in groups if group["params"]]
    return torch.optim.AdamW(groups, weight_decay=settings.decay, betas=(0.9, 0.98))


def masked_batches(
    training: Sequences, settings: Settings, first: int, mask_id: int
) -> Iterator[tuple]:
    """The masked batch of each step from `first` on; it depends on the seed and the number of the
    step alone.
    """
    epoch, order = -1, batches(training, settings.tokens, np.random.default_rng(0))
    for step in range(first, settings.steps):
        if step // len(order) != epoch:
            epoch = step // len(order)
            order = batches(
                training, settings.tokens, np.random.default_rng([settings.seed, epoch])
            )
        rng = np.random.default_rng([settings.seed, epoch, step])
        yield masked_batch(
            training, order[step % len(order)], rng.uniform(*settings.masked), rng, mask_id
        )


def optimizer_steps(
    model,
    parameters: dict,
    optimizer,
    settings: Settings,
    inputs: Iterator[tuple],
    first: int = 0,
) -> Iterator[float]:
    """One optimizer step for each masked batch. Yields its loss."""
    import torch

    dtype = getattr(torch, settings.precision)
    bias, device = model.cls.predictions.bias, model.device
    decoder = model.cls.predictions.decoder.weight.detach().to(dtype)

    def backward(step: int, batch: tuple) -> float:
        pieces, real, masked, truth = (tensor.to(device) for tensor in batch)
        with torch.autocast(device.type, dtype, enabled=settings.precision != "float32"):
            loss = tied_loss(masked_features(model, pieces, real, masked), decoder, bias, truth)
        loss.backward()
        return loss.item()

    return descend(backward, inputs, parameters.values(), optimizer, settings, first)


def train(
    folder: Path,
    settings: Settings,
    device: str = "cpu",
    every: float = 300,
    until: float = math.inf,
    texts: tuple[Sequences, Sequences] | None = None,
) -> dict:
    """Train, or go on from the checkpoint in `folder`, and write model.safetensors and scores.json
    there. The scores.

    every : seconds between checkpoints. until : stop, after a checkpoint, when this run has taken so many seconds.
    texts : training and held-out sequences, where they have been read already.
    Raises ValueError when the folder holds a checkpoint of a run with other settings.
    """
    begun = time.monotonic()
    training, held = texts or read_sequences(settings.corpora)
    model, parameters = starting_model(training, settings, device)
    optimizer, mask_id = new_optimizer(parameters, settings), tokenizer().token_to_id("[MASK]")
    log.info(
        "%s training pieces, %s held out", f"{len(training.pieces):,}", f"{len(held.pieces):,}"
    )

    def steps(first: int) -> Iterator[float]:
        return optimizer_steps(
            model,
            parameters,
            optimizer,
            settings,
            masked_batches(training, settings, first, mask_id),
            first,
        )

    state = folder / "checkpoint.safetensors"
    step, seconds = take_steps(steps, settings, state, parameters, optimizer, begun, every, until)
    if step < settings.steps:
        return {"step": step}
    scores = _scores(settings, training, held, seconds, evaluate(model, held, mask_id, device))
    halves = {name: parameter.detach().half() for name, parameter in parameters.items()}
    write_tensors(folder / "model.safetensors", halves)
    cards.write_scores(folder, scores)
    state.unlink(missing_ok=True)
    log.info("held-out loss %.3f, accuracy %.2f %%", scores["loss"], 100 * scores["accuracy"])
    return scores


def _scores(
    settings: Settings, training: Sequences, held: Sequences, seconds: float, evaluated: tuple
) -> dict:
    """What scores.json holds."""
    loss, accuracy, by_corpus = evaluated
    lengths = training.lengths()
    special = training.pieces[[0, training.starts[1] - 1]].tolist()
    return {
        "loss": loss,
        "accuracy": accuracy,
        "unigram": unigram_scores(training, held, special),
        "steps": settings.steps,
        "seconds": round(seconds),
        "training_pieces": len(training.pieces),
        "held_out_pieces": len(held.pieces),
        "settings": asdict(settings),
        "by_corpus": {settings.corpora[number]: row for number, row in by_corpus.items()},
        "texts": {
            name: int(lengths[training.corpus == number].sum())
            for number, name in enumerate(settings.corpora)
        },
    }


def steps_for(
    settings: Settings, epochs: float, minutes: float | None, device: str, training: Sequences
) -> int:
    """Steps in so many epochs, or, with minutes, as many as a few trial steps say this machine
    makes in that time.
    """
    if minutes is None:
        return round(epochs * len(batches(training, settings.tokens, np.random.default_rng(0))))
    trial = replace(settings, steps=TRIAL)
    model, parameters = starting_model(training, trial, device)
    inputs = masked_batches(training, trial, 0, tokenizer().token_to_id("[MASK]"))
    optimizer = new_optimizer(parameters, trial)
    steps = optimizer_steps(model, parameters, optimizer, trial, inputs)
    times = [time.monotonic() for _ in steps]
    return max(1, round(60 * minutes / (times[-1] - times[1]) * (len(times) - 2)))


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    options = read(_parser(), arguments)
    if options.card:
        from scripts.train.masked_lm.card import write_card

        log.info("wrote %s", write_card(options.folder))
        return 0
    settings = Settings(
        corpora=tuple(options.corpora),
        rank=options.rank,
        seed=options.seed,
        precision=options.precision or best_precision(options.device),
    )
    texts = read_sequences(settings.corpora)
    folder = options.folder / f"seed{options.seed}"
    begun = checkpoint_settings(folder / "checkpoint.safetensors")
    steps = options.steps or (
        options.minutes and begun.get("steps")
    )  # a killed run keeps the steps that it measured
    steps = steps or steps_for(settings, options.epochs, options.minutes, options.device, texts[0])
    train(folder, replace(settings, steps=steps), options.device, texts=texts)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.train.masked_lm.train",
        description=__doc__.partition("\n")[0],
        parents=[run_options()],
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=FOLDER,
        help="where a folder for the seed goes, with the model and its checkpoint",
    )
    parser.add_argument("--epochs", type=float, default=5, help="times through the texts (5)")
    parser.add_argument(
        "--steps",
        type=int,
        help="so many steps instead of epochs: a short run, or one to repeat exactly",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        help="as many steps as the machine makes in about so long, measured first",
    )
    parser.add_argument(
        "--corpora",
        nargs="+",
        choices=CORPORA,
        default=CORPORA,
        metavar="NAME",
        help=", ".join(CORPORA),
    )
    parser.add_argument(
        "--rank",
        type=int,
        default=64,
        help="rank of the change of each matrix of the encoder (64); 0 trains no matrix",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
