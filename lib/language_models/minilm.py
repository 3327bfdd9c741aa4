"""all-MiniLM-L6-v2 with the head of a masked language model, before it is trained."""

import json

from lib.sources.hub import minilm_folder


def untrained_minilm():
    """all-MiniLM-L6-v2 as a `BertForMaskedLM` whose head starts at the identity.

    Returns
    -------
    transformers.BertForMaskedLM
        In float32 and evaluation mode; the decoder is the encoder's own input embeddings.

    Examples
    --------
    >>> untrained_minilm().cls.predictions.transform.dense.weight.trace().item()
    384.0
    """
    import torch
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForMaskedLM

    folder = minilm_folder()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = BertForMaskedLM(BertConfig.from_dict(config)).eval()
    model.bert.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    transform = model.cls.predictions.transform.dense
    torch.nn.init.eye_(transform.weight)
    torch.nn.init.zeros_(transform.bias)
    return model
