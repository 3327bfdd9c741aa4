"""Messages by place: what training adds to every word is no lean, shuffled genders give no finding, what was planted is found."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from audit.messages import ORDER, audit_messages, said
from audit.messages.places import (
    Counted,
    HalfText,
    check_messages,
    count_messages,
    read_gap,
    read_themes,
    train_places,
)
from lib.cultures.sample import CultureText
from lib.cultures.tasks import Training, train
from lib.cultures.texts import Splitting, part_folder, split_file
from lib.embeddings import Embedding
from tests.support.own_messages import BASE, KNOWN, THEMES, genders_shuffled, made_messages

SIDES = [word for pair in [*BASE, *KNOWN] for word in pair]
WORDS = [*SIDES, *(word for words in THEMES.values() for word in words)]
WORDS += [f"x{number}" for number in range(300)]
FEMALE, MALE = zip(*BASE)


def spaces(places, planted, seed, *, alike=0.0, known=3.0, noise=0.7):
    """Vectors of places and of two halves. planted: leans of law, one a place; alike: what all words have in common, as
    after too little training; known: how far the two sides lie apart."""
    rng, whole, halves = np.random.default_rng(seed), {}, {}
    common, law = rng.standard_normal(20), [WORDS.index(word) for word in THEMES["law"]]
    for place, lean in zip(places, planted):
        said_there = rng.standard_normal((len(WORDS), 20)) + alike * common
        said_there[: len(SIDES) : 2, 0] += known
        said_there[1 : len(SIDES) : 2, 0] -= known
        said_there[law, 0] += lean
        apart = noise * rng.standard_normal(said_there.shape)
        halves[place] = tuple(
            Embedding(WORDS, said_there + s * apart, ranked=True) for s in (1, -1)
        )
        whole[place] = Embedding(WORDS, said_there, ranked=True)
    return whole, halves


def audited(places, planted, seed, *, gaps=None, counted=None, draws=200, **how):
    whole, halves = spaces(places, planted, seed, **how)
    return audit_messages(
        *(whole, halves, THEMES, FEMALE, MALE, KNOWN),
        words=dict.fromkeys(places, 10_000),
        counted=counted,
        gaps=gaps,
        draws=draws,
        rng=seed,
    )


STATES = ["TX", "OH", "CA", "NY", "WA", "FL", "GA", "IL"]


def test_leans_that_training_gives_to_every_word_are_no_finding_and_are_said_to_be_training():
    runs = [audited(STATES, np.zeros(8), seed, alike=12.0) for seed in range(8)]
    assert all(min(run.alike.values()) > 0.9 for run in runs), "as a planted theme would have them"
    assert sum(len(run.found) > 0 for run in runs) <= 1
    not_ = " ".join(said(runs[0]).may_not)
    assert "rise and fall with the leans of random words" in not_


def test_a_lean_its_order_and_its_fact_are_found_and_nothing_of_the_other_theme():
    planted = np.linspace(-3, 3, 8)
    fact = pd.Series(planted, STATES)
    found = audited(STATES, planted, 0, gaps={"fact": fact}, draws=2000)
    rows = found.found
    assert set(rows["theme"]) == {"law"}
    assert {"law", "law, fact"} <= set(rows["item"])
    leans = found.leans().set_index("item")["leans"]
    assert leans["law, TX"] == "male" and leans["law, IL"] == "female"
    assert found.reliability.loc["law", "whole"] > 0.8
    text = " ".join(said(found).may)
    assert "goes with fact" in text and "order repeats" in text


def test_values_do_not_depend_on_the_length_of_vectors():
    whole, halves = spaces(["TX", "OH"], [2, -2], 3)
    longer = {place: Embedding(WORDS, 7 * e.vectors, ranked=True) for place, e in whole.items()}
    given = dict(words=dict.fromkeys(whole, 1), draws=99, rng=0)
    one, two = (
        audit_messages(vectors, halves, THEMES, FEMALE, MALE, KNOWN, **given).leans()
        for vectors in (whole, longer)
    )
    assert np.allclose(one["value"].astype(float), two["value"].astype(float), atol=1e-4)
    assert np.allclose(7 * one["plain"].astype(float), two["plain"].astype(float), rtol=1e-4)


def test_where_known_groups_are_not_told_apart_nothing_is_ranked_and_it_is_said_how_much_it_takes():
    rare = Counted({word: 2 for pair in KNOWN for word in pair}, pd.DataFrame())
    rare.messages[["female", "male", "other female", "other male"]] = 0
    found = audited(["TX", "OH"], [0, 0], 1, known=0.0, counted=rare)
    assert not found.passed and not len(found.table)
    assert found.known_needed == 20_000 * 5 / 2
    sentences = said(found)
    assert sentences.answers[0].startswith("**No known group can be told apart in any of 2 places")
    assert "about 50,000 words of text a place" in sentences.answers[0] and not sentences.may
    for passed, what in ((True, "do tell"), (False, "do not tell")):
        together = pd.Series({"words of text": 40_000, "passed": passed})
        answer = said(found, together).answers[0]
        assert f"All messages together, 40,000 words, {what} them apart" in answer


def test_messages_with_a_planted_lean_are_fair_once_genders_are_shuffled():
    texts = {f"p{n}": genders_shuffled(made_messages(600, True, n), n) for n in range(2)}
    training = Training(dimensions=12, epochs=12, window=5)
    whole = {place: train(text, training) for place, text in texts.items()}
    halves = {
        place: tuple(train(text[n::2], replace(training, seed=1 + n, epochs=24)) for n in (0, 1))
        for place, text in texts.items()
    }
    words = dict.fromkeys(texts, 6000)
    found = audit_messages(
        whole, halves, THEMES, FEMALE, MALE, KNOWN, words=words, draws=200, rng=0
    )
    assert found.passed and found.table["p"].notna().all() and not len(found.found)
    counted = count_messages(texts, THEMES, FEMALE, MALE).log_odds()
    assert ((counted["low"] < 0) & (counted["high"] > 0)).all()


def test_an_order_needs_five_places_and_a_place_needs_both_halves():
    whole, halves = spaces(STATES[:5], np.linspace(-3, 3, 5), 2)
    given = dict(words=dict.fromkeys(whole, 1), draws=99, rng=0)
    del halves["TX"]
    found = audit_messages(whole, halves, THEMES, FEMALE, MALE, KNOWN, **given)
    assert not (found.table["measure"] == ORDER).any()
    leans = found.leans().set_index("item")
    assert np.isnan(leans.loc["law, TX", "p"]) and leans.loc["law, OH", "p"] <= 1
    assert any("it takes 5 places" in one for one in said(found).may_not)


def test_halves_hold_every_message_once_and_are_the_same_each_time(tmp_path):
    rows = [f"message number {n} is here,Ohio" for n in range(200)]
    (tmp_path / "own.csv").write_text("\n".join(["text,place", *rows]), encoding="utf-8")
    splitting = Splitting("text", "place")
    split_file(tmp_path / "own.csv", tmp_path / "texts", splitting)
    part = part_folder(tmp_path / "own.csv", tmp_path / "texts", splitting)
    every = list(CultureText("OH", (part,)))
    two = [list(HalfText("OH", (part,), side=side)) for side in (0, 1)]
    assert sorted(two[0] + two[1]) == sorted(every) and 70 < len(two[0]) < 130
    assert two[0] == list(HalfText("OH", (part,), side=0))


def test_facts_and_themes_of_ones_own(tmp_path):
    (tmp_path / "fact.csv").write_text("state,value\nTexas,1\nOH,2\n", encoding="utf-8")
    assert read_gap(str(tmp_path / "fact.csv"), "state").to_dict() == {"TX": 1.0, "OH": 2.0}
    (tmp_path / "fact.csv").write_text("Texas,1\nTX,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="TX a second time"):
        read_gap(str(tmp_path / "fact.csv"), "state")
    (tmp_path / "own.csv").write_text("law,fear\nJail,Don’t\n", encoding="utf-8")
    assert read_themes(str(tmp_path / "own.csv"))[0] == {"law": ("jail",), "fear": ("don't",)}


def test_one_place_is_not_asked_twice():
    found = audited(["TX"], [-3.0], 0)
    assert found.leans(overall=True).empty and set(found.table["item"]) == {"law, TX", "food, TX"}
    text = " ".join([*said(found).answers, *said(found).may, *said(found).may_not])
    assert "all places" not in text and "here is one" in text


def test_themes_of_one_word_have_few_random_sets():
    whole, halves = spaces(["TX", "OH"], [-9.0, -9.0], 0)
    found = audit_messages(
        *(whole, halves, {"law": ["jail"]}, FEMALE, MALE, KNOWN),
        words=dict.fromkeys(whole, 10_000),
        draws=2000,
        rng=0,
    )
    assert found.table["smallest_p"].gt(1 / 300).all(), "random words, not draws, are counted"
    assert (found.table["p"] >= found.table["smallest_p"]).all()


REFUSED = {
    "no file": ("friedmann2019", "Did you mean 'friedman2019'"),
    "semicolons": ("themes.csv", "got semicolons"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_themes_that_are_none_are_refused_with_what_to_do(name, tmp_path, monkeypatch):
    (tmp_path / "themes.csv").write_text("word;group\njail;law\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    reference, said_ = REFUSED[name]
    with pytest.raises(ValueError, match=said_):
        read_themes(reference)


def test_messages_of_nowhere_are_refused_with_an_example(tmp_path):
    (tmp_path / "m.csv").write_text("text,place\nshe and he are here,Atlantis\n", "utf-8")
    splitting, training = Splitting("text", "place", "state"), Training("skip-gram", 5, 5, 10)
    with pytest.raises(ValueError, match="such as 'Atlantis', which is no state"):
        train_places([tmp_path / "m.csv"], tmp_path / "kept", splitting, training, fewest=9)
    (tmp_path / "m.csv").write_bytes(b"")
    with pytest.raises(ValueError, match="an empty file"):
        check_messages([str(tmp_path / "m.csv")], splitting)
