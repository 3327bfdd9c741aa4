"""WinoMT of many systems and languages as one table."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from lib.datasets.winomt import PUBLISHED, published_translations, read_sentences
from lib.translation.winomt import AUTHORS, read_genders, stereotype_rows, winomt_intervals


def winomt_table(
    pairs: Iterable[tuple[str, str]],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Scores of released outputs, by our reader and by the rule of the authors.

    Parameters
    ----------
    pairs : iterable of (str, str)
        System and language, as `lib.datasets.winomt.published_translations`.
    n_resamples : int
        As in `lib.translation.winomt.winomt_intervals`.

    Returns
    -------
    DataFrame
        A row for each system, language, rule ("own"; "authors" where `AUTHORS` names the language)
        and score (those of `lib.translation.winomt.winomt_intervals`, and unread without interval),
        in per cent. Columns value, low, high, null low, null high, n.
    """
    generator = np.random.default_rng(rng)
    sentences = read_sentences()
    stereotypes = stereotype_rows(sentences)
    parts = []
    for system, language in pairs:
        translations = published_translations(system, language)
        for rule in ("own", "authors") if language in AUTHORS else ("own",):
            genders = read_genders(translations, language, sentences, rule=rule)
            table = winomt_intervals(
                genders,
                sentences,
                stereotypes=stereotypes,
                n_resamples=n_resamples,
                rng=generator,
            )
            table.loc["unread", "value"] = 100 * genders.count("unknown") / len(genders)
            about = {"system": system, "language": language, "rule": rule, "n": len(genders)}
            parts.append(table.rename_axis("score").reset_index().assign(**about))
    return pd.concat(parts, ignore_index=True)


def beside_logs(scores: pd.DataFrame, null: pd.DataFrame, score: str, rule: str) -> pd.DataFrame:
    """Scores of one rule, with the blind translator's band and the authors' log in their rows.

    Parameters
    ----------
    scores, null : DataFrame
        Columns system, language, rule, value, low and high; null may have no row.
    score : str
        As `winomt_table` calls it.
    rule : str
        "own" or "authors".

    Returns
    -------
    DataFrame
        The rows of that rule in the order of `scores`, with columns null low, null high and paper
        (NaN where there is none).
    """
    keys = ["system", "language", "rule"]
    band = null.reindex(columns=[*keys, "low", "high"])
    band = band.rename(columns={"low": "null low", "high": "null high"})
    table = scores[scores["rule"] == rule].merge(band, on=keys, how="left")
    logs = [PUBLISHED.get((row.system, row.language)) for row in table.itertuples()]
    return table.assign(paper=[getattr(log, score, float("nan")) for log in logs])
