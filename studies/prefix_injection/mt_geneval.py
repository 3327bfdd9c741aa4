"""MT-GenEval (Currey et al. 2022): whether an output says the gender of the right one of two references.

The sentences are those of `lib.datasets.mt_geneval`. The measure goes by words that only one of two references has, and needs no
reader of a language.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.translation.prefixes import translate_with_prefix
from lib.translation.translators import Translator

EXCHANGED = {"feminine": "masculine", "masculine": "feminine"}
SITUATIONS = ("alone", "its own context", "another's context")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


@dataclass(frozen=True)
class Overlaps:
    """What outputs share with two references: (n,) whether an output has words that only the right one has, and that only the
    wrong one has.
    """

    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]

    @property
    def accuracy(self) -> float:
        """Share of the outputs without a word that only the wrong reference has, in [0, 1]; an output with words of neither
        counts as right.
        """
        return float(np.mean(~self.wrong))

    @property
    def right_only(self) -> float:
        """Share of the outputs with words of the right reference and none of the wrong one's."""
        return float(np.mean(self.right & ~self.wrong))

    @property
    def wrong_only(self) -> float:
        """Share of the outputs with words of the wrong reference and none of the right one's."""
        return float(np.mean(self.wrong & ~self.right))

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(n,) Whether the measure could see a gender at all."""
        return self.right | self.wrong


def overlaps(outputs: Sequence[str], right: Sequence[str], wrong: Sequence[str]) -> Overlaps:
    """Compare outputs with references of the right and of the wrong gender, by words in small letters, without punctuation;
    section 4.1.
    """
    if not len(outputs) or not len(outputs) == len(right) == len(wrong):
        raise ValueError(
            "expected outputs and as many references of both kinds, "
            f"got {len(outputs)}, {len(right)} and {len(wrong)}"
        )
    rows = [tuple(map(_words, texts)) for texts in zip(outputs, right, wrong)]
    return Overlaps(
        np.array([bool(output & (good - bad)) for output, good, bad in rows]),
        np.array([bool(output & (bad - good)) for output, good, bad in rows]),
    )


def overlaps_by_speaker(
    translator: Translator,
    counterparts: pd.DataFrame,
    language: str,
    speakers: Sequence[str] = ("none", "he", "she"),
) -> dict[tuple[str, str], Overlaps]:
    """Translate counterparts behind the prefixes of some speakers: (gender of the one spoken of, speaker) -> overlaps with the
    references.
    """
    return {
        (gender, speaker): overlaps(
            translate_with_prefix(
                translator, counterparts[f"{gender}_english"], speaker, language=language
            ).texts,
            counterparts[gender],
            counterparts[other],
        )
        for gender, other in EXCHANGED.items()
        for speaker in speakers
    }


def overlaps_by_context(
    translator: Translator, contexts: pd.DataFrame, *, rng: np.random.Generator | int = 0
) -> dict[tuple[str, str], Overlaps]:
    """Translate sentences with the one before: (gender of the one spoken of, one of `SITUATIONS`) -> overlaps with the
    references. Each sentence is translated alone, behind its own context, and behind the context of another row, drawn by rng,
    that says the other gender; rows without a gender are left out. Context and sentence are given as one text; of an output
    the last sentence is compared.
    """
    rng = np.random.default_rng(rng)
    by_gender = {gender: contexts[contexts["gender"] == gender] for gender in EXCHANGED}
    if empty := [gender for gender, rows in by_gender.items() if rows.empty]:
        raise ValueError(f"contexts: expected rows of both genders, got none that is {empty[0]}")
    found = {}
    for gender, rows in by_gender.items():
        other = by_gender[EXCHANGED[gender]]["context"].to_numpy()
        before = {
            "alone": [""] * len(rows),
            "its own context": rows["context"],
            "another's context": rng.choice(other, len(rows), replace=len(rows) > len(other)),
        }
        for situation in SITUATIONS:
            texts = [
                f"{context} {text}".strip()
                for context, text in zip(before[situation], rows["english"])
            ]
            outputs = [SENTENCE_END.split(text)[-1] for text in translator.translate(texts)]
            found[gender, situation] = overlaps(outputs, [*rows["right"]], [*rows["wrong"]])
    return found


def gained_by_context(found: Mapping[tuple[str, str], Overlaps]) -> NDArray[np.float64]:
    """What its own context gains over another's, shape (n,), the sentences of both genders one after the other: from -2 to 2,
    above 0 where the output follows the context. An output is worth 1 with words of the right reference only, -1 with words of
    the wrong one only, 0 otherwise.
    """
    own, other = (
        np.concatenate(
            [
                found[gender, situation].right.astype(float) - found[gender, situation].wrong
                for gender in EXCHANGED
            ]
        )
        for situation in SITUATIONS[1:]
    )
    return own - other


def gained_accuracy(by_speaker: Mapping[tuple[str, str], Overlaps]) -> pd.DataFrame:
    """What *She said* gains over *He said* in accuracy, a row for each pair of sentences.

    Columns feminine and masculine: of the sentences about a woman and about a man, -1, 0 or 1; leak: their difference, positive
    where the one spoken of follows the speaker.
    """
    gained = pd.DataFrame(
        {
            gender: by_speaker[gender, "he"].wrong.astype(float) - by_speaker[gender, "she"].wrong
            for gender in ("feminine", "masculine")
        }
    )
    return gained.assign(leak=gained["feminine"] - gained["masculine"])


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
