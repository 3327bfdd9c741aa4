"""A small Marian translator, to be trained on a processor or on a card.

Its layers are transformers' own; dropout and loss are faster on a processor.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from scripts.train.loop import with_gradients

SHARDS = 2  # on a processor


def new_model(
    size: int, width: int, encoder_layers: int, decoder_layers: int, seed: int, tied: bool = True
):
    """An untrained Marian model of `size` pieces.

    One matrix of embeddings serves all sides, or, not `tied`, the encoder has one of its own and
    the decoder's also makes the output.

    Matrices start as Glorot and Bengio have them: at transformers' own deviation, meant for wide
    models, a narrow one stays long at the frequencies of the pieces.
    """
    import torch
    from transformers import MarianConfig, MarianMTModel

    torch.manual_seed(seed)
    heads, feedforward = width // 48, 4 * width
    config = MarianConfig(
        vocab_size=size,
        decoder_vocab_size=size,
        share_encoder_decoder_embeddings=tied,
        d_model=width,
        encoder_layers=encoder_layers,
        decoder_layers=decoder_layers,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=feedforward,
        decoder_ffn_dim=feedforward,
        activation_function="relu",
        dropout=0.0,
        scale_embedding=True,
        max_position_embeddings=512,
        pad_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=0,
        forced_eos_token_id=None,
    )
    model = MarianMTModel(config)
    for name, parameter in model.named_parameters():
        if name.endswith(("shared.weight", "embed_tokens.weight")):
            torch.nn.init.normal_(parameter, std=width**-0.5)
        elif parameter.dim() > 1 and parameter.requires_grad:
            torch.nn.init.xavier_uniform_(parameter)
    return model


def put_vectors(model, vectors: NDArray) -> None:
    """Put vectors, (pieces, width), into the matrix of the encoder; rows of NaN leave it as it is.

    Raises
    ------
    ValueError
        Where the vectors are not one for each piece at the model's width, or the encoder has no
        matrix of its own.
    """
    import torch

    matrix = model.model.encoder.embed_tokens.weight
    if model.config.share_encoder_decoder_embeddings:
        raise ValueError("expected an encoder with a matrix of its own; make the model tied=False")
    if vectors.shape != tuple(matrix.shape):
        raise ValueError(f"expected vectors {tuple(matrix.shape)}, got {vectors.shape}")
    given = torch.from_numpy(~np.isnan(vectors).any(axis=1))
    with torch.no_grad():
        matrix[given] = torch.from_numpy(vectors).to(matrix.dtype)[given]


def put_dropout(model, share: float, draw) -> None:
    """Dropout after every sublayer, drawn as bytes by `draw.rng`, on a card there by `draw.generator`.

    torch's own took a third of a step on a processor.
    """
    import torch

    limit = round(256 * share)

    def dropped(hidden):
        if hidden.is_cuda:
            kept = torch.empty_like(hidden).bernoulli_(1 - limit / 256, generator=draw.generator)
            return hidden * kept * (256 / (256 - limit))
        drawn = draw.rng.integers(0, 256, hidden.numel(), dtype=np.uint8)
        kept = np.multiply(drawn >= limit, 256 / (256 - limit), dtype=np.float32)
        return hidden * torch.from_numpy(kept).view(hidden.shape).to(hidden.device)

    def after(module, arguments, output):
        if not module.training:
            return output
        return (dropped(output[0]), *output[1:]) if isinstance(output, tuple) else dropped(output)

    for name, module in model.named_modules():
        if limit and name.endswith((".self_attn", ".encoder_attn", ".fc2")):
            module.register_forward_hook(after)


def smoothed_loss(features, embeddings, truth, smoothing: float):
    """Mean cross-entropy against labels smoothed over the vocabulary.

    The logits are made and forgotten 512 rows at a time.

    Parameters
    ----------
    features : (m, d) tensor
    embeddings : (pieces, d) tensor
        The tied output matrix.
    truth : (m,) tensor
        Pieces.
    smoothing : float
    """
    import torch

    with torch.no_grad(), torch.autocast(features.device.type, enabled=False):
        size, matrix = len(embeddings), embeddings.to(features.dtype)
        by_features, by_matrix = torch.empty_like(features), torch.zeros_like(embeddings)
        total = -smoothing * (features.float().sum(0) @ embeddings.mean(0))
        for start in range(0, len(features), 512):
            rows = features[start : start + 512]
            right = truth[start : start + 512, None]
            logits = (rows @ matrix.T).float()
            top = logits.amax(1, keepdim=True)
            total -= (1 - smoothing) * logits.gather(1, right).sum()
            logits.sub_(top).exp_()
            norm = logits.sum(1, keepdim=True)
            total += (norm.log() + top).sum()
            logits.div_(norm).sub_(smoothing / size)
            logits.scatter_add_(1, right, torch.full_like(norm, smoothing - 1))
            logits = logits.to(features.dtype)
            by_features[start : start + 512] = logits @ matrix
            by_matrix += logits.T @ rows
    count = len(features)
    return with_gradients(
        total / count, (features, embeddings), (by_features / count, by_matrix / count)
    )


def batch_loss(model, source, target, smoothing: float, precision: str):
    """Loss of the pieces of a padded batch of targets, nats a piece."""
    import torch

    device = model.device
    # the decoder starts from <pad>
    given = torch.nn.functional.pad(target[:, :-1], (1, 0)).to(device)
    source, target = source.to(device), target.to(device)
    dtype = getattr(torch, precision)
    with torch.autocast(device.type, dtype, enabled=precision != "float32", cache_enabled=False):
        hidden = model.model(
            input_ids=source,
            attention_mask=(source != 0).long(),
            decoder_input_ids=given,
            use_cache=False,
        )
    real = target != 0
    features = hidden.last_hidden_state[real].to(dtype)
    return smoothed_loss(features, model.get_output_embeddings().weight, target[real], smoothing)


class Gradients:
    """The gradients of a batch, its sentences dealt out to two threads, on a card to one.

    Small products leave threads inside them waiting for one another. The same on any number of
    cores.
    """

    def __init__(
        self, model, parameters: Sequence, dropout: float, smoothing: float, precision: str
    ):
        import torch

        self.model, self.parameters = model, list(parameters)
        self.smoothing, self.precision = smoothing, precision
        self.device = self.parameters[0].device
        self.shards = 1 if self.device.type == "cuda" else SHARDS
        self.draw = threading.local()
        put_dropout(model, dropout, self.draw)
        threads = max(1, torch.get_num_threads() // self.shards)
        self.pool = ThreadPoolExecutor(
            self.shards, initializer=torch.set_num_threads, initargs=(threads,)
        )

    def put(self, source, target, seed: Sequence[int]) -> float:
        """Put the gradient of the mean loss of a padded batch into the parameters. Returns the
        loss.
        """
        shards = min(self.shards, len(target))
        pieces = int((target != 0).sum())

        def share(shard: int):
            import torch

            self.draw.rng = np.random.Generator(np.random.SFC64([*seed, shard]))
            if self.device.type == "cuda":
                number = int(self.draw.rng.integers(2**62))
                self.draw.generator = torch.Generator(self.device).manual_seed(number)
            rows = slice(shard, None, shards)
            loss = batch_loss(
                self.model, source[rows], target[rows], self.smoothing, self.precision
            )
            loss = loss * (int((target[rows] != 0).sum()) / pieces)
            return loss.item(), torch.autograd.grad(loss, self.parameters)

        losses, gradients = zip(*self.pool.map(share, range(shards)))
        for parameter, first, *others in zip(self.parameters, *gradients):
            parameter.grad = sum(others, first)
        return sum(losses)
