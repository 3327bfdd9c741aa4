"""What trainings share: precision, learning rate, losses that bring their gradients, a loop that goes on after a kill."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from lib.training import checkpoint

log = logging.getLogger("lib")


def best_precision(device: str) -> str:
    """bfloat16 where the device computes in it natively, else float32."""
    import torch

    native = (
        torch.cuda.is_bf16_supported()
        if device == "cuda"
        else torch.ops.mkldnn._is_mkldnn_bf16_supported()
    )
    return "bfloat16" if native else "float32"


def rate_at(step: int, settings) -> float:
    """Share of the full learning rate: a linear rise, then half a cosine down to zero. settings : with steps and warmup."""
    rise = max(1, round(settings.warmup * settings.steps))
    if step < rise:
        return (step + 1) / rise
    return 0.5 * (1 + math.cos(math.pi * (step - rise) / max(1, settings.steps - rise)))


def with_gradients(loss, inputs: Sequence, gradients: Sequence):
    """A loss whose gradients with respect to its inputs were computed along with it, so that nothing is kept for them."""
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


def take_steps(
    steps: Callable[[int], Iterator[float]],
    settings,
    state: Path,
    names: dict,
    optimizer,
    begun: float,
    every: float = 300,
    until: float = math.inf,
    saved: Callable[[], None] = lambda: None,
) -> tuple[int, float]:
    """Take the steps of a run, or go on from its checkpoint, say how far it is and keep a checkpoint now and then.

    steps : from the number of the first step to the losses of all from there on. settings : its `steps` is their number.
    state : the checkpoint's file. names, optimizer : as `checkpoint.save` takes them. begun : `time.monotonic()` when the
    run began. every : seconds between checkpoints, after each of which `saved` is called. until : stop, after a
    checkpoint, when this run has taken so many seconds. Returns the step reached and the seconds that the run took, those
    before a kill too. Raises ValueError when the checkpoint is of a run with other settings.
    """
    first, spent = checkpoint.resume(state, asdict(settings), names, optimizer)
    log.info("step %d of %d", first, settings.steps)
    step, losses, started, kept = first, [], time.monotonic(), begun
    for step, loss in enumerate(steps(first), first + 1):
        losses.append(loss)
        now = time.monotonic()
        if step % 50 == 0:
            left = (now - started) / len(losses) * (settings.steps - step) / 60
            log.info(
                "step %d of %d  loss %.3f  %.0f s, about %.0f minutes left",
                step,
                settings.steps,
                np.mean(losses[-50:]),
                spent + now - begun,
                left,
            )
        if now - kept > every or now - begun > until:
            kept = now
            checkpoint.save(state, asdict(settings), names, optimizer, step, spent + now - begun)
            saved()
        if now - begun > until:
            log.info("stopped at step %d; run again to go on", step)
            break
    return step, spent + time.monotonic() - begun
