"""A page about a hostile vocabulary, a hostile model and a hostile translator holds their words as text, and nothing that acts."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from nbclient import NotebookClient

from lib.embeddings import Embedding
from lib.ledger.certificates import Certificate
from lib.markdown import harmless, verbatim
from lib.paths import ROOT
from runner.book import Chapter
from runner.notebooks import write_notebook
from runner.pages import merge
from tests.site.test_extensions import extension
from tests.support.chapter_runs import run_some

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<img/src=x/onerror=alert('man')>",
    '"><svg/onload=alert(3)>',
    "[x](javascript:alert(4))",
    "[x]( <javascript:alert(5)> )",
    "![x](https://example.org/seen.png)",
    "<javascript:alert(6)>",
    "{raw}`alert(7)`",
    "{{ 7777 * 3 }}",
    r"$\href{javascript:alert(8)}{x}$",
    "</script><script>alert(9)</script>",
    "\n\n```{raw} html\n<script>alert(10)</script>\n```\n",
    "\n\n:::{raw} html\n<script>alert(11)</script>\n:::\n",
    "\n\n[x]: javascript:alert(12)\n\n[x]\n",
    "`</code><script>alert(13)</script>",
    "--><script>alert(14)</script>",
    "\\<script>alert(15)</script>",
    "&lt;script&gt;alert(16)",
]
CELLS = {
    "parameters": "model = ''\nwords = []\nprofile = 'embedded'",
    "imports": """
import numpy as np
import pandas as pd
from IPython.display import Markdown as Unchecked
from lib import pages, plots
from lib.embeddings import Embedding
from lib.ledger import Ledger
from lib.pages import Markdown, display, verbatim
ledger = Ledger("hostile", profile=profile, parameters=dict(model=model, words=words))
ledger""",
    "quoted": "display(*(Markdown(f'The word *{verbatim(word)}* in `{model}`.') for word in words))",
    "forgotten": "display(*(Markdown(f'The word {word} in *{word}*, `{word}`.') for word in words))",
    "translated": "display(*(Markdown(f'So <i lang=\"es\">{word}</i>.') for word in words))",
    "unchecked": "display(*(Unchecked(f'{word}') for word in words))",
    "styled": """
table = pd.DataFrame({"word": words, model: 1.5, "list": [(word,) for word in words]}, index=words)
table.columns.name = table.index.name = model
display(table.style, table.style.format({"word": '<span lang="es">{}</span>', model: "{:.1f}"}))
display(table.style.hide(axis="index").set_caption(f"By {model}"), table)""",
    "table": "plots.table(pd.DataFrame({'word': words, 'verdict': model}), name='words', caption=model)",
    "figure": """
fig = plots.scatter(np.arange(4.0), np.arange(4.0), words[:4], x=model, y="y")
plots.show(fig, caption=f"By {model}; {words[0]}; {words[9]}", alt=f"Four points of the model named {model}, {words[3]}.")""",
    "boxes": """
plots.not_measured(model, words[0])
pages.folded(model, words)
pages.trust(repeats=model, agrees=words[0], beyond_chance=words[1], predicts=words[2], cannot_show=words[3])
pages.take_away(f"**{model}**.", *words[:3], finding=model, number=words[0])""",
}


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """The notebook, executed in a kernel with the hostile names as parameters, and merged as for the site."""
    cells = [nbformat.v4.new_markdown_cell("# Hostile\n\nWords.", id="title")]
    for name, source in CELLS.items():
        tags = {"tags": ["parameters"]} if name == "parameters" else {}
        cells.append(nbformat.v4.new_code_cell(source.strip(), id=name, metadata=tags))
    fresh = nbformat.v4.new_notebook(cells=cells)
    executed = nbformat.from_dict(fresh)
    given = nbformat.v4.new_code_cell(
        f"model = {HOSTILE[1]!r}\nwords = {HOSTILE!r}",
        id="injected-parameters",
        metadata={"tags": ["injected-parameters"]},
    )
    executed.cells.insert(2, given)
    NotebookClient(executed, timeout=120, kernel_name="python3").execute()
    chapter = Chapter("hostile", "chapters/hostile.ipynb", write_notebook(fresh))
    return executed, merge(fresh, executed, chapter)


@pytest.fixture(scope="module")
def page(notebook, tmp_path_factory):
    """The page that Jupyter Book makes of it, with the book's own settings for Markdown."""
    folder = tmp_path_factory.mktemp("book")
    settings = yaml.safe_load((ROOT / "_config.yml").read_text())
    kept = {name: settings[name] for name in ("title", "only_build_toc_files", "parse")}
    markdown = {
        "nb_render_markdown_format": settings["sphinx"]["config"]["nb_render_markdown_format"]
    }
    config = {**kept, "execute": {"execute_notebooks": "off"}, "sphinx": {"config": markdown}}
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: hostile\n")
    (folder / "hostile.ipynb").write_bytes(write_notebook(notebook[1]))
    start = "from jupyter_book.cli.main import main; main()"
    built = subprocess.run(
        [sys.executable, "-c", start, "build", str(folder), "-q"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert built.returncode == 0, built.stderr
    return (folder / "_build" / "html" / "hostile.html").read_text()


def acting(html):
    """Elements that would run the words, or ask for what they name."""
    return [
        element
        for element in BeautifulSoup(html, "html.parser").find_all(True)
        if (element.name == "script" and "alert" in element.get_text())
        or any(name.startswith("on") for name in element.attrs)
        or "alert(" in str(element.get("href", "")) + str(element.get("src", ""))
        or "example.org" in str(element.get("src", ""))
    ]


def test_a_live_word_would_be_seen():
    assert all(acting(f"<p>The word {word}.</p>") for word in HOSTILE[:4])


def test_no_word_of_the_page_acts(page):
    article = BeautifulSoup(page, "html.parser").find("article")
    assert len(article.find_all(["p", "table", "figure"])) > 20
    assert acting(str(article)) == []
    assert "alert" not in "".join(script.get_text() for script in article.find_all("script"))
    assert "23331" not in page  # {{ 7777 * 3 }}
    text = article.get_text()
    assert all(text.count(" ".join(word.split())) for word in HOSTILE[:4]), "they are to be read"


def test_no_html_of_an_output_acts(notebook):
    shown = [
        data["text/html"]
        for cell in notebook[0].cells
        for output in cell.get("outputs", ())
        if "text/html" in (data := output.get("data", {}))
    ]
    assert len(shown) > 8 and [acting(html) for html in shown] == [[]] * len(shown)
    assert 'lang="es"' in "".join(shown)


def test_no_markdown_of_an_output_holds_a_tag_that_no_chapter_writes(notebook):
    for cell in notebook[0].cells:
        for output in cell.get("outputs", ()):
            text = output.get("data", {}).get("text/markdown", "")
            if cell.id != "unchecked" and text:
                assert harmless(text) == text
                assert not re.search(r"<(?!/?(i|small)\b)[a-zA-Z/!]", text)


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_reads_as_it_is_and_harmless_text_stays_so(word):
    shown = MarkdownIt("commonmark", {"html": True}).render(harmless(f"*{verbatim(word)}*"))
    soup = BeautifulSoup(shown, "html.parser")
    assert {element.name for element in soup.find_all(True)} == {"p", "em"}
    assert soup.get_text().strip() == " ".join(word.split())
    assert harmless(harmless(word)) == harmless(word)


def test_nearest_words_of_a_hostile_vocabulary_are_text():
    e = Embedding(
        ["she", "he", *HOSTILE], np.random.default_rng(0).normal(size=(21, 4)), HOSTILE[1]
    )
    run = run_some(
        "multiclass_evidence", ["imports", "break-neighbours"], e=e, usable={"sex": ["she", "he"]}
    )
    assert "&lt;script&gt;" in run.text and acting(run.text) == []


@pytest.mark.parametrize("word", HOSTILE)
def test_what_a_hostile_translator_says_is_text(word):
    read = pd.DataFrame(
        {"context": "her", "english": word, "translation": word, "friend": word}, index=range(3)
    )
    run = run_some("equalizing", ["outputs-examples"], read=read, seed=0, np=np)
    assert '<span lang="es">' in run.text and acting(run.text) == []
    said = SimpleNamespace(
        prefixes=[word],
        markings=lambda _: SimpleNamespace(
            n=1,
            genders=dict.fromkeys(("feminine", "masculine", "ambiguous", "unmarked"), 0),
            numbers={"plural": 0},
        ),
    )
    given = dict(speech={word: {"They": said}}, first=word, THEY="They", speaker_marking=None)
    run = run_some("prefix_injection_evidence", ["imports", "they"], **given)
    assert '<i lang="es">' in run.text and acting(MarkdownIt().render(run.text)) == []


def test_a_record_with_hostile_parameters_and_files_is_shown_as_text():
    plain = {
        "chapter": "one",
        "profile": "sample",
        "commit": "",
        "seconds": 1.0,
        "megabytes": 1,
        "rows": 1,
    }
    told = dict.fromkeys(("machine", "python", "library", "results"), HOSTILE[0])
    named = {word: word for word in HOSTILE}
    record = Certificate(**plain, **told, parameters=named, packages=named, inputs=named)
    block = extension("certificates").block(record)
    assert acting(block) == [] and block.count("&lt;script&gt;alert(1)") > len(told)
