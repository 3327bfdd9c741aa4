"""Any embedding runs: each chapter that takes vectors ends well on every kind that a reader might bring."""

from functools import cache
from html import escape

import nbformat
import pytest

from lib.embeddings import load_embedding
from lib.lexicons import base_pairs
from lib.paths import ROOT
from tests.support.awkward import AWKWARD, SPELLED, awkward_file
from tests.support.chapter_runs import run_cells, run_some

# chapter -> its parameters for a file of word vectors, with few repetitions
CHAPTERS = {
    "base_pair_stability": lambda path: {"embedding": path, "beside": ["brown"]},
    "base_pair_stability_evidence": lambda path: {"embedding": path},
    "before_you_measure": lambda path: {"embedding": path, "splits": 20},
    "multiclass": lambda path: {"embedding": path, "others": ["brown"]},
    "domains": lambda path: {"embeddings": [path], "groups": 20},
    "ripa": lambda path: {"embedding": path},
    "conceptors": lambda path: {"embedding": path, "others": ["brown"], "random_lists": 50},
    "biographies": lambda path: {
        "embedding": path,
        **{"taught": 300, "asked": 500, "seeds": 2, "draws": 50},
    },
    "biographies_evidence": lambda path: {
        "embedding": path,
        **{"taught": 300, "asked": 500, "seeds": 2, "draws": 50},
    },
    "multiclass_evidence": lambda path: {"embedding": path},
    "five_seconds": lambda path: {"embedding": path, "draws": 20},
    "ripa_evidence": lambda path: {"embedding": path, "beside": ["sgns"]},
    "domains_evidence": lambda path: {
        "embeddings": [path],
        "discover": [path],
        "attribute_draws": 20,
    },
    "conceptors_evidence": lambda path: {"embeddings": [path], "random_lists": 50},
}
# cells up to the vectors
FIRST = ("parameters", "check-parameters", "effective-parameters", "imports", "lib-imports")
FIRST += ("imports-of-the-book", "read-vectors", "set-up")
# what ends a chapter most easily, one for each; with the slow tests vectors that hold no pair, and each other kind once
TELLING, NO_PAIR = ("thirty_words", "half_of_the_class_words"), "tagged"
OTHERS = [kind for kind in AWKWARD if kind not in (*TELLING, NO_PAIR)]
# without a pair these measure MiniLM in its place, as the book's own run does: the box is tried below, and one to the end
IN_ITS_PLACE = ["base_pair_stability", "before_you_measure", "multiclass", "five_seconds"]
TRIED = [(chapter, TELLING[place % 2]) for place, chapter in enumerate(CHAPTERS)]
TRIED += [
    pytest.param(chapter, kind, marks=pytest.mark.slow)
    for place, chapter in enumerate(CHAPTERS)
    for kind in (NO_PAIR, *OTHERS[place :: len(CHAPTERS)])
    if kind != NO_PAIR or chapter not in IN_ITS_PLACE[:2]
]
pytestmark = pytest.mark.usefixtures("figures_are_closed", "one_thread")


def _cells(chapter):
    return nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4).cells


@pytest.fixture(scope="session")
def file_of(tmp_path_factory):
    """A function from a kind of awkward embedding to its file."""
    folder = tmp_path_factory.mktemp("awkward")
    return cache(lambda kind: str(awkward_file(kind, folder)))


@pytest.mark.parametrize(("chapter", "kind"), TRIED)
def test_the_chapter_runs_to_the_end(chapter, kind, file_of):
    run = run_cells(chapter, **CHAPTERS[chapter](file_of(kind)))
    values = run.namespace["ledger"].rows().value
    empty_is_right = chapter == "conceptors_evidence" and kind in SPELLED  # boxes only
    assert (len(values) or empty_is_right) and values.astype(float).notna().all()
    assert run.unnamed("minilm").empty, "recorded rows of MiniLM stand under another's name"


@pytest.mark.parametrize("chapter", IN_ITS_PLACE)
@pytest.mark.parametrize("kind", SPELLED)
def test_a_box_names_the_forms_that_are_there_and_keeps_nothing_under_the_name(
    chapter, kind, file_of, tmp_path, monkeypatch
):
    spelling, _ = SPELLED[kind]
    names = {cell.id for cell in _cells(chapter)}
    first = [name for name in FIRST if name in names]
    run = run_some(chapter, first, embedding=file_of(kind))
    box = next(text for text in run.shown if "not-measured" in text)
    assert kind in box and escape(f"spelling='{spelling}'") in box and "MiniLM is shown" in box
    space, ledger = run.namespace["e"], run.namespace["ledger"]
    assert space.name == "minilm" and ledger.data == space.source
    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    ledger.record("a number", 1.0)
    assert not ledger.save() and "of other data" in repr(ledger.save())
    assert not (tmp_path / "results").exists()
    spelled = load_embedding(file_of(kind), spelling=spelling)
    assert spelled.pairs(base_pairs(), missing="drop").kept


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
