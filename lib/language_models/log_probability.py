"""Log probability bias: how much more a word raises the probability of one target than of another,
in a gap.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.language_models.masked import MASK, MaskedLanguageModel
from lib.language_models.templates import pairings

# Where the published code reads the prior, and with how many masks for the attribute.
PUBLISHED_PRIOR = {"prior": "published", "attribute_masks": "one", "pieces": "error"}


def log_probability_bias(
    model: MaskedLanguageModel,
    attributes: Sequence[str],
    templates: Sequence[str],
    targets: Sequence[tuple[str, str]],
    *,
    pieces: str = "error",
    prior: str = "target",
    attribute_masks: str = "pieces",
) -> pd.DataFrame:
    """Log probability bias of every attribute, template and pair of targets.

    The association of a target is log p(target | attribute shown) - log p(target | attribute masked); the bias is the
    association of the first target minus that of the second.

    Parameters
    ----------
    model : MaskedLanguageModel
    attributes : sequence of str
        Words or phrases.
    templates : sequence of str
        Texts with {target} and {attribute}. A target that opens a sentence is read with a capital where the model is
        cased.
    targets : sequence of pairs of str
        Male first, as in the paper.
    pieces : {"error", "mask", "marginalise"}
        What is done with a target of several pieces: refuse it; as many masks as pieces, each read with the others
        masked; or each read with those before it in place, whose product is the probability of the whole word.
    prior : {"target", "published"}
        Where the prior is read: at the target's own mask, or where the authors' code does, one piece left of the
        sentence's last mask.
    attribute_masks : {"pieces", "one"}
        Masks in place of the attribute in the prior: one for each of its pieces, or one.

    Returns
    -------
    DataFrame
        One row for each attribute, template and pair: `attribute`, `template`, `first`, `second`, `log_p_first`,
        `log_p_second`, `log_prior_first`, `log_prior_second`, `bias` in nats, positive when the attribute leans
        towards the first target, and `attribute_pieces`.

    Raises
    ------
    ValueError
        For an empty list or attribute, a template without its two slots, and targets of several pieces unless
        `pieces` allows them.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), section 2.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> jobs, templates = ["nurse", "mechanic"], ["{target} is the {attribute}."]
    >>> log_probability_bias(model, jobs, templates, [("he", "she")])["bias"].gt(0).tolist()
    [False, True]
    """
    _check(attributes, templates, targets)
    one_of("pieces", pieces, ("error", "mask", "marginalise"))
    one_of("prior", prior, ("target", "published"))
    one_of("attribute_masks", attribute_masks, ("pieces", "one"))
    if pieces != "error" and prior == "published":
        raise ValueError(
            "prior='published' is defined for targets of one piece; use prior='target'"
        )
    words = list(dict.fromkeys(word for pair in targets for word in pair))
    counts = {attribute: len(model.pieces(attribute)) for attribute in attributes}
    masks = counts if attribute_masks == "pieces" else dict.fromkeys(attributes, 1)
    shown = {(t, a): t.replace("{attribute}", a) for t in templates for a in attributes}
    hidden = {
        (t, k): t.replace("{attribute}", " ".join([MASK] * k))
        for t in templates
        for k in sorted(set(masks.values()))
    }
    log_p = _of_targets(model, shown.values(), words, pieces)
    log_prior = _of_targets(model, hidden.values(), words, pieces, prior == "published")
    rows = []
    for attribute, template, (first, second) in product(attributes, templates, targets):
        p, q = log_p[shown[template, attribute]], log_prior[hidden[template, masks[attribute]]]
        rows.append((attribute, template, first, second, p[first], p[second], q[first], q[second]))
    columns = ["attribute", "template", "first", "second"]
    columns += ["log_p_first", "log_p_second", "log_prior_first", "log_prior_second"]
    table = pd.DataFrame(rows, columns=columns)
    first = table["log_p_first"] - table["log_prior_first"]
    second = table["log_p_second"] - table["log_prior_second"]
    return table.assign(bias=first - second, attribute_pieces=table["attribute"].map(counts))


def grammatical_bias(
    model: MaskedLanguageModel,
    attributes: Iterable[str],
    templates: Sequence[str],
    targets: Sequence[tuple[str, str]],
    *,
    grammatical: bool = True,
    **options: Any,
) -> pd.DataFrame:
    """Log probability bias where each pair of targets enters only the templates that it is
    grammatical in.

    Parameters
    ----------
    model, attributes, templates, targets
        As in `log_probability_bias`.
    grammatical : bool
        False lets every pair into every template.
    **options
        Of `log_probability_bias`; `pieces` is "marginalise" unless given.

    Returns
    -------
    DataFrame
        As `log_probability_bias`, template by template.

    Raises
    ------
    ValueError
        As `log_probability_bias` and `lib.language_models.templates.pairings`.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> templates = ["{target} likes {attribute}", "{target} like {attribute}"]
    >>> table = grammatical_bias(model, ["art"], templates, [("he", "she"), ("men", "women")])
    >>> table["first"].tolist()
    ['he', 'men']
    """
    options = {"pieces": "marginalise"} | options
    parts = [
        log_probability_bias(model, list(attributes), [template], fitting, **options)
        for template, fitting in pairings(templates, targets, grammatical=grammatical)
    ]
    return pd.concat(parts, ignore_index=True)


def mean_bias(
    model: MaskedLanguageModel,
    attributes: Iterable[str],
    templates: Sequence[str],
    targets: Sequence[tuple[str, str]],
    **options: Any,
) -> pd.Series:
    """The mean of `grammatical_bias` of each attribute, over templates and pairs.

    Returns
    -------
    Series
        Nats by attribute, in the order given; positive leans to the first targets.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> templates = ["{target} is a {attribute}.", "{target} was the {attribute}."]
    >>> mean_bias(model, ["nurse", "mechanic"], templates, [("he", "she")]).idxmax()
    'mechanic'
    """
    attributes = list(attributes)
    table = grammatical_bias(model, attributes, templates, targets, **options)
    return table.groupby("attribute")["bias"].mean().reindex(attributes)


def _check(
    attributes: Sequence[str], templates: Sequence[str], targets: Sequence[tuple[str, str]]
) -> None:
    for name, given in (("attributes", attributes), ("templates", templates), ("targets", targets)):
        if isinstance(given, str) or not len(given):
            raise ValueError(f"{name}: expected a list with at least one entry, got {given!r}")
    if not all(attribute.strip() for attribute in attributes):
        raise ValueError("attributes: expected words or phrases, got an empty one; leave it out")
    for template in templates:
        if template.count("{target}") != 1 or template.count("{attribute}") != 1:
            raise ValueError(
                f"expected a template with one {{target}} and one {{attribute}}, got {template!r}"
            )
    for pair in targets:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise ValueError(
                f"expected pairs of two different targets such as ('he', 'she'), got {pair!r}"
            )


def _of_targets(
    model: MaskedLanguageModel,
    texts: Iterable[str],
    words: list[str],
    pieces: str,
    published: bool = False,
) -> dict[str, dict[str, float]]:
    """Text -> word -> log probability in the {target} slot; words of as many pieces are read at
    once.
    """
    texts = list(dict.fromkeys(texts))
    values = pd.DataFrame(np.nan, texts, words)
    for opening in (False, True):
        here = [text for text in texts if text.startswith("{target}") == opening]
        if not here:
            continue
        capital = opening and model.cased
        ids = {}
        for word in words:
            form = word[:1].upper() + word[1:] if capital else word
            if pieces == "error":
                ids[word] = [model.single_piece_id(form, opening)]
            else:
                ids[word] = model.piece_ids(form, opening)
        for size in sorted({len(row) for row in ids.values()}):
            alike = [word for word in words if len(ids[word]) == size]
            values.loc[here, alike] = _in_slots(
                model, here, [ids[word] for word in alike], pieces == "marginalise", published
            )
    return values.to_dict("index")


def _in_slots(
    model: MaskedLanguageModel,
    texts: list[str],
    words: list[list[int]],
    chain: bool,
    published: bool,
) -> NDArray[np.float64]:
    """Log probability of k words of one number of pieces, in the {target} slot of n texts: (n,
    k).
    """
    masks = " ".join([MASK] * len(words[0]))
    rows = model.encode([text.replace("{target}", masks) for text in texts])
    before = [text.partition("{target}")[0].count(MASK) for text in texts]
    places = [model.mask_places(row) for row in rows]
    if published:
        starts = np.array([row[-1] - 1 for row in places])
    else:
        starts = np.array([row[number] for row, number in zip(places, before)])
    total = np.zeros((len(texts), len(words)))
    for step, ids in enumerate(zip(*words)):
        if step == 0 or not chain:
            total += model.log_probabilities_at(rows, starts + step, [ids] * len(rows))
            continue
        for column, word in enumerate(words):  # the pieces before this one stand in the text
            read = [
                [*row[:start], *word[:step], *row[start + step :]]
                for row, start in zip(rows, starts)
            ]
            total[:, column] += model.log_probabilities_at(
                read, starts + step, [[word[step]]] * len(rows)
            )[:, 0]
    return total
