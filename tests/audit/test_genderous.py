"""Outputs where the English says no gender: known by their text, forms of their own, a null that finds nothing, a lean that is found."""

import numpy as np
import pandas as pd
import pytest

from audit.translator import audit_outputs, genderous
from audit.translator.genderous import ALL, APART, SOURCE, genderous_sentences, score_leaning
from lib.datasets.genderous import read_translations
from lib.ledger.results import recorded_results
from lib.sources import FetchError

KEYS = [f"genderous_gt_{kind}" for kind in ("base", "their", "adjectives")]
sample = pytest.mark.sample(*KEYS, "genderous_adjectives")
GENDERS = ("feminine", "masculine", "neutral")
JOBS = pd.DataFrame({"occupation": [f"job {n}" for n in range(30)], "of": np.repeat(GENDERS, 10)})
WORDS = pd.DataFrame({"adjective": [f"word {n}" for n in range(15)], "of": np.repeat(GENDERS, 5)})


@pytest.fixture
def made(monkeypatch):
    """Sentences of the same design, made up here."""
    crossed = JOBS.merge(WORDS, how="cross", suffixes=("_job", "_word"))
    table = pd.DataFrame(
        {
            "text": crossed["occupation"] + " " + crossed["adjective"],
            "kind": "adjectives",
            "occupation": crossed["occupation"],
            "adjective": crossed["adjective"],
            "stereotype": "",
            "occupation_stereotype": crossed["of_job"],
            "adjective_stereotype": crossed["of_word"],
        }
    )
    monkeypatch.setattr(genderous, "genderous_sentences", lambda: table)
    return table


def leaning(made, feminine, seed=0, draws=100):
    forms = np.where(feminine, "feminine", "masculine")
    return score_leaning(pd.DataFrame({"text": made["text"], "form": forms}), draws=draws, rng=seed)


def test_who_knows_no_stereotype_gets_findings_by_chance_alone(made):
    found = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        usual = dict(zip(JOBS["occupation"], rng.beta(0.5, 1, 30)))
        run = leaning(made, rng.random(450) < made["occupation"].map(usual), seed, draws=20)
        found += any(run.found(side) for side in APART)
    assert found <= 3


def test_a_planted_lean_is_found_and_neutral_forms_are_in_no_share(made):
    rng = np.random.default_rng(1)
    share = made["occupation_stereotype"].map({"feminine": 0.8, "masculine": 0.1, "neutral": 0.3})
    run = leaning(made, rng.random(450) < share)
    assert run.found("occupation") and not run.found("adjective")
    assert run.reach("occupation") < 60 and run.table.loc[APART["occupation"], "n"] == 300
    forms = np.where(made["adjective_stereotype"] == "neutral", "inclusive", "feminine")
    open_forms = score_leaning(
        pd.DataFrame({"text": made["text"], "form": forms}), draws=20, rng=0
    ).table
    assert open_forms.loc[ALL, ["value", "n"]].tolist() == [100, 300]
    assert score_leaning(pd.DataFrame({"text": made["text"][:20], "form": "feminine"})) is None


def test_where_the_sentences_cannot_be_had_one_line_says_so(monkeypatch):
    def none():
        raise FetchError("no network")

    monkeypatch.setattr("audit.translator.outputs.genderous_sentences", none)
    monkeypatch.setattr("audit.translator.outputs.winomt_sentences", lambda: 1 / 0)
    given = pd.DataFrame({"id": ["genderous:1"], "source": "", "output": "x"})
    given = given.assign(person="", gender="", stereotype="", ended="")
    with pytest.raises(ValueError, match="GENDEROUS's sentences could not be had: no network"):
        audit_outputs(given, "es")


@sample
def test_values_are_those_of_the_chapter():
    table = read_translations("gt", "es")
    given = pd.DataFrame({"id": table.index.astype(str), "source": table["sentence"]})
    given = given.assign(output=table["translation"], person="", gender="", stereotype="", ended="")
    found = audit_outputs(given.sample(frac=1, random_state=0), "es", rng=0)
    assert set(found.outputs["source"]) == {SOURCE} and found.valid is None
    rows = recorded_results("translated_gender_evidence", "GENDEROUS feminine share by our reader")
    rows = rows[(rows["system"] == "gt") & (rows["language"] == "es")]
    theirs = rows.set_index(["side", "stereotype"])[["value", "low", "high"]].astype(float)
    names = {("all", ""): ALL, **genderous.BY_KIND}
    names |= {(f"{side} difference", ""): name for side, name in APART.items()}
    ours = found.leaning.table.loc[list(names.values()), ["value", "low", "high"]]
    assert len(theirs) == len(names)
    assert ours.to_numpy() == pytest.approx(100 * theirs.loc[list(names)].to_numpy())
    beside = genderous.beside_people("es")
    assert beside.systems == 4 and beside.worst(ALL) < 2
    assert genderous.beside_people("fr") is None


@sample
def test_sentences_are_known_by_id_and_name_their_person():
    asked = genderous_sentences()
    said = [text.lower().split()[place] for text, place in zip(asked["text"], asked["place"])]
    assert [person.split()[-1] for person in asked["person"]] == said
    given = pd.DataFrame({"id": asked["id"], "source": "", "output": "x"})
    given = given.assign(person="", gender="", stereotype="", ended="")
    assert (
        genderous.may_be_asked(given).all()
        and genderous.may_be_asked(given.assign(source=asked["text"])).all()
    )
