"""Sentences of a page in Markdown, and what they quote from outside: words, names, translations.

Two layers: `verbatim` writes a word so that it reads as it is, and `harmless` lets nothing through
that acts on the page, whoever forgot the first: a vocabulary, a model's name or a translation
may hold anything.
"""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"[\\`*_{}\[\]<>&$|~#!^\"]")
_TAG = re.compile(r"(?<=<)(?=[A-Za-z/!?])(?!/?(?:i|small)>|i lang=\"[A-Za-z-]+\">)")
_LINK = re.compile(r"(?<=\])(?=:|\((?!(?:https?://|[\w./#-]*\))))")
_IMAGE = re.compile(r"(?<=!)(?=\[)")
_FENCE = re.compile(
    r"(?<![\\`~:])(?=(?:`{3,}|~{3,}|:{3,})\s*\{)"
)  # of a directive: {raw}, {include}
_SUBSTITUTION = re.compile(r"(?<=\{)(?=\{)")
_ROLE = re.compile(r"(?<=\})(?=`)")
_TEX_LINK = re.compile(r"(?<=\\)(?=href)")


def verbatim(text: object) -> str:
    """A word, name or translation from outside, to stand in a sentence in Markdown as it is.

    Parameters
    ----------
    text : object
        Its ``str`` is shown; line ends become blanks.

    Returns
    -------
    str
        The same, with every character that means something in Markdown, HTML or TeX as an entity.

    Examples
    --------
    >>> f"*{verbatim('nurse')}* and *{verbatim('<b>nurse_NOUN')}*"
    '*nurse* and *&#60;b&#62;nurse&#95;NOUN*'
    """
    return _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", " ".join(str(text).split()))


def harmless(markdown: str) -> str:
    """Markdown in which nothing acts on the page that shows it.

    Parameters
    ----------
    markdown : str

    Returns
    -------
    str
        The same, where it holds nothing but what the chapters write: of HTML ``<i lang="…">`` and ``<small>``, of
        links those to pages and to the web. Other tags, links and images, roles, directives and substitutions are
        parted by a blank, which leaves them as text, in code and in TeX as well.

    Examples
    --------
    >>> harmless('<i lang="es">Ella</i> [here](ripa.ipynb), $p < .05$')
    '<i lang="es">Ella</i> [here](ripa.ipynb), $p < .05$'
    >>> harmless("<script>alert(1)</script> [x](javascript:alert(1))")
    '< script>alert(1)< /script> [x] (javascript:alert(1))'
    """
    for parted in (_LINK, _IMAGE, _SUBSTITUTION, _ROLE, _TEX_LINK):
        markdown = parted.sub(" ", markdown)
    return _FENCE.sub(r"\\", without_tags(markdown))


def without_tags(html: str) -> str:
    """The same text with no tags but ``<i lang="…">`` and ``<small>``: others are parted by a blank.

    Examples
    --------
    >>> without_tags('<i lang="es">Ella</i> <svg onload=x> < 5')
    '<i lang="es">Ella</i> < svg onload=x> < 5'
    """
    return _TAG.sub(" ", html)


class Markdown:
    """Text of a page, displayed as `harmless` Markdown: the one way by which a chapter shows sentences.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> Markdown("**Often.** <b>9 of 10</b>")
    **Often.** < b>9 of 10< /b>
    """

    def __init__(self, text: str) -> None:
        self.data = harmless(text)

    def _repr_markdown_(self) -> str:
        return self.data

    def __repr__(self) -> str:
        return self.data
