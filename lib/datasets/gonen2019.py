"""Words that Gonen & Goldberg (2019) leave out, since they name a gender by definition."""

from lib.sources import fetch

SIDES = ("female", "male")


def read_gendered_words() -> dict[str, list[str]]:
    """The lists of gendered words that were released with the paper on debiasing and its cover-up.

    They go back to those of GN-GloVe. In this copy a few words stand on the other side (*grooms* and *landlords* among
    the female ones), so take them as words that name a gender, not for which gender they name.

    Returns
    -------
    dict of str to list of str
        "female" and "male" -> words in the order of the file.

    Raises
    ------
    FetchError
        Where a file is not at hand.

    References
    ----------
    Gonen & Goldberg (2019); Zhao, Zhou, Li, Wang and Chang (2018).
    """
    return {
        side: fetch(f"lipstick_{side}_word_file").read_text(encoding="utf-8").split()
        for side in SIDES
    }
