"""A stand-in for BERT that answers with the scores which the authors of a paper stored."""

import numpy as np

from lib.language_models.masked import MASK

# What is asked about in each sentence of the notebook, side by side, and how one side is divided.
SIDES = {
    "the {target} is {attribute}.": (["flowers"], ["bugs"]),
    "{target} are {attribute}.": (["flower"], ["bug"]),
    "{target} people are {attribute}.": (["black"], ["white"]),
    "the {target} person is {attribute}.": (["black"], ["white"]),
    "{target} likes {attribute}.": (["he"], ["she"]),
    "{target} like {attribute}.": (["boys", "men"], ["girls", "women"]),
    "{target} is interested in {attribute}.": (["he"], ["she"]),
    "{target} is {attribute}": (["he"], ["she"]),
}
SHARES = {"boys": 0.2, "men": 0.8, "girls": 0.7, "women": 0.3}


class StoredModel:
    """Answers as BERT did: the stored log odds where the target's own mask is read, and the stored
    prior where the published code reads it. Any other place, sentence or target has no answer.

    Parameters
    ----------
    stored : DataFrame
        Columns template, attribute, log_odds, prior.
    """

    cased = False
    name = "the stored scores"

    def __init__(self, stored):
        self.words = [MASK]
        self.shown, self.hidden = {}, {}
        for row in stored.to_dict("records"):
            template = row["template"]
            text = template.replace("{target}", MASK)
            shown = self.text(text.replace("{attribute}", row["attribute"]))
            self.shown[shown] = row["log_odds"], SIDES[template]
            hidden = self.text(text.replace("{attribute}", MASK))
            self.hidden[hidden] = row["prior"], SIDES[template]

    def text(self, sentence):
        return " ".join(["[CLS]", *sentence.replace(".", " .").split(), "[SEP]"])

    def spelled(self, token):
        if token not in self.words:
            self.words.append(token)
        return self.words.index(token)

    def encode(self, sentences):
        return [[self.spelled(token) for token in self.text(s).split()] for s in sentences]

    def mask_places(self, row):
        return [place for place, piece in enumerate(row) if piece == 0]

    def piece_ids(self, word, start=False):
        return [self.spelled(word)]

    def single_piece_id(self, word, start=False):
        return self.spelled(word)

    def pieces(self, word, start=False):
        return [word]

    def log_probabilities_at(self, rows, positions, ids):
        return np.array([self.read(*case) for case in zip(rows, positions, ids)])

    def read(self, row, position, ids):
        text, masks = " ".join(self.words[piece] for piece in row), self.mask_places(row)
        answer = None
        if len(masks) == 1 and position == masks[0]:
            answer = self.shown.get(text)
        elif len(masks) == 2 and position == masks[1] - 1:
            answer = self.hidden.get(text)
        odds, (first, second) = answer or (np.nan, ([], []))
        of_word = dict.fromkeys(first, odds) | dict.fromkeys(second, 0.0)
        words = [self.words[piece] for piece in ids]
        return [of_word.get(word, np.nan) + np.log(SHARES.get(word, 1.0)) - 5 for word in words]
