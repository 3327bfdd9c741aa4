"""Sentence pairs cut into pieces and put into batches."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib.datasets.tatoeba import Pair

PAD, UNKNOWN, END = "<pad>", "<unk>", "</s>"  # pieces 0, 1 and 2


def make_tokenizer(pairs: Sequence[Pair], size: int):
    """A byte-pair vocabulary of both languages, learned from the training pairs; every sentence
    ends with </s>.
    """
    from tokenizers import (
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
        trainers,
    )

    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(),
            pre_tokenizers.Punctuation(),
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    tokenizer.decoder = decoders.Metaspace()
    special = [PAD, UNKNOWN, END]
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=special, limit_alphabet=150, show_progress=False
    )
    tokenizer.train_from_iterator((sentence for pair in pairs for sentence in pair), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {END}", special_tokens=[(END, 2)]
    )
    return tokenizer


@dataclass(frozen=True)
class Pieces:
    """Sentences as pieces: all end to end, and the length of each."""

    flat: np.ndarray
    lengths: np.ndarray

    def padded(self, rows: np.ndarray):
        """The sentences of some rows, (b, t), with 0 where they have ended."""
        import torch

        lengths = self.lengths[rows]
        starts = (np.cumsum(self.lengths) - self.lengths)[rows]
        columns = np.arange(lengths.max())
        places = np.minimum(starts[:, None] + columns, len(self.flat) - 1)
        return torch.from_numpy(
            np.where(columns < lengths[:, None], self.flat[places], 0).astype(np.int64)
        )


def encode(tokenizer, sentences: Sequence[str]) -> Pieces:
    """Sentences as pieces, each with its </s>."""
    rows = [np.array(row.ids, dtype=np.uint16) for row in tokenizer.encode_batch(list(sentences))]
    return Pieces(np.concatenate(rows), np.array([len(row) for row in rows]))


def save_tokenizer(tokenizer, folder: Path) -> None:
    """Write the tokenizer so that `AutoTokenizer.from_pretrained(folder)` loads it."""
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        unk_token=UNKNOWN,
        eos_token=END,
        model_max_length=256,
        clean_up_tokenization_spaces=False,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)


def batches(
    source: Pieces, target: Pieces, tokens: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """One epoch: rows of like length on both sides, in batches of about `tokens` pieces,
    shuffled.
    """
    order = np.lexsort((rng.random(len(source.lengths)), source.lengths, target.lengths))
    batch = np.cumsum(source.lengths[order] + target.lengths[order]) // tokens
    rows = np.split(order, np.flatnonzero(np.diff(batch)) + 1)
    return [rows[place] for place in rng.permutation(len(rows))]
