"""Winogender (Rudinger, Naradowsky, Leonard & Van Durme 2018): 120 templates about 60 occupations."""

import csv

import pandas as pd

from lib.datasets.schemas import as_passages, fill_schema
from lib.sources import fetch

SLOTS = {
    "$OCCUPATION": "{occupation}",
    "$PARTICIPANT": "{participant}",
    "$NOM_PRONOUN": "{nominative}",
    "$ACC_PRONOUN": "{accusative}",
    "$POSS_PRONOUN": "{possessive}",
}
ABOUT = {"0": "occupation", "1": "participant"}


def read_winogender(
    pronouns: tuple[str, ...] = ("he", "she", "they"), *, someone: bool = False
) -> pd.DataFrame:
    """Winogender's templates, filled.

    Parameters
    ----------
    pronouns : tuple of str
        Of `lib.datasets.schemas.PRONOUNS`; the paper's three, and xe if wanted.
    someone : bool
        Also every sentence with "someone" for the participant, as in the released list of 720.

    Returns
    -------
    DataFrame
        GAP's columns and occupation, participant, about, pronouns, case, template and cluster (the two templates of an
        occupation).

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Rudinger et al. (2018), "Gender Bias in Coreference Resolution".
    """
    table = pd.read_csv(fetch("winogender_templates"), sep="\t", quoting=csv.QUOTE_NONE, dtype=str)
    rows = []
    for number, (occupation, participant, answer, sentence) in enumerate(table.to_numpy()):
        template = with_slots(sentence)
        anyone = template.replace("The {participant}", "{participant}")
        anyone = anyone.replace("the {participant}", "{participant}").replace(
            "a {participant}", "{participant}"
        )
        ways = [(template, participant), (anyone, "someone")]
        for way, noun in ways if someone else ways[:1]:
            label = f"{occupation}-{number}-{noun}"
            rows += [
                fill_schema(way, occupation, noun, chosen, ABOUT[answer])
                | {"template": label, "cluster": occupation}
                for chosen in pronouns
            ]
    return as_passages(rows, "winogender")


def with_slots(sentence: str) -> str:
    """A published template with the slots of `lib.datasets.schemas`.

    Examples
    --------
    >>> with_slots("The $OCCUPATION met the $PARTICIPANT in $POSS_PRONOUN office.")
    'The {occupation} met the {participant} in {possessive} office.'
    """
    for published, slot in SLOTS.items():
        sentence = sentence.replace(published, slot)
    return sentence


def read_occupation_shares() -> pd.DataFrame:
    """The share of women in each of Winogender's occupations, in per cent.

    Returns
    -------
    DataFrame
        By occupation: `employed` (US labour statistics of 2015 or 2016) and `text` (Bergsma and Lin 2006, from how
        pronouns go with the noun in text).

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    table = pd.read_csv(fetch("winogender_occupations_stats"), sep="\t").set_index("occupation")
    names = {"bls_pct_female": "employed", "bergsma_pct_female": "text"}
    return table.rename(columns=names)[list(names.values())]
