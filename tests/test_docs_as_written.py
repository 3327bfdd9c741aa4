"""The code blocks of README, FAQ and CONTRIBUTING do what they say, with small files where they say path/to/…

Each line of a block is of one kind of `KINDS`, and a line of none fails. Python, and commands that take seconds, are run;
commands that take minutes or a network are read as their own program reads them, with their parameters checked.
"""

import ast
import contextlib
import importlib.util
import re
import shlex

import numpy as np
import pytest

from lib.lexicons import base_pairs, word_list
from lib.paths import ROOT
from lib.profiles import chapter_of
from runner.book import Book
from tests.support.tiny_gguf import write_gguf

DOCUMENTS = ("README.md", "pages/measure_your_own.md", "pages/faq.md", "CONTRIBUTING.md")
BLOCK = re.compile(
    r"^```(\{?\w*)[^\n]*\n(.*?)^```$", re.M | re.S
)  # { opens a directive of the page
PYTHON = ".venv/bin/python"
BLOCKS = [
    (name, place, kind, code)
    for name in DOCUMENTS
    for place, (kind, code) in enumerate(BLOCK.findall((ROOT / name).read_text(encoding="utf-8")))
    if not kind.startswith("{")
]
COMMANDS = [
    pytest.param(line, id=f"{name}: {line[:60]}")
    for name, _, kind, code in BLOCKS
    if kind == "bash"
    for line in code.splitlines()
]
# Commands in the text; a word in capitals stands for one of the reader's.
COMMANDS += [
    pytest.param(
        re.sub(r"(?<![A-Z])NAME", "stereotypes", line), id=f"{name}, in the text: {line[:60]}"
    )
    for name in DOCUMENTS
    for line in dict.fromkeys(
        re.findall(
            r"`((?:\.venv/bin/|bias-measured (?:run|embeddings) |make (?!`))[^`]+)`",
            BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8")),
        )
    )
]


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A folder with small files at the paths that the documents name."""
    monkeypatch.chdir(tmp_path)
    to = tmp_path / "path" / "to"
    (to / "opus").mkdir(parents=True)
    (to / "model").mkdir()
    words = [*word_list("occupations/occupations")[:40], "nurse", "engineer"]
    vocabulary = dict.fromkeys([*words, *(w for pair in base_pairs() for w in pair)])
    rng = np.random.default_rng(0)
    rows = [f"{w} {' '.join(f'{x:.3f}' for x in rng.normal(size=20))}" for w in vocabulary]
    (to / "vectors.txt").write_text("\n".join(rows) + "\n")
    (to / "occupations.txt").write_text("nurse\nengineer\n")
    (to / "pairs.csv").write_text("she,he\nwoman,man\n")
    (to / "nouns.csv").write_text("aunt,uncle\nmother,father\n")
    (to / "sentences.txt").write_text("{target} es {attribute}.\n")
    (to / "occupations.json").write_text('["nurse", "engineer"]')
    (to / "outputs.csv").write_text("id,output\nown:1,La enfermera perdió las llaves.\n")
    write_gguf(to / "model.gguf", "llama", "Q8_0")
    (to / "messages.csv").write_text("body,where\nshe and he are here,Ohio\n")
    (to / "answers.csv").write_text("pair,gender,score\n1,F,0.4\n1,M,0.3\n")
    (to / "systems.csv").write_text("name,WEAT,gap\nA,0.4,1\nB,0.3,2\n")
    for name in ("predictions", "neither", "biographies", "said"):
        (to / f"{name}.csv").write_text("ID\n")
    return tmp_path


def test_every_block_is_python_or_commands():
    assert {kind for _, _, kind, _ in BLOCKS} == {"python", "bash"}
    assert {name for name, *_ in BLOCKS} >= {"README.md", "pages/faq.md"}


@pytest.mark.parametrize(
    ("name", "place", "code"),
    [(name, place, code) for name, place, kind, code in BLOCKS if kind == "python"],
)
def test_python_runs_as_written(name, place, code, reader, capsys, figures_are_closed):
    exec(compile(code, f"{name}, block {place}", "exec"), {})
    said = capsys.readouterr().out
    assert said.strip()
    if "to_latex" in code:
        assert r"\begin{tabular}" in said and "nurse" in said
        assert (reader / "scores.pdf").read_bytes().startswith(b"%PDF")


def make(words):
    """A target of the Makefile."""
    assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M), words


def runner(words):
    """A command of the runner: its options, its chapters, and the rules for their parameters."""
    from runner.command import parser

    options = vars(parser().parse_args(words[3:]))
    chapters, given = options["chapter"], options["parameter"]
    if not options["new"] and options["book"] == ROOT:
        assert Book.open(ROOT).runs(options["profile"], chapters, given, options["grid"])


def papermill(words):
    """A chapter run by papermill: a notebook that is there, and the rules for its parameters."""
    from papermill.cli import _resolve_type

    rest = words[3:]
    if words[1].startswith("audit/"):
        given = zip(rest[1::3], rest[2::3])
        return audit(
            [
                *words[:3],
                words[1][6:-6],
                *(part for name, value in given for part in ("-p", f"{name}={value}")),
            ]
        )
    chapter = Book.open(ROOT).chapters[chapter_of(words[1])]
    names, values = rest[1::3], map(_resolve_type, rest[2::3])
    assert set(rest[::3]) == {"-p"} and {*names} <= chapter.parameters.keys()
    chapter.check(chapter.parameters | dict(zip(names, values)))


def one_liner(words):
    """Python on the command line: it compiles, and what it imports is there."""
    tree = ast.parse(words[2])
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert imports
    exec(compile(ast.Module(imports, []), words[2], "exec"), {})


def audit(words):
    """An audit: a kind that there is, and the rules for its parameters; or two reports to compare."""
    from audit.__main__ import main

    if words[3] == "compare":
        assert main([*words[3:], "--out", "path/to/none.csv"]) == 2, "the two reports are not there"
        return
    from audit.__main__ import checked

    if words[3] == "sentences":
        return
    with pytest.raises(SystemExit) if "--help" in words else contextlib.nullcontext():
        checked(words[3:])


def cultures(words):
    """A command on messages, which trains for minutes: its options."""
    from lib.cultures.__main__ import _parser

    _parser().parse_args(["all", *words[3:]])  # as `main` has it where no step is named


def register(words):
    """What registers a remote file: its options."""
    from scripts.tools.register import parser

    parser().parse_args(words[3:])


def other_module(words):
    """A module that is there."""
    assert importlib.util.find_spec(words[2])


def paths(words):
    """Tests, or modules with examples, that are there."""
    assert all((ROOT / path).exists() for path in words[3:])


def hooks(words):
    """What `make check` installs, and says so."""
    assert "pre-commit" in (ROOT / "requirements-dev.txt").read_text()
    assert "installs `pre-commit`" in _text("CONTRIBUTING.md")


def installed(words):
    """The files and folders that a program is given."""
    assert all(
        (ROOT / word).exists() for word in words[2:] if re.match(r"[a-z].*\.txt$|[.a-z]+$", word)
    )


# What a command starts with -> how it is tried.
KINDS = {
    ("make",): make,
    (PYTHON, "-m", "lib.run"): runner,
    (PYTHON, "-m", "lib.audit"): audit,
    (PYTHON, "-m", "lib.cultures"): cultures,
    (PYTHON, "-m", "lib.embeddings"): other_module,  # run below
    (PYTHON, "-m", "scripts.tools.freeze_version"): other_module,
    (PYTHON, "-m", "scripts.tools.register"): register,
    (PYTHON, "-m", "scripts.tools.examples"): other_module,
    (PYTHON, "-m", "scripts.tables.person_readers"): other_module,
    (PYTHON, "-m", "scripts.sweeps.own_audits"): other_module,
    (".venv/bin/pip", "install"): installed,
    (".venv/bin/jupyter-book", "build"): installed,
    (".venv/bin/jupyter", "lab"): installed,
    (PYTHON, "-m", "pytest"): paths,
    (".venv/bin/pre-commit",): hooks,
    (PYTHON, "-c"): one_liner,
    (".venv/bin/papermill",): papermill,
}


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_one_that_its_program_takes(line, reader):
    line = re.sub(r"\s+# .*$", "", line)
    line = re.sub(r"^bias-measured (\w+)", rf"{PYTHON} -m lib.\1", line)
    line = re.sub(r"^(?=(?:python|papermill|pip|jupyter|jupyter-book) )", ".venv/bin/", line)
    words = shlex.split(line)
    kinds = [tried for start, tried in KINDS.items() if tuple(words[: len(start)]) == start]
    assert len(kinds) == 1, f"no kind, or more than one, for {line}"
    kinds[0](words)


def test_a_store_is_made_as_written(reader, capsys):
    from lib.embeddings.__main__ import main

    line = re.search(
        r"`bias-measured embeddings (convert .*?)`", _text("pages/measure_your_own.md")
    )
    assert main(shlex.split(line[1])) == 0
    assert main(["info", "stores/mine"]) == 0 and "dimensions  20" in capsys.readouterr().out


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_name_the_environment_that_make_sets_up(name):
    assert re.findall(r"(?<![\w/.])python -m .*", _text(name)) == []


def _text(name):
    return (ROOT / name).read_text(encoding="utf-8")
