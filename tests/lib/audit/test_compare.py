"""Two reports beside each other: shared noise is no difference, a real one is found."""

import json

import numpy as np
import pandas as pd
import pytest

from lib.audit.compare import compare, in_words


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
    for run in range(20):
        both = (report(tmp_path / f"{run}{side}", rng.standard_normal((20, 8))) for side in "ab")
        beyond += compare(*both).items["adjusted_p"].le(0.05).any()
    assert beyond <= 3


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
