"""all-MiniLM-L6-v2 as a masked language model whose layers were all trained: its own weights, and
for each matrix a change of low rank. Several were trained alike, from other seeds.
"""

from pathlib import Path

from lib.language_models.minilm import untrained_minilm
from lib.paths import DATA

FOLDER = DATA / "models" / "minilm-mlm"  # a folder for each seed
DOWN, UP = ".down", ".up"  # the two factors of what a matrix has changed by


def seed_weights(folder: Path = FOLDER) -> dict[int, Path]:
    """The weights of each seed that was trained, in their order.

    Parameters
    ----------
    folder : Path
        Holds a folder "seed<number>" for each.

    Returns
    -------
    dict of int to Path

    Examples
    --------
    >>> seed_weights()[0].parent.name
    'seed0'
    """
    found = {int(path.parent.name[4:]): path for path in folder.glob("seed*/model.safetensors")}
    return dict(sorted(found.items()))


def minilm_mlm_weights(folder: Path = FOLDER) -> dict[str, Path]:
    """The masked models that were trained for this book, by the name that `load_transformer` takes.

    Parameters
    ----------
    folder : Path
        As in `seed_weights`.

    Returns
    -------
    dict of str to Path
        "minilm-mlm" is seed 0, "minilm-mlm-seed<number>" are the others: trained alike, so that what differs between
        their scores is what a seed makes of them.

    Examples
    --------
    >>> list(minilm_mlm_weights())[0]
    'minilm-mlm'
    """
    return {
        f"minilm-mlm-seed{seed}" if seed else "minilm-mlm": path
        for seed, path in seed_weights(folder).items()
    }


def minilm_mlm(weights: Path):
    """all-MiniLM-L6-v2 as a `BertForMaskedLM`, all of whose layers were trained for this book.

    Parameters
    ----------
    weights : Path
        What `scripts.train.masked_lm.train` wrote: vectors in place of the encoder's own, and for each of its
        matrices, shape (o, i), two factors "<name>.up", shape (o, r), and "<name>.down", shape (r, i), whose
        product is added (low-rank adaptation).

    Returns
    -------
    transformers.BertForMaskedLM
        Ready to predict, in float32; the decoder is the encoder's own input embeddings.

    Raises
    ------
    ValueError
        Where the weights cannot be read or are not of this encoder.

    References
    ----------
    Hu et al. (2022), LoRA: low-rank adaptation of large language models, equation 3.

    Examples
    --------
    >>> import tempfile, torch
    >>> from safetensors.torch import save_file
    >>> name = "bert.encoder.layer.0.output.dense.weight"
    >>> factors = {name + UP: torch.ones(384, 1), name + DOWN: torch.full((1, 1536), 0.5)}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_file(factors, Path(folder) / "head.safetensors")
    ...     changed, own = minilm_mlm(Path(folder) / "head.safetensors"), untrained_minilm()
    >>> (changed.get_parameter(name) - own.get_parameter(name)).mean().item()
    0.5
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    model = untrained_minilm()
    try:
        trained = {name: tensor.float() for name, tensor in load_file(weights).items()}
        with torch.no_grad():
            for name in [name for name in trained if name.endswith(DOWN)]:
                matrix = name.removesuffix(DOWN)
                change = trained.pop(matrix + UP) @ trained.pop(name)
                trained[matrix] = model.get_parameter(matrix) + change
        strangers = model.load_state_dict(trained, strict=False).unexpected_keys
    except (SafetensorError, RuntimeError, OSError, KeyError, AttributeError) as error:
        raise ValueError(
            f"{weights}: damaged, or not of all-MiniLM-L6-v2 ({error}); get it back with git, or train it: "
            "python -m scripts.train.masked_lm.train"
        ) from error
    if strangers:
        raise ValueError(
            f"{weights}: not of all-MiniLM-L6-v2, which has no {', '.join(strangers[:3])}"
        )
    return model
