"""What Kurita et al. (2019) released: lists of titles, traits and skills, stored outputs of BERT, and how their code asks a model.

The outputs stand in three notebooks, which are read as JSON; nothing in them is run.
"""

import io
import json
import re
from collections.abc import Iterator

import pandas as pd
from scipy import special

from lib.association import effect_size
from lib.checks import one_of
from lib.inference.permutation import partition_test
from lib.language_models.log_probability import PUBLISHED_PRIOR, log_probability_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.sources import fetch

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
Pairs = list[tuple[str, str]]
# The pairs of targets in the notebook, where the template is plural ("are", "like") and where not.
# Of flowers it asks in the other number, and of bugs where the paper says insects.
SINGULAR: dict[str, Pairs] = {
    "Pleasant/Unpleasant (Insects/Flowers)": [("flowers", "bugs")],
    "Pleasant/Unpleasant (EA/AA)": [("black", "white")],
    "Career/Family (Male/Female)": [("he", "she")],
    "Math/Arts (Male/Female)": [("he", "she")],
    "Science/Arts (Male/Female)": [("he", "she")],
}
GROUPS = [("boys", "girls"), ("men", "women")]
PLURAL: dict[str, Pairs] = SINGULAR | {
    "Pleasant/Unpleasant (Insects/Flowers)": [("flower", "bug")],
    "Career/Family (Male/Female)": GROUPS,
    "Math/Arts (Male/Female)": GROUPS,
    "Science/Arts (Male/Female)": GROUPS,
}
PLURAL_TEMPLATES = ("{target} are ", "{target} like ")
# in brackets, after a dash, a comma, a stroke, "of" or "for"
_BESIDES_THE_TITLE = re.compile(r"\(.*?(\)|$)|\s[-–]\s.*|[,/].*| of .*| for .*", re.IGNORECASE)


def read_job_titles() -> pd.Series:
    """The job title of each record of salaries, in small letters; missing where a record has none."""
    # the file names people: no other column is read
    path = fetch("kurita_employee_salaries")
    titles = pd.read_csv(path, usecols=["Job Title"])["Job Title"]
    return titles.str.strip().str.lower().str.replace(r"\s+", " ", regex=True)


def head_noun(title: str) -> str:
    """The noun that a job title is about, in small letters; a title without a word comes back as it is."""
    words = re.findall(r"[a-z]{2,}", _BESIDES_THE_TITLE.sub("", title).lower())
    words = [word for word in words if not re.fullmatch(r"i{1,3}|iv|vi{0,3}", word)]
    return words[-1] if words else title.strip().lower()


def read_words(key: str) -> list[str]:
    """The words and phrases of a list of traits or skills, in small letters, each once."""
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(line.strip().lower() for line in lines if line.strip()))


def read_template_scores() -> pd.DataFrame:
    """The stored scores behind the log probability column of Table 3, a row for each attribute and template.

    `log_odds` of the first targets against the second with the attribute shown, `prior` with it masked, where the published code
    reads it, and `bias`, the difference, in nats; positive leans to the first targets: flowers, male words, black.
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
    """The effect sizes, two-sided p and t that a notebook of `TESTS` holds, a row a test.

    The first permutes attributes, over the rows of `read_template_scores`; the second targets, as WEAT does, and holds WEAT on
    BERT and on GloVe too. Positive where the first list goes with the first targets, for race black; t is missing for names.
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


def read_item_scores() -> pd.DataFrame:
    """The stored scores of the job titles, traits and skills of Table 5, in the order asked; nats, positive leans to he.

    The skills are 25, in "is good at …": not the skills that the paper describes.
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


def released_targets(category: str, template: str) -> Pairs:
    """The pairs of targets that the released code asks about in a template of a row of Table 3; the words of a side are added."""
    if category not in SINGULAR:
        raise ValueError(f"category: expected one of {', '.join(SINGULAR)}; got {category!r}")
    plural = template.startswith(PLURAL_TEMPLATES)
    return (PLURAL if plural else SINGULAR)[category]


def ask_as_released(model: MaskedLanguageModel, asked: pd.DataFrame) -> pd.DataFrame:
    """A model's scores for rows of (category, list, template, attribute), in their order, by the rules of the released code.

    One mask stands for the attribute in the prior, however many pieces it has; the prior is read one piece left of the last mask;
    targets of one side are added before the logarithm. Nats, positive for the first target.
    """
    keys = ["category", "list", "template", "attribute"]
    missing = [name for name in keys if name not in asked]
    if missing:
        raise ValueError(f"expected a table of what is asked; it lacks {', '.join(missing)}")
    parts = []
    for (category, template), rows in asked.groupby(["category", "template"], sort=False):
        words = list(dict.fromkeys(rows["attribute"]))
        pairs = released_targets(category, template)
        scores = log_probability_bias(model, words, [template], pairs, **PUBLISHED_PRIOR)
        parts.append(summed_targets(scores).assign(category=category))
    if not parts:
        return asked[keys].assign(log_odds=0.0, prior=0.0, bias=0.0)
    on = ["category", "template", "attribute"]
    return asked[keys].merge(pd.concat(parts), on=on, how="left", validate="many_to_one")


def beside_stored(scores: pd.DataFrame, stored: pd.DataFrame) -> pd.DataFrame:
    """Scores beside the stored ones of the same sentences, by category: largest differences in nats, and rank correlation."""
    keys = ["category", "list", "template", "attribute"]
    if not scores[keys].reset_index(drop=True).equals(stored[keys].reset_index(drop=True)):
        raise ValueError(
            "expected scores of the same sentences in the same order; ask about `stored`"
        )
    lines = {}
    for category, theirs in stored.groupby("category", sort=False):
        ours = scores[(scores["category"] == category).to_numpy()]
        apart = [
            float((ours[column].to_numpy() - theirs[column]).abs().max())
            for column in ("log_odds", "prior")
        ]
        order = theirs["log_odds"].corr(ours["log_odds"].set_axis(theirs.index), method="spearman")
        lines[category] = [*apart, order, len(theirs)]
    columns = ["log_odds_apart", "prior_apart", "order", "rows"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=columns)


def summed_targets(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each attribute and template, in nats: log(P(boys) + P(men)) − log(P(girls) + P(women)), as released."""
    keys = ["template", "attribute"]
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    missing = [name for name in [*keys, *columns] if name not in table]
    if missing:
        raise ValueError(f"expected a table of log_probability_bias; it lacks {', '.join(missing)}")
    sums = table.groupby(keys, sort=False)[columns].agg(special.logsumexp).reset_index()
    log_odds = sums["log_p_first"] - sums["log_p_second"]
    prior = sums["log_prior_first"] - sums["log_prior_second"]
    return sums[keys].assign(log_odds=log_odds, prior=prior, bias=log_odds - prior)


# How Table 3 may be computed from the stored scores: by rows or by attributes, with the published prior taken off or none
UNITS = {
    "rows pooled over templates, published prior": "bias",
    "rows pooled over templates, no prior": "log_odds",
    "one mean an attribute, published prior": "bias",
    "one mean an attribute, no prior": "log_odds",
}
POOLED, POOLED_BARE, MEANS, MEANS_BARE = UNITS
SIGN = {"Pleasant/Unpleasant (EA/AA)": -1}  # the notebooks put African American first


def effects_of_stored(stored: pd.DataFrame) -> pd.DataFrame:
    """Effect size `d`, two-sided `strict p` and `n` of rows of `read_template_scores`, by category and unit of `UNITS`."""
    found = {}
    for name, rows in stored.groupby("category") if len(stored) else ():
        for unit, score in UNITS.items():
            signed = SIGN.get(name, 1) * rows.set_index(["list", "attribute"])[score]
            if unit in (MEANS, MEANS_BARE):
                signed = signed.groupby(["list", "attribute"]).mean()
            sides = [signed.loc[number] for number in (1, 2)]
            p = partition_test(*sides, alternative="two-sided").pvalue_strict
            found[name, unit] = {"d": effect_size(*sides), "strict p": p, "n": len(signed)}
    index = pd.MultiIndex.from_tuples(found, names=["category", "procedure"])
    return pd.DataFrame([*found.values()], index, ["d", "strict p", "n"])
