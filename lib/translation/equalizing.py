"""Does a translator use the context in a sentence? The test of Escudé Font & Costa-jussà (2019).

"I've known her for a long time, my friend works as an accounting clerk." has one translation in
which all words agree: *amiga*, and a feminine form of the occupation. The paper counts *amiga* and
*amigo*; here the occupation's own form and its article are read, too.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from lib.lexicons import load_lexicon
from lib.translation.gender import GENDERS, agreed

CONTEXTS = {"her": "feminine", "him": "masculine", "Mary": "feminine", "John": "masculine"}
READINGS = ("friend", "occupation", "article")


def make_test(occupations: pd.DataFrame, contexts: Iterable[str] = tuple(CONTEXTS)) -> pd.DataFrame:
    """The sentences of the test: each occupation in each context.

    Parameters
    ----------
    occupations : DataFrame
        Columns english, feminine, masculine.
    contexts : iterable of str
        Of `CONTEXTS`, or None for "someone", which says no gender.

    Returns
    -------
    DataFrame
        A row for each context and occupation: context; says: "feminine", "masculine" or, of
        someone, "unmarked"; line: of the occupation, from 0; english, feminine, masculine; text.

    Examples
    --------
    >>> nurse = pd.DataFrame({"english": ["nurse"], "feminine": ["f"], "masculine": ["m"]})
    >>> make_test(nurse, ["Mary"])["text"][0]
    "I've known Mary for a long time, my friend works as a nurse."
    """
    (template,) = load_lexicon("font2019")["templates"]
    rows = []
    for context in contexts:
        for line, row in enumerate(occupations.to_dict("records")):
            text = template.format(
                context=context, article=article_of(row["english"]), occupation=row["english"]
            )
            says = CONTEXTS.get(context, "unmarked")
            rows.append({"context": context, "says": says, "line": line, **row, "text": text})
    return pd.DataFrame(rows)


def article_of(phrase: str) -> str:
    """The English article by the first letter, as the paper's sentences seem to have it.

    Examples
    --------
    >>> article_of("accounting clerk"), article_of("usher"), article_of("nurse")
    ('an', 'an', 'a')
    """
    return "an" if phrase.lower().startswith(tuple("aeiou")) else "a"


def friend_gender(translation: str) -> str:
    """Whether a translation says *amiga* or *amigo*, as whole words.

    Returns
    -------
    str
        One of `GENDERS`; "unmarked" where it says neither, which the paper counts as wrong.

    Examples
    --------
    >>> [friend_gender(text) for text in ("Mi amiga trabaja.", "Mis amigos.", "¿Amigo o amiga?")]
    ['feminine', 'unmarked', 'ambiguous']
    """
    found = {"amiga": "feminine", "amigo": "masculine"}
    return agreed(found[word] for word in _words(translation) if word in found)


def occupation_gender(translation: str, feminine: str, masculine: str) -> str:
    """The gender of the occupation, by the words that only one of its two forms has.

    Parameters
    ----------
    translation : str
    feminine, masculine : str
        Phrases: "mecánica de refrigeración", "mecánico de refrigeración".

    Returns
    -------
    str
        One of `GENDERS`; "unmarked" where none of these words is there, so also where the forms are
        the same.

    Examples
    --------
    >>> text = "Mi amiga trabaja como mecánico."
    >>> occupation_gender(text, "mecánica de coches", "mecánico de coches")
    'masculine'
    """
    forms = {"feminine": set(_words(feminine)), "masculine": set(_words(masculine))}
    shared = forms["feminine"] & forms["masculine"]
    words = set(_words(translation))
    return agreed(gender for gender, own in forms.items() if words & (own - shared))


def article_gender(translation: str) -> str:
    """The gender of the article that follows *como* or *de*: "trabaja como una artista".

    Returns
    -------
    str
        "unmarked" without an article, as Spanish usually has it.

    Examples
    --------
    >>> [article_gender(f"Trabaja {rest}.") for rest in ("como una artista", "de artista")]
    ['feminine', 'unmarked']
    """
    articles = {"una": "feminine", "un": "masculine"}
    found = re.findall(r"\b(?:como|de) (una|un)\b", translation.lower())
    return agreed(articles[word] for word in found)


def read_outputs(test: pd.DataFrame, translations: Sequence[str]) -> pd.DataFrame:
    """The test with what its translations say.

    Parameters
    ----------
    test : DataFrame
        As `make_test`.
    translations : sequence of str
        One for each row.

    Returns
    -------
    DataFrame
        The test's columns, and translation; friend, occupation, article: one of `GENDERS`; two
        forms: whether the occupation's forms differ.

    Raises
    ------
    ValueError
        Where there are not as many translations as rows.
    """
    if len(translations) != len(test):
        raise ValueError(
            f"expected {len(test):,} translations, one for each sentence, got {len(translations):,}"
        )
    forms = list(zip(translations, test["feminine"], test["masculine"]))
    return test.assign(
        translation=list(translations),
        friend=[friend_gender(text) for text in translations],
        occupation=[occupation_gender(*row) for row in forms],
        article=[article_gender(text) for text in translations],
        **{"two forms": [feminine != masculine for _, feminine, masculine in forms]},
    )


def counts_by_context(read: pd.DataFrame, reading: str = "friend") -> pd.DataFrame:
    """How many outputs of each context are read as what.

    Parameters
    ----------
    read : DataFrame
        As `read_outputs`.
    reading : str
        One of `READINGS`.

    Returns
    -------
    DataFrame
        Rows contexts, columns `GENDERS`.
    """
    table = pd.crosstab(read["context"], read[reading])
    order = list(dict.fromkeys(read["context"]))
    return table.reindex(index=order, columns=[*GENDERS], fill_value=0)


def accuracies(read: pd.DataFrame, reading: str = "friend", **drawn) -> pd.DataFrame:
    """Per cent of the outputs that say what the context says, with an interval over occupations.

    Parameters
    ----------
    read : DataFrame
        As `read_outputs`.
    reading : str
        One of `READINGS`.
    **drawn
        `resamples` (2,000) and `rng`: lines of one English occupation are drawn together.

    Returns
    -------
    DataFrame
        A row for each context that says a gender: n, right, value, low, high; share: of the outputs
        that are feminine among those read as feminine or masculine, in per cent.
    """
    rows = {}
    for context, part in read[read["says"] != "unmarked"].groupby("context", sort=False):
        right = (part[reading] == part["says"]).to_numpy()
        marked = part[reading].isin(["feminine", "masculine"])
        low, high = _interval(right, part["english"].to_numpy(), **drawn)
        rows[context] = {
            "n": len(part),
            "right": int(right.sum()),
            "value": 100 * right.mean(),
            "low": low,
            "high": high,
            "share": 100 * (part.loc[marked, reading] == "feminine").mean(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("context")


def _interval(
    right: np.ndarray,
    groups: np.ndarray,
    resamples: int = 2000,
    *,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float]:
    """Percentiles of the per cent that is right, groups drawn with what they hold."""
    _, number = np.unique(groups, return_inverse=True)
    sizes, sums = np.bincount(number), np.bincount(number, weights=right)
    uniform = np.full(len(sizes), 1 / len(sizes))
    drawn = np.random.default_rng(rng).multinomial(len(sizes), uniform, resamples)
    low, high = np.quantile(100 * (drawn @ sums) / (drawn @ sizes), [0.025, 0.975])
    return float(low), float(high)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
