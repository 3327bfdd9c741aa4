"""Fill-mask models of four families, of a few kilobytes and with random weights, as folders that transformers reads."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

KINDS = ("bert", "bert-cased", "roberta", "distilbert")
WORDS = [
    "he",
    "she",
    "they",
    "man",
    "woman",
    "men",
    "women",
    "black",
    "white",
    "nurse",
    "doctor",
    "engineer",
    "the",
    "a",
    "an",
    "is",
    "was",
    "and",
    "to",
    "of",
    "in",
    "kind",
    "new",
    "town",
    "works",
    "as",
    "walks",
]
# A model of another language: it spells *he* and *she* in pieces.
SPANISH = [
    "él",
    "ella",
    "Juan",
    "María",
    "es",
    "era",
    "de",
    "profesión",
    "enfermera",
    "médico",
    "dentista",
]
SIZE = dict(
    hidden_size=16,
    num_hidden_layers=3,
    num_attention_heads=2,
    intermediate_size=24,
    max_position_embeddings=64,
    attention_probs_dropout_prob=0.0,
    hidden_dropout_prob=0.0,
)


def build(kind: str, folder: Path, seed: int = 0, words: Sequence[str] | None = None) -> Path:
    """Write a model of a kind and its tokenizer to a folder. A word of `words` (`WORDS`) is one piece, and two with an s behind it."""
    import torch
    from transformers import (
        BertConfig,
        BertForMaskedLM,
        DistilBertConfig,
        DistilBertForMaskedLM,
        RobertaConfig,
        RobertaForMaskedLM,
    )

    words = WORDS if words is None else words
    cased = kind == "bert-cased"
    tokenizer = _byte_level(words) if kind == "roberta" else _wordpiece(words, cased=cased)
    given = SIZE | {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id}
    torch.manual_seed(seed)
    if kind == "roberta":
        model = RobertaForMaskedLM(
            RobertaConfig(**given, bos_token_id=0, eos_token_id=2, type_vocab_size=1)
        )
    elif kind == "distilbert":
        names = {
            "hidden_size": "dim",
            "num_hidden_layers": "n_layers",
            "num_attention_heads": "n_heads",
            "intermediate_size": "hidden_dim",
        }
        model = DistilBertForMaskedLM(
            DistilBertConfig(**{names.get(name, name): value for name, value in given.items()})
        )
    else:
        model = BertForMaskedLM(BertConfig(**given))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def build_classifier(folder: Path, labels=("NEGATIVE", "POSITIVE"), seed: int = 0) -> Path:
    """Write a classifier of some labels, with random weights, and its tokenizer to a folder."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = _wordpiece(WORDS, cased=False)
    config = BertConfig(
        **SIZE,
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
    )
    torch.manual_seed(seed)
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _wordpiece(words: Sequence[str], cased: bool):
    from transformers import BertTokenizerFast

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    capitals = [word.capitalize() for word in (*words, *letters) if cased]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]
    pieces = [*special, *words, *letters, *(f"##{letter}" for letter in letters), *capitals]
    return BertTokenizerFast(
        vocab={piece: row for row, piece in enumerate(dict.fromkeys(pieces))},
        do_lower_case=not cased,
    )


def _byte_level(words: Sequence[str]):
    from tokenizers import AddedToken
    from transformers import RobertaTokenizerFast

    pieces, merges = byte_level_pieces(words, ["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    vocabulary = {piece: place for place, piece in enumerate(pieces)}
    return RobertaTokenizerFast(
        vocab=vocabulary, merges=merges, mask_token=AddedToken("<mask>", lstrip=True)
    )


def byte_level_pieces(
    words: Sequence[str], special: Sequence[str]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Pieces of bytes in the order of their numbers, special ones first, and which of them are merged."""
    import json

    from tokenizers import ByteLevelBPETokenizer

    learner = ByteLevelBPETokenizer()
    sentences = [
        f"{first} is {second}, and {second} was {third}."
        for first in words
        for second, third in pairwise(words)
    ]
    texts = [text for sentence in sentences for text in (sentence, sentence.capitalize())]
    learner.train_from_iterator(
        texts, vocab_size=600, special_tokens=list(special), show_progress=False
    )
    learned = json.loads(learner.to_str())["model"]
    vocabulary = learned["vocab"]
    return sorted(vocabulary, key=vocabulary.get), [tuple(pair) for pair in learned["merges"]]


def build_translator(kind: str, folder: Path, seed: int = 0) -> Path:
    """Write a translator: Marian that learned to repeat some words, Marian with >>es<< and >>fr<<, NLLB; these untrained."""
    import torch
    from transformers import (
        M2M100Config,
        M2M100ForConditionalGeneration,
        MarianConfig,
        MarianMTModel,
    )

    tokenizer = (
        _nllb_pieces()
        if kind == "nllb"
        else _whole_words([">>es<<", ">>fr<<"] if kind == "marian-many" else [])
    )
    size = dict(
        vocab_size=len(tokenizer),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=24,
        decoder_ffn_dim=24,
        max_position_embeddings=64,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    torch.manual_seed(seed)
    if kind == "nllb":
        model = M2M100ForConditionalGeneration(
            M2M100Config(**size, decoder_start_token_id=tokenizer.eos_token_id)
        )
    else:
        model = MarianMTModel(
            MarianConfig(
                **size,
                decoder_vocab_size=len(tokenizer),
                forced_eos_token_id=None,
                decoder_start_token_id=tokenizer.pad_token_id,
                scale_embedding=True,
            )
        )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.add_(0.5 * torch.randn_like(parameter))
    if kind == "marian":
        _learn_to_copy(model, len(tokenizer))
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _learn_to_copy(model, pieces: int, steps: int = 120) -> None:
    """Sequences of one to four pieces and their end, </s> being piece 2."""
    import torch

    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(steps):
        length = int(torch.randint(1, 5, ()))
        rows = torch.cat([torch.randint(3, pieces, (64, length)), torch.full((64, 1), 2)], 1)
        loss = model(input_ids=rows, labels=rows).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


def _whole_words(more: list[str]):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    pieces = ["<pad>", "<unk>", "</s>", *more, *(f"▁{word}" for word in WORDS), "▁"]
    tokenizer = Tokenizer(
        models.WordLevel({piece: row for row, piece in enumerate(pieces)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    tokenizer.add_special_tokens(more)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        eos_token="</s>",
        model_max_length=32,
        model_input_names=["input_ids", "attention_mask"],
    )


def _nllb_pieces():
    from transformers import NllbTokenizer

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", ".", ",", *letters]
    codes = ["eng_Latn", "spa_Latn", "fra_Latn"]
    return NllbTokenizer(
        vocab={piece: row for row, piece in enumerate(pieces)},
        merges=[],
        src_lang="eng_Latn",
        tgt_lang="spa_Latn",
        extra_special_tokens=codes,
    )


def build_causal(folder: Path, seed: int = 0, *, start: bool = True) -> Path:
    """Write a causal model of whole words and its tokenizer to a folder. `start`: whether it has a piece that texts begin after."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    special = ["<s>", "<unk>"]
    vocabulary = {word: place for place, word in enumerate([*special, *WORDS, "said", "that", "."])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    named = {"bos_token": "<s>", "eos_token": "<s>"} if start else {}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", model_max_length=24, **named
    ).save_pretrained(folder)
    torch.manual_seed(seed)
    config = GPT2Config(
        vocab_size=len(vocabulary), n_positions=24, n_embd=16, n_layer=2, n_head=2, bos_token_id=0
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder
