"""A recurrent network that rewrites a sentence letter by letter: encoder, attention, decoder.

A smaller relative of the network of Habash et al. (2019), with one difference: letters come with
their place in the sentence, so that attention finds its way from a few hundred sentences on. The
gender that is asked for is the first letter of the input, so that one network serves both.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, END, UNKNOWN, MASCULINE, FEMININE = range(5)
ASKED = {"masculine": MASCULINE, "feminine": FEMININE}
SPECIAL = 5  # numbers before those of the letters
PLACES = 16  # dimensions of a place


class Rewriter(nn.Module):
    """The network.

    Parameters
    ----------
    letters : str
        Its alphabet; any other letter is copied from where attention is.
    embedding, hidden : int
        Dimensions of a letter, and of the encoder in each direction; the decoder has twice as many.
    dropout : float
        Share of inputs that training sets to zero.
    """

    def __init__(self, letters: str, embedding: int = 32, hidden: int = 64, dropout: float = 0.1):
        super().__init__()
        self.letters = letters
        width = 2 * hidden
        self.embed = nn.Embedding(SPECIAL + len(letters), embedding, padding_idx=PAD)
        self.encoder = nn.GRU(embedding + PLACES, hidden, bidirectional=True, batch_first=True)
        self.bridge = nn.Linear(width, width)
        self.decoder = nn.GRU(embedding + PLACES, width, batch_first=True)
        self.key = nn.Linear(width, width, bias=False)
        self.combine = nn.Linear(2 * width, width)
        self.out = nn.Linear(width, SPECIAL + len(letters))
        self.dropout = nn.Dropout(dropout)

    def numbers(self, sentence: str) -> list[int]:
        """A sentence as numbers of letters."""
        return [
            SPECIAL + place if (place := self.letters.find(c)) >= 0 else UNKNOWN for c in sentence
        ]

    def encode(self, sources: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
        """States of the encoder, where there are letters, and the decoder's first state."""
        tokens = padded(sources)
        lengths = (tokens != PAD).sum(dim=1)
        packed = pack_padded_sequence(
            self._vectors(tokens), lengths, batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        first = torch.tanh(self.bridge(torch.cat([last[0], last[1]], dim=-1)))
        return self.dropout(states), tokens != PAD, first[None]

    def decode(
        self, previous: Tensor, state: Tensor, encoded: Tensor, mask: Tensor, start: int = 0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of the next letter after each previous one, attention, and the last state."""
        outputs, state = self.decoder(self._vectors(previous, start), state)
        scores = outputs @ self.key(encoded).transpose(1, 2)
        attention = scores.masked_fill(~mask[:, None], -math.inf).softmax(dim=-1)
        both = torch.cat([self.dropout(outputs), attention @ encoded], dim=-1)
        return self.out(torch.tanh(self.combine(both))), attention, state

    def loss(self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> Tensor:
        """Cross-entropy a letter of the targets, in nats."""
        encoded, mask, state = self.encode(sources)
        wanted = padded([[*target, END] for target in targets])
        previous = torch.cat([torch.full((len(wanted), 1), END), wanted[:, :-1]], dim=1)
        logits, _, _ = self.decode(previous, state, encoded, mask)
        return nn.functional.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), wanted.reshape(-1), ignore_index=PAD
        )

    @torch.inference_mode()
    def rewrite(self, sentences: Sequence[str], gender: str, batch: int = 128) -> list[str]:
        """The likeliest letter after letter, sentences of like length together."""
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        written = [""] * len(sentences)
        for first in range(0, len(order), batch):
            part = order[first : first + batch]
            texts = [sentences[i] for i in part]
            for i, text in zip(part, self._greedy(texts, ASKED[gender])):
                written[i] = text
        return written

    def _greedy(self, texts: list[str], asked: int) -> list[str]:
        encoded, mask, state = self.encode([[asked, *self.numbers(text)] for text in texts])
        previous = torch.full((len(texts), 1), END)
        written = [""] * len(texts)
        going = [True] * len(texts)
        for step in range(max(map(len, texts)) + 8):
            logits, attention, state = self.decode(previous, state, encoded, mask, step)
            logits[:, :, [PAD, MASCULINE, FEMININE]] = -math.inf
            previous = logits.argmax(dim=-1)
            places = attention[:, 0].argmax(dim=-1).tolist()
            for i, token in enumerate(previous[:, 0].tolist()):
                if not going[i]:
                    continue
                if token == END:
                    going[i] = False
                elif token == UNKNOWN:
                    written[i] += texts[i][max(0, places[i] - 1)]
                else:
                    written[i] += self.letters[token - SPECIAL]
            if not any(going):
                break
        return written

    def _vectors(self, tokens: Tensor, start: int = 0) -> Tensor:
        """Letters with their places, counted from start."""
        places = torch.arange(start, start + tokens.shape[1])[:, None]
        periods = 2 * math.pi / 2.0 ** torch.arange(1, PLACES // 2 + 1)
        waves = torch.cat([torch.sin(places * periods), torch.cos(places * periods)], dim=-1)
        embedded = self.dropout(self.embed(tokens))
        return torch.cat([embedded, waves.expand(len(tokens), -1, -1)], dim=-1)


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows of numbers as one table, filled up with `PAD`."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])
