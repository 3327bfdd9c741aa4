"""What is computed from released outputs, on made-up sentences: closed forms, planted gains, printed scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.reinflection import controls, google, habash2019, ngrams, printed
from studies.reinflection.ngrams import rule_labels


def corpus(n=40):
    """Half the sentences mark gender; each of these twice, once in each form."""
    rows = []
    for number in range(n):
        words = f"soy w{number}o ya hoy si", f"soy w{number}a ya hoy si"
        rows += [(words[0], "M", *words, number), (words[1], "F", *words, number)]
        plain = f"hoy no p{number} ya si"
        rows += [(plain, "B", plain, plain, n + 2 * number + side) for side in (0, 1)]
    table = pd.DataFrame(rows, columns=["input", "label", "masculine", "feminine", "pair"])
    return table.assign(features=table["label"].map({"M": "adj+msn", "F": "adj+fsn", "B": "x"}))


def outputs_of(sentences, single):
    inputs = [f"{line} ." for line in sentences["input"]]
    outputs = {("Baseline", target): inputs for target in "MF"}
    return outputs | {
        ("Single", target): [single(line, target) for line in inputs] for target in "MF"
    }


REFERENCES = {"M": corpus()["masculine"].tolist(), "F": corpus()["feminine"].tolist()}


def test_a_system_that_drops_a_full_stop_gains_nothing_without_punctuation():
    outputs = outputs_of(corpus(), lambda line, target: line.removesuffix(" ."))
    table = google.gains(corpus(), outputs, REFERENCES, resamples=20).set_index("scored")
    assert (table.loc["all sentences", "change"] > 1).all()
    assert np.allclose(table.loc["without punctuation", "change"], 0)
    dropped, whole = table.loc["final punctuation dropped"], table.loc["all sentences"]
    assert np.allclose(dropped["change"], whole["change"])


def test_a_system_that_writes_the_gender_asked_for_gains_only_where_gender_is_marked():
    asked = dict(zip(corpus()["input"], zip(corpus()["masculine"], corpus()["feminine"])))

    def single(line, target):
        return asked[line.removesuffix(" .")]["MF".index(target)] + " ."

    table = google.gains(corpus(), outputs_of(corpus(), single), REFERENCES, resamples=20)
    change = table.set_index(["scored", "target"])["change"]
    assert np.allclose(change["sentences without gender"], 0)
    assert (change["without punctuation"] > 1).all()
    assert (change["against the other gender"] < -1).all()


@given(st.lists(st.booleans(), min_size=1, max_size=12))
@settings(max_examples=25)
def test_copying_balanced_sentences_has_one_half_of_the_words(marked):
    forms = [("soy alto", "soy alta") if mark else ("soy yo", "soy yo") for mark in marked]
    forms += [("soy rico", "soy rica")]
    references = {
        "M": [m for m, _ in forms for _ in "MF"],
        "F": [f for _, f in forms for _ in "MF"],
    }
    copied = [line for pair in forms for line in pair]
    found = controls.exchanged_targets({"M": copied, "F": copied}, references, resamples=10)
    assert found.share == 0.5 and found.p == 1


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    return tmp_path


def test_labels_that_features_give_away_are_learnt_and_kept(own_cache):
    rows = corpus()
    found = ngrams.Identifier(rows[:80], rows[80:]).predict("Delexicalized")
    assert found == rows["label"][80:].tolist()
    kept = list(own_cache.rglob("*.npy"))
    assert len(kept) == 1
    np.save(kept[0], np.array(["B"]))
    assert ngrams.Identifier(rows[:80], rows[80:]).predict("Delexicalized") == ["B"]
    kept[0].write_bytes(b"damaged")
    assert ngrams.Identifier(rows[:80], rows[80:]).predict("Delexicalized") == found


def test_scores_of_labels_are_those_of_scikit_learn():
    from sklearn.metrics import precision_recall_fscore_support

    rng = np.random.default_rng(0)
    right, said = rng.choice([*"BFM"], (2, 200))
    table = ngrams.identification_scores(right, said, resamples=10).set_index(["label", "score"])
    expected = precision_recall_fscore_support(right, said, labels=[*"BFM"])[:3]
    for score, values in zip(ngrams.SCORES, expected):
        assert np.allclose([table.loc[(label, score), "value"] for label in "BFM"], values)
        assert table.loc[(ngrams.AVERAGE, score), "value"] == pytest.approx(values.mean())
    assert ngrams.macro_f1(right, said) == pytest.approx(table.loc[(ngrams.AVERAGE, "f1"), "value"])


@pytest.mark.sample
def test_the_rule_gives_the_printed_scores():
    rows = habash2019.read_sentences("test")
    table = ngrams.identification_scores(rows["label"], rule_labels(rows["features"]), resamples=10)
    found = table[table["label"] != ngrams.AVERAGE]["value"]
    assert [round(100 * value + 1e-9) for value in found] == [92, 99, 95, 96, 56, 71, 81, 53, 64]


@pytest.mark.sample
def test_printed_bleu_comes_out():
    rows, read = habash2019.read_sentences("test"), habash2019.read_outputs("test")
    table = printed.scores_of_both(read, rows["pair"], resamples=2)
    found = table[table["measure"] == "BLEU"].set_index(["system", "target"])["value"].round(2)
    assert found.to_dict() == {
        ("Baseline", "M"): 97.05,
        ("Single", "M"): 96.12,
        ("Two Step", "M"): 98.22,
        ("Baseline", "F"): 97.05,
        ("Single", "F"): 95.93,
        ("Two Step", "F"): 98.31,
    }
