"""Masked language models: the probability of a word in a gap, and of a sentence piece by piece."""

import difflib
import functools
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.language_models.batching import encoded
from lib.language_models.memory import computed
from lib.language_models.pretrained import Transformer, load_transformer

MASK = "[MASK]"
GAP = re.compile(r"\s*\[MASK\]")
ROWS = 512  # softmaxes at a time


class MaskedLanguageModel:
    """Any fill-mask model behind one class; sentences hold [MASK], whatever the model's own mask
    is.

    Parameters
    ----------
    name : str
        "minilm-mlm" (ours; "minilm-mlm-seed1", … its sisters), a folder, "<model>@<commit>" on the hub, or a name of `lib.sources.hub.PINNED`, such
        as "bert-base-uncased".
    device : str
        "auto" takes a GPU where there is one.
    dtype : str
        "float32"; "bfloat16" and "float16" are faster on a GPU, and coarser: about two decimals of a log
        probability.

    Attributes
    ----------
    name, source, device : str
        The model, its name with commit or hash for the ledger, and where it runs.
    mask_token : str
        The model's own mask.
    mask_id : int
        Its place in the vocabulary.
    transformer : Transformer

    Raises
    ------
    ValueError
        Where the model has no mask, or as `lib.language_models.pretrained.load_transformer`.
    FetchError
        Where a hub model is not at hand.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> model.log_probabilities(["[MASK] is a nurse."], ["she", "he"]).round(1)
    array([[-1.1, -0.6]])
    """

    def __init__(self, name: str = "minilm-mlm", device: str = "auto", *, dtype: str = "float32"):
        self.transformer = load_transformer(name, head=True, device=device, dtype=dtype)
        self.name = self.transformer.name
        self.source = self.transformer.source
        self.device = self.transformer.device
        self.mask_token = self.transformer.tokenizer.mask_token
        self.mask_id = self.transformer.tokenizer.mask_token_id
        if self.mask_id is None:
            raise ValueError(
                f"{self.name}: its tokenizer has no mask token; give a fill-mask model"
            )

    def __repr__(self) -> str:
        size = self.transformer.model.config.vocab_size
        return f"MaskedLanguageModel({self.name!r}, {size:,} pieces, {self.device})"

    @functools.cached_property
    def cased(self) -> bool:
        """Whether the model tells She from she."""
        return self.pieces("She") != self.pieces("she")

    def knows(self, word: str) -> bool:
        """Whether the vocabulary can spell a word."""
        return self.transformer.tokenizer.unk_token_id not in self._spelled(word, False)

    def piece_ids(self, word: str, start: bool = False) -> list[int]:
        """The places in the vocabulary of a word's pieces.

        Parameters
        ----------
        word : str
            A word or phrase.
        start : bool
            Whether it opens its sentence; byte-level vocabularies tell that from a word after a
            space.

        Returns
        -------
        list of int

        Raises
        ------
        ValueError
            For an empty word, and for letters that the vocabulary lacks.
        """
        ids = self._spelled(word, start)
        if self.transformer.tokenizer.unk_token_id in ids:
            raise ValueError(
                f"{word!r} holds letters that {self.name} does not know; choose another word"
            )
        return ids

    def _spelled(self, word: str, start: bool) -> list[int]:
        if not word.strip():
            raise ValueError("expected a word, got an empty one; leave it out")
        text = word if start else f" {word}"
        return self.transformer.tokenizer(text, add_special_tokens=False)["input_ids"]

    def pieces(self, word: str, start: bool = False) -> list[str]:
        """The pieces of a word inside a sentence, or as its first; `piece_ids` as text."""
        return self.transformer.tokenizer.convert_ids_to_tokens(self.piece_ids(word, start))

    def is_single(self, word: str, start: bool = False) -> bool:
        """Whether a word is one piece of the vocabulary."""
        return self.knows(word) and len(self.piece_ids(word, start)) == 1

    def single_piece_id(self, word: str, start: bool = False) -> int:
        """The place in the vocabulary of a word that is one piece; ValueError for any other."""
        ids = self.piece_ids(word, start)
        if len(ids) > 1:
            shown = " ".join(self.pieces(word, start))
            raise ValueError(
                f"{word!r} is {len(ids)} pieces of {self.name} ({shown}); expected one: choose another word, or give "
                "`log_probability_bias` pieces='mask' or 'marginalise'"
            )
        return ids[0]

    def encode(self, sentences: Sequence[str]) -> list[list[int]]:
        """Sentences with [MASK] as rows of pieces, special ones included; errors as
        `batching.encoded`.
        """
        if isinstance(sentences, str):
            return encoded(self.transformer, sentences)
        # Byte-level vocabularies count the space before a mask to the mask; not all saved
        # tokenizers still do.
        return encoded(
            self.transformer, [GAP.sub(self.mask_token, sentence) for sentence in sentences]
        )

    def mask_places(self, row: Sequence[int]) -> list[int]:
        """Where in a row of pieces the masks stand."""
        return [place for place, piece in enumerate(row) if piece == self.mask_id]

    def log_probabilities(
        self, sentences: Sequence[str], words: Sequence[str], mask: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """Natural log of the probability of each word at a mask of each sentence.

        Parameters
        ----------
        sentences : sequence of str
            n texts, each with at least one [MASK].
        words : sequence of str
            k words, each a single piece.
        mask : int or array_like of int, shape (n,)
            Which [MASK] of the sentence is read, from 0.

        Returns
        -------
        ndarray, shape (n, k)
            At most 0. The numbers do not depend on the order or the batching of the sentences, up
            to rounding.

        Raises
        ------
        ValueError
            For a sentence without a mask or too long for the model, a mask that is not there, and a word that is
            not a single piece.
        """
        rows = self.encode(sentences)
        numbers = np.broadcast_to(np.asarray(mask, dtype=int), (len(rows),))
        positions = np.empty(len(rows), dtype=int)
        for index, (row, number) in enumerate(zip(rows, numbers)):
            places, shown = self.mask_places(row), repr(sentences[index][:80])
            if not places:
                raise ValueError(
                    f"expected a sentence with {MASK}, got {shown}; write {MASK} where the word is to be read"
                )
            if not 0 <= number < len(places):
                raise ValueError(
                    f"mask {number} of {shown} is not there: it has {len(places)}, counted from 0"
                )
            positions[index] = places[number]
        # A mask that opens its sentence is read for the words' opening form.
        first = 1 if rows and rows[0][0] == self.transformer.tokenizer.cls_token_id else 0
        values = np.empty((len(rows), len(words)))
        for opening in (False, True):
            chosen = np.flatnonzero((positions == first) == opening)
            if len(chosen):
                ids = [self.single_piece_id(word, opening) for word in words]
                values[chosen] = self.log_probabilities_at(
                    [rows[index] for index in chosen], positions[chosen], [ids] * len(chosen)
                )
        return values

    def log_probabilities_at(
        self, rows: Sequence[Sequence[int]], positions: ArrayLike, ids: ArrayLike
    ) -> NDArray[np.float64]:
        """Natural log of the probability of pieces at one position of each row of pieces.

        Parameters
        ----------
        rows : sequence of sequences of int
            n rows, as `encode` gives them.
        positions : array_like of int, shape (n,)
        ids : array_like of int, shape (n, k)
            Places in the vocabulary.

        Returns
        -------
        ndarray, shape (n, k)
            At most 0.
        """
        import torch

        positions, ids = np.asarray(positions, dtype=int), np.asarray(ids, dtype=np.int64)
        values = np.empty(ids.shape)

        def at_positions(indices, pieces, real):
            hidden = self.transformer.model.base_model(
                input_ids=pieces, attention_mask=real
            ).last_hidden_state
            hidden = hidden[torch.arange(len(indices)), torch.from_numpy(positions[indices])]
            parts = []
            for start in range(0, len(indices), ROWS):
                part = indices[start : start + ROWS]
                logits = _logits(self.transformer, hidden[start : start + ROWS]).float()
                chosen = logits.gather(1, torch.from_numpy(ids[part]).to(self.device))
                parts.append((chosen - logits.logsumexp(1, keepdim=True)).double().cpu())
            return torch.cat(parts)

        with torch.inference_mode():
            for indices, found in computed(self.transformer, rows, at_positions):
                values[indices] = found
        return values

    def pseudo_log_likelihood(
        self, sentences: Sequence[str], others: Sequence[str] | None = None
    ) -> NDArray[np.float64]:
        """Sum of the log probabilities of a sentence's pieces, each masked in turn.

        Parameters
        ----------
        sentences : sequence of str
            n texts.
        others : sequence of str, optional
            The sentence that each is compared with; then only pieces that the two share are masked, as CrowS-Pairs
            does, so that the pair differs in what conditions the pieces and not in which are counted.

        Returns
        -------
        ndarray, shape (n,)
            Natural logs, at most 0.

        Raises
        ------
        ValueError
            Where a sentence is empty or too long for the model, or a pair shares no piece.

        References
        ----------
        Salazar et al. (2020); Nangia et al. (2020), equation 1.

        Examples
        --------
        >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
        >>> good, bad = model.pseudo_log_likelihood(["She is a nurse.", "She nurse a is."])
        >>> bool(good > bad)
        True
        """
        rows = encoded(self.transformer, sentences)
        special = set(self.transformer.tokenizer.all_special_ids)
        against = rows if others is None else encoded(self.transformer, others)
        if len(against) != len(rows):
            raise ValueError(
                f"expected one of `others` for each sentence, got {len(against)} for {len(rows)}"
            )
        masked, positions, truth, owner = [], [], [], []
        for index, (row, other) in enumerate(zip(rows, against)):
            shared = range(len(row)) if others is None else _shared(row, other)
            places = [place for place in shared if row[place] not in special]
            if not places and others is None:
                raise ValueError(
                    f"expected a sentence with a piece that the model knows, got {sentences[index]!r}"
                )
            if not places:
                raise ValueError(
                    f"{sentences[index][:60]!r} shares no piece with {others[index][:60]!r}; expected a minimal pair"
                )
            masked += [[*row[:place], self.mask_id, *row[place + 1 :]] for place in places]
            positions += places
            truth += [[row[place]] for place in places]
            owner += [index] * len(places)
        values = self.log_probabilities_at(masked, positions, truth)[:, 0] if masked else []
        return np.bincount(owner, values, minlength=len(rows))


def _shared(row: Sequence[int], other: Sequence[int]) -> list[int]:
    blocks = difflib.SequenceMatcher(None, row, other, autojunk=False).get_matching_blocks()
    return [place for block in blocks for place in range(block.a, block.a + block.size)]


def _logits(transformer: Transformer, hidden):
    """Logits (b, v) of final hidden states (b, d), by the head of the model's family."""
    model = transformer.model
    if hasattr(model, "vocab_projector"):  # DistilBERT
        transformed = model.activation(model.vocab_transform(hidden))
        return model.vocab_projector(model.vocab_layer_norm(transformed))
    if hasattr(model, "decoder") and hasattr(model, "head"):  # ModernBERT
        return model.decoder(model.head(hidden))
    for name in ("cls", "lm_head", "predictions"):  # BERT, RoBERTa, ALBERT
        if hasattr(model, name):
            return getattr(model, name)(hidden)
    raise ValueError(
        f"{transformer.name}: the head of a {type(model).__name__} is not known here; those of BERT, RoBERTa, DistilBERT, "
        "ALBERT and ModernBERT are"
    )
