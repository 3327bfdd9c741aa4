"""Word-level measures of bias: arrays in, arrays out, female first (positive leans female)."""

from lib.measures.association_scores import (
    ect,
    negative_sentiment,
    rnsb,
    same_lean,
    same_score,
)
from lib.measures.nearest import neighbours
from lib.measures.word_bias import (
    axis_projection,
    direct_bias,
    gender_polarity,
    mean_average_cosine,
    neighbourhood_bias,
    one_vs_one,
    one_vs_rest,
    relative_norm_difference,
    relative_norm_ratio,
    ripa,
)

__all__ = [
    "axis_projection",
    "direct_bias",
    "ect",
    "gender_polarity",
    "mean_average_cosine",
    "negative_sentiment",
    "neighbourhood_bias",
    "neighbours",
    "one_vs_one",
    "one_vs_rest",
    "relative_norm_difference",
    "relative_norm_ratio",
    "ripa",
    "rnsb",
    "same_lean",
    "same_score",
]
