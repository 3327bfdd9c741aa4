"""The runner from the outside: what runs again and what does not, what is left behind, and what a kill changes."""

import contextlib
import errno
import json
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import pytest

from lib.sources import FetchError
from runner import running
from runner.archive import RECORD_FORMAT, Archive
from runner.book import Book
from runner.command import main
from runner.depfile import module_hashes
from runner.execution import Outcome
from runner.notebooks import read_notebook
from tests.support.miniature_book import (
    MINIATURE,
    command_here,
    contents,
    copy_of_undisturbed,
    edit,
    listing,
    plant,
    processes_in,
    set_source,
    start,
    states,
    undisturbed,
)


@pytest.fixture
def scratch(monkeypatch):
    """A short-named folder for temporary files, so that what a killed process leaves goes with the test."""
    with tempfile.TemporaryDirectory(prefix="mini-", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield folder


ALL_FRESH = {"alpha": ("fresh", ""), "beta": ("fresh", ""), "summary": ("fresh", "")}


@pytest.fixture
def tree(tmp_path):
    """A book in which everything has run."""
    return copy_of_undisturbed(tmp_path)


@pytest.fixture
def run(tree, monkeypatch, capsys):
    """The command in that book: run(*arguments) gives exit code and what was printed."""
    here = command_here(monkeypatch, tree)
    return lambda *arguments: (here(*arguments), "".join(capsys.readouterr()))


def test_nothing_runs_when_nothing_changed(tree, run):
    before = listing(tree)
    code, output = run()
    assert (code, states(output)) == (0, ALL_FRESH)
    assert listing(tree) == before


CHANGES = {
    "a line of a module that alpha loads": (
        lambda tree: edit(tree / "lib" / "rooms" / "arithmetic.py", "return", "return  "),
        {"alpha": "lib.rooms.arithmetic changed"},
    ),
    "a line of a module that no chapter loads": (
        lambda tree: edit(tree / "lib" / "rooms" / "empty.py", "module", "Module"),
        {},
    ),
    "a line of the runner": (
        lambda tree: edit(tree / "runner" / "running.py", "Runs", "runs"),
        {},
    ),
    "prose": (lambda tree: set_source(tree, "alpha", "title", "# Alpha\n\nOther words."), {}),
    "a data file": (
        lambda tree: edit(tree / "data" / "numbers.csv", "3", "4"),
        {"alpha": "data/numbers.csv changed"},
    ),
    "a default in the parameters cell": (
        lambda tree: set_source(
            tree, "beta", "parameters", 'profile = "embedded"\nseed = 1\ndevice = "auto"'
        ),
        {"beta": "never run"},
    ),
    "a lost result": (
        lambda tree: (tree / "results/embedded/beta--seed=0.csv").unlink(),
        {"beta": "its output results/embedded/beta--seed=0.csv was lost or changed"},
    ),
    "a result changed by hand": (
        lambda tree: edit(tree / "results/embedded/beta--seed=0.csv", "draw", "drew"),
        {"beta": "its output results/embedded/beta--seed=0.csv was lost or changed"},
    ),
    "a result only the summary left": (
        lambda tree: (tree / "results/embedded/summary--seed=0.csv").unlink(),
        {},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_only_what_depends_on_a_change_is_stale(change, tree, run):
    apply, expected = CHANGES[change]
    apply(tree)
    code, output = run("--dry-run")
    found = states(output)
    summary = found.pop("summary")
    assert {name: reason for name, (state, reason) in found.items() if state == "stale"} == expected
    assert summary[0] == ("stale" if expected or change.endswith("summary left") else "fresh")
    assert code == 0


def test_another_version_of_a_package_makes_its_chapters_stale(run, monkeypatch):
    monkeypatch.setattr("runner.depfile.installed", lambda name: "0.1")
    assert states(run("--dry-run")[1])["alpha"][1].endswith("is now 0.1")


def test_the_chapter_that_took_longest_begins_first(tree, run):
    for path in (tree / "results" / "embedded").glob("*.run.json"):
        took = 9.0 if path.name.startswith("beta") else 1.0
        path.write_text(
            json.dumps(json.loads(path.read_text()) | {"seconds": took, "cpu_seconds": took})
        )
    archive, begun = Archive(Book.open(tree), "embedded"), []

    def say(line):
        begun.append(line.split()[0])
        raise KeyboardInterrupt

    runs = archive.book.runs("embedded", ["alpha", "beta"])
    with pytest.raises(KeyboardInterrupt):
        running.Runner(archive, runs, say, fresh=True, workers=1).run()
    assert begun[0] == "beta"


def test_the_list_shows_minutes_of_a_quiet_machine(tree, run):
    """From the processor's seconds of the last run here; else from what is kept with the book."""
    for path in (tree / "results" / "embedded").glob("*.run.json"):
        known = json.loads(path.read_text())
        path.write_text(json.dumps(known | {"seconds": 600.0, "cpu_seconds": 90.0}))
        if path.name.startswith("beta"):
            path.unlink()
    (tree / "data" / "costs").mkdir()
    costs = "profile,chapter,cpu_seconds\nembedded,beta,1800.0\nembedded,alpha,6.0\n"
    (tree / "data" / "costs" / "chapters.csv").write_text(costs)
    lines = run("--list")[1].splitlines()
    minutes = dict(zip(("alpha", "beta"), (line.split()[:2] for line in lines[1::2])))
    assert minutes == {"alpha": ["1.5", "min"], "beta": ["30", "min"]}


def test_changed_results_rerun_what_comes_after_all(tree, run):
    edit(tree / "lib" / "rooms" / "arithmetic.py", "value * factor", "value * factor + 1")
    found = states(run()[1])
    assert [found[name][0] for name in ("alpha", "beta", "summary")] == ["ran", "fresh", "ran"]
    assert ",15.84442185152" in (tree / "results/embedded/summary--seed=0.csv").read_text()


def test_a_grid_keeps_its_results_apart(tree, run):
    listed = run("--list", "--chapter", "alpha", "--grid", "factor=2,5", "--grid", "seed=0,1")[1]
    shown = [line.split() for line in listed.splitlines() if " min " in line]
    assert {(words[3], words[5]) for words in shown} == {
        (seed, factor) for seed in ("seed=0", "seed=1") for factor in ("factor=2.0", "factor=5.0")
    }
    code, output = run("--chapter", "alpha", "--grid", "factor=2,5")
    assert code == 0, output
    values = {
        path.name: path.read_text().splitlines()[1].split(",")[4]
        for path in (tree / "results" / "embedded").glob("alpha--*.csv")
    }
    assert values == {"alpha--factor=2.0,seed=0.csv": "2.0", "alpha--factor=5.0,seed=0.csv": "5.0"}


def test_a_book_of_one_s_own_brings_its_own_measure(tmp_path, monkeypatch, capsys):
    book = shutil.copytree(MINIATURE, tmp_path / "own")
    (book / "_toc.yml").write_text("{root: intro, chapters: [{file: chapters/beta}]}")
    (book / "data/profiles/embedded.yml").write_text("chapters: {}")
    (book / "measure.py").write_text("def measure():\n    return 7\n")
    source = """
from measure import measure
from lib.ledger import Ledger

ledger = Ledger("beta", profile, {"seed": seed, "device": device})
ledger.record("mine", measure())
"""
    set_source(book, "beta", "run", source)
    assert main(["--book", str(book), "--workers", "1"]) == 0, capsys.readouterr().out
    assert "mine" in (book / "results/embedded/beta--seed=0.csv").read_text()
    edit(book / "measure.py", "7", "8")
    capsys.readouterr()
    assert main(["--book", str(book), "--dry-run"]) == 0
    assert states(capsys.readouterr().out)["beta"] == ("stale", "measure.py changed")


def test_a_failing_chapter_is_reported_and_the_others_finish(tree, run):
    set_source(tree, "beta", "run", "# draw\n1 / 0")
    set_source(tree, "alpha", "run", 'ledger.record("other", 1)')
    code, output = run()
    found = states(output)
    assert code == 1
    assert [found[name][0] for name in ("alpha", "beta", "summary")] == ["ran", "failed", "skipped"]
    assert "waits for beta" in found["summary"][1]
    assert "code cell 2 (id run): # draw" in output
    assert "ZeroDivisionError: division by zero" in output
    failed = tree / ".cache/runs/embedded/beta--seed=0/failed.ipynb"
    assert str(failed.relative_to(tree)) in output
    assert "ZeroDivisionError" in failed.read_text() and str(tree) not in failed.read_text()


def test_an_interrupt_ends_the_kernels_and_leaves_nothing_behind(tree, run, scratch, monkeypatch):
    """The interrupt comes when alpha is done, while beta works or is about to."""
    set_source(tree, "alpha", "run", 'ledger.record("other", 1)')
    set_source(tree, "beta", "run", "import time\ntime.sleep(600)")
    archive = Archive(Book.open(tree), "embedded")

    def say(line):
        if line.split()[:2] == ["alpha", "ran"]:
            raise KeyboardInterrupt

    runs = archive.book.runs("embedded", ["alpha", "beta"])
    with pytest.raises(KeyboardInterrupt):
        running.Runner(archive, runs, say, workers=2).run()
    assert archive.why_stale(runs[0], {}) is None
    assert list(Path(scratch).iterdir()) == []
    assert [one for one in processes_in(tree) if "ipykernel_launcher" in one.cmdline()] == []


def test_a_kernel_that_crashes_is_told_by_its_cell(tree, run):
    set_source(
        tree, "beta", "run", "# falls over\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"
    )
    code, output = run("--chapter", "beta")
    assert code == 1 and states(output)["beta"][0] == "failed"
    assert "code cell 2 (id run): # falls over" in output and "the kernel died" in output


def test_results_under_a_foreign_name_are_refused(tree, beta):
    archive, run = beta
    foreign = Outcome(run.name, results={"alpha--default.csv": b""})
    refusal = archive.refusal(run, foreign, {}, remote=False)
    assert "expected results in beta--seed=0.csv; got alpha--default.csv" in refusal.message


def test_executed_copies_hold_no_trace_of_when_and_where_they_ran():
    tree, _ = undisturbed()
    for name, data in contents(tree).items():
        text = data.decode()
        for trace in (
            str(tree),
            "/tmp/",
            "papermill",
            "iopub",
            "runner.watch",
            "duration",
            "start_time",
        ):
            assert trace not in text, f"{trace!r} in {name}"
    executed = read_notebook(
        (tree / ".cache/runs/embedded/alpha--factor=2.0,seed=0/executed.ipynb").read_bytes()
    )
    counts = [cell.execution_count for cell in executed.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_the_run_record_tells_how_the_result_was_made():
    record = json.loads(
        (undisturbed()[0] / "results/embedded/alpha--factor=2.0,seed=0.run.json").read_text()
    )
    assert record["parameters"] == {
        "profile": "embedded",
        "seed": 0,
        "device": "auto",
        "factor": 2.0,
    }
    assert record["cpu_seconds"] > 0 and record["seconds"] > 0
    assert 20 < record["peak_megabytes"] < 2000
    assert record["device"] == "auto" and record["packages"]["numpy"] and len(record["lib"]) == 64


def test_recording_copies_the_results_of_the_chapters_asked_for_and_adds_their_origin(tree, run):
    recorded = tree / "data" / "results" / "embedded"
    recorded.mkdir(parents=True)
    for old in ("alpha--factor=9.0,seed=0.csv", "beta--seed=9.csv"):
        (recorded / old).write_text("an older default")
    assert run("--record", "--chapter", "alpha")[0] == 0
    alpha = {"alpha--factor=2.0,seed=0.csv", "alpha--factor=2.0,seed=0.run.json"}
    assert {path.name for path in recorded.iterdir()} == {*alpha, "beta--seed=9.csv"}
    assert run("--record")[0] == 0
    found = {path.name: path.read_bytes() for path in (tree / "results" / "embedded").glob("*.csv")}
    kept = {path.name: path.read_bytes() for path in recorded.glob("*.csv")}
    assert len(found) == 3 and kept == {
        name: data for name, data in found.items() if not name.startswith("summary--")
    }
    record = json.loads((recorded / "alpha--factor=2.0,seed=0.run.json").read_text())
    assert list(record["data"]) == ["data/numbers.csv"] and "commit" in record


def test_a_run_whose_pages_would_show_warnings_is_not_recorded(tree, run):
    set_source(tree, "beta", "save", "import warnings; warnings.warn('padded'); ledger.save();")
    status, said = run("--record")
    assert status == 1 and re.search(r"beta  cell \d+ wrote to stderr: .* padded", said)
    assert not (tree / "data" / "results" / "embedded").exists()


def test_due_is_what_is_not_as_recorded_and_one_more_in_turn(tree, run):
    def due():
        lines = run("--due", "--dry-run")[1].splitlines()
        return dict(line.split("  ", 1) for line in lines[: len(lines) // 2])

    assert due() == {"alpha": "never recorded", "beta": "never recorded"}
    run("--record")
    assert list(due().values()) == ["its turn"]
    edit(tree / "data" / "numbers.csv", "1", "7")  # read by alpha alone
    assert due() == {"alpha": "data/numbers.csv changed", "beta": "its turn"}
    set_source(tree, "beta", "run", "1 + 1")
    assert due() == {"alpha": "data/numbers.csv changed", "beta": "a code cell changed"}


def test_what_can_change_no_number_makes_no_recorded_chapter_due(tree, run):
    run("--record")
    edit(tree / "lib/rooms/arithmetic.py", "return", "# so it is\n    return ")
    edit(tree / "lib/rooms/__init__.py", "package", "Package")  # of its docstring
    edit(tree / "data/profiles/embedded.yml", "chapters:", "# what is asked of others\nchapters:")
    set_source(tree, "beta", "save", "ledger.save();  # and that is all")
    reasons = run("--due", "--dry-run")[1].splitlines()
    assert [line.split("  ", 1)[1] for line in reasons[: len(reasons) // 2]] == ["its turn"]
    found = states(run("--dry-run")[1])
    assert [found[name][0] for name in ("alpha", "beta")] == ["stale"] * 2, "pages are made again"


def test_code_that_draws_makes_a_page_stale_and_no_number_due(tree, run):
    assert run()[0] == 0
    drawing = tree / "lib" / "plots" / "style.py"
    depfile = tree / ".cache/runs/embedded/alpha--factor=2.0,seed=0/depfile.json"
    record = json.loads(depfile.read_text())
    record["modules"]["lib.plots.style"] = module_hashes()["lib.plots.style"]
    depfile.write_text(json.dumps(record))
    archive = Archive(Book.open(tree), "embedded")
    (alpha,) = archive.book.runs("embedded", ["alpha"])
    archive.record([alpha])
    drawing.write_text("INK = 'black'")
    archive = Archive(Book.open(tree), "embedded")
    assert archive.why_unrecorded(alpha) is None
    assert archive.why_stale(alpha, {}) == "lib.plots.style changed"


def test_a_module_edited_during_a_run_is_not_vouched_for(tree, run):
    assert run()[0] == 0
    archive = Archive(Book.open(tree), "embedded")
    edit(tree / "lib" / "rooms" / "arithmetic.py", "value * factor", "value + factor")
    (alpha,) = archive.book.runs("embedded", ["alpha"])
    archive.record([alpha])
    due = Archive(Book.open(tree), "embedded").why_unrecorded(alpha)
    assert due == "its code changed while the chapter ran"


def test_a_record_of_an_older_form_is_due(tree, run):
    run("--record")
    path = tree / "data/results/embedded/alpha--factor=2.0,seed=0.run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": RECORD_FORMAT - 1}))
    archive = Archive(Book.open(tree), "embedded")
    (alpha,) = archive.book.runs("embedded", ["alpha"])
    assert archive.why_unrecorded(alpha) == "the record says less than is recorded now"


def test_lists_come_from_the_profile_and_from_the_command_line(tree, run):
    source = 'profile = "embedded"\nseed = 0\nothers = ["gap"]\ndevice = "auto"'
    set_source(tree, "beta", "parameters", source)
    profile = "chapters: {beta: {parameters: {others: [film, news]}}}"
    (tree / "data/profiles/sample.yml").write_text(profile)
    for asked, expected in (
        ([], ['others=["gap"]']),
        (["--profile", "sample"], ['others=["film", "news"]']),
        (["-p", "others=gap,news"], ['others=["gap", "news"]']),
        (["--grid", "others=[gap,news],[film]"], ['others=["gap", "news"]', 'others=["film"]']),
    ):
        code, output = run("--list", "--chapter", "beta", *asked)
        assert code == 0, output
        lists = [line[line.index("others=") :] for line in output.splitlines() if " min " in line]
        assert [each.partition("]")[0] + "]" for each in lists] == expected


def test_a_full_disk_ends_a_run_with_one_line_and_the_next_runs_what_changed_alone(
    tree, run, monkeypatch
):
    before = contents(tree)
    edit(tree / "lib" / "rooms" / "arithmetic.py", "return", "return  ")
    (tree / "results/embedded/alpha--factor=2.0,seed=0.csv").unlink()

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        code, output = run()
    last = output.splitlines()[-1]
    assert code == 1 and last.startswith(
        f"the disk is full: {tree}/results/embedded/alpha--factor=2.0,seed=0.csv needs "
    )
    assert "Traceback" not in output
    assert [name for name in listing(tree) if ".part" in name] == []
    code, output = run()
    found = states(output)
    assert code == 0, output
    assert [found[name][0] for name in ("alpha", "beta", "summary")] == ["ran", "fresh", "fresh"]
    assert "MB" in found["alpha"][1] and " s " in found["alpha"][1]
    assert contents(tree) == before


def test_data_fetches_each_key_of_the_profile_once_and_goes_on_where_one_cannot_be_had(
    tree, run, monkeypatch
):
    profile = tree / "data" / "profiles" / "embedded.yml"
    profile.write_text("chapters: {alpha: {data: [one, two]}, beta: {data: [two]}}")
    asked = []

    def fetched(key):
        asked.append(key)
        if key == "one":
            raise FetchError("'one' is not at hand")
        return profile

    monkeypatch.setattr("lib.sources.fetch", fetched)
    code, output = run("--data")
    assert (code, asked) == (1, ["one", "two"])
    assert "one  failed: 'one' is not at hand" in output
    assert f"two  {profile.stat().st_size} bytes" in output


def test_data_fetches_the_models_of_a_profile_too(tree, run, monkeypatch, tmp_path):
    (tree / "data" / "profiles" / "embedded.yml").write_text(
        "chapters: {alpha: {data: ['hub:bert-base-cased']}}"
    )
    (tmp_path / "model.safetensors").touch()
    asked = []
    monkeypatch.setattr(
        "lib.sources.hub.hub_folder", lambda *model: asked.append(model) or tmp_path
    )
    code, output = run("--data")
    assert (code, asked) == (
        0,
        [("google-bert/bert-base-cased", "cd5ef92a9fb2f889e972770a36d4ed042daf221e")],
    )
    assert "hub:bert-base-cased  fetching" in output


def test_two_runners_do_not_work_on_one_book(tree, run):
    with running.alone(tree):
        code, output = run()
    assert code == 2 and "another run is at work" in output


BAD_COMMANDS = {
    "profile": (
        ["--profile", "embeded"],
        ["'embeded'", "embedded, sample", "Did you mean 'embedded'"],
    ),
    "chapter": (["--chapter", "alpha", "gamma"], ["'gamma'", "alpha, beta, summary"]),
    "parameter of another chapter": (
        ["--chapter", "beta", "-p", "factor=2"],
        ["parameter of beta", "'factor'", "seed"],
    ),
    "value of another type": (
        ["-p", "factor=two"],
        ["factor", "type float", "default 2.0", "'two'"],
    ),
    "profile as a parameter": (["-p", "profile=sample"], ["--profile"]),
    "no equals sign": (["-p", "factor"], ["name=value", "'factor'"]),
    "twice the same": (["-p", "seed=1", "--grid", "seed=2,3"], ["seed", "more than once"]),
    "a book that is none": (["--book", "/nowhere"], ["/nowhere", "_toc.yml", "--book"]),
    "building a grid": (["--grid", "seed=1,2", "--build"], ["--build", "leave out --grid"]),
    "recording other parameters": (["--record", "-p", "seed=1"], ["--record", "leave out -p"]),
}


@pytest.mark.parametrize("case", BAD_COMMANDS)
def test_a_bad_command_names_what_would_be_legal_and_changes_nothing(case, tree, run):
    before = listing(tree)
    arguments, fragments = BAD_COMMANDS[case]
    code, output = run(*arguments)
    assert code == 2
    for fragment in fragments:
        assert fragment in output
    assert listing(tree) == before


BAD_BOOKS = {
    "profile names an unknown chapter": (
        "data/profiles/embedded.yml",
        "chapters: {gamma: {}}",
        ["'gamma'", "alpha"],
    ),
    "profile gives a value of another type": (
        "data/profiles/embedded.yml",
        "chapters: {beta: {parameters: {seed: one}}}",
        ["seed", "type int", "'one'"],
    ),
    "profile has an unknown entry": (
        "data/profiles/embedded.yml",
        "chapters: {beta: {gpu: 1}}",
        ["beta", "resources"],
    ),
    "contents name a missing page": (
        "_toc.yml",
        "{root: intro, chapters: [{file: gamma}]}",
        ["'gamma'", "gamma.ipynb"],
    ),
}


@pytest.mark.parametrize("case", BAD_BOOKS)
def test_a_bad_book_is_told_by_file_and_entry(case, tree, run):
    name, text, fragments = BAD_BOOKS[case]
    (tree / name).write_text(text)
    before = listing(tree)
    code, output = run()
    assert code == 2
    for fragment in fragments:
        assert fragment in output
    assert listing(tree) == before


@pytest.fixture
def beta(tree, run):
    """The archive of the book in which everything has run, and the run of beta."""
    book = Book.open(tree)
    return Archive(book, "embedded"), next(
        one for one in book.runs("embedded") if one.chapter.name == "beta"
    )


def test_a_write_cut_off_anywhere_is_never_taken_for_a_result(beta, monkeypatch):
    """Stop `Archive.keep` before each of its renames in turn, while it replaces results that are there."""
    archive, run = beta
    record = json.loads((archive.folder(run) / "depfile.json").read_text())
    rename, left = Path.replace, 0

    def failing(path, target):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    reasons = []
    for allowed in range(5):
        outcome = Outcome(
            run.name,
            f"notebook {allowed}".encode(),
            {f"{run.name}.csv": f"results {allowed}".encode()},
            record,
            seconds=allowed + 1.0,
        )
        left = allowed
        with contextlib.suppress(KeyboardInterrupt):
            archive.keep(run, outcome)
        reasons.append(archive.why_stale(run, {}))
        left = 99
        archive.keep(run, outcome)
        assert archive.why_stale(run, {}) is None
    assert (reasons[0], reasons[4]) == (None, None), (
        "nothing written: the old run stands; all written: the new one does"
    )
    assert all("was lost or changed" in reason for reason in reasons[1:4])


@pytest.mark.slow
def test_killed_at_any_moment_the_next_run_goes_on_and_ends_with_the_same_bytes(tmp_path, scratch):
    whole, seconds = undisturbed()
    expected, tree, seconds = contents(whole), plant(tmp_path / "book"), min(seconds, 10)
    for tenth in (1, 3, 5, 7, 9):
        process = start(tree)
        time.sleep(seconds * tenth / 10)
        process.kill()
        process.communicate(timeout=30)
        for name, data in contents(tree).items():
            assert data == expected[name], (
                f"{name} was half written by the run killed at {tenth}/10"
            )
    last = start(tree)
    output, _ = last.communicate(timeout=120)
    assert last.returncode == 0, output
    assert contents(tree) == expected
    deadline = time.monotonic() + 15
    while processes_in(tree) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not processes_in(tree), "kernels or workers outlived the runner"
