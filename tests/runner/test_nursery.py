"""Kernels that are forked do what kernels that are started do, and none outlives who asked for it."""

import sys
from dataclasses import replace

import nbformat
import psutil
import pytest

from lib.plots.display import FOR_A_PHONE
from runner.depfile import library_hash, module_hashes
from runner.execution import Job, execute, open_nursery
from runner.notebooks import read_notebook

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")
SOURCES = {
    "draw": "from fractions import Fraction; print(Fraction(1, 3), hash('word'))",
    "end": "1 / 0",
}


@pytest.fixture(scope="module")
def nursery():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FROM_BEFORE", "1")
        opened = open_nursery(1, ["fractions"])
    yield opened
    opened.close()


def job(*cells):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(SOURCES[name], id=name) for name in cells]
    return Job("one", nbformat.writes(notebook).encode(), {}, library_hash(module_hashes()))


def test_a_forked_kernel_gives_what_a_started_one_gives(nursery):
    started, forked = execute(job("draw")), execute(job("draw"), nursery)
    assert forked.notebook == started.notebook and forked.failure is None
    assert b"1/3" in forked.notebook
    assert forked.depfile["packages"] == started.depfile["packages"]
    assert execute(job("draw", "end"), nursery).failure.message.endswith("division by zero")


def test_what_was_imported_beforehand_counts_as_imported_by_the_chapter(nursery):
    source = "from runner.watch import _modules_before, _preloaded\n" + (
        "print('fractions' in _preloaded, 'fractions' in _modules_before)"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    asked = replace(job(), notebook=nbformat.writes(notebook).encode())
    cell = read_notebook(execute(asked, nursery).notebook).cells[0]
    assert cell.outputs[0].text == "True False\n"


def test_a_kernel_has_the_environment_of_its_run_and_not_of_the_process_it_is_forked_from(nursery):
    source = (
        "import os\nprint('FROM_BEFORE' in os.environ, len(os.environ['BIASBOOK_RESULTS']) > 0)"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    asked = replace(job(), notebook=nbformat.writes(notebook).encode())
    cell = read_notebook(execute(asked, nursery).notebook).cells[0]
    assert cell.outputs[0].text == "False True\n"


def test_a_phone_is_thought_of_in_the_cell_of_the_first_picture_alone(nursery):
    source = f"import os\nprint({FOR_A_PHONE!r} in os.environ)"
    before, picture, after = (nbformat.v4.new_code_cell(source) for _ in range(3))
    picture.metadata.tags = ["picture"]
    notebook = nbformat.v4.new_notebook(cells=[before, picture, after])
    asked = replace(job(), notebook=nbformat.writes(notebook).encode())
    cells = read_notebook(execute(asked, nursery).notebook).cells
    assert [cell.outputs[0].text for cell in cells] == ["False\n", "True\n", "False\n"]


def test_without_the_process_that_forks_a_kernel_is_started_and_with_it_all_end():
    opened = open_nursery(1, [])
    kernel = opened.kernel(["-f", "kernel.json"], {}, "/tmp", 2)
    assert kernel.poll() is None
    opened.close()
    _, alive = psutil.wait_procs([kernel], timeout=60)
    assert not alive and kernel.poll() == 0
    assert execute(job("draw"), opened).failure is None
