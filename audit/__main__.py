"""`python -m lib.audit KIND …`: run the audit of a kind on files of one's own and write its folder;
`python -m lib.audit compare REPORT REPORT`: which differences between two such folders are beyond noise;
`python -m lib.audit sentences SET`: sentences to translate for an audit of a translator.

report.html    one page: what was measured, what came out, what may be said of it
scores.csv     a row for each item and measure, with intervals, nulls and p
figures/       as SVG, PDF and PNG, with their numbers
methods.md     a paragraph and BibTeX to paste
run.json       parameters, hashes and versions
audit.ipynb    the executed notebook
"""

from __future__ import annotations

import argparse
import ast
import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from lib.checks import as_list, did_you_mean
from lib.command import called, command
from lib.files import new_folder, scratch_folder, spreadsheet_csv, write_whole
from lib.paths import ROOT

NOTEBOOKS = ROOT / "audit"


@command("nothing half-written is left")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code: 2 for what cannot be read or measured."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    kinds = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    if given[:1] == ["compare"]:
        return _compare(given[1:])
    if given[:1] == ["sentences"]:
        from audit.sentences import main as sentences

        return sentences(given[1:])
    if given and not given[0].startswith("-") and given[0] not in kinds:
        hint = did_you_mean(given[0], [*kinds, "compare", "sentences"])
        return _refused(
            f"expected one of {', '.join([*kinds, 'compare'])} or sentences; got {given[0]!r}. {hint}".rstrip()
        )
    try:
        kind, chosen, out = checked(given)
        run_audit(kind, chosen, out)
        sys.stdout.write(f"{out / 'report.html'}\n")
        return 0
    except (ValueError, FileExistsError) as error:
        return _refused(str(error))
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        named = os.fsdecode(error.filename)
        return _refused(
            f"expected a name or the path of a file or folder; got one of {len(named):,} characters, which is too long: {named[:60]!r} …"
        )


def checked(arguments: Sequence[str]) -> tuple[str, dict[str, Any], Path]:
    """What a command line asks for: the kind, the parameters given, checked, and the folder.

    Raises ValueError for what a rule of the notebook refuses; argparse ends the program for other options.
    """
    kinds = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
    kind = arguments[0] if arguments and arguments[0] in kinds else ""
    options = _parser(kind, kinds).parse_args(arguments)
    parameters, things = _defaults(kind)
    chosen: dict[str, Any] = {things: options.things} if options.things else {}
    given = {name: getattr(options, f"set_{name}", None) for name in parameters}
    given = {name: value for name, value in given.items() if value is not None}
    for text in options.parameter:
        name, equals, value = text.partition("=")
        if not equals or name not in {*parameters, "out"}:
            hint = did_you_mean(name, parameters)
            raise ValueError(
                f"-p {text}: expected name=value, of {', '.join(parameters)}. {hint}".rstrip()
            )
        given[name] = value
    out = given.pop("out", options.out)
    chosen |= {name: _typed(value, parameters[name][0]) for name, value in given.items()}
    _check(kind, chosen)
    return kind, chosen, Path(out).expanduser()


def run_audit(kind: str, chosen: dict[str, Any], out: Path) -> None:
    """Run the notebook of a kind with checked parameters, and write its folder.

    Raises
    ------
    ValueError
        For what the notebook refuses; nothing is written then.
    FileExistsError
        Where the folder is there already.
    """
    import papermill
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    from audit.page import report_page

    # sockets are files in a folder of this user's alone: a port would let others on this machine listen
    with (
        _without_new_parents(out),
        new_folder(out) as part,
        scratch_folder("biasbook-audit") as sockets,
    ):
        private = {"transport": "ipc", "connection_file": str(sockets / "kernel.json")}
        done = part / "audit.ipynb"
        try:
            notebook = papermill.execute_notebook(
                str(NOTEBOOKS / f"{kind}.ipynb"),
                str(done),
                {**chosen, "out": str(part)},
                kernel_name="python3",
                cwd=str(Path.cwd()),
                progress_bar=sys.stderr.isatty(),
                config=Config({"KernelManager": private}),
            )
        except PapermillExecutionError as error:
            where = "" if error.ename == "ValueError" else f"{error.ename}: "
            raise ValueError(f"{where}{' '.join(str(error.evalue).split())}") from None
        write_whole(part / "report.html", report_page(notebook))


@contextmanager
def _without_new_parents(out: Path) -> Iterator[None]:
    """Where something goes wrong, the folders above that were made for it go away, too."""
    new = [folder for folder in out.absolute().parents if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in new:
            with suppress(OSError):  # somebody else has put something there
                folder.rmdir()
        raise


def _compare(arguments: Sequence[str]) -> int:
    from audit.compare import compare, in_words

    parser = argparse.ArgumentParser(prog=called("audit compare"))
    parser.add_argument("first", help="a folder that an audit wrote")
    parser.add_argument(
        "second", help="another of the same kind; differences are this one less the first"
    )
    parser.add_argument("--out", help="a CSV file for the differences, item by item")
    options = parser.parse_args(arguments)
    out = Path(options.out).expanduser() if options.out else None
    if out is not None and out.is_dir():
        return _refused(f"--out: expected a CSV file to write, got the folder {out}")
    try:
        found = compare(options.first, options.second)
    except ValueError as error:
        return _refused(str(error))
    if out is not None:
        text = found.items.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        write_whole(out, spreadsheet_csv(text))
    sys.stdout.write(f"{in_words(found)}\n")
    return 0


def _refused(line: str) -> int:
    sys.stderr.write(f"{line}\n")
    return 2


def _parser(kind: str, kinds: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=called(f"audit {kind}".rstrip()),
        description=None if kind else __doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "kind", choices=kinds, help="what is measured" if not kind else argparse.SUPPRESS
    )
    if not kind:
        return parser
    parameters, things = _defaults(kind)
    parser.add_argument("things", nargs="*", metavar=things, help=parameters[things][1])
    for name, (value, about) in parameters.items():
        if name != things:
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(
                option,
                dest=f"set_{name}",
                metavar="…",
                help=f"{about} (default: {value!r})".replace("%", "%%"),
            )
    parser.add_argument(
        "--out",
        default="report",
        help="the folder to write, which must not exist yet (default: report)",
    )
    parser.add_argument(
        "-p",
        dest="parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any parameter of the notebook",
    )
    return parser


def _check(kind: str, chosen: dict[str, Any]) -> None:
    """Run the rules of a notebook's parameters here, before a kernel is started. Raises ValueError."""
    cells = {cell.id: cell.source for cell in _notebook(kind).cells}
    namespace: dict[str, Any] = {}
    exec(cells["parameters"], namespace)
    namespace |= chosen
    exec(cells["check-parameters"], namespace)


def _notebook(kind: str) -> NotebookNode:
    return nbformat.read(NOTEBOOKS / f"{kind}.ipynb", as_version=4)


def _defaults(kind: str) -> tuple[dict[str, tuple[Any, str]], str]:
    """Parameters of the notebook of a kind with default and comment, but `out`; and the one that takes what is measured, the first."""
    import nbformat

    notebook = nbformat.read(NOTEBOOKS / f"{kind}.ipynb", as_version=4)
    source = next(
        cell.source for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])
    )
    found: dict[str, tuple[Any, str]] = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            name = ast.unparse(statement.targets[0])
            comment = source.splitlines()[(statement.end_lineno or 1) - 1].partition("  # ")[2]
            found[name] = ast.literal_eval(statement.value), comment
    found.pop("out", None)
    return found, next(iter(found))


def _typed(value: str, default: Any) -> Any:
    """Text of the command line as the notebook takes it."""
    if isinstance(default, list):
        return as_list(value)
    if isinstance(default, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


if __name__ == "__main__":
    sys.exit(main())
