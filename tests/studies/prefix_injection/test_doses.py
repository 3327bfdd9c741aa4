"""Scores of translators of other doses: their order, Newcombe's interval, speakers that are exchanged."""

import json

import numpy as np
import pytest

from studies.prefix_injection.doses import contrasts, read_scores


def heard_in(folder, name, arm, speech, she, he):
    """Scores of a translator in which so many of (marked) outputs are feminine behind She said and He said."""
    heard = {
        speaker: dict(
            feminine=feminine,
            masculine=marked - feminine,
            ambiguous=0,
            unmarked=5,
            feminine_share=feminine / marked if marked else None,
            low=None,
            high=None,
        )
        for speaker, (feminine, marked) in dict(She=she, He=he).items()
    }
    scores = dict(
        steps=6,
        settings=dict(arm=arm, speech=speech, seed=0),
        heard=heard,
        test={"one reference": {"BLEU": {"score": 7.0}}},
    )
    (folder / name).mkdir(parents=True)
    (folder / name / "scores.json").write_text(json.dumps(scores))


def test_scores_of_doses_are_read_with_right_prefixes_first_and_none_where_there_is_no_folder(
    tmp_path,
):
    assert read_scores(tmp_path / "none").empty and contrasts(read_scores(tmp_path / "none")).empty
    heard_in(tmp_path, "a", "shuffled", 0.1, (2, 4), (1, 4))
    heard_in(tmp_path, "b", "right", 0.1, (56, 70), (48, 80))  # Newcombe (1998), table II, row (a)
    heard_in(tmp_path, "c", "right", 0.0, (0, 0), (3, 9))
    (tmp_path / "not asked").mkdir()
    scores = json.loads((tmp_path / "a" / "scores.json").read_text())
    del scores["heard"]
    (tmp_path / "not asked" / "scores.json").write_text(json.dumps(scores))
    found = read_scores(tmp_path)
    assert found["translator"].drop_duplicates().tolist() == ["c", "b", "a"]
    assert found["share"].isna().tolist() == [True, *[False] * 5] and (found["unmarked"] == 5).all()
    apart = contrasts(found).set_index("translator")
    assert list(apart.index) == ["b", "a"] and apart["n"].tolist() == [150, 8]
    assert apart.loc["b", ["value", "low", "high"]].tolist() == pytest.approx(
        [0.2, 0.0524, 0.3339], abs=5e-5
    )
    swapped = contrasts(found, "He", "She").set_index("translator")
    assert np.allclose(swapped[["value", "low", "high"]], -apart[["value", "high", "low"]])
