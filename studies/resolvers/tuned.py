"""Resolvers whose encoder is tuned, as most systems of the shared task were built: the gradients of the answer go through its last
layers, or through all of it.

`Tuned` is a resolver like the frozen heads beside it, on the same passages and mentions. With `tuned_layers=0` it is one of
them: nothing of the encoder moves.
"""

from __future__ import annotations

import copy
import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples, Span, mention_spans
from lib.coreference.resolvers.resolver import Resolver
from lib.definitions import code_of
from lib.files import new_file, text_hash
from lib.language_models.masked import MASK
from lib.language_models.pretrained import Transformer, best_device, load_transformer
from lib.paths import cache_folder
from studies.resolvers.evidence import tagged
from studies.resolvers.formulations import NAMES, with_gap
from studies.resolvers.heads import MSNet
from studies.resolvers.networks import dense, divided, word_distances

# What reads the states of a passage:
# - mentions: a hidden layer on pronoun, A, B and the products of the names with the pronoun;
# - pronoun: one linear layer on the pronoun's state (Attree's ProBERT, with tags);
# - ends: the first and last piece of each mention and their product, a hidden layer (Chada's CorefSeq);
# - first: a hidden layer on the state of the piece before the text (Ionita et al., with tags);
# - similarity: Wang's MSnet on the top layers;
# - words: what a masked language model's own head gives three words in the pronoun's place (Alfaro et al.).
HEADS = ("mentions", "pronoun", "ends", "first", "similarity", "words")
WORDS = ("none", *NAMES["male"], *NAMES["female"])
POOLINGS = ("mean", "attention")
SCHEDULES = ("linear", "constant")
PRECISIONS = ("auto", "float32", "bfloat16", "float16")
AT_ONCE = 64  # passages that are answered together
EVERY = 120.0  # seconds between checkpoints: a training that is over sooner writes none

Report = Callable[[int, int], None]  # steps done, steps in all
log = logging.getLogger("lib")


@dataclass(frozen=True, kw_only=True)
class Tuned(Resolver):
    """A head on an encoder whose last layers are trained with it, by cross-entropy.

    Parameters
    ----------
    encoder, device : str
        As in `lib.language_models.pretrained.load_transformer`.
    head : str
        Of `HEADS`.
    tagged : bool
        Whether tags stand around the mentions, as Attree has them.
    tuned_layers : int, float or "all"
        The last so many layers, or that share of them; "all" adds the vectors of the pieces.
    top, pooling : int or float, {"mean", "attention"}
        How many layers, or what share of them, from the last one back, "similarity" reads, and how the pieces of a mention
        are joined.
    hidden : int
        Units of the head's hidden layer; for "similarity" of the vector of each layer.
    learning_rate, head_learning_rate : float
        The highest, of the tuned layers and of the head.
    later_head_rate : float
        Of the head once the layers move, behind `head_epochs`; 0 for the same as before.
    schedule, warm_up : {"linear", "constant"}, float
        Share of the steps in which the rates rise; then they fall to zero, or stay.
    weight_decay : float
        Of AdamW, on matrices.
    dropout, head_dropout : float
        In the tuned layers, and on what the head reads. Frozen layers drop nothing.
    clip : float
        The longest gradient; 0 for any.
    batch_size, parts : int
        Passages in a step, and into how many parts they are divided to save memory.
    epochs, head_epochs : int
        At most; in the first `head_epochs` of them the encoder stays as it is.
    patience : int
        Epochs without a lower log loss on the passages that are watched, those of `head_epochs` not counted.
    folds : int
        As in `studies.resolvers.networks.Network`.
    watched : str
        Where `fit` is given no passages to watch, it watches those whose ID begins so, such as "validation"; "" for a part
        as `folds` says.
    longest : int
        Pieces of a passage; of a longer one its ends are cut, the mentions stay.
    precision : str
        "auto": bfloat16, or float16 with scaled gradients, on a card that has it, else float32.
    checkpointing : bool
        Whether what lies within a tuned layer is computed again for the gradient and not kept: less memory, more time.
    """

    encoder: str = "minilm"
    head: str = "mentions"
    tagged: bool = False
    tuned_layers: float | str = "all"
    top: float = 1
    pooling: str = "mean"
    hidden: int = 128
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    later_head_rate: float = 0.0
    schedule: str = "linear"
    warm_up: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    head_dropout: float = 0.1
    clip: float = 1.0
    batch_size: int = 16
    parts: int = 1
    epochs: int = 10
    head_epochs: int = 0
    patience: int = 3
    folds: int = 5
    watched: str = ""
    longest: int = 512
    precision: str = "auto"
    checkpointing: bool = False
    device: str = "auto"

    def __post_init__(self) -> None:
        one_of("head", self.head, HEADS)
        one_of("pooling", self.pooling, POOLINGS)
        one_of("schedule", self.schedule, SCHEDULES)
        one_of("precision", self.precision, PRECISIONS)
        layers = self.tuned_layers
        if layers != "all" and (
            isinstance(layers, str) or layers < 0 or (isinstance(layers, float) and layers > 1)
        ):
            raise ValueError(
                f"tuned_layers: expected 'all', a number from 0 on or a share up to 1.0, got {layers!r}"
            )

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
        state: Path | None = None,
        every: float = EVERY,
        progress: Report | None = None,
    ) -> FittedTuned:
        """Train, or go on where a training of the same settings, passages and numbers was interrupted.

        Parameters
        ----------
        examples, validation, rng
            As in `Resolver.fit`; the states of the examples are not read, and the epoch with the lowest log loss on
            `validation` is kept.
        state : Path, optional
            Where the state of a training is kept until it is done; in the book's cache where none is given.
        every : float
            Seconds between two states.
        progress : callable, optional
            Told how many steps are done, and of how many at most.
        """
        rng = np.random.default_rng(rng)
        if validation is None and self.watched:
            held = examples.passages["ID"].str.startswith(self.watched).to_numpy()
            if not 0 < held.sum() < len(held):
                raise ValueError(
                    f"watched: expected some passages whose ID begins with {self.watched!r}, and others; got {held.sum()} of {len(held)}; give `validation`"
                )
            examples, validation = examples.take(~held), examples.take(held)
        elif validation is None and self.folds:
            examples, validation = divided(examples, self.folds, rng)
        seed = int(rng.integers(2**31))
        with torch.random.fork_rng():
            training = Training(self, examples, validation, seed)
            training.run(state or training.place, every, progress)
        return FittedTuned(self, training.network, training.history)


@dataclass(frozen=True)
class FittedTuned:
    """A tuned encoder with its head.

    Attributes
    ----------
    settings : Tuned
    network : TunedNetwork
    history : list of dict
        Of each epoch its mean loss in training, the log loss on the watched passages, and seconds.
    """

    settings: Tuned
    network: TunedNetwork
    history: list[dict[str, float]]

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        return self.network.probabilities(self.network.read(examples.passages))


@dataclass(frozen=True)
class Passage:
    """A passage as the encoder reads it: pieces, those of pronoun, A and B as [start, stop), and what else the head is given."""

    ids: list[int]
    mentions: list[Span]
    more: NDArray[np.float32]


class TunedNetwork(nn.Module):
    """An encoder of which some layers are trained, and the head on it.

    Parameters
    ----------
    settings : Tuned
    """

    def __init__(self, settings: Tuned):
        super().__init__()
        device = best_device(settings.device)
        fills = settings.head == "words"
        name = settings.encoder
        name = f"{name}-mlm" if fills and name == "minilm" else name
        self.transformer: Transformer = load_transformer(name, head=fills, device=device)
        self.encoder = self.transformer.model.base_model
        self.layers = layers_of(self.encoder)
        most = len(self.layers)
        settings = replace(
            settings,
            top=_counted(settings.top, most),
            tuned_layers=_counted(settings.tuned_layers, most),
        )
        self.settings = settings
        wanted = settings.tuned_layers
        if isinstance(wanted, int) and wanted > most:
            raise ValueError(f"tuned_layers: expected 'all' or at most {most}, got {wanted}")
        size = self.encoder.config.hidden_size
        self.head = (WordScores(self.transformer) if fills else Head(settings, size)).to(device)
        self.tuned: list[nn.Module] = (
            list(self.layers[most - wanted :])
            if isinstance(wanted, int)
            else [self.encoder.embeddings, *self.layers]
        )
        for module in self.tuned:
            for part in module.modules():
                if isinstance(part, nn.Dropout):
                    part.p = settings.dropout
        if settings.checkpointing:
            for layer in self.layers:
                _checkpoint(layer)
        self.encoder.requires_grad_(False)
        self.precision = _precision(settings.precision, device)

    @property
    def device(self) -> str:
        """Where it runs."""
        return self.transformer.device

    def tune(self, moving: bool) -> None:
        """Get ready for steps of training: the head, and with `moving` the chosen layers."""
        self.eval()
        self.head.train()
        for module in self.tuned:
            module.train(moving).requires_grad_(moving)

    def trained(self) -> dict[str, nn.Parameter]:
        """What training may move, by name."""
        places = {id(p) for module in self.tuned for p in module.parameters()}
        encoder = self.encoder.named_parameters(prefix="encoder")
        found = {name: p for name, p in encoder if id(p) in places}
        return found | dict(self.head.named_parameters(prefix="head"))

    def state(self) -> dict[str, Tensor]:
        """What training may change, by name: `trained`, and what the head counts."""
        buffers = dict(self.head.named_buffers(prefix="head"))
        return {name: value.detach() for name, value in (self.trained() | buffers).items()}

    def read(self, passages: pd.DataFrame) -> list[Passage]:
        """Passages with the columns of GAP as the encoder reads them."""
        if self.settings.head == "words":
            return self._read_gaps(passages)
        settings, tokenizer = self.settings, self.transformer.tokenizer
        texts, spans = passages["Text"].tolist(), mention_spans(passages)
        more = np.zeros((len(texts), 0))
        if settings.tagged:
            both = [tagged(text, held) for text, held in zip(texts, spans)]
            texts, spans = [text for text, _ in both], [held for _, held in both]
        elif settings.head == "similarity":
            more = word_distances(passages)
        longest = min(settings.longest, self.transformer.longest)
        encoded = tokenizer(texts, return_offsets_mapping=True, verbose=False)
        rows = zip(encoded["input_ids"], encoded["offset_mapping"], spans, more)
        return [
            Passage(*_cut(ids, _pieces_of(offsets, held), longest), extra.astype(np.float32))
            for ids, offsets, held, extra in rows
        ]

    def _read_gaps(self, passages: pd.DataFrame) -> list[Passage]:
        """Passages with a gap in the pronoun's place and names of `WORDS`; which three of these stand for the answers."""
        tokenizer = self.transformer.tokenizer
        longest = min(self.settings.longest, self.transformer.longest)
        found = []
        for row in passages.to_dict("records"):
            pair = NAMES[row["gender"]]
            text = with_gap(row, pair).replace(MASK, tokenizer.mask_token)
            ids = tokenizer(text, verbose=False)["input_ids"]
            gap = ids.index(tokenizer.mask_token_id)
            asked = np.array([WORDS.index(word) for word in (*pair, "none")], dtype=np.float32)
            found.append(Passage(*_cut(ids, [(gap, gap + 1)] * 3, longest), asked))
        return found

    def forward(self, passages: list[Passage]) -> Tensor:
        """Logits of A, B and NEITHER, in single precision."""
        longest = max(len(passage.ids) for passage in passages)
        ids = torch.full((len(passages), longest), self.transformer.tokenizer.pad_token_id or 0)
        real = torch.zeros_like(ids)
        spans = torch.tensor([passage.mentions for passage in passages]).to(self.device)
        for row, passage in enumerate(passages):
            ids[row, : len(passage.ids)] = torch.tensor(passage.ids)
            real[row, : len(passage.ids)] = 1
        more = torch.from_numpy(np.stack([passage.more for passage in passages])).to(self.device)
        dtype = getattr(torch, self.precision)
        kind = self.device.partition(":")[0]
        with torch.autocast(kind, dtype, enabled=dtype != torch.float32):
            output = self.encoder(
                input_ids=ids.to(self.device),
                attention_mask=real.to(self.device),
                output_hidden_states=self.settings.head == "similarity",
            )
        with torch.autocast(kind, enabled=False):
            if self.settings.head == "similarity":
                hidden = torch.stack(output.hidden_states[-self.settings.top :], dim=1)
            else:
                hidden = output.last_hidden_state[:, None]
            return self.head(hidden.float(), spans, more)

    def probabilities(self, passages: list[Passage]) -> NDArray[np.float64]:
        """What it gives the three answers, shape (n, 3)."""
        self.eval()
        found = np.empty((len(passages), 3))
        order = np.argsort([len(passage.ids) for passage in passages], kind="stable")
        with torch.inference_mode():
            for rows in (order[k : k + AT_ONCE] for k in range(0, len(order), AT_ONCE)):
                logits = self([passages[row] for row in rows])
                found[rows] = logits.double().softmax(dim=1).cpu().numpy()
        return found


class Head(nn.Module):
    """From the states of all pieces (n, layers, t, d), the mentions' places (n, 3, 2) and what else is known to three scores."""

    def __init__(self, settings: Tuned, size: int):
        super().__init__()
        self.settings = settings
        kind, hidden = settings.head, settings.hidden
        self.dropout = nn.Dropout(settings.head_dropout)
        reads = {"mentions": 5 * size, "pronoun": size, "ends": 9 * size, "first": size}
        self.scores: nn.Module
        if kind == "pronoun":
            self.scores = dense(size, 3)
        elif kind in reads:
            squash = nn.Tanh() if kind == "first" else nn.ReLU()
            self.scores = nn.Sequential(
                dense(reads[kind], hidden),
                squash,
                nn.Dropout(settings.head_dropout),
                dense(hidden, 3),
            )
        else:
            head = MSNet(top=settings.top, similarity=hidden)
            self.scores = head.network(torch.empty(0, settings.top, 3, size), torch.empty(0, 2))

    def forward(self, hidden: Tensor, spans: Tensor, more: Tensor) -> Tensor:
        kind = self.settings.head
        if kind == "first":
            return self.scores(self.dropout(hidden[:, -1, 0]))
        if kind == "ends":
            rows = torch.arange(len(spans), device=spans.device)[:, None]
            start, end = hidden[rows, -1, spans[..., 0]], hidden[rows, -1, spans[..., 1] - 1]
            joined = torch.cat([start, end, start * end], dim=-1)
            return self.scores(self.dropout(joined.flatten(1)))
        states = pooled(hidden, spans, self.settings.pooling)
        if kind == "similarity":
            return self.scores(states, more)
        pronoun, a, b = states[:, -1].unbind(1)
        if kind == "pronoun":
            return self.scores(self.dropout(pronoun))
        return self.scores(
            self.dropout(torch.cat([pronoun, a, b, a * pronoun, b * pronoun], dim=-1))
        )


class WordScores(nn.Module):
    """What a masked language model's own head gives words of `WORDS` in a gap: its last layer, the words' vectors and their bias
    start where its own training left them.
    """

    def __init__(self, transformer: Transformer):
        super().__init__()
        head = getattr(getattr(transformer.model, "cls", None), "predictions", None)
        if head is None:
            raise ValueError(
                f"{transformer.name}: expected a masked language model of BERT's kind, whose last layer is known here; take another"
            )
        tokenizer = transformer.tokenizer
        ids = tokenizer.convert_tokens_to_ids(list(WORDS))
        if unknown := [word for word, i in zip(WORDS, ids) if i in (None, tokenizer.unk_token_id)]:
            raise ValueError(
                f"{transformer.name}: expected words of one piece each, got none for {', '.join(unknown)}; take a model that knows them"
            )
        self.transform = copy.deepcopy(head.transform)
        self.vectors = nn.Parameter(head.decoder.weight[ids].detach().clone())
        self.bias = nn.Parameter(head.decoder.bias[ids].detach().clone())

    def forward(self, hidden: Tensor, spans: Tensor, words: Tensor) -> Tensor:
        gaps = hidden[torch.arange(len(spans), device=spans.device), -1, spans[:, 0, 0]]
        return (self.transform(gaps) @ self.vectors.T + self.bias).gather(1, words.long())


def pooled(hidden: Tensor, spans: Tensor, pooling: str = "mean") -> Tensor:
    """States of mentions (n, layers, 3, d) from those of pieces (n, layers, t, d), as `lib.coreference.resolvers.examples` joins
    them, with gradients.

    >>> hidden = torch.arange(4.0).reshape(1, 1, 4, 1)
    >>> pooled(hidden, torch.tensor([[[0, 1], [1, 3], [3, 4]]])).flatten().tolist()
    [0.0, 1.5, 3.0]
    """
    places = torch.arange(hidden.shape[2], device=hidden.device)
    inside = (places >= spans[..., :1]) & (places < spans[..., 1:])
    shares = inside / inside.sum(-1, keepdim=True)
    means = torch.einsum("nkt,nltd->nlkd", shares.to(hidden), hidden)
    if pooling == "mean":
        return means
    normed = nn.functional.layer_norm(hidden, hidden.shape[-1:])
    scores = torch.einsum("nltd,nld->nlt", normed, means[:, :, 0]) / hidden.shape[-1] ** 0.5
    scores = scores[:, :, None].masked_fill(~inside[:, None], -math.inf)
    return torch.einsum("nlkt,nltd->nlkd", scores.softmax(-1), hidden)


def layers_of(encoder: Any) -> nn.ModuleList:
    """The layers of an encoder of BERT's kind, the first one first."""
    stack = getattr(encoder, "encoder", None) or getattr(encoder, "transformer", None)
    layers = getattr(stack, "layer", None)
    if not isinstance(layers, nn.ModuleList) or not hasattr(encoder, "embeddings"):
        raise ValueError(
            f"{type(encoder).__name__}: expected an encoder of the kind of BERT, RoBERTa or DistilBERT, whose layers are known here"
        )
    return layers


class Training:
    """A training, its state, and its loop.

    Parameters
    ----------
    settings : Tuned
    examples, validation : Examples
    seed : int
        Of weights, order and dropout; each step and each epoch draws its own numbers, so that the number of a step is all
        that has to be known to go on.
    """

    def __init__(self, settings: Tuned, examples: Examples, validation: Examples | None, seed: int):
        torch.manual_seed(seed)
        self.settings, self.seed = settings, seed
        self.network = TunedNetwork(settings)
        self.passages = self.network.read(examples.passages)
        self.answers = torch.from_numpy(examples.answers).long()
        self.watched = None
        if validation is not None:
            self.watched = self.network.read(validation.passages), validation.answers
        identities = examples.identity, "" if validation is None else validation.identity
        source = self.network.transformer.source
        self.about = json.dumps([asdict(settings), source, *identities, seed], default=str)
        self.parameters = self.network.trained()
        self.optimizer = torch.optim.AdamW(self._groups())
        self.scaler = torch.amp.GradScaler(enabled=self.network.precision == "float16")
        self.step = self.waited = 0
        self.lowest = math.inf
        self.best: dict[str, Tensor] = {}
        self.history: list[dict[str, float]] = []
        self.losses: list[Tensor | float] = []
        self.seconds = 0.0

    @cached_property
    def place(self) -> Path:
        """Where its state is kept, where the caller names no file."""
        name = text_hash(json.dumps([code_of(Training), self.about]))
        return cache_folder() / "kept" / ".tuned" / f"{name}.safetensors"

    @property
    def steps_an_epoch(self) -> int:
        """A last batch of one passage is left out: batch normalisation cannot do with it."""
        whole, rest = divmod(len(self.passages), self.settings.batch_size)
        return max(1, whole + (rest > 1))

    def run(self, path: Path, every: float = EVERY, progress: Report | None = None) -> None:
        """Train to the end, keeping the state now and then; the network is then that of the best epoch."""
        if path.is_file():
            self.load(path)
        steps = self.settings.epochs * self.steps_an_epoch
        begun = kept = time.monotonic()
        before = self.seconds
        while self.step < steps and self.waited < max(1, self.settings.patience):
            self._take(self.step)
            self.step += 1
            self.seconds = before + time.monotonic() - begun
            if not self.step % self.steps_an_epoch:
                self._look()
            if time.monotonic() - kept >= every:
                self.save(path)
                kept = time.monotonic()
            if progress:
                progress(self.step, steps)
        if self.best:
            self._put(self.best)
        self.network.eval().requires_grad_(False)
        path.unlink(missing_ok=True)

    def _take(self, step: int) -> None:
        """One step of the optimizer."""
        settings, network = self.settings, self.network
        epoch, place = divmod(step, self.steps_an_epoch)
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self.passages))
        rows = order[place * settings.batch_size : (place + 1) * settings.batch_size]
        torch.manual_seed(int(np.random.SeedSequence([self.seed, step]).generate_state(1)[0]))
        network.tune(epoch >= settings.head_epochs)
        share = self._share(step)
        for group in self.optimizer.param_groups:
            moving = epoch >= settings.head_epochs
            group["lr"] = (group["later"] if moving else group["highest"]) * share
        total: Tensor | float = 0.0  # stays on the card, so that no step waits for it
        for part in np.array_split(rows, min(settings.parts, len(rows))):
            logits = network([self.passages[row] for row in part])
            loss = nn.functional.cross_entropy(logits, self.answers[part].to(logits.device))
            self.scaler.scale(loss * (len(part) / len(rows))).backward()
            total += loss.detach() * (len(part) / len(rows))
        if settings.clip:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(list(self.parameters.values()), settings.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.losses.append(total)

    def _share(self, step: int) -> float:
        """Share of the highest rates: the head's own epochs are taken at full rate."""
        settings, first = self.settings, self.settings.head_epochs * self.steps_an_epoch
        if step < first:
            return 1.0
        steps = settings.epochs * self.steps_an_epoch - first
        rise = round(settings.warm_up * steps)
        if step - first < rise:
            return (step - first + 1) / rise
        if settings.schedule == "constant":
            return 1.0
        return (steps - (step - first)) / max(1, steps - rise)

    def _look(self) -> None:
        """At the end of an epoch: the loss on the passages that are watched, and whether it is the lowest."""
        settings, epoch = self.settings, self.step // self.steps_an_epoch
        row = {"epoch": epoch, "training": float(np.mean([float(loss) for loss in self.losses]))}
        self.losses = []
        if self.watched is not None:
            passages, answers = self.watched
            said = self.network.probabilities(passages)
            now = float(-np.log(said[np.arange(len(answers)), answers].clip(1e-15)).mean())
            row["held out"] = now
            if now < self.lowest:
                self.lowest, self.waited = now, 0
                self.best = {n: v.cpu().clone() for n, v in self.network.state().items()}
            elif epoch > settings.head_epochs:
                self.waited += 1
        row["seconds"] = self.seconds
        self.history.append(row)
        log.info("%s", {name: round(value, 4) for name, value in row.items()})

    def _groups(self) -> list[dict[str, Any]]:
        """What is trained, by part and by whether it decays."""
        rates = {"encoder": self.settings.learning_rate, "head": self.settings.head_learning_rate}
        groups = []
        for part, rate in rates.items():
            held = [p for name, p in self.parameters.items() if name.startswith(part)]
            for decays in (True, False):
                chosen = [p for p in held if (p.ndim > 1) == decays]
                decay = self.settings.weight_decay * decays
                if chosen:
                    later = part == "head" and self.settings.later_head_rate
                    group = dict(params=chosen, weight_decay=decay, highest=rate)
                    groups.append(group | dict(later=later or rate))
        return groups

    def save(self, path: Path) -> None:
        """Keep the state: weights, what the optimizer knows of each, the best weights so far, and numbers as JSON."""
        from safetensors.torch import save_file

        tensors = {f"now.{name}": value for name, value in self.network.state().items()}
        tensors |= {f"best.{name}": value for name, value in self.best.items()}
        for name, parameter in self.parameters.items():
            for kind, value in self.optimizer.state.get(parameter, {}).items():
                tensors[f"{kind}.{name}"] = value
        numbers = dict(step=self.step, waited=self.waited, lowest=self.lowest, seconds=self.seconds)
        lists = dict(history=self.history, losses=[float(loss) for loss in self.losses])
        known = {"about": self.about, "numbers": json.dumps(numbers | lists)}
        known["scaler"] = json.dumps(self.scaler.state_dict())
        stored = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
        with new_file(path) as part:
            save_file(stored, part, metadata=known)

    def load(self, path: Path) -> None:
        """Go on from a state. Raises ValueError where it is one of another training, or damaged."""
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(path, framework="pt") as file:
                known = file.metadata()
                stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            about, numbers = known["about"], json.loads(known["numbers"])
        except (SafetensorError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path}: damaged ({error}); delete it to begin anew") from error
        if about != self.about:
            raise ValueError(
                f"{path}: the state of a training with other settings, passages or seed; name another file, or delete it"
            )
        self._put(_part("now", stored))
        self.best = _part("best", stored)
        for kind in ("step", "exp_avg", "exp_avg_sq"):
            for name, value in _part(kind, stored).items():
                parameter = self.parameters[name]
                held = value if kind == "step" else value.to(parameter.device)
                self.optimizer.state[parameter][kind] = held
        for name, value in numbers.items():
            setattr(self, name, value)
        self.scaler.load_state_dict(json.loads(known["scaler"]))

    def _put(self, values: Mapping[str, Tensor]) -> None:
        state = self.network.state()
        with torch.no_grad():
            for name, value in values.items():
                state[name].copy_(value)


def _checkpoint(layer: nn.Module) -> None:
    """Let a layer forget, in training, what lies within it. transformers' own switch would have gradients go down to the first
    layer, frozen ones too.
    """
    forward = layer.forward

    def forgetful(*arguments: Any, **named: Any) -> Any:
        if layer.training and torch.is_grad_enabled():
            return checkpoint(forward, *arguments, use_reentrant=False, **named)
        return forward(*arguments, **named)

    layer.forward = forgetful  # type: ignore[method-assign]


def _part(prefix: str, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(f"{prefix}."): value
        for name, value in stored.items()
        if name.startswith(f"{prefix}.")
    }


def _counted(wanted: float | str, most: int) -> float | str:
    """A share of the layers as a number of them, at least one; what is a number, or "all", as it is.

    >>> _counted(0.5, 24), _counted(2, 24), _counted("all", 24)
    (12, 2, 'all')
    """
    return max(1, round(wanted * most)) if isinstance(wanted, float) else wanted


def _precision(wanted: str, device: str) -> str:
    """The precision of what is computed: "auto" is that of the card."""
    if wanted != "auto":
        return wanted
    if not device.startswith("cuda"):
        return "float32"
    return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"


def _pieces_of(offsets: list[Span], spans: list[Span]) -> list[Span]:
    """Pieces [first, last + 1) that cover each stretch of characters."""
    found = []
    for start, stop in spans:
        inside = [k for k, (a, b) in enumerate(offsets) if a < stop and b > start]
        if not inside:
            raise ValueError(
                f"no piece of the text covers characters {start} to {stop}; check the offsets"
            )
        found.append((inside[0], inside[-1] + 1))
    return found


def _cut(ids: list[int], mentions: list[Span], longest: int) -> tuple[list[int], list[Span]]:
    """A row of pieces that is no longer than allowed: the ends are cut, as far as the mentions let them, and the special
    pieces stay.

    >>> _cut([101, 1, 2, 3, 4, 5, 102], [(4, 5), (3, 4), (4, 5)], 5)
    ([101, 2, 3, 4, 102], [(3, 4), (2, 3), (3, 4)])
    """
    over = len(ids) - longest
    if over <= 0:
        return ids, mentions
    first, last = min(start for start, _ in mentions), max(stop for _, stop in mentions)
    before, behind = first - 1, len(ids) - 1 - last
    if before + behind < over:
        raise ValueError(
            f"longest: the mentions of a passage are {last - first} pieces apart, which does not fit into {longest}; allow more"
        )
    # what is cut is shared, so that about as much context stays on both sides
    cut = min(before, max(over - behind, round(over * before / (before + behind))))
    kept = [ids[0], *ids[1 + cut : len(ids) - 1 - (over - cut)], ids[-1]]
    return kept, [(start - cut, stop - cut) for start, stop in mentions]
