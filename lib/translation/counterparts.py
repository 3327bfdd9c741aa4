"""Does an output say the right gender? By words that only one of two references has.

The measure of MT-GenEval (Currey et al. 2022), which needs no reader of a language.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
