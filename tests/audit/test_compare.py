"""Two reports beside each other: shared noise is no difference, a real one is found."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from audit.__main__ import main
from audit.compare import compare, in_words
from lib.files import file_hash


def report(folder, by_question, kind="vectors"):
    """A folder as an audit leaves it, of values (items, questions)."""
    folder.mkdir()
    n, q = by_question.shape
    half = 2 * by_question.std(axis=1, ddof=1) / np.sqrt(q)
    value = by_question.mean(axis=1)
    items = [f"w{i}" for i in range(n)]
    scores = pd.DataFrame(
        {"item": items, "measure": "m", "value": value, "low": value - half, "high": value + half}
    )
    scores.to_csv(folder / "scores.csv", index=False)
    asked = pd.DataFrame(by_question, items).rename_axis(index="item", columns="question").stack()
    asked.rename("value").reset_index().assign(measure="m").to_csv(
        folder / "questions.csv", index=False
    )
    (folder / "run.json").write_text(json.dumps({"kind": kind}))
    return folder


def test_what_both_share_is_no_noise_and_a_moved_item_is_found(tmp_path):
    rng = np.random.default_rng(0)
    shared, noise = 3 * rng.standard_normal((30, 10)), 0.1 * rng.standard_normal((2, 30, 10))
    moved = np.zeros((30, 1))
    moved[:3] = 0.5
    first, second = (
        report(tmp_path / "a", shared + noise[0]),
        report(tmp_path / "b", shared + noise[1] + moved),
    )
    found = compare(first, second)
    beyond = set(found.items.query("adjusted_p <= .05")["item"])
    assert beyond >= {"w0", "w1", "w2"} and len(beyond) <= 4
    assert found.items["n"].eq(10).all() and found.left_out == 0
    for folder in (first, second):
        (folder / "questions.csv").unlink()
    assert compare(first, second).items["adjusted_p"].min() > 0.05, (
        "without the questions all is noise"
    )
    assert f"{len(beyond)} of 30 items differ beyond noise" in in_words(found)


def test_two_draws_of_one_thing_differ_in_nothing(tmp_path):
    rng = np.random.default_rng(1)
    beyond = 0
    for run in range(10):
        both = (report(tmp_path / f"{run}{side}", rng.standard_normal((20, 8))) for side in "ab")
        beyond += compare(*both).items["adjusted_p"].le(0.05).any()
    assert beyond <= 2


def test_what_cannot_be_compared_is_refused(tmp_path):
    values = np.random.default_rng(0).standard_normal((4, 5))
    a, b = report(tmp_path / "a", values), report(tmp_path / "b", values, kind="model")
    with pytest.raises(ValueError, match="of one kind, got vectors and model"):
        compare(a, b)
    with pytest.raises(ValueError, match=r"a folder that python -m lib\.audit wrote"):
        compare(a, tmp_path / "nowhere")
    pd.concat([pd.read_csv(a / "scores.csv")] * 2).to_csv(a / "scores.csv", index=False)
    with pytest.raises(ValueError, match="one system"):
        compare(a, a)


def test_the_same_scores_in_four_digits_differ_in_nothing(tmp_path):
    values = np.random.default_rng(2).standard_normal((30, 10))
    shifted = values.round(4) + 1e-5  # rounding that goes one way
    found = compare(report(tmp_path / "a", values), report(tmp_path / "b", shifted))
    assert found.items["adjusted_p"].eq(1).all() and found.items["n"].eq(10).all()
    assert "say the same" in in_words(found) and "In sum" not in in_words(found)


def test_statistics_are_not_summed_and_what_has_no_interval_is_not_tested(tmp_path):
    folders = []
    for name, shift in (("a", 0.0), ("b", 0.5)):
        folder = report(tmp_path / name, np.random.default_rng(3).standard_normal((3, 5)) + shift)
        scores = pd.read_csv(folder / "scores.csv")
        alone = pd.DataFrame({"item": ["d"], "measure": ["WEAT"], "value": [shift]})
        pd.concat([scores, alone]).to_csv(folder / "scores.csv", index=False)
        run = {"kind": "vectors", "parameters": {"embeddings": [name], "draws": shift}}
        (folder / "run.json").write_text(json.dumps(run))
        folders.append(folder)
    text = in_words(compare(*folders))
    assert "In sum" not in text and "no interval stands beside them: WEAT" in text
    assert "differ in draws" in text


def test_all_tests_of_a_comparison_are_adjusted_together(tmp_path):
    rng, parts = np.random.default_rng(4), []
    for name in "ab":
        folder = report(tmp_path / name, rng.standard_normal((4, 6)))
        scores, asked = (pd.read_csv(folder / f"{of}.csv") for of in ("scores", "questions"))
        for of, table in (("scores", scores), ("questions", asked)):
            both = pd.concat([table, table.assign(measure="other", value=-table["value"])])
            both.to_csv(folder / f"{of}.csv", index=False)
        parts.append(folder)
    items = compare(*parts).items
    assert np.allclose(items["adjusted_p"], stats.false_discovery_control(items["p"]))


def changed(name, change):
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


DAMAGED = {
    "scores cut": (changed("scores.csv", lambda data: data[:200]), "not as it was written"),
    "no scores": (lambda folder: (folder / "scores.csv").unlink(), "scores.csv: No such file"),
    "no record": (lambda folder: (folder / "run.json").unlink(), "run.json: No such file"),
    "a record of nothing": (lambda folder: (folder / "run.json").write_text("[1]"), "run.json"),
    "a record without kind": (lambda folder: (folder / "run.json").write_text("{}"), "kind"),
    "no questions": (changed("questions.csv", lambda _: b"item\nw0\n"), "without measure"),
    "text": (changed("questions.csv", lambda data: data + b"w0,she,x,m\n"), "text for numbers"),
    "ragged": (changed("questions.csv", lambda data: data + b"a,b,c,d,e,f,g\n"), "tokenizing"),
    "bytes": (changed("questions.csv", lambda _: b"\xff\xfe\x00"), "utf-8"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_reports_are_refused_in_one_line(name, tmp_path, capsys):
    values = np.random.default_rng(0).standard_normal((4, 5))
    whole, folder = report(tmp_path / "a", values), report(tmp_path / "b", values)
    written = {"scores.csv": file_hash(folder / "scores.csv")}
    (folder / "run.json").write_text(json.dumps({"kind": "vectors", "written": written}))
    damage, said = DAMAGED[name]
    damage(folder)
    assert main(["compare", str(whole), str(folder)]) == 2
    line = capsys.readouterr().err.rstrip("\n")
    assert said in line and str(folder) in line and "\n" not in line


def test_a_report_that_ranks_nothing_says_so(tmp_path):
    values = np.random.default_rng(0).standard_normal((4, 5))
    whole, blind = report(tmp_path / "a", values), report(tmp_path / "b", values)
    (blind / "scores.csv").write_text("item,measure,value,low,high\n")
    with pytest.raises(ValueError, match="nothing is ranked; its first line says why"):
        compare(whole, blind)
