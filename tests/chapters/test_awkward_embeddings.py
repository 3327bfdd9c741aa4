"""Any embedding runs: each chapter that takes vectors ends well on every kind that a reader might bring."""

from functools import cache

import pytest

from tests.support.awkward import AWKWARD, awkward_file
from tests.support.chapter_runs import run_cells

# chapter -> its parameters for a file of word vectors, with few repetitions
CHAPTERS = {
    "base_pair_stability": lambda path: {"embedding": path},
    "before_you_measure": lambda path: {"embedding": path, "splits": 20},
    "multiclass": lambda path: {"embedding": path},
    "domains": lambda path: {
        "embeddings": [path],
        "discover": [path],
        "attribute_draws": 20,
    },
    "conceptors": lambda path: {"embeddings": [path], "random_lists": 50},
    "ripa": lambda path: {"embedding": path, "beside": ["sgns"]},
    "biographies": lambda path: {
        "embedding": path,
        **{"taught": 300, "asked": 500, "seeds": 2, "draws": 50},
    },
}
# what ends a chapter most easily; the other kinds are tried with the slow tests
TELLING = ("thirty_words", "half_of_the_class_words", "one_side", "dimensions_25")
KINDS = [
    kind if kind in TELLING else pytest.param(kind, marks=pytest.mark.slow) for kind in AWKWARD
]
pytestmark = pytest.mark.usefixtures("figures_are_closed", "one_thread")


@pytest.fixture(scope="session")
def file_of(tmp_path_factory):
    """A function from a kind of awkward embedding to its file."""
    folder = tmp_path_factory.mktemp("awkward")
    return cache(lambda kind: str(awkward_file(kind, folder)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_chapter_runs_to_the_end(chapter, kind, file_of):
    values = run_cells(chapter, **CHAPTERS[chapter](file_of(kind))).namespace["ledger"].rows().value
    assert len(values) and values.astype(float).notna().all()


PUBLISHED = {  # vectors that once ended a chapter
    "base_pair_stability": "glove_6b_50d_5k",
    "multiclass": "sweater_googlenews",
    "before_you_measure": "wefe_weat_w2v",
}


@pytest.mark.sample(*PUBLISHED.values())
@pytest.mark.slow
@pytest.mark.parametrize("chapter", PUBLISHED)
def test_the_chapter_runs_on_published_vectors(chapter):
    rows = run_cells(chapter, embedding=PUBLISHED[chapter]).namespace["ledger"].rows()
    assert len(rows) and rows.value.astype(float).notna().all()
