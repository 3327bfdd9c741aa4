"""all-MiniLM-L6-v2 as a masked language model: the head that was trained for this book, on its
verified encoder.
"""

import json
from pathlib import Path

from lib.files import file_hash
from lib.paths import DATA
from lib.sources.hub import minilm_folder

MINILM_HEAD = DATA / "models" / "minilm-mlm" / "model.safetensors"


def minilm_with_head(weights: Path | None = MINILM_HEAD):
    """all-MiniLM-L6-v2 as a `BertForMaskedLM`, ready to predict.

    Parameters
    ----------
    weights : Path, optional
        The tensors that `lib.training.masked_lm.train` trained in place of the encoder's own; None for an
        untrained head that starts at the identity.

    Returns
    -------
    transformers.BertForMaskedLM

    Raises
    ------
    ValueError
        Where the weights cannot be read or are not of this encoder.

    Examples
    --------
    >>> minilm_with_head().config.hidden_size
    384
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForMaskedLM

    folder = minilm_folder()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = BertForMaskedLM(BertConfig.from_dict(config)).eval()
    model.bert.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    if weights is None:
        transform = model.cls.predictions.transform.dense
        torch.nn.init.eye_(transform.weight)
        torch.nn.init.zeros_(transform.bias)
        return model
    try:
        trained = {name: tensor.float() for name, tensor in load_file(weights).items()}
        strangers = model.load_state_dict(trained, strict=False).unexpected_keys
    except (SafetensorError, RuntimeError, OSError) as error:
        raise ValueError(
            f"{weights}: damaged, or not the head of all-MiniLM-L6-v2 ({error}); get it back with git"
        ) from error
    if strangers:
        raise ValueError(
            f"{weights}: not a head of all-MiniLM-L6-v2, which has no {', '.join(strangers[:3])}"
        )
    return model


def minilm_with_head_identity() -> str:
    """What `minilm-mlm` is: its name and the SHA-256 of its head.

    Raises
    ------
    ValueError
        Where the head is missing.
    """
    if not MINILM_HEAD.is_file():
        raise ValueError(
            f"{MINILM_HEAD} is missing; get it back with git, or train it: python -m lib.training.masked_lm.train"
        )
    return f"minilm-mlm@sha256:{file_hash(MINILM_HEAD)}"
