"""Scores of a translator that was trained here: BLEU and chrF on held-out sentences, and who is heard to speak."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lib.training.direct_speech import Pair, prefixes, speaker_gender, speaks_held_out
from lib.training.sentence_pairs import Split, directed, letters

SPEAKERS = ("none", "He", "I", "She")
SAID = re.compile(r"^[^:]*\b(?:dije|dijo)\b[^:]*: *")


def references(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Source sentence -> all its translations. Sources of the same letters are one, the first of them."""
    first, found = {}, {}
    for source, target in pairs:
        found.setdefault(first.setdefault(letters(source), source), []).append(target)
    return {source: list(dict.fromkeys(targets)) for source, targets in found.items()}


def load(folder: Path):
    """The model of a folder in float32, and its tokenizer."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    model = AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32).eval()
    return model, AutoTokenizer.from_pretrained(folder)


def translate(model, tokenizer, sentences: Sequence[str], beams: int = 4, batch: int = 64) -> list[str]:
    """Translations by beam search, in the order given; sentences of like length are decoded together."""
    import torch

    order, found = np.argsort([len(sentence) for sentence in sentences], kind="stable"), [""] * len(sentences)
    with torch.inference_mode():
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            given = tokenizer([sentences[row] for row in rows], return_tensors="pt", padding=True)
            longest = 2 * given.input_ids.shape[1] + 10
            coded = model.generate(**given, num_beams=beams, max_length=longest, early_stopping=True)
            for row, text in zip(rows, tokenizer.batch_decode(coded, skip_special_tokens=True)):
                found[row] = text
    return found


def evaluate(folder: Path, split: Split, direction: str, beams: int = 4) -> dict:
    """Scores of the saved model: BLEU and chrF of the test sentences, with all and with one reference and their sacrebleu
    signatures, sizes, and, from English, the speakers of `heard`."""
    model, tokenizer = load(folder)
    known = references(directed(split.test, direction))
    begun = time.monotonic()
    outputs = translate(model, tokenizer, list(known), beams)
    seconds = time.monotonic() - begun
    scores = {
        "test": quality(outputs, list(known.values())), "test_sentences": len(known), "beams": beams,
        "sentences_per_second": round(len(known) / seconds, 1), "parameters": model.num_parameters(),
        "megabytes": round((folder / "model.safetensors").stat().st_size / 1e6, 2),
        "pairs": {part: len(getattr(split, part)) for part in ("training", "validation", "test", "speech")},
    }  # fmt: skip
    return scores | ({"heard": heard(model, tokenizer, split, beams)} if direction == "en-es" else {})


def quality(outputs: Sequence[str], known: Sequence[Sequence[str]]) -> dict:
    """BLEU and chrF, each against all references of a sentence and against the first, with their signatures."""
    from sacrebleu.metrics import BLEU, CHRF

    found = {}
    most = max(map(len, known))
    for name, width in (("all references", most), ("one reference", 1)):
        streams = [[row[place] if place < len(row) else None for row in known] for place in range(width)]
        for metric in (BLEU(), CHRF()):
            score = metric.corpus_score(outputs, streams)
            found.setdefault(name, {})[score.name] = {"score": score.score, "signature": str(metric.get_signature())}
    return found


def heard(model, tokenizer, split: Split, beams: int = 4) -> dict:
    """What held-out first-person sentences with a held-out adjective become without a prefix and after He, I and She said.

    For each: sentences, how many keep their prefix, how many outputs mark the speaker as feminine, as masculine or not at
    all, and the feminine share of those marked. The rule of `direct_speech` tells them apart.
    """
    held_out = (*split.speech, *split.test, *split.validation)
    sentences = list(dict.fromkeys(pair[0] for pair in held_out if speaks_held_out(pair, split.stems, split.held_out)))
    rows = {}
    for speaker in SPEAKERS:
        prefix, _ = prefixes(speaker, "none")
        outputs = translate(model, tokenizer, [prefix + sentence for sentence in sentences], beams)
        genders = [speaker_gender(SAID.sub("", output), split.stems) for output in outputs]
        counts = {"feminine": genders.count("f"), "masculine": genders.count("m"), "unmarked": genders.count("")}
        marked = counts["feminine"] + counts["masculine"]
        rows[speaker] = {
            "sentences": len(sentences), "prefix_kept": sum(bool(SAID.match(output)) for output in outputs),
            **counts, "feminine_share": counts["feminine"] / marked if marked else None,
        }  # fmt: skip
    return rows
