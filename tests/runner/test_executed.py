"""`jupyter-book build`: the door that Sphinx opens, with the runner behind it. The console scripts run from anywhere."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lib.paths import ROOT
from tests.support.miniature_book import copy_of_undisturbed, edit, environment, plant, set_source

# CI names an environment made of requirements.txt alone
BIN = Path(os.environ.get("BIASBOOK_PLAIN") or Path(sys.executable).parent)
FEW = """\
format: jb-book
root: chapters/five_seconds
chapters:
  - file: pages/glossary
  - file: pages/bibliography
"""


def script(name: str, *arguments: str, folder: Path, variables: dict[str, str] | None = None):
    """A console script of this environment, started as a user does, whatever the tests have on their path."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(BIN / name), *arguments],
        cwd=folder,
        env={**own, "BIASBOOK_RUNS": "", **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_jupyter_book_runs_what_is_stale_and_shows_it(tmp_path):
    tree = copy_of_undisturbed(tmp_path)
    set_source(tree, "alpha", "title", "# Alpha\n\nOther words.")
    set_source(tree, "beta", "title", "# Beta anew")

    def build(*options):
        asked = ["build", str(tree), "-W", *options]
        done = script("jupyter-book", *asked, folder=tmp_path, variables=environment(tree))
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    first = build()
    page = (tree / "_build/html/chapters/alpha.html").read_text()
    assert "Other words." in page and "A purple triangle" in page and "running" not in first
    edit(tree / "chapters/alpha.ipynb", "factor = 2.0", "factor = 3.0")
    again = build()
    assert "alpha    ran" in again and "beta     fresh" in again
    assert "3.0" in (tree / "_build/html/chapters/alpha.html").read_text()


def test_a_chapter_that_fails_fails_the_build(tmp_path):
    tree = plant(tmp_path / "book")
    set_source(tree, "alpha", "figure", "1 / 0")
    done = script("jupyter-book", "build", str(tree), folder=tmp_path, variables=environment(tree))
    assert done.returncode and "ZeroDivisionError" in done.stdout
    assert "could not be brought up to date" in done.stderr
    assert not (tree / "_build" / "html" / "index.html").exists()


@pytest.mark.slow
def test_console_scripts_run_a_story_from_any_folder(tmp_path):
    """What README tells those who have no make; the requirements are installed, and nothing is on the path by luck."""
    story = ROOT / "chapters" / "five_seconds.ipynb"
    for folder, named in (
        (ROOT, "chapters/five_seconds.ipynb"),
        (ROOT / "chapters", story.name),
        (tmp_path, str(story)),
    ):
        out = tmp_path / f"{folder.name}.ipynb"
        done = script("papermill", named, str(out), "-p", "seed", "1", folder=folder)
        assert done.returncode == 0 and out.is_file(), done.stderr[-2000:]
    copy = shutil.copy(story, tmp_path / "copy.ipynb")
    converted = ["--to", "notebook", "--execute", str(copy), "--output", "run.ipynb"]
    done = script("jupyter-nbconvert", *converted, folder=tmp_path)
    assert done.returncode == 0 and (tmp_path / "run.ipynb").is_file(), done.stderr[-2000:]
    assert script("bias-measured", "run", "--help", folder=tmp_path).stdout.startswith(
        "usage: bias-measured run"
    )


@pytest.mark.slow
def test_jupyter_book_builds_a_few_pages_of_the_book_from_anywhere(tmp_path):
    contents = tmp_path / "few.yml"
    contents.write_text(FEW)
    site = ["--toc", str(contents), "--path-output", str(tmp_path)]
    done = script("jupyter-book", "build", str(ROOT), "-W", "--keep-going", *site, folder=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    page = (tmp_path / "_build/html/chapters/five_seconds.html").read_text()
    assert "take-away" in page and not (tmp_path / "_build/html/chapters/ripa.html").exists()


@pytest.mark.parametrize(
    "code, said",
    {
        "no checkout": ("", "pip install -r requirements.txt"),
        "on Windows": ("import os; os.name = 'nt'; ", "install it in WSL 2"),
    }.values(),
)
def test_where_it_cannot_work_one_sentence_says_what_to_do(tmp_path, code, said):
    for package in ("lib", "runner"):
        shutil.copytree(ROOT / package, tmp_path / package)
    call = f"{code}from runner.door import main; raise SystemExit(main(['audit']))"
    done = subprocess.run(
        [sys.executable, "-c", call],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and said in done.stderr
