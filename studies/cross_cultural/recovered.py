"""What is recovered of planted associations: by theme, by measure, with fewer places, and how far random words go along."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.cultures.biases import MEASURES, word_biases
from lib.cultures.regression import signed_r2
from lib.embeddings import Embedding
from studies.cross_cultural.planted import PlantedText


def centred(embedding: Embedding) -> Embedding:
    """The embedding with the mean of all its vectors taken off."""
    vectors = embedding.vectors - embedding.vectors.mean(axis=0)
    return Embedding(embedding.words, vectors, source=embedding.source)


def leans_by_measure(
    embeddings: Mapping[str, Embedding],
    themes: Mapping[str, Sequence[str]],
    female: Sequence[str],
    male: Sequence[str],
) -> dict[str, pd.DataFrame]:
    """Mean lean of each theme in each culture (cultures × themes) by each of `MEASURES`, and by the projection in centred spaces; the
    keys are the measures in words."""
    leans = {
        name.replace("_", " "): word_biases(embeddings, themes, female, male, measure=name).means()
        for name in MEASURES
    }
    spaces = {code: centred(embedding) for code, embedding in embeddings.items()}
    leans["axis projection, centred"] = word_biases(spaces, themes, female, male).means()
    return leans


def in_planted_direction(
    means: pd.DataFrame, gaps: pd.DataFrame, follow: Mapping[str, str], planted_r2: pd.Series
) -> pd.Series:
    """Signed R² of planted themes with the statistic each follows, positive in the direction planted; of `planted_r2` only the sign counts."""
    r2 = {
        theme: np.sign(planted_r2[theme]) * signed_r2(means[theme], gaps[column.removeprefix("-")])
        for theme, column in follow.items()
    }
    return pd.Series(r2, dtype=float)


def stray_r2(
    leans: Mapping[str, pd.DataFrame],
    text: PlantedText,
    controls: Sequence[str],
    people: tuple[Sequence[str], Sequence[str]],
) -> pd.DataFrame:
    """How far the leans of random words go with what was planted for themes.

    A row for each measure, control and theme: `R²` of the control with the theme's log odds, and `r with frequency`, its
    correlation with the log ratio of female to male words said.
    """
    frequency = text.log_ratio_of_people(*map(len, people))
    rows = [
        (
            measure,
            signed_r2(means[name], text.log_odds[theme]),
            means[name].corr(frequency),
        )
        for measure, means in leans.items()
        for name in controls
        for theme in text.log_odds
    ]
    return pd.DataFrame(rows, columns=["measure", "R²", "r with frequency"])


def resampled_r2(
    bias: ArrayLike,
    gap: ArrayLike,
    n: int,
    draws: int = 400,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.floating]:
    """Signed R² over n cultures drawn with replacement, (draws,)."""
    bias, gap = real_numbers("bias", bias), real_numbers("gap", gap)
    rows = np.random.default_rng(rng).integers(len(gap), size=(draws, n))
    return np.array([signed_r2(bias[row], gap[row]) for row in rows])


VERDICTS = ("wrong sign", "too small", "as planted", "too large")


def against_planted(
    leans: pd.DataFrame,
    text: PlantedText,
    gaps: pd.DataFrame,
    follow: Mapping[str, str],
    resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """What is recovered of each planted association, beside what was planted in the same cultures.

    A row for each theme, R² positive in the direction planted: `planted`, `value` with its interval, the interval of value minus
    planted (`difference low`, `difference high`), `follows` (R² of the lean with the planted log odds) and `verdict`, one of
    `VERDICTS`.
    """
    generator, rows = np.random.default_rng(rng), {}
    drawn = generator.integers(len(gaps), size=(resamples, len(gaps)))
    planted_r2 = text.planted_r2
    for theme, column in follow.items():
        gap = gaps[column.removeprefix("-")].to_numpy()
        sign = np.sign(planted_r2[theme])
        lean, odds = (
            table[theme].reindex(gaps.index).to_numpy() for table in (leans, text.log_odds)
        )
        value = sign * float(signed_r2(lean, gap))
        of_lean, of_odds = (
            sign * np.array([signed_r2(values[row], gap[row]) for row in drawn])
            for values in (lean, odds)
        )
        low, high = np.quantile(of_lean, [0.025, 0.975])
        apart = np.quantile(of_lean - of_odds, [0.025, 0.975])
        rows[theme] = {
            "planted": abs(planted_r2[theme]),
            "value": value,
            "low": low,
            "high": high,
            "difference low": apart[0],
            "difference high": apart[1],
            "follows": float(np.abs(signed_r2(lean, odds))),
            "verdict": VERDICTS[
                0 if value < 0 else 1 if apart[1] < 0 else 3 if apart[0] > 0 else 2
            ],
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def verdicts_in_words(rows: pd.DataFrame) -> str:
    """The rows of `against_planted` in words, those with the same verdict together."""
    return "; ".join(
        f"{verdict}: "
        + ", ".join(
            f"{theme} ({row['value']:.2f} of {row['planted']:.2f})".replace("(-", "(−")
            for theme, row in group.iterrows()
        )
        for verdict, group in rows.groupby("verdict", sort=False)
    )
