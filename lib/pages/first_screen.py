"""The answer of a chapter: computed where its numbers are known, shown at the top of its page."""

from __future__ import annotations

from collections.abc import Sequence

from lib.markdown import harmless

SENTENCES = (2, 4)


def take_away(*sentences: str, finding: str, number: str) -> None:
    """Display what a reader takes away from a chapter; the page shows it below the question.

    The cell that calls it is tagged ``take-away``. It stands where the numbers are known, which is
    near the end of a notebook; the built page shows it on the first screen.

    Parameters
    ----------
    *sentences : str
        Two to four, in Markdown, with the numbers of this run: what comes out here, what comes out
        on the paper's own data, what breaks it, what to do. The last one is the caveat or advice.
    finding : str
        The chapter's finding as a title of at most ten words, without a number that a run may
        change: the heading of its card on the landing page.
    number : str
        One short sentence with the one number of that card.

    Raises
    ------
    ValueError
        For fewer or more sentences, an empty one, or a title of more than ten words.

    Examples
    --------
    >>> take_away("**Often.** 9 of 10.", finding="Ask twice", number="9 of 10.")
    Traceback (most recent call last):
    ...
    ValueError: sentences: expected 2 to 4, got 1: say what a reader who reads nothing else should know
    """
    _checked(sentences, finding, number)
    from IPython.display import display

    lines = "\n".join(f"- {' '.join(sentence.split())}" for sentence in sentences)
    text = harmless(f"**What you will take away**\n\n{lines}")
    display(
        {"text/markdown": text, "text/plain": text},
        raw=True,
        metadata={"finding": {"finding": harmless(finding), "number": harmless(number)}},
    )


def _checked(sentences: Sequence[str], finding: str, number: str) -> None:
    least, most = SENTENCES
    if not least <= len(sentences) <= most:
        raise ValueError(
            f"sentences: expected {least} to {most}, got {len(sentences)}: "
            "say what a reader who reads nothing else should know"
        )
    if not all(text.strip() for text in (*sentences, finding, number)):
        raise ValueError("sentences, finding, number: expected text, got an empty one")
    if len(finding.split()) > 10:
        raise ValueError(
            f"finding: expected a title of at most 10 words, got {len(finding.split())}: {finding!r}"
        )
