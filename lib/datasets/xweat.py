"""XWEAT: the words of the association tests in other languages."""

from lib.sources import fetch

LANGUAGES = ("de", "es", "hr", "it", "ru", "tr")


def read_xweat(language: str) -> dict[str, list[str]]:
    """The forms of each English word in a language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.

    Returns
    -------
    dict of str to list of str
        One form, or a masculine and a feminine one.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Lauscher & Glavaš (2019), "Are We Consistently Biased?".
    """
    text = fetch(f"xweat_vocab_en_{language}").read_text(encoding="utf-8")
    rows = (line.split(",") for line in text.splitlines())
    return {row[0]: [form for form in row[1:3] if form] for row in rows if row[0]}
