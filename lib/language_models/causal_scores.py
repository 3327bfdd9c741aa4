"""Log probabilities of sentences and of their ends, from any causal language model.

    model = CausalLanguageModel("smollm2")
    model.log_probabilities(["She is a nurse."])
    sentence_log_odds(model, ["She is a nurse."], ["He is a nurse."])

Loaded as the other models are (`lib.language_models.pretrained`, and `decoders` for GGUF files): safetensors only, no
code of theirs.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lib.checks import did_you_mean
from lib.language_models.decoders import load_decoder
from lib.language_models.memory import computed
from lib.language_models.pretrained import Transformer

if TYPE_CHECKING:
    import torch

BATCH = 1024  # pieces whose states are computed at a time
ON_A_GPU = 16  # times as many
TREE = 512  # the same where each piece sees others than its neighbour, at a cost that grows with the square
WORTH_SHARING = 0.2  # of the pieces, before texts are read as trees
SOFTMAX = 2**23  # numbers that a softmax holds at a time: places times pieces of the vocabulary
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
    # pieces that are never cut
    whole = {*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()} & vocabulary.keys()
    if start != "auto":
        if start not in vocabulary:
            special = sorted(whole, key=vocabulary.__getitem__)
            hint = did_you_mean(start, special) or did_you_mean(start, vocabulary)
            raise ValueError(
                f"start: expected 'auto' or a piece of the vocabulary, such as {', '.join(special[:8]) or 'none'}; got "
                f"{start!r}.{hint and ' ' + hint}"
            )
        return start
    template = str(getattr(tokenizer, "chat_template", None) or "")
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
    role = r"(?:message\w{0,9}\W{1,3}role|system|user|assistant|role)\b"
    space = r"\s{0,9}"  # of no more, as a template from outside must not take long
    follows = rf"{re.escape(piece)}['\"]?{space}(?:[+~]|\}}\}}\{{\{{)?{space}['\"]?{role}"
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
        self._network = _Network(self.transformer)

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
        values = np.zeros(len(rows))
        with torch.inference_mode():
            for read in _read(self._network, self.transformer, rows):
                # every piece that counts: its text, the state before it, and the piece
                wanted = [
                    (row, states[place - 1], rows[row][place])
                    for row, states in read.places.items()
                    for place in range(first[row], len(rows[row]))
                ]
                of_text, places, pieces = np.array(wanted).T
                log_p = self._network.log_p(read.states[places], pieces)
                values += np.bincount(of_text, log_p, len(rows))
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


@dataclass(frozen=True)
class _Read:
    """What a network made of some rows.

    Attributes
    ----------
    states : Tensor, shape (m, d)
    places : dict of int to list of int
        For each row the places in `states` of its pieces, the last one aside.
    """

    states: "torch.Tensor"
    places: dict[int, Sequence[int]]


class _Network:
    """A model in two parts: pieces to states, and the states that count to scores of the vocabulary.

    What a model can do is tried when it is loaded. One that does more with its states than one product (a cap, a
    scale) gives its scores as states, which takes more memory. One that takes no mask of its own for each piece reads
    what rows share once for each of them.
    """

    def __init__(self, transformer: Transformer):
        import torch

        self.model = transformer.model
        self.base, self.head = self.model.base_model, self.model.get_output_embeddings()
        # layers that look back so far only make a mask of their own
        looks = (
            getattr(self.model.config, name, None)
            for name in ("sliding_window", "attention_chunk_size")
        )
        self.window = min((look for look in looks if look), default=transformer.longest)
        pieces = np.arange(7) % len(transformer.tokenizer)
        ids = torch.tensor(pieces[None], device=self.model.device)
        with torch.inference_mode():
            whole = self.model(input_ids=ids).logits
            self.size, self.splits = whole.shape[-1], True
            # the same products, so that the least difference is something more
            self.splits = _tried(lambda: self.head(self.states(ids)), whole, exactly=True)
            # a piece, then two ways to go on
            first, second = pieces[:4], pieces[[0, 4, 5, 6]]
            alone = self.states(torch.tensor(np.array([first, second]), device=ids.device))
            tree = _Tree()
            ways = [tree.add(list(first)), tree.add(list(second))]
            self.shares = _tried(lambda: self.of_tree(tree)[np.array(ways)], alone)

    def states(
        self, ids: "torch.Tensor", real: "torch.Tensor | None" = None, **settings: Any
    ) -> "torch.Tensor":
        """(b, t) pieces to (b, t, d) states; to scores where these cannot be told apart."""
        named = {"input_ids": ids, "attention_mask": real, **settings}
        if self.splits:
            return self.base(**named, use_cache=False).last_hidden_state
        return self.model(**named, use_cache=False).logits

    def of_tree(self, tree: "_Tree") -> "torch.Tensor":
        """The (m, d) states of a tree's pieces, each of which sees those before it on its way."""
        import torch

        device = self.model.device
        unseen = ~torch.from_numpy(tree.before())
        mask = torch.zeros(unseen.shape, dtype=self.model.dtype)
        mask.masked_fill_(unseen, torch.finfo(self.model.dtype).min)
        ids, depths = (
            torch.tensor([numbers], device=device) for numbers in (tree.pieces, tree.depths)
        )
        return self.states(ids, mask[None, None].to(device), position_ids=depths)[0]

    def log_p(self, states: "torch.Tensor", pieces: NDArray[np.intp]) -> NDArray[np.float64]:
        """The log probability of one piece behind each of some states, a softmax for a part of them at a time."""
        import torch

        found = []
        step = max(1, SOFTMAX // self.size)
        for start in range(0, len(states), step):
            part = states[start : start + step]
            scores = (self.head(part) if self.splits else part).float()
            of_piece = torch.from_numpy(pieces[start : start + step]).to(scores.device)
            truth = scores.gather(1, of_piece[:, None])[:, 0] - scores.logsumexp(-1)
            found.append(truth.double().cpu())
        return torch.cat(found).numpy()


class _Tree:
    """Rows of pieces in which what two rows begin with stands once; rows come sorted.

    Attributes
    ----------
    pieces, depths, parents : list of int
        One of each for every piece; a root is its own parent.
    """

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.depths: list[int] = []
        self.parents: list[int] = []
        self.last: tuple[list[int], list[int]] = ([], [])

    def new(self, row: list[int]) -> int:
        """How many pieces a row would add."""
        return len(row) - _shared(self.last[0], row)

    def add(self, row: list[int]) -> list[int]:
        """Where a row's pieces stand."""
        way = self.last[1][: _shared(self.last[0], row)]
        for depth in range(len(way), len(row)):
            self.parents.append(way[-1] if way else len(self.pieces))
            way.append(len(self.pieces))
            self.pieces.append(int(row[depth]))
            self.depths.append(depth)
        self.last = row, way
        return way

    def before(self) -> NDArray[np.bool_]:
        """(m, m): whether a piece stands on the way to another or is it."""
        seen = np.eye(len(self.pieces), dtype=bool)
        for piece, parent in enumerate(self.parents):
            seen[piece] |= seen[parent]
        return seen


def _shared(first: Sequence[int], second: Sequence[int]) -> int:
    """How many pieces two rows begin with alike."""
    length = 0
    for one, other in zip(first, second):
        if one != other:
            break
        length += 1
    return length


def _tried(
    call: Callable[[], "torch.Tensor"], expected: "torch.Tensor", exactly: bool = False
) -> bool:
    """Whether a shorter way gives what the long one gave."""
    import torch

    try:
        found = call()
    except Exception:  # whatever a model raises that cannot do it
        return False
    if exactly:
        return torch.equal(found, expected)
    near = 1e-4 if expected.dtype == torch.float32 else 0.05
    return found.shape == expected.shape and torch.allclose(
        found.float(), expected.float(), rtol=near, atol=near * float(expected.abs().max())
    )


def _read(
    network: _Network, transformer: Transformer, rows: Sequence[list[int]]
) -> Iterator[_Read]:
    """The states of all pieces of all rows that a next piece follows, some rows at a time.

    The last piece of a row is never read, and what rows begin with alike is read once where the network can do that
    and it saves time.
    """
    order = sorted(range(len(rows)), key=lambda row: rows[row][:-1])
    inputs, of_input = _without_beginnings(rows, order)
    shared = sum(_shared(*pair) for pair in pairwise(inputs))
    longest = max(map(len, inputs), default=0)
    worth = shared > WORTH_SHARING * sum(map(len, inputs))
    if network.shares and worth and longest <= network.window:
        yield from _read_trees(network, transformer, rows, order)
        return

    def states(
        indices: NDArray[np.intp], ids: "torch.Tensor", real: "torch.Tensor"
    ) -> "torch.Tensor":
        return network.states(ids, real)

    pieces = BATCH if transformer.device == "cpu" else BATCH * ON_A_GPU
    for indices, found in computed(transformer, inputs, states, pieces):
        width = found.shape[1]
        places = {
            row: range(line * width, line * width + len(rows[row]) - 1)
            for line, index in enumerate(indices)
            for row in of_input[index]
        }
        yield _Read(found.flatten(0, 1), places)


def _read_trees(
    network: _Network, transformer: Transformer, rows: Sequence[list[int]], order: Sequence[int]
) -> Iterator[_Read]:
    """The same for rows that are in order, as trees; smaller ones where the device is full."""
    import torch

    room, done = TREE if transformer.device == "cpu" else TREE * ON_A_GPU, 0
    while done < len(order):
        tree, places = _Tree(), {}
        for row in order[done:]:
            read = rows[row][:-1]
            if places and len(tree.pieces) + tree.new(read) > room:
                break
            places[row] = tree.add(read)
        try:
            states = network.of_tree(tree)
        except torch.OutOfMemoryError as error:
            if len(places) == 1:
                raise MemoryError(
                    f"a text of {len(tree.pieces)} pieces does not fit on {transformer.device} beside "
                    f"{transformer.name}; give dtype='bfloat16', a smaller model, or device='cpu'"
                ) from error
            room = len(tree.pieces) // 2
            continue
        done += len(places)
        yield _Read(states, places)


def _without_beginnings(
    rows: Sequence[list[int]], order: Sequence[int]
) -> tuple[list[list[int]], list[list[int]]]:
    """What has to be read of rows in order, where one that begins another is read with that one; and of each the rows."""
    inputs: list[list[int]] = []
    of_input: list[list[int]] = [[]]
    for row, after in pairwise([*order, None]):
        of_input[-1].append(row)
        read = rows[row][:-1]
        if after is None or rows[after][:-1][: len(read)] != read:
            inputs.append(read)
            of_input.append([])
    return inputs, of_input[:-1]


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
