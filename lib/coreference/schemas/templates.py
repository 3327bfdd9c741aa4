"""This book's own sentences about two people and a pronoun, every answer, case and pronoun as often as the others."""

import pandas as pd

from lib.datasets.schemas import CASES, PRONOUNS, as_passages, fill_schema, fill_template
from lib.datasets.statistics import statistics_table
from lib.lexicons import load_lexicon

LEXICON = "two_people"
ORDERS = (("occupation", "participant"), ("participant", "occupation"))


def own_sentences(pronouns: tuple[str, ...] = tuple(PRONOUNS)) -> pd.DataFrame:
    """Each occupation in each case, meant, not meant, and with a third person meant.

    Occupation k takes frame k mod 6 of a case, and stands first in one half of the occupations. Its twin among the
    occupations of the other majority has the same frames, order and participant, so that the two differ in one word.

    Parameters
    ----------
    pronouns : tuple of str
        Of `lib.datasets.schemas.PRONOUNS`.

    Returns
    -------
    DataFrame
        GAP's columns and occupation, participant, about ("occupation", "participant", "neither"), pronouns, case,
        `first` (who comes first), `women` (share of women in the occupation's group, US 2016, in per cent),
        template (the sentence without its pronoun) and cluster (the frame). 216 rows for each pronoun set.

    Examples
    --------
    >>> table = own_sentences(("she", "they"))
    >>> len(table), table["Text"][0]
    (432, 'The nurse lent the customer an umbrella, because she owned two of them.')
    """
    lexicon = load_lexicon(LEXICON)
    participants = lexicon["participants"]
    shares = share_of_women()
    rows = []
    for k, (occupation, _) in enumerate(lexicon["occupations"]):
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
                label |= {"first": order[0], "women": shares[occupation]}
                rows += [
                    fill_schema(template, occupation, participant, chosen, about) | label
                    for chosen in pronouns
                ]
    return as_passages(rows, "two-people")


def known_sentences() -> pd.DataFrame:
    """Sentences in which nothing but the two nouns says whom the pronoun means: *the mother met the father, and she …*

    A resolver that knows the nouns finds the answer; one that does not gets half right at best.

    Returns
    -------
    DataFrame
        GAP's columns and `nouns` (the pair), pronouns ("she", "he"), case, template and cluster (the pair). 192 rows,
        each pair in both orders.

    Examples
    --------
    >>> table = known_sentences()
    >>> table["Text"][1], table["answer"][1]
    ('The mother met the father at the station, and he carried the bags.', 'B')
    """
    lexicon = load_lexicon(LEXICON)
    rows = []
    for female, male in lexicon["known_pairs"]:
        for number, frame in enumerate(lexicon["known_frames"]):
            for first, second in ((female, male), (male, female)):
                for pronouns, meant in (("she", female), ("he", male)):
                    row = fill_template(frame, {"first": first, "second": second}, pronouns)
                    row["answer"] = "A" if meant == first else "B"
                    del row["slots"]
                    label = {"nouns": f"{female}, {male}", "cluster": female}
                    rows.append(row | label | {"template": f"{first}-{number}"})
    return as_passages(rows, "known")


def share_of_women() -> pd.Series:
    """Women in the group of each of our occupations, in per cent of US civilian employment in 2016.

    Groups are coarse: all teachers, tutors and librarians share one number.

    Returns
    -------
    Series
        By occupation.

    Examples
    --------
    >>> share_of_women()[["nurse", "carpenter"]].round(1).tolist()
    [73.8, 3.0]
    """
    counts = statistics_table("us_occupations_2016").groupby("occupation")[["men", "women"]].sum()
    share = 100 * counts["women"] / counts.sum(axis=1)
    return pd.Series({word: share[group] for word, group in load_lexicon(LEXICON)["occupations"]})
