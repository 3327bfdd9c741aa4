"""Log probabilities of sentences and of their ends, from any causal language model.

    model = CausalLanguageModel("smollm2")
    model.log_probabilities(["She is a nurse."])
    sentence_log_odds(model, ["She is a nurse."], ["He is a nurse."])

Loaded as the other models are (`lib.language_models.pretrained`, and `decoders` for GGUF files): safetensors only, no
code of theirs.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lib.checks import did_you_mean
from lib.language_models.decoders import load_decoder
from lib.language_models.memory import computed

if TYPE_CHECKING:
    import torch

BATCH = 1024  # pieces whose states are computed at a time
SOFTMAX = (
    2**23
)  # numbers of a softmax that are held at a time, pieces of the vocabulary times places
# Pieces that stand between documents in training, the common ones first.
_BETWEEN_DOCUMENTS = (
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|begin_of_text|>",
    "</s>",
    "<s>",
    "<bos>",
    "<eos>",
)
# Pieces that open or close what one side of a conversation says.
_OF_A_TURN = (
    "<|im_start|>",
    "<|im_end|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<|user|>",
    "<|assistant|>",
    "<|system|>",
    "<|end|>",
)


def text_start(tokenizer: Any, start: str = "auto") -> str:
    """The piece that a text begins after.

    Parameters
    ----------
    tokenizer
        Of transformers.
    start : str
        "auto", or a piece of the vocabulary. By "auto" it is the tokenizer's own start, unless that opens what one side
        of a conversation says, as *<|im_start|>* does, behind which a model expects *user* and no text; then a piece
        that stands between documents, such as *<|endoftext|>*, or the tokenizer's end of text, which without a chat
        template comes first.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Where there is no such piece.

    Examples
    --------
    >>> text_start(CausalLanguageModel(str(getfixture("tiny_causal_model")), "cpu").transformer.tokenizer)
    '<s>'
    """
    vocabulary = tokenizer.get_vocab()
    if start != "auto":
        if start not in vocabulary:
            special = [piece for piece in tokenizer.all_special_tokens if piece in vocabulary]
            hint = did_you_mean(start, special) or did_you_mean(start, vocabulary)
            raise ValueError(
                f"start: expected 'auto' or a piece of the vocabulary, such as {', '.join(special[:8]) or 'none'}; got "
                f"{start!r}.{hint and ' ' + hint}"
            )
        return start
    template = str(getattr(tokenizer, "chat_template", None) or "")
    whole = {*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()} & vocabulary.keys()
    end = [tokenizer.eos_token]  # in a chat model of a turn, under names that nobody can list
    for piece in (
        tokenizer.bos_token,
        *([] if template else end),
        *_BETWEEN_DOCUMENTS,
        *(end if template else []),
    ):
        if piece in whole and not _opens_a_turn(piece, template):
            return piece
    raise ValueError(
        "its tokenizer has neither a start nor an end of text, so that a first word has no probability; give another model, "
        "or start= a piece of its vocabulary"
    )


def _opens_a_turn(piece: str, template: str) -> bool:
    """Whether a piece is a mark of a conversation: by its name, or as a role follows it in the template."""
    role = r"(?:message\w*\W{1,3}role|system|user|assistant|role)\b"
    follows = rf"{re.escape(piece)}['\"]?\s*(?:[+~]|\}}\}}\{{\{{)?\s*['\"]?{role}"
    return piece in _OF_A_TURN or re.search(follows, template) is not None


class CausalLanguageModel:
    """Any causal language model behind one class.

    Parameters
    ----------
    name : str
        "smollm2", a GGUF file, a folder, or "<model>@<commit>" on the hub, as in
        `lib.language_models.decoders.load_decoder`.
    device, dtype : str
        As in `lib.language_models.pretrained.load_transformer`, whose errors it raises.
    start : str
        The piece that a text begins after, or "auto" (`text_start`). Which side of zero a sentence lies on can turn
        with it; the order of sentences turns less.

    Attributes
    ----------
    name, source, device : str
        The model, its name with commit or hash and its start for the ledger, and where it runs.
    start : str
        The piece that a text begins after.
    start_id : int
        Its number.
    transformer : Transformer

    Raises
    ------
    ValueError
        Where the model has no piece that a text could begin after, or not the one that was asked for.

    Examples
    --------
    The folder here is a small model with random weights (`getfixture` is pytest's).

    >>> folder = getfixture("tiny_causal_model")
    >>> model = CausalLanguageModel(str(folder), device="cpu")
    >>> model.log_probabilities(["she is a nurse."]).shape, model.knows("nurse"), model.start
    ((1,), True, '<s>')
    """

    def __init__(
        self, name: str, device: str = "auto", *, dtype: str = "float32", start: str = "auto"
    ):
        self.transformer = load_decoder(name, device=device, dtype=dtype)
        self.name = self.transformer.name
        self.device = self.transformer.device
        tokenizer = self.transformer.tokenizer
        try:
            self.start = text_start(tokenizer, start)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        self.start_id = int(tokenizer.get_vocab()[self.start])
        self.source = f"{self.transformer.source} after {self.start}"
        self._states, self._head = _parts(self.transformer.model, self.start_id)

    def __repr__(self) -> str:
        size = self.transformer.model.config.vocab_size
        return f"CausalLanguageModel({self.name!r}, {size:,} pieces, after {self.start!r}, {self.device})"

    def knows(self, word: str) -> bool:
        """Whether the vocabulary can spell a word."""
        ids = self.transformer.tokenizer(f" {word}", add_special_tokens=False)["input_ids"]
        return bool(ids) and self.transformer.tokenizer.unk_token_id not in ids

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None
    ) -> NDArray[np.float64]:
        """Natural log of the probability of each text, or of how each goes on.

        Parameters
        ----------
        texts : sequence of str
            n texts, from their start.
        given : sequence of str, optional
            What each text begins with. Then only the pieces behind it are counted: the probability
            of the rest, given that beginning. Texts in one call share what they begin with: a
            beginning with two ends is read once.

        Returns
        -------
        ndarray, shape (n,)
            Sums over pieces, at most 0. They do not depend on order or batching, up to rounding.

        Raises
        ------
        ValueError
            For one string in place of a list, a text that does not begin as said or does not go
            on, an empty one, or one too long for the model.
        MemoryError
            Where a single text is too much for the device.
        """
        import torch

        rows, first = self._encode(texts, given)
        inputs, of_row = _read_once(rows)
        asked: list[list[int]] = [[] for _ in inputs]
        for row, place in enumerate(of_row):
            asked[place].append(row)
        values = np.zeros(len(rows))

        def sums(
            indices: NDArray[np.intp], ids: "torch.Tensor", real: "torch.Tensor"
        ) -> list[tuple[int, float]]:
            states = self._states(ids, real)
            # every piece that counts: its text, the row and the place before it, and the piece
            wanted = [
                (row, line, place - 1, rows[row][place])
                for line, index in enumerate(indices)
                for row in asked[index]
                for place in range(first[row], len(rows[row]))
            ]
            of_text, lines, places, pieces = np.array(wanted).T
            log_p = _log_p(self._head, states[lines, places], torch.from_numpy(pieces))
            found = np.bincount(of_text, log_p, len(rows))
            return [(row, found[row]) for index in indices for row in asked[index]]

        with torch.inference_mode():
            for _, of_batch in computed(self.transformer, inputs, sums, BATCH):
                for row, value in of_batch:
                    values[row] = value
        return values

    def _encode(
        self, texts: Sequence[str], given: Sequence[str] | None
    ) -> tuple[list[list[int]], NDArray[np.int64]]:
        """Texts as pieces behind the start, and where in each the counted ones begin."""
        if isinstance(texts, str) or isinstance(given, str):
            raise ValueError("expected a list of texts, got one string; put it in a list")
        beginnings = [""] * len(texts) if given is None else list(given)
        if len(beginnings) != len(texts):
            raise ValueError(
                f"expected a beginning for each text, got {len(beginnings)} for {len(texts)}"
            )
        if not len(texts):
            return [], np.empty(0, np.int64)
        coded = self.transformer.tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        rows, first = [], np.empty(len(texts), np.int64)
        for index, (text, start) in enumerate(zip(texts, beginnings)):
            if not text.startswith(start):
                raise ValueError(f"expected a text that begins {start[:40]!r}, got {text[:60]!r}")
            ends = [end for _, end in coded["offset_mapping"][index]]
            behind = [place for place, end in enumerate(ends) if end > len(start)]
            if not behind:
                raise ValueError(
                    f"expected a text that goes on, got {text[:60]!r}"
                    + (f" behind {start[:40]!r}" if start else "")
                )
            row = [self.start_id, *coded["input_ids"][index]]
            if len(row) > self.transformer.longest:
                raise ValueError(
                    f"a text of {len(row)} pieces is longer than the {self.transformer.longest} "
                    f"that {self.name} reads: {text[:60]!r}…; shorten it"
                )
            rows.append(row)
            first[index] = behind[0] + 1  # behind the start
        return rows, first


def _parts(model: Any, piece: int) -> tuple[Any, Any]:
    """A model in two: ids to the states of every place, and states of some places to their scores of the vocabulary.

    A model that does more with its states than one product (a cap, a scale) comes with its scores as states, all of
    them, which takes more memory.
    """
    import torch

    def states(ids: "torch.Tensor", real: "torch.Tensor") -> "torch.Tensor":
        return model.base_model(input_ids=ids, attention_mask=real).last_hidden_state

    def scores(ids: "torch.Tensor", real: "torch.Tensor") -> "torch.Tensor":
        return model(input_ids=ids, attention_mask=real).logits

    ids = torch.full((1, 3), piece, device=model.device)
    head = model.get_output_embeddings()
    with torch.inference_mode():
        whole = scores(ids, torch.ones_like(ids)).float()
        try:
            split = head(states(ids, torch.ones_like(ids))).float()
        except (AttributeError, TypeError, RuntimeError):
            return scores, _as_they_are
    same = split.shape == whole.shape and torch.allclose(split, whole, rtol=1e-4, atol=1e-4)
    return (states, head) if same else (scores, _as_they_are)


def _as_they_are(states: "torch.Tensor") -> "torch.Tensor":
    return states


def _log_p(head: Any, states: "torch.Tensor", pieces: "torch.Tensor") -> NDArray[np.float64]:
    """The log probability of one piece behind each of some places, a softmax for a part of them at a time."""
    import torch

    found = []
    start, step = 0, 1
    while start < len(states):
        scores = head(states[start : start + step]).float()
        of_piece = pieces[start : start + step].to(scores.device)
        truth = scores.gather(1, of_piece[:, None])[:, 0] - scores.logsumexp(-1)
        found.append(truth.double().cpu())
        start, step = start + step, max(1, SOFTMAX // scores.shape[1])
    return torch.cat(found).numpy()


def _read_once(rows: Sequence[list[int]]) -> tuple[list[list[int]], NDArray[np.intp]]:
    """What a model has to read for the pieces of all rows, and which of it is each row's.

    The last piece of a row is never read, and what begins another row is read with that one.
    """
    order = sorted(range(len(rows)), key=lambda row: rows[row][:-1])
    inputs: list[list[int]] = []
    of_row = np.empty(len(rows), np.intp)
    # in this order a row stands before the ones that it begins
    for row, after in pairwise([*order, None]):
        of_row[row] = len(inputs)
        read = rows[row][:-1]
        if after is None or rows[after][: len(read)] != read or len(rows[after]) <= len(read):
            inputs.append(read)
    return inputs, of_row


def sentence_log_odds(
    model: CausalLanguageModel, first: Sequence[str], second: Sequence[str]
) -> NDArray[np.float64]:
    """How much likelier the first sentence of each pair is than the second.

    Parameters
    ----------
    model : CausalLanguageModel
    first, second : sequence of str
        n pairs; with the female sentence first, positive leans female.

    Returns
    -------
    ndarray, shape (n,)
        Differences of log probabilities, in nats. They hold how frequent the words that differ are
        by themselves: *he* begins more sentences than *she*.

    Raises
    ------
    ValueError
        As `CausalLanguageModel.log_probabilities`.

    Examples
    --------
    >>> model = CausalLanguageModel(str(getfixture("tiny_causal_model")), device="cpu")
    >>> sentence_log_odds(model, ["she is a nurse."], ["she is a nurse."])
    array([0.])
    """
    values = model.log_probabilities([*first, *second])
    return values[: len(first)] - values[len(first) :]


def calibrated_log_odds(
    model: CausalLanguageModel,
    contexts: Sequence[str],
    endings: tuple[str, str],
    domain: str | None = None,
) -> NDArray[np.float64]:
    """How much likelier a context is to go on with one ending than with another, less what a
    context that says nothing makes of them.

    Parameters
    ----------
    model : CausalLanguageModel
    contexts : sequence of str
        n beginnings, *The nurse said that*.
    endings : pair of str
        How they go on, with the space before it: " she" and " he".
    domain : str, optional
        A beginning of the same kind that says nothing, *The person said that*. Its log odds are
        taken off: domain-conditional pointwise mutual information. Without it they are not.

    Returns
    -------
    ndarray, shape (n,)
        Nats; positive leans to the first ending. The domain moves all by one number: it decides
        where zero lies, and not which context is before which.

    Raises
    ------
    ValueError
        As `CausalLanguageModel.log_probabilities`.

    References
    ----------
    Holtzman, West, Shwartz, Choi and Zettlemoyer (2021).

    Examples
    --------
    >>> model = CausalLanguageModel(str(getfixture("tiny_causal_model")), device="cpu")
    >>> contexts = ["the nurse said that", "the doctor said that"]
    >>> odds = calibrated_log_odds(model, contexts, (" she", " he"), contexts[0])
    >>> odds.shape, odds[0]
    ((2,), np.float64(0.0))
    """
    beginnings = [*contexts, *([] if domain is None else [domain])]
    first, second = endings
    texts = [text + ending for ending in (first, second) for text in beginnings]
    values = model.log_probabilities(texts, [*beginnings, *beginnings])
    odds = values[: len(beginnings)] - values[len(beginnings) :]
    return odds if domain is None else odds[:-1] - odds[-1]
