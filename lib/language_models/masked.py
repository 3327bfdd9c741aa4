"""Masked language models: the probability of a word in a gap, and the log probability bias of Kurita et al.

    m = MaskedLanguageModel("minilm-mlm")      # or a folder of any fill-mask model, "<model>@<commit>", "bert-base-uncased"
    m.log_probabilities(["[MASK] is a nurse."], ["she", "he"])
    log_probability_bias(m, ["nurse"], ["{target} is a {attribute}."], [("he", "she")])

A positive bias leans towards the first word of a pair, as in the paper (he before she).
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.language_models.encoder import ContextEncoder, Occurrences
from lib.language_models.pretrained import Transformer, batched, encoded, load_transformer

__all__ = ["ContextEncoder", "MaskedLanguageModel", "Occurrences", "log_probability_bias"]

MASK = "[MASK]"
GAP = re.compile(r"\s*\[MASK\]")
ROWS = 512  # softmaxes at a time


class MaskedLanguageModel:
    """Any fill-mask model behind one class; sentences hold [MASK], whatever the model's own mask is.

    name : "minilm-mlm" (ours), a folder, "<model>@<commit>" on the hub, or "bert-base-uncased", "bert-base-cased",
    "bert-large-uncased", "roberta-base", "distilbert-base-uncased" at the commits this book pins.
    device : "auto" takes a GPU where there is one. dtype : "float32"; "bfloat16" and "float16" are faster on a GPU, and
    coarser: about two decimals of a log probability.
    Raises as `lib.language_models.pretrained.load_transformer`.
    """

    def __init__(self, name: str = "minilm-mlm", device: str = "auto", *, dtype: str = "float32"):
        self._transformer = load_transformer(name, head=True, device=device, dtype=dtype)
        self.name, self.source, self.device = (
            self._transformer.name,
            self._transformer.source,
            self._transformer.device,
        )
        tokenizer = self._transformer.tokenizer
        self.mask_token, self._mask_id = tokenizer.mask_token, tokenizer.mask_token_id
        if self._mask_id is None:
            raise ValueError(
                f"{self.name}: its tokenizer has no mask token; give a fill-mask model"
            )

    def __repr__(self) -> str:
        return f"MaskedLanguageModel({self.name!r}, {self._transformer.model.config.vocab_size:,} pieces, {self.device})"

    @functools.cached_property
    def cased(self) -> bool:
        """Whether the model tells She from she."""
        return self.pieces("She") != self.pieces("she")

    def pieces(self, word: str, start: bool = False) -> list[str]:
        """The pieces of a word inside a sentence, or with `start` as its first word. Raises ValueError for an empty word."""
        tokenizer = self._transformer.tokenizer
        return tokenizer.convert_ids_to_tokens(self._piece_ids(word, start))

    def _piece_ids(self, word: str, start: bool) -> list[int]:
        if not word.strip():
            raise ValueError("expected a word, got an empty one; leave it out")
        text = (
            word if start else f" {word}"
        )  # byte-level vocabularies tell a word after a space from one at the start
        ids = self._transformer.tokenizer(text, add_special_tokens=False)["input_ids"]
        if self._transformer.tokenizer.unk_token_id in ids:
            raise ValueError(
                f"{word!r} holds letters that {self.name} does not know; choose another word"
            )
        return ids

    def is_single(self, word: str, start: bool = False) -> bool:
        """Whether a word is one piece of the vocabulary."""
        return len(self._piece_ids(word, start)) == 1

    def log_probabilities(
        self, sentences: Sequence[str], words: Sequence[str], mask: ArrayLike = 0
    ) -> NDArray[np.float64]:
        """Natural log of the probability of each word at a mask of each sentence.

        sentences : n texts, each with at least one [MASK]. words : k words, each a single piece.
        mask : which [MASK] of the sentence is read, from 0; one number, or one for each sentence.
        Returns (n, k), at most 0. The numbers do not depend on the order or the batching of the sentences, up to rounding.
        Raises ValueError for a sentence without a mask or too long for the model, a mask that is not there, and a word that
        is not a single piece.
        """
        rows = self._masked(sentences)
        which = np.broadcast_to(np.asarray(mask, dtype=int), (len(rows),))
        places = [self._places(row, sentence) for row, sentence in zip(rows, sentences)]
        for sentence, found, number in zip(sentences, places, which):
            if not 0 <= number < len(found):
                raise ValueError(
                    f"mask {number} of {sentence[:80]!r} is not there: it has {len(found)}, counted from 0"
                )
        positions = np.array([found[number] for found, number in zip(places, which)], dtype=int)
        return self._single(rows, positions, words)

    def _masked(self, sentences: Sequence[str]) -> list[list[int]]:
        if isinstance(sentences, str):
            raise ValueError(
                f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
            )
        # Byte-level vocabularies count the space before a mask to the mask; not all saved tokenizers still do.
        return encoded(
            self._transformer, [GAP.sub(self.mask_token, sentence) for sentence in sentences]
        )

    def _places(self, row: Sequence[int], sentence: str) -> list[int]:
        found = [place for place, piece in enumerate(row) if piece == self._mask_id]
        if not found:
            raise ValueError(
                f"expected a sentence with {MASK}, got {sentence[:80]!r}; write {MASK} where the word is to be read"
            )
        return found

    def _single(
        self, rows: list[list[int]], positions: NDArray, words: Sequence[str]
    ) -> NDArray[np.float64]:
        """Log probabilities of single-piece words: a mask that opens its sentence is read for the words' opening form."""
        first = 1 if rows and rows[0][0] == self._transformer.tokenizer.cls_token_id else 0
        values = np.empty((len(rows), len(words)))
        for opening in (False, True):
            chosen = np.flatnonzero((positions == first) == opening)
            if len(chosen):
                ids = [self._one_piece(word, opening) for word in words]
                values[chosen] = self._read(
                    [rows[i] for i in chosen], positions[chosen], [ids] * len(chosen)
                )
        return values

    def _one_piece(self, word: str, start: bool) -> int:
        ids = self._piece_ids(word, start)
        if len(ids) > 1:
            shown = " ".join(self.pieces(word, start))
            raise ValueError(
                f"{word!r} is {len(ids)} pieces of {self.name} ({shown}); expected one: choose another word, or give "
                "`log_probability_bias` pieces='mask' or 'marginalise'"
            )
        return ids[0]

    def _read(
        self, rows: list[list[int]], positions: ArrayLike, ids: Sequence[Sequence[int]]
    ) -> NDArray[np.float64]:
        """Log probability of pieces `ids[i]` (k for every row) at position `positions[i]` of row i: (n, k)."""
        import torch

        positions, ids = np.asarray(positions, dtype=int), np.asarray(ids, dtype=np.int64)
        values = np.empty(ids.shape)
        with torch.inference_mode():
            for indices, pieces, real in batched(self._transformer, rows):
                hidden = _hidden_at(
                    self._transformer,
                    pieces,
                    real,
                    torch.from_numpy(positions[indices]).to(self.device),
                )
                for start in range(0, len(indices), ROWS):
                    part = indices[start : start + ROWS]
                    logits = _decoded(self._transformer, hidden[start : start + ROWS]).float()
                    wanted = torch.from_numpy(ids[part]).to(self.device)
                    values[part] = (
                        (logits.gather(1, wanted) - logits.logsumexp(1, keepdim=True))
                        .double()
                        .cpu()
                        .numpy()
                    )
        return values

    def pseudo_log_likelihood(
        self, sentences: Sequence[str], others: Sequence[str] | None = None
    ) -> NDArray[np.float64]:
        """Sum of the log probabilities of a sentence's pieces, each masked in turn: (n,), natural logs.

        others : the sentence each is compared with; then only pieces that the two share are masked, as CrowS-Pairs does, so
        that the pair differs in what conditions the pieces, not in which are counted.
        Raises ValueError when a sentence is empty or too long for the model, or a pair shares no piece.
        Salazar et al. (2020); Nangia et al. (2020), equation 1.
        """
        rows = encoded(self._transformer, sentences)
        special = set(self._transformer.tokenizer.all_special_ids)
        against = rows if others is None else encoded(self._transformer, others)
        if len(against) != len(rows):
            raise ValueError(
                f"expected one of `others` for each sentence, got {len(against)} for {len(rows)}"
            )
        masked, positions, truth, owner = [], [], [], []
        for number, (row, other) in enumerate(zip(rows, against)):
            shared = _shared(row, other) if others is not None else range(len(row))
            places = [place for place in shared if row[place] not in special]
            if not places and others is None:
                raise ValueError(
                    f"expected a sentence with a piece that the model knows, got {sentences[number]!r}"
                )
            if not places:
                raise ValueError(
                    f"{sentences[number][:60]!r} shares no piece with {others[number][:60]!r}; expected a minimal pair"
                )
            for place in places:
                masked.append([*row[:place], self._mask_id, *row[place + 1 :]])
                positions.append(place)
                truth.append([row[place]])
                owner.append(number)
        values = self._read(masked, positions, truth)[:, 0] if masked else np.empty(0)
        return np.bincount(owner, values, minlength=len(rows))


def _shared(row: Sequence[int], other: Sequence[int]) -> list[int]:
    blocks = difflib.SequenceMatcher(None, row, other, autojunk=False).get_matching_blocks()
    return [place for block in blocks for place in range(block.a, block.a + block.size)]


def _hidden_at(transformer: Transformer, pieces, real, positions):
    """Final hidden states at one position of each row: (b, d)."""
    import torch

    hidden = transformer.model.base_model(input_ids=pieces, attention_mask=real).last_hidden_state
    return hidden[torch.arange(len(positions), device=hidden.device), positions]


def _decoded(transformer: Transformer, hidden):
    """Logits (b, v) of final hidden states (b, d), by the head of the model's family."""
    model = transformer.model
    if hasattr(model, "vocab_projector"):  # DistilBERT
        return model.vocab_projector(
            model.vocab_layer_norm(model.activation(model.vocab_transform(hidden)))
        )
    if hasattr(model, "decoder") and hasattr(model, "head"):  # ModernBERT
        return model.decoder(model.head(hidden))
    for name in ("cls", "lm_head", "predictions"):  # BERT, RoBERTa, ALBERT
        if hasattr(model, name):
            return getattr(model, name)(hidden)
    raise ValueError(
        f"{transformer.name}: the head of a {type(model).__name__} is not known here; those of BERT, RoBERTa, DistilBERT, "
        "ALBERT and ModernBERT are"
    )


def log_probability_bias(
    m: MaskedLanguageModel,
    attributes: Sequence[str],
    templates: Sequence[str],
    targets: Sequence[tuple[str, str]],
    *,
    pieces: str = "error",
    prior: str = "target",
    attribute_masks: str = "pieces",
) -> pd.DataFrame:
    """Log probability bias of every attribute, template and pair of targets: how much more the attribute raises the
    probability of the first target than that of the second.

    attributes : words or phrases. templates : texts with {target} and {attribute}. targets : pairs, male first as in the
    paper.
    association of a target = log p(target | attribute shown) - log p(target | attribute masked); bias = association of the
    first minus that of the second, in nats, positive when the attribute leans towards the first.
    pieces : of a target of several pieces: "error"; "mask", as many masks as pieces, each read with the others masked;
    "marginalise", each read with those before it in place, whose product is the probability of the whole word.
    prior : "target" reads it at the target's own mask; "published" where the authors' code does, one piece left of the
    sentence's last mask. attribute_masks : "pieces", one mask for each piece of the attribute in the prior, or "one".
    A target that opens a sentence is read with a capital where the model is cased.
    Returns one row for each attribute, template and pair: attribute, template, first, second, log_p_first, log_p_second,
    log_prior_first, log_prior_second, bias, attribute_pieces.
    Raises ValueError for an empty list or attribute, a template without its two slots, and targets of several pieces unless
    `pieces` allows them. Kurita et al. (2019), section 2.
    """
    _checked(attributes, templates, targets, pieces, prior, attribute_masks)
    if pieces != "error" and prior == "published":
        raise ValueError(
            "prior='published' is defined for targets of one piece; use prior='target'"
        )
    words = list(dict.fromkeys(word for pair in targets for word in pair))
    counts = {attribute: len(m.pieces(attribute)) for attribute in attributes}
    masks = {
        attribute: counts[attribute] if attribute_masks == "pieces" else 1
        for attribute in attributes
    }
    shown = {(t, a): t.replace("{attribute}", a) for t in templates for a in attributes}
    hidden = {
        (t, k): t.replace("{attribute}", " ".join([MASK] * k))
        for t in templates
        for k in sorted(set(masks.values()))
    }
    texts = [*dict.fromkeys(shown.values())]
    log_p = dict(zip(texts, _of_targets(m, texts, words, pieces)))
    texts = [*dict.fromkeys(hidden.values())]
    log_prior = dict(
        zip(texts, _of_targets(m, texts, words, pieces, published=prior == "published"))
    )
    place = {word: column for column, word in enumerate(words)}
    rows = []
    for attribute in attributes:
        for template in templates:
            p, q = log_p[shown[template, attribute]], log_prior[hidden[template, masks[attribute]]]
            for first, second in targets:
                i, j = place[first], place[second]
                bias = (p[i] - q[i]) - (p[j] - q[j])
                rows.append(
                    (
                        attribute,
                        template,
                        first,
                        second,
                        p[i],
                        p[j],
                        q[i],
                        q[j],
                        bias,
                        counts[attribute],
                    )
                )
    columns = [
        "attribute",
        "template",
        "first",
        "second",
        "log_p_first",
        "log_p_second",
        "log_prior_first",
        "log_prior_second",
        "bias",
        "attribute_pieces",
    ]
    return pd.DataFrame(rows, columns=columns)


def _checked(attributes, templates, targets, pieces, prior, attribute_masks) -> None:
    for name, given in (("attributes", attributes), ("templates", templates), ("targets", targets)):
        if isinstance(given, str) or not len(given):
            raise ValueError(f"{name}: expected a list with at least one entry, got {given!r}")
    for attribute in attributes:
        if not attribute.strip():
            raise ValueError(
                "attributes: expected words or phrases, got an empty one; leave it out"
            )
    for template in templates:
        if template.count("{target}") != 1 or template.count("{attribute}") != 1:
            raise ValueError(
                f"expected a template with one {{target}} and one {{attribute}}, got {template!r}"
            )
    for pair in targets:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise ValueError(
                f"expected pairs of two different targets such as ('he', 'she'), got {pair!r}"
            )
    choices = (
        ("pieces", pieces, ("error", "mask", "marginalise")),
        ("prior", prior, ("target", "published")),
        ("attribute_masks", attribute_masks, ("pieces", "one")),
    )
    for name, given, legal in choices:
        if given not in legal:
            raise ValueError(f"{name} must be one of {', '.join(legal)}; got {given!r}")


def _of_targets(
    m: MaskedLanguageModel, texts: list[str], words: list[str], pieces: str, published: bool = False
) -> NDArray[np.float64]:
    """Log probability of each target in the {target} slot of each text: (n, k), those of as many pieces read at once."""
    values = np.empty((len(texts), len(words)))
    for opening in (False, True):
        chosen = np.flatnonzero([text.startswith("{target}") == opening for text in texts])
        if not len(chosen):
            continue
        forms = [word[:1].upper() + word[1:] if opening and m.cased else word for word in words]
        ids = [
            m._piece_ids(form, opening) if pieces != "error" else [m._one_piece(form, opening)]
            for form in forms
        ]
        for size in sorted(set(map(len, ids))):
            columns = [column for column, row in enumerate(ids) if len(row) == size]
            slots = [texts[i].replace("{target}", " ".join([MASK] * size)) for i in chosen]
            before = [texts[i].partition("{target}")[0].count(MASK) for i in chosen]
            found = _in_slots(
                m,
                slots,
                before,
                [ids[column] for column in columns],
                pieces == "marginalise",
                published,
            )
            values[np.ix_(chosen, columns)] = found
    return values


def _in_slots(
    m: MaskedLanguageModel,
    texts: list[str],
    before: list[int],
    words: list[list[int]],
    chain: bool,
    published: bool,
) -> NDArray[np.float64]:
    """Log probability of words of one number of pieces, in the masks that follow the first `before` of each text: (n, k)."""
    rows = m._masked(texts)
    places = [m._places(row, text) for row, text in zip(rows, texts)]
    starts = np.array([found[number] for found, number in zip(places, before)])
    if published:
        starts = np.array([found[-1] - 1 for found in places])
    total = np.zeros((len(texts), len(words)))
    for step, pieces in enumerate(zip(*words)):
        if step == 0 or not chain:
            total += m._read(rows, starts + step, [pieces] * len(rows))
            continue
        for column, word in enumerate(words):  # the pieces before this one stand in the text
            read = [
                [*row[:start], *word[:step], *row[start + step :]]
                for row, start in zip(rows, starts)
            ]
            total[:, column] += m._read(read, starts + step, [[word[step]]] * len(rows))[:, 0]
    return total
