"""The pronoun as another task: a gap for a masked language model (Alfaro, Costa-jussà and Fonollosa 2019), a question that a span
of the passage answers, a choice between three ends of a sentence (Chada 2019).
"""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples, encode_tokens, mention_spans
from lib.coreference.resolvers.resolver import Resolver, page_folds
from lib.language_models.batching import batched
from lib.language_models.masked import MASK, MaskedLanguageModel
from lib.language_models.pretrained import load_transformer
from lib.threads import one_thread
from studies.resolvers.networks import Network, dense, layer_at
from studies.resolvers.parsers import sentences_of_mentions
from studies.resolvers.rows import kept_lists, kept_rows, span_rows

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
    warm-up look like fine-tuning); our pair of feminine names; each passage is cut to the sentences of its mentions,
    where the paper cuts at 256 pieces.
    """

    paper: ClassVar[str] = "alfaro2019_bert_mlm_coref"
    reads: ClassVar[str] = "gaps"

    texts: int = 1
    third: str = "none"  # of THIRDS: the word for NEITHER
    classifier: bool = False
    # or another masked language model of BERT's kind that reads small letters
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
    """A row of GAP in small letters with the candidates' names replaced and a mask in the pronoun's place.

    Replaced are both mentions, every other occurrence of a whole name, and of the first name of one that has more
    words, unless the candidates share it or it is contained in the other's name.
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
    """The last hidden state of a masked language model at the one mask of each text, shape (n, d); kept in the book's cache."""
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


SEPARATORS = {"marks": r"\w+|[^\w\s]", "spaces": r"\S+"}  # what a word is
LONGEST = 30  # pieces of an answer, as in the code for SQuAD that the author built on


@dataclass(frozen=True, kw_only=True)
class QuestionAnswering(Resolver):
    """CorefQAExt on frozen states: a start and an end score for each piece of the passage, both linear; then a
    logistic regression from six of them to A, B and NEITHER.

    The six are the highest start and end score within A, within B, and in the whole passage. Only passages whose
    answer is a name train the scores. The regression is fitted on all of `validation`; where there is none, on the
    training passages, each scored by weights that other parts of them trained.

    Differs from the paper: nothing is fine-tuned (section 4.1 did so too: F1 63.6, 72.1 and 74.4 by layer, with BERT
    large); linear scores on frozen states have one best fit, which is found outright, so seeds change nothing but
    the folds; question and passage are one segment; the passage is cut to the sentences of the mentions.

    The paper says two and two words separated by spaces; of the six questions it prints, three are such windows, and all
    six are with punctuation marks as words, as here. The released code takes the word before and three after.
    """

    paper: ClassVar[str] = "chada2019_qa"
    reads: ClassVar[str] = "questions"

    before: int = 2
    after: int = 2
    apart: str = "marks"  # of SEPARATORS
    encoder: str = "minilm"
    depth: float = 2 / 3  # the layer, as a share of the depth
    # On the squares of the weights; chosen on gap-validation, by folds, among values near the best of three
    # on 250 passages of gap-development, which stage 1 tests on. Around it the loss hardly moves.
    penalty: float = 0.1
    C: float = 0.1  # of the logistic regression
    # 0 fits the regression on the scores that the training passages themselves trained
    folds: int = 5

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedQuestionAnswering:
        pieces, answers = self._pieces(examples), examples.answers
        if not (answers < 2).any():
            raise ValueError(
                "expected passages whose answer is a name, got none; they train the scores"
            )

        def trained(rows: NDArray[np.intp]) -> NDArray[np.float64]:
            named = rows[answers[rows] < 2]
            return span_weights([pieces[i] for i in named], answers[named], self.penalty)

        everyone = np.arange(len(examples))
        weights = trained(everyone)
        if validation is not None:
            scores = six_scores(self._pieces(validation), weights)
            answers = validation.answers
        elif self.folds:
            scores = np.empty((len(examples), 6))
            seed = int(np.random.default_rng(rng).integers(2**31))
            for out in page_folds(examples, self.folds, seed):
                inside = trained(np.setdiff1d(everyone, out))
                scores[out] = six_scores([pieces[i] for i in out], inside)
        else:
            scores = six_scores(pieces, weights)
        regression = LogisticRegression(C=self.C, max_iter=1000).fit(scores, answers)
        return FittedQuestionAnswering(self, weights, regression)

    def read(self, examples: Examples) -> None:
        self._pieces(examples)

    def _pieces(self, examples: Examples) -> list[NDArray[np.float16]]:
        cut = sentences_of_mentions(examples.passages)
        asked = [
            question(text, offset, self.before, self.after, self.apart)
            for text, offset in zip(cut["Text"], cut["Pronoun-offset"])
        ]
        return passage_pieces(cut, asked, layer_at(self.depth, examples), self.encoder)


@dataclass(frozen=True)
class FittedQuestionAnswering:
    """Trained weights for start and end, shape (2, d), and the regression on six scores."""

    settings: QuestionAnswering
    weights: NDArray[np.float64]
    regression: LogisticRegression

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        pieces = self.settings._pieces(examples)
        found = np.zeros((len(examples), 3))
        given = self.regression.predict_proba(six_scores(pieces, self.weights))
        found[:, self.regression.classes_] = given
        return found

    def decisions(self, examples: Examples) -> NDArray[np.intp]:
        """CorefQA: 0, 1 or 2 as the best span of the passage overlaps with A, with B, or with neither (or both). It
        knows nothing of the candidates.
        """
        return answered(self.settings._pieces(examples), self.weights)


@dataclass(frozen=True, kw_only=True)
class MultipleChoice(Network):
    """CorefMulti in a frozen form: the passage goes on with the pronoun, "is", and each of the three answers; one
    linear score is read from the state of each answer, and a softmax chooses.

    Differs from the paper: nothing is fine-tuned; the three sentences follow each other in one text, so that a
    passage is encoded once and not three times; the score is read from the answer's own pieces in place of [CLS]; the
    passage is cut to the sentences of the mentions.
    """

    paper: ClassVar[str] = "chada2019_qa"
    reads: ClassVar[str] = "choices"

    encoder: str = "minilm"
    depth: float = 2 / 3
    weight_decay: float = 0.01
    epochs: int = 40
    patience: int = 5

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """The states of the three answers, (n, 3, d)."""
        cut = sentences_of_mentions(examples.passages)
        texts, spans = zip(*(choices(row) for row in cut.to_dict("records")))
        states = span_rows(texts, spans, self.encoder)
        return (torch.from_numpy(states[:, layer_at(self.depth, examples), 1:]),)

    def network(self, *inputs: Tensor) -> nn.Module:
        return nn.Sequential(dense(inputs[0].shape[-1], 1), nn.Flatten())


def question(text: str, offset: int, before: int = 2, after: int = 2, apart: str = "marks") -> str:
    """The words around a pronoun, a piece of the text; fewer at an end of it.

    >>> text = "He married in 1900. She was some 18 years his junior."
    >>> question(text, 20), question(text, 20, apart="spaces"), question(text, 20, 1, 3, "spaces")
    ('1900. She was some', 'in 1900. She was some', '1900. She was some 18')
    """
    one_of("apart", apart, SEPARATORS)
    words = [match.span() for match in re.finditer(SEPARATORS[apart], text)]
    inside = [place for place, (start, stop) in enumerate(words) if start <= offset < stop]
    if not inside:
        raise ValueError(
            f"expected a word at character {offset} of {text[:60]!r}…; check the offset"
        )
    first, last = max(inside[0] - before, 0), min(inside[0] + after, len(words) - 1)
    return text[words[first][0] : words[last][1]]


def choices(passage: dict) -> tuple[str, list[tuple[int, int]]]:
    """A passage with its three answers behind it, and where the pronoun and each answer are."""
    text, start = passage["Text"], passage["Pronoun-offset"]
    spans = [(start, start + len(passage["Pronoun"]))]
    for answer in (passage["A"], passage["B"], "neither"):
        text += f" {passage['Pronoun']} is "
        spans.append((len(text), len(text) + len(answer)))
        text += f"{answer}."
    return text, spans


def passage_pieces(
    passages: pd.DataFrame, questions: Sequence[str], layer: int = 4, encoder: str = "minilm"
) -> list[NDArray[np.float16]]:
    """The states of a passage's pieces, read together with its question: by passage (t, d + 2), without the question; the last
    two columns are 1 where a piece belongs to A, to B. Kept in the book's cache.
    """
    tokenizer = load_transformer(encoder, device="cpu").tokenizer
    asked = [f"{text} {tokenizer.sep_token} " for text in questions]
    texts = [ask + text for ask, text in zip(asked, passages["Text"])]
    spans = mention_spans(passages)

    def compute(places: list[int]) -> list[NDArray[np.float16]]:
        found: dict[int, NDArray[np.float16]] = {}
        for k, offsets, vectors in encode_tokens([texts[i] for i in places], layer, encoder):
            begin = len(asked[places[k]])
            inside = (offsets[:, 0] >= begin) & (offsets[:, 1] > offsets[:, 0])
            starts, stops = (offsets[inside] - begin).T
            marks = [(starts < stop) & (stops > start) for start, stop in spans[places[k]][1:]]
            if not all(mark.any() for mark in marks):
                raise ValueError(
                    f"no piece covers a name in {texts[places[k]][:60]!r}…; check the offsets"
                )
            found[k] = np.column_stack([vectors[inside], *marks]).astype(np.float16)
        return [found[k] for k in range(len(places))]

    names = [json.dumps([text, *held]) for text, held in zip(texts, spans)]
    return kept_lists("questions", json.dumps([layer, encoder]), names, compute)


def span_weights(
    pieces: Sequence[NDArray], answers: NDArray[np.intp], penalty: float = 0.1
) -> NDArray[np.float64]:
    """The weights, (2, d), that best find where the answer starts and ends, from n passages as `passage_pieces` gives them.

    They minimise the mean cross-entropy over the pieces of a passage, of both together, plus half the penalty times the
    squared weights.
    """
    lengths = torch.tensor([len(held) for held in pieces])
    owner = torch.repeat_interleave(torch.arange(len(pieces)), lengths)
    states = torch.from_numpy(np.concatenate([held[:, :-2] for held in pieces]).astype(np.float32))
    first = np.cumsum([0, *lengths[:-1].tolist()])
    ends = []
    for held, name, begin in zip(pieces, answers, first):
        inside = np.flatnonzero(held[:, -2 + name])
        ends.append((begin + inside[0], begin + inside[-1]))
    truth = torch.tensor(np.array(ends).T)
    weights = torch.zeros(2, states.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        total = penalty / 2 * (weights**2).sum()
        for scores, right in zip((states @ weights.T).T, truth):
            highest = scores.detach().max()
            sums = torch.zeros(len(pieces)).index_add(0, owner, (scores - highest).exp())
            total = total + (sums.log() + highest - scores[right]).mean()
        total.backward()
        return total

    optimiser.step(loss)
    return weights.detach().double().numpy()


def six_scores(pieces: Sequence[NDArray], weights: NDArray) -> NDArray[np.float64]:
    """The highest start and end score in A, in B, and in the whole passage, shape (n, 6)."""
    found = []
    for held in pieces:
        scores = held[:, :-2].astype(float) @ weights.T
        inside = [held[:, -2] > 0, held[:, -1] > 0, slice(None)]
        found.append(np.concatenate([scores[part].max(axis=0) for part in inside]))
    return np.array(found)


def answered(
    pieces: Sequence[NDArray], weights: NDArray, longest: int = LONGEST
) -> NDArray[np.intp]:
    """Whose name the best span of at most `longest` pieces overlaps with: 0 for A, 1 for B, 2 for neither or both."""
    found = []
    for held in pieces:
        start, end = (held[:, :-2].astype(float) @ weights.T).T
        apart = np.arange(len(held)) - np.arange(len(held))[:, None]
        sums = np.where((apart >= 0) & (apart < longest), start[:, None] + end, -np.inf)
        first, last = divmod(int(sums.argmax()), len(held))
        a, b = held[first : last + 1, -2:].astype(bool).any(axis=0)
        found.append(2 if a == b else int(b))
    return np.array(found)
