"""Predictions compared by gender: chance first, fair input gives no finding, a planted difference is found."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from audit.predictions import (
    adjusted,
    audit_classifier,
    audit_pronouns,
    audit_twins,
    read_own_predictions,
)
from audit.predictions.files import read_all
from audit.predictions.gate import above_chance
from audit.predictions.gold import against_gold
from audit.predictions.twins import sign_flips
from lib.coreference.intervals import gender_intervals
from lib.coreference.scores import by_gender
from lib.datasets.gap import COLUMNS
from lib.text_classification.occupations.rates import confusions, gap_summary, gap_table


def classifier_rows(seed=0, n=1200, classes=4, gap=0.0, right=0.8, seeds=1):
    """Rows of a classifier that finds women of the first class less often by a gap."""
    rng = np.random.default_rng(seed)
    truth, female = rng.integers(classes, size=n), rng.random(n) < 0.5
    parts = []
    for run in range(seeds):
        hit = rng.random(n) < right - gap * ((truth == 0) & female)
        said = np.where(hit, truth, (truth + rng.integers(1, classes, size=n)) % classes)
        names = {"truth": [f"c{t}" for t in truth], "prediction": [f"c{s}" for s in said]}
        parts.append(pd.DataFrame(names).assign(female=female, seed=str(run)))
    table = pd.concat(parts, ignore_index=True)
    return table if seeds > 1 else table.drop(columns="seed")


def pronoun_rows(seed=0, n=800, worse=0.0, right=0.85):
    """Probabilities of a system that is right less often on feminine pronouns by `worse`."""
    rng = np.random.default_rng(seed)
    answers, female = rng.choice(3, size=n, p=[0.45, 0.45, 0.1]), np.arange(n) % 2 == 0
    hit = rng.random(n) < right - worse * female
    said = np.where(hit, answers, (answers + rng.integers(1, 3, size=n)) % 3)
    return 0.2 / 3 + 0.8 * np.eye(3)[said], answers, female, np.arange(n) // 3


def twin_rows(seed=0, pairs=24, apart=0.0, noise=0.05, items=1):
    rng = np.random.default_rng(seed)
    level = rng.normal(0.5, 0.1, pairs)
    rows = [
        (f"p{i}", f"t{j}", side, level[i] + (apart if side else 0) + rng.normal(0, noise))
        for i in range(pairs)
        for j in range(items)
        for side in (True, False)
    ]
    return pd.DataFrame(rows, columns=["pair", "item", "female", "score"])


def finished(audit):
    return adjusted([audit.table()])[0]


def test_values_of_a_classifier_are_those_of_the_chapter_on_biographies():
    rows = classifier_rows(gap=0.1)
    found = audit_classifier(rows, rng=0)
    table = found.table().set_index(["measure", "item"])
    order = sorted({*rows["truth"]})
    counts = confusions(rows["truth"], rows["prediction"], rows["female"], occupations=order)
    summary, by_class = gap_summary(counts, rng=0), gap_table(counts, order, rng=0)
    mean = table.loc[("mean size of gaps", "TPR gap")]
    assert mean["value"] == pytest.approx(summary.loc["TPR gap", "value"])
    assert found.fair["TPR gap"] == pytest.approx(summary.loc["TPR gap", "fair"], abs=0.003)
    assert table.loc["TPR gap", "value"].to_numpy() == pytest.approx(by_class.loc["TPR", "value"])
    assert table.loc["FPR gap", "value"].to_numpy() == pytest.approx(-by_class.loc["TNR", "value"])
    for ours, theirs in (("low", "low"), ("high", "high"), ("null_low", "null low")):
        assert table.loc["TPR gap", ours].to_numpy() == pytest.approx(
            by_class.loc["TPR", theirs], abs=0.02
        )
    assert found.gate.table.loc["all", "right"] == pytest.approx(summary.loc["accuracy", "value"])


def test_scores_of_pronouns_are_those_of_the_chapter_on_pronouns():
    rows, answers, female, pages = pronoun_rows()
    found = audit_pronouns(rows, answers, female, pages=pages, draws=300, rng=5)
    theirs = gender_intervals(rows, answers, female, pages=pages, n_resamples=300, rng=5)
    assert np.allclose(found.scores.loc[theirs.index], theirs)
    ratio = found.table().query("measure.str.startswith('ratio')").set_index("item")["value"]
    assert ratio["F1"] == pytest.approx(by_gender(rows, answers, female).loc["F1", "ratio"])


def test_a_fair_classifier_has_no_gap_and_one_that_misses_women_has():
    fair = [audit_classifier(classifier_rows(s), draws=200, rng=s) for s in range(6)]
    assert sum(finished(audit)["beyond"].any() for audit in fair) <= 2
    planted = [audit_classifier(classifier_rows(s, gap=0.25), draws=200, rng=s) for s in range(5)]
    for audit in planted:
        rows = finished(audit)
        tpr = rows[rows["measure"] == "TPR gap"].set_index("item")
        assert tpr.loc["c0", "beyond"] and tpr.loc["c0", "value"] < 0
        assert "c0" in " ".join(audit.said(rows).may)


def test_the_smallest_p_is_that_of_the_largest_gap_that_a_class_could_have():
    rows = pd.DataFrame({"truth": list("aaaaabbbbb") * 3, "prediction": list("aaaabbbbbb") * 3})
    rows = rows.assign(female=(np.arange(30) % 5 < 2))
    table = audit_classifier(rows, draws=999, rng=0).table()
    tpr = table[table["measure"] == "TPR gap"].set_index("item")["smallest_p"]
    # 3 wrong of 15: all with the 6 women, or all with the 9 men, whichever makes the larger gap
    assert tpr["a"] == pytest.approx(20 / 455) and tpr["b"] == 1


def test_seeds_widen_intervals_only_where_seeds_differ():
    rows = classifier_rows(n=600, gap=0.2)
    alone = audit_classifier(rows, rng=0).table()
    thrice = pd.concat([rows.assign(seed=str(s)) for s in range(3)], ignore_index=True)
    same = audit_classifier(thrice, rng=0)
    assert same.n == 600 and same.table()["value"].to_numpy() == pytest.approx(alone["value"])
    assert same.table()["low"].to_numpy() == pytest.approx(alone["low"], abs=0.02)
    other = rows["prediction"].where(rows["female"] | (rows["truth"] != "c0"), "c1")
    differing = pd.concat([rows.assign(seed="0"), rows.assign(seed="1", prediction=other)])
    wide = audit_classifier(differing, rng=0).table().set_index(["measure", "item"])
    narrow = alone.set_index(["measure", "item"])
    width = (wide["high"] - wide["low"]) / (narrow["high"] - narrow["low"])
    assert width[("TPR gap", "c0")] > 3 > width[("TPR gap", "c2")]
    with pytest.raises(ValueError, match="same rows, truth and gender for each of 2 seeds"):
        audit_classifier(differing.iloc[:-1], rng=0)


def test_a_group_is_a_stratum_of_its_own():
    rows = classifier_rows(n=2000, gap=0.0)
    rows["group"] = np.where(np.arange(2000) % 2, "news", "fiction")
    moved = (rows["group"] == "news") & (rows["truth"] == "c0") & rows["female"]
    rows.loc[moved, "prediction"] = "c1"
    table = finished(audit_classifier(rows, draws=200, rng=0))
    tpr = table[table["measure"] == "TPR gap"].set_index("item")
    assert tpr.loc["news: c0", "beyond"] and not tpr.loc["fiction: c0", "beyond"]


def test_what_is_no_better_than_chance_is_not_compared():
    blind = [
        audit_classifier(classifier_rows(s, right=0.25), draws=200, rng=s).gate for s in range(20)
    ]
    assert sum(gate.passed for gate in blind) <= 3
    audit = audit_classifier(classifier_rows(0, right=0.25), draws=200, rng=0)
    said = audit.said(pd.DataFrame())
    assert "no more answers are right than chance gives" in said.answers[0] and not said.may
    _, answers, female, pages = pronoun_rows()
    constant = np.tile([1.0, 0, 0], (len(answers), 1))
    assert not audit_pronouns(constant, answers, female, pages=pages, draws=200, rng=0).gate.passed
    assert above_chance(np.eye(2) * 50)[1] == 0.5


def test_to_know_one_gender_alone_passes_and_is_seen():
    rows = classifier_rows(n=1600, right=0.9)
    rows.loc[rows["female"], "prediction"] = "c0"
    gate = audit_classifier(rows, draws=200, rng=0).gate
    beyond_chance = gate.table["low"] > 0
    assert gate.passed and beyond_chance["male"] and not beyond_chance["female"]


def test_a_fair_system_has_no_ratio_and_a_worse_one_has():
    fair = [audit_pronouns(*pronoun_rows(s)[:3], draws=200, rng=s) for s in range(6)]
    assert sum(finished(audit)["beyond"].any() for audit in fair) <= 2
    rows = finished(audit := audit_pronouns(*pronoun_rows(1, worse=0.2)[:3], draws=400, rng=0))
    f1 = rows[(rows["item"] == "F1") & rows["p"].notna()].iloc[0]
    assert f1["beyond"] and f1["value"] < 0.9
    assert "worse on feminine pronouns" in audit.said(rows).may[0]


def test_answers_without_probabilities_have_no_log_loss():
    rows, answers, female, pages = pronoun_rows()
    found = audit_pronouns(rows, answers, female, pages=pages, hard=True, draws=99, rng=0)
    assert {*found.table()["item"]} == {"F1", "accuracy"}


def test_signs_are_all_counted_and_ranks_are_wilcoxons():
    rng = np.random.default_rng(3)
    rows = twin_rows(pairs=12, apart=0.03)
    found = audit_twins(rows, rng=0)
    apart = found.pairs.to_numpy()
    table = found.table().set_index("item")
    assert table.loc["signed ranks", "p"] == pytest.approx(stats.wilcoxon(apart).pvalue)
    assert table.loc["mean", "smallest_p"] == 2 / 2**12
    t = stats.ttest_1samp(apart, 0).confidence_interval()
    assert table.loc["mean", ["low", "high"]].tolist() == pytest.approx([*t])
    assert len(sign_flips(rng.standard_normal((5, 1)), 99, rng)[0]) == 2**5


def test_fair_twins_do_not_differ_and_planted_ones_do():
    fair = [audit_twins(twin_rows(s), draws=400, rng=s) for s in range(10)]
    tested = [finished(audit).query("item in ('mean', 'signed ranks')") for audit in fair]
    assert sum((rows["adjusted_p"] <= 0.05).any() for rows in tested) <= 2
    planted = audit_twins(twin_rows(0, apart=0.08), draws=400, rng=0)
    rows = finished(planted)
    assert "scores female higher than male" in planted.said(rows).may[0]


def test_a_pair_counts_once_however_many_twins_it_has():
    found = audit_twins(twin_rows(pairs=10, items=20, apart=0.01), rng=0)
    assert len(found.pairs) == 10 and found.items == 200
    assert found.table().set_index("item").loc["mean", "n"] == 10


def test_where_a_few_pairs_decide_mean_and_ranks_are_told_apart():
    rows = twin_rows(pairs=20, apart=0.03, noise=0.005)
    rows.loc[(rows["pair"] == "p0") & rows["female"], "score"] -= 0.9
    audit = audit_twins(rows, draws=999, rng=0)
    table = finished(audit)
    said = audit.said(table)
    assert "by ranks alone" in said.may[0] and any("p0" in line for line in said.may_not)


def test_twins_with_a_truth_pass_the_gate_or_fail_it():
    rows = twin_rows(pairs=30)
    good = rows.assign(truth=(rows["pair"].str[1:].astype(int) % 2).astype(float))
    good["score"] += good["truth"]
    assert audit_twins(good, rng=0).gate.state == "passed"
    assert audit_twins(good.assign(score=rows["score"]), rng=0).gate.state == "failed"
    assert audit_twins(rows.assign(score=0.5), rng=0).gate.state == "failed"
    assert audit_twins(rows, rng=0).gate.state == "untested"
    assert audit_twins(good.assign(truth=1.0), rng=0).gate.state == "untested"


def test_five_pairs_cannot_show_anything_and_that_is_said():
    audit = audit_twins(twin_rows(pairs=5, apart=0.5), rng=0)
    said = audit.said(finished(audit))
    assert any("it takes 6" in line for line in said.answers)
    assert not any("higher" in line for line in said.may)


# ---------------------------------------------------------------- files
def written(folder, text, name="own.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


FORMS = {
    "GAP's scorer": ("t-1\tTRUE\tFALSE\nt-2\tFALSE\tFALSE\n", "pronouns"),
    "with a heading": ("ID\tA-coref\tB-coref\nt-1\ttrue\tfalse\nt-2\tFALSE\tFALSE\n", "pronouns"),
    "probabilities": ("ID,A,B,NEITHER\nt-1,1,0,0\nt-2,0,0,1\n", "pronouns"),
    "rows": ("y_true;y_pred;sex\na;a;F\nb;b;m\na;b;M\n", "classifier"),
    "twins": ("pair,gender,score\n1,she,.5\n1,he,.4\n", "twins"),
    "variants": ("pair_id,variant,label\n1,A,positive\n1,B,negative\n", "twins"),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_columns_say_which_form_a_file_has(name, tmp_path):
    text, form = FORMS[name]
    found = read_own_predictions(written(tmp_path, text))
    assert found.form == form
    if form == "pronouns":
        assert found.table[["A", "B", "NEITHER"]].to_numpy(float).tolist() == [[1, 0, 0], [0, 0, 1]]
    else:
        assert found.table["female"].any() and not found.table["female"].all()
    assert found.sides == (("B", "A") if name == "variants" else ("female", "male"))


def test_probabilities_of_one_are_cut_and_other_genders_are_counted(tmp_path):
    rows = "truth,prediction,gender\n" + "1,.9,F\n0,.2,M\n1,.4,M\n0,.6,F\n1,.5,nonbinary\n"
    found = read_own_predictions(written(tmp_path, rows), threshold=0.5)
    assert found.table["prediction"].tolist() == ["1", "0", "0", "1"]
    assert "1 of 5 rows with the gender 'nonbinary' are left out" in found.notes[0]
    named = written(tmp_path, "t,p,who\na,a,x\nb,a,y\na,b,y\n")
    columns = ["truth=t", "prediction=p", "gender=who"]
    found = read_own_predictions(named, columns=columns, labels=["y", "x"])
    assert found.table["female"].tolist() == [False, True, True] and found.sides == ("y", "x")


BAD = {
    "no file": (None, "there is no such file"),
    "nothing in it": ("\n", "the file is empty"),
    "other columns": ("word,number\na,1\n", "got the columns 'word, number'"),
    "a column short": ("truth,prediction,gender\na,a\n", "line 2: expected 3 cells"),
    "no number": (
        "pair,gender,score\n1,F,high\n1,M,.2\n",
        "line 2: score: expected finite numbers",
    ),
    "NaN": ("pair,gender,score\n1,F,nan\n1,M,.2\n", "line 2: score: expected a value in each row"),
    "an empty gender": (
        "truth,prediction,gender\na,a,F\nb,b,\n",
        "line 3: gender: expected a value",
    ),
    "one gender": (
        "truth,prediction,gender\na,a,F\nb,b,F\n",
        "expected rows of both female and male",
    ),
    "labels of its own": (
        "truth,prediction,gender\na,a,x\nb,b,y\n",
        "name the two labels of your file",
    ),
    "one class": ("truth,prediction,gender\na,a,F\na,a,M\n", "two classes or more"),
    "no class of both": ("truth,prediction,gender\na,a,F\nb,b,M\n", "a gap needs both in one"),
    "an id twice": (
        "id,truth,prediction,gender\n1,a,a,F\n1,b,b,M\n",
        "line 3: expected each id once",
    ),
    "no probability": (
        "truth,prediction,gender\n1,1.5,F\n0,.1,M\n",
        "line 2: prediction: expected 0, 1",
    ),
    "a pair twice": (
        "pair,gender,score\n1,F,.1\n1,F,.2\n1,M,.3\n",
        "line 3: expected each pair once a side",
    ),
    "a pair alone": ("pair,gender,score\n1,F,.1\n1,M,.2\n2,M,.3\n", "line 4: expected a twin"),
    "both names": ("ID,A-coref,B-coref\nt-1,TRUE,TRUE\n", "TRUE for one of them at most"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_a_file_is_said_in_one_line(name, tmp_path):
    text, said = BAD[name]
    path = tmp_path / "nowhere.csv" if text is None else written(tmp_path, text)
    with pytest.raises(ValueError) as error:
        read_own_predictions(path)
    line = str(error.value)
    assert said in line and path.name in line and "\n" not in line and len(line) < 500


def gap_file(folder, female=("She", "He")):
    rows = ["\t".join([*COLUMNS, "A-coref", "B-coref"])]
    for i in range(40):
        pronoun = female[i % len(female)]
        text = f"Ann met Bo . {pronoun} left ."
        answer = ["TRUE\tFALSE", "FALSE\tTRUE"][i // 2 % 2]
        rows.append(f"t-{i}\t{text}\t{pronoun}\t13\tAnn\t0\tBo\t8\tpage{i // 3}\t{answer}")
    return written(folder, "\n".join(rows) + "\n", "gold.tsv")


def test_pronouns_are_scored_against_a_file_of_ones_own_and_bad_ids_are_named(tmp_path):
    gold = str(gap_file(tmp_path))
    lines = [f"t-{i}\t" + ["TRUE\tFALSE", "FALSE\tTRUE"][i // 2 % 2] for i in range(40)]
    whole = read_all([written(tmp_path, "\n".join(lines[::-1]), "all.tsv")])
    scored = against_gold(whole, gold)
    assert (scored.probabilities["all.tsv"].argmax(axis=1) == scored.answers).all()
    assert scored.female.sum() == 20 and len({*scored.pages}) == 14
    for text, said in (
        (lines[:-1], "all.tsv, scored against gold.tsv: 1 of 40 passages have no prediction"),
        ([*lines, "t-99\tTRUE\tFALSE"], "1 IDs are not among the passages, such as 't-99'"),
    ):
        with pytest.raises(ValueError, match=said):
            against_gold(read_all([written(tmp_path, "\n".join(text), "all.tsv")]), gold)
    with pytest.raises(ValueError, match="expected IDs of one part of GAP"):
        against_gold(whole)
    with pytest.raises(ValueError, match="feminine and with masculine pronouns"):
        against_gold(whole, str(gap_file(tmp_path, ("She",))))


def test_files_of_several_forms_and_labels_that_are_none_are_refused(tmp_path):
    one = written(tmp_path, FORMS["twins"][0], "one.csv")
    two = written(tmp_path, FORMS["rows"][0], "two.csv")
    with pytest.raises(ValueError, match=r"files of one form, got one\.csv of twins, two\.csv of"):
        read_all([one, two])
    with pytest.raises(ValueError, match="two different labels"):
        read_all([one], labels=["F"])
    with pytest.raises(ValueError, match="got no file"):
        read_all([])
    assert [*read_all([one, one])] == ["one.csv", "one.csv (2)"]


def test_what_does_not_decide_counts_only_where_what_decides_found_something():
    rows = classifier_rows(seed=3, gap=0.3).assign(group="")
    found = audit_classifier(rows, draws=400, rng=0)
    by_itself, together = (adjusted([found.table()], decides)[0] for decides in ("", "TPR gap"))
    of_tpr = by_itself["family"] == "TPR gap"
    assert together.loc[of_tpr].equals(by_itself.loc[of_tpr])
    later = together.loc[~of_tpr & together["p"].notna(), "adjusted_p"]
    assert (later >= together.loc[of_tpr, "adjusted_p"].min()).all()
    fair = found.table().assign(p=0.001)
    fair.loc[fair["family"] == "TPR gap", "p"] = 0.4
    assert not adjusted([fair], "TPR gap")[0]["beyond"].any()


def test_pairs_that_are_too_few_support_no_interval():
    found = audit_twins(twin_rows(pairs=4, apart=0.4, noise=0.01), rng=0)
    said = found.said(finished(found))
    assert not said.may and "could not have shown it: .125" in said.may_not[0]
    assert found.takes()["pairs for the mean as measured"].iloc[0] == 6


OWN = {
    "decimal commas": ("pair;gender;score\n1;F;0,7\n1;M;1,25\n", [0.7, 1.25]),
    "points": ("pair\tgender\tscore\n1\tF\t0.7\n1\tM\t1.25\n", [0.7, 1.25]),
    "thousands": ("pair;gender;score\n1;F;1,700\n1;M;2,250\n", "with a point"),
    "a probability beyond 1": ("pair,gender,prob\n1,F,0.7\n1,M,1.25\n", "from 0 to 1"),
    "an escape sequence": ("pair,gender,score\n\x1b[31m,F,0.7\n1,M,1\n", "printable"),
    "JSON": ('{"pair": 1, "gender": "F", "score": 1}\n', "got JSON"),
    "a pickle": ("\x80\x04", "a pickle"),
    "parquet": ("PAR1....", "parquet"),
    "gzip": ("\x1f\x8b....", "gunzip"),
}


@pytest.mark.parametrize("name", OWN)
def test_tables_of_other_programs_are_read_or_refused_with_what_to_do(name, tmp_path):
    text, expected = OWN[name]
    path = tmp_path / "own.csv"
    path.write_bytes(text.encode("latin-1"))
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected) as refused:
            read_own_predictions(path)
        assert "\n" not in str(refused.value)
    else:
        found = read_own_predictions(path)
        assert found.table["score"].tolist() == expected
        assert len(found.notes) == text.count(",") // 2
