"""The text of one culture: whole and in order, or a sample that never changes."""

from collections import Counter

import numpy as np

from lib.cultures import sample as sample_module
from lib.cultures.sample import CultureText
from lib.cultures.texts import (
    part_folder,
    split_file,
)
from tests.support.messages import SPLITTING, many, write


def test_texts_hold_cleaned_messages_in_their_order(tmp_path):
    path = write(tmp_path / "t.csv")
    split_file(path, tmp_path / "texts", SPLITTING)
    text = CultureText("TX", (part_folder(path, tmp_path / "texts", SPLITTING),))
    assert list(text) == [
        ["the", "first", "of", "all", "messages"],
        ["and", "a", "second", "one", "here"],
    ]
    assert list(text) == list(text) and text.messages == 2


def test_a_sample_has_its_size_its_order_and_depends_on_the_seed_alone(tmp_path, monkeypatch):
    paths = [
        write(tmp_path / f"{n}.csv", [(f"{text} {n}", place) for text, place in many(300)])
        for n in range(3)
    ]
    parts = tuple(part_folder(path, tmp_path / "texts", SPLITTING) for path in paths)
    for path in reversed(paths):
        split_file(path, tmp_path / "texts", SPLITTING)
    everything = list(CultureText("TX", parts).lines())
    sample = list(CultureText("TX", parts, cap=100, seed=1).lines())
    assert len(sample) == 100 == CultureText("TX", parts, cap=100).messages
    assert sample == [line for line in everything if line in set(sample)]
    assert sample != list(CultureText("TX", parts, cap=100, seed=2).lines())
    monkeypatch.setattr(sample_module, "LINES", 7)
    assert sample == list(CultureText("TX", parts, cap=100, seed=1).lines())
    assert list(CultureText("TX", parts, cap=900).lines()) == everything


def test_every_message_is_as_likely_to_be_in_a_sample(tmp_path):
    path = write(tmp_path / "t.csv", many(40))
    split_file(path, tmp_path / "texts", SPLITTING)
    parts = (part_folder(path, tmp_path / "texts", SPLITTING),)
    drawn = Counter(
        line for seed in range(400) for line in CultureText("TX", parts, cap=10, seed=seed).lines()
    )
    counts = np.array(list(drawn.values()))
    assert len(drawn) == 40 and counts.sum() == 4000
    assert (
        (counts - 100) ** 2 / 75
    ).sum() < 80  # chi-squared with 39 degrees of freedom, beyond 1 in 10,000
