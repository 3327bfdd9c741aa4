"""Figures from results: functions take numbers and labels and return a matplotlib figure; nothing is computed here."""

from lib.drawing import (
    BAND,
    FEMALE,
    INK,
    MALE,
    NEUTRAL,
    STYLE,
    VERDICT_COLOURS,
    drawn,
    label_poles,
    lean_colours,
    recorded,
    show,
    table,
    trust_box,
    zero_line,
)  # fmt: skip
from lib.lean_plots import (
    biases_by_culture,
    class_cosines,
    dots_by_column,
    odds_moved_by,
    scores_by_pair,
    share_dots,
    strips,
    target_associations,
    text_to_vectors,
    word_across_pairs,
)  # fmt: skip
from lib.null_plots import (
    curves_against_null,
    dots_by_panel,
    interval_dots,
    range_of_settings,
    scores_against_null,
    scores_by_number,
    verdict_counts,
)  # fmt: skip
from lib.space_plots import (
    agreement_against_cosine,
    analogies_by_strength,
    cosine_by_dimension,
    curves_by_panel,
    leaning_points,
    scatter,
    text_against_vectors,
    token_clouds,
)  # fmt: skip

__all__ = [
    "BAND", "FEMALE", "INK", "MALE", "NEUTRAL", "STYLE", "VERDICT_COLOURS", "agreement_against_cosine",
    "analogies_by_strength", "biases_by_culture", "class_cosines", "cosine_by_dimension", "curves_against_null",
    "curves_by_panel", "dots_by_column", "dots_by_panel", "drawn", "interval_dots", "label_poles", "lean_colours",
    "leaning_points", "odds_moved_by", "range_of_settings", "recorded", "scatter", "scores_against_null",
    "scores_by_number", "scores_by_pair", "share_dots", "show", "strips", "table", "target_associations",
    "text_against_vectors", "text_to_vectors", "token_clouds", "trust_box", "verdict_counts", "word_across_pairs",
    "zero_line",
]  # fmt: skip
