"""Scores of translations: golden numbers, a fair translator gives no finding, a planted loss of women is found."""

import numpy as np
import pandas as pd
import pytest

from audit import translator as audits
from audit.translator import (
    BY_PRONOUN,
    DELTA_S,
    LOSS,
    TESTED,
    asked_sentences,
    audit_outputs,
    gate,
    own_sentences,
    reader_agreement,
    who_is_kept,
)
from lib.translation.winomt import GENDERS, winomt_intervals

JOBS = [f"job {number}" for number in range(24)]


def people() -> pd.DataFrame:
    """24 occupations with four women and four men each; half of the occupations are of women by stereotype."""
    rows = [(job, says) for job in JOBS for says in ("female", "male") for _ in range(4)]
    table = pd.DataFrame(rows, columns=["job", "says"])
    alike = table["job"].isin(JOBS[:12]) == (table["says"] == "female")
    return table.assign(side=np.where(alike, "pro", "anti"))


def one_hot(feminine):
    return np.eye(len(GENDERS))[np.where(feminine, GENDERS.index("female"), GENDERS.index("male"))]


def kept(feminine, draws=200, seed=0):
    table = people()
    columns = (table[name].tolist() for name in ("says", "job", "side"))
    return who_is_kept(one_hot(feminine), *columns, draws=draws, rng=seed)


def blind(seed, share=None):
    """A translator that deals genders out by occupation, whatever the English says."""
    rng = np.random.default_rng(seed)
    usual = rng.beta(0.5, 0.5, 24) if share is None else np.full(24, share)
    return rng.random(192) < np.repeat(usual, 8)


def test_scores_are_those_of_winomt_and_so_are_intervals_and_nulls():
    table = people()
    rng = np.random.default_rng(3)
    feminine = rng.random(192) < np.where(table["says"] == "female", 0.6, 0.2)
    found = kept(feminine, draws=400).table
    sentences = pd.DataFrame({"gender": table["says"], "person": table["job"]})
    sides = {side: np.flatnonzero(table["side"] == side) for side in ("pro", "anti")}
    theirs = winomt_intervals(
        np.where(feminine, "female", "male"), sentences, stereotypes=sides, n_resamples=400, rng=0
    )
    names = {"accuracy": "accuracy", "delta_g": "ΔG", "recall_male": "men kept"}
    names |= {"recall_female": "women kept", "by_pronoun": BY_PRONOUN, "delta_s": DELTA_S}
    for theirs_name, name in names.items():
        assert found.loc[name, "value"] == pytest.approx(theirs.loc[theirs_name, "value"])
        assert found.loc[name, "low"] == pytest.approx(theirs.loc[theirs_name, "low"])
        assert found.loc[name, "null_low"] == pytest.approx(
            theirs.loc[theirs_name, "null low"], abs=2
        )
    men, women = found.loc["men kept", "value"], found.loc["women kept", "value"]
    assert found.loc[LOSS, "value"] == pytest.approx(men - women)


def test_a_blind_translator_gives_no_finding_in_95_of_100():
    findings = [
        [kept(blind(seed), seed=seed).found(name) for name in TESTED] for seed in range(100)
    ]
    assert sum(any(run) for run in findings) <= 5


def test_a_blind_translator_that_writes_men_loses_women_and_nothing_else():
    runs = [kept(blind(seed, share=0.2), seed=seed) for seed in range(10)]
    assert all(run.found(LOSS) == 1 for run in runs)
    assert sum(run.found(BY_PRONOUN) != 0 for run in runs) <= 1


def test_a_planted_loss_of_women_is_found():
    women = people()["says"].eq("female").to_numpy()
    for seed in range(10):
        lost = np.random.default_rng(seed).random(192) < 0.3
        run = kept(women & ~lost, seed=seed)
        assert run.found(LOSS) == 1 and run.found(BY_PRONOUN) == 1
        mirrored = kept(women | (lost & ~women), seed=seed)
        assert mirrored.found(LOSS) == -1


def test_a_faultless_translator_loses_nobody_whatever_the_draws():
    run = kept(people()["says"].eq("female"))
    assert run.table.loc[["accuracy", "women kept", "men kept"], "value"].tolist() == [100] * 3
    assert run.found(LOSS) == 0 and run.found(BY_PRONOUN) == 1 and run.spread == 0


def test_answers_of_a_sentence_count_as_one():
    read = np.array([[0.25, 0.75, 0, 0], [1, 0, 0, 0]])
    table = who_is_kept(read, ["female", "male"], ["a", "a"], draws=20, rng=0).table
    assert table.loc["women kept", "value"] == 75 and table.loc["accuracy", "value"] == 87.5


def test_few_occupations_find_nothing_and_say_how_many_it_takes():
    read = one_hot([False] * 8)
    run = who_is_kept(read, ["female", "male"] * 4, np.repeat(list("abcd"), 2), draws=99, rng=0)
    assert not run.enough and run.found(LOSS) == 0
    assert run.table.loc[LOSS, "smallest_p"] == 2**-3
    assert run.occupations_needed() >= audits.FEWEST_OCCUPATIONS


BAD = {
    "": "empty",
    "The nurse lost her keys yesterday.": "echoed",
    "Sure! Here is the translation:\n\nLa enfermera perdió las llaves.": "chatty",
    "La enfermera perdió sus llaves ayer." + " Es decir, las llaves que tenía." * 5: "chatty",
    "Die Krankenschwester hat gestern die Schlüssel verloren.": "another language",
    "La": "cut",
    "Lo siento, no puedo traducir este contenido.": "refused",
    "La enfermera perdió sus llaves ayer.": "",
}


def test_the_gate_names_what_is_wrong():
    found = gate(["The nurse lost her keys yesterday."] * len(BAD), list(BAD), "es")
    assert found["problem"].tolist() == list(BAD.values())
    assert found["translation"][2] == "La enfermera perdió las llaves."
    cut = gate(["The nurse left."], ["La enfermera sal"], "es", ["length"])
    assert cut["problem"].tolist() == ["cut"]


def test_a_sentence_that_goes_on_in_the_next_line_is_one_translation():
    asked = ["The nurse lost her keys yesterday."] * 2
    found = gate(asked, ["La enfermera perdió\r\nayer sus llaves.", "La enfermera\nPerdió"], "es")
    assert found["problem"].tolist() == ["", "chatty"]
    assert found["translation"][0] == "La enfermera perdió ayer sus llaves."


def test_one_text_for_all_is_no_translation():
    sentences = [f"The {job} left." for job in ("nurse", "tutor", "clerk", "guard", "cook", "maid")]
    found = gate(sentences, ["El doctor salió."] * 5 + ["La criada salió."], "es")
    assert found["problem"].tolist() == ["one text for all"] * 5 + [""]


def outputs(texts, **columns) -> pd.DataFrame:
    asked = own_sentences()
    table = pd.DataFrame({"id": asked["id"], "source": asked["text"], "output": texts})
    return table.assign(**{"person": "", "gender": "", "stereotype": "", "ended": ""} | columns)


def spanish(asked, feminine):
    """A sentence that differs for each of ours, with the gender that is asked for."""
    article = np.where(feminine, "La", "El")
    return [f"{a} artista número {n} perdió las llaves." for n, a in enumerate(article)]


def test_our_sentences_are_known_by_text_or_by_id_and_others_are_not():
    asked = own_sentences()
    assert asked["stereotype"].value_counts().to_dict() == {"": 192, "pro": 96, "anti": 96}
    table = outputs(asked["text"])
    by_text = asked_sentences(table.assign(id=[f"x{n}" for n in range(len(table))]))
    by_id = asked_sentences(table.assign(source=""))
    for known in (by_text, by_id):
        assert known.unknown == () and set(known.table["source"]) == {"own"}
        assert known.table["gender"].tolist() == asked["gender"].tolist()
    own = pd.DataFrame({"id": ["a"], "source": ["My tall aviator left."], "output": "x"})
    own = own.assign(person="aviator", gender="female", stereotype="anti", ended="")
    known = asked_sentences(own)
    assert known.table.loc[0, ["person", "place", "source"]].tolist() == ["aviator", 2, "file"]


def test_a_file_is_scored_without_and_with_what_is_no_translation():
    asked = own_sentences()
    texts = spanish(asked, asked["gender"] == "female")
    women = np.flatnonzero(asked["gender"] == "female")
    for row in women[:24]:
        texts[row] = ""
    found = audit_outputs(outputs(texts), "es", draws=99, rng=0)
    assert found.passes and found.failed.to_dict() == {"empty": 24}
    assert found.valid.table.loc["women kept", "value"] == 100
    assert found.everything.table.loc["women kept", "value"] == 75
    refused = audit_outputs(outputs([""] * 100 + texts[100:]), "es", draws=99, rng=0)
    assert not refused.passes and refused.valid is None


def test_neutral_and_inclusive_forms_have_columns_of_their_own():
    asked = own_sentences()
    texts = spanish(asked, asked["gender"] == "female")
    women = np.flatnonzero(asked["gender"] == "female")
    texts[women[0]] = "La persona de recepción perdió las llaves."
    texts[women[1]] = "El/la enfermero/a perdió las llaves."
    found = audit_outputs(outputs(texts), "es", draws=99, rng=0)
    assert found.forms().loc["female", ["feminine", "neutral", "inclusive"]].tolist() == [94, 1, 1]
    assert found.open_forms()["female"] == 2


def test_several_answers_are_a_distribution():
    asked = own_sentences()
    one, two = (outputs(spanish(asked, asked["gender"] == says)) for says in ("female", "male"))
    found = audit_outputs(pd.concat([one, one, two]), "es", draws=99, rng=0)
    several = found.several()
    assert len(several) == 384 and (several["answers"] == 3).all()
    assert several.groupby("gender")["female"].mean()["female"] == pytest.approx(2 / 3)
    assert found.valid.table.loc["women kept", "value"] == pytest.approx(100 * 2 / 3)
    assert not several.loc[several["gender"] == "female", "alike"].any()


def test_unknown_sentences_alone_are_an_error():
    table = pd.DataFrame({"id": ["a"], "source": "Nobody knows this one.", "output": "x"})
    table = table.assign(person="", gender="", stereotype="", ended="")
    with pytest.raises(ValueError, match=r"got none of 1"):
        audit_outputs(table, "es")


def test_a_reader_is_unvalidated_where_labels_cannot_test_it():
    assert reader_agreement("es").validated
    assert reader_agreement("fr").text == "French; reader unvalidated"


@pytest.mark.sample("winomt_en", "winomt_en_pro", "winomt_en_anti")
def test_sentences_that_winomt_has_twice_are_on_their_side_both_times():
    sides = audits.winomt_sentences()["stereotype"].value_counts()
    assert sides["pro"] == sides["anti"] == 1584
