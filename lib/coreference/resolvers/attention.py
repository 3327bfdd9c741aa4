"""How much a pronoun and two names attend to each other in every head of an encoder."""

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import (
    CHUNK,
    POOLINGS,
    Chunk,
    Progress,
    Span,
    chunks,
    layers_of,
    mention_spans,
    mention_states,
    passes,
)
from lib.coreference.resolvers.features import Name, other_mentions
from lib.kept import kept_rows, path_of, write
from lib.language_models.pretrained import Transformer, load_transformer

if TYPE_CHECKING:
    from transformers.utils import ModelOutput

# What attends, or is attended to: the pronoun, the two names, and where else in the text each of them is meant.
GROUPS = ("pronoun", "A", "B", "other mentions of A", "other mentions of B")

log = logging.getLogger("lib")


def mention_groups(passages: pd.DataFrame) -> list[list[list[Span]]]:
    """Where in each text each of the `GROUPS` is.

    Parameters
    ----------
    passages : DataFrame
        n rows with the columns of GAP.

    Returns
    -------
    list of list of list of (int, int)
        For each passage five lists of spans of characters; the last two may be empty.

    Examples
    --------
    >>> mention_groups(pd.DataFrame([{"Text": "Ann met Eve; Ann saw her.", "Pronoun": "her", "Pronoun-offset": 21,
    ...     "A": "Ann", "A-offset": 0, "B": "Eve", "B-offset": 8}]))
    [[[(21, 24)], [(0, 3)], [(8, 11)], [(13, 16)], []]]
    """
    groups = []
    texts = zip(passages["Text"], passages["A"], passages["B"], mention_spans(passages))
    for text, a, b, (pronoun, *spans) in texts:
        names = [Name(a, spans[0]), Name(b, spans[1])]
        others = [other_mentions(text, *pair) for pair in (names, names[::-1])]
        groups.append([[pronoun], [spans[0]], [spans[1]], *others])
    return groups


def attention_between(
    passages: pd.DataFrame,
    encoder: str = "minilm",
    *,
    device: str = "auto",
    progress: Progress | None = None,
) -> NDArray[np.float16]:
    """Attention between the `GROUPS` of each passage.

    Parameters
    ----------
    passages : DataFrame
        n rows with the columns of GAP.
    encoder, device : str
        As in `lib.language_models.pretrained.load_transformer`.
    progress : callable, optional
        Told how many texts are done, and of how many.

    Returns
    -------
    ndarray, shape (n, layers, heads, 5, 5)
        From the group in a row to the group in a column: what a piece of the first spends on all pieces of the second,
        the mean over the pieces of the first. 0 where a group is empty. Kept in the book's cache.

    Raises
    ------
    ValueError, FetchError
        As `lib.coreference.resolvers.examples.encode_spans`.

    Examples
    --------
    >>> attention_between(pd.DataFrame([{"Text": "Ann met Eve; Ann saw her.", "Pronoun": "her", "Pronoun-offset": 21,
    ...     "A": "Ann", "A-offset": 0, "B": "Eve", "B-offset": 8}]), device="cpu").shape
    (1, 6, 12, 5, 5)
    """
    groups = mention_groups(passages)
    texts = passages["Text"].tolist()
    transformer = load_transformer(encoder, device=device)
    found = _empty(transformer, texts)
    order = np.argsort([len(text) for text in texts], kind="stable")
    keys = [_key(transformer, texts[place], groups[place]) for place in order]

    def attention(rows: list[int]) -> NDArray[np.float16]:
        places = order[rows]
        return _attention(transformer, [texts[i] for i in places], [groups[i] for i in places])

    done = 0
    for rows, part in kept_rows("attention", keys, attention, CHUNK):
        found[order[rows]] = part
        done += len(rows)
        if len(rows) > 1 or done == len(texts):
            log.info("attention in %d of %d texts", done, len(texts))
        if progress:
            progress(done, len(texts))
    return found


def read_once(
    passages: pd.DataFrame,
    encoder: str = "minilm",
    *,
    device: str = "auto",
    progress: Progress | None = None,
) -> None:
    """Passages read once for all that is wanted of them: the states of their mentions in every pooling, and attention.

    `lib.coreference.resolvers.examples.encode_examples` and `attention_between` then find theirs in the book's cache.

    Parameters
    ----------
    passages, encoder, device, progress
        As in `attention_between`.

    Examples
    --------
    >>> read_once(pd.DataFrame([{"Text": "Ann met Eve; Ann saw her.", "Pronoun": "her", "Pronoun-offset": 21,
    ...     "A": "Ann", "A-offset": 0, "B": "Eve", "B-offset": 8}]), device="cpu")
    """
    texts, spans, groups = (
        passages["Text"].tolist(),
        mention_spans(passages),
        mention_groups(passages),
    )
    transformer = load_transformer(encoder, device=device)
    done = 0
    for places in chunks(texts):
        part = Chunk(transformer, [texts[i] for i in places], [spans[i] for i in places])
        wanted = [groups[i] for i in places]
        paths = [
            path_of("attention", _key(transformer, *row), _attention)
            for row in zip(part.texts, wanted)
        ]
        of_states = {pooling: part.path(pooling) for pooling in POOLINGS}
        if not all(path.is_file() for path in (*paths, *of_states.values())):
            states, between = _read(part, wanted)
            for pooling, path in of_states.items():
                write(path, states[pooling])
            for path, row in zip(paths, between):
                write(path, row)
        done += len(places)
        log.info("read %d of %d texts with %s", done, len(texts), transformer.name)
        if progress:
            progress(done, len(texts))


def _read(
    part: Chunk, groups: list[list[list[Span]]]
) -> tuple[dict[str, NDArray[np.float16]], NDArray[np.float16]]:
    """States by pooling, and attention, of a few texts in one pass."""
    from lib.threads import one_thread

    part.transformer.model.set_attn_implementation("eager")
    states = {pooling: part.empty() for pooling in POOLINGS}
    between = _empty(part.transformer, part.texts)
    with one_thread():
        for indices, offsets, output in passes(
            part.transformer, part.texts, output_attentions=True
        ):
            between[indices] = _between(output, offsets, [groups[index] for index in indices])
            hidden = layers_of(output)
            for place, index in enumerate(indices):
                for pooling in POOLINGS:
                    held = hidden[place], offsets[place], part.spans[index]
                    states[pooling][index] = mention_states(*held, pooling)
    return states, between


def _attention(
    transformer: Transformer, texts: list[str], groups: list[list[list[Span]]]
) -> NDArray[np.float16]:
    from lib.threads import one_thread

    transformer.model.set_attn_implementation("eager")  # the fused kernels keep no weights
    found = _empty(transformer, texts)
    with one_thread():
        for indices, offsets, output in passes(transformer, texts, output_attentions=True):
            found[indices] = _between(output, offsets, [groups[index] for index in indices])
    return found


def _between(
    output: "ModelOutput", offsets: list[list[Span]], groups: list[list[list[Span]]]
) -> NDArray[np.float16]:
    """Attention between the groups of each text of a batch."""
    import torch

    inside = torch.zeros(len(groups), len(GROUPS), output.attentions[0].shape[-1])
    for place, (pieces, spans_of) in enumerate(zip(offsets, groups)):
        starts, stops = np.array(pieces).T
        for group, spans in enumerate(spans_of):
            for start, stop in spans:
                covered = (starts < stop) & (stops > start) & (stops > starts)
                inside[place, group, np.flatnonzero(covered)] = 1
    inside = inside.to(output.attentions[0].device)
    shares = inside / inside.sum(dim=-1, keepdim=True).clamp(min=1)
    heads = torch.stack([layer.float() for layer in output.attentions], dim=1)
    between = torch.einsum("njs,nlhst,nkt->nlhjk", shares, heads, inside)
    return between.half().cpu().numpy()


def _empty(transformer: Transformer, texts: Sequence[str]) -> NDArray[np.float16]:
    config = transformer.model.config
    shape = (len(texts), config.num_hidden_layers, config.num_attention_heads)
    return np.empty((*shape, len(GROUPS), len(GROUPS)), dtype=np.float16)


def _key(transformer: Transformer, text: str, groups: list[list[Span]]) -> str:
    return json.dumps([transformer.source, text, groups])
