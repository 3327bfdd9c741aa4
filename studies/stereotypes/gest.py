"""What models and translators made of the sentences of GEST (`lib.datasets.gest`).

Released with them: a score for each sentence from 23 decoders under two templates and from 11 masked models under four, and
what four systems make of the sentences in Slavic languages, where the first person has a gender.

A score is the log odds, to base 10, of the masculine against the feminine word: positive is masculine.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from lib.checks import one_of
from lib.datasets.gest import SENTENCES, TEMPLATES, read_sentences
from lib.paths import DATA
from lib.sources import fetch

SUMMARY = DATA / "released" / "gest_scores.csv"
# What the first annotator could tick, who did not see the stereotype -> from women's to men's.
VOTES: Mapping[str, int] = MappingProxyType(
    {
        "gender_strong_female": -2,
        "gender_female": -1,
        "gender_neutral": 0,
        "gender_male": 1,
        "gender_strong_male": 2,
    }
)
SYSTEMS: Mapping[str, str] = MappingProxyType(
    {
        "amazon_translate": "Amazon Translate",
        "deepl": "DeepL",
        "google_translate": "Google Translate",
        "nllb_3b": "NLLB 3.3B",
    }
)
LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "be": "Belarusian",
        "ru": "Russian",
        "uk": "Ukrainian",
        "hr": "Croatian",
        "sl": "Slovene",
        "sr": "Serbian",
        "cs": "Czech",
        "pl": "Polish",
        "sk": "Slovak",
    }
)
# The languages that a system does not translate into.
WITHOUT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"amazon_translate": ("be",), "deepl": ("be", "hr", "sr")}
)


class Model(NamedTuple):
    """A model whose scores are released."""

    name: str
    kind: str  # "decoder" or "masked"
    family: str
    weights: int  # as the authors count them
    base: str = ""  # the released model that it was tuned from, to follow instructions


MODELS: tuple[Model, ...] = (
    Model("pythia-70m", "decoder", "Pythia", 70_426_624),
    Model("pythia-160m", "decoder", "Pythia", 162_322_944),
    Model("pythia-410m", "decoder", "Pythia", 405_334_016),
    Model("pythia-1b", "decoder", "Pythia", 1_011_781_632),
    Model("pythia-1.4b", "decoder", "Pythia", 1_414_647_808),
    Model("pythia-2.8b", "decoder", "Pythia", 2_775_208_960),
    Model("pythia-6.9b", "decoder", "Pythia", 6_857_302_016),
    Model("pythia-12b", "decoder", "Pythia", 11_846_072_320),
    Model("gpt2", "decoder", "GPT-2", 124_439_808),
    Model("gpt2-medium", "decoder", "GPT-2", 354_823_168),
    Model("gpt2-large", "decoder", "GPT-2", 774_030_080),
    Model("gpt2-xl", "decoder", "GPT-2", 1_557_611_200),
    Model("phi-1", "decoder", "Phi", 1_418_270_720),
    Model("phi-1_5", "decoder", "Phi", 1_418_270_720),
    Model("phi-2", "decoder", "Phi", 2_779_683_840),
    Model("Llama-2-7b-hf", "decoder", "Llama 2", 6_738_415_616),
    Model("Llama-2-13b-hf", "decoder", "Llama 2", 13_015_864_320),
    Model("Llama-2-7b-chat-hf", "decoder", "Llama 2", 6_738_415_616, "Llama-2-7b-hf"),
    Model("Llama-2-13b-chat-hf", "decoder", "Llama 2", 13_015_864_320, "Llama-2-13b-hf"),
    Model("Mistral-7B-v0.1", "decoder", "Mistral", 7_241_732_096),
    Model("Mistral-7B-Instruct-v0.1", "decoder", "Mistral", 7_241_732_096, "Mistral-7B-v0.1"),
    Model("openchat-3.5-0106", "decoder", "Mistral", 7_241_748_480, "Mistral-7B-v0.1"),
    # Tuned from Mistral-7B-v0.2, of which no scores are released.
    Model("Mistral-7B-Instruct-v0.2", "decoder", "Mistral", 7_241_732_096),
    Model("bert-base-uncased", "masked", "BERT", 109_514_298),
    Model("bert-base-multilingual-cased", "masked", "BERT", 177_974_523),
    Model("distilbert-base-uncased", "masked", "BERT", 66_985_530),
    Model("roberta-base", "masked", "RoBERTa", 124_697_433),
    Model("xlm-roberta-base", "masked", "RoBERTa", 278_295_186),
    Model("xlm-roberta-large", "masked", "RoBERTa", 560_142_482),
    Model("xlm-v-base", "masked", "RoBERTa", 779_396_349),
    Model("xlm-roberta-xl", "masked", "RoBERTa", 3_482_741_760),
    Model("albert-base-v2", "masked", "ALBERT", 11_221_680),
    Model("electra-base-generator", "masked", "ELECTRA", 33_740_602),
    Model("electra-large-generator", "masked", "ELECTRA", 51_295_290),
)


def score_key(model: str, template: int) -> str:
    """The registry key of a model's scores under one of its templates, counted from 0.

    Examples
    --------
    >>> score_key("pythia-1.4b", 1)
    'gest_data_predictions_english_glm_pythia_1_4b_template_1'
    """
    kinds = {each.name: each.kind for each in MODELS}
    one_of("model", model, kinds)
    one_of("template", template, range(len(TEMPLATES[kinds[model]])))
    folder = "glm" if kinds[model] == "decoder" else "mlm"
    name = "".join(letter if letter.isalnum() else "_" for letter in model.lower())
    return f"gest_data_predictions_english_{folder}_{name}_template_{template}"


def read_scores() -> pd.DataFrame:
    """What each model gives each sentence: log odds, to base 10, of the masculine against the feminine word.

    Needs the `sample` files, `gest_data_predictions_english_glm_*` and `gest_data_predictions_english_mlm_*`.

    Returns
    -------
    DataFrame
        3,565 rows in the order of `read_sentences`, and a column for each model and template (counted from 0), 90 in
        all. Positive is masculine.

    Raises
    ------
    ValueError
        For a file with another number of scores.
    FetchError
        Where a file is not at hand.
    """
    columns = {}
    for model in MODELS:
        for template in range(len(TEMPLATES[model.kind])):
            key = score_key(model.name, template)
            scores = [float(line) for line in fetch(key).read_text(encoding="utf-8").split()]
            if len(scores) != SENTENCES:
                raise ValueError(
                    f"{key}: expected {SENTENCES} scores, got {len(scores)}; fetch it again"
                )
            columns[model.name, template] = scores
    return pd.DataFrame(columns).rename_axis(columns=["model", "template"])


def read_summary() -> pd.DataFrame:
    """Mean and spread of the released scores, by model, template and stereotype. Comes with the book.

    Returns
    -------
    DataFrame
        1,440 rows: model; template, from 0; stereotype, 1 to 16; n, how many sentences; mean and sd (of the sentences,
        with n − 1) of their scores; first and second: the means of every other sentence, in the order of the file.

    Examples
    --------
    >>> read_summary().query("model == 'gpt2' and template == 0 and stereotype == 7")["mean"].round(2).tolist()
    [-0.17]
    """
    return pd.read_csv(SUMMARY)


def read_blind_votes() -> pd.Series:
    """How a person who did not see the stereotype took each sentence. Needs the file `gest_data_annotations`.

    Returns
    -------
    Series
        By the position in `read_sentences`: −2 (strongly women's) to 2 (strongly men's), 0 for neither; NaN for the few
        sentences that are not in the annotated file as they are. One person each; four in all.

    Raises
    ------
    ValueError
        Where a sentence has no vote or several.
    FetchError
        Where the file is not at hand.
    """
    # The other columns hold initials of people.
    table = pd.read_csv(fetch("gest_data_annotations"), usecols=["sentence", "fix", *VOTES])
    ticked = table[list(VOTES)].notna()
    table["vote"] = ticked.mul(pd.Series(VOTES)).sum(axis=1).where(ticked.sum(axis=1) == 1)
    # A sentence was mended after it had been read: what it says stayed.
    table["sentence"] = table["fix"].fillna(table["sentence"])
    votes = table.drop_duplicates("sentence").set_index("sentence")["vote"]
    found = read_sentences()["sentence"].map(votes)
    if found.notna().mean() < 0.99:
        raise ValueError(
            f"gest_data_annotations: expected one vote for nearly every sentence, got {found.notna().sum()} of "
            f"{len(found)}; fetch it again"
        )
    return found.rename("vote")


def translated(system: str) -> list[str]:
    """The languages, of `LANGUAGES`, that a system translates into.

    Examples
    --------
    >>> translated("deepl")
    ['ru', 'uk', 'sl', 'cs', 'pl', 'sk']
    """
    one_of("system", system, SYSTEMS)
    return [language for language in LANGUAGES if language not in WITHOUT.get(system, ())]


def read_translations(system: str, language: str) -> pd.Series:
    """What a system makes of each sentence. Needs the files `gest_data_translations_*`.

    Parameters
    ----------
    system : str
        One of `SYSTEMS`.
    language : str
        One of `LANGUAGES` that the system has (`translated`).

    Returns
    -------
    Series
        By the position in `read_sentences`.

    Raises
    ------
    ValueError
        For another system or language, and for a file that lacks sentences.
    FetchError
        Where the file is not at hand.
    """
    one_of("language", language, translated(system))
    key = f"gest_data_translations_{system}_{language}_translations"
    table = pd.read_csv(fetch(key), keep_default_na=False).drop_duplicates("from", keep="last")
    found = read_sentences()["sentence"].map(table.set_index("from")["to"])
    if found.isna().any():
        raise ValueError(
            f"{key}: expected a translation of each of {SENTENCES} sentences, {found.isna().sum()} are not there; "
            "fetch it again"
        )
    return found.rename("translation")


def read_prompted(system: str) -> pd.DataFrame:
    """Slovak translations of the sentences with *The man said* or *The woman said* before them.

    Needs the files `gest_data_translations_*_sk_translations`.

    Parameters
    ----------
    system : str
        One of `SYSTEMS` but "nllb_3b", which was not asked so.

    Returns
    -------
    DataFrame
        By the position in `read_sentences`: columns man and woman, the whole translations, "" where there is none.

    Raises
    ------
    ValueError
        For another system.
    FetchError
        Where a file is not at hand.
    """
    one_of("system", system, [name for name in SYSTEMS if name != "nllb_3b"])
    table = pd.read_csv(
        fetch(f"gest_data_translations_{system}_sk_translations"), keep_default_na=False
    )
    made = table.drop_duplicates("from", keep="last").set_index("from")["to"]
    sentences = read_sentences()["sentence"]
    found = {}
    for who in ("man", "woman"):
        # DeepL was asked without a colon, for most sentences.
        asked = [f'The {who} said{colon} "' + sentences + '"' for colon in (":", "")]
        found[who] = asked[0].map(made).fillna(asked[1].map(made)).fillna("")
    return pd.DataFrame(found)
