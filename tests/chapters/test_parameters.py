"""Every parameter of every chapter refuses what names nothing, by the command line and in the notebook alike."""

import json
import re
from functools import cache
from itertools import permutations
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from lib.embeddings import Embedding
from lib.ledger import Ledger
from lib.lexicons import load_lexicon
from lib.paths import ROOT
from runner.book import CHECK, Book
from tests.support.chapter_runs import run_cells, run_some

BOOK = Book.open(ROOT)
# what a reader may write in their own words: their default cut short is no mistake that can be seen
FREE = {
    ("base_pair_stability", "word"),
    ("base_pair_stability_evidence", "word"),
    ("sentiment", "positive"),
    ("sentiment_evidence", "positive"),
    ("log_probability_bias", "targets"),
}


# What only the place that uses it can judge any further: a prompt, how freely a model answers, an encoding, a piece of
# a model's vocabulary.
OPEN = {
    "prompt": [7, {}, ["minilm"]],
    "temperature": ["hot", -1, {}],
    "encoding": ["", 7, {}],
    "start": [7, {}],
}


def nonsense(default):
    """Values that no parameter with this default can have."""
    if isinstance(default, bool):
        return ["perhaps", 7]
    if isinstance(default, int):
        return ["many", 1.5, None]
    if isinstance(default, float):
        return ["much", float("nan"), None]
    if isinstance(default, list):
        return [["no such thing", ""], [None], {}] if default else [["no such thing", "", ""]]
    return ["no such thing", 7, {}, ["minilm"]]


@cache
def rules_of(chapter):
    """The cell with the rules, compiled once."""
    cell = next(cell for cell in BOOK.chapters[chapter].notebook.cells if cell.id == CHECK)
    return compile(cell.source, chapter, "exec")


def complaint(chapter, **changed):
    """What the cell says of the chapter's defaults with some changed."""
    try:
        exec(rules_of(chapter), BOOK.chapters[chapter].parameters | changed)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_nonsense_is_refused_by_name(chapter):
    for name, default in BOOK.chapters[chapter].parameters.items():
        values = OPEN.get(name) or nonsense(default)
        if (chapter, name) in FREE:
            values = ["", 1.5, {}] if name == "word" else [[""], {}]
        for value in values:
            assert complaint(chapter, **{name: value}).startswith(f"{name}: expected"), value


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_a_slip_of_a_letter_is_met_with_the_right_name(chapter):
    for name, default in BOOK.chapters[chapter].parameters.items():
        given = default[0] if isinstance(default, list) and default else default
        free = (chapter, name) in FREE or name in OPEN or given == "none"
        if isinstance(given, str) and len(given) > 3 and not free:
            slip = given[:-2] + given[-1]
            said = complaint(chapter, **{name: [slip] if isinstance(default, list) else slip})
            assert f"Did you mean '{given}'?" in said, name


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_no_count_is_negative(chapter):
    for name, default in BOOK.chapters[chapter].parameters.items():
        if type(default) is int and default >= 0:
            assert "expected a whole number" in complaint(chapter, **{name: -1}), name


@pytest.mark.parametrize("profile", ["embedded", "sample", "full"])
def test_what_the_profiles_ask_for_passes(profile):
    for run in BOOK.runs(profile):
        assert complaint(run.chapter.name, **run.parameters) == ""


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_the_command_line_refuses_before_anything_runs(chapter, refuses):
    refuses(lambda: BOOK.runs("embedded", [chapter], ["seed=-9"]), [chapter, "seed", "got -9"])


@pytest.mark.parametrize(
    ("chapter", "override", "fragments"),
    [
        (
            "base_pair_stability",
            "lists=publishedd",
            ["book, published", "'publishedd'", "published"],
        ),
        ("base_pair_stability", "lists=my_occupations.json", ["no file here"]),
        ("resolvers_evidence", "templates=own", ["book, published"]),
        ("resolvers_evidence", "clusters=nowhere.csv", ["clusters", "path of a file"]),
        ("ripa_evidence", "beside=gap,filn", ["'filn'", "Did you mean 'film'?"]),
        ("prefix_injection", "corpus=tatoebaa", ["book, tatoeba", "Did you mean 'tatoeba'?"]),
        (
            "prefix_injection_evidence",
            "geneval=ess",
            ["none, ar, de, es", "Did you mean 'es'?"],
        ),
        ("cross_cultural_evidence", "speeches=governors", ["Did you mean 'governors_2019'?"]),
        ("translation_index_evidence", "labelled=[gt,depl]", ["Did you mean 'deepl'?"]),
    ],
)
def test_the_command_line_says_what_there_is(chapter, override, fragments, refuses):
    refuses(lambda: BOOK.runs("embedded", [chapter], [override]), [chapter, *fragments])


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_a_name_that_papermill_injects_is_refused_where_the_chapter_lacks_it(chapter):
    cells = {cell.id: cell.source for cell in BOOK.chapters[chapter].notebook.cells}
    said = complaint(chapter, In=["", cells["parameters"], "# Parameters\nsede = 3\n"])
    assert said.startswith("parameter of this chapter") and "Did you mean 'seed'?" in said
    assert complaint(chapter, In=["", cells["parameters"], "# Parameters\nseed = 3\n"]) == ""


def test_the_history_of_a_shell_is_what_the_rules_read():
    cells = {cell.id: cell.source for cell in BOOK.chapters["taxonomy_evidence"].notebook.cells}
    shell = InteractiveShell()
    for source in (cells["parameters"], "# Parameters\nresample = 3\n"):
        shell.run_cell(source, store_history=True).raise_error()
    error = shell.run_cell(cells[CHECK], store_history=True).error_in_exec
    assert isinstance(error, ValueError) and "Did you mean 'resamples'?" in str(error)


def test_a_kernel_stops_in_the_cell_of_the_rules(tmp_path):
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    notebook = nbformat.read(ROOT / "chapters" / "evidence" / "taxonomy.ipynb", as_version=4)
    until = next(place for place, cell in enumerate(notebook.cells) if cell.id == CHECK)
    notebook.cells = notebook.cells[: until + 1]
    # lib.run puts a cell of its own first
    notebook.cells.insert(0, nbformat.v4.new_code_cell("watching = 1"))
    nbformat.write(notebook, tmp_path / "start.ipynb")
    with pytest.raises(PapermillExecutionError) as error:
        execute_notebook(
            tmp_path / "start.ipynb",
            tmp_path / "out.ipynb",
            {"resample": 3},
            cwd=ROOT,
            kernel_name="python3",
            progress_bar=False,
        )
    assert "Did you mean 'resamples'?" in error.value.evalue


MINE = ["nurse", "doctor", "engineer"]


@pytest.mark.parametrize(
    ("chapter", "name", "cells", "held"),
    [
        ("base_pair_stability", "lists", ["set-up"], "asked_words"),
        ("base_pair_stability_evidence", "lists", ["imports", "word-lists"], "occupations"),
        ("multiclass", "professions", ["set-up"], "asked_words"),
        ("multiclass_evidence", "professions", ["profession-words"], "wanted"),
        ("contextual_geometry", "professions", ["set-up"], "asked_words"),
        ("contextual_geometry_evidence", "professions", ["words-of-yours"], "jobs"),
    ],
)
def test_a_list_of_one_s_own_is_what_is_measured(tmp_path, chapter, name, cells, held):
    from lib.embeddings import load_embedding
    from lib.lexicons import word_list

    path = tmp_path / "mine.json"
    path.write_text(json.dumps(MINE))
    about = {"e": load_embedding("minilm"), "word_list": word_list, "jobs": ()}
    of_book = {"asked_pairs": ()} if chapter.startswith("base_pair") else about
    run = run_some(chapter, ["parameters", CHECK, *cells], **{name: str(path)}, **of_book)
    assert list(run.namespace[held]) == MINE


GOOGLE_NEWS = Embedding(["she", "he", "nurse"], np.eye(3), "gn", "word2vec-google-news-300@0")
HELD = SimpleNamespace(words=["nurse"], missing=())


@pytest.mark.parametrize(
    ("own", "answered"),
    [({"lists": "published"}, 2), ({"lists": "words"}, 0), ({"own_pairs": "pairs"}, 0)],
)
def test_base_pairs_and_words_of_one_s_own_get_no_verdict(own, answered, tmp_path):
    for name, text in {"words": "nurse\n", "pairs": "she/he\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    given = {"lists": "published"} | {
        name: value if value == "published" else str(tmp_path / f"{value}.txt")
        for name, value in own.items()
    }
    lists = dict.fromkeys(["pairs", "jobs", "bsri", "animals"], HELD)
    lists |= {"e": GOOGLE_NEWS, "of_reader": None, "asked_pairs": ()}
    cells = ["parameters", CHECK, "effective-parameters", "imports", "answers"]
    cells += ["word-lists"] * (own.get("lists") == "words")
    evidence = run_some("base_pair_stability_evidence", cells, **lists, **given).namespace
    names = evidence | {"words": (), "asked_words": (), "ledger": Ledger("base_pair_stability")}
    names |= {"pairs": (), "both": HELD, "of_reader": own.get("lists") == "words"} | given
    story = run_some("base_pair_stability", ["swap", "cosines"], **names)
    ids = story.namespace["ledger"].rows()["claim_id"]
    found = bool(evidence["answering"]("claim", "procedure")) + (ids != "").sum()
    assert len(ids) == 1 and found == answered


@pytest.mark.parametrize("professions", ["bold", "words"])
def test_multiclass_answers_print_with_the_list_of_the_paper_alone(professions, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("nurse\n")
    space = SimpleNamespace(source="glove-840b-300d@0")
    about = {"e": space, "settings": {}, "of_reader": None if professions == "bold" else path}
    about |= {"sets": {"g2": "abc"}, "professions": str(path) if professions != "bold" else "bold"}
    cells = ["parameters", CHECK, "effective-parameters", "imports"]
    evidence = run_some("multiclass_evidence", [*cells, "claims-of-table-1"], **about).namespace
    names = evidence | {"words": (), "asked_words": (), "ledger": Ledger("multiclass")}
    names |= {"load_lexicon": load_lexicon, "permutations": permutations}
    story = run_some("multiclass", ["against-table"], **names)
    answered = (story.namespace["ledger"].rows()["claim_id"] != "").all()
    assert evidence["as_printed"] == answered == (professions == "bold")


def test_lists_of_one_s_own_that_are_turned_down_answer_no_printed_number(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("care,craft\nnurse,mason\nmaid,smith\n")
    cells = ["parameters", CHECK, "imports", "read-lists", "gender-lists", "stand-for"]
    about = {"spaces": {"wefe_weat_w2v": None}}
    for lists, column in {"book": "word2vec", str(path): ""}.items():
        run = run_some("conceptors_evidence", cells, lists=lists, **about)
        assert run.namespace["columns_of"] == {"wefe_weat_w2v": column}
    assert run.namespace["subspaces"]["yours: craft"] == ["mason", "smith"]
    assert run.namespace["PARTS"] == ("Pronouns", "yours: care", "yours: craft")


def test_domains_answers_print_without_lists_of_one_s_own_alone(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("nurse\nmason\n")
    cells = ["parameters", CHECK, "effective-parameters", "imports", "read-lists"]
    cells += ["record-claims", "record-claims-each"]
    about = {"embeddings": [], "sources": {}, "paper": "chaloner2019_domains"}
    row = SimpleNamespace(vectors="wefe_weat_w2v", test="B1 career vs family", X=8, Y=8)
    for own, answers in {"": ["Google News"], str(path): []}.items():
        run = run_some("domains_evidence", cells, own_words=own, **about)
        assert run.namespace["answered"](row, "d") == answers


def test_words_of_one_s_own_are_asked_about_with_or_without_a_share_of_women(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("nurse\nastrologer\ncarpenter\n")
    cells = ["parameters", CHECK, "effective-parameters", "imports", "imports-of-the-study"]
    run = run_some("asked_to_choose", [*cells, "choose-words"], own_words=str(path))
    assert run.namespace["occupations"] == ["carpenter", "nurse", "astrologer"]
    assert run.namespace["has_share"].tolist() == [True, True, False]


def test_a_theme_of_one_s_own_is_planted_and_words_that_cannot_be_are_named(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("bomb\nshe\nriot\n")
    cells = ["parameters", CHECK, "set-up", "change-me", "theme", "planted", "planted-read"]
    run = run_some("cross_cultural", cells, own_words=str(path), tokens=240, epochs=1)
    assert run.namespace["themes"]["your words"] == ["bomb", "riot"]
    assert {"bomb", "riot"} <= {*run.namespace["text"].words}
    assert "1 of 3 words of your own" in run.text and "&#x27;she&#x27;" in run.text


def test_a_word_for_the_close_up_has_to_be_in_the_vocabulary(refuses):
    cells = ["parameters", CHECK, "set-up"]
    refuses(
        lambda: run_some("base_pair_stability", cells, word="professr"),
        ["'professr'", "Did you mean 'professor'?"],
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "own"),
    [
        ("ripa", {"own_words": "words", "own_pairs": "pairs"}),
        ("ripa_evidence", {"own_words": "words", "own_pairs": "pairs"}),
        ("domains", {"own_words": "words", "own_pairs": "pairs", "groups": 20}),
        ("domains_evidence", {"own_words": "words", "own_pairs": "pairs", "attribute_draws": 20}),
        ("conceptors", {"lists": "words", "own_pairs": "pairs", "random_lists": 20}),
        ("contextual_geometry", {"professions": "words", "own_pairs": "pairs", "draws": 200}),
        ("conceptors_evidence", {"lists": "words", "own_pairs": "pairs", "random_lists": 20}),
        ("conceptors_in_context", {"lists": "words", "own_pairs": "pairs", "random_lists": 20}),
        (
            "conceptors_in_context_evidence",
            {"lists": "words", "own_pairs": "pairs", "random_lists": 20},
        ),
    ],
)
def test_a_chapter_names_what_it_does_not_measure_of_lists_of_one_s_own(tmp_path, chapter, own):
    texts = {"words": "\n".join([*MINE, "teacher", "qzx"]), "pairs": "she,he\nwoman,man\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    given = {name: str(tmp_path / f"{v}.txt") if v in texts else v for name, v in own.items()}
    run = run_cells(chapter, **given)
    rows = run.namespace["ledger"].rows()
    answered = set(rows.loc[rows["claim_id"] != "", "quantity"])
    # arithmetic of any four words of the vectors
    of_ripa = {
        "effect size of single words",
        "strict p of single words with a negative statistic",
    }
    assert answered == (of_ripa if chapter == "ripa_evidence" else set())
    assert re.search(r"of your own[^<]*</strong> could not be measured", run.text)
    # any word stands in a sentence of ours
    assert ("&#x27;qzx&#x27;" in run.text) == (not chapter.startswith("conceptors_in_context"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "name"),
    [
        ("base_pair_stability", "lists"),
        ("base_pair_stability_evidence", "lists"),
        ("multiclass", "professions"),
        ("multiclass_evidence", "professions"),
    ],
)
def test_a_chapter_runs_to_its_end_on_a_list_of_one_s_own(tmp_path, chapter, name):
    path = tmp_path / "mine.txt"
    path.write_text("\n".join([*MINE, "teacher", "carpenter", "librarian", "surgeon", "judge"]))
    run = run_cells(chapter, **{name: str(path)})
    assert run.namespace["ledger"].parameters[name] == str(path)
    assert list(run.namespace["jobs"].words) == path.read_text().splitlines()
    assert set(run.namespace["ledger"].rows()["claim_id"]) == {""}  # no verdict on a paper
