"""Pages as the site builder reads them: fresh prose over stored outputs, alternative text where it looks, as few writes as can be."""

import copy
import json
import subprocess
from pathlib import Path

import nbformat
import pytest

from runner import pages, site
from runner.archive import Archive
from runner.book import Book, Chapter
from runner.notebooks import read_notebook, write_notebook
from runner.pages import merge, merged_pages, picture_for_a_phone, within
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


@pytest.fixture(autouse=True)
def here(tree, monkeypatch):
    """The command, as if its code were the tree's."""
    return command_here(monkeypatch, tree)


@pytest.fixture
def build(here, capsys):
    """Build the book's site; gives what was printed."""

    def built(*arguments):
        assert here("--build", *arguments) == 0
        return capsys.readouterr().out

    return built


def merged(tree):
    """The merged notebooks of the book, by chapter."""
    book = Book.open(tree)
    archive = Archive(book, "embedded")
    runs = {run.chapter.name: archive.executed(run) for run in book.runs("embedded")}
    return merged_pages(book, tree / "merged", runs)


def test_a_chapter_is_merged_again_only_where_it_or_its_page_changed(tree, monkeypatch):
    page = merged(tree)["beta"]
    before, again = page.read_bytes(), []

    def noted(fresh, executed, chapter):
        again.append(chapter.name)
        return merge(fresh, executed, chapter)

    monkeypatch.setattr(pages, "merge", noted)
    written = listing(tree / "merged")
    merged(tree)
    assert again == [] and listing(tree / "merged") == written
    set_source(tree, "alpha", "title", "# Alpha\n\nOther words.")
    shown = read_notebook(merged(tree)["alpha"].read_bytes())
    assert again == ["alpha"] and shown.cells[0].source == "# Alpha\n\nOther words."
    assert any(cell.outputs for cell in shown.cells if cell.cell_type == "code")
    changed = dict(listing(tree / "merged").items() - written.items())
    assert set(changed) == {"chapters/alpha.ipynb", "merged.json"}
    page.write_bytes(before.replace(b"beta", b"gamma"))
    merged(tree)
    assert again == ["alpha", "beta"] and page.read_bytes() == before
    (tree / "merged" / "merged.json").write_text("[half")
    (tree / "merged" / "left.ipynb").write_text("from an older book")
    merged(tree)
    assert len(again) == 5 and not (tree / "merged" / "left.ipynb").exists()


def test_figures_get_alternative_text_and_caption_in_cells_of_their_own(tree):
    shown = {name: read_notebook(path.read_bytes()) for name, path in merged(tree).items()}
    figure = next(cell for cell in shown["alpha"].cells if cell.id == "figure")
    assert figure.metadata.mystnb == {
        "image": {"alt": ALT},
        "figure": {"caption": "One triangle.", "name": "alpha-figure"},
    }
    parts = [cell for cell in shown["beta"].cells if cell.id.startswith("figures")]
    assert [cell.id for cell in parts] == ["figures", "figures-2", "figures-3"]
    assert [len(cell.outputs) for cell in parts] == [1, 1, 1]
    assert "mystnb" not in parts[0].metadata and "remove-input" in parts[1].metadata.tags
    assert [cell.metadata.mystnb["figure"]["caption"] for cell in parts[1:]] == [
        "The first.",
        "The second.",
    ]


def test_a_site_of_few_pages_keeps_the_words_of_links_to_the_others(tree):
    book = Book.open(tree)
    notebook = copy.deepcopy(book.chapters["alpha"].notebook)
    notebook.cells[0].source = (
        "# Alpha\n\n[Beta](beta.ipynb#part), [home](../intro.md), [data](../data/numbers.csv),"
        " [itself](alpha.ipynb), [elsewhere](https://example.org/intro.md), [there](#faq), [too](faq),"
        " {doc}`beta`, {doc}`that one <beta>`, {doc}`alpha`\n\n"
        "(here)=\n## Here\n\n[Here](#here)"
    )
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.source = "LISTS[name](faq)"
    sentence = {"text/markdown": "**More** in [Beta](beta.ipynb#part)."}
    code.outputs = [nbformat.v4.new_output("display_data", sentence)]
    page = book.chapters["alpha"].page
    shown = read_notebook(within(write_notebook(notebook).decode(), book, page, [page]).encode())
    assert shown.cells[0].source == (
        "# Alpha\n\nBeta, home, [data](../data/numbers.csv), [itself](alpha.ipynb),"
        " [elsewhere](https://example.org/intro.md), there, too,"
        " Beta, that one, {doc}`alpha`\n\n(here)=\n## Here\n\n[Here](#here)"
    )
    outputs = [output for cell in shown.cells for output in cell.get("outputs", ())]
    assert [output.data for output in outputs] == [{"text/markdown": "**More** in Beta."}]
    assert "LISTS[name](faq)" in [cell.source for cell in shown.cells]
    assert within("[Beta](chapters/beta.ipynb)", book, "intro.md", ["intro.md"]) == "Beta"


def test_a_book_that_does_not_ask_for_its_chapters_is_told_what_to_write(tree, here, capsys):
    edit(tree / "_config.yml", "extra_extensions: [runner.executed]", "config: {language: en}")
    assert here("--build") == 1
    said = capsys.readouterr().err
    assert "_config.yml" in said and "extra_extensions: [runner.executed]" in said
    assert not (tree / "_build" / "html").exists()


def test_a_preview_is_a_site_of_its_own_with_the_named_page(tree, build, monkeypatch):
    asked = []

    def noted(command, **options):
        asked.append(command[command.index("build") :])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(site.subprocess, "run", noted)
    build("--chapter", "alpha")
    build()
    preview, whole = asked
    toc = preview[preview.index("--toc") + 1]
    assert "root: chapters/alpha" in Path(toc).read_text(encoding="utf-8") and "--toc" not in whole
    assert preview[3].endswith("_build/.jupyter-book-preview") and whole[3] == str(tree)


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
def test_the_site_is_built_once_and_shows_figures_with_their_text(tree, build):
    assert "_build/html/index.html  built in" in build("-W")
    page = (tree / "_build/html/chapters/alpha.html").read_text()
    assert f'alt="{ALT}"' in page and "One triangle." in page and "injected" not in page
    before = listing(tree / "_build")
    assert "_build/html/index.html  up to date" in build("-W")
    assert listing(tree / "_build") == before
    record = tree / "data" / "results" / "sample" / "alpha--seed=0.run.json"
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    assert "_build/html/index.html  built in" in build("-W")


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
