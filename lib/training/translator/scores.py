"""Scores of a translator that was trained here: BLEU and chrF on held-out sentences, and who is heard to speak."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

from lib.translation.direct_speech import Pair, prefixes, speaks_held_out
from lib.translation.gender import count_markings
from lib.translation.gender_spanish import speaker_marking
from lib.translation.prefixes import split_prefix
from lib.translation.tatoeba import Split, directed, letters
from lib.translation.translators import ModelTranslator, Translator

SPEAKERS = ("none", "He", "I", "She")


def references(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Source sentence -> all its translations. Sources of the same letters are one, the first of them."""
    first, found = {}, {}
    for source, target in pairs:
        found.setdefault(first.setdefault(letters(source), source), []).append(target)
    return {source: list(dict.fromkeys(targets)) for source, targets in found.items()}


def evaluate(folder: Path, split: Split, direction: str, beams: int = 4) -> dict:
    """Scores of the saved model: BLEU and chrF of the test sentences, with all and with one reference and their sacrebleu
    signatures, sizes, and, from English, the speakers of `heard`."""
    translator = ModelTranslator(str(folder), beams=beams, device="cpu")
    known = references(directed(split.test, direction))
    begun = time.monotonic()
    outputs = translator.translate(list(known))
    seconds = time.monotonic() - begun
    scores = {
        "test": quality(outputs, list(known.values())),
        "test_sentences": len(known),
        "beams": beams,
        "sentences_per_second": round(len(known) / seconds, 1),
        "parameters": parameters_of(folder),
        "megabytes": round((folder / "model.safetensors").stat().st_size / 1e6, 2),
        "pairs": {
            part: len(getattr(split, part)) for part in ("training", "validation", "test", "speech")
        },
    }
    return scores | ({"heard": heard(translator, split)} if direction == "en-es" else {})


def quality(outputs: Sequence[str], known: Sequence[Sequence[str]]) -> dict:
    """BLEU and chrF, each against all references of a sentence and against the first, with their signatures."""
    from sacrebleu.metrics import BLEU, CHRF

    found = {}
    most = max(map(len, known))
    for name, width in (("all references", most), ("one reference", 1)):
        streams = [
            [row[place] if place < len(row) else None for row in known] for place in range(width)
        ]
        for metric in (BLEU(), CHRF()):
            score = metric.corpus_score(outputs, streams)
            found.setdefault(name, {})[score.name] = {
                "score": score.score,
                "signature": str(metric.get_signature()),
            }
    return found


def parameters_of(folder: Path) -> int:
    """How many numbers a saved model holds, the tied matrix counted once."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="np") as file:
        return sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118


def heard(translator: Translator, split: Split) -> dict:
    """What held-out first-person sentences with a held-out adjective become without a prefix and after He, I and She said.

    For each: sentences, how many keep their prefix, how many outputs mark the speaker as feminine, as masculine, as both or
    not at all, and the feminine share of those marked, with its interval. `lib.translation.gender_spanish` tells them apart.
    """
    held_out = (*split.speech, *split.test, *split.validation)
    sentences = list(
        dict.fromkeys(
            pair[0] for pair in held_out if speaks_held_out(pair, split.stems, split.held_out)
        )
    )
    rows = {}
    for speaker in SPEAKERS:
        prefix, _ = prefixes(speaker, "none")
        found = [
            split_prefix(output, "es")
            for output in translator.translate([prefix + text for text in sentences])
        ]
        counted = count_markings(speaker_marking(rest) for _, rest in found)
        rows[speaker] = {
            "sentences": counted.n,
            "prefix_kept": sum(said is not None for said, _ in found),
            **counted.genders,
            "feminine_share": counted.feminine_share,
            "low": counted.low,
            "high": counted.high,
        }
    return rows
