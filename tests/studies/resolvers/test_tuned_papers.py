"""Papers that tuned their encoder: their settings train, what they take is worked by hand, and blends are means."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers.examples import Examples
from lib.ledger import claims
from lib.profiles import chapter_entries
from studies.resolvers import tuned_papers
from studies.resolvers.entries import entries
from studies.resolvers.tuned import WORDS
from tests.studies.resolvers.made_up import passages
from tests.support import tiny_models

EVERY = tuned_papers.tuned_entries()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers") / "bert"
    return str(tiny_models.build("bert", folder, words=[*tiny_models.WORDS, *WORDS]))


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.system)
def test_the_settings_of_every_paper_train_on_any_encoder(entry, encoder, cache):
    frame = passages(6)
    frame["ID"] = [f"{'development' if k % 4 else 'validation'}-{k}" for k in range(len(frame))]
    examples = Examples(frame, np.empty((len(frame), 0, 3, 0), dtype=np.float32), "made up")
    short = replace(entry.resolver, encoder=encoder, device="cpu", head_epochs=0, epochs=1)
    fitted = short.fit(examples, rng=0)
    said = fitted.probabilities(examples)
    assert said.shape == (24, 3) and len(fitted.history) == 1
    np.testing.assert_allclose(said.sum(axis=1), 1)


def test_no_more_passages_are_held_at_once_than_were_measured():
    for entry in EVERY:
        tuned = entry.resolver
        assert tuned.batch_size / tuned.parts <= 8 and tuned.longest <= 300
        assert set(entry.printed) and entry.differs


def test_what_a_system_takes_is_passages_times_what_one_took():
    takes = tuned_papers.what_it_takes(entries(), seeds=2)
    assert list(takes.index) == [entry.system for entry in EVERY]  # frozen heads take no card
    passages_of_wang = 30 * 1963 * 5 * 2  # epochs, four fifths of 2,454, folds, seeds
    assert takes.loc["Wang: model 10", "hours"] == pytest.approx(
        passages_of_wang * 0.143706 / 8 / 3600
    )
    assert takes.loc["Attree: ProBERT", "hours"] == pytest.approx(
        20 * 2000 * 2 * 0.143706 / 8 / 3600
    )
    assert takes.loc["Attree: ProBERT", "GiB"] == pytest.approx(7728.46 / 1024)


def test_the_profile_says_what_its_systems_take():
    entry = chapter_entries("full")["resolvers_evidence"]
    assert "tuned" in entry["parameters"]["systems"]
    assert entry["takes"] == tuned_papers.takes_in_words(tuned_papers.what_it_takes(EVERY, 5))


def test_a_blend_is_a_weighted_mean_of_what_is_there():
    frozen = [entry for entry in entries() if entry.group == "systems"]
    every = [*frozen, *EVERY]
    said = [np.full((2, 4, 3), k, dtype=float) for k in range(len(every))]
    found, answers = tuned_papers.with_blends(every, said)
    assert [entry.system for entry in found[len(every) :]] == [
        "Ionita: blend",
        "Chada: mean of three",
    ]
    place = {entry.system: k for k, entry in enumerate(every)}
    ours, theirs = (
        place[f"Ionita: {part}"] for part in ("tuned classifiers", "products and Siamese networks")
    )
    assert answers[-2][0, 0, 0] == pytest.approx(0.65 * ours + 0.35 * theirs)
    assert found[-2].split == every[ours].split == every[theirs].split
    assert claims.printed(found[-2].printed["log loss"]) == 0.299
    assert claims.printed(found[-1].printed["log loss"]) == 0.32
    assert len(tuned_papers.with_blends(frozen, said[: len(frozen)])[0]) == len(frozen)


def test_rows_are_those_of_the_tables_beside_the_card():
    rows = tuned_papers.rows()
    arms = tuned_papers.arms()
    assert rows["seed"].notna().sum() == 4 * len(arms)
    decided = rows[(rows["arm"] == tuned_papers.DECIDES) & (rows["over"] == "pages")]
    decided = decided.set_index("quantity").loc["log loss, tuned on a card less frozen"]
    assert decided["low"] < decided["value"] < decided["high"] < 0
    means = arms.groupby("arm")["log loss"].mean()
    gain = means[tuned_papers.DECIDES] - means["mentions, frozen"]
    assert decided["value"] == pytest.approx(gain, abs=1e-5)


def test_the_table_shows_what_was_reached_where_it_was():
    bare = tuned_papers.papers_table(EVERY, {}, 5)
    assert "log loss, ours" not in bare and len(bare) == len(EVERY)
    told = tuned_papers.papers_table(EVERY, pd.Series({"Wang: model 10": 0.5}), 5)
    assert told["log loss, ours"].dropna().tolist() == [0.5]
