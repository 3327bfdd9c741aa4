"""The cards of what was trained: card.md beside the weights, every number read from the files there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lib.files import write_whole


def write(folder: Path, *parts: str) -> Path:
    """Write card.md of its parts, those that are empty left out. Its path."""
    return write_whole(folder / "card.md", "\n\n".join(filter(None, parts)) + "\n")


def scores_in(folder: Path) -> dict[str, Any]:
    """What a training wrote into scores.json. Raises FileNotFoundError where none has ended."""
    return json.loads((folder / "scores.json").read_text(encoding="utf-8"))


def write_scores(folder: Path, scores: dict[str, Any]) -> None:
    """Write what `scores_in` reads."""
    write_whole(folder / "scores.json", json.dumps(scores, indent=1) + "\n")


def table(head: Iterable[str], rows: Iterable[Iterable]) -> str:
    """A table in Markdown."""
    lines = [list(map(str, head)), *(list(map(str, row)) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
