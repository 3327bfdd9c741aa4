"""What a prefix does and what its gender adds: scores of sacrebleu, a system that follows the gender, one that only breaks."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics import BLEU as SacreBleu
from statsmodels.stats.multitest import multipletests

from lib.translation import load_translator
from lib.translation.evaluation_sets import first_person_set
from lib.translation.gender_spanish import speaker_marking
from lib.translation.prefixes import CONTROL, PrefixedTranslations, translate_with_prefix
from studies.prefix_injection.contrasts import (
    ASKED,
    BLEU,
    BLEU_MAN,
    BLIND,
    CONTRASTS,
    NONE,
    PARATAXIS,
    SHARE,
    SHE,
    STEPS,
    SURVIVAL,
    gender_found,
    prefix_contrasts,
    prefix_scores,
    table_one,
    together,
    woman_less_man,
)

OWN = first_person_set().groupby("form").head(2).reset_index(drop=True)
BOTH = dict(zip(OWN["english"], zip(OWN["masculine"], OWN["feminine"])))
SAID = {"She": "Ella dijo", "He": "Él dijo", "I": "Dije", "Someone": "Alguien dijo"}


def answers(texts, joint=": ", follows=True, worse=""):
    """Outputs of a made-up system: the reference of the speaker, of a man where none is said."""
    outputs = []
    for text in texts:
        who, said, sentence = text.partition(" said: ")
        if not said:
            who, said, sentence = text.partition(" said to them: ")
        if not said:
            outputs.append(BOTH[text][0])
            continue
        right = BOTH[sentence][int(follows and who == "She")]
        outputs.append(f"{SAID[who]}{joint}{worse}{right}")
    return outputs


def asked(system):
    """The outputs of a system behind every prefix of the contrasts."""
    english = OWN["english"].tolist()
    return {pair: translate_with_prefix(load_translator(system), english, *pair) for pair in ASKED}


def test_a_system_that_follows_the_gender_gains_by_it_and_by_no_other_prefix():
    found = table_one(load_translator(answers), OWN, reader=speaker_marking, resamples=300)
    table = found.set_index(["contrast", "measure", "reference"])
    gender, any_prefix = (table.xs(STEPS[place], level="contrast")["value"] for place in (1, 0))
    assert gender[BLEU] > 10 and gender[BLEU_MAN] < -10 and gender[SHARE] == 1
    assert gender[BLIND] == any_prefix[BLEU] == any_prefix[SHARE] == 0
    row = table.loc[(STEPS[1], *BLEU)]
    assert 0 < row["low"] < row["value"] < row["high"] and row["p_holm"] < 0.05
    assert table.loc[(STEPS[0], *BLEU), "p"] == 1
    assert set(found["groups"]) == {OWN["form"].nunique()} and set(found["n"]) == {len(OWN)}


def test_a_system_that_only_breaks_behind_a_prefix_loses_by_any_and_nothing_by_its_gender():
    broken = asked(lambda texts: answers(texts, " que ", follows=False, worse="no sé si "))
    found = prefix_contrasts(broken, OWN, reader=speaker_marking, resamples=300)
    table = found.set_index(["contrast", "measure", "reference"])
    row = table.loc[(STEPS[0], *BLIND)]
    assert row["high"] < -10 and row["p_holm"] < 0.05
    assert table.loc[(STEPS[1], *BLEU), ["value", "low", "high", "p"]].tolist() == [0, 0, 0, 1]
    scores = prefix_scores(broken, OWN, reader=speaker_marking, resamples=20)
    scores = scores.set_index(["speaker", "audience", "measure", "reference"])["value"]
    assert scores[(*SHE, *SURVIVAL)] == 1 and scores[(*SHE, *PARATAXIS)] == 0
    assert np.isnan(scores[(*NONE, *SURVIVAL)])


def test_scores_are_sacrebleu_s_and_p_values_are_corrected_within_a_measure():
    outputs = asked(answers)
    scores = prefix_scores(outputs, OWN, reader=speaker_marking, resamples=50)
    scores = scores.set_index(["speaker", "audience", "measure", "reference"])
    expected = SacreBleu().corpus_score(outputs[SHE].texts, [OWN["masculine"].tolist()]).score
    assert scores.loc[(*SHE, *BLEU_MAN), "value"] == pytest.approx(expected)
    assert scores.loc[(*SHE, *BLIND), "value"] == pytest.approx(100)
    table = prefix_contrasts(outputs, OWN, reader=speaker_marking, resamples=50)
    for _, family in table.groupby(["measure", "reference"]):
        assert len(family) == len(CONTRASTS)
        holm = multipletests(family["p"], method="holm")[1]
        assert family["p_holm"].tolist() == pytest.approx(holm.tolist())


def test_the_gender_moves_a_woman_s_text_and_a_man_s_apart_and_quality_alone_does_not():
    found = woman_less_man(asked(answers), OWN, resamples=300)
    assert gender_found(found) == "gain" and (found["value"] > 20).all()
    assert (found["blind"] == 0).all() and (found["quality"] == 0).all()
    deaf = woman_less_man(asked(partial(answers, follows=False)), OWN, resamples=300)
    assert gender_found(deaf) == "none" and (deaf["value"] == 0).all() and (deaf["p"] == 1).all()


def rows(*cells):
    """A table as of `woman_less_man`, from (value, p, quality low, quality high)."""
    return pd.DataFrame(cells, columns=["value", "p", "quality low", "quality high"])


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        (rows((4, 0.01, -1, 1), (4, 0.01, -1, 1)), "gain"),
        (rows((4, 0.01, -1, 1), (4, 0.06, -1, 1)), "none"),
        (rows((4, 0.01, -1, 1), (-4, 0.01, -1, 1)), "none"),
        (rows((4, 0.01, -1, 1), (4, 0.01, -1, 2)), "quality"),
        (rows((-4, 0.01, -1, 1), (-4, 0.01, -1, 3)), "loss"),
        (rows((-4, 0.01, -3, 1), (-4, 0.01, -1, 1)), "quality"),
    ],
)
def test_both_differences_have_to_hold_and_not_for_a_change_of_quality(table, verdict):
    assert gender_found(table) == verdict


def test_two_sets_are_one_behind_the_prefixes_that_both_have():
    half = len(OWN) // 2
    parts = []
    for rows_of in (OWN[:half], OWN[half:]):
        english = rows_of["english"].tolist()
        system = load_translator(answers)
        parts.append(
            ({pair: translate_with_prefix(system, english, *pair) for pair in ASKED}, rows_of)
        )
    del parts[1][0][NONE]
    joined, sentences = together(parts)
    assert NONE not in joined and joined[SHE].texts == asked(answers)[SHE].texts
    assert sentences["form"].tolist() == OWN["form"].tolist()


def test_the_test_rejects_a_true_null_no_more_often_than_it_says():
    rng, english = np.random.default_rng(0), OWN["english"].tolist()
    forms = OWN["form"].unique()
    rejected = 0
    for _ in range(60):
        outputs = {}
        for pair in (CONTROL, SHE):
            hers = dict(zip(forms, rng.random(len(forms)) < 0.5))
            texts = [BOTH[text][int(hers[form])] for text, form in zip(english, OWN["form"])]
            outputs[pair] = PrefixedTranslations(texts, ["x: "] * len(texts), "x: ")
        found = prefix_contrasts(
            outputs, OWN, reader=speaker_marking, measures=[SHARE], resamples=99
        )
        rejected += int(found["p"].iloc[0] <= 0.05)
    assert rejected <= 8  # of 60; binomial with .05: more than 8 in one of 200 runs
