"""A series of short trainings that a stopped run goes on with: what is trained, and what is kept of it."""

import argparse
import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from scripts import commands
from scripts.train.translator.split import Split, split_pairs
from scripts.train.translator.train import Settings

S = TypeVar("S", bound=Settings)

log = logging.getLogger("lib")


def options(name: str, about: str, steps: int, seeds: int, work: Path) -> argparse.ArgumentParser:
    """The command line that all series share.

    Parameters
    ----------
    name : str
        Of the module below `scripts.train.translator`.
    about : str
        Its docstring.
    steps, seeds : int
        Unless others are asked for.
    work : Path
        For checkpoints, unless another is asked for.
    """
    parser = commands.parser(f"train.translator.{name}", about)
    parser.description, parser.formatter_class = about, argparse.RawDescriptionHelpFormatter
    parser.add_argument("--steps", type=_positive, default=steps, help=f"of each ({steps})")
    parser.add_argument("--seeds", type=_positive, default=seeds, help=f"of each kind ({seeds})")
    parser.add_argument("--folder", type=Path, default=work, help=f"for checkpoints ({work})")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return number


def train_missing(
    kept: Path,
    work: Path,
    planned: Sequence[S],
    name_of: Callable[[S], str],
    train_one: Callable[[Split, S], None],
) -> int:
    """Train those of a series that have no scores yet.

    Parameters
    ----------
    kept, work : Path
        Where scores.json lies in a folder for each run; where checkpoints and weights go, which are
        deleted with the end of a run.
    planned : sequence of Settings
    name_of : callable
        The folder of a run.
    train_one : callable
        Trains one, and keeps its scores.

    Returns
    -------
    int
        How many were trained.
    """
    missing = [each for each in planned if not (kept / name_of(each) / "scores.json").is_file()]
    split = split_pairs() if missing else None
    for number, settings in enumerate(missing, 1):
        log.info("%d of %d: %s", number, len(missing), name_of(settings))
        train_one(split, settings)
        shutil.rmtree(work / name_of(settings))
    return len(missing)
