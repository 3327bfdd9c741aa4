"""Training of small networks on frozen states."""

import copy
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

Inputs = tuple[torch.Tensor, ...]
Augment = Callable[[Inputs, torch.Tensor, torch.Generator], tuple[Inputs, torch.Tensor]]


def fit_network(
    build: Callable[[], torch.nn.Module],
    inputs: Inputs,
    answers: NDArray[np.intp] | torch.Tensor,
    *,
    validation: tuple[Inputs, NDArray[np.intp] | torch.Tensor] | None = None,
    epochs: int = 30,
    learning_rate: float = 1e-3,
    batch_size: int = 32,
    weight_decay: float = 0.0,
    patience: int | None = None,
    augment: Augment | None = None,
    label_smoothing: float = 0.0,
    rng: np.random.Generator | int | None = None,
) -> torch.nn.Module:
    """A network trained by Adam to give the right answer, by cross-entropy.

    Parameters
    ----------
    build : callable
        Makes the network, which takes `inputs` and gives three logits a row. Called once, seeded.
    inputs : tuple of Tensor
        Each with n rows.
    answers : array of int, shape (n,)
        0 for A, 1 for B, 2 for NEITHER.
    validation : tuple, optional
        Inputs and answers like these; the weights of the epoch with the lowest loss on them are kept.
    epochs, batch_size : int
        A last batch of one row is left out: batch normalisation cannot do with it.
    learning_rate, weight_decay : float
        Of Adam; decay decoupled from the gradient (AdamW).
    patience : int, optional
        Stop after so many epochs without a lower loss on `validation`.
    augment : callable, optional
        Called on each batch with its inputs, answers and a generator; returns the first two, changed.
    label_smoothing : float
        Share of the target spread over the three answers.
    rng : Generator, int or None
        For weights, order, dropout and augmentation.

    Returns
    -------
    torch.nn.Module
        In evaluation mode.

    Raises
    ------
    ValueError
        For no rows, rows that differ in number, or patience without validation.
    """
    right = torch.as_tensor(np.asarray(answers), dtype=torch.long)
    if not len(right) or any(len(tensor) != len(right) for tensor in inputs):
        raise ValueError(
            f"expected inputs and answers with the same number of rows, got {[len(t) for t in inputs]} and {len(right)}"
        )
    if patience is not None and validation is None:
        raise ValueError("patience: expected validation rows to watch; give validation=(…, …)")
    seed = int(np.random.default_rng(rng).integers(2**31))
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = build()
        optimiser = torch.optim.AdamW(
            network.parameters(), lr=learning_rate, weight_decay=weight_decay, fused=True
        )
        loss = torch.nn.CrossEntropyLoss(label_smoothing=label_smoothing)
        lowest, best, waited = np.inf, None, 0
        for _ in range(epochs):
            network.train()
            for rows in torch.randperm(len(right), generator=generator).split(batch_size):
                if len(rows) < 2 and len(right) > 1:
                    continue
                batch, target = tuple(tensor[rows] for tensor in inputs), right[rows]
                if augment:
                    batch, target = augment(batch, target, generator)
                optimiser.zero_grad()
                loss(network(*batch), target).backward()
                optimiser.step()
            if validation is None:
                continue
            now = _mean_loss(network, *validation)
            if now < lowest:
                lowest, best, waited = now, copy.deepcopy(network.state_dict()), 0
            else:
                waited += 1
                if patience is not None and waited >= patience:
                    break
    if best is not None:
        network.load_state_dict(best)
    return network.eval()


def probabilities_of(network: torch.nn.Module, inputs: Inputs) -> NDArray[np.float64]:
    """What a trained network gives the three answers.

    Parameters
    ----------
    network : torch.nn.Module
    inputs : tuple of Tensor
        Each with n rows.

    Returns
    -------
    ndarray of float, shape (n, 3)
    """
    network.eval()
    with torch.inference_mode():
        return network(*inputs).double().softmax(dim=1).numpy()


def _mean_loss(
    network: torch.nn.Module, inputs: Inputs, answers: NDArray[np.intp] | torch.Tensor
) -> float:
    network.eval()
    right = torch.as_tensor(np.asarray(answers), dtype=torch.long)
    with torch.inference_mode():
        return float(torch.nn.functional.cross_entropy(network(*inputs), right))
