"""What Cho et al. (2019) released: items, sentences and outputs in step, names of occupations."""

from collections import Counter

import pytest

from studies.translation_index.cho2019 import (
    PARTITIONS,
    SETS,
    SYSTEMS,
    released_outputs,
)

CORPUS = [
    f"tgbi_total_{part}"
    for system in SYSTEMS
    for part in (*(f"{system}_{end}" for _, end in SETS.values()),)
]
CORPUS += [f"tgbi_total_{end}" for end, _ in SETS.values()]


@pytest.mark.sample(*CORPUS)
def test_released_items_are_1059_of_four_sentences_in_every_way_to_divide_them():
    released = released_outputs("google")
    for names in PARTITIONS.values():
        held = Counter(item for name in names for item in released.items[name])
        assert len(held) == 1059 and set(held.values()) == {4}
        texts = {}
        for name in names:
            for item, source in zip(released.items[name], released.sources[name]):
                texts.setdefault(item, set()).add(source)
        assert {len(found) for found in texts.values()} == {4}
