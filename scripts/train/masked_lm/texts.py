"""The texts that the masked-LM head is trained on, as sequences of pieces, some of them held out.

Texts on which chapters of this book evaluate (GAP, BOLD, CrowS-Pairs, Winogender, WinoBias,
StereoSet) are not among them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.datasets.corpora import corpora
from lib.files import text_hash
from lib.sources.hub import minilm_folder

LONGEST, HELD_OUT = 126, 50  # pieces a sequence, one text in so many


CORPORA = (
    *("brown", "film", "news", "social", "sentences", "speeches", "mixed", "medical", "captions"),
    *("books", "addresses", "inaugural", "plots", "web", "products"),
)
# Sentences for learners are about Tom and Mary, who would own the place of the subject.
STOCK = {"sentences": re.compile(r"\b(?:Tom|Mary)\b")}
CLITIC = re.compile(r" (n't|'(?:s|re|ve|ll|d|m))\b|(?<=\w) (n') (t)\b")


def written(text: str) -> str:
    """A passage as it would be written: clitics joined, typewriter quotation marks plain."""
    text = text.replace("``", '"').replace("''", '"').replace("’", "'")
    return " ".join(CLITIC.sub(r"\1\2\3", text).split())


@dataclass(frozen=True)
class Sequences:
    """Token sequences of a corpus: pieces end to end, where each begins, and which corpus each
    comes from.
    """

    pieces: np.ndarray
    starts: np.ndarray
    corpus: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)


def tokenizer():
    """The tokenizer of all-MiniLM-L6-v2, without truncation or padding."""
    from tokenizers import Tokenizer

    cutter = Tokenizer.from_file(str(minilm_folder() / "tokenizer.json"))
    cutter.no_padding()
    cutter.no_truncation()
    return cutter


def read_sequences(names: Sequence[str] = CORPORA) -> tuple[Sequences, Sequences]:
    """Training and held-out sequences: each text cut into runs of at most 126 pieces, between [CLS]
    and [SEP].

    A text is held out by the hash of what it says, so that a text that comes twice falls on one
    side. Texts that name a stock figure of their corpus are left out of both.
    """
    cutter = tokenizer()
    begin, end = cutter.token_to_id("[CLS]"), cutter.token_to_id("[SEP]")
    parts = {True: ([], []), False: ([], [])}
    for number, name in enumerate(names):
        texts = list(dict.fromkeys(filter(None, map(written, corpora()[name].texts()))))
        if name in STOCK:
            texts = [text for text in texts if not STOCK[name].search(text)]
        for text, coded in zip(texts, cutter.encode_batch(texts, add_special_tokens=False)):
            held_out = int(text_hash(text.lower())[:8], 16) % HELD_OUT == 0
            runs, origins = parts[held_out]
            for start in range(0, len(coded.ids), LONGEST):
                run = coded.ids[start : start + LONGEST]
                if len(run) > 2:
                    runs.append(np.array([begin, *run, end], dtype=np.uint16))
                    origins.append(number)
    return _joined(*parts[False]), _joined(*parts[True])


def _joined(runs: list[np.ndarray], origins: list[int]) -> Sequences:
    starts = np.concatenate([[0], np.cumsum([len(run) for run in runs])])
    return Sequences(np.concatenate(runs), starts, np.array(origins, dtype=np.int16))


def balanced(sequences: Sequences, rng: np.random.Generator) -> np.ndarray:
    """Indices of the sequences of one epoch, as many in all as there are: from each corpus a share
    of the pieces that goes with the square root of its size, so that no corpus owns the model.

    A corpus that is smaller than its share comes several times, one that is larger comes in part.
    """
    lengths, kinds = sequences.lengths(), np.unique(sequences.corpus)
    sizes = np.array([lengths[sequences.corpus == kind].sum() for kind in kinds])
    shares = np.sqrt(sizes) / np.sqrt(sizes).sum() * sizes.sum()
    chosen = []
    for kind, size, share in zip(kinds, sizes, shares):
        own = np.flatnonzero(sequences.corpus == kind)
        whole, part = divmod(share / size, 1)
        order = rng.permutation(own)
        chosen += [own] * int(whole)
        chosen.append(order[: round(part * len(order))])
    return np.concatenate(chosen)


def batches(sequences: Sequences, tokens: int, rng: np.random.Generator) -> list[np.ndarray]:
    """One epoch: indices of sequences of like length, batch by batch, each of about so many tokens,
    in a drawn order.
    """
    chosen = balanced(sequences, rng)
    lengths = sequences.lengths()[chosen]
    order = np.lexsort((rng.random(len(lengths)), lengths))
    batch = np.cumsum(lengths[order]) // tokens
    parts = np.split(chosen[order], np.flatnonzero(np.diff(batch)) + 1)
    return [parts[place] for place in rng.permutation(len(parts))]


def masked_batch(
    sequences: Sequences, indices: np.ndarray, share: float, rng: np.random.Generator, mask_id: int
):
    """Padded pieces (b, t), which are real (b, t), which are masked (b, t), and the pieces under
    the masks.
    """
    import torch

    lengths = sequences.lengths()[indices]
    columns = np.arange(lengths.max())
    real = columns < lengths[:, None]
    places = np.minimum(sequences.starts[indices][:, None] + columns, sequences.starts[-1] - 1)
    pieces = np.where(real, sequences.pieces[places], 0)
    inner = real & (columns > 0) & (columns < lengths[:, None] - 1)
    masked = inner & (rng.random(real.shape) < share)
    truth = torch.from_numpy(pieces[masked].astype(np.int64))
    pieces = torch.from_numpy(np.where(masked, mask_id, pieces).astype(np.int64))
    return pieces, torch.from_numpy(real), torch.from_numpy(masked), truth
