"""MT-GenEval's scores: as the authors count, beside a blind translator that gets no finding; a planted loss is found."""

import numpy as np
import pandas as pd
import pytest

from audit.translator import geneval
from audit.translator.geneval import (
    BEYOND,
    BOTH,
    CONTEXTS,
    LOSS,
    MEN,
    PAIRS,
    RIGHT,
    SHOWN,
    TESTED,
    WOMEN,
    asked_references,
    score_references,
)

HERS, HIS, NEITHER = "la actriz salió", "el actor salió", "nadie salió"


def pairs(of_women, of_men):
    """Rows of outputs to as many pairs, a letter for each: h(er), m(an's), n(either)."""
    texts = {"h": HERS, "m": HIS, "n": NEITHER}
    rows = [
        (number, gender, texts[letter])
        for gender, letters in (("female", of_women), ("male", of_men))
        for number, letter in enumerate(letters, 1)
    ]
    table = pd.DataFrame(rows, columns=["number", "gender", "output"])
    return table.assign(item=PAIRS, hers=HERS, his=HIS, problem="", translation=table["output"])


def test_outputs_are_right_without_a_word_of_the_other_gender():
    table = score_references(pairs("hmnh", "mmnh"), draws=50, rng=0)[PAIRS].table
    assert table.loc[[WOMEN, MEN, BOTH], "value"].tolist() == [75, 75, 50]
    assert table.loc[SHOWN, "value"] == 75 and table.loc[LOSS, "value"] == 0


def test_a_pair_counts_where_both_are_translations_and_everything_counts_beside():
    rows = pairs("hhm", "mmm")
    rows.loc[0, ["problem", "output", "translation"]] = ["empty", "", ""]
    table = score_references(rows, draws=50, rng=0)[PAIRS].table
    assert table.loc[BOTH, ["value", "n"]].tolist() == [50, 2]
    assert table.loc[BOTH, "everything"] == pytest.approx(200 / 3), "the authors count it as right"
    again = pd.concat([pairs("hhm", "mmm"), pairs("mmm", "hhh")])
    assert score_references(again, draws=9, rng=0)[PAIRS].table.loc[MEN, "value"] == 100


def test_a_translator_that_writes_men_gets_women_wrong_and_reads_no_english():
    scores = score_references(pairs("m" * 40, "m" * 40), draws=200, rng=0)[PAIRS]
    assert scores.table.loc[[WOMEN, MEN, BEYOND], "value"].tolist() == [0, 100, 0]
    assert scores.found(LOSS) == 1 and scores.found(BEYOND) == 0


def test_a_planted_loss_is_found_and_few_pairs_find_nothing():
    women = np.random.default_rng(0).random(60) < 0.6
    scores = score_references(pairs(np.where(women, "h", "m"), "m" * 60), draws=200, rng=0)[PAIRS]
    assert scores.found(LOSS) == 1 and scores.found(BEYOND) == 1 and scores.needed(10) > 60
    few = score_references(pairs("mmh", "mmm"), draws=200, rng=0)[PAIRS]
    assert few.found(LOSS) == 0 and few.table.loc[LOSS, "smallest_p"] == 0.5


def contexts(rng, follows, share=0.4, n=200):
    """Sentences behind a context, whose gender an output follows or not."""
    gender = rng.choice(["female", "male", ""], n, p=[0.45, 0.45, 0.1])
    said = np.where(rng.random(n) < follows, gender == "female", rng.random(n) < share)
    table = pd.DataFrame({"number": np.arange(n), "gender": gender, "item": CONTEXTS})
    output = np.where(said, HERS, HIS)
    return table.assign(hers=HERS, his=HIS, output=output, translation=output, problem="")


def test_a_blind_translator_gets_hardly_a_finding():
    found = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        women, men = rng.choice(list("hmn"), (2, 60), p=[0.4, 0.4, 0.2])
        rows = pd.concat([pairs(women, men), contexts(rng, 0, share=0.5, n=120)])
        scores = score_references(rows, draws=99, rng=seed)
        found += any(scores[item].found(name) for item in scores for name in TESTED)
    assert found <= 4  # of 200 such there were six


def test_a_context_that_is_followed_is_seen_beside_dealt_genders():
    rows = contexts(np.random.default_rng(0), 0.6)
    scores = score_references(rows, draws=200, rng=0)[CONTEXTS]
    right = np.where(rows["gender"] == "male", rows["output"] == HIS, rows["output"] == HERS)
    assert scores.table.loc[RIGHT, "value"] == pytest.approx(100 * right.mean())
    assert scores.found(BEYOND) == 1
    for measure in (RIGHT, WOMEN):
        row = scores.table.loc[measure]
        assert row["null_low"] < row["null_high"] < row["value"]


KNOWN = pd.DataFrame(
    [
        ("geneval:feminine:1", "She won.", "She won.", PAIRS, 1, "female"),
        ("geneval:masculine:1", "He won.", "He won.", PAIRS, 1, "male"),
        ("geneval:context:1", "She won. Kim left.", "Kim left.", CONTEXTS, 1, "female"),
    ],
    columns=["id", "text", "english", "item", "number", "gender"],
).assign(hers=HERS, his=HIS)


def test_outputs_are_known_by_id_or_by_source_and_of_a_context_the_sentence_is_read(monkeypatch):
    monkeypatch.setattr(geneval, "geneval_sentences", lambda language: KNOWN)
    rows = [
        ("geneval:feminine:1", "", "Ganó."),
        ("a", "he won", "Ganó él."),
        ("geneval:context:1", "", "Kim salió."),
        ("c", "She won. Kim left.", "Ganó ella. Kim salió."),
        ("d", "She won. <sep> Kim left.", "Ganó ella <sep> Kim salió."),
        ("e", "Kim left.", "Ganó ella. Kim salió."),
        ("winomt:1", "", "x"),
    ]
    outputs = pd.DataFrame(rows, columns=["id", "source", "output"]).assign(ended="")
    found = asked_references(outputs, "es").set_index("id")
    assert found["number"].tolist() == [1] * 6
    assert found["gender"].tolist() == ["female", "male", *["female"] * 4]
    assert found["output"].tolist()[2:] == ["Kim salió."] * 3 + ["Ganó ella. Kim salió."]
    assert found.loc["c", "text"] == "She won. Kim left." and found.loc["e", "text"] == "Kim left."
    assert not len(asked_references(outputs, "uk"))
