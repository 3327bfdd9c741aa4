"""How much a pronoun and two names attend to each other in every head of an encoder."""

import json
import logging

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import CHUNK, Progress, Span, mention_spans
from lib.coreference.resolvers.features import Name, other_mentions
from lib.coreference.resolvers.kept import kept_rows
from lib.language_models.batching import batched, encoded
from lib.language_models.pretrained import Transformer, load_transformer

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
    transformer.model.set_attn_implementation("eager")  # the fused kernels keep no weights
    config = transformer.model.config
    shape = (len(texts), config.num_hidden_layers, config.num_attention_heads)
    found = np.empty((*shape, len(GROUPS), len(GROUPS)), dtype=np.float16)
    order = np.argsort([len(text) for text in texts], kind="stable")
    keys = [json.dumps([transformer.source, texts[place], groups[place]]) for place in order]

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


def _attention(
    transformer: Transformer, texts: list[str], groups: list[list[list[Span]]]
) -> NDArray[np.float16]:
    import torch

    config = transformer.model.config
    shape = (len(texts), config.num_hidden_layers, config.num_attention_heads)
    found = np.empty((*shape, len(GROUPS), len(GROUPS)), dtype=np.float16)
    rows = encoded(transformer, texts)
    offsets = transformer.tokenizer(texts, return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]
    with torch.inference_mode():
        for indices, ids, real in batched(transformer, rows):
            output = transformer.model(input_ids=ids, attention_mask=real, output_attentions=True)
            inside = torch.zeros(len(indices), len(GROUPS), ids.shape[1])
            for place, index in enumerate(indices):
                starts, stops = np.array(offsets[index]).T
                for group, spans in enumerate(groups[index]):
                    for start, stop in spans:
                        pieces = (starts < stop) & (stops > start) & (stops > starts)
                        inside[place, group, np.flatnonzero(pieces)] = 1
            inside = inside.to(ids.device)
            shares = inside / inside.sum(dim=-1, keepdim=True).clamp(min=1)
            heads = torch.stack([layer.float() for layer in output.attentions], dim=1)
            between = torch.einsum("njs,nlhst,nkt->nlhjk", shares, heads, inside)
            found[indices] = between.half().cpu().numpy()
    return found
