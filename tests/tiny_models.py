"""Fill-mask models of four families, of a few kilobytes and with random weights, as folders that transformers reads."""

from itertools import pairwise
from pathlib import Path

KINDS = ("bert", "bert-cased", "roberta", "distilbert")
WORDS = ["he", "she", "they", "man", "woman", "men", "women", "black", "white", "nurse", "doctor", "engineer", "the", "a",
         "an", "is", "was", "and", "to", "of", "in", "kind", "new", "town", "works", "as", "walks"]  # fmt: skip
SENTENCES = [f"{first} is {second}, and {second} was {third}." for first in WORDS for second, third in pairwise(WORDS)]
SIZE = dict(hidden_size=16, num_hidden_layers=3, num_attention_heads=2, intermediate_size=24, max_position_embeddings=64,
            attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0)  # fmt: skip


def build(kind: str, folder: Path, seed: int = 0) -> Path:
    """Write a model of a kind and its tokenizer to a folder. A word of `WORDS` is one piece, and two with an s behind it."""
    import torch
    from transformers import (
        BertConfig,
        BertForMaskedLM,
        DistilBertConfig,
        DistilBertForMaskedLM,
        RobertaConfig,
        RobertaForMaskedLM,
    )

    tokenizer = _byte_level() if kind == "roberta" else _wordpiece(cased=kind == "bert-cased")
    given = SIZE | {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id}
    torch.manual_seed(seed)
    if kind == "roberta":
        model = RobertaForMaskedLM(RobertaConfig(**given, bos_token_id=0, eos_token_id=2, type_vocab_size=1))
    elif kind == "distilbert":
        names = {"hidden_size": "dim", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads",
                 "intermediate_size": "hidden_dim"}  # fmt: skip
        model = DistilBertForMaskedLM(DistilBertConfig(**{names.get(name, name): value for name, value in given.items()}))
    else:
        model = BertForMaskedLM(BertConfig(**given))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _wordpiece(cased: bool):
    from transformers import BertTokenizerFast

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    capitals = [word.capitalize() for word in (*WORDS, *letters) if cased]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]
    pieces = [*special, *WORDS, *letters, *(f"##{letter}" for letter in letters), *capitals]
    return BertTokenizerFast(vocab={piece: row for row, piece in enumerate(dict.fromkeys(pieces))}, do_lower_case=not cased)


def _byte_level():
    import json

    from tokenizers import AddedToken, ByteLevelBPETokenizer
    from transformers import RobertaTokenizerFast

    learner = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    texts = [text for sentence in SENTENCES for text in (sentence, sentence.capitalize())]
    learner.train_from_iterator(texts, vocab_size=600, special_tokens=special, show_progress=False)
    learned = json.loads(learner.to_str())["model"]
    merges = [tuple(pair) for pair in learned["merges"]]
    return RobertaTokenizerFast(vocab=learned["vocab"], merges=merges, mask_token=AddedToken("<mask>", lstrip=True))
