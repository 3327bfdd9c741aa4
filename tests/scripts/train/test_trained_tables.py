"""Cards of trainings of which tables are kept and no weights: each says what lies in its folder."""

import shutil

import pytest

from scripts.train import occupation_network, tuned_sentiment


@pytest.mark.parametrize("script", [occupation_network, tuned_sentiment])
def test_the_card_says_what_lies_in_the_folder(tmp_path, script):
    for path in script.FOLDER.iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "card.md").unlink()
    assert script.main(["--card", "--folder", str(tmp_path)]) in (None, 0)
    assert (tmp_path / "card.md").read_bytes() == (script.FOLDER / "card.md").read_bytes()


def test_a_seed_that_is_whole_is_not_trained_again(tmp_path, monkeypatch):
    shutil.copy(occupation_network.FOLDER / "runs.csv", tmp_path)
    before = (tmp_path / "runs.csv").read_bytes()
    monkeypatch.delattr(occupation_network, "compare_networks")
    occupation_network.train(tmp_path, "minilm", 50)
    assert (tmp_path / "runs.csv").read_bytes() == before
