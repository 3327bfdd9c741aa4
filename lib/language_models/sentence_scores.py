"""How much likelier a masked language model finds one sentence of a pair: several scoring rules.

A pair differs in a few words, *She is a nurse.* and *He is a nurse.* Every rule gives the first
sentence's score minus the second's, so that with the female sentence first positive leans female.
"""

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.inference.bootstrap import clustered_share
from lib.language_models.batching import encoded
from lib.language_models.masked import MaskedLanguageModel, _logits
from lib.language_models.memory import computed
from lib.language_models.pretrained import Transformer

if TYPE_CHECKING:
    import torch

# What each rule of `pair_margins` reads.
RULES = {
    "log probability": "log probability of the words that differ, each masked",
    "probability": "their probability",
    "pseudo-log-likelihood": "log probability of the words that are shared, each masked in turn",
    "per piece": "log probability of all pieces, each masked in turn, divided by their number",
}
UNMASKED_PIECES = 512  # in a batch whose every piece gets a softmax


@dataclass(frozen=True)
class PieceScores:
    """A sentence piece by piece.

    Attributes
    ----------
    log_p : ndarray, shape (k,)
        Log probability of each piece, masked alone; special pieces are left out.
    shared : ndarray of bool, shape (k,)
        Whether the piece is in the other sentence of the pair, too.
    """

    log_p: NDArray[np.float64]
    shared: NDArray[np.bool_]


def piece_scores(
    model: MaskedLanguageModel, sentences: Sequence[str], others: Sequence[str]
) -> list[PieceScores]:
    """Log probability of every piece of a sentence, each masked in turn.

    Parameters
    ----------
    model : MaskedLanguageModel
    sentences, others : sequence of str
        n sentences and the one that each is compared with, which only decides which pieces are
        shared.

    Returns
    -------
    list of PieceScores

    Raises
    ------
    ValueError
        Where the lists are not of one length, or a sentence is empty or too long for the model.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> [scores] = piece_scores(model, ["She is a nurse."], ["He is a nurse."])
    >>> scores.shared.tolist()
    [False, True, True, True, True]
    """
    if len(sentences) != len(others):
        raise ValueError(
            f"expected one of `others` for each sentence, got {len(others)} for {len(sentences)}"
        )
    rows, against = (encoded(model.transformer, texts) for texts in (sentences, others))
    special = set(model.transformer.tokenizer.all_special_ids)
    masked, positions, truth, kept = [], [], [], []
    for sentence, row, other in zip(sentences, rows, against):
        places = [place for place in range(len(row)) if row[place] not in special]
        if not places:
            raise ValueError(
                f"expected a sentence with a piece that the model knows, got {sentence!r}"
            )
        masked += [[*row[:place], model.mask_id, *row[place + 1 :]] for place in places]
        positions += places
        truth += [[row[place]] for place in places]
        kept.append(np.isin(places, _shared_places(row, other)))
    if not masked:
        return []
    values = model.log_probabilities_at(masked, positions, truth)[:, 0]
    ends = np.cumsum([len(shared) for shared in kept])[:-1]
    return [PieceScores(*pair) for pair in zip(np.split(values, ends), kept)]


def pair_margins(
    model: MaskedLanguageModel, first: Sequence[str], second: Sequence[str]
) -> pd.DataFrame:
    """Score of the first sentence of each pair minus that of the second, by four rules.

    Parameters
    ----------
    model : MaskedLanguageModel
    first, second : sequence of str
        n pairs that differ in a few words.

    Returns
    -------
    DataFrame
        n rows and a column for each rule of `RULES`: nats, but for the probability, which is from
        -1 to 1. Sums over pieces; NaN where a sentence has no word that the other lacks, or the two
        share none.

    Raises
    ------
    ValueError
        As `piece_scores`.

    References
    ----------
    Nangia et al. (2020), equation 1, for the shared words; Salazar et al. (2020) for all; Pikuliak,
    Beňová and Bachratý (2023) set rules of both kinds side by side.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> margins = pair_margins(model, ["She is a nurse."], ["He is a nurse."])
    >>> margins.columns.tolist()
    ['log probability', 'probability', 'pseudo-log-likelihood', 'per piece']
    """
    sides = piece_scores(model, first, second), piece_scores(model, second, first)
    tables = [
        pd.DataFrame([_by_rule(scores) for scores in side], columns=list(RULES)) for side in sides
    ]
    return tables[0] - tables[1]


def unmasked_likelihoods(model: MaskedLanguageModel, sentences: Sequence[str]) -> pd.DataFrame:
    """All unmasked likelihood of sentences, plain and weighted by attention.

    Nothing is masked: the model sees the whole sentence and says how likely each of its pieces is.

    Parameters
    ----------
    model : MaskedLanguageModel
        A model that attends to all pieces.
    sentences : sequence of str
        n texts.

    Returns
    -------
    DataFrame
        n rows: `AUL`, the mean log probability of the pieces, and `AULA`, the mean of log
        probabilities times the attention that each piece gets, averaged over layers, heads and
        pieces. Special pieces attend and are not scored.

    Raises
    ------
    ValueError
        For a sentence without a piece or too long for the model, or a model that does not say what
        it attends to.

    References
    ----------
    Kaneko and Bollegala (2022), equations 3 and 4.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> good, bad = unmasked_likelihoods(model, ["She is a nurse.", "She nurse a is."])["AUL"]
    >>> bool(good > bad)
    True
    """
    import torch

    rows = encoded(model.transformer, sentences)
    special = torch.tensor(model.transformer.tokenizer.all_special_ids, device=model.device)
    values = np.empty((len(rows), 2))

    def both(
        indices: NDArray[np.intp], ids: "torch.Tensor", real: "torch.Tensor"
    ) -> NDArray[np.float64]:
        output = network.base_model(input_ids=ids, attention_mask=real, output_attentions=True)
        if not output.attentions or output.attentions[0] is None:
            raise ValueError(f"{model.name} does not return its attentions; AULA needs them")
        counted = real.bool() & ~torch.isin(ids, special)
        if not counted.any(1).all():
            empty = indices[int((~counted.any(1)).nonzero()[0, 0])]
            raise ValueError(
                f"expected a sentence with a piece that the model knows, got {sentences[empty]!r}"
            )
        logits = _logits(model.transformer, output.last_hidden_state[counted]).float()
        log_p = torch.zeros(ids.shape, device=ids.device)
        log_p[counted] = logits.gather(1, ids[counted][:, None])[:, 0] - logits.logsumexp(1)
        weights = torch.stack([layer.mean(1) for layer in output.attentions]).mean(0).float()
        weights = (weights * real[:, :, None]).sum(1) / real.sum(1, keepdim=True)
        sums = torch.stack([log_p.sum(1), (log_p * weights).sum(1)], dim=1)
        return (sums / counted.sum(1, keepdim=True)).double().cpu().numpy()

    with torch.inference_mode(), _with_attentions(model.transformer) as network:
        for indices, of_batch in computed(model.transformer, rows, both, UNMASKED_PIECES):
            values[indices] = of_batch
    return pd.DataFrame(values, columns=["AUL", "AULA"])


def all_margins(
    model: MaskedLanguageModel, first: Sequence[str], second: Sequence[str]
) -> pd.DataFrame:
    """Score of the first sentence of each pair minus that of the second, by six rules.

    Parameters
    ----------
    model, first, second
        As in `pair_margins`.

    Returns
    -------
    DataFrame
        The columns of `pair_margins`, and `AUL` and `AULA`.

    Raises
    ------
    ValueError
        As `pair_margins` and `unmasked_likelihoods`.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> all_margins(model, ["She is a nurse."], ["He is a nurse."]).shape
    (1, 6)
    """
    margins = pair_margins(model, first, second)
    unmasked = unmasked_likelihoods(model, [*first, *second])
    n = len(first)
    return margins.join(unmasked[:n] - unmasked[n:].set_axis(range(n)))


def margins_without_context(
    model: MaskedLanguageModel, first: Sequence[str], second: Sequence[str]
) -> NDArray[np.float64]:
    """What the words that differ say alone: their log probabilities with every piece of the sentence masked.

    Parameters
    ----------
    model : MaskedLanguageModel
    first, second : sequence of str
        n pairs that differ in a few words.

    Returns
    -------
    ndarray, shape (n,)
        Nats, positive for the words of the first sentence. How many pieces the sentence has is all that is left of it.
        NaN where a sentence has no word that the other lacks.

    Raises
    ------
    ValueError
        As `piece_scores`, of whose check of lengths this is a part.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023) ask how much of a score is the gender word alone.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> pairs = ["She is a nurse.", "She is a guard."], ["He is a nurse.", "He is a guard."]
    >>> nurse, guard = margins_without_context(model, *pairs)
    >>> bool(nurse == guard)
    True
    """
    if len(first) != len(second):
        raise ValueError(
            f"expected a second sentence for each first, got {len(second)} for {len(first)}"
        )
    special = set(model.transformer.tokenizer.all_special_ids)
    rows, against = (encoded(model.transformer, texts) for texts in (first, second))
    sums = [_alone(model, *sides, special) for sides in ((rows, against), (against, rows))]
    return sums[0] - sums[1]


def _alone(
    model: MaskedLanguageModel, rows: list[list[int]], others: list[list[int]], special: set[int]
) -> NDArray[np.float64]:
    """Sum of the log probabilities of the pieces that the other sentence lacks, all pieces masked."""
    hidden, positions, truth, owner = [], [], [], []
    for place, (row, other) in enumerate(zip(rows, others)):
        shared = set(_shared_places(row, other))
        changed = [i for i in range(len(row)) if row[i] not in special and i not in shared]
        masked = [piece if piece in special else model.mask_id for piece in row]
        hidden += [masked] * len(changed)
        positions += changed
        truth += [[row[i]] for i in changed]
        owner += [place] * len(changed)
    sums = np.full(len(rows), np.nan)
    if hidden:
        values = model.log_probabilities_at(hidden, positions, truth)[:, 0]
        sums[np.unique(owner)] = 0.0
        np.add.at(sums, owner, values)
    return sums


SHARES = ("prefer", "twin", "change", "alone")


def side_changes(
    model: MaskedLanguageModel,
    pairs: tuple[Sequence[str], Sequence[str]],
    twins: tuple[Sequence[str], Sequence[str]],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often a pair and its rewritten twin are decided differently.

    Parameters
    ----------
    model : MaskedLanguageModel
    pairs, twins : pair of sequences of str
        n first and n second sentences, and the same rewritten: negated, in other words, …
    n_resamples, rng
        Of the bootstrap over pairs; twins of one pair are drawn together.

    Returns
    -------
    DataFrame
        A row for each rule of `all_margins`. Four shares, each with the ends of its 95 % interval (`prefer_low`,
        `prefer_high`, …): `prefer`, pairs whose first sentence is preferred; `twin`, twins whose first is; `change`,
        pairs whose twin is decided the other way; `alone`, pairs that are decided as the words that differ are by
        themselves (`margins_without_context`). `chance`, what `change` would be if pair and twin had nothing to do with
        each other; `alone_chance`, the same of `alone`; `n`, the pairs with both margins.

    Raises
    ------
    ValueError
        As `all_margins`, or where the four lists are not of one length.

    References
    ----------
    Pikuliak, Beňová and Bachratý (2023).

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> pairs = ["She is a nurse."], ["He is a nurse."]
    >>> side_changes(model, pairs, pairs)["change"].tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    if len({len(sentences) for sentences in (*pairs, *twins)}) > 1:
        raise ValueError(
            "expected as many twins as pairs, got "
            f"{[len(sentences) for sentences in (*pairs, *twins)]} sentences"
        )
    margins = all_margins(model, *pairs), all_margins(model, *twins)
    word_alone = margins_without_context(model, *pairs)
    labels = np.array([f"{first}\n{second}" for first, second in zip(*pairs)])
    generator = np.random.default_rng(rng)
    lines = {}
    for rule in margins[0]:
        sides = [side[rule].to_numpy() for side in margins]
        both = np.isfinite(sides[0]) & np.isfinite(sides[1])
        prefer, twin = (side[both] > 0 for side in sides)
        known = np.isfinite(word_alone[both])
        by_word = word_alone[both][known] > 0
        cases = [
            (prefer, labels[both]),
            (twin, labels[both]),
            (prefer != twin, labels[both]),
            (prefer[known] == by_word, labels[both][known]),
        ]
        line = {}
        for name, (values, of_pairs) in zip(SHARES, cases):
            ends = _share(values, of_pairs, n_resamples, generator)
            line |= dict(zip((name, f"{name}_low", f"{name}_high"), ends))
        for name, (one, other) in {
            "chance": (prefer, ~twin),
            "alone_chance": (prefer[known], by_word),
        }.items():
            p, q = (side.mean() if len(side) else np.nan for side in (one, other))
            line[name] = float(p * q + (1 - p) * (1 - q))
        lines[rule] = line | {"n": int(both.sum())}
    return pd.DataFrame.from_dict(lines, orient="index")


def _share(
    values: NDArray[np.bool_],
    labels: NDArray[np.str_],
    n_resamples: int,
    generator: np.random.Generator,
) -> tuple[float, float, float]:
    """Share of true values with its interval over labels; without ends where there are not two."""
    if len(np.unique(labels)) < 2:
        return (float(values.mean()) if len(values) else np.nan), np.nan, np.nan
    return clustered_share(values, rows=labels, n_resamples=n_resamples, rng=generator)


def _by_rule(scores: PieceScores) -> tuple[float, float, float, float]:
    changed, shared = scores.log_p[~scores.shared], scores.log_p[scores.shared]
    log_p = float(changed.sum()) if len(changed) else np.nan
    likelihood = float(shared.sum()) if len(shared) else np.nan
    return log_p, float(np.exp(log_p)), likelihood, float(scores.log_p.mean())


def _shared_places(row: Sequence[int], other: Sequence[int]) -> list[int]:
    blocks = difflib.SequenceMatcher(None, row, other, autojunk=False).get_matching_blocks()
    return [place for block in blocks for place in range(block.a, block.a + block.size)]


@contextmanager
def _with_attentions(transformer: Transformer) -> Iterator:
    """The network with the one implementation of attention that returns its weights."""
    network = transformer.model
    usual = network.config._attn_implementation
    network.set_attn_implementation("eager")
    try:
        yield network
    finally:
        network.set_attn_implementation(usual)
