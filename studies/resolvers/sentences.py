"""Sentences in which only the pronoun differs: WinoBias, Winogender, WinoPron, and this book's own; all as one kind of table.

The tables have GAP's columns and: occupation, participant (the other person), about (whom the pronoun means: "occupation",
"participant" or "neither"), pronouns, case, template and cluster.
"""

import csv
import io
import re
import zipfile
from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.coreference.sentences import (
    CASES,
    LEXICON,
    ORDERS,
    PRONOUNS,
    as_passages,
    fill_schema,
    fill_template,
)
from lib.datasets.statistics import statistics_table
from lib.lexicons import load_lexicon
from lib.sources import fetch

SIDES = ("pro", "anti")
FORMS = {form: name for name in ("he", "she") for form in PRONOUNS[name]} | {
    "himself": "he",
    "herself": "she",
}


def read_winobias(part: str = "test") -> pd.DataFrame:
    """The 1,584 sentences of a part of WinoBias (Zhao et al. 2018, "Gender Bias in Coreference Resolution"), "test" or "dev".

    A sentence of `type` 1 is settled by its content, one of type 2 by its grammar. Each comes twice: with the pronoun that
    fits the stereotype of the occupation that is meant, and with the other (`side` "pro" and "anti", one template).
    Sentences about the same two occupations are a cluster. Where a file marks several pronouns, the first one is asked about.
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
    """WinoBias's forty occupations: "female" and "male" are the sides that more US workers in them are on."""
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
    """The 120 templates about 60 occupations of Winogender (Rudinger et al. 2018), filled; the templates of an occupation are a
    cluster.

    With `someone` also every sentence with "someone" for the participant, as in the released list of 720.
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
    """A template as Winogender and WinoPron publish it, with the slots of `lib.coreference.sentences`."""
    for published, slot in SLOTS.items():
        sentence = sentence.replace(published, slot)
    return sentence


def read_winopron(pronouns: tuple[str, ...] = tuple(PRONOUNS)) -> pd.DataFrame:
    """The 360 templates of WinoPron (Gautam et al. 2024), each case as often as the others, filled by the case that each states:
    1,440 rows with four pronoun sets. The templates of an occupation are a cluster.

    The authors keep the file locked, so that the sentences do not end up in training texts. It is read in memory here,
    never unpacked, and never listed on a page.
    """
    readme = fetch("winopron_readme").read_text(encoding="utf-8")
    password = re.search(r"password `([^`]+)`", readme)
    if not password:
        raise ValueError("winopron_readme: expected the password of the data in it; fetch it again")
    with zipfile.ZipFile(fetch("winopron_data")) as archive:
        content = archive.read("new_templates.tsv", pwd=password[1].encode())
    lines = csv.reader(io.StringIO(content.decode("utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)
    rows = []
    for number, line in enumerate(list(lines)[1:]):  # beyond column 6 lies a stray pattern
        occupation, participant, answer, slot, sentence = line[:5]
        if sentence.count("$") != 3 or slot not in sentence:
            raise ValueError(f"WinoPron, template {number + 1}: expected two people and {slot}")
        rows += [
            fill_schema(with_slots(sentence), occupation, participant, chosen, ABOUT[answer])
            | {"template": f"{occupation}-{number}", "cluster": occupation}
            for chosen in pronouns
        ]
    return as_passages(rows, "winopron")


def own_sentences(
    pronouns: tuple[str, ...] = tuple(PRONOUNS), occupations: Sequence[str] = ()
) -> pd.DataFrame:
    """This book's own sentences: each occupation in each case, meant, not meant, and with a third person meant; about others in
    place of its 24 where these are given.

    Occupation k takes frame k mod 6 of a case, and stands first in one half of the occupations. Its twin among the
    occupations of the other majority has the same frames, order and participant, so that the two differ in one word.

    216 rows for each pronoun set, with `first` (who comes first) and `women` (share of women in the occupation's group,
    US 2016, in per cent); a cluster is a frame.
    """
    lexicon = load_lexicon(LEXICON)
    participants = lexicon["participants"]
    shares = share_of_women()
    rows = []
    words = list(occupations) or [occupation for occupation, _ in lexicon["occupations"]]
    for k, occupation in enumerate(words):
        participant = participants[k % len(participants)]
        order = ORDERS[k // 6 % 2]
        for case in CASES:
            opening, *endings = [row[1:] for row in lexicon["frames"] if row[0] == case][k % 6]
            apart = [row[1] for row in lexicon["neither_frames"] if row[0] == case][k % 6]
            sentences = dict(zip(order, [f"{opening} {ending}" for ending in endings]))
            sentences["neither"] = apart
            for about in ("occupation", "participant", "neither"):
                template = sentences[about]
                for place, slot in zip(("first", "second"), order):
                    template = template.replace(f"{{{place}}}", f"{{{slot}}}")
                frame = f"{case}-{k % 6}" + "-apart" * (about == "neither")
                label = {"template": f"{occupation}-{case}-{about}", "cluster": frame}
                label |= {"first": order[0], "women": shares.get(occupation, np.nan)}
                rows += [
                    fill_schema(template, occupation, participant, chosen, about) | label
                    for chosen in pronouns
                ]
    return as_passages(rows, "two-people")


def known_sentences(pairs: Sequence[tuple[str, str]] = ()) -> pd.DataFrame:
    """Sentences in which nothing but the two nouns says whom the pronoun means: *the mother met the father, and she …*

    A resolver that knows the nouns finds the answer; one that does not gets half right at best. 192 rows, each pair of
    `nouns` in both orders; a cluster is a pair. `pairs` (female, male) stand in place of the book's eight.
    """
    lexicon = load_lexicon(LEXICON)
    rows = []
    for female, male in pairs or lexicon["known_pairs"]:
        for number, frame in enumerate(lexicon["known_frames"]):
            for first, second in ((female, male), (male, female)):
                for pronouns, meant in (("she", female), ("he", male)):
                    row = fill_template(frame, {"first": first, "second": second}, pronouns)
                    row["answer"] = "A" if meant == first else "B"
                    del row["slots"]
                    label = {"nouns": f"{female}, {male}", "cluster": female}
                    rows.append(row | label | {"template": f"{first}-{number}"})
    return as_passages(rows, "known")


def places_in(
    sentence: str, people: Sequence[str], pronoun: str
) -> tuple[str, list[tuple[int, int]]]:
    """A sentence with a pronoun in its slot, and where pronoun, first and second person stand in it, [start, stop).

    >>> places_in("The cook paid the guest, as {pronoun} had asked.", ["cook", "guest"], "she")
    ('The cook paid the guest, as she had asked.', [(28, 31), (4, 8), (18, 23)])
    """
    before, slot, behind = sentence.partition("{pronoun}")
    if not slot or "{pronoun}" in behind:
        raise ValueError(f"expected the slot {{pronoun}} once, got {sentence!r}")
    if len(people) != 2:
        raise ValueError(f"expected two people, got {list(people)}")
    text = f"{before}{pronoun}{behind}"
    places = [(len(before), len(before) + len(pronoun))]
    for person in people:
        found = re.search(rf"\b{re.escape(person)}\b", text)
        if not found:
            raise ValueError(f"{person!r} does not stand in {sentence!r}")
        places.append(found.span())
    return text, places


def share_of_women() -> pd.Series:
    """Women in the group of each of our occupations, in per cent of US civilian employment in 2016.

    Groups are coarse: all teachers, tutors and librarians share one number.
    """
    counts = statistics_table("us_occupations_2016").groupby("occupation")[["men", "women"]].sum()
    share = 100 * counts["women"] / counts.sum(axis=1)
    return pd.Series({word: share[group] for word, group in load_lexicon(LEXICON)["occupations"]})
