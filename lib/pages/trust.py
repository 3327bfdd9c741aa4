"""How far to trust a measure: the same five questions at the end of every chapter."""

from __future__ import annotations

from html import escape

from markdown_it import MarkdownIt

from lib.plots.display import display_html

QUESTIONS = {
    "repeats": ("Does it repeat?", "reliability"),
    "agrees": ("Do other measures agree?", "convergent validity"),
    "beyond_chance": ("Is it more than chance?", "discriminant validity"),
    "predicts": ("Does it predict anything?", "predictive validity"),
    "cannot_show": ("What can it not show?", "scope"),
}


# *words* and **words**; what comes from outside is escaped
INLINE = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])


def trust(
    *, repeats: str, agrees: str, beyond_chance: str, predicts: str, cannot_show: str
) -> None:
    """Display the box that ends every chapter: five plain questions, each with its answer.

    Parameters
    ----------
    repeats : str
        Reliability: does the same question, asked again with other words, pairs, templates or
        seeds, get the same answer?
    agrees : str
        Convergent validity: do other measures of the same thing say the same?
    beyond_chance : str
        Discriminant validity: what do random words, pairs or models give?
    predicts : str
        Predictive validity: does it go with anything outside, such as known groups, occupation
        statistics, or what a system does? "Not tried here." is an answer.
    cannot_show : str
        What no value of the measure could show, and whom it leaves out.

    Raises
    ------
    ValueError
        For an empty answer.

    References
    ----------
    The terms are those of Jacobs and Wallach (2021), "Measurement and fairness".

    Examples
    --------
    >>> trust(repeats="No.", agrees="", beyond_chance="", predicts="", cannot_show="")
    Traceback (most recent call last):
    ...
    ValueError: agrees: expected an answer to 'Do other measures agree?', got none
    """
    answers = dict(
        repeats=repeats,
        agrees=agrees,
        beyond_chance=beyond_chance,
        predicts=predicts,
        cannot_show=cannot_show,
    )
    rows = []
    for name, (question, term) in QUESTIONS.items():
        if not answers[name].strip():
            raise ValueError(f"{name}: expected an answer to {question!r}, got none")
        rows.append(
            f'<dt>{escape(question)} <span class="term">{escape(term)}</span></dt>'
            f"<dd>{INLINE.renderInline(answers[name])}</dd>"
        )
    # JupyterLab floats both: without this a short answer takes the next question beside it
    clear = "<style>.jp-OutputArea dl.trust dt{clear:both}</style>"
    display_html(f'{clear}<dl class="trust">{"".join(rows)}</dl>')
