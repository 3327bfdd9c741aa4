"""A masked model asked as the released code of Kurita et al. (2019) asked BERT."""

import pandas as pd

from lib.language_models.log_probability import PUBLISHED_PRIOR, log_probability_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.language_models.summed_targets import summed_targets

Pairs = list[tuple[str, str]]

# The pairs of targets in the notebook, where the template is plural ("are", "like") and where not.
# Of flowers it asks in the other number, and of bugs where the paper says insects.
SINGULAR: dict[str, Pairs] = {
    "Pleasant/Unpleasant (Insects/Flowers)": [("flowers", "bugs")],
    "Pleasant/Unpleasant (EA/AA)": [("black", "white")],
    "Career/Family (Male/Female)": [("he", "she")],
    "Math/Arts (Male/Female)": [("he", "she")],
    "Science/Arts (Male/Female)": [("he", "she")],
}
GROUPS = [("boys", "girls"), ("men", "women")]
PLURAL: dict[str, Pairs] = SINGULAR | {
    "Pleasant/Unpleasant (Insects/Flowers)": [("flower", "bug")],
    "Career/Family (Male/Female)": GROUPS,
    "Math/Arts (Male/Female)": GROUPS,
    "Science/Arts (Male/Female)": GROUPS,
}
PLURAL_TEMPLATES = ("{target} are ", "{target} like ")


def released_targets(category: str, template: str) -> Pairs:
    """The pairs of targets that the released code asks about in a template.

    Parameters
    ----------
    category : str
        A row of Table 3.
    template : str
        With {target} and {attribute}.

    Returns
    -------
    list of pairs of str
        The probabilities of the first words are added, and those of the second.

    Raises
    ------
    ValueError
        For another category.

    Examples
    --------
    >>> released_targets("Math/Arts (Male/Female)", "{target} like {attribute}.")
    [('boys', 'girls'), ('men', 'women')]
    """
    if category not in SINGULAR:
        raise ValueError(f"category: expected one of {', '.join(SINGULAR)}; got {category!r}")
    plural = template.startswith(PLURAL_TEMPLATES)
    return (PLURAL if plural else SINGULAR)[category]


def ask_as_released(model: MaskedLanguageModel, asked: pd.DataFrame) -> pd.DataFrame:
    """Scores of a model for the sentences of a table, by the rules of the released code.

    One mask stands for the attribute in the prior, however many pieces it has; the prior is read
    one piece left of the last mask; targets of one side are added before the logarithm.

    Parameters
    ----------
    model : MaskedLanguageModel
    asked : DataFrame
        Columns `category`, `list`, `template`, `attribute`, as
        `lib.datasets.kurita2019.read_template_scores` gives them.

    Returns
    -------
    DataFrame
        A row for each row of `asked`, in its order: its four columns and `log_odds`, `prior` and
        `bias`, in nats, positive for the first target.

    Raises
    ------
    ValueError
        For a table without one of the columns, another category, or a target of several pieces.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), notebooks/weat_result_replication.ipynb.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> asked = pd.DataFrame({"category": "Math/Arts (Male/Female)", "list": [1, 2],
    ...     "template": "{target} likes {attribute}.", "attribute": ["algebra", "poetry"]})
    >>> ask_as_released(model, asked)["prior"].nunique()
    1
    """
    keys = ["category", "list", "template", "attribute"]
    missing = [name for name in keys if name not in asked]
    if missing:
        raise ValueError(f"expected a table of what is asked; it lacks {', '.join(missing)}")
    parts = []
    for (category, template), rows in asked.groupby(["category", "template"], sort=False):
        words = list(dict.fromkeys(rows["attribute"]))
        pairs = released_targets(category, template)
        scores = log_probability_bias(model, words, [template], pairs, **PUBLISHED_PRIOR)
        parts.append(summed_targets(scores).assign(category=category))
    if not parts:
        return asked[keys].assign(log_odds=0.0, prior=0.0, bias=0.0)
    on = ["category", "template", "attribute"]
    return asked[keys].merge(pd.concat(parts), on=on, how="left", validate="many_to_one")


def beside_stored(scores: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """The scores of a model beside those that the authors stored for the same sentences.

    Parameters
    ----------
    scores, stored : DataFrame
        As `ask_as_released` gives them, row for row of the same sentences.

    Returns
    -------
    DataFrame
        A row for each category: `log_odds_apart` and `prior_apart`, the largest difference of a row, in nats; `order`,
        Spearman's correlation of the log odds; `rows`.

    Raises
    ------
    ValueError
        Where the rows are not of the same sentences.

    Examples
    --------
    >>> rows = pd.DataFrame({"category": "Math/Arts (Male/Female)", "list": [1, 1, 2, 2],
    ...     "template": "{target} likes {attribute}.", "attribute": ["algebra", "math", "poetry", "art"],
    ...     "log_odds": [2.0, 1.0, 0.5, 0.0], "prior": 0.5, "bias": [1.5, 0.5, 0.0, -0.5]})
    >>> beside_stored(rows, rows)[["log_odds_apart", "order"]].to_numpy().tolist()
    [[0.0, 1.0]]
    """
    keys = ["category", "list", "template", "attribute"]
    if not scores[keys].reset_index(drop=True).equals(stored[keys].reset_index(drop=True)):
        raise ValueError(
            "expected scores of the same sentences in the same order; ask about `stored`"
        )
    lines = {}
    for category, theirs in stored.groupby("category", sort=False):
        ours = scores[(scores["category"] == category).to_numpy()]
        apart = [
            float((ours[column].to_numpy() - theirs[column]).abs().max())
            for column in ("log_odds", "prior")
        ]
        order = theirs["log_odds"].corr(ours["log_odds"].set_axis(theirs.index), method="spearman")
        lines[category] = [*apart, order, len(theirs)]
    columns = ["log_odds_apart", "prior_apart", "order", "rows"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=columns)
