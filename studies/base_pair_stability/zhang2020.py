"""What Zhang, Sneyd & Stevenson (2020) released: the notebook of the paper, with the outputs that it stored.

Only the stored outputs are read, as text; nothing of the notebook is run.
"""

import ast
import json
import re
from itertools import product

import pandas as pd

from lib.sources import fetch

KEY = "zhang_notebook"
MEASURES = ("DB/WA", "RIPA", "NBM")
PAIRS = (
    "she-he",
    "her-his",
    "woman-man",
    "mary-john",
    "herself-himself",
    "daughter-son",
    "mother-father",
    "gal-guy",
    "girl-boy",
    "female-male",
)
MEAN = f"mean over {len(PAIRS)}"
PROFESSIONS = 320  # by which the code divides
COLUMNS = [
    "location",
    "metric",
    "system",
    "dataset",
    "base_pair",
    "word_form",
    "words",
    "set",
    "stored",
]

# the beginning of a cell -> what its lines of kappas are: place, dataset, word forms, systems
KAPPAS = {
    "# DIFFERENT FORMS": ("Table 3", "professions", [""], MEASURES),
    "# PROFESSION VARIANT": ("Table 4", "professions", ["plural", "capital", "upper"], MEASURES),
    "# BSRI": ("Table 5", "BSRI terms", [""], MEASURES),
    "# ANIMAL": ("Table 5", "animal terms", [""], MEASURES),
    "# COMPARE AGREEMENTS": (
        "Table 6",
        "professions",
        [""],
        ["DB/WA & RIPA", "DB/WA & NBM", "RIPA & NBM"],
    ),
}


def read_results() -> pd.DataFrame:
    """The numbers of the paper that the notebook's stored outputs hold, Tables 1 to 6 and the text: one row a number.

    Columns as in data/claims, "" where they do not apply; `stored` in plain units (shares as fractions), with the digits
    that the notebook shows. Of the correlations of Section 7 the largest p-value is given.
    """
    printed = _stored_outputs()
    rows = [*_kappas(printed), *_by_measure(printed), *_single_numbers(printed)]
    return pd.DataFrame(rows, columns=COLUMNS).fillna(dict.fromkeys(COLUMNS[:-1], ""))


def read_examples() -> pd.DataFrame:
    """The scores of single words with which the paper shows that directions turn round; `stored` is positive where female."""
    examples = [
        ("RIPA", "surgeon", "she-he"),
        ("RIPA", "surgeon", "woman-man"),
        ("DB/WA", "surgeon", "she-he"),
        ("DB/WA", "surgeons", "she-he"),
        ("NBM", "bull", "woman-man"),
        ("NBM", "compassionate", "woman-man"),
        ("NBM", "compassionately", "woman-man"),
    ]
    scores = _numbers(_output_of(_stored_outputs(), "# EXAMPLE INCONSISTENCIES"))
    rows = [(*example, score) for example, score in zip(examples, scores, strict=True)]
    return pd.DataFrame(rows, columns=["system", "word", "base_pair", "stored"])


def _stored_outputs() -> list[tuple[str, str]]:
    """The source of each cell and what it printed or returned."""
    cells = json.loads(fetch(KEY).read_text(encoding="utf-8"))["cells"]
    outputs = []
    for cell in cells:
        texts = [
            "".join(output.get("text", output.get("data", {}).get("text/plain", [])))
            for output in cell.get("outputs", [])
            if output.get("name") != "stderr"
        ]
        outputs.append(("".join(cell["source"]), "".join(texts)))
    return outputs


def _output_of(outputs: list[tuple[str, str]], beginning: str) -> str:
    """The output of the one cell that begins so."""
    (output,) = (text for source, text in outputs if source.startswith(beginning))
    return output


def _numbers(text: str) -> list[float]:
    """The numbers in a text, but those that are part of a word."""
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", text)]


def _kappas(outputs: list[tuple[str, str]]) -> list[dict[str, object]]:
    """The kappas of Tables 3 to 6: a line a system, ten pairs and their mean."""
    rows: list[dict[str, object]] = []
    for cell, (location, dataset, forms, systems) in KAPPAS.items():
        lines = [line for line in _output_of(outputs, cell).splitlines() if line.startswith("&")]
        for line, (form, system) in zip(lines, product(forms, systems), strict=True):
            about = dict(location=location, dataset=dataset, system=system, word_form=form)
            for pair, kappa in zip((*PAIRS, MEAN), _numbers(line), strict=True):
                metric = "mean_cohen_kappa" if pair == MEAN else "cohen_kappa"
                rows.append({**about, "metric": metric, "base_pair": pair, "stored": kappa})
    return rows


def _by_measure(outputs: list[tuple[str, str]]) -> list[dict[str, object]]:
    """Tables 1 and 2, and the shares of Section 6: one or two numbers a measure."""
    _, *moments = _numbers(_output_of(outputs, "# GET OVERALL MEANS"))
    changes = _numbers(_output_of(outputs, "# COMPUTE MAGNITUDE CHANGES"))
    kappas = _numbers(_output_of(outputs, "# BASE PAIR AGREEMENT"))
    same = [n / 100 for n in _numbers(_output_of(outputs, "# PERCENTAGE PROFESSION SAME"))]
    columns = [
        ("Table 1", "mean_bias_score", moments[::2]),
        ("Table 1", "std_bias_score", moments[1::2]),
        ("Table 2", "mean_proportion_changes_ge_1sd", changes),
        ("Table 2", "fleiss_kappa", kappas),
        ("Section 6", "share_same_direction_for_all_pairs", same),
    ]
    return [
        dict(location=location, metric=metric, system=system, stored=number)
        for location, metric, numbers in columns
        for system, number in zip(MEASURES, numbers, strict=True)
    ]


def _single_numbers(outputs: list[tuple[str, str]]) -> list[dict[str, object]]:
    """What Sections 5 to 7 and the footnotes print."""
    (vocabulary,) = _numbers(_output_of(outputs, "# DEFINE REDUCED"))
    having_forms = _numbers(_output_of(outputs, "# PROFESSION VARIANT"))[0]
    correlations = ast.literal_eval(_output_of(outputs, "def pearson"))
    (changing,) = _numbers(_output_of(outputs, "# PERCENTAGE PROFESSIONS CHANGE"))
    _, categories, mean, deviation = _numbers(_output_of(outputs, "# ANALOGIES"))
    by_kind, solved, pairs = ast.literal_eval(_output_of(outputs, "# tests if predicted"))
    man_woman, homemaker = _numbers(_output_of(outputs, "print(cosine_similarity"))
    random_words, random_differences = (
        _numbers(_output_of(outputs, f"# ESTIMATE MEAN COSINE SIMILARITY BETWEEN EMBEDDING {what}"))
        for what in ("VECTORS", "DIFFERENCE")
    )
    between = "cosine_between_difference_vectors"
    numbers = [
        ("Section 5", "frequent_words_after_filter", {}, vocabulary),
        ("Section 6", "list_size", {}, having_forms),
        ("Section 7", "max_p_value", {}, max(p for _, p in correlations)),
        ("Section 7", "share_changing_direction", {}, changing / 100),
        ("Section 7", "words_changing_direction", {}, changing / 100 * PROFESSIONS),
        ("Section 7", "cosine", {"words": "man,woman"}, man_woman),
        ("Section 7", "cosine", {"words": "computer_programmer,homemaker"}, homemaker),
        ("Section 7", "categories", {}, categories),
        ("Section 7", "unique_word_pairs", {}, pairs),
        ("Section 7", "mean_cosine", {"set": "550 analogy word pairs"}, mean),
        ("Section 7", "std_cosine", {"set": "550 analogy word pairs"}, deviation),
        ("Section 7", "accuracy", {"set": "550 pairs"}, solved / 100),
        ("Section 7", "accuracy", {"set": "gram8-plural"}, by_kind[": gram8-plural"]),
        ("Footnote 6", "mean_cosine", {}, random_words[0]),
        ("Footnote 6", "std_cosine", {}, random_words[1]),
        ("Footnote 5", f"mean_{between}", {}, random_differences[0]),
        ("Footnote 5", f"std_{between}", {}, random_differences[1]),
    ]
    return [
        dict(location=location, metric=metric, stored=number, **about)
        for location, metric, about, number in numbers
    ]
