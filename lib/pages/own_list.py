"""What a page says of a list of the reader's own: which words are not measured, and what was read otherwise than it stands in the file."""

from __future__ import annotations

from collections.abc import Container, Sequence

from lib.embeddings.vocabulary import variants
from lib.markdown import Markdown, verbatim
from lib.own_lists import OwnWords
from lib.pages.sentences import display
from lib.plots import not_measured

NAMED = 200  # missing words that are named


def own_list(own: OwnWords, held: Container[str], where: str) -> None:
    """Display a box with the words of a list that are not measured, and the notes of its file; nothing where there is nothing to say.

    Parameters
    ----------
    own : OwnWords
        As `lib.own_lists.read_own_list` read it.
    held : container of str
        What is measured: an embedding, or words. Another spelling that is there is named beside a word that is not.
    where : str
        What the others are missing in, such as the name of the vectors.
    """
    missing = [word for word in own.words if word not in held]
    if missing:
        named = [repr(word) + _but(word, held) for word in missing[:NAMED]]
        more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
        what = f"{len(missing):,} of {len(own.words):,} words of your own"
        not_measured(what, f"not in {where}: {', '.join(named)}{more}")
    if own.notes:
        display(Markdown(f"Of your file: {verbatim(' '.join(own.notes))}"))


def own_pairs(
    missing: Sequence[tuple[str, str]], asked: Sequence[tuple[str, str]], where: str
) -> None:
    """Display a box with the pairs of a reader's file that are not used; nothing where all are.

    Parameters
    ----------
    missing : sequence of (str, str)
        Pairs of which a word is not there.
    asked : sequence of (str, str)
        All pairs of the file.
    where : str
        What lacks a word of them, such as the name of the vectors.
    """
    if missing:
        gone = ", ".join("–".join(pair) for pair in missing)
        what = f"{len(missing)} of {len(asked)} pairs of your own"
        not_measured(what, f"{where} lacks a word of {gone}")


def _but(word: str, held: Container[str]) -> str:
    """Other spellings that are there, in brackets."""
    there = [repr(form) for form in variants(word) if form in held]
    return f" (but {', '.join(there)})" if there else ""
