"""What the command lines of all scripts have in common."""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

GOES_ON = "what is trained is kept, and the same command goes on from there"


def parser(module: str, about: str, folder: Path | None = None) -> argparse.ArgumentParser:
    """A parser for `python -m scripts.<module>`, described by the first line of its docstring; with a folder, the option
    --folder for what is written."""
    made = argparse.ArgumentParser(
        prog=f"python -m scripts.{module}", description=about.partition("\n")[0]
    )
    if folder:
        made.add_argument("--folder", type=Path, default=folder, help="default: %(default)s")
    return made


def read(made: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line says; from here on the log is on stderr, with the time."""
    options = made.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    return options


def add_card(made: argparse.ArgumentParser) -> None:
    """The option --card."""
    made.add_argument("--card", action="store_true", help="write card.md; train nothing")
