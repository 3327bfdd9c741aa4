"""Can a masked model do the task at all? What it writes into a gap, and whether it follows a cue."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from lib.language_models.log_probability import grammatical_bias
from lib.language_models.masked import MASK, MaskedLanguageModel
from lib.language_models.templates import fits


def sentence_case(model: MaskedLanguageModel, templates: Iterable[str]) -> list[str]:
    """Templates with a capital first letter where the model is cased; one that opens with a slot gets it when that is filled."""
    if not model.cased:
        return list(templates)
    return [template[:1].upper() + template[1:] for template in templates]


def top_fills(model: MaskedLanguageModel, sentences: Sequence[str], k: int = 5) -> pd.DataFrame:
    """The k likeliest pieces at the first mask of each sentence, the likeliest first, with their probabilities."""
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
    """Whether each target is one piece, inside a sentence and as its first word."""
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
    """How much of the probability at the target's gap is on the targets that fit (attributes by templates), the attribute shown.

    A log odds of *he* against *she* says little where both are unlikely.
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
    """Log odds in nats of a pair of words in a gap that a noun before it decides: *the {noun} said that [MASK] was tired.*"""
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
    """Scores of nouns whose gender is known by definition (nouns by templates): the score, log odds, and log odds after a cue.

    `cues` are (template, word, word); those whose words are several pieces are left out. Nats, positive for the first of each pair.
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
