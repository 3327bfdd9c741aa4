"""Can a masked model do the task at all? What it writes into a gap, and whether it follows a cue."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from lib.language_models.log_probability import grammatical_bias
from lib.language_models.masked import MASK, MaskedLanguageModel
from lib.language_models.templates import fits


def top_fills(model: MaskedLanguageModel, sentences: Sequence[str], k: int = 5) -> pd.DataFrame:
    """The likeliest pieces at the first mask of each sentence.

    Parameters
    ----------
    model : MaskedLanguageModel
    sentences : sequence of str
        n texts, each with at least one [MASK].
    k : int
        How many pieces.

    Returns
    -------
    DataFrame
        One row a sentence and piece: `sentence`, `piece` (as the vocabulary spells it), `probability`, the likeliest
        first.

    Raises
    ------
    ValueError
        For a sentence without a mask or too long for the model, or fewer than one piece.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> fills = top_fills(model, ["We are going [MASK] eat."], 2)
    >>> fills["piece"].iloc[0], bool(fills["probability"].between(0, 1).all())
    ('to', True)
    """
    if k < 1:
        raise ValueError(f"k: expected one piece or more, got {k!r}")
    rows = model.encode(sentences)
    places = [model.mask_places(row) for row in rows]
    for sentence, found in zip(sentences, places):
        if not found:
            raise ValueError(f"expected a sentence with {MASK}, got {sentence!r}; write {MASK} in")
    tokenizer = model.transformer.tokenizer
    pieces = np.arange(model.transformer.model.config.vocab_size)
    parts = []
    for sentence, row, found in zip(sentences, rows, places):
        log_p = model.log_probabilities_at([row], [found[0]], pieces[None])[0]
        best = np.argsort(-log_p, kind="stable")[:k]
        names = tokenizer.convert_ids_to_tokens(best.tolist())
        parts.append(
            pd.DataFrame({"sentence": sentence, "piece": names, "probability": np.exp(log_p[best])})
        )
    return pd.concat(parts, ignore_index=True)


def all_whole(model: MaskedLanguageModel, targets: Iterable[str]) -> bool:
    """Whether each target is one piece, inside a sentence and as its first word.

    Parameters
    ----------
    model : MaskedLanguageModel
    targets : iterable of str
        Words; the first of a sentence has a capital where the model is cased.

    Returns
    -------
    bool

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> all_whole(model, ["he", "she"]), all_whole(model, ["he", "xe"])
    (True, False)
    """
    return all(
        model.is_single(word)
        and model.is_single(word[:1].upper() + word[1:] if model.cased else word, True)
        for word in targets
    )


def mass_on_targets(
    model: MaskedLanguageModel,
    attributes: Sequence[str],
    templates: Sequence[str],
    targets: Sequence[str],
) -> pd.DataFrame:
    """How much of the probability at the target's gap is on the targets, the attribute shown.

    A log odds of *he* against *she* says little where both are unlikely.

    Parameters
    ----------
    model : MaskedLanguageModel
    attributes : sequence of str
        n words.
    templates : sequence of str
        t texts with {target} and {attribute}.
    targets : sequence of str
        Words of one piece; in each template those count that are grammatical in it.

    Returns
    -------
    DataFrame
        n rows and a column for each template: sums of probabilities, from 0 to 1; NaN where no target is grammatical.

    Raises
    ------
    ValueError
        For a template without its two slots, or a target of several pieces.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> mass = mass_on_targets(model, ["nurse"], ["{target} is a {attribute}."], ["he", "she", "they"])
    >>> bool(0 < mass.loc["nurse", "{target} is a {attribute}."] < 1)
    True
    """
    columns = {}
    for template in templates:
        if template.count("{target}") != 1 or template.count("{attribute}") != 1:
            raise ValueError(
                f"expected a template with one {{target}} and one {{attribute}}, got {template!r}"
            )
        fitting = [word for word in targets if fits(template, word)]
        texts = [template.format(target=MASK, attribute=word) for word in attributes]
        place = template.format(target=MASK, attribute="").count(MASK) - 1
        columns[template] = (
            np.exp(model.log_probabilities(texts, fitting, place)).sum(axis=1)
            if fitting and texts
            else np.full(len(texts), np.nan)
        )
    return pd.DataFrame(columns, index=pd.Index(attributes, name="attribute"))


def cue_odds(
    model: MaskedLanguageModel,
    nouns: Sequence[str],
    templates: Sequence[str],
    pair: tuple[str, str] = ("she", "he"),
) -> pd.DataFrame:
    """Log odds of two words in a gap that a noun earlier in the sentence decides.

    Parameters
    ----------
    model : MaskedLanguageModel
    nouns : sequence of str
        n words whose gender is known by definition, such as *queen*.
    templates : sequence of str
        t texts with {noun} and one [MASK] after it: "the {noun} said that [MASK] was tired."
    pair : (str, str)
        Words of one piece: positive odds are for the first.

    Returns
    -------
    DataFrame
        n rows and a column for each template, in nats.

    Raises
    ------
    ValueError
        For a template without a noun before one gap, or words of several pieces.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> odds = cue_odds(model, ["queen", "king"], ["the {noun} lost [MASK] way."], ("her", "his"))
    >>> bool(odds.iloc[0, 0] > odds.iloc[1, 0])
    True
    """
    columns = {}
    for template in templates:
        before, gap, after = template.partition(MASK)
        if not gap or "{noun}" not in before or MASK in after:
            raise ValueError(
                f"expected a template with {{noun}} and one {MASK} after it, got {template!r}"
            )
        texts = [template.replace("{noun}", noun) for noun in nouns]
        log_p = model.log_probabilities(texts, pair) if texts else np.empty((0, 2))
        columns[template] = log_p[:, 0] - log_p[:, 1]
    return pd.DataFrame(columns, index=pd.Index(nouns, name="noun"))


def known_sides(
    model: MaskedLanguageModel,
    nouns: Sequence[str],
    templates: Sequence[str],
    cues: Sequence[tuple[str, str, str]],
    pair: tuple[str, str] = ("she", "he"),
    *,
    pieces: str = "marginalise",
) -> dict[str, pd.DataFrame]:
    """Scores of words whose gender is known by definition, to see what a model can do.

    Parameters
    ----------
    model : MaskedLanguageModel
    nouns : sequence of str
        n words, such as *queen* and *king*.
    templates : sequence of str
        Texts with {target} and {attribute}.
    cues : sequence of (str, str, str)
        Each a template of `cue_odds` and its pair of words; those whose words are several pieces are left out.
    pair : (str, str)
        The targets of the templates.
    pieces : {"marginalise", "mask", "error"}
        As in `lib.language_models.log_probability.log_probability_bias`.

    Returns
    -------
    dict of str to DataFrame
        n rows and a column for each template: "the score" (log probability bias), "log odds" (without a prior), and "log
        odds after a cue" where a cue can be asked; nats, positive for the first word of each pair.

    Raises
    ------
    ValueError
        As `lib.language_models.log_probability.log_probability_bias` and `cue_odds`.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> cue = ("the {noun} lost [MASK] way.", "her", "his")
    >>> tables = known_sides(model, ["queen", "king"], ["{target} is the {attribute}."], [cue])
    >>> {name: table.shape for name, table in tables.items()}
    {'the score': (2, 1), 'log odds': (2, 1), 'log odds after a cue': (2, 1)}
    """
    asked = grammatical_bias(model, nouns, templates, [pair], pieces=pieces)
    asked["odds"] = asked["log_p_first"] - asked["log_p_second"]
    tables = {
        name: asked.pivot(index="attribute", columns="template", values=column).loc[list(nouns)]
        for name, column in {"the score": "bias", "log odds": "odds"}.items()
    }
    after = [
        cue_odds(model, nouns, [cue], words)
        for cue, *words in cues
        if all(map(model.is_single, words))
    ]
    if after:
        tables["log odds after a cue"] = pd.concat(after, axis=1)
    return tables
