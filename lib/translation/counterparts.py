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

EXCHANGED = {"feminine": "masculine", "masculine": "feminine"}
SITUATIONS = ("alone", "its own context", "another's context")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


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
    """Translate sentences with the one before, and compare with references of both genders.

    Each sentence is translated alone, behind its own context, and behind the context of another row
    that says the other gender. Context and sentence are given as one text; of an output the last
    sentence is compared.

    Parameters
    ----------
    translator : Translator
        From English.
    contexts : DataFrame
        As `lib.datasets.mt_geneval.read_contexts`; rows without a gender are left out.
    rng : Generator or int
        Draws the contexts of the other gender.

    Returns
    -------
    dict
        (gender of the one spoken of, one of `SITUATIONS`) -> overlaps.

    Raises
    ------
    ValueError
        Where a gender has no row.

    Examples
    --------
    >>> rows = [["She won.", "It was Kim.", "Era la jefa.", "Era el jefe.", "feminine"]]
    >>> rows.append(["He won.", "It was Lee.", "Era el rey.", "Era la reina.", "masculine"])
    >>> columns = ["context", "english", "right", "wrong", "gender"]
    >>> def man(texts):
    ...     return ["Era el jefe." if "Kim" in text else "Era el rey." for text in texts]
    >>> from lib.translation import load_translator
    >>> found = overlaps_by_context(load_translator(man), pd.DataFrame(rows, columns=columns))
    >>> [found[gender, "alone"].accuracy for gender in ("feminine", "masculine")]
    [0.0, 1.0]
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
    """What its own context gains over another's, a number for each sentence.

    Parameters
    ----------
    found : mapping
        As `overlaps_by_context`.

    Returns
    -------
    (n,) array
        From -2 to 2, those of both genders one after the other: an output is worth 1 with words of
        the right reference only, -1 with words of the wrong one only, 0 otherwise. Above 0 where
        the output follows the context.
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
