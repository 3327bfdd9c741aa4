"""A training run's state in one safetensors file, written whole or not at all, so that a killed run goes on from it."""

from __future__ import annotations

import json
from pathlib import Path

STATE = ("step", "exp_avg", "exp_avg_sq")  # of AdamW, for each parameter


def write(tensors: dict, path: Path, about: dict[str, str] | None = None) -> None:
    """Tensors, and a few words about them, as a file that is there whole or not at all."""
    from safetensors.torch import save_file

    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    save_file(
        {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()},
        partial,
        metadata=about,
    )
    partial.replace(path)


def save(
    path: Path, settings: dict, parameters: dict, optimizer, step: int, seconds: float
) -> None:
    """Keep the trained parameters, the optimizer's state for each, the step reached and the seconds it took."""
    tensors = {f"weight.{name}": parameter for name, parameter in parameters.items()}
    for name, parameter in parameters.items():
        tensors |= {f"{kind}.{name}": optimizer.state[parameter][kind] for kind in STATE}
    write(
        tensors,
        path,
        {"settings": json.dumps(settings), "step": str(step), "seconds": f"{seconds:.0f}"},
    )


def settings_of(path: Path) -> dict:
    """The settings of the run that left a checkpoint; none where there is no file."""
    from safetensors import safe_open

    if not path.is_file():
        return {}
    with safe_open(path, framework="pt") as stored:
        return json.loads(stored.metadata()["settings"])


def resume(path: Path, settings: dict, parameters: dict, optimizer) -> tuple[int, float]:
    """Put parameters and optimizer back; the step to go on from and the seconds before it, (0, 0.0) without a checkpoint.

    Raises ValueError when the checkpoint is of a run with other settings.
    """
    import torch
    from safetensors import safe_open

    found = settings_of(path)
    if not found:
        return 0, 0.0
    if found != json.loads(json.dumps(settings)):
        raise ValueError(
            f"{path}: a checkpoint of a run with other settings ({found}); delete it or give another --folder"
        )
    with safe_open(path, framework="pt") as stored, torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(stored.get_tensor(f"weight.{name}"))
            state = {kind: stored.get_tensor(f"{kind}.{name}") for kind in STATE}
            optimizer.state[parameter] = {
                kind: tensor if kind == "step" else tensor.to(parameter.device)
                for kind, tensor in state.items()
            }
        about = stored.metadata()
    return int(about["step"]), float(about["seconds"])
