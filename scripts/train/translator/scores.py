"""Scores of a translator that was trained here: BLEU, chrF, and the gender marked in its
outputs.
"""

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lib.datasets.tatoeba import Pair, letters
from lib.translation import gender_french, gender_spanish
from lib.translation.evaluation_sets import first_person_set_french
from lib.translation.gender import Marking
from lib.translation.prefixes import translate_with_prefix
from lib.translation.translators import ModelTranslator, Translator
from scripts.train.translator.direct_speech import speaks_held_out
from scripts.train.translator.split import Split, directed

SPEAKERS = ("none", "He", "I", "She")


def references(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    """Source sentence -> all its translations. Sources of the same letters are one, the first."""
    first, translations = {}, {}
    for source, target in pairs:
        translations.setdefault(first.setdefault(letters(source), source), []).append(target)
    return {source: list(dict.fromkeys(targets)) for source, targets in translations.items()}


def evaluate(
    folder: Path, split: Split, direction: str, beams: int = 4, device: str = "cpu"
) -> dict:
    """Scores of a saved model on the test sentences.

    BLEU and chrF with all and with one reference and their sacrebleu signatures, sizes, and, from
    English, the counts of `speaker_markings` as "heard": into Spanish of the sentences with a
    held-out adjective, into French of those written for this book.
    """
    translator = ModelTranslator(str(folder), beams=beams, device=device, dtype="float32")
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
    if direction == "en-es":
        sentences = held_out_sentences(split)
        heard = speaker_markings(translator, sentences, "es", gender_spanish.speaker_marking)
    elif direction == "en-fr":
        sentences = list(first_person_set_french()["english"])
        heard = speaker_markings(translator, sentences, "fr", gender_french.speaker_marking)
    else:
        return scores
    return scores | {"heard": heard}


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


def held_out_sentences(split: Split) -> list[str]:
    """English sentences that were not trained on and whose Spanish has a held-out adjective."""
    sentences = {
        english: None
        for english, spanish in (*split.speech, *split.test, *split.validation)
        if speaks_held_out((english, spanish), split.stems, split.held_out)
    }
    return list(sentences)


def speaker_markings(
    translator: Translator,
    sentences: Sequence[str],
    language: str,
    reader: Callable[[str], Marking],
) -> dict:
    """What English sentences of the first person become without a prefix and behind some.

    For each prefix: sentences, how many keep it, how many outputs mark the speaker as feminine, as
    masculine, as both or not at all, and the feminine share of those marked, with its interval.
    """
    rows = {}
    for speaker in SPEAKERS:
        outputs = translate_with_prefix(translator, sentences, speaker, language=language)
        counted = outputs.markings(reader)
        rows[speaker] = {
            "sentences": counted.n,
            "prefix_kept": outputs.survived,
            **counted.genders,
            "feminine_share": counted.feminine_share,
            "low": counted.low,
            "high": counted.high,
        }
    return rows
