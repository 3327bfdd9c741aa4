"""WinoBias (Zhao, Wang, Yatskar, Ordonez & Chang 2018): sentences about two occupations, for and against stereotype.

A sentence of the first type is settled by its content, one of the second by its grammar. Each comes twice: with the
pronoun that fits the stereotype of the occupation that is meant, and with the other.
"""

import re

import pandas as pd

from lib.checks import one_of
from lib.datasets.schemas import CASES, PRONOUNS, as_passages
from lib.sources import fetch

SIDES = ("pro", "anti")
FORMS = {form: name for name in ("he", "she") for form in PRONOUNS[name]} | {
    "himself": "he",
    "herself": "she",
}


def read_winobias(part: str = "test") -> pd.DataFrame:
    """The sentences of both types, as they are in the files.

    Parameters
    ----------
    part : str
        "test" or "dev"; 1,584 sentences each.

    Returns
    -------
    DataFrame
        GAP's columns and occupation (whom the pronoun means), participant (the other), about, pronouns, case, `type` (1
        or 2), `side` ("pro" or "anti"), template (the same for both sides) and cluster (two sentences about the same two
        occupations). Where a file marks several pronouns, the first one is asked about.

    Raises
    ------
    FetchError
        Where a file is not at hand.
    ValueError
        For another part, or a line that does not mark an occupation and a pronoun.

    References
    ----------
    Zhao et al. (2018), "Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods".
    """
    one_of("part", part, ("test", "dev"))
    occupations = [word for words in read_occupations().values() for word in words]
    rows = []
    for kind in (1, 2):
        lines = {
            side: fetch(f"winobias_{side}_stereotyped_type{kind}_{part}")
            .read_text(encoding="utf-8")
            .splitlines()
            for side in SIDES
        }
        for number, pair in enumerate(zip(*lines.values(), strict=True)):
            filled = [_read_line(line, occupations) for line in pair]
            forms = [str(row["Pronoun"]).lower() for row in filled]
            shared = {
                "type": kind,
                "template": f"{part}-{kind}-{number}",
                "cluster": f"{part}-{kind}-{number // 2}",
            }
            for side, row, form, other in zip(SIDES, filled, forms, reversed(forms)):
                rows.append(row | shared | {"side": side, "case": _case(form, other)})
    return as_passages(rows, "winobias")


def read_occupations() -> dict[str, list[str]]:
    """The forty occupations: "female" and "male" are the sides that more US workers in them are on.

    Returns
    -------
    dict of str to list of str
        Twenty each.

    Raises
    ------
    FetchError
        Where a file is not at hand.
    """
    return {
        side: fetch(f"winobias_{side}_occupations").read_text(encoding="utf-8").split("\n")
        for side in ("female", "male")
    }


def _read_line(line: str, occupations: list[str]) -> dict[str, object]:
    """A line such as "1 [The cook] met the nurse because [she] had time." as a row."""
    text, marked = "", []
    for piece in re.split(r"(\[[^\]]*\])", re.sub(r"^\d+ ", "", line)):
        if piece.startswith("["):
            piece = piece.strip("[] ")
            marked.append((piece, len(text)))
        text += piece
    pronoun = next((item for item in marked if item[0].lower() in FORMS), None)
    person = next((item for item in marked if item[0].lower() not in FORMS), None)
    if pronoun is None or person is None:
        raise ValueError(f"WinoBias: expected a marked occupation and pronoun, got {line!r}")
    noun = re.sub(r"^(the|an?) ", "", person[0], flags=re.IGNORECASE)
    meant = (noun, person[1] + len(person[0]) - len(noun))
    names = "|".join(sorted(map(re.escape, occupations), key=len, reverse=True))
    others = [
        (match[0], match.start())
        for match in re.finditer(rf"\b({names})\b", text, flags=re.IGNORECASE)
        if match.start() != meant[1]
    ]
    if not others:
        raise ValueError(f"WinoBias: expected a second occupation, got {line!r}")
    first, second = sorted([meant, others[0]], key=lambda item: item[1])
    pronouns = FORMS[pronoun[0].lower()]
    return {
        "Text": text,
        "Pronoun": pronoun[0],
        "Pronoun-offset": pronoun[1],
        "A": first[0],
        "A-offset": first[1],
        "B": second[0],
        "B-offset": second[1],
        "gender": {"he": "male", "she": "female"}[pronouns],
        "pronouns": pronouns,
        "occupation": noun,
        "participant": others[0][0],
        "about": "occupation",
        "answer": "A" if meant == first else "B",
    }


def _case(form: str, other: str) -> str:
    """The case of a pronoun; "her" takes that of the other side's pronoun, which is "him" or "his"."""
    settles = other if form == "her" else form
    for case, *known in zip(CASES, PRONOUNS["he"], PRONOUNS["she"]):
        if settles in known and settles != "her":
            return case
    return "accusative"  # himself and herself
