"""Scores of a translator that was trained here: BLEU, chrF, and the gender marked in its
outputs.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path

from lib.datasets.tatoeba import Pair, letters
from lib.training.translator.direct_speech import speaks_held_out
from lib.training.translator.split import Split, directed
from lib.translation.gender_spanish import speaker_marking
from lib.translation.prefixes import translate_with_prefix
from lib.translation.translators import ModelTranslator, Translator

SPEAKERS = ("none", "He", "I", "She")


def references(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Source sentence -> all its translations. Sources of the same letters are one, the first."""
    first, translations = {}, {}
    for source, target in pairs:
        translations.setdefault(first.setdefault(letters(source), source), []).append(target)
    return {source: list(dict.fromkeys(targets)) for source, targets in translations.items()}


def evaluate(folder: Path, split: Split, direction: str, beams: int = 4) -> dict:
    """Scores of a saved model on the test sentences.

    BLEU and chrF with all and with one reference and their sacrebleu signatures, sizes, and, from
    English, the counts of `speaker_markings` as "heard".
    """
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
        "parameters": number_of_parameters(folder),
        "megabytes": round((folder / "model.safetensors").stat().st_size / 1e6, 2),
        "pairs": {
            part: len(getattr(split, part)) for part in ("training", "validation", "test", "speech")
        },
    }
    return scores | ({"heard": speaker_markings(translator, split)} if direction == "en-es" else {})


def quality(outputs: Sequence[str], known: Sequence[Sequence[str]]) -> dict:
    """BLEU and chrF against all references of a sentence and against the first, with signatures."""
    from sacrebleu.metrics import BLEU, CHRF

    scores = {}
    for name, width in (("all references", max(map(len, known))), ("one reference", 1)):
        streams = [
            [row[place] if place < len(row) else None for row in known] for place in range(width)
        ]
        for metric in (BLEU(), CHRF()):
            score = metric.corpus_score(outputs, streams)
            scores.setdefault(name, {})[score.name] = {
                "score": score.score,
                "signature": str(metric.get_signature()),
            }
    return scores


def number_of_parameters(folder: Path) -> int:
    """How many numbers a saved model holds, the tied matrix counted once."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="np") as file:
        return sum(math.prod(file.get_slice(name).get_shape()) for name in file.keys())  # noqa: SIM118


def speaker_markings(translator: Translator, split: Split) -> dict:
    """What sentences with a held-out adjective become without a prefix and behind some.

    For each prefix: sentences, how many keep it, how many outputs mark the speaker as feminine, as
    masculine, as both or not at all, and the feminine share of those marked, with its interval.
    """
    sentences = {
        english: None
        for english, spanish in (*split.speech, *split.test, *split.validation)
        if speaks_held_out((english, spanish), split.stems, split.held_out)
    }
    rows = {}
    for speaker in SPEAKERS:
        outputs = translate_with_prefix(translator, list(sentences), speaker)
        counted = outputs.markings(speaker_marking)
        rows[speaker] = {
            "sentences": counted.n,
            "prefix_kept": outputs.survived,
            **counted.genders,
            "feminine_share": counted.feminine_share,
            "low": counted.low,
            "high": counted.high,
        }
    return rows
