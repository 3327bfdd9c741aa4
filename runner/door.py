"""The command that an installation has: bias-measured audit …, bias-measured run …

Each word is a command that `python -m` knows, too: `bias-measured audit` is `python -m lib.audit`.
"""

import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "audit": ("audit.__main__", "measure vectors, a model, a translator, predictions or messages"),
    "run": ("runner.command", "run chapters of the book, and build its site"),
    "embeddings": ("lib.embeddings.__main__", "convert vectors to a store that opens at once"),
    "cultures": ("lib.cultures.__main__", "messages with a place: split, train, compare"),
    "taxonomy": ("lib.taxonomy.__main__", "sentences with a generic he: filter and table"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Hand the rest of the command line to the command that its first word names. Returns the exit code."""
    try:
        from lib import __version__
        from lib.checks import did_you_mean
        from lib.command import DOOR
    except ImportError as error:  # no checkout
        print(error, file=sys.stderr)
        return 1
    word, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if word in COMMANDS:
        status = importlib.import_module(COMMANDS[word][0]).main(rest)
        return int(status or 0)
    if word == "--version":
        print(f"{DOOR} {__version__}")
        return 0
    lines = [f"  {DOOR} {name:12}{about}" for name, (_, about) in COMMANDS.items()]
    usage = "\n".join([f"usage: {DOOR} COMMAND …", "", *lines, "", "COMMAND --help says more."])
    if word in ("-h", "--help"):
        print(usage)
        return 0
    print(f"no command {word!r}. {did_you_mean(word, COMMANDS)}".rstrip(), file=sys.stderr)
    print(usage, file=sys.stderr)
    return 2
