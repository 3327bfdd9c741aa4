"""GEST: sentences, scores of 34 models, blind votes and translations, in one order; and the figures that come with the book."""

import numpy as np
import pandas as pd
import pytest

from lib.datasets.gest import SENTENCES, TEMPLATES, read_sentences
from lib.sources import lookup
from studies.stereotypes import gest
from studies.stereotypes.gest import (
    LANGUAGES,
    MODELS,
    SYSTEMS,
    read_blind_votes,
    read_prompted,
    read_scores,
    read_summary,
    read_translations,
    score_key,
    translated,
)

SCORES = [
    score_key(model.name, template)
    for model in MODELS
    for template in range(len(TEMPLATES[model.kind]))
]
TRANSLATIONS = [
    f"gest_data_translations_{system}_{language}_translations"
    for system in SYSTEMS
    for language in translated(system)
]


def test_every_model_template_and_translation_has_its_file_in_the_registry():
    assert len(SCORES) == 23 * 2 + 11 * 4 and len(TRANSLATIONS) == 32
    assert all(lookup(key).license == "Apache-2.0" for key in [*SCORES, *TRANSLATIONS])
    assert len({model.name for model in MODELS}) == 34
    assert {model.base for model in MODELS} - {""} <= {model.name for model in MODELS}


@pytest.mark.sample("gest_data_gest", *SCORES)
def test_scores_stand_in_the_order_of_the_sentences():
    sentences, scores = read_sentences(), read_scores()
    assert scores.shape == (SENTENCES, 90) and np.isfinite(scores).all(axis=None)
    assert sentences["about"].value_counts().to_dict() == {"men": 1993, "women": 1572}
    # The notebook of the authors prints exp of the mean: 1.24 for bert-base, template 1, stereotype 1
    first = scores["bert-base-uncased", 0][sentences["stereotype"] == 1]
    assert np.exp(first.mean()).round(2) == 1.24
    # Two lines of the file that hold one sentence have one score
    for _, same in sentences[sentences["sentence"].duplicated(keep=False)].groupby("sentence"):
        assert np.ptp(scores.loc[same.index].to_numpy(), axis=0).max() < 1e-6


def test_the_figures_that_come_with_the_book_are_whole():
    table = read_summary()
    assert len(table) == 90 * 16 and table.notna().all(axis=None)
    assert table.groupby(["model", "template"])["n"].sum().eq(SENTENCES).all()
    halves = table[["first", "second"]].mean(axis=1)
    assert (halves - table["mean"]).abs().max() < 0.002


@pytest.mark.sample("gest_data_gest", "gest_data_annotations")
def test_people_who_did_not_see_the_stereotype_took_sentences_as_they_were_meant():
    votes, about = read_blind_votes(), read_sentences()["about"]
    assert votes.isna().sum() == 5 and set(votes.dropna()) == {-2, -1, 0, 1, 2}
    meant = np.sign(votes) == about.map({"women": -1, "men": 1})
    assert meant[votes.notna()].mean() == pytest.approx(0.978, abs=0.001)


@pytest.mark.sample("gest_data_gest", *TRANSLATIONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_sentence_is_translated(system):
    for language in translated(system):
        found = read_translations(system, language)
        assert len(found) == SENTENCES and found.str.len().gt(0).all()


@pytest.mark.sample("gest_data_gest", "gest_data_translations_deepl_sk_translations")
def test_most_sentences_were_also_translated_with_a_speaker_named():
    said = read_prompted("deepl")
    assert said.ne("").mean().min() > 0.95 and said["man"].ne(said["woman"]).mean() > 0.9


def test_other_names_and_broken_files_are_refused(tmp_path, monkeypatch, refuses):
    refuses(lambda: score_key("gpt2-large", 2), ["template", "0, 1", "2"])
    refuses(lambda: score_key("gpt3", 0), ["model", "gpt2", "'gpt3'"])
    refuses(lambda: translated("bing"), ["amazon_translate, deepl", "'bing'"])
    refuses(lambda: read_translations("deepl", "hr"), ["ru, uk, sl, cs, pl, sk", "'hr'"])
    refuses(lambda: read_prompted("nllb_3b"), ["amazon_translate, deepl, google_translate"])
    monkeypatch.setattr(gest, "fetch", lambda key: tmp_path / "x.csv")
    whole = pd.DataFrame({"sentence": ["I am."] * SENTENCES, "stereotype": 1})
    monkeypatch.setattr(gest, "read_sentences", lambda: whole)
    (tmp_path / "x.csv").write_text("from,to\nI was.,Bol som.\n", encoding="utf-8")
    refuses(lambda: read_translations("deepl", "sk"), ["3565 are not there", "fetch it again"])
    (tmp_path / "x.csv").write_text("0.1\n0.2\n", encoding="utf-8")
    refuses(read_scores, ["pythia_70m_template_0", "expected 3565 scores, got 2"])
    ticks = ",".join(gest.VOTES)
    (tmp_path / "x.csv").write_text(f"sentence,fix,{ticks}\nI am.,,x,x,,,\n", encoding="utf-8")
    refuses(read_blind_votes, ["expected one vote", "got 0 of 3565"])


def test_languages_without_a_system_are_named():
    assert set(gest.WITHOUT) < set(SYSTEMS)
    assert all(language in LANGUAGES for each in gest.WITHOUT.values() for language in each)
