"""A device that is soon full."""

import pytest
import torch


def refuse_large_batches(
    monkeypatch: pytest.MonkeyPatch, network: torch.nn.Module, pieces: int = 20
) -> list[int]:
    """Let a network run out of memory beyond so many pieces; the sizes that it refused come in the list."""
    forward, refused = network.forward, []

    def crowded(*args, input_ids, **named):
        if input_ids.numel() > pieces:
            refused.append(input_ids.numel())
            raise torch.OutOfMemoryError("full")
        return forward(*args, input_ids=input_ids, **named)

    monkeypatch.setattr(network, "forward", crowded)
    return refused
