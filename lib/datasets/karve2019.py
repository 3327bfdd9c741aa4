"""What Karve, Ungar & Sedoc (2019) released: the word lists their code loads, and their results."""

import json

import pandas as pd

from lib.datasets.corpora import zipped_texts
from lib.sources import fetch

RESULTS = "conceptor_weat_results"  # registry key of the spreadsheet
TABLES = {  # sheet -> table of static vectors, table of contextual ones
    "Career, Family": ("Table 1", "Table 2"),
    "Math, Arts": ("Table 3", "Table 4"),
    "Science, Arts": ("Table 5", "Table 6"),
    "Race": ("Table 7", "Table 7"),
    "Figure 5": (
        "Table 1",
        "Table 2",
    ),  # career and family for BERT, with cells the first sheet lacks
}
VECTORS = {  # name in the sheets -> in the paper
    "Glove": "GloVe",
    "Word2vec": "word2vec",
    "Fasttext": "Fasttext",
    "Elmo": "ELMo",
    "Bert": "BERT",
}
CONTEXTUAL = ("ELMo", "BERT")
# Of conceptors in context: alone, then of three lists under OR. The notebook with the tables' code
# has numbers for ELMo only; BERT's conceptors come from another one, with the default of the
# function, and of at most so many words of a list, drawn at random.
APERTURES_IN_CONTEXT = {"ELMo": (6.0, 8.0, 3.0, 10.0), "BERT": (1.0, 1.0, 1.0, 1.0)}
MOST_WORDS = {"ELMo": None, "BERT": 300}
METHODS = ("Without Debiasing", "Mu et al.", "Bolukbasi et al.", "Conceptor Negation")
METRICS = ("weat_effect_size_d", "p_value")
CELL = ["location", "dataset", "system", "subspace", "metric"]  # what tells printed cells apart


def read_word_lists() -> dict[str, list[str]]:
    """The two longer lists of words that the published code makes conceptors of.

    Returns
    -------
    dict of str to list of str
        "Extended List": gendered words of WinoBias and GN-GloVe; "Propernouns": first names of the
        Carnegie Mellon list, men's before women's. In the order of the files, repeats included.

    Raises
    ------
    FetchError
        Where a file is not at hand.
    """
    keys = ("winobias_extra_gendered_words", "gn_glove_male_word_file", "gn_glove_female_word_file")
    extended = " ".join(fetch(key).read_text(encoding="utf-8") for key in keys)
    names = dict(zipped_texts("nltk_names", r"names/(fe)?male\.txt"))
    lines = [
        line.strip()
        for sex in ("male", "female")
        for line in names[f"names/{sex}.txt"].splitlines()
    ]
    return {"Extended List": extended.split(), "Propernouns": list(filter(None, lines))}


def read_equalised_pairs() -> list[tuple[str, str]]:
    """The (male, female) pairs that hard debiasing sets level: Bolukbasi's, as the code loads them.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    pairs = json.loads(fetch("bolukbasi_equalize_pairs").read_text(encoding="utf-8"))
    return [(first, second) for first, second in pairs]


def read_results() -> pd.DataFrame:
    """The effect sizes and p-values of the authors' spreadsheet, behind Tables 1 to 7.

    Returns
    -------
    DataFrame
        One row a printed cell that the file holds: `location`, `dataset`, `system` and `metric` as
        in data/claims; `subspace`, "none" without debiasing, "names" in Table 7, else the list;
        `sheet`; `label`, what the sheet calls the list ("AND" for OR: the code takes AND of the
        negations, which is the negation of OR); `stored`, the number, with up to five digits. A
        p-value is the share of 1,000 random splits that do better, so 0 is none of them.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    sheets = pd.read_excel(fetch(RESULTS), sheet_name=list(TABLES), header=None, skiprows=2)
    cells = pd.concat([_cells(sheets[sheet], sheet) for sheet in TABLES], ignore_index=True)
    cells["subspace"] = cells["label"].replace("AND", "OR")
    untreated = cells["system"] == "Without Debiasing"
    cells.loc[untreated & (cells["label"] != "names"), "subspace"] = "none"
    return cells.drop_duplicates(CELL, ignore_index=True)


def _cells(table: pd.DataFrame, sheet: str) -> pd.DataFrame:
    """The numbers of one sheet below its headings, a row each."""
    places = pd.DataFrame({"dataset": table[0].ffill().map(VECTORS), "label": table[1]})
    headings = pd.MultiIndex.from_product([METHODS, METRICS])
    numbers = table.loc[:, 2:9]
    if sheet == "Race":  # one list of names; what it calls hard debiasing is not printed
        places["label"] = "names"
        headings, numbers = headings[[0, 1, 6, 7]], table[[1, 2, 5, 6]]
    if sheet == "Figure 5":  # effect sizes alone; hard debiasing is that of Mu et al. here
        headings, numbers = headings[[0, 2, 6]], table.loc[:, 2:4]
    numbers = numbers.set_axis(headings.set_names(["system", "metric"]), axis="columns")
    numbers.index = pd.MultiIndex.from_frame(places)
    cells = numbers.stack(["system", "metric"]).dropna().rename("stored").reset_index()
    static, contextual = TABLES[sheet]
    is_contextual = cells["dataset"].isin(CONTEXTUAL)
    location = is_contextual.map({False: static, True: contextual})
    return cells.assign(location=location, sheet=sheet, stored=cells["stored"].astype(float))
