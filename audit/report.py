"""What an audit found, as its notebook shows it and as files that a reader keeps."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from lib import plots
from lib.files import file_hash, spreadsheet_csv, write_together
from lib.markdown import harmless
from lib.paths import ROOT
from lib.plots.display import render
from lib.plots.layout import data_of

COLUMNS = (
    *("item", "measure", "value", "low", "high", "null_low", "null_high"),
    *("p", "adjusted_p", "n", "smallest_p"),
)
PART = "audit"  # of an output's metadata: title, answer, may or picture, which stand first in report.html
_PACKAGES = ("numpy", "scipy", "pandas", "torch", "transformers", "papermill")
_DPI = 300  # of a PNG for print


class Sentences(NamedTuple):
    """What a report says.

    Attributes
    ----------
    answers, may, may_not : tuple of str
        What came out; what these numbers support; what they do not.
    """

    answers: tuple[str, ...]
    may: tuple[str, ...]
    may_not: tuple[str, ...]


class Report:
    """The findings of one audit.

    Parameters
    ----------
    kind : str
        Of thing that is measured, such as "vectors".
    parameters : mapping
        Of the notebook, as they are used.
    out : str or Path
        The folder that `save` writes to; "" to show everything and keep nothing.
    read : mapping of str to str, optional
        What was measured, by name: where its bytes come from.
    """

    def __init__(
        self,
        kind: str,
        *,
        parameters: Mapping[str, Any],
        out: str | Path = "",
        read: Mapping[str, str] | None = None,
    ):
        self.kind = kind
        self.parameters = dict(parameters)
        self.read = dict(read or {})
        self._folder = Path(out).expanduser() if out else None
        self._files: dict[str, bytes] = {}
        self._scores: list[pd.DataFrame] = []
        self._questions: list[pd.DataFrame] = []
        self._methods: list[str] = []
        self._cited: dict[str, None] = {}
        self._started = time.monotonic()

    def title(self, text: str) -> None:
        """Display what was measured on what, the first line of the report; words from outside `verbatim`."""
        self._show("title", f"# {text}")

    def answer(self, *sentences: str) -> None:
        """Display what came out, a number in each sentence."""
        self._show("answer", "\n".join(f"- {sentence}" for sentence in sentences))

    def may_say(self, *sentences: str, not_: Sequence[str]) -> None:
        """Display what these numbers support, and what they do not."""
        text = "\n\n".join(
            f"**{heading}**\n\n" + "\n".join(f"- {sentence}" for sentence in listed)
            for heading, listed in (("You may say", sentences), ("You may not say", not_))
            if listed
        )
        self._show("may", text)

    def picture(self, name: str, fig: Figure, caption: str, alt: str) -> None:
        """Display the figure that stands on the first screen; else as `figure`."""
        self.figure(name, fig, caption, alt, first=True)

    def figure(
        self, name: str, fig: Figure, caption: str, alt: str, *, first: bool = False
    ) -> None:
        """Display a figure, and keep it as SVG, PDF and PNG with the numbers that it was drawn from.

        Parameters
        ----------
        name : str
            Of its files.
        fig : Figure
        caption, alt : str
            As in `lib.plots.show`.
        first : bool
            Whether it stands on the first screen.
        """
        self._files[f"figures/{name}.svg"] = render(fig)
        self._files[f"figures/{name}.png"] = render(fig, dpi=_DPI)
        self._files[f"figures/{name}.pdf"] = render(fig, kind="pdf")
        data = data_of(fig)
        if data is not None:
            self._files[f"figures/{name}.csv"] = _csv(data.reset_index())
        plots.show(fig, caption, alt, part={PART: "picture"} if first else None)

    def scores(self, table: pd.DataFrame, **same: object) -> None:
        """Keep rows of `scores.csv`.

        Parameters
        ----------
        table : DataFrame
            With the columns `COLUMNS`; others follow behind them.
        **same
            Columns with one value for all these rows, such as the model.

        Raises
        ------
        ValueError
            Where a column is missing.
        """
        missing = [name for name in COLUMNS if name not in table]
        if missing:
            raise ValueError(
                f"scores: expected the columns {', '.join(COLUMNS)}; got none of {missing}"
            )
        self._scores.append(table.assign(**same))

    def questions(self, table: pd.DataFrame, **same: object) -> None:
        """Keep answers to single questions, such as a word's score with one pair, for whoever compares two reports.

        Parameters
        ----------
        table : DataFrame
            With the columns item, measure, question and value; item and measure as in `scores`.
        **same
            As there.
        """
        self._questions.append(table[["item", "measure", "question", "value"]].assign(**same))

    def methods(self, text: str, *cited: str) -> None:
        """Keep a sentence or more for the methods section of a paper, with keys of references.bib that it cites."""
        self._methods.append(" ".join(text.split()))
        self._cited |= dict.fromkeys(cited)

    @property
    def table(self) -> pd.DataFrame:
        """All rows kept so far."""
        if not self._scores:
            return pd.DataFrame(columns=list(COLUMNS))
        rows = pd.concat(self._scores, ignore_index=True)
        others = [name for name in rows if name not in COLUMNS]
        return rows[[*COLUMNS, *others]]

    def save(self) -> str:
        """Write scores.csv, methods.md, run.json and figures, all or none; says where, in a sentence."""
        if self._folder is None:
            return "Nothing is kept: the parameter out names no folder."
        self._folder.mkdir(parents=True, exist_ok=True)
        files = {
            "scores.csv": _csv(self.table),
            "methods.md": _methods_text(self._methods, self._cited).encode(),
            **self._files,
        }
        if self._questions:
            files["questions.csv"] = _csv(pd.concat(self._questions, ignore_index=True))
        written = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        run = {**self._run(), "written": written}
        files["run.json"] = (json.dumps(run, indent=1, ensure_ascii=False) + "\n").encode()
        (self._folder / "figures").mkdir(exist_ok=True)
        write_together({self._folder / name: content for name, content in files.items()})
        rows = len(self.table)
        kept = f"{rows:,} {'row' if rows == 1 else 'rows'} of scores"
        if not self._files:
            return f"{kept} {'is' if rows == 1 else 'are'} kept. No figure was drawn."
        return f"{kept} and {len(self._files)} files of figures are kept."

    def _run(self) -> dict[str, Any]:
        """What was run on what, for whoever wants to run it again."""
        versions = {}
        for name in _PACKAGES:
            try:
                versions[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
        return {
            "kind": self.kind,
            "parameters": self.parameters,
            "read": self.read,
            "files": _hashes(self.parameters),
            "python": platform.python_version(),
            "packages": versions,
            "seconds": round(time.monotonic() - self._started, 1),
            "cpu_seconds": round(time.process_time(), 1),  # of the kernel, with all that it imports
            "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }

    @staticmethod
    def _show(part: str, markdown: str) -> None:
        from IPython.display import display

        text = harmless(markdown)
        display({"text/markdown": text, "text/plain": text}, raw=True, metadata={PART: part})


def _hashes(parameters: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """SHA-256 of each file that a parameter names, so that a list of one's own can be told from another of its name."""
    found: dict[str, str | list[str]] = {}
    for name, value in parameters.items():
        listed = [_hash(one) for one in (value if isinstance(value, list) else [value])]
        if kept := [one for one in listed if one]:
            found[name] = kept if isinstance(value, list) else kept[0]
    return found


def _hash(value: object) -> str:
    """Of the file that a text names, also with a column behind it; "" where there is none."""
    for name in (value, value.rpartition(":")[0]) if isinstance(value, str) else ():
        try:
            if name and Path(name).expanduser().is_file():
                return f"sha256:{file_hash(Path(name).expanduser())}"
        except OSError:  # a text too long for a name
            continue
    return ""


def _csv(table: pd.DataFrame) -> bytes:
    text = table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    return spreadsheet_csv(text).encode()


def _methods_text(sentences: Sequence[str], cited: Mapping[str, None]) -> str:
    """A paragraph to paste, and the entries of what it cites."""
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    entries = []
    for key in cited:
        found = re.search(rf"^@\w+\{{{re.escape(key)},.*?^\}}", bibliography, re.M | re.S)
        if not found:
            raise ValueError(f"methods: expected a key of references.bib, got {key!r}")
        entries.append(found[0])
    listed = "\n\n```bibtex\n" + "\n\n".join(entries) + "\n```\n" if entries else "\n"
    return "# Methods\n\n" + harmless(" ".join(sentences)) + listed
