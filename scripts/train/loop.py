"""What trainings share: settings, precision, learning rate, losses that bring their gradients, steps, and a loop that goes on after
a kill.

A run's state is one safetensors file, written whole or not at all.
"""

import argparse
import json
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from lib.files import new_file
from scripts.commands import add_card

if TYPE_CHECKING:
    import torch

STATE = ("step", "exp_avg", "exp_avg_sq")  # of AdamW, for each parameter

Batch = TypeVar("Batch")
log = logging.getLogger("lib")


@dataclass(frozen=True)
class Settings:
    """What every training by steps is made of; a checkpoint goes on only under the same settings.

    `rate` is the highest learning rate, `warmup` the share of the steps in which it rises.
    """

    steps: int = 0
    rate: float = 1e-3
    warmup: float = 0.05
    seed: int = 0


def run_options() -> argparse.ArgumentParser:
    """What every training takes on its command line, as a parent parser."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument(
        "--precision", choices=("float32", "bfloat16"), help="bfloat16 where it is native"
    )
    parser.add_argument("--seed", type=int, default=0)
    add_card(parser)
    return parser


def best_precision(device: str) -> str:
    """bfloat16 where the device computes in it natively, else float32."""
    import torch

    native = (
        torch.cuda.is_bf16_supported()
        if device == "cuda"
        else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    )
    return "bfloat16" if native else "float32"


def rate_at(step: int, settings: Settings) -> float:
    """Share of the full learning rate: a linear rise, then half a cosine down to zero."""
    rise = max(1, round(settings.warmup * settings.steps))
    if step < rise:
        return (step + 1) / rise
    return 0.5 * (1 + math.cos(math.pi * (step - rise) / max(1, settings.steps - rise)))


def with_gradients(loss, inputs: Sequence, gradients: Sequence):
    """A loss whose gradients with respect to its inputs were computed along with it, so that
    nothing is kept for them.
    """
    import torch

    class Known(torch.autograd.Function):
        @staticmethod
        def forward(context, loss, *inputs):
            context.save_for_backward(*gradients)
            return loss.clone()

        @staticmethod
        def backward(context, outer):
            return None, *(gradient * outer for gradient in context.saved_tensors)

    return Known.apply(loss, *inputs)


def write_tensors(
    path: Path, tensors: Mapping[str, "torch.Tensor"], metadata: Mapping[str, str] | None = None
) -> None:
    """Tensors as a safetensors file that is there whole or not at all."""
    from safetensors.torch import save_file

    contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with new_file(path) as part:
        save_file(contiguous, part, metadata=metadata)


def checkpoint_settings(path: Path) -> dict:
    """The settings of the run that left a checkpoint; none where there is no file."""
    from safetensors import safe_open

    if not path.is_file():
        return {}
    with safe_open(path, framework="pt") as stored:
        return json.loads(stored.metadata()["settings"])


def descend(
    backward: Callable[[int, Batch], float],
    given: Iterable[Batch],
    parameters: Iterable["torch.nn.Parameter"],
    optimizer: "torch.optim.Optimizer",
    settings: Settings,
    first: int = 0,
) -> Iterator[float]:
    """One step of the optimizer for each batch, from the step `first` on. Yields its loss.

    `backward` puts the gradients of a batch, with the number of the step, and returns its loss. A group of parameters may have a
    highest rate of its own, "base". Gradients are clipped to a norm of 1.
    """
    import torch

    parameters = list(parameters)
    for step, batch in enumerate(given, first):
        for group in optimizer.param_groups:
            group["lr"] = group.get("base", settings.rate) * rate_at(step, settings)
        loss = backward(step, batch)
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        yield loss


def take_steps(
    steps: Callable[[int], Iterator[float]],
    settings: Settings,
    state: Path | None,
    parameters: Mapping[str, "torch.nn.Parameter"],
    optimizer: "torch.optim.Optimizer",
    begun: float,
    every: float = 300,
    until: float = math.inf,
    saved: Callable[[], None] = lambda: None,
) -> tuple[int, float]:
    """Take the steps of a run, or go on from its checkpoint, say how far it is and keep a
    checkpoint now and then.

    Parameters
    ----------
    steps : callable
        From the number of the first step to the losses of all from there on.
    settings : dataclass
        A checkpoint goes on only under the same; its `steps` is their number.
    state : Path
        The checkpoint's file; None for a run of minutes, which keeps none.
    parameters : dict of str to Parameter
        What is trained, by name.
    optimizer : AdamW
        Of these parameters.
    begun : float
        `time.monotonic()` when the run began.
    every : float
        Seconds between checkpoints, after each of which `saved` is called.
    until : float
        Stop, after a checkpoint, when this run has taken so many seconds.
    saved : callable
        What else to keep with a checkpoint.

    Returns
    -------
    (int, float)
        The step reached and the seconds that the run took, those before a kill too.

    Raises
    ------
    ValueError
        When the checkpoint is of a run with other settings.
    """
    first, spent = _resume(state, asdict(settings), parameters, optimizer) if state else (0, 0.0)
    log.info("step %d of %d", first, settings.steps)
    step, losses, started, kept = first, [], time.monotonic(), begun
    for step, loss in enumerate(steps(first), first + 1):
        losses.append(loss)
        now = time.monotonic()
        if step % 50 == 0:
            left = (now - started) / len(losses) * (settings.steps - step) / 60
            message = "step %d of %d  loss %.3f  %.0f s, about %.0f minutes left"
            mean, seconds = np.mean(losses[-50:]), spent + now - begun
            log.info(message, step, settings.steps, mean, seconds, left)
        if state and (now - kept > every or now - begun > until):
            kept = now
            _save(state, asdict(settings), parameters, optimizer, step, spent + now - begun)
            saved()
        if now - begun > until:
            log.info("stopped at step %d; run again to go on", step)
            break
    return step, spent + time.monotonic() - begun


def _save(
    path: Path, settings: dict, parameters: Mapping, optimizer, step: int, seconds: float
) -> None:
    """Keep the trained parameters, the optimizer's state for each, the step reached and the seconds
    it took.
    """
    tensors = {f"weight.{name}": parameter for name, parameter in parameters.items()}
    for name, parameter in parameters.items():
        tensors |= {f"{kind}.{name}": optimizer.state[parameter][kind] for kind in STATE}
    reached = {"step": str(step), "seconds": f"{seconds:.0f}"}
    write_tensors(path, tensors, {"settings": json.dumps(settings)} | reached)


def _resume(path: Path, settings: dict, parameters: Mapping, optimizer) -> tuple[int, float]:
    """Put parameters and optimizer back; the step to go on from and the seconds before it, zeros
    without a checkpoint.
    """
    import torch
    from safetensors import safe_open

    stored_settings = checkpoint_settings(path)
    if not stored_settings:
        return 0, 0.0
    if stored_settings != json.loads(json.dumps(settings)):
        raise ValueError(
            f"{path}: a checkpoint of a run with other settings ({stored_settings}); "
            "delete it or give another --folder"
        )
    with safe_open(path, framework="pt") as stored, torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(stored.get_tensor(f"weight.{name}"))
            state = {kind: stored.get_tensor(f"{kind}.{name}") for kind in STATE}
            optimizer.state[parameter] = {
                kind: tensor if kind == "step" else tensor.to(parameter.device)
                for kind, tensor in state.items()
            }
        reached = stored.metadata()
    return int(reached["step"]), float(reached["seconds"])
