"""Train a small translator (Marian, about 4.5 million parameters) on Tatoeba.

python -m scripts.train.translator.train --minutes 95 [--direction es-en] [--speech 0.1] [--arm
right]

needs the `sample` files. Beside the pairs it sees direct speech made from training sentences ("She
said to them: I'm tired." – "Ella les dijo: Estoy cansada."), so that it can learn to track who
speaks; `--speech 0` trains the model that was never taught. Only English to Spanish has such made
speech. A run stopped halfway goes on from its last checkpoint.
"""

import argparse
import itertools
import json
import logging
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.command import command
from lib.datasets.tatoeba import Pair
from lib.files import write_whole
from lib.paths import DATA
from scripts.commands import GOES_ON, read
from scripts.train import cards, loop
from scripts.train.loop import best_precision, checkpoint_settings, descend, run_options, take_steps
from scripts.train.translator.direct_speech import made_examples
from scripts.train.translator.model import Gradients, batch_loss, new_model, put_vectors
from scripts.train.translator.scores import evaluate
from scripts.train.translator.split import DIRECTIONS, Split, directed, split_pairs
from scripts.train.translator.tokenizer import (
    Pieces,
    batches,
    encode,
    make_tokenizer,
    save_tokenizer,
)
from studies.prefix_injection.doses import ARMS

TRIAL = 25  # steps that are timed to tell how many fit into so many minutes

log = logging.getLogger("lib")


@dataclass(frozen=True)
class Settings(loop.Settings):
    """What a run is made of.

    `speech` is the share of the training examples that are made direct speech; sizes are in pieces,
    layers and vector dimensions; `tokens` counts both sides of a batch.
    """

    direction: str = "en-es"
    speech: float = 0.1
    arm: str = "right"
    vocabulary: int = 6000
    width: int = 192
    encoder_layers: int = 3
    decoder_layers: int = 3
    tokens: int = 4096
    dropout: float = 0.1
    smoothing: float = 0.1
    warmup: float = 0.08
    decay: float = 0.01
    precision: str = "float32"


def training_pairs(split: Split, settings: Settings) -> list[Pair]:
    """Source and target sentences of one epoch: the pairs, and the made direct speech in its
    share.
    """
    number = round(len(split.training) * settings.speech / (1 - settings.speech))
    made = []
    if number:
        made = made_examples(
            split.training,
            split.stems,
            set(split.held_out),
            number,
            settings.arm,
            rng=np.random.default_rng([settings.seed, 1]),
        )
    return directed(
        [*split.training, *((example.english, example.spanish) for example in made)],
        settings.direction,
    )


@dataclass(frozen=True)
class Work:
    """What a run steps through: both sides of its training and validation pairs, in pieces.

    `vectors`, (pieces, width), are those that the encoder starts from, in a matrix of its own; NaN
    where a piece keeps its random ones. None: one matrix, random, serves all sides.
    """

    settings: Settings
    sides: tuple[Pieces, Pieces]
    validation: tuple[Pieces, Pieces]
    tokenizer: object
    vectors: NDArray | None = None

    def batches(self, first: int) -> Iterator[tuple]:
        """The padded source and target of each step from `first` on.

        They depend on the settings and the step alone.
        """
        settings, passed = self.settings, 0
        for epoch in itertools.count():
            rng = np.random.default_rng([settings.seed, 2, epoch])
            epoch_rows = batches(*self.sides, settings.tokens, rng)
            for rows in epoch_rows[max(0, first - passed) : settings.steps - passed]:
                yield tuple(side.padded(rows) for side in self.sides)
            passed += len(epoch_rows)
            if passed >= settings.steps:
                return


def prepare(split: Split, settings: Settings) -> Work:
    """The training and validation pairs of a run in pieces, cut by a vocabulary that is learned
    from the former.
    """
    pairs = training_pairs(split, settings)
    tokenizer = make_tokenizer(directed(split.training, settings.direction), settings.vocabulary)
    sides = [
        tuple(encode(tokenizer, side) for side in zip(*part))
        for part in (pairs, directed(split.validation, settings.direction))
    ]
    return Work(settings, *sides, tokenizer)


def steps(model, names: dict, optimizer, work: Work, first: int = 0) -> Iterator[float]:
    """One optimizer step for each batch from the step `first` on. Yields its loss."""
    settings = work.settings
    gradients = Gradients(
        model, names.values(), settings.dropout, settings.smoothing, settings.precision
    )

    def backward(step: int, batch: tuple) -> float:
        model.train()  # between steps it is asked for its loss on the validation pairs
        return gradients.put(*batch, [settings.seed, 3, step])

    return descend(backward, work.batches(first), names.values(), optimizer, settings, first)


def validation_loss(model, work: Work) -> float:
    """Cross-entropy on the validation pairs, nats a piece, without smoothing and dropout."""
    import torch

    model.eval()
    losses, sizes = [], []
    with torch.no_grad():
        for rows in batches(*work.validation, 8192, np.random.default_rng(0)):
            source, target = (side.padded(rows) for side in work.validation)
            loss = batch_loss(model, source, target, 0.0, work.settings.precision)
            losses.append(loss.item())
            sizes.append(work.validation[1].lengths[rows].sum())
    return float(np.average(losses, weights=sizes))


def start(work: Work, device: str):
    """The model before training, its parameters by name and their optimizer."""
    import torch

    settings = work.settings
    model = new_model(
        work.tokenizer.get_vocab_size(),
        settings.width,
        settings.encoder_layers,
        settings.decoder_layers,
        settings.seed,
        tied=work.vectors is None,
    )
    if work.vectors is not None:
        put_vectors(model, work.vectors)
    model = model.to(device)
    # short sentences: faster than the flash kernel on a processor
    model.set_attn_implementation("eager")
    names = {
        name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad
    }
    optimizer = torch.optim.AdamW(
        names.values(), betas=(0.9, 0.98), weight_decay=settings.decay, fused=True
    )
    return model, names, optimizer


def train(
    folder: Path,
    split: Split,
    work: Work,
    device: str = "cpu",
    every: float = 300,
    until: float = math.inf,
) -> dict:
    """Train, or go on from a checkpoint, and write model, tokenizer, held_out.json and scores.json.

    Parameters
    ----------
    folder : Path
        Where all of them go, and the checkpoint.
    split : Split
    work : Work
    device : str
    every : float
        Seconds between checkpoints.
    until : float
        Stop, after a checkpoint, when this run has taken so many seconds.

    Returns
    -------
    dict
        The scores; the step reached where the run was stopped.

    Raises
    ------
    ValueError
        When the folder holds a checkpoint of a run with other settings.
    """
    begun, settings, state = time.monotonic(), work.settings, folder / "checkpoint.safetensors"
    model, names, optimizer = start(work, device)
    log.info("%s training pairs", f"{len(work.sides[0].lengths):,}")
    step, seconds = take_steps(
        lambda first: steps(model, names, optimizer, work, first),
        settings,
        state,
        names,
        optimizer,
        begun,
        every,
        until,
        saved=lambda: log.info("validation loss %.3f", validation_loss(model, work)),
    )
    if step < settings.steps:
        return {"step": step}
    reached = {
        "validation_loss": validation_loss(model, work),
        "steps": settings.steps,
        "seconds": round(seconds),
        "settings": asdict(settings),
    }
    save(folder, model, work, split)
    scores = reached | evaluate(folder, split, settings.direction, device=device)
    cards.write_scores(folder, scores)
    state.unlink(missing_ok=True)
    return scores


def save(folder: Path, model, work: Work, split: Split) -> None:
    """Write what `from_pretrained` loads, weights in float16, and the held-out adjectives."""
    from transformers import GenerationConfig

    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(work.tokenizer, folder)
    model.generation_config = GenerationConfig(
        num_beams=4, max_length=256, pad_token_id=0, eos_token_id=2, decoder_start_token_id=0
    )
    model.half().save_pretrained(folder)
    write_whole(
        folder / "held_out.json", json.dumps(split.held_out, ensure_ascii=False, indent=1) + "\n"
    )


def steps_in(minutes: float, work: Work, device: str) -> int:
    """As many steps as a few trial steps say this machine makes in so many minutes."""
    trial = replace(work, settings=replace(work.settings, steps=TRIAL))
    times = [time.monotonic() for _ in steps(*start(trial, device), trial)]
    return max(1, round(60 * minutes / (times[-1] - times[4]) * (len(times) - 5)))


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = _parser()
    options = read(parser, arguments)
    folder = options.folder or DATA / "models" / f"tatoeba-{options.direction}"
    if options.card:
        from scripts.train.translator.card import write_card

        log.info("wrote %s", write_card(folder))
        return 0
    speech = options.speech
    if speech is None:
        speech = 0.1 if options.direction == "en-es" else 0.0
    if not 0 <= speech < 1:
        parser.error(
            f"--speech: expected a share from 0 to less than 1, got {speech:g}; 0.1 is a tenth of "
            "the examples"
        )
    if speech and options.direction == "en-fr":
        parser.error(
            "--speech: expected 0 for French, whose grammar of made direct speech is not written, "
            f"got {speech:g}; leave it away"
        )
    if options.minutes <= 0 or (options.steps or 1) < 1:
        parser.error(
            "expected a positive time or number of steps, "
            f"got {options.minutes:g} minutes, {options.steps} steps"
        )
    settings = Settings(
        direction=options.direction,
        speech=speech,
        arm=options.arm,
        seed=options.seed,
        precision=options.precision or best_precision(options.device),
    )
    split = split_pairs(settings.direction)
    work = prepare(split, settings)
    begun = checkpoint_settings(folder / "checkpoint.safetensors")
    number = options.steps or begun.get("steps")  # a killed run keeps the steps that it measured
    number = number or steps_in(options.minutes, work, options.device)
    train(folder, split, replace(work, settings=replace(settings, steps=number)), options.device)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.train.translator.train",
        description=__doc__.partition("\n")[0],
        parents=[run_options()],
    )
    parser.add_argument(
        "--folder",
        type=Path,
        help="where the model and its checkpoint go (data/models/tatoeba-en-es)",
    )
    parser.add_argument("--direction", default="en-es", choices=DIRECTIONS)
    parser.add_argument(
        "--minutes",
        type=float,
        default=95,
        help="as many steps as fit into about so long, measured first (95)",
    )
    parser.add_argument(
        "--steps", type=int, help="so many steps instead: a short run, or one to repeat exactly"
    )
    parser.add_argument(
        "--speech",
        type=float,
        metavar="SHARE",
        help="share of the training examples that is made direct speech (0.1 to Spanish; 0 from Spanish and to French)",
    )
    parser.add_argument(
        "--arm",
        default="right",
        choices=ARMS,
        help="right prefixes, the same sentences without prefix, or He and She shuffled",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
