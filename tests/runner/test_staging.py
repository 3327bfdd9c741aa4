"""The staged book: fresh prose over stored outputs, alternative text where the builder looks, as few writes as can be."""

import copy
import json

import nbformat
import pytest
import yaml

from runner import staging
from runner.book import Book, Chapter
from runner.notebooks import read_notebook, write_notebook
from runner.site import Site
from runner.staging import merge, picture_for_a_phone
from tests.support.miniature_book import (
    command_here,
    copy_of_undisturbed,
    edit,
    listing,
    set_source,
)

ALT = "A purple triangle that fills the lower left half."


@pytest.fixture
def tree(tmp_path):
    return copy_of_undisturbed(tmp_path)


@pytest.fixture
def stage(tree, monkeypatch, capsys):
    """Stage the book; gives what was printed."""
    here = command_here(monkeypatch, tree)

    def staged(*arguments):
        assert here(*(arguments or ["--stage"])) == 0
        return capsys.readouterr().out

    return staged


def test_a_chapter_is_merged_again_only_where_it_or_its_page_changed(tree, stage, monkeypatch):
    stage()
    page = tree / "_build" / "book" / "chapters" / "beta.ipynb"
    before, merged = page.read_bytes(), []

    def noted(fresh, executed, chapter):
        merged.append(chapter.name)
        return merge(fresh, executed, chapter)

    monkeypatch.setattr(staging, "merge", noted)
    stage()
    assert merged == []
    set_source(tree, "alpha", "title", "# Alpha\n\nOther words.")
    output = stage()
    assert merged == ["alpha"] and "ran" not in output.split() and "1 files changed" in output
    shown = read_notebook((tree / "_build/book/chapters/alpha.ipynb").read_bytes())
    assert shown.cells[0].source == "# Alpha\n\nOther words."
    assert any(cell.outputs for cell in shown.cells if cell.cell_type == "code")
    page.write_bytes(before.replace(b"beta", b"gamma"))
    stage()
    assert merged == ["alpha", "beta"] and page.read_bytes() == before
    (tree / "_build" / ".book.json").write_text("[half")
    assert "no files changed" in stage() and len(merged) == 5


def test_start_page_and_first_chapter_are_built_before_the_others_are_done(
    tree, stage, monkeypatch
):
    built = []

    def build(site, *_):
        pages = [path.relative_to(site.staged) for path in site.staged.rglob("*.[im][pd]*")]
        built.append((site.suffix, sorted(str(page) for page in pages)))
        site.html.mkdir(parents=True, exist_ok=True)
        (site.html / "index.html").write_text("made")

    monkeypatch.setattr(Site, "_run_jupyter_book", build)
    output = stage("--build", "--fresh", "--workers", "1").splitlines()
    all_pages = ["chapters/alpha.ipynb", "chapters/beta.ipynb", "chapters/summary.ipynb"]
    assert built == [
        ("-first", ["chapters/alpha.ipynb", "intro.md"]),
        ("", [*all_pages, "intro.md"]),
    ]
    places = [
        next(place for place, line in enumerate(output) if begin in line)
        for begin in (
            "alpha    ran",
            "_build/html-first/intro.html",
            "to read while",
            "beta     ran",
        )
    ]
    assert places == sorted(places)
    assert list((tree / "_build").glob("*first*")) == []


def test_only_changed_files_are_written_and_unknown_ones_go(tree, stage):
    stage()
    before = listing(tree / "_build" / "book")
    assert set(before) == {
        "_config.yml",
        "_toc.yml",
        "intro.md",
        "data/numbers.csv",  # a page links to it
        "chapters/alpha.ipynb",
        "chapters/beta.ipynb",
        "chapters/summary.ipynb",
    }
    config = yaml.safe_load((tree / "_build/book/_config.yml").read_text())
    assert config["execute"] == {"execute_notebooks": "off", "timeout": 600}
    assert config["title"] == "Miniature"
    (tree / "_build/book/left").mkdir()
    (tree / "_build/book/left/over.md").write_text("from an older book")
    assert "1 files changed" in stage()
    assert listing(tree / "_build" / "book") == before
    assert not (tree / "_build/book/left").exists()
    assert "no files changed" in stage()
    edit(tree / "intro.md", "small enough", "short enough")
    assert "1 files changed" in stage()
    changed = listing(tree / "_build" / "book").items() - before.items()
    assert {name for name, _ in changed} == {"intro.md"}
    (tree / "data/reports/one").mkdir(parents=True)
    (tree / "data/reports/one/report.html").write_text("a report")
    stage()
    # as it is, so that a link opens it
    assert (tree / "_build/book/_static/reports/one/report.html").read_text() == "a report"


def test_figures_get_alternative_text_and_caption_in_cells_of_their_own(tree, stage):
    stage()
    alpha = read_notebook((tree / "_build/book/chapters/alpha.ipynb").read_bytes())
    figure = next(cell for cell in alpha.cells if cell.id == "figure")
    assert figure.metadata.mystnb == {
        "image": {"alt": ALT},
        "figure": {"caption": "One triangle.", "name": "alpha-figure"},
    }
    beta = read_notebook((tree / "_build/book/chapters/beta.ipynb").read_bytes())
    parts = [cell for cell in beta.cells if cell.id.startswith("figures")]
    assert [cell.id for cell in parts] == ["figures", "figures-2", "figures-3"]
    assert [len(cell.outputs) for cell in parts] == [1, 1, 1]
    assert "mystnb" not in parts[0].metadata and "remove-input" in parts[1].metadata.tags
    assert [cell.metadata.mystnb["figure"]["caption"] for cell in parts[1:]] == [
        "The first.",
        "The second.",
    ]


def test_a_preview_holds_the_named_page_and_leaves_the_book_alone(tree, stage):
    stage()
    before = listing(tree / "_build" / "book")
    assert "staged _build/book-preview" in stage("--stage", "--chapter", "alpha")
    assert set(listing(tree / "_build" / "book-preview")) == {
        "_config.yml",
        "_toc.yml",
        "chapters/alpha.ipynb",
    }
    contents = yaml.safe_load((tree / "_build/book-preview/_toc.yml").read_text())
    assert contents == {"format": "jb-book", "root": "chapters/alpha"}
    assert listing(tree / "_build" / "book") == before


def test_a_preview_keeps_the_words_of_links_to_pages_that_it_leaves_out(tree, stage):
    set_source(
        tree,
        "alpha",
        "title",
        "# Alpha\n\n[Beta](beta.ipynb#part), [home](../intro.md), [data](../data/numbers.csv),"
        " [itself](alpha.ipynb), [elsewhere](https://example.org/intro.md), [there](#faq), [too](faq),"
        " {doc}`beta`, {doc}`that one <beta>`, {doc}`alpha`\n\n"
        "(here)=\n## Here\n\n[Here](#here)",
    )
    stage("--stage", "--chapter", "alpha")
    page = read_notebook((tree / "_build/book-preview/chapters/alpha.ipynb").read_bytes())
    assert page.cells[0].source == (
        "# Alpha\n\nBeta, home, [data](../data/numbers.csv), [itself](alpha.ipynb),"
        " [elsewhere](https://example.org/intro.md), there, too,"
        " Beta, that one, {doc}`alpha`\n\n(here)=\n## Here\n\n[Here](#here)"
    )
    stage()
    page = read_notebook((tree / "_build/book/chapters/alpha.ipynb").read_bytes())
    assert "[Beta](beta.ipynb#part), [home](../intro.md)" in page.cells[0].source


def test_a_preview_keeps_only_the_words_of_links_that_a_cell_wrote(tree, stage, tmp_path):
    book = Book.open(tree)
    executed = copy.deepcopy(book.chapters["alpha"].notebook)
    cell = next(cell for cell in executed.cells if cell.cell_type == "code")
    sentence = {"text/markdown": "**More** in [Beta](beta.ipynb#part)."}
    cell.outputs = [nbformat.v4.new_output("display_data", sentence)]
    page, folder = book.chapters["alpha"].page, tmp_path / "staged"
    staging.stage(book, folder, {"alpha": write_notebook(executed)}, [page])
    staged = read_notebook((folder / page).read_bytes())
    outputs = [output for cell in staged.cells for output in cell.get("outputs", ())]
    assert [output.data for output in outputs] == [{"text/markdown": "**More** in Beta."}]


def notebooks(default: int, given: int):
    """A chapter whose parameters cell says `default`, and its executed copy with `given` injected."""
    cells = [
        nbformat.v4.new_code_cell(
            f"seed = {default}", id="first", metadata={"tags": ["parameters"]}
        ),
        nbformat.v4.new_code_cell("print(seed)", id="second"),
    ]
    chapter = Chapter(
        "one", "chapters/one.ipynb", write_notebook(nbformat.v4.new_notebook(cells=cells))
    )
    injected = nbformat.v4.new_code_cell(
        f"# Parameters\nseed = {given}\n",
        id="injected-parameters",
        metadata={"tags": ["injected-parameters"]},
    )
    printed = nbformat.v4.new_output("stream", text=f"{given}\n")
    run = nbformat.v4.new_code_cell(
        "print(seed)", id="second", outputs=[printed], execution_count=3
    )
    return chapter, nbformat.v4.new_notebook(cells=[cells[0], injected, run])


def test_injected_parameters_are_folded_and_left_out_where_they_repeat_the_defaults():
    chapter, executed = notebooks(default=1, given=2)
    page = merge(chapter.notebook, executed, chapter)
    assert [cell.id for cell in page.cells] == ["first", "injected-parameters", "second"]
    assert page.cells[1].metadata.tags == ["injected-parameters", "hide-input"]
    assert page.cells[2].outputs[0].text == "2\n"
    chapter, executed = notebooks(default=1, given=1)
    assert [cell.id for cell in merge(chapter.notebook, executed, chapter).cells] == [
        "first",
        "second",
    ]


def test_the_first_picture_is_there_for_a_phone_and_no_page_holds_those_of_others():
    def shown(narrow, *kinds):
        described = {"alt": "a", "caption": "b"} | ({"phone": narrow} if narrow else {})
        output = nbformat.v4.new_output(
            "display_data", {"image/svg+xml": "<svg/>"}, metadata={"image/svg+xml": described}
        )
        return nbformat.v4.new_code_cell("1", outputs=[output], metadata={"tags": list(kinds)})

    page = nbformat.v4.new_notebook(cells=[shown("first"), shown("second", "picture")])
    assert picture_for_a_phone(page) == b"second" and "phone" not in str(page)
    # the first picture alone: a later one may not stand in its place
    page = nbformat.v4.new_notebook(cells=[shown("", "picture"), shown("second", "picture")])
    assert picture_for_a_phone(page) is None


def test_a_notebook_without_cell_ids_reads_the_same_twice():
    cell = nbformat.v4.new_code_cell("1")
    del cell["id"]
    raw = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    first, second = (read_notebook(json.dumps(raw).encode()) for _ in range(2))
    assert first == second and first.cells[0].id == "cell-0"


@pytest.mark.slow
def test_the_site_is_built_once_and_shows_figures_with_their_text(tree, stage):
    assert "_build/html/index.html  built in" in stage("--build", "-W")
    page = (tree / "_build/html/chapters/alpha.html").read_text()
    assert f'alt="{ALT}"' in page and "One triangle." in page and "injected" not in page
    before = listing(tree / "_build")
    assert "_build/html/index.html  up to date" in stage("--build", "-W")
    assert listing(tree / "_build") == before
    record = tree / "data" / "results" / "sample" / "alpha--seed=0.run.json"
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    assert "_build/html/index.html  built in" in stage("--build", "-W")


def test_a_figure_goes_to_the_page_once_as_svg_with_its_own_caption():
    image = {"alt": ALT, "caption": "One triangle."}
    figure = nbformat.v4.new_output(
        "display_data",
        {"image/svg+xml": "<svg/>", "image/png": "iVBOR", "text/plain": "One triangle."},
        metadata={"image/svg+xml": image, "image/png": image},
    )
    caption = nbformat.v4.new_output(
        "display_data", {"text/markdown": "*Figure.*"}, metadata={"figure_caption": True}
    )
    dense = nbformat.v4.new_output(
        "display_data", {"image/png": "iVBOR"}, metadata={"image/png": image}
    )
    cell = nbformat.v4.new_code_cell("draw()", id="draw")
    fresh = nbformat.v4.new_notebook(cells=[cell])
    executed = nbformat.from_dict(fresh)
    executed.cells[0] = nbformat.from_dict({**cell, "outputs": [figure, caption, dense, caption]})
    parts = merge(
        fresh, executed, Chapter("alpha", "chapters/alpha.ipynb", write_notebook(fresh))
    ).cells
    assert [list(part.outputs[0].data) for part in parts] == [
        ["image/svg+xml", "text/plain"],
        ["image/png"],
    ]
    assert [part.metadata.mystnb["figure"]["caption"] for part in parts] == ["One triangle."] * 2
    assert "image/png" not in parts[0].outputs[0].metadata
