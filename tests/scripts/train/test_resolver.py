"""The training of the shipped resolver: what it is taught, what is left out, and a card that says what lies there."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
import torch

from lib.coreference.resolvers.scorer import CandidateScorer
from scripts.train import resolver
from tests.lib.coreference.resolvers.test_scorer import passages

FAST = CandidateScorer(attention=False, epochs=10, batch_size=16, learning_rate=1e-2)


def test_the_card_says_what_lies_in_the_folder(tmp_path):
    for path in resolver.SHIPPED.parent.iterdir():
        shutil.copy(path, tmp_path)
    shipped = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert resolver.write_card(tmp_path).read_text(encoding="utf-8") == shipped


def test_the_shipped_settings_are_those_of_the_script():
    scores = json.loads((resolver.SHIPPED.parent / "scores.json").read_text(encoding="utf-8"))
    assert CandidateScorer(**scores["settings"]) == resolver.SCORER
    assert len(scores["by seed"]) == resolver.SEEDS
    assert scores["test"]["log loss"]["overall"] <= min(scores["by seed"])


def test_no_passage_is_scored_by_what_learned_it():
    """Answers that only the row itself gives away: whoever saw the row knows, whoever did not is at chance."""
    rng = np.random.default_rng(0)
    n = 60
    rows = passages(n).assign(URL=[f"page {i // 2}" for i in range(n)])
    answers = rng.integers(0, 3, n)
    rows["answer"] = np.array(["A", "B", "NEITHER"])[answers]
    inputs = torch.zeros(n, 2, len(resolver.FEATURES))
    inputs[:, :, 0] = torch.from_numpy(answers[:, None] == np.arange(2)).float()
    told = resolver.left_out(FAST, inputs, rows, answers, seed=0)
    noise = torch.from_numpy(rng.standard_normal((n, 2, len(resolver.FEATURES)))).float()
    blind = resolver.left_out(FAST, noise, rows, answers, seed=0)
    assert (told.argmax(axis=1) == answers).mean() > 0.9
    assert (blind.argmax(axis=1) == answers).mean() < 0.55


@pytest.mark.sample("gap_development", "gap_validation")
def test_training_passages_are_two_parts_of_gap():
    rows = resolver.training_passages()
    assert len(rows) == 2454
    assert isinstance(rows, pd.DataFrame)
    assert rows["ID"].str.startswith(("development", "validation")).all()
