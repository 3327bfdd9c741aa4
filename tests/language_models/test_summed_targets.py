"""The authors' stored scores of BERT on our whole path: words, masks, priors, rows, effect size, p."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.association import effect_size
from lib.datasets.kurita2019 import (
    KEYS,
    read_item_scores,
    read_job_titles,
    read_template_scores,
    read_words,
)
from lib.inference.permutation import partition_test
from lib.language_models.log_probability import (
    PUBLISHED_PRIOR,
    grammatical_bias,
    log_probability_bias,
    mean_bias,
)
from lib.language_models.masked import MASK
from lib.language_models.summed_targets import summed_targets
from lib.ledger import claims
from lib.lexicons import load_lexicon

pytestmark = pytest.mark.usefixtures("one_thread")
SCORES, ITEMS = "kurita_notebook_weat", "kurita_notebook_exposing"

IS = "{target} is the {attribute}."


class StoredModel:
    """Answers as BERT did: stored log odds where the target's own mask is read, and the stored prior
    where the published code reads it; any other place has no answer (NaN).

    Parameters
    ----------
    stored : DataFrame
        Columns template, attribute, log_odds, prior.
    share : dict of str to float
        Log probability of each target less that of its side; of a side with two targets they add up.
    firsts : set of str
        The targets of the first side.
    """

    cased = False

    def __init__(self, stored, share, firsts):
        self.share, self.firsts = share, firsts
        self.words = [MASK]
        self.shown, self.hidden = {}, {}
        for row in stored.to_dict("records"):
            text = row["template"].replace("{target}", MASK)
            self.shown[self.text(text.replace("{attribute}", row["attribute"]))] = row["log_odds"]
            self.hidden[self.text(text.replace("{attribute}", MASK))] = row["prior"]

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
        odds = np.nan
        if len(masks) == 1 and position == masks[0]:
            odds = self.shown[text]
        elif len(masks) == 2 and position == masks[1] - 1:
            odds = self.hidden[text]
        words = [self.words[piece] for piece in ids]
        return [self.share[w] - 5 + (odds if w in self.firsts else 0 * odds) for w in words]


HALVES = {"boys": np.log(0.2), "men": np.log(0.8), "girls": np.log(0.7), "women": np.log(0.3)}
TARGETS = {
    "Career/Family (Male/Female)": "gender",
    "Math/Arts (Male/Female)": "gender",
    "Science/Arts (Male/Female)": "gender",
    "Pleasant/Unpleasant (EA/AA)": "race",
    "Pleasant/Unpleasant (Insects/Flowers)": "flowers_insects",
}
LISTS = {
    "Career/Family (Male/Female)": ("career", "family"),
    "Math/Arts (Male/Female)": ("math", "arts"),
    "Science/Arts (Male/Female)": ("science", "arts_8"),
    "Pleasant/Unpleasant (EA/AA)": ("pleasant", "unpleasant"),
    "Pleasant/Unpleasant (Insects/Flowers)": ("pleasant", "unpleasant"),
}


@pytest.fixture(scope="module")
def stored():
    return read_template_scores()


def asked_of_stored_model(stored, name):
    """Our rows of a category, asked of the stored model with the paper's pairs and sentences."""
    kind, rows = TARGETS[name], stored[stored["category"] == name]
    sign = 1
    if kind == "race":  # stored as black against white, ours is white against black
        rows, sign = rows.assign(log_odds=-rows["log_odds"], prior=-rows["prior"]), -1
    kurita = load_lexicon("kurita2019")
    pairs = kurita[f"target_pairs_{kind}"]
    templates = [template + "." for template in kurita[f"templates_{kind}"]]
    share = dict.fromkeys((word for pair in pairs for word in pair), 0.0) | HALVES
    stub = StoredModel(rows, share, {first for first, _ in pairs})
    stub_lists = [list(dict.fromkeys(part["attribute"])) for _, part in rows.groupby("list")]
    sides = []
    for words in stub_lists:
        table = pd.concat(
            [
                grammatical_bias(
                    stub,
                    words,
                    [template],
                    [pair for pair in pairs if fits_stored(template, pair, kind)],
                    grammatical=False,
                    **PUBLISHED_PRIOR,
                )
                for template in templates
            ]
        )
        sides.append(summed_targets(table))
    return rows, sign, sides


def fits_stored(template, pair, kind):
    plural = pair[0] in ("boys", "men", "flowers")
    if kind == "gender":
        return plural == (" like " in template)
    if kind == "flowers_insects":
        return plural == (" are " in template)
    return True


@pytest.mark.sample(SCORES)
@pytest.mark.parametrize("name", list(TARGETS))
def test_the_path_from_masks_to_rows_gives_back_every_stored_score(stored, name):
    rows, _, sides = asked_of_stored_model(stored, name)
    ours = pd.concat(sides).set_index(["template", "attribute"])
    assert len(ours) == len(rows)
    theirs = rows.set_index(["template", "attribute"])[["log_odds", "prior", "bias"]]
    theirs["bias"] = theirs["log_odds"] - theirs["prior"]
    pd.testing.assert_frame_equal(ours.sort_index(), theirs.sort_index(), atol=1e-9)


@pytest.mark.sample(SCORES)
@pytest.mark.parametrize("name", list(TARGETS))
def test_pooled_rows_give_the_printed_effect_size_but_for_flowers(stored, name):
    about = dict(system="log probability bias score", dataset="BERT-base uncased", category=name)
    printed = claims.printed(claims.one(paper="kurita2019_arxiv", location="Table 3", **about))
    *_, sides = asked_of_stored_model(stored, name)
    a, b = (side["bias"] for side in sides)
    d = effect_size(a, b)
    if TARGETS[name] == "flowers_insects":  # the run behind the print is not among the stored ones
        assert d == pytest.approx(0.4457, abs=6e-4)
        return
    assert d == pytest.approx(printed, abs=6e-4)
    assert partition_test(a, b, alternative="two-sided", rng=0).pvalue_strict < 0.01


@pytest.mark.sample(SCORES)
def test_means_of_attributes_would_not_be_the_printed_number(stored):
    name = "Career/Family (Male/Female)"
    _, _, sides = asked_of_stored_model(stored, name)
    means = [side.groupby("attribute")["bias"].mean() for side in sides]
    assert effect_size(*means) == pytest.approx(1.541, abs=1e-3)


@pytest.mark.sample(SCORES)
@pytest.mark.parametrize("name", list(LISTS))
def test_the_authors_asked_about_the_printed_lists_but_for_three_plurals(stored, name):
    rows, lexicon = stored[stored["category"] == name], load_lexicon("caliskan2017")
    for number, words in zip((1, 2), LISTS[name]):
        printed = {word.lower() for word in lexicon[words]}
        asked = set(rows.loc[rows["list"] == number, "attribute"])
        other = asked - printed
        assert other <= {"novels", "sculptures", "experiments"}
        assert {word.removesuffix("s") for word in other} <= printed | {"sculpture"}


RELEASED = {
    "Salary": lambda: read_job_titles().dropna().unique(),
    "Pos-Traits": lambda: read_words("kurita_positive_traits"),
    "Neg-Traits": lambda: read_words("kurita_negative_traits"),
}


@pytest.mark.sample(ITEMS, "kurita_employee_salaries", *KEYS)
@pytest.mark.parametrize("name", list(RELEASED))
def test_the_released_lists_on_our_path_give_the_printed_shares_of_table_five(name):
    claim = claims.one(paper="kurita2019_arxiv", location="Table 5", dataset=name)
    kept = read_item_scores().query("items == @name").set_index("item")["bias"]
    counted = kept.index  # two negative traits count twice
    kept = kept[~kept.index.duplicated()]
    items = [item for item in RELEASED[name]() if item in kept.index]
    assert len(items) >= len(kept) - 2  # of 921 titles one is empty and one has a space too many
    rows = pd.DataFrame({"attribute": items, "log_odds": kept[items].to_numpy()})
    rows = rows.assign(template="{target} is {attribute}", prior=0.0)  # the prior is taken off
    stub = StoredModel(rows, {"he": 0.0, "she": 0.0}, {"he"})
    asking = ["{target} is {attribute}"], [("he", "she")]
    scores = mean_bias(stub, items, *asking, **PUBLISHED_PRIOR)
    as_counted = scores.reindex(counted).dropna()
    assert (as_counted >= 0).mean() == pytest.approx(claims.printed(claim), abs=6e-4)


@pytest.mark.sample(ITEMS)
def test_negative_traits_asked_once_each_are_not_the_printed_share():
    counted = read_item_scores().query("items == 'Neg-Traits'")
    once = counted.drop_duplicates("item")
    assert (len(counted), len(once)) == (365, 363)  # two traits stand in the file twice
    assert (once["bias"] >= 0).mean() == pytest.approx(287 / 363)


def test_one_pair_is_the_plain_score(model):
    pairs = [("he", "she")]
    table = log_probability_bias(model(), ["nurse", "doctors"], [IS], pairs)
    summed = summed_targets(table)
    assert summed["bias"].to_numpy() == pytest.approx(table["bias"].to_numpy(), abs=1e-9)


@given(st.lists(st.tuples(*[st.floats(-20, 0)] * 4), min_size=1, max_size=5))
def test_the_two_sides_are_sums_of_probabilities_and_turn_with_the_sides(rows):
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    table = pd.DataFrame(rows, columns=columns).assign(template="t", attribute="a")
    row = summed_targets(table).iloc[0]
    first, second, *_ = np.exp(table[columns]).sum()
    assert row["log_odds"] == pytest.approx(np.log(first / second), abs=1e-9)
    turned = table.rename(columns=dict(zip(columns, [columns[k] for k in (1, 0, 3, 2)])))
    assert summed_targets(turned)["bias"].item() == pytest.approx(-row["bias"], abs=1e-9)


def test_a_table_of_something_else_is_refused():
    with pytest.raises(ValueError, match="lacks template, log_p_first"):
        summed_targets(pd.DataFrame({"attribute": ["a"], "log_p_second": [0.0]}))
