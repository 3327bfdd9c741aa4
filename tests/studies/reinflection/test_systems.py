"""Two steps, single, controls: what each changes."""

import numpy as np
import pytest

from studies.reinflection.identify import (
    agreement,
    by_reader,
    load_classifier,
    load_rewriter,
    right_by_label,
)
from studies.reinflection.sentences import own_sentences, paired_sentences, read_paired
from studies.reinflection.systems import (
    by_share,
    errors,
    in_both_directions,
    outputs_of_systems,
    random_letters,
    two_step,
    written_by,
)

OWN = own_sentences()


def test_two_steps_with_true_labels_and_true_targets_are_right_and_touch_nothing_else():
    for gender in ("masculine", "feminine"):
        written = two_step(OWN["sentence"], OWN["given"], OWN[gender], gender)
        assert written == OWN[gender].tolist()
        copied = two_step(OWN["sentence"], ["neither"] * len(OWN), OWN[gender], gender)
        assert copied == OWN["sentence"].tolist()


def test_random_letters_change_as_many_letters_and_never_one_for_itself():
    given, written = ["Estoy solo y cansado.", "Ya voy."], ["Estoy sola y cansada.", "Ya voy."]
    changed = random_letters(given, written, rng=np.random.default_rng(0))
    assert [sum(a != b for a, b in zip(*pair)) for pair in zip(given, changed)] == [2, 0]


def test_the_reader_and_the_shipped_classifier_label_sentences():
    texts = ["Estoy muy cansada.", "Estoy muy cansado.", "Mañana llueve."]
    assert (
        by_reader(texts) == load_classifier().label(texts) == ["feminine", "masculine", "neither"]
    )
    assert load_classifier().label([]) == []


def test_the_shipped_character_model_writes_both_genders_and_copies_letters_it_does_not_know():
    rewriter = load_rewriter()
    assert rewriter.rewrite(["Estoy cansado.", "Estoy sola."], "feminine") == [
        "Estoy cansada.",
        "Estoy sola.",
    ]
    assert rewriter.rewrite(["Estoy sola."], "masculine") == ["Estoy solo."]
    assert rewriter.rewrite([], "feminine") == []


def test_agreement_is_accuracy_and_cohens_kappa():
    from sklearn.metrics import cohen_kappa_score

    truth = ["feminine", "masculine", "neither"] * 10
    labels = ["feminine", "neither", "neither", "masculine", "masculine", "neither"] * 5
    found = agreement(truth, labels, rng=0)
    assert found.loc["kappa", "value"] == pytest.approx(cohen_kappa_score(truth, labels))
    assert found.loc["accuracy"].between(0, 1).all()
    assert (found["low"] < found["value"]).all() and (found["value"] < found["high"]).all()
    assert agreement(truth, truth, rng=0)["value"].tolist() == pytest.approx([1, 1])
    constant = agreement(truth, ["neither"] * 30, rng=0)
    assert constant.loc["kappa", "value"] == pytest.approx(0)


def test_systems_and_controls_on_a_few_sentences():
    few = OWN.groupby("given").head(4)
    asked = in_both_directions(few)
    assert asked["asked"].tolist() == ["masculine"] * 12 + ["feminine"] * 12
    labels = {"nobody": ["neither"] * len(asked)}
    written = outputs_of_systems(asked, labels, load_rewriter(), rng=np.random.default_rng(0))
    assert next(iter(written)) == "Copy"
    assert written["Rules: Two Step, nobody"] == written["Copy"] == asked["sentence"].tolist()
    assert written["Rules: Two Step, true labels"] == asked["target"].tolist()
    shares = by_share(asked, written, [0, 0.5, 1]).pivot(
        index="share", columns="system", values="value"
    )
    assert shares["Copy"].tolist() == [1, 0.75, 0.5]
    assert set(shares["Rules: Two Step, true labels"]) == {1}
    assert errors(asked, asked["target"]).empty
    left = errors(asked, written["Copy"])
    assert set(left["error"]) == {"left"} and len(left) == 8


def test_a_system_of_ones_own_answers_each_request_in_its_gender_and_in_full():
    pairs = [("Estoy  solo.", "Estoy sola."), ("Me voy.", "Me voy.")]
    asked = in_both_directions(paired_sentences(pairs))
    assert written_by(lambda texts, gender: [gender] * len(texts), asked) == asked["asked"].tolist()
    with pytest.raises(ValueError, match="expected 3 sentences from the system, got 0"):
        written_by(lambda texts, gender: [], asked)


def test_sentences_of_ones_own_have_the_form_of_the_books(tmp_path):
    pairs = [("Estoy  solo.", "Estoy sola."), ("Me voy.", "Me voy."), ("Me voy.", "Me voy.")]
    own = paired_sentences(pairs)
    assert list(own.columns) == list(OWN.columns)
    assert own["sentence"].tolist() == ["Estoy solo.", "Estoy sola.", "Me voy."]
    assert own["given"].tolist() == ["masculine", "feminine", "neither"]
    file = tmp_path / "own.csv"
    file.write_text("masculine,feminine\nEstoy solo.,Estoy sola.\nMe voy.,Me voy.\n")
    assert read_paired(file).equals(own)


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ([("Hola.", "Hola.")], "two pairs"),
        ([], "two pairs"),
        ([("Soy yo.", "Soy yo misma.")], "as many words"),
        ([("Soy yo.", "")], "as a man and as a woman"),
        ([("Soy yo.",)], "as a man and as a woman"),
    ],
)
def test_pairs_that_are_none_are_refused(pairs, complaint):
    with pytest.raises(ValueError, match=complaint):
        paired_sentences(pairs)


def test_a_file_without_both_forms_is_refused(tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("he,she\nSoy,Soy\n")
    with pytest.raises(ValueError, match="columns masculine and feminine, got he, she"):
        read_paired(file)


def test_right_labels_are_counted_by_kind_and_one_group_has_no_interval():
    truth = ["feminine", "feminine", "neither", "neither"]
    said = ["feminine", "neither", "neither", "neither"]
    found = right_by_label(truth, said, ["a", "b", "c", "c"], 200)
    assert found["value"].to_dict() == {"feminine": 0.5, "neither": 1.0}
    assert found.loc["feminine", ["low", "high"]].tolist() == [0, 1]
    assert np.isnan(found.loc["neither", "low"])
