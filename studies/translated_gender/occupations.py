"""The feminine share of each occupation: by translators of 2019 and of 2025, and where one word of the English says the gender.

WinoMT's sentences name a second person whom the pronoun is not about; GENDEROUS has sentences with one person and no pronoun.
Both are read by the same reader, and set side by side for the occupations that both have. Own sentences, "The librarian lost
{her, his, their, the} keys.", ask whether the possessive decides: a translator that reads it gives the person its gender; one
that does not gives the gender of the occupation's usual form.
"""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.datasets.genderous import SYSTEMS, read_translations
from lib.inference.sums import share_reaching
from lib.lexicons import word_list
from lib.translation.evaluation_sets import possessive_sentences
from lib.translation.person_gender import subject_gender, target_words
from studies.translated_gender.scores import other_people, read_genders
from studies.translated_gender.winomt import published_translations

FIRST = {"google": "Google 2019", "bing": "Bing 2019"}


def shared_occupations(language: str) -> pd.DataFrame:
    """The feminine share, in [0, 1] of the translations that are read as feminine or masculine, of each occupation that both
    benchmarks have: occupations by systems, those of 2019 first. language: "es" or "de", which both have and our reader reads.
    """
    shares = {}
    for system, name in FIRST.items():
        outputs = published_translations(system, language)
        others = other_people(outputs)
        read = read_genders(outputs.loc[others.index, "translation"].tolist(), language, others)
        shares[name] = _shares(others["person"], pd.Series(read, others.index))
    for system, name in SYSTEMS.items():
        table = read_translations(system, language)
        table = table[table["kind"] != "their"]
        read = table["translation"].map(lambda text: subject_gender(text, language))
        shares[name] = _shares(table["occupation"], read)
    return pd.DataFrame(shares).dropna()


def _shares(occupations: pd.Series, read: pd.Series) -> pd.Series:
    gendered = read.isin(["male", "female"])
    return (read == "female")[gendered].groupby(occupations[gendered]).mean()


def mean_shares(
    shares: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Means over occupations with intervals, by system (value, low, high), and paired differences from the first system (less,
    less low, less high).
    """
    generator = np.random.default_rng(rng)
    chosen = generator.integers(0, len(shares), (n_resamples, len(shares)))
    drawn = shares.to_numpy()[chosen].mean(axis=1)
    paired = drawn - drawn[:, [0]]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    less_low, less_high = np.quantile(paired, [0.025, 0.975], axis=0)
    value = shares.mean()
    return pd.DataFrame(
        {
            "value": value,
            "low": low,
            "high": high,
            "less": value - value.iloc[0],
            "less low": less_low,
            "less high": less_high,
        }
    )


def feminine_by_possessive(
    sentences: pd.DataFrame,
    translations: Sequence[str],
    language: str = "es",
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How many of the persons become feminine, by what the English says of them.

    Rows "her", "his", "their", "the" and "her − his". Columns value, low, high: shares of feminine ones among those read as
    feminine or masculine, in [0, 1], or their difference, occupations drawn; n: those read; and for the difference p, least p and
    moved, as `exchanged` gives them. Only occupations of which all four are read count; without two of them all is NaN.
    """
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences)} translations, one for each sentence, got {len(translations)}"
        )
    read = pd.Series([subject_gender(text, language) for text in translations], sentences.index)
    gendered = sentences.assign(feminine=(read == "female").astype(float))[
        read.isin(["female", "male"])
    ]
    shares = gendered.groupby(["occupation", "says"])["feminine"].mean().unstack()
    shares = shares.reindex(columns=["her", "his", "their", "the"]).dropna()
    shares["her − his"] = shares["her"] - shares["his"]
    if len(shares) < 2:
        columns = ["value", "low", "high", "n", "p", "least p", "moved"]
        return pd.DataFrame(np.nan, list(shares.columns), columns)
    found = mean_shares(shares, n_resamples=n_resamples, rng=rng)[["value", "low", "high"]]
    found["n"] = [
        len(gendered) if "−" in says else (gendered["says"] == says).sum() for says in found.index
    ]
    found.loc["her − his", ["p", "least p", "moved"]] = exchanged(shares["her − his"].to_numpy())
    return found


def exchanged(differences: NDArray[np.float64]) -> tuple[float, float, int]:
    """Two-sided p when *her* and *his* change places in any of the occupations; the least p that as many differences could have; how many
    differ at all. All exchanges are counted up to 16 that differ, 100,000 drawn beyond.
    """
    differ = differences[np.abs(differences) > 1e-12]
    if not len(differ):
        return 1.0, 1.0, 0
    if len(differ) > 16:
        signs = np.random.default_rng(0).choice([-1, 1], (100_000, len(differ)))
    else:
        signs = 1 - 2 * (np.arange(2 ** len(differ))[:, None] >> np.arange(len(differ)) & 1)
    sums, observed = np.abs(signs @ differ), abs(differ.sum())
    p = float(np.mean(sums >= observed - 1e-9))
    if len(differ) > 16:
        p = float(share_reaching(observed, sums))
    return p, 2.0 ** (1 - len(differ)), len(differ)


def in_spanish(forms: Sequence[Sequence[str]]) -> dict[str, str]:
    """The book's occupations of `possessive_sentences`, each with its Spanish words, "doctora/médica/doctor/médico", from rows of
    (occupation, feminine, masculine); "" where there are none.
    """
    known = {job: "/".join(words) for job, *words in forms}
    return {job: known.get(job, "") for job in possessive_sentences()["occupation"].unique()}


def own_sentences(people: Iterable[str], frames: Sequence[str]) -> pd.DataFrame:
    """Sentences about people, as `possessive_sentences` for its own: columns text, occupation, frame, says. A frame has {occupation} in
    it, and {says} where the possessive stands.
    """
    without = [frame for frame in frames if "{occupation}" not in frame]
    if without or not frames:
        raise ValueError(
            "sentences: expected {occupation} in each, and {says} where her, his, their and the stand, got "
            + (repr(without[0]) if without else "none")
        )
    rows = [
        (frame.format(occupation=person, says=says), person, frame, says)
        for person in people
        for frame in frames
        for says in word_list("person_gender/says")
    ]
    return pd.DataFrame(rows, columns=["text", "occupation", "frame", "says"])


def named(text: str, forms: Collection[str], language: str = "es") -> bool:
    """Whether a translation begins with one of the words for its person, behind an article or not: *Las llaves perdieron sus llaves* has
    a gender, and nobody in it. Of a form of several words the first counts.
    """
    words = [word for word in target_words(text, language) if word[0].isalpha()]
    return bool({*words[:2]} & {form.lower().split()[0] for form in forms if form.split()})
