"""Sentences about two people that do not say whom the pronoun means: all that decides is the noun and the pronoun."""

from collections.abc import Sequence

import pandas as pd

from lib.coreference.sentences import CASES, LEXICON, ORDERS, as_passages, fill_schema
from lib.lexicons import load_lexicon


def undecided_sentences(
    nouns: Sequence[str], pronouns: tuple[str, ...] = ("she", "he"), per_case: int = 1
) -> pd.DataFrame:
    """Each noun beside someone without a gender or a trade, first and second, in each case; a cluster is a frame.

    Nothing says whom the pronoun means, so that a resolver that gives a noun *she* more readily than *he* has it from
    the noun; `about` and `answer` name the noun. For each noun and pronoun set 6 rows for every frame a case has (1 or 2).
    """
    lexicon = load_lexicon(LEXICON)
    if len(set(nouns)) < len(nouns):
        raise ValueError("nouns: expected each once, got one twice; leave the second out")
    if per_case not in (1, 2):
        raise ValueError(f"per_case: expected 1 or 2 frames, got {per_case!r}")
    frames = [
        frame
        for case in CASES
        for frame in [f for f in lexicon["known_frames"] if f"{{{case}}}" in f][:per_case]
    ]
    rows = []
    for noun in nouns:
        for number, frame in enumerate(frames):
            participant = lexicon["participants"][number]
            for order in ORDERS:
                template = frame
                for place, slot in zip(("first", "second"), order):
                    template = template.replace(f"{{{place}}}", f"{{{slot}}}")
                label = {"template": f"{noun}-{number}-{order[0]}", "cluster": f"frame {number}"}
                rows += [
                    fill_schema(template, noun, participant, chosen, "occupation") | label
                    for chosen in pronouns
                ]
    return as_passages(rows, "undecided")
