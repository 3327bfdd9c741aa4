"""Does an output say the right gender? By words that only one of two references has.

The measure of MT-GenEval (Currey et al. 2022), which needs no reader of a language.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.translation.prefixes import translate_with_prefix
from lib.translation.translators import Translator


@dataclass(frozen=True)
class Overlaps:
    """What outputs share with two references, by words that only one of them has.

    Attributes
    ----------
    right, wrong : (n,) array of bool
        Whether an output has words of the right reference only, and of the wrong one only.
    """

    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]

    @property
    def accuracy(self) -> float:
        """Share of the outputs without a word that only the wrong reference has, in [0, 1].

        An output with words of neither counts as right.
        """
        return float(np.mean(~self.wrong))

    @property
    def shown(self) -> NDArray[np.bool_]:
        """(n,) Whether the measure could see a gender at all."""
        return self.right | self.wrong


def overlaps(outputs: Sequence[str], right: Sequence[str], wrong: Sequence[str]) -> Overlaps:
    """Compare outputs with references of the right and of the wrong gender.

    Words are compared in small letters, without punctuation.

    Parameters
    ----------
    outputs, right, wrong : sequence of str
        n texts each.

    Raises
    ------
    ValueError
        For lists that are empty or not equally long.

    References
    ----------
    Currey et al. (2022), section 4.1.

    Examples
    --------
    >>> woman, man = "Era una actriz.", "Era un actor."
    >>> overlaps(["Fue una actriz.", "Fue un actor."], [woman] * 2, [man] * 2).accuracy
    0.5
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
    """Translate counterparts behind the prefixes of some speakers, and compare with references.

    Parameters
    ----------
    translator : Translator
        From English.
    counterparts : DataFrame
        As `lib.datasets.mt_geneval.read_counterparts`.
    language : str
        Of the outputs.
    speakers : sequence of str

    Returns
    -------
    dict
        (gender of the one spoken of, speaker) -> overlaps.
    """
    exchanged = {"feminine": "masculine", "masculine": "feminine"}
    return {
        (gender, speaker): overlaps(
            translate_with_prefix(
                translator, counterparts[f"{gender}_english"], speaker, language=language
            ).texts,
            counterparts[gender],
            counterparts[other],
        )
        for gender, other in exchanged.items()
        for speaker in speakers
    }


def gained_accuracy(by_speaker: Mapping[tuple[str, str], Overlaps]) -> pd.DataFrame:
    """What *She said* gains over *He said* in accuracy, a row for each pair of sentences.

    Parameters
    ----------
    by_speaker : mapping
        As `overlaps_by_speaker`.

    Returns
    -------
    DataFrame
        Columns feminine and masculine: of the sentences about a woman and about a man, -1, 0 or 1;
        leak: their difference, positive where the one spoken of follows the speaker.
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
