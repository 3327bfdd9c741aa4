"""The pronoun as a gap (Alfaro, Costa-jussà and Fonollosa 2019): a masked language model fills it with one of two
common names that replace the candidates, or with "none".
"""

from __future__ import annotations

import copy
import functools
import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.parsers import sentences_of_mentions
from lib.coreference.resolvers.rows import kept_rows
from lib.coreference.resolvers.systems.networks import Network, dense
from lib.language_models.batching import batched
from lib.language_models.masked import MASK, MaskedLanguageModel
from lib.threads import one_thread

# The paper names John and Harry; it does not print its pair for feminine pronouns.
NAMES = {"male": ("john", "harry"), "female": ("mary", "alice")}
THIRDS = ("none", "pronoun")
_PRONOUNS = ("he", "him", "his", "she", "her", "hers")
_WORDS = ("none", *NAMES["male"], *NAMES["female"], *_PRONOUNS)


@dataclass(frozen=True, kw_only=True)
class MaskedNames(Network):
    """The scores that a masked language model gives three words in the pronoun's place.

    Model 1: texts=1. Model 2: texts=2, each passage also with the two names exchanged, and the scores of each answer
    averaged. Only the model's last layer before the vocabulary is trained, from where its own training left it;
    epochs=0 asks the model as it is. With classifier=True three linear scores of the gap's state are added.

    Differs from the paper: the model; the encoder stays frozen, as the paper says its weights do (its rate and
    warm-up look like fine-tuning); our pair of feminine names; each passage is cut to the sentences of its mentions, where the paper cuts at 256 pieces.

    Parameters
    ----------
    texts : {1, 2}
    third : {"none", "pronoun"}
        The word for NEITHER.
    model : str
        "minilm-mlm" or another masked language model of BERT's kind that reads small letters.

    Examples
    --------
    >>> str(MaskedNames(texts=2, epochs=0))
    'MaskedNames(epochs=0, texts=2)'
    """

    paper: ClassVar[str] = "alfaro2019_bert_mlm_coref"
    reads: ClassVar[str] = "gaps"

    texts: int = 1
    third: str = "none"
    classifier: bool = False
    model: str = "minilm-mlm"
    learning_rate: float = 3e-4
    weight_decay: float = 0.01
    epochs: int = 40
    patience: int = 5

    def __post_init__(self):
        one_of("texts", self.texts, (1, 2))
        one_of("third", self.third, THIRDS)

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """The gap's states (n, texts, d), and the places of the three words among those asked for (n, texts, 3)."""
        gaps, words = [], []
        rows = sentences_of_mentions(examples.passages).to_dict("records")
        for exchanged in range(self.texts):
            pairs = [NAMES[row["gender"]][:: -1 if exchanged else 1] for row in rows]
            texts = [with_gap(row, pair) for row, pair in zip(rows, pairs)]
            gaps.append(gap_states(texts, self.model))
            thirds = ["none" if self.third == "none" else row["Pronoun"].lower() for row in rows]
            words.append([list(map(_WORDS.index, (*pair, t))) for pair, t in zip(pairs, thirds)])
        return (
            torch.from_numpy(np.stack(gaps, axis=1).astype(np.float32)),
            torch.tensor(words).transpose(0, 1).contiguous(),
        )

    def network(self, *inputs: Tensor) -> nn.Module:
        return _MaskedNames(self, inputs[0].shape[-1])


class _MaskedNames(nn.Module):
    def __init__(self, settings: MaskedNames, size: int):
        super().__init__()
        model = _masked(settings.model)
        head = model.transformer.model.cls.predictions
        ids = [model.single_piece_id(word) for word in _WORDS]
        self.transform = copy.deepcopy(head.transform).float().cpu().requires_grad_(True)
        self.register_buffer("vectors", head.decoder.weight[ids].detach().float().cpu())
        self.register_buffer("bias", head.decoder.bias[ids].detach().float().cpu())
        self.classify = dense(size, 3) if settings.classifier else None
        if self.classify is not None:
            nn.init.zeros_(self.classify.weight)

    def forward(self, gaps: Tensor, words: Tensor) -> Tensor:
        every = self.transform(gaps) @ self.vectors.T + self.bias
        scores = every.gather(2, words).mean(dim=1)
        return scores if self.classify is None else scores + self.classify(gaps.mean(dim=1))


@functools.cache
def _masked(name: str) -> MaskedLanguageModel:
    model = MaskedLanguageModel(name, device="cpu")
    if not hasattr(model.transformer.model, "cls"):
        raise ValueError(
            f"{name}: expected a masked language model of BERT's kind, whose last layer is known here; take another"
        )
    return model


def with_gap(passage: dict, names: tuple[str, str]) -> str:
    """A passage in small letters with the candidates' names replaced and a mask in the pronoun's place.

    Replaced are both mentions, every other occurrence of a whole name, and of the first name of one that has more
    words, unless the candidates share it or it is contained in the other's name.

    Parameters
    ----------
    passage : mapping
        A row of GAP.
    names : (str, str)
        In place of A and of B.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Where mentions overlap.

    Examples
    --------
    >>> passage = {"Text": "Ann Lee met Eve. Ann said she won.", "Pronoun": "she", "Pronoun-offset": 26,
    ...            "A": "Ann Lee", "A-offset": 0, "B": "Eve", "B-offset": 12}
    >>> with_gap(passage, ("mary", "alice"))
    'mary met alice. mary said [MASK] won.'
    """
    text = passage["Text"]
    changes: list[tuple[int, int, str]] = []

    def change(start: int, stop: int, word: str) -> bool:
        free = all(stop <= a or start >= b for a, b, _ in changes)
        if free:
            changes.append((start, stop, word))
        return free

    for key, word in (("Pronoun", MASK), ("A", names[0]), ("B", names[1])):
        start = passage[f"{key}-offset"]
        if not change(start, start + len(passage[key]), word):
            raise ValueError(f"mentions overlap in {text[:60]!r}…; check the offsets")
    for own, other, word in (("A", "B", names[0]), ("B", "A", names[1])):
        first, *rest = passage[own].split()
        ways = [passage[own]]
        if rest and first not in passage[other]:
            ways.append(first)
        for way in ways:
            for match in re.finditer(rf"(?<!\w){re.escape(way)}(?!\w)", text):
                change(*match.span(), word)
    parts, last = [], 0
    for start, stop, word in sorted(changes):
        parts += [text[last:start].lower(), word]
        last = stop
    return "".join([*parts, text[last:].lower()])


def gap_states(texts: list[str], model: str = "minilm-mlm") -> NDArray[np.float16]:
    """The last hidden state of a masked language model at the mask of each text.

    Parameters
    ----------
    texts : list of str
        n texts with one [MASK].
    model : str

    Returns
    -------
    ndarray of float16, shape (n, d)
        Kept in the book's cache.

    Raises
    ------
    ValueError
        For a text without a mask or too long for the model, and a model that is not of BERT's kind.
    """
    masked = _masked(model)

    def compute(places: list[int]) -> NDArray[np.float16]:
        rows = masked.encode([texts[i] for i in places])
        gaps = [masked.mask_places(row) for row in rows]
        for place, found in zip(places, gaps):
            if len(found) != 1:
                raise ValueError(f"expected one {MASK}, got {len(found)} in {texts[place][:60]!r}…")
        states = np.empty((len(rows), masked.transformer.model.config.hidden_size), np.float16)
        with torch.inference_mode(), one_thread():
            for indices, ids, real in batched(masked.transformer, rows):
                hidden = masked.transformer.model.base_model(input_ids=ids, attention_mask=real)
                chosen = [gaps[i][0] for i in indices]
                held = hidden.last_hidden_state[torch.arange(len(indices)), chosen]
                states[indices] = held.float().cpu().numpy()
        return states

    return kept_rows("gaps", masked.source, texts, compute)
