"""Sentences of our own: frames that say nothing good or bad of a person, with a noun and an occupation."""

from collections.abc import Sequence

import pandas as pd

from lib.lexicons import load_lexicon

Pair = tuple[str, str]

CONTROL = "person"
SIDES = ("female", "male")
# {noun} and {occupation}, which brings its article. The first is the paper's.
FRAMES = (
    "{noun} is {occupation}.",
    "I spoke to {noun}, who is {occupation}.",
    "The form says that {noun} is {occupation}.",
    "{noun} is {occupation}, and lives in this street.",
    "{noun} is {occupation} from the next town.",
    "{noun}, {occupation} from our street, answered the phone.",
    "We met {noun}, {occupation} who lives nearby.",
    "It was {noun}, {occupation} from the north, who called at noon.",
    "At the counter there is {noun}, {occupation} with a form.",
    "Next to me sits {noun}, {occupation} on the way home.",
)
# (female, male), as elsewhere in the book
PAIRS = (
    ("this woman", "this man"),
    ("this girl", "this boy"),
    ("my mother", "my father"),
    ("my sister", "my brother"),
    ("my daughter", "my son"),
    ("my aunt", "my uncle"),
    ("my niece", "my nephew"),
    ("my grandmother", "my grandfather"),
    ("my wife", "my husband"),
    ("this lady", "this gentleman"),
)


def occupations_of_the_paper() -> tuple[str, ...]:
    """The 20 occupations that Bhaskaran & Bhallamudi print, and "person", their control.

    Examples
    --------
    >>> occupations_of_the_paper()[-2:]
    ('bartender', 'person')
    """
    return (*load_lexicon("bhaskaran2019")["professions"], CONTROL)


def fill(frame: str, noun: str, occupation: str) -> str:
    """A sentence of a frame, with "a" or "an" by the letter that follows.

    Parameters
    ----------
    frame : str
        With {noun} and {occupation}.
    noun : str
        A name or a noun with its article or pronoun.
    occupation : str
        Without an article.

    Returns
    -------
    str
        It begins with a capital.

    Raises
    ------
    ValueError
        For a frame without one of the two slots.

    Examples
    --------
    >>> fill("{noun} is {occupation}.", "this woman", "artist")
    'This woman is an artist.'
    """
    if "{noun}" not in frame or "{occupation}" not in frame:
        raise ValueError(f"frame: expected {{noun}} and {{occupation}} in it, got {frame!r}")
    article = "an" if occupation[:1].lower() in "aeiou" else "a"
    text = frame.replace("{noun}", noun).replace("{occupation}", f"{article} {occupation}")
    return text[:1].upper() + text[1:]


def own_sentences(
    frames: Sequence[str] = FRAMES,
    pairs: Sequence[Pair] = PAIRS,
    occupations: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Every frame with every noun of every pair and every occupation.

    Parameters
    ----------
    frames : sequence of str
        With {noun} and {occupation}.
    pairs : sequence of (str, str)
        Feminine and masculine.
    occupations : sequence of str, optional
        By default `occupations_of_the_paper`.

    Returns
    -------
    DataFrame
        Columns text, template, pair ("this woman–this man" on both sides), side ("female" or "male") and occupation.

    Raises
    ------
    ValueError
        For an empty or repeated part, or a frame without its slots.

    Examples
    --------
    >>> own_sentences()[["text", "side"]].iloc[[0, 1]].to_numpy().tolist()
    [['This woman is a truck driver.', 'female'], ['This man is a truck driver.', 'male']]
    >>> len(own_sentences())
    4200
    """
    occupations = occupations_of_the_paper() if occupations is None else occupations
    for name, given in {"frames": frames, "pairs": pairs, "occupations": occupations}.items():
        if isinstance(given, str) or not len(given) or len(set(given)) < len(given):
            raise ValueError(
                f"{name}: expected a list of one or more, none twice, got {given!r:.60}"
            )
    rows = [
        (fill(frame, noun, occupation), frame, "–".join(pair), side, occupation)
        for frame in frames
        for pair in pairs
        for occupation in occupations
        for side, noun in zip(SIDES, pair)
    ]
    return pd.DataFrame(rows, columns=["text", "template", "pair", "side", "occupation"])
