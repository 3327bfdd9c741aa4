"""References of the book as a page names them: authors, year and title of an entry in references.bib."""

from __future__ import annotations

from pybtex.database import Entry
from pybtex.richtext import Text


def authors(entry: Entry) -> str:
    """Family names of the authors, or of the editors: up to three, else the first and "et al.".

    Parameters
    ----------
    entry : pybtex.database.Entry

    Returns
    -------
    str

    Examples
    --------
    >>> from pybtex.database import Person
    >>> authors(Entry("book", persons={"author": [Person("Ada Lovelace"), Person("Alan Turing")]}))
    'Lovelace & Turing'
    """
    persons = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [plain(" ".join([*one.prelast_names, *one.last_names])) for one in persons]
    if len(names) > 3:
        return f"{names[0]} et al."
    return " & ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def authors_and_year(entry: Entry) -> str:
    """Authors and year: "Lovelace 1843".

    Parameters
    ----------
    entry : pybtex.database.Entry

    Returns
    -------
    str
    """
    return f"{authors(entry)} {entry.fields.get('year', '')}".strip()


def plain(text: str) -> str:
    """LaTeX as text.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> plain("Understanding {NLP}")
    'Understanding NLP'
    """
    return str(Text.from_latex(text))
