"""Sentences about two people and a pronoun, filled from templates, with exact character offsets; and whom a resolver takes
the pronoun for.

Filled sentences come out as one kind of table, which has GAP's columns and says how the sentence was made.
"""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.checks import one_of, real_numbers

CASES = ("nominative", "accusative", "possessive")
# Pronoun set -> its forms, in the order of `CASES`.
PRONOUNS = {
    "he": ("he", "him", "his"),
    "she": ("she", "her", "her"),
    "they": ("they", "them", "their"),
    "xe": ("xe", "xem", "xyr"),
}
GENDERS = {"he": "male", "she": "female"}
LEXICON = "two_people"  # frames and nouns of this book's own sentences
ORDERS = (("occupation", "participant"), ("participant", "occupation"))
SLOT = re.compile(r"\{(\w+)\}")


def fill_template(template: str, people: Mapping[str, str], pronouns: str) -> dict[str, object]:
    """A sentence with two people and a pronoun in its slots, and where each of them is.

    Parameters
    ----------
    template : str
        One slot for each person, by name, and one of "{nominative}", "{accusative}", "{possessive}". A slot that
        begins the sentence takes a capital; "{nominative} was" becomes "were" where the pronoun is "they".
    people : mapping of str to str
        Name of the slot -> noun.
    pronouns : str
        One of `PRONOUNS`.

    Returns
    -------
    dict
        GAP's columns Text, Pronoun, A and B with their offsets in characters (A is the person who comes first), the
        `gender` of the pronoun ("female", "male" or "neither"), `pronouns`, `case`, and `slots`: the names of the
        slots of A and B.

    Raises
    ------
    ValueError
        For an unknown pronoun set, or a template without exactly these slots.

    Examples
    --------
    >>> filled = fill_template("The {one} called the {two}, but {nominative} was out.", {"one": "cook", "two": "guest"}, "they")
    >>> filled["Text"], filled["Pronoun-offset"], filled["slots"]
    ('The cook called the guest, but they were out.', 31, ('one', 'two'))
    """
    one_of("pronouns", pronouns, PRONOUNS)
    forms = dict(zip(CASES, PRONOUNS[pronouns]))
    if pronouns == "they":
        template = template.replace("{nominative} was", "{nominative} were")
    slots = SLOT.findall(template)
    cases = [slot for slot in slots if slot in CASES]
    if len(cases) != 1 or sorted(set(slots) - set(CASES)) != sorted(people) or len(slots) != 3:
        expected = ", ".join(["one pronoun", *sorted(people)])
        raise ValueError(
            f"expected a template with the slots {expected}, once each; got {template!r}"
        )

    text, found = "", {}
    for piece in SLOT.split(template):
        if piece in slots:
            word = forms[piece] if piece in CASES else people[piece]
            word = word if text else word[:1].upper() + word[1:]
            found[piece] = (word, len(text))
            piece = word
        text += piece
    first, second = (slot for slot in slots if slot not in CASES)
    return {
        "Text": text,
        "Pronoun": found[cases[0]][0],
        "Pronoun-offset": found[cases[0]][1],
        "A": found[first][0],
        "A-offset": found[first][1],
        "B": found[second][0],
        "B-offset": found[second][1],
        "gender": GENDERS.get(pronouns, "neither"),
        "pronouns": pronouns,
        "case": cases[0],
        "slots": (first, second),
    }


def fill_schema(
    template: str, occupation: str, participant: str, pronouns: str, about: str
) -> dict[str, object]:
    """A sentence about an occupation and a participant, and which of them the pronoun refers to.

    Parameters
    ----------
    template : str
        As in `fill_template`, with the slots "{occupation}" and "{participant}".
    occupation, participant : str
        The nouns.
    pronouns : str
        One of `PRONOUNS`.
    about : str
        "occupation", "participant" or "neither": whom the pronoun refers to.

    Returns
    -------
    dict
        As `fill_template`, without `slots`, with `about`, the two nouns and the `answer` "A", "B" or "NEITHER".

    Raises
    ------
    ValueError
        As `fill_template`, or for another `about`.

    Examples
    --------
    >>> filled = fill_schema("The {participant} paid the {occupation} for {possessive} work.", "cook", "guest", "xe", "occupation")
    >>> filled["Text"], filled["answer"]
    ('The guest paid the cook for xyr work.', 'B')
    """
    one_of("about", about, ("occupation", "participant", "neither"))
    row = fill_template(template, {"occupation": occupation, "participant": participant}, pronouns)
    answers = dict(zip(row.pop("slots"), "AB"))
    answer = answers.get(about, "NEITHER")
    return row | dict(occupation=occupation, participant=participant, about=about, answer=answer)


def as_passages(rows: list[dict[str, object]], name: str) -> pd.DataFrame:
    """Filled sentences as a table with GAP's columns.

    Parameters
    ----------
    rows : list of dict
        With GAP's columns, `template` and `cluster`: templates of one cluster share people or words.
    name : str
        What the IDs begin with.

    Returns
    -------
    DataFrame
        The rows, with an `ID`, with a number for the cluster as `URL`, as texts of one page share it in GAP (its last
        part is no word, because some resolvers read a page's title), and with `A-coref`, `B-coref` and `neither`.

    Examples
    --------
    >>> row = fill_schema("The {participant} paid the {occupation} for {possessive} work.", "cook", "guest", "he", "participant")
    >>> as_passages([row | dict(template="t", cluster="c")], "own")[["ID", "answer", "URL"]].iloc[0].tolist()
    ['own-1', 'A', 'own/0']
    """
    table = pd.DataFrame(rows)
    table.insert(0, "ID", [f"{name}-{number}" for number in range(1, len(table) + 1)])
    table["URL"] = [f"{name}/{number}" for number in pd.factorize(table["cluster"])[0]]
    for candidate in "AB":
        table[f"{candidate}-coref"] = table["answer"] == candidate
    return table.assign(neither=table["answer"] == "NEITHER")


def occupation_leans(table: pd.DataFrame, probabilities: ArrayLike) -> pd.Series:
    """How much likelier an occupation is meant by *she* than by *he* in the same sentence.

    Parameters
    ----------
    table : DataFrame
        n sentences with GAP's columns and occupation, template, pronouns.
    probabilities : array_like, shape (n, 3)

    Returns
    -------
    Series
        By occupation, the mean over templates of P(occupation | she) − P(occupation | he); positive leans female.
    """
    rows = real_numbers("probabilities", probabilities)
    in_a = (table["A"].str.lower() == table["occupation"].str.lower()).to_numpy()
    held = table.assign(given=np.where(in_a, rows[:, 0], rows[:, 1]))
    held = held[held["pronouns"].isin(["she", "he"])]
    wide = held.pivot(index=["occupation", "template"], columns="pronouns", values="given")
    return (wide["she"] - wide["he"]).groupby("occupation").mean()
