"""Sentences to translate that do not say a gender, with what a translator may make of them.

Sentences of the first person and to a listener: each adjective of `data/lexicons/first_person.json`
stands in every frame of its copula, with a Spanish reference for a woman and one for a man;
`data/lexicons/first_person_french.json` has French ones. `possessive_sentences` are about somebody else, and some say a gender.
"""

import json

import pandas as pd

from lib.checks import one_of
from lib.datasets.tatoeba import read_pairs
from lib.lexicons import load_lexicon, pair_list, word_list
from lib.paths import DATA
from lib.translation import gender_french
from lib.translation.gender_spanish import audience_marking, speaker_marking

READERS = {"speaker": speaker_marking, "audience": audience_marking}
FRENCH_READERS = {"speaker": gender_french.speaker_marking}
MARKINGS = {"es": ("spanish.csv", READERS), "fr": ("french.csv", FRENCH_READERS)}


def first_person_set() -> pd.DataFrame:
    """English sentences of the first person and their Spanish as a man and as a woman says it.

    Returns
    -------
    DataFrame
        Columns english, masculine, feminine, form: the adjective, masculine.

    Examples
    --------
    >>> print(first_person_set()["feminine"][0])
    Estoy avergonzada aquí.
    """
    lexicon = load_lexicon("first_person")
    return pd.DataFrame(
        [
            (
                english.format(adjective),
                spanish.format(form),
                spanish.format(feminine(form)),
                form,
            )
            for copula in ("estar", "ser")
            for english, spanish in lexicon[f"frames_{copula}"]
            for adjective, form in lexicon[f"being_{copula}"]
        ],
        columns=["english", "masculine", "feminine", "form"],
    )


def first_person_set_french() -> pd.DataFrame:
    """English sentences of the first person and their French as a man and as a woman says it.

    Returns
    -------
    DataFrame
        Columns as those of `first_person_set`. The references of a sentence differ in one word.

    Examples
    --------
    >>> print(first_person_set_french()["feminine"][0])
    Je suis fatiguée ici.
    """
    lexicon = load_lexicon("first_person_french")
    return pd.DataFrame(
        [
            (
                english.format(adjective),
                french.format(masculine_form),
                french.format(feminine_form),
                masculine_form,
            )
            for kind in ("state", "trait")
            for english, french in lexicon[f"frames_{kind}"]
            for adjective, masculine_form, feminine_form in lexicon[kind]
        ],
        columns=["english", "masculine", "feminine", "form"],
    )


def listener_set() -> pd.DataFrame:
    """English sentences to a listener and their Spanish.

    Returns
    -------
    DataFrame
        Columns english; him, her, them, women: the Spanish to a man, a woman, several, and several
        women.
    """
    lexicon = load_lexicon("first_person")
    return pd.DataFrame(
        [
            {
                "english": english.format(adjective),
                "him": to_one.format(form),
                "her": to_one.format(feminine(form)),
                "them": to_several.format(f"{form}s"),
                "women": to_several.format(f"{feminine(form)}s"),
            }
            for english, to_one, to_several in lexicon["listener_frames"]
            for adjective, form in lexicon["listeners"]
        ]
    )


def plain_set() -> pd.DataFrame:
    """Sentences that mark neither who speaks nor who listens: columns english, spanish."""
    pairs = load_lexicon("first_person")["plain_pairs"]
    return pd.DataFrame(pairs, columns=["english", "spanish"])


def possessive_sentences() -> pd.DataFrame:
    """English sentences about one person, with which a possessive goes: 24 occupations, four frames, four determiners.

    Returns
    -------
    DataFrame
        Columns text, occupation, frame, says: "her", "his", "their" or "the".

    Examples
    --------
    >>> print(possessive_sentences()["text"][0])
    The nurse lost her keys.
    """
    rows = [
        (frame.format(occupation=occupation, says=says), occupation, frame, says)
        for occupation, _ in pair_list("two_people/occupations")
        for frame in word_list("person_gender/frames")
        for says in word_list("person_gender/says")
    ]
    return pd.DataFrame(rows, columns=["text", "occupation", "frame", "says"])


def held_out_pairs() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Pairs of Tatoeba that the shipped translators were not trained on. Needs the `sample` files.

    Which they are stands in `data/models/tatoeba-en-es/held_out_pairs.csv`; there is one for each
    English sentence.

    Returns
    -------
    speakers : DataFrame
        As `first_person_set`: sentences that mark who speaks, with a held-out adjective.
    plain : DataFrame
        As `plain_set`: sentences that mark no person.
    """
    pairs = read_pairs()
    path = DATA / "models" / "tatoeba-en-es" / "held_out_pairs.csv"
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table[["english", "spanish"]] = [pairs[int(line)] for line in table["line"]]
    # A sentence keeps its first place and its last translation.
    every = table.groupby("english", sort=False, as_index=False).last()
    marked = every[every["stem"] != ""]
    forms = {
        gender: [
            _with_letter(text, places, letter)
            for text, places in zip(marked["spanish"], marked["letters"])
        ]
        for gender, letter in (("masculine", "o"), ("feminine", "a"))
    }
    speakers = pd.DataFrame({"english": marked["english"], **forms, "form": marked["stem"] + "o"})
    test = table[table["part"] == "test"].groupby("english", sort=False, as_index=False).last()
    unmarked = [
        {read(text).gender for read in READERS.values()} == {"unmarked"} for text in test["spanish"]
    ]
    plain = test.loc[unmarked, ["english", "spanish"]]
    return speakers.reset_index(drop=True), plain.reset_index(drop=True)


def held_out_adjectives(translator: str) -> list[str]:
    """Adjectives that a translator never saw behind a prefix, masculine; none if it does not say.

    Parameters
    ----------
    translator : str
        A folder of `data/models`, or any.
    """
    path = DATA / "models" / translator / "held_out.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def _with_letter(text: str, places: str, letter: str) -> str:
    """A sentence with another letter at some places."""
    letters = list(text)
    for place in map(int, places.split()):
        letters[place] = letter
    return "".join(letters)


def feminine(form: str) -> str:
    """The feminine of an adjective in -o.

    Raises
    ------
    ValueError
        For another ending.

    Examples
    --------
    >>> feminine("cansado")
    'cansada'
    """
    if not form.endswith("o"):
        raise ValueError(f"expected a masculine form in -o, got {form!r}")
    return form[:-1] + "a"


def hand_checked(language: str = "es") -> pd.DataFrame:
    """Outputs of the book's translators with what they say as labelled by hand.

    Parameters
    ----------
    language : str
        "es" or "fr".

    Returns
    -------
    DataFrame
        Columns reader ("speaker" or "audience"), text, gender, number (labelled for the audience
        only), agrees: whether `lib.translation.gender_spanish` or `gender_french` reads the same.
        The French also have source: "written" for this book or the translator; first_read: the
        gender that the reader of that day read when it was first run on the sentence, before rules
        were mended; agrees_first: whether that is the label.

    Raises
    ------
    ValueError
        For another language.
    """
    one_of("language", language, MARKINGS)
    name, readers = MARKINGS[language]
    table = pd.read_csv(DATA / "markings" / name, dtype=str, keep_default_na=False)
    read = [readers[row.reader](row.text) for row in table.itertuples()]
    agrees = [
        row.gender == marking.gender and row.number in ("", marking.number)
        for row, marking in zip(table.itertuples(), read)
    ]
    table = table.assign(agrees=agrees)
    if "first_read" in table:
        table = table.assign(agrees_first=table["first_read"] == table["gender"])
    return table
