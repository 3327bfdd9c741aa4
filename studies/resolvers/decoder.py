"""What a decoder makes of sentences in which only the pronoun differs: how likely the pronoun is, and it with all behind it.

Both are given what stands before the pronoun. The pronoun alone is scored before the sentence says whom it means; only with what
follows can the meaning move it.
"""

import pandas as pd

from lib.coreference.sentences import LEXICON, as_passages, fill_template
from lib.language_models.causal_scores import CausalLanguageModel
from lib.lexicons import load_lexicon

OTHER = "guest"  # says neither trade nor gender


def pronoun_scores(model: CausalLanguageModel, table: pd.DataFrame) -> pd.DataFrame:
    """For each sentence the log probabilities of `pronoun` and of `ending`, the pronoun with all behind it, in nats."""
    starts = table["Pronoun-offset"]
    ends = starts + table["Pronoun"].str.len()
    # the space before a word is part of its first piece
    given = [text[: max(0, at - 1)] for text, at in zip(table["Text"], starts)]
    short = [text[:at] for text, at in zip(table["Text"], ends)]
    scores = model.log_probabilities([*short, *table["Text"]], [*given, *given])
    return pd.DataFrame(
        {"pronoun": scores[: len(table)], "ending": scores[len(table) :]}, index=table.index
    )


def log_odds(table: pd.DataFrame, scores: pd.Series) -> pd.DataFrame:
    """*she* less *he* in each template that has both, in nats, with its occupation; positive leans female."""
    held = table.assign(score=scores)
    held = held[held["pronouns"].isin(["she", "he"])]
    wide = held.pivot(index=["occupation", "template"], columns="pronouns", values="score").dropna()
    return (wide["she"] - wide["he"]).rename("log odds").reset_index()


def sentences_of_known_nouns() -> pd.DataFrame:
    """A noun such as *mother* or *father* beside a guest, in both orders: the only gender that the beginning names.

    `occupation` is the noun and `side` "female" or "male"; a cluster is a pair of nouns. With *she* and with *he*, nominative.
    """
    lexicon = load_lexicon(LEXICON)
    frames = [frame for frame in lexicon["known_frames"] if "{nominative}" in frame]
    rows = []
    for pair in lexicon["known_pairs"]:
        for side, noun in zip(("female", "male"), pair):
            for number, frame in enumerate(frames):
                for first, second in ((noun, OTHER), (OTHER, noun)):
                    for pronouns in ("she", "he"):
                        row = fill_template(frame, {"first": first, "second": second}, pronouns)
                        row["answer"] = "A" if first == noun else "B"
                        del row["slots"]
                        label = {"occupation": noun, "side": side, "cluster": pair[0]}
                        rows.append(row | label | {"template": f"{first}-{second}-{number}"})
    return as_passages(rows, "known-nouns")
