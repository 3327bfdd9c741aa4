"""What Karve, Ungar & Sedoc (2019) released: the word lists their code loads, and their results."""

import json

import pandas as pd

from lib.datasets.corpora import zipped_texts
from lib.sources import fetch

TABLES = {  # sheet -> table of static vectors, table of contextual ones
    "Career, Family": ("Table 1", "Table 2"),
    "Math, Arts": ("Table 3", "Table 4"),
    "Science, Arts": ("Table 5", "Table 6"),
}
VECTORS = {  # name in the sheets -> in the paper
    "Glove": "GloVe",
    "Word2vec": "word2vec",
    "Fasttext": "Fasttext",
    "Elmo": "ELMo",
    "Bert": "BERT",
}
METHODS = ("Without Debiasing", "Mu et al.", "Bolukbasi et al.", "Conceptor Negation")
METRICS = ("weat_effect_size_d", "p_value")


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
    """The effect sizes and p-values of the authors' spreadsheet, behind Tables 1 to 6.

    Returns
    -------
    DataFrame
        One row a cell that holds a number: `location`, `dataset`, `system` and `metric` as in
        data/claims; `subspace`, "none" without debiasing, else the list; `label`, what the sheet
        calls the list; `stored`, the number, with up to five digits. Cells of a bare 0 are left
        out: they stand for p-values of which the digits were not kept.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    columns = pd.MultiIndex.from_product([METHODS, METRICS], names=["system", "metric"])
    sheets = pd.read_excel(
        fetch("conceptor_weat_results"), sheet_name=list(TABLES), header=None, skiprows=2
    )
    frames = []
    for sheet, (static, contextual) in TABLES.items():
        cells = sheets[sheet]
        dataset = cells[0].ffill().map(VECTORS)
        places = pd.DataFrame({"dataset": dataset, "label": cells[1]})
        numbers = cells.loc[:, 2:9].set_axis(columns, axis="columns")
        long = (
            numbers.set_index(pd.MultiIndex.from_frame(places)).stack(["system", "metric"]).dropna()
        )
        frame = long.rename("stored").reset_index()
        is_contextual = frame["dataset"].isin(["ELMo", "BERT"])
        frames.append(frame.assign(location=is_contextual.map({False: static, True: contextual})))
    cells = pd.concat(frames, ignore_index=True)
    cells["subspace"] = cells["label"].replace("AND", "OR")  # AND of the negations: negation of OR
    cells.loc[cells["system"] == "Without Debiasing", "subspace"] = "none"
    return cells[cells["stored"] != 0]
