"""Does a translator use the context in a sentence? The test of Escudé Font & Costa-jussà (2019).

"I've known her for a long time, my friend works as an accounting clerk." has one translation in
which all words agree: *amiga*, and a feminine form of the occupation. The paper counts *amiga* and
*amigo*; here the occupation's own form and its article are read, too.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.inference.bootstrap import word_interval
from lib.inference.sums import share_reaching, swapped_sums
from lib.lexicons import load_lexicon
from lib.translation.gender import GENDERS, agreed
from lib.translation.translators import Translator
from studies.equalizing.preference import log_odds

READINGS = ("friend", "occupation", "article")
CONTEXTS = ("her", "him", "Mary", "John")  # of the paper
NO_CONTEXT = "someone"  # says no gender
CONTROLS = ("She", "He")  # the person is the friend, in one clause
PAIRS = (("her", "him"), ("Mary", "John"), CONTROLS)  # contexts that differ in the gender they say
SAYS = {
    "her": "feminine",
    "him": "masculine",
    "Mary": "feminine",
    "John": "masculine",
    "someone": "unmarked",
    "She": "feminine",
    "He": "masculine",
}
CONTROL_TEMPLATE = "{context} is my friend, and works as {article} {occupation}."
# How a reference begins, up to the friend.
BEGINNINGS = {
    "her": "La conozco desde hace mucho tiempo, mi",
    "him": "Lo conozco desde hace mucho tiempo, mi",
    "Mary": "Conozco a Mary desde hace mucho tiempo, mi",
    "John": "Conozco a John desde hace mucho tiempo, mi",
    "someone": "Conozco a alguien desde hace mucho tiempo, mi",
    "She": "Ella es mi",
    "He": "Él es mi",
}
# The same, without what the beginning itself says of the friend.
SILENT_BEGINNINGS = dict.fromkeys(SAYS, BEGINNINGS["someone"]) | dict.fromkeys(CONTROLS, "Es mi")


def own_occupations() -> pd.DataFrame:
    """The occupations written for this book: columns english, feminine, masculine; other common words for the same follow after a
    slash.
    """
    rows = load_lexicon("spanish_occupations")["forms"]
    return pd.DataFrame(rows, columns=["english", "feminine", "masculine"])


def occupations_of(rows: Iterable[Sequence[str]]) -> pd.DataFrame:
    """Occupations of one's own, (English, feminine, masculine), in the form of `own_occupations`; a row that stands twice is kept
    once.
    """
    found = [tuple(" ".join(str(form).split()) for form in row) for row in rows]
    for row in found:
        if len(row) != 3 or not all(row):
            raise ValueError(
                f"expected an occupation, its feminine and its masculine form, got {row!r:.80}"
            )
    found = list(dict.fromkeys(found))
    if len(found) < 3:
        raise ValueError(f"expected three occupations or more, got {len(found)}")
    return pd.DataFrame(found, columns=["english", "feminine", "masculine"])


def occupations_in(path: str | Path) -> pd.DataFrame:
    """`occupations_of` a CSV file with the columns english, feminine and masculine."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
    columns = ["english", "feminine", "masculine"]
    if not {*columns} <= {*table.columns}:
        raise ValueError(
            f"{path}: expected the columns {', '.join(columns)}, got {', '.join(table.columns)}"
        )
    return occupations_of(table[columns].to_numpy().tolist())


def make_test(occupations: pd.DataFrame, contexts: Iterable[str] = CONTEXTS) -> pd.DataFrame:
    """The sentences of the test: a row for each context (of `CONTEXTS`, `NO_CONTEXT`, or `CONTROLS`, whose sentences leave no
    doubt who the friend is) and occupation. Columns context; says: "feminine", "masculine" or "unmarked"; line: of the
    occupation, from 0; english, feminine, masculine; text.
    """
    (paper,) = load_lexicon("font2019")["templates"]
    rows = []
    for context in contexts:
        one_of("context", context, SAYS)
        template = CONTROL_TEMPLATE if context in CONTROLS else paper
        for line, row in enumerate(occupations.to_dict("records")):
            text = template.format(
                context=context, article=article_of(row["english"]), occupation=row["english"]
            )
            rows.append(
                {"context": context, "says": SAYS[context], "line": line, **row, "text": text}
            )
    return pd.DataFrame(rows)


def article_of(phrase: str) -> str:
    """The English article by the first letter, as the paper's sentences seem to have it."""
    return "an" if phrase.lower().startswith(tuple("aeiou")) else "a"


def made_up(
    test: pd.DataFrame, friend: Mapping[str, str], occupation: Mapping[str, str]
) -> Callable[[Sequence[str]], list[str]]:
    """A translator that answers from the list's own forms, for `load_translator`.

    friend, occupation: what the sentence says ("feminine", "masculine", "unmarked") -> "feminine" or "masculine".
    """
    words = {"feminine": "amiga", "masculine": "amigo"}
    answers = {
        row["text"]: f"Mi {words[friend[row['says']]]} trabaja como {row[occupation[row['says']]]}."
        for row in test.to_dict("records")
    }
    return lambda texts: [answers[text] for text in texts]


def friend_gender(translation: str) -> str:
    """Whether a translation says *amiga* or *amigo*, as whole words; "unmarked" where it says neither, which the paper counts as
    wrong.
    """
    found = {"amiga": "feminine", "amigo": "masculine"}
    return agreed(found[word] for word in _words(translation) if word in found)


def occupation_gender(translation: str, feminine: str, masculine: str) -> str:
    """The gender of the occupation, by the words that only one of its two forms has; "unmarked" where none of these words is
    there, so also where the forms are the same.
    """
    forms = {"feminine": set(_words(feminine)), "masculine": set(_words(masculine))}
    shared = forms["feminine"] & forms["masculine"]
    words = set(_words(translation))
    return agreed(gender for gender, own in forms.items() if words & (own - shared))


def article_gender(translation: str) -> str:
    """The gender of the article that follows *como* or *de*, "trabaja como una artista"; "unmarked" without one, as Spanish
    usually has it.
    """
    articles = {"una": "feminine", "un": "masculine"}
    found = re.findall(r"\b(?:como|de) (una|un)\b", translation.lower())
    return agreed(articles[word] for word in found)


def read_outputs(test: pd.DataFrame, translations: Sequence[str]) -> pd.DataFrame:
    """The test with what its translations say: columns translation; friend, occupation, article: one of `GENDERS`; two forms:
    whether the occupation's forms differ.
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
    """How many outputs of each context (rows) are read as what (`GENDERS`), by one of `READINGS`."""
    table = pd.crosstab(read["context"], read[reading])
    order = list(dict.fromkeys(read["context"]))
    return table.reindex(index=order, columns=[*GENDERS], fill_value=0)


def accuracies(read: pd.DataFrame, reading: str = "friend", **drawn) -> pd.DataFrame:
    """Per cent of the outputs that say what the context says, with an interval over English occupations, for each context that
    says a gender. Columns n, right, value, low, high; share: of the outputs that are feminine among those read as feminine or
    masculine, in per cent.
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


def amiga_log_odds(
    translator: Translator, test: pd.DataFrame, *, silent: bool = False
) -> NDArray[np.float64]:
    """How much more probable *amiga* is than *amigo* after the beginning of a translation: natural logarithm, shape (n,), above 0
    for *amiga*. silent: whether the beginning is one for all contexts and says no gender ("Conozco a alguien …"), so that only
    the English does, or that of a right translation ("La conozco …").
    """
    begins = SILENT_BEGINNINGS if silent else BEGINNINGS
    beginnings = [begins[context] for context in test["context"]]
    return log_odds(
        translator,
        list(test["text"]),
        [f"{beginning} amiga" for beginning in beginnings],
        [f"{beginning} amigo" for beginning in beginnings],
    )


def context_effects(
    test: pd.DataFrame,
    values: Sequence[float],
    pairs: Sequence[tuple[str, str]],
    resamples: int = 2000,
    *,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How much a value changes from one context to another (the second of a pair is taken from the first), paired over occupations.

    values, one for each row of the test: log odds, or 1 where an output says *amiga* and 0 elsewhere. Indexed by "first −
    second": value, low, high (BCa over occupations); p: two-sided, of exchanging the contexts within occupations; holm: corrected
    over the pairs; n: occupations. NaN ends where nothing varies.
    """
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(rng)
    table = test.assign(value=np.asarray(values, float)).pivot_table(
        "value", "english", "context", observed=True
    )
    rows = {}
    for first, second in pairs:
        one, other = table[[first]].to_numpy(), table[[second]].to_numpy()
        moved = (one - other)[:, 0]
        low, high = np.nan, np.nan
        if np.ptp(moved) > 0:
            low, high = word_interval(np.mean, moved, n_resamples=resamples, rng=rng)
        null = np.subtract(*swapped_sums(one, other, n_resamples=resamples, rng=rng))[:, 0]
        rows[f"{first} − {second}"] = {
            "value": moved.mean(),
            "low": low,
            "high": high,
            "p": float(share_reaching(moved.sum(), null)),
            "n": len(moved),
        }
    effects = pd.DataFrame.from_dict(rows, orient="index")
    effects["holm"] = multipletests(effects["p"], method="holm")[1]
    return effects


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
