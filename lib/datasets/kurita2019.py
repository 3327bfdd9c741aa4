"""What Kurita et al. (2019) released: lists of titles, traits and skills, and stored outputs of BERT.

The outputs stand in three notebooks, which are read as JSON; nothing in them is run.
"""

import io
import json
import re
from collections.abc import Iterator

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

KEYS = ("kurita_positive_traits", "kurita_negative_traits", "kurita_tech_skills")
TESTS = ("kurita_notebook_weat", "kurita_notebook_weat_permute_targets")
CATEGORIES = {  # heading in the notebooks -> row of Table 3
    "Flowers vs. Insects": "Pleasant/Unpleasant (Insects/Flowers)",
    "Black vs. White": "Pleasant/Unpleasant (EA/AA)",
    "African American and Pleasantness": "Pleasant/Unpleasant (EA/AA)",
    "Career vs Family": "Career/Family (Male/Female)",
    "Math vs. Art": "Math/Arts (Male/Female)",
    "Science vs. Art": "Science/Arts (Male/Female)",
}
WAYS = {  # second heading -> what is tested
    "": "log probability",
    "WEAT": "WEAT on BERT",
    "GloVe WEAT": "WEAT on GloVe",
    "Glove WEAT": "WEAT on GloVe",
}
ITEMS = {  # the pie chart that a cell draws -> row of Table 5
    "TopTitles": "Salary",
    "positive_traits": "Pos-Traits",
    "negative_traits": "Neg-Traits",
    "in_demand_tech_skills": "Skills",
}


def read_job_titles() -> pd.Series:
    """The job title of each record of salaries, in small letters; missing where a record has none.

    The file names people; of it only this column is read.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    path = fetch("kurita_employee_salaries")
    titles = pd.read_csv(path, usecols=["Job Title"])["Job Title"]
    return titles.str.strip().str.lower().str.replace(r"\s+", " ", regex=True)


def read_words(key: str) -> list[str]:
    """The words and phrases of a list of traits or skills, in small letters, each once.

    Parameters
    ----------
    key : str
        One of `KEYS`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), section 5.
    """
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(line.strip().lower() for line in lines if line.strip()))


def read_template_scores() -> pd.DataFrame:
    """The stored BERT scores behind the log probability column of Table 3.

    Returns
    -------
    DataFrame
        One row for each attribute and template: `category`, as in Table 3; `list`, 1 or 2, the list
        that the attribute stands on; `template`, with {target} and {attribute}; `attribute`; and in
        nats with six decimals `log_odds`, of the first targets against the second with the
        attribute shown, `prior`, the same with the attribute masked, where the published code reads
        it, and `bias`, the difference. Positive leans to the notebook's first targets: flowers,
        male words, black.

    Raises
    ------
    FetchError
        Where the notebook is not at hand.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), Table 3.
    """
    names = {
        "bias": "log_odds",
        "prior_correction": "prior",
        "bias_prior_corrected": "bias",
        "stimulus": "attribute",
    }
    frames = []
    for heading, _, source, shown in _cells("kurita_notebook_weat"):
        concatenated = re.match(r"df([12]) = pd\.concat", source)
        if not concatenated:
            continue
        frame = pd.read_csv(io.StringIO(shown), sep=r"\s+").rename(columns=names)
        templates = [
            text.replace("GGG", "{target}").replace("XXX", "{attribute}")
            for text in re.findall(r'bias_score\("([^"]+)"', source)
        ]
        part = (frame.index == 0).cumsum() - 1  # each template counts its rows from 0
        frame["template"] = [templates[number] for number in part]
        frames.append(frame.assign(category=CATEGORIES[heading], list=int(concatenated[1])))
    columns = ["category", "list", "template", "attribute", "log_odds", "prior", "bias"]
    return pd.concat(frames, ignore_index=True)[columns]


def read_stored_tests(key: str) -> pd.DataFrame:
    """The effect sizes and p-values that a notebook holds.

    Parameters
    ----------
    key : str
        One of `TESTS`. The first permutes attributes, over the rows of `read_template_scores`; the
        second permutes targets, as WEAT does, and holds WEAT on BERT and on GloVe too.

    Returns
    -------
    DataFrame
        One row a test: `category`, as in Table 3; `way`, "log probability", "WEAT on BERT" or "WEAT
        on GloVe"; `effect_size`, by the sample deviation, positive where the notebook's first list
        goes with its first attributes or targets (its race tests begin with black, and with
        African American names); `p`, the share of 100,000 random splits that are further apart,
        two-sided; `t`, Student's statistic, missing for the names of the second notebook and for
        race.

    Raises
    ------
    FetchError
        Where the notebook is not at hand.
    ValueError
        For another key.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), Table 3.
    """
    one_of("key", key, TESTS)
    calls = {"effect_size": "get_effect_size(df1, df2)", "p": "exact_mc_perm_test(df1["}
    calls["t"] = "ttest_ind(df1["
    tests: dict[tuple[str, str], dict[str, float]] = {}
    for heading, way, source, shown in _cells(key):
        for name, call in calls.items():
            if source.startswith(call):
                case = CATEGORIES[heading], WAYS[way]
                value = re.search(r"statistic=([^,]+),", shown)
                tests.setdefault(case, {})[name] = float(value[1] if value else shown)
    cases = pd.MultiIndex.from_tuples(tests, names=["category", "way"])
    table = pd.DataFrame(list(tests.values()), index=cases, columns=list(calls))
    return table.reset_index()


def read_target_scores() -> pd.DataFrame:
    """The stored scores of single targets in the second notebook, where targets are permuted.

    Returns
    -------
    DataFrame
        One row a word: `category`, as in Table 3; `way`, as in `read_stored_tests`; `list`, 1 or 2;
        `target`; `score`, its mean with the first attributes less that with the second. Of fifteen
        tests the notebook shows three with both lists: WEAT on GloVe for math and arts, and the log
        probability bias of flowers and insects and of the names.

    Raises
    ------
    FetchError
        Where the notebook is not at hand.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), Table 3.
    """
    frames = []
    for heading, way, source, shown in _cells("kurita_notebook_weat_permute_targets"):
        if source in ("df1", "df2"):
            frame = pd.read_csv(io.StringIO(shown), sep=r"\s+")
            frame = frame.rename(columns={"bias_prior_corrected": "score"})
            about = {"category": CATEGORIES[heading], "way": WAYS[way], "list": int(source[2])}
            frames.append(frame.assign(**about))
    columns = ["category", "way", "list", "target", "score"]
    shown = pd.concat(frames, ignore_index=True)[columns]
    whole = shown.groupby(["category", "way"])["list"].transform("nunique") == 2
    return shown[whole].reset_index(drop=True)


def read_item_scores() -> pd.DataFrame:
    """The stored BERT scores of the items of Table 5: job titles, traits and skills.

    Returns
    -------
    DataFrame
        One row an item, in the order asked: `items`, as in Table 5; `item`; in nats `log_odds`, of
        he against she with the item shown, and `bias`, the same less the prior; positive leans to
        he. The skills are 25, in "is good at …": not the skills that the paper describes.

    Raises
    ------
    FetchError
        Where the notebook is not at hand.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), section 5 and Table 5.
    """
    runs: dict[tuple[str, str], pd.DataFrame] = {}
    for _, _, source, shown in _cells("kurita_notebook_exposing"):
        call = re.match(r"list2Bias(?:_norm)?\('(\w+?)(_without_prior)?\.pdf'", source)
        if not call:
            continue
        verb = re.findall(r'"([^"]*)"', source)[-1].strip()  # "is" or "is good at"
        line = rf"^(?:Man|Woman)\s+{verb}\s+(?P<item>.+?)\s+by\s+(?P<score>\S+)$"
        scores = pd.Series(shown.splitlines()).str.extract(line)
        runs[ITEMS[call[1]], "bias" if call[2] else "log_odds"] = scores
    parts = [
        pd.DataFrame(
            {
                "items": name,
                "item": runs[name, "bias"]["item"],
                "log_odds": runs[name, "log_odds"]["score"].astype(float),
                "bias": runs[name, "bias"]["score"].astype(float),
            }
        )
        for name in ITEMS.values()
    ]
    return pd.concat(parts, ignore_index=True)


def _cells(key: str) -> Iterator[tuple[str, str, str, str]]:
    """First and second heading, code without opening comments, and stored text of each code cell."""
    notebook = json.loads(fetch(key).read_text(encoding="utf-8"))
    headings = ["", ""]
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            if source.startswith("# "):
                headings = [source.removeprefix("# ").strip(), ""]
            elif source.startswith("### "):
                headings[1] = source.removeprefix("### ").strip()
            continue
        shown = [
            "".join(output.get("text") or output["data"].get("text/plain", ""))
            for output in cell.get("outputs", [])
            if output.get("name") != "stderr" and "image/png" not in output.get("data", {})
        ]
        code = re.sub(r"^(#.*\n\s*)+", "", source)
        yield headings[0], headings[1], code, "".join(shown)
