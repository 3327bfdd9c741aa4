"""What the authors' notebook prints, from the released scores, in its own way: e to the mean log10 odds, and correlations of that."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from lib.datasets.gest import STEREOTYPES, TEMPLATES, WOMEN
from lib.ledger import claims
from lib.paths import DATA
from studies.stereotypes.gest import MODELS
from studies.stereotypes.order import stereotype_means

PAPER = "pikuliak2024_gest"
PLACES = {
    "masked": "Table of English masked models (notebook _english_mlm)",
    "decoder": "Table of English decoders (notebook _english_mlm)",
}
ENDS = DATA / "released" / "gest_ends.csv"  # of the intervals in the output stored in the notebook
DRAWS = 1000  # of sentences, behind each stored end
# Their scores are released; the notebook leaves them out.
NOT_PRINTED = ("Mistral-7B-Instruct-v0.1",)
# A sentence that holds one of these, even as a part of a word.
FAMILY = ("family", "child", "children", "partner", "kids", "kid", "family's")


def printed_name(model: str) -> str:
    """What the tables call a model."""
    for ending in ("-uncased", "-v2", "-cased", "-generator"):
        model = model.removesuffix(ending)
    return model.removesuffix("lingual")


def rates(scores: pd.DataFrame, stereotypes: pd.Series) -> pd.DataFrame:
    """e to the mean score by model, template and stereotype, beside the id of the printed number that it answers.

    Columns place, system, template, stereotype, value, n, data, claim.
    """
    kinds = {model.name: model.kind for model in MODELS}
    means = pd.DataFrame(stereotype_means(scores, stereotypes), [*STEREOTYPES], scores.columns)
    counts = stereotypes.value_counts()
    rows = [
        (
            PLACES[kinds[model]],
            printed_name(model),
            str(template + 1),
            str(number),
            np.exp(mean),
            counts[number],
        )
        for (model, template), column in means.items()
        if model not in NOT_PRINTED
        for number, mean in column.items()
    ]
    columns = ["place", "system", "template", "stereotype", "value", "n"]
    table = pd.DataFrame(rows, columns=columns)
    printed = pd.concat(
        claims.table(paper=PAPER, location=place).assign(place=place) for place in PLACES.values()
    )
    keys = ["place", "system", "template", "stereotype"]
    printed = printed[[*keys, "claim_id", "printed"]].rename(columns={"claim_id": "claim"})
    return table.merge(printed, on=keys, how="left", validate="one_to_one")


def interval_ends(scores: pd.DataFrame, stereotypes: pd.Series) -> pd.DataFrame:
    """The ends of the authors' 95 % intervals by model, template and stereotype, beside the stored ones.

    Theirs are normal intervals by mean and spread of 1,000 bootstrap means; ours what endlessly many give. Columns
    system, template, stereotype, end, value, printed; lowest and highest: the central 99 % of what 1,000 give.
    """
    means = pd.DataFrame(stereotype_means(scores, stereotypes), [*STEREOTYPES], scores.columns)
    errors = (
        scores.groupby(stereotypes).std(ddof=0).div(np.sqrt(stereotypes.value_counts()), axis=0)
    )
    z, far = stats.norm.ppf([0.975, 0.995])
    # Of the mean and of the spread of so many draws, which vary apart from each other
    wobble = far * np.sqrt((1 + z**2 / 2) / DRAWS)
    rows = []
    for model, template in scores:
        if model in NOT_PRINTED:
            continue
        for number in STEREOTYPES:
            mean, error = (
                means.loc[number, (model, template)],
                errors.loc[number, (model, template)],
            )
            for end, sign in (("low", -1), ("high", 1)):
                at = mean + sign * z * error
                ends = np.exp([at, at - wobble * error, at + wobble * error])
                rows.append((printed_name(model), template + 1, number, end, *ends))
    keys = ["system", "template", "stereotype", "end"]
    table = pd.DataFrame(rows, columns=[*keys, "value", "lowest", "highest"])
    stored = pd.read_csv(ENDS).melt(keys[:3], var_name="end", value_name="printed")
    return table.merge(stored, on=keys, how="left", validate="one_to_one")


def within_draws(ends: pd.DataFrame) -> pd.Series:
    """Whether each stored end is one that 1,000 draws can give, to its two decimals: rows of `interval_ends` -> bool."""
    low, high = ends["lowest"].round(2), ends["highest"].round(2)
    return ends["printed"].between(low - 1e-9, high + 1e-9)


def means_over_models(scores: pd.DataFrame, sentences: pd.DataFrame) -> pd.DataFrame:
    """Means over models and templates of the rates of women's and men's stereotypes: columns system, sentences, value."""
    kept = scores.drop(columns=list(NOT_PRINTED), level="model")
    means = stereotype_means(kept, sentences["stereotype"])
    of_family = sentences["sentence"].map(lambda s: any(word in s for word in FAMILY))
    of_family &= sentences["about"] == "men"
    found = {
        "stereotypes about men": means[len(WOMEN) :].mean(axis=0),
        "stereotypes about women": means[: len(WOMEN)].mean(axis=0),
        "stereotypes about men with a word of the family": kept[of_family].mean().to_numpy(),
    }
    names = {"masked": "masked models", "decoder": "decoders"}
    kinds = kept.columns.get_level_values("model").map({m.name: m.kind for m in MODELS})
    rows = [
        (names[kind], what, float(np.exp(values[kinds == kind]).mean()))
        for kind in names
        for what, values in found.items()
    ]
    return pd.DataFrame(rows, columns=["system", "sentences", "value"])


def mean_correlations(scores: pd.DataFrame, stereotypes: pd.Series) -> pd.DataFrame:
    """Mean Pearson correlations of rates and of scores, between models and between templates: columns over, between, value."""
    kept = scores.drop(columns=list(NOT_PRINTED), level="model")
    rows = []
    for over, table in (
        ("stereotypes", np.exp(stereotype_means(kept, stereotypes))),
        ("sentences", kept.to_numpy()),
    ):
        square = pd.DataFrame(np.corrcoef(table.T), kept.columns, kept.columns)
        between: dict[str, list[float]] = {"models, same template": [], "templates, same model": []}
        for kind, templates in TEMPLATES.items():
            models = [m.name for m in MODELS if m.kind == kind and m.name not in NOT_PRINTED]
            numbers = range(len(templates))
            between["models, same template"] += [
                square.loc[(a, t), (b, t)] for a, b in combinations(models, 2) for t in numbers
            ]
            between["templates, same model"] += [
                square.loc[(m, a), (m, b)] for m in models for a, b in combinations(numbers, 2)
            ]
        rows += [(over, what, float(np.mean(values))) for what, values in between.items()]
    return pd.DataFrame(rows, columns=["over", "between", "value"])


def blind_auc(scores: pd.DataFrame, votes: pd.Series) -> pd.DataFrame:
    """How often a sentence that a blind reader took for strongly men's scores above one taken for strongly women's.

    Index of columns of scores (n, k): value; n, sentences; low and high, the central 95 % of what chance gives.
    """
    women, men = (votes == vote for vote in (-2, 2))
    n_women, n_men = int(women.sum()), int(men.sum())
    ranks = scores[women | men].rank()
    above = ranks[men[women | men]].sum() - n_men * (n_men + 1) / 2
    spread = np.sqrt((n_women + n_men + 1) / (12 * n_women * n_men)) * stats.norm.ppf(0.975)
    table = pd.DataFrame({"value": above / (n_women * n_men)})
    return table.assign(low=0.5 - spread, high=0.5 + spread, n=n_women + n_men)
