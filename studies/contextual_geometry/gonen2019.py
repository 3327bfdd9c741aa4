"""Words that Gonen & Goldberg (2019) leave out, since they name a gender by definition."""

from lib.sources import fetch

SIDES = ("female", "male")


def read_gendered_words() -> dict[str, list[str]]:
    """ "female" and "male" -> the gendered words released with the paper, which go back to GN-GloVe (Zhao et al., 2018).

    In this copy a few words stand on the other side (*grooms* and *landlords* among the female ones), so take them as words
    that name a gender, not for which gender they name.
    """
    return {
        side: fetch(f"lipstick_{side}_word_file").read_text(encoding="utf-8").split()
        for side in SIDES
    }
