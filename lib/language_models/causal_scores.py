"""Log probabilities of sentences and of their ends, from any causal language model.

    model = CausalLanguageModel("a/folder")
    model.log_probabilities(["She is a nurse."])
    sentence_log_odds(model, ["She is a nurse."], ["He is a nurse."])

Loaded as the other models are (`lib.language_models.pretrained`): safetensors only, no code of
theirs.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lib.language_models.memory import computed
from lib.language_models.pretrained import load_causal

if TYPE_CHECKING:
    import torch

BATCH = 1024  # pieces whose every softmax is held at a time


class CausalLanguageModel:
    """Any causal language model behind one class.

    Parameters
    ----------
    name : str
        A folder, or "<model>@<commit>" on the hub.
    device, dtype : str
        As in `lib.language_models.pretrained.load_transformer`, whose errors it raises.

    Attributes
    ----------
    name, source, device : str
        The model, its name with commit or hash for the ledger, and where it runs.
    start_id : int
        The piece that a text begins after: the model's own start, else its end of text.
    transformer : Transformer

    Raises
    ------
    ValueError
        Where the model has no piece that a text could begin after.

    Examples
    --------
    The folder here is a small model with random weights (`getfixture` is pytest's).

    >>> folder = getfixture("tiny_causal_model")
    >>> model = CausalLanguageModel(str(folder), device="cpu")
    >>> model.log_probabilities(["she is a nurse."]).shape, model.knows("nurse")
    ((1,), True)
    """

    def __init__(self, name: str, device: str = "auto", *, dtype: str = "float32"):
        self.transformer = load_causal(name, device=device, dtype=dtype)
        self.name = self.transformer.name
        self.source = self.transformer.source
        self.device = self.transformer.device
        tokenizer = self.transformer.tokenizer
        starts = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        self.start_id = next((piece for piece in starts if piece is not None), None)
        if self.start_id is None:
            raise ValueError(
                f"{self.name}: its tokenizer has neither a start nor an end of text, so that a first "
                "word has no probability; give another model"
            )

    def __repr__(self) -> str:
        size = self.transformer.model.config.vocab_size
        return f"CausalLanguageModel({self.name!r}, {size:,} pieces, {self.device})"

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
            of the rest, given that beginning.

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
        values = np.empty(len(rows))

        def sums(
            indices: NDArray[np.intp], ids: "torch.Tensor", real: "torch.Tensor"
        ) -> NDArray[np.float64]:
            logits = self.transformer.model(input_ids=ids, attention_mask=real).logits
            logits = logits[:, :-1].float()
            of_truth = logits.gather(2, ids[:, 1:, None])[..., 0] - logits.logsumexp(-1)
            places = torch.arange(1, ids.shape[1], device=ids.device)
            begin = torch.from_numpy(first[indices]).to(ids.device)
            counted = real[:, 1:].bool() & (places >= begin[:, None])
            return (
                torch.where(counted, of_truth, torch.zeros_like(of_truth))
                .double()
                .sum(1)
                .cpu()
                .numpy()
            )

        with torch.inference_mode():
            for indices, of_batch in computed(self.transformer, rows, sums, BATCH):
                values[indices] = of_batch
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
    sides = [
        model.log_probabilities([text + ending for text in beginnings], beginnings)
        for ending in endings
    ]
    odds = sides[0] - sides[1]
    return odds if domain is None else odds[:-1] - odds[-1]
