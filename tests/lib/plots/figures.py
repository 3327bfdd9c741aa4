"""One small figure of each kind, for the tests of all figures and of single ones."""

import numpy as np
import pandas as pd
from matplotlib.collections import PathCollection

from lib.plots import bars, curves, dots, intervals, points, tables
from studies.base_pair_stability import figures as base_pairs
from studies.conceptors import figures as conceptors
from studies.conceptors_in_context import figures as context
from studies.contextual_geometry import figures as geometry
from studies.domains import figures as domains
from studies.log_probability_bias import figures as log_probability
from studies.multiclass import figures as multiclass
from studies.pronoun_resolution import figures as pronouns
from studies.ripa import figures as ripa
from studies.sentence_measures import figures as sentences
from studies.translation_index import figures as translation_index

rng = np.random.default_rng(0)

SCORES = rng.standard_normal((4, 3))

MOVES = pd.DataFrame(
    {
        "word": ["he", "she"],
        "x": [2.0, 2.0],
        "y": [-1.0, 1.0],
        "to x": [0.4, 0.4],
        "to y": [-0.5, 0.5],
        "pole": ["male", "female"],
    }
)

WORDS = ["nurse", "teacher", "judge", "engineer"]

PAIRS = [("she", "he"), ("her", "his"), ("woman", "man")]

RATIOS = pd.DataFrame(
    {
        "block": ["place 5", "place 5", "place 9"],
        "score": [0.7, 0.8, 0.75],
        "value": [0.95, 1.0, 1.06],
        "low": [0.93, 0.97, 1.01],
        "high": [0.98, 1.02, 1.1],
    },
    ["first", "second", "third"],
)

GENDERS = pd.DataFrame(
    {
        "row": ["blend", "blend", "frozen"],
        "bin": ["0.8 to 0.9", "0.9 to 1.0", "0.8 to 0.9"],
        "of": ["feminine", "masculine", "feminine"],
        "value": [1.2, 0.9, 1.0],
        "low": [1.1, 0.8, 0.9],
        "high": [1.3, 1.0, 1.1],
    }
)

INTERVALS = pd.DataFrame(
    {
        "value": [0.3, -0.1, 0.0],
        "low": [0.1, -0.3, -0.2],
        "high": [0.5, 0.1, 0.2],
        "paper": [0.45, np.nan, np.nan],
    },
    ["TX", "OH", "NY"],
)

PANELS = pd.DataFrame(
    {
        "panel": ["one", "one", "two"],
        "row": ["a", "b", "b"],
        "value": [0.1, 0.2, 0.3],
        "null low": [-0.1, -0.1, np.nan],
        "null high": [0.1, 0.1, np.nan],
        "low": [0.0, 0.1, 0.2],
        "high": [0.2, 0.3, 0.4],
        "second": [0.0, np.nan, 0.1],
        "paper": [np.nan, 0.25, np.nan],
        "object": [object()] * 3,
    }
)

NULLS = PANELS.drop(columns=["second", "object", "null low", "null high"]).assign(
    **{
        "targets low": PANELS["null low"],
        "targets high": PANELS["null high"],
        "attributes low": 2 * PANELS["null low"],
        "attributes high": 2 * PANELS["null high"],
    }
)

JUDGED = pd.DataFrame(
    {
        "value": [0.3, -0.1],
        "low": [0.2, -0.3],
        "high": [0.4, np.nan],
        "null low": [-0.2, -0.2],
        "null high": [0.2, 0.2],
        "second": [0.5, np.nan],
    },
    ["minilm", "news"],
)

CURVES = pd.DataFrame({"threat": [0.1, 0.4], "random words": [0.02, 0.03]}, [2000, 10_000])

AGAINST_NULL = pd.DataFrame(
    {
        "value": [0.5, 0.9, 0.2],
        "low": [0.4, 0.8, 0.1],
        "high": [0.6, 1.0, 0.3],
        "null low": [0.1, 0.1, 0.1],
        "null high": [0.3, 0.3, 0.3],
        "plural": [0.2, 0.3, 0.1],
    },
    [1, 2, 3],
)

SPECIFICATIONS = pd.DataFrame(
    {
        "vectors": ["MiniLM", "MiniLM", "Twitter", "Twitter"],
        "pair": ["she-he", "gal-guy", "she-he", "gal-guy"],
        "value": [0.6, 0.2, 0.3, np.nan],
        "low": [0.4, 0.0, 0.1, np.nan],
        "high": [0.8, 0.4, 0.5, np.nan],
        "null low": -0.3,
        "null high": 0.3,
    }
)

BAND = pd.DataFrame(
    {"low": [0.1, 0.2], "middle": [0.2, 0.3], "high": [0.3, 0.4], "geometry": [0.2, 0.2]}, [2, 3]
)

CLOUD = pd.DataFrame(
    {
        "x": SCORES[:, 0],
        "y": SCORES[:, 1],
        "word": ["he", "he", "she", "she"],
        "score": [1, 0, -1, 2],
    }
)

SHARES = pd.DataFrame(
    {"female": [0.2, 0.0], "neutral": [0.0, 0.1], "male": [0.8, 0.9], "score": [0.4, 0.316]},
    ["informal", "formal"],
)

SIGNED = pd.DataFrame(
    {"threat": [0.4, -0.2, np.nan], "criminal": [-0.5, 0.02, 0.1]}, ["wages", "seats", "degrees"]
)

FIGURES = {
    "scores_by_pair": lambda: dots.scores_by_pair(SCORES, WORDS, PAIRS, measure="RIPA"),
    "strips": lambda: dots.strips(
        {"jobs": {word: pd.Series(row, ["a", "b", "c"]) for word, row in zip(WORDS, SCORES)}},
        labels={"jobs": "← he     she →"},
        reverse=["jobs"],
    ),
    "by_number_of_pairs": lambda: base_pairs.by_number_of_pairs(
        {"share": INTERVALS.set_axis([2, 5, 10]).assign(**{"null low": 0.0, "null high": 0.1})},
        x="number of pairs",
    ),
    "word_across_pairs": lambda: base_pairs.word_across_pairs(
        {"RIPA": SCORES[:2], "NBM": SCORES[2:]},
        ["judge", "judges"],
        PAIRS,
        {"RIPA": (0, 1), "NBM": (0, 1)},
    ),
    "dots_by_column": lambda: dots.dots_by_column(INTERVALS[["low", "high"]], label="change"),
    "class_cosines": lambda: multiclass.class_cosines(
        pd.DataFrame(SCORES, WORDS, ["man", "woman", "gay"]),
        pd.DataFrame({"low": [-0.1] * 4, "high": [0.1, 0.2, 0.3, 0.1]}, WORDS),
        label="cosine",
        band="random words",
        checks=["judge"],
    ),
    "stacked_dots": lambda: multiclass.stacked_dots(
        {"order": JUDGED, "size": JUDGED.drop(columns=["low", "high", "second"])},
        labels=["rho", "share"],
        band="random axes",
        second="words that name a gender",
        at=0,
    ),
    "target_associations": lambda: dots.target_associations(
        {"brown": ([0.5, 1.0], [-1.0, -0.5]), "gap": ([-0.5], [0.5])}, lists=("career", "family")
    ),
    "text_to_vectors": lambda: ripa.text_to_vectors(
        INTERVALS.assign(text=[0.1, 0.2, 0.3]).rename(columns={"value": "vectors"}), label="RIPA"
    ),
    "text_to_vectors, as ratios": lambda: ripa.text_to_vectors(
        INTERVALS.assign(text=[0.1, 0.2, 0.3]).rename(columns={"value": "vectors"}),
        label="times as often",
        band="texts",
        checks=[INTERVALS.index[-1]],
        times=True,
    ),
    "beside_chance": lambda: ripa.beside_chance(
        INTERVALS.assign(second=0.2, **{"null low": -0.1, "null high": 0.1}),
        label="correlation of leans",
        band="other pairs, central 95 %",
        second="words that name a gender",
    ),
    "places_by_score": lambda: sentences.places_by_score(
        pd.DataFrame({"SEAT": [10.0, -20.0], "AUL": [30.0, np.nan]}, ["nurse", "engineer"]),
        label="← male     female →",
        kinds={"SEAT": "vector scores", "AUL": "sentence scores"},
    ),
    "odds_moved_by": lambda: log_probability.odds_moved_by(
        pd.DataFrame({"hidden": [0.5, 0.5], "shown": [1.2, -0.3]}, ["engineer", "nurse"]),
        label="← he     she →",
    ),
    "share_dots": lambda: dots.share_dots(
        pd.DataFrame({"He": [0.2, np.nan], "She": [0.9, 0.5]}, ["said", "told"]), label="share"
    ),
    "biases_by_culture": lambda: dots.biases_by_culture(
        pd.DataFrame(
            {"threat": [0.1, -0.2], "excellent": [np.nan, 0.3]},
            pd.Index(["TX", "OH"], name="culture"),
        ),
        label="male  ←  →  female",
        ends=pd.DataFrame(
            {"low": [0, np.nan, -0.3, 0.1], "high": [0.2, np.nan, -0.1, 0.4], "random low": -0.1}
            | {"random high": 0.2},
            pd.MultiIndex.from_product(
                [["TX", "OH"], ["threat", "excellent"]], names=["culture", "theme"]
            ),
        ),
        words={"TX": 24_000, "OH": 69_000},
        warning="Over the places, threat rises and falls with random words.",
    ),
    "interval_dots": lambda: intervals.interval_dots(INTERVALS, label="kappa", null=(-0.1, 0.1)),
    "specification_curve": lambda: base_pairs.specification_curve(
        SPECIFICATIONS, ["vectors", "pair"], label="rank correlation"
    ),
    "dots_by_panel": lambda: intervals.dots_by_panel(
        PANELS, label="d", band="random words", interval="interval", second="held out"
    ),
    "effects_and_nulls": lambda: domains.effects_and_nulls(
        NULLS, label="← female   d   male →", interval="seeds"
    ),
    "range_of_settings": lambda: domains.range_of_settings(
        {"B1": [0.1, 0.5], "B2": [0.2]},
        {"B1": [0.3], "B2": [0.2, 0.3]},
        {"B1": 0.4, "B2": 0.1},
        label="d",
    ),
    "ellipse_panels": lambda: conceptors.ellipse_panels(
        {"the list": np.diag([2.0, 1.0]), "its negation": np.diag([0.2, 0.5])},
        {
            "the list": MOVES.assign(**{"to x": MOVES["x"], "to y": MOVES["y"]}),
            "its negation": MOVES,
        },
        x="first direction",
        y="second direction",
    ),
    "curves_by_panel": lambda: curves.curves_by_panel(
        {"d": CURVES}, x="aperture", marked={"as published": 3000}
    ),
    "recovered_by": lambda: curves.recovered_by(
        {"Text": CURVES}, x="words", y="R²", level=0.5, logarithmic=True
    ),
    "curves_against_null": lambda: geometry.curves_against_null(
        {"static": AGAINST_NULL, "in context": AGAINST_NULL / 3},
        x="component",
        y="share",
        null="random pairs",
        other="plural",
    ),
    "scores_by_number": lambda: curves.scores_by_number(
        {"one-vs-one": BAND},
        {"one-vs-one": pd.DataFrame({"x": [2], "y": [0.25], "label": ["g1"]})},
        x="class words",
        y="mean score",
    ),
    "cosine_by_dimension": lambda: geometry.cosine_by_dimension(
        ([25, 300, 1000], [0.2, 0.05, 0.02]),
        pd.DataFrame({"dimensions": [300], "value": [0.08], "label": ["word2vec"]}),
        label="mean size of the cosine",
    ),
    "score_curves": lambda: translation_index.score_curves(
        {name: pd.Series([0.0, 0.5, 0.0], [0.0, 0.5, 1.0]) for name in ("No neutral", "No she")},
        {"No neutral": (0.5, 0.5, "half: 0.50"), "No she": (0.2, 0.4, "low")},
        level=0.5,
        labels={"No neutral": "she", "No she": "neutral"},
        printed={"No she": pd.DataFrame({"share": [0.1, 0.2], "score": [0.3, 0.4]})},
    ),
    "scatter": lambda: points.scatter(SCORES[:, 0], SCORES[:, 1], WORDS, x="inside", y="outside"),
    "lines_of_a_copy": lambda: ripa.lines_of_a_copy(
        pd.DataFrame({"biased": [2.0, 1.0], "neutral": [4.0, 2.0]}, [-8.0, -1.0]),
        {"printed": (-1.0, 1.0), "by the rule": (-7.0, 1.0)},
        x="α",
        y="λ",
        above="amplified",
    ),
    "leaning_points": lambda: points.leaning_points(
        {"static": CLOUD.set_axis(WORDS)}, x="first", y="second", named=["nurse"]
    ),
    "agreement_against_cosine": lambda: base_pairs.agreement_against_cosine(
        [0.1, 0.5], [0.2, 0.4], ([0, 1], [0, 1])
    ),
    "token_clouds": lambda: context.token_clouds(
        {"he, she": CLOUD}, {"he": ("male", True), "she": ("female", False)}, x="first", y="second"
    ),
    "shares_by_set": lambda: bars.shares_by_set({"one": SHARES, "two": SHARES[::-1]}),
    "ratio_blocks": lambda: pronouns.ratio_blocks(RATIOS, label="F1, feminine by masculine"),
    "ratio_against_score": lambda: pronouns.ratio_against_score(
        RATIOS, score="accuracy", ratio="F1 ratio"
    ),
    "gender_rows": lambda: pronouns.gender_rows(
        GENDERS.assign(row=GENDERS["row"].map(long)), label=long("temperature"), line=1
    ),
    "reliability_gaps": lambda: pronouns.reliability_gaps({long("blend"): GENDERS, "b": GENDERS}),
    "heat_map": lambda: tables.heat_map(SIGNED, label="signed R²", inside=SIGNED.abs() < 0.3),
}


def long(text):
    """A text as long as the longest ones in the book."""
    return f"{text} of the words for people, as printed"


def lengthened(table):
    return table.rename(index=long, columns=long)


LABEL = "← first list leans male    effect size d of the words    first list leans female →"

ROWS = [long(word) for word in WORDS]

LONG_FIGURES = {
    "scores_by_pair": lambda: dots.scores_by_pair(SCORES, ROWS, PAIRS, measure=long("RIPA")),
    "strips": lambda: dots.strips(
        {
            long("jobs"): {
                row: pd.Series(values, map("–".join, PAIRS)) for row, values in zip(ROWS, SCORES)
            }
        },
        labels={long("jobs"): LABEL},
        named=2,
    ),
    "dots_by_column": lambda: dots.dots_by_column(
        lengthened(INTERVALS[["low", "high", "value"]]), label=long("change in Fleiss' kappa")
    ),
    "target_associations": lambda: dots.target_associations(
        {long(name): ([0.5, 1.0], [-1.0, -0.5]) for name in ("brown", "gap")},
        lists=(long("career"), long("family")),
    ),
    "share_dots": lambda: dots.share_dots(
        lengthened(pd.DataFrame({"He": [0.2, np.nan], "She": [0.9, 0.5]}, ["said", "told"])),
        label="share that says: the first leans female",
    ),
    "biases_by_culture": lambda: dots.biases_by_culture(
        pd.DataFrame(SCORES, ["United States of America"] * 4, map(long, "abc")), label=LABEL
    ),
    "interval_dots": lambda: intervals.interval_dots(
        lengthened(INTERVALS).rename(columns=lambda name: name.split(" of ")[0]),
        label=LABEL,
        null=(-0.1, 0.1),
        band="random pairs of words for people, central 95 %",
    ),
    "dots_by_panel": lambda: intervals.dots_by_panel(
        pd.concat([PANELS, PANELS.assign(panel=["two", "three", "three"])]).assign(
            panel=lambda table: table["panel"].map(long), row=lambda table: table["row"].map(long)
        ),
        label=LABEL,
        band="random pairs of words for people, central 95 %",
        interval="this run, with its interval",
        second="its words off every list",
    ),
    "curves_by_panel": lambda: curves.curves_by_panel(
        {long(name): CURVES for name in "abc"}, x=long("aperture")
    ),
    "recovered_by": lambda: curves.recovered_by(
        {"Text": CURVES.rename(columns=long)}, x=long("words"), y="R² in the planted direction"
    ),
    "scores_by_number": lambda: curves.scores_by_number(
        dict.fromkeys(["one-vs-one", "one-vs-rest"], BAND),
        dict.fromkeys(
            ["one-vs-one", "one-vs-rest"], pd.DataFrame({"x": [2], "y": [0.2], "label": ["women"]})
        ),
        x="number of class words",
        y="mean score of 251 professions",
    ),
    "scatter": lambda: points.scatter(
        SCORES[:, 0], SCORES[:, 1], ROWS, x=LABEL, y="change when the word is left out"
    ),
    "leaning_points": lambda: points.leaning_points(
        {name: CLOUD.set_axis(ROWS) for name in ("static rows", "in context")},
        x="← male   lean of the profession   female →",
        y="female-leaning among the 100 nearest",
        named=ROWS[:2],
    ),
    "shares_by_set": lambda: bars.shares_by_set(
        dict.fromkeys(map(long, "abc"), SHARES.rename(long)), {"neutral": long("both")}
    ),
    "heat_map": lambda: tables.heat_map(
        SIGNED.rename(index=long, columns="{}, selected on all states".format), label="signed R²"
    ),
}


def marked(ax):
    """All points of the marks of an axes, shape (n, 2)."""
    scatters = [marks for marks in ax.collections if isinstance(marks, PathCollection)]
    return np.concatenate([np.ma.filled(marks.get_offsets(), np.nan) for marks in scatters])


def row_labels(ax):
    """What stands at the rows of an axes, first row first."""
    return [label.get_text() for label in ax.get_yticklabels()]
