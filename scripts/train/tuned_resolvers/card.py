"""The card of the tuned resolvers: data/models/tuned-resolvers/card.md, every number read from the files beside it and from
data/claims. Nothing here needs torch.
"""

import json
from pathlib import Path

import pandas as pd

from lib.paths import DATA
from scripts.train import cards
from scripts.train.cards import table

RESULT = ("scores.csv", "chosen.csv", "differences.csv", "costs.csv")
PAPERS = ("Attree", "Wang", "Chada", "Ionita")  # whose heads the script has besides its own
SYSTEMS = (  # whose steps the script measures
    "Attree, base",
    "Attree, large",
    "Chada, CorefSeq",
    "Wang 10",
    "Alfaro, without its words",
    "Ionita",
)
AT_ITS_LONGEST, AS_IT_COMES = "seconds, longest", "seconds"
ATTREE, ALFARO = "attree2019_evidence_pooling", "alfaro2019_bert_mlm_coref"


def write_card(folder: Path) -> Path:
    """Write card.md from what lies in a folder. Its path. Raises FileNotFoundError where a file of `RESULT` is missing."""
    scores, chosen, differences, costs = (pd.read_csv(folder / name) for name in RESULT)
    return cards.write(
        folder,
        _introduction(scores),
        _DECIDED,
        _reached(scores, differences),
        _doubts(scores, chosen),
        _costs(costs),
        _papers(costs),
        _left_out(scores, costs),
    )


def _introduction(scores: pd.DataFrame) -> str:
    seeds = scores["seed"].unique()
    peaks = scores.groupby("arm", sort=False)["peak_mib"].max()
    return f"""# tuned-resolvers: what it adds to train the encoder, too

Results of trainings, no weights. A resolver says to which of two names a pronoun refers. This one (`studies.resolvers.tuned`,
head "mentions") reads the last states of the pronoun and both names in all-MiniLM-L6-v2. It was trained with the encoder
frozen, as the other systems of the chapter `resolvers` are, with its last two layers trained too, and with all six.

Made by `python -m scripts.train.tuned_resolvers.train` on {_words(scores["device"])}, in {_words(scores["precision"])}, seeds {seeds.min()} to {seeds.max()}:
{scores["seconds"].min():.0f} to {scores["seconds"].max():.0f} seconds a training, {peaks.min():.0f} to {peaks.max():.0f} MiB at its peak. Two runs on a card need not agree in every digit.
The probabilities of each passage (`predictions.csv`) are not kept here; the same command makes them again, and `--card` this
page from the tables.

## Data and terms

Trained on `gap_development`, stopped on `gap_validation`, tested on `gap_test` (Webster et al. 2018; Apache-2.0, passages from
Wikipedia under CC-BY-SA), answers as released. No text of GAP ships. The encoder is Apache-2.0; the tables are under the
licence of this repository."""


_DECIDED = """## Decided before a test passage was scored

One number decides: log loss on the test part with two layers tuned less that with none, on the same passages and seeds, the
mean over the seeds, with a 95 % interval by a bootstrap over pages. If all of it is below zero, tuning has helped. Everything
else stands beside it. Learning rates were chosen on the validation part with a seed that is not used again: the head's for the
frozen arm, which the others take over, then the encoder's for each tuned arm (`chosen.csv`). Nothing else was chosen."""


def _reached(scores: pd.DataFrame, differences: pd.DataFrame) -> str:
    arms = [
        [name, *(_range(part[column]) for column in ("log loss", "F1", "F1 ratio"))]
        for name, part in scores.groupby("arm", sort=False)
    ]
    rows = [
        [
            f"{row['arm']}, less frozen",
            _signed(row["difference"]),
            _interval(row["low"], row["high"]),
            _interval(row["low, seeds too"], row["high, seeds too"]),
            _interval(row["lowest seed"], row["highest seed"]),
            _signed(row["F1 difference"]),
            _interval(row["F1 low"], row["F1 high"]),
            _signed(row["F1 ratio difference"]),
            _interval(row["F1 ratio low"], row["F1 ratio high"]),
        ]
        for row in differences.to_dict("records")
    ]
    head = ["", "log loss", "over pages", "pages and seeds", "single seeds"]
    head += ["F1", "over pages", "F1 ratio", "over pages"]
    decided = differences.set_index("arm").loc["mentions, 2 layers"]
    verdict = "Tuning has helped" if decided["high"] < 0 else "That tuning helps is not shown"
    return f"""## What it reached on the test part

{verdict}, by what was decided: {_signed(decided["difference"])} ({_interval(decided["low"], decided["high"])}).

{table(head, rows)}

Below zero is better for log loss, above it for F1. Intervals are of 95 %; *single seeds* are the lowest and the highest of
{decided["seeds"]}. The arms themselves, the mean and the range over seeds:

{table(["", "log loss", "F1", "F1 ratio"], arms)}

The F1 ratio is feminine by masculine: below 1 is worse on feminine pronouns. Nothing about it was decided before: it was computed
once the arms had been seen, and its interval leaves out the seeds. Read it as a question for another test part."""


def _doubts(scores: pd.DataFrame, chosen: pd.DataFrame) -> str:
    frozen = scores[scores["arm"] == "mentions, frozen"]
    late = int((frozen["epoch"] == frozen["epochs"]).sum())
    edges = [name for name, tried in chosen.groupby("arm", sort=False) if _at_edge(tried)]
    shipped = json.loads((DATA / "models" / "resolver" / "scores.json").read_text("utf-8"))
    better = shipped["test"]["log loss"]["overall"]
    named = " and ".join(f"*{name}*" for name in edges)
    edge = f" The rate chosen lies at the edge of what was tried for {named}." if edges else ""
    return f"""## How far to trust it

The frozen arm may not be at its best: in {late} of {len(frozen)} seeds its lowest loss on the validation part came in the last epoch
allowed, and one trained for longer might come nearer.{edge}
Tuning is not the only way on: with attention and features of the surface, and trained on the validation part too, the resolver
that ships with the book (`data/models/resolver`) has a log loss of {better:.3f} on the same passages with an encoder that is frozen.
One small encoder was tuned, with one head; the papers tuned BERT."""


def _costs(costs: pd.DataFrame) -> str:
    rows = [
        [
            row["system"],
            row["precision"],
            "yes" if row["checkpointing"] else "no",
            _passages(row),
            f"{row['trained'] / 1e6:.0f}",
            f"{row[AS_IT_COMES]:.3f}" + (" (held up)" if _held_up(row) else ""),
            f"{row[AT_ITS_LONGEST]:.3f}",
            f"{_peak(row) / 1024:.1f}",
        ]
        for row in costs.to_dict("records")
    ]
    head = ["", "precision", "checkpointing", "passages", "trained, millions"]
    head += ["seconds", "seconds, longest", "GiB"]
    held_up = sum(map(_held_up, costs.to_dict("records")))
    return f"""## What a step costs with the papers' settings

A BERT of each paper's size with random weights, on {_words(costs["device"])}: a step's mean of twenty, first on passages of GAP as
they come ({costs["pieces"].min():.0f} to {costs["pieces"].max():.0f} pieces on average), then on passages all as long as the paper allows ({_words(costs["longest"])}). Memory is the
highest that tensors took; the card's own share comes on top. Checkpointing computes a layer again for the gradient.

{table(head, rows)}

Longer passages are more work. Where the shorter ones took longer ({held_up} of {len(costs)} rows), something besides the step was timed
(what, was not looked into; each shape of batch was new): such a number says nothing of a step. Only the column *longest* is used below."""


def _papers(costs: pd.DataFrame) -> str:
    passages = _printed(ATTREE, "table1.3")
    in_fold, models = _printed(ATTREE, "sec4.15"), _printed(ATTREE, "sec5_3.7")
    of_attree = [f"{_printed(ATTREE, place):g} min" for place in ("sec4.9", "sec4.10")]
    of_alfaro = (
        f"{_printed(ALFARO, 'sec3_3.4'):g} to {_printed(ALFARO, 'sec3_3.5'):g} h",
        f"{_printed(ALFARO, 'sec3_3.8'):g} h {_printed(ALFARO, 'sec3_3.9'):g} min",
    )
    first, second = _printed(ALFARO, "table3.7"), _printed(ALFARO, "table3.8")
    runs = [
        ("Attree, base", "an epoch", passages, None, of_attree[0]),
        ("Attree, large", "an epoch", passages, None, of_attree[1]),
        ("Attree, large", f"an epoch of {models:g} models", in_fold, models, "none"),
        ("Alfaro, without its words", "stage 1", None, first, of_alfaro[0]),
        ("Alfaro, without its words", "stage 2", None, second, of_alfaro[1]),
    ]
    found = []
    for system, what, size, count, printed in runs:
        plain = costs[(costs["system"] == system) & ~costs["checkpointing"]]
        if not len(plain):
            continue
        row = plain.loc[plain[AT_ITS_LONGEST].idxmin()].to_dict()
        steps = (count or 1) * (-(-size // row["batch_size"]) if size else 1)
        spent = steps * row[AT_ITS_LONGEST]
        found.append(
            [
                system,
                what,
                row["precision"],
                f"{steps:,.0f}",
                _time(spent),
                f"{_peak(row) / 1024:.1f}",
                printed,
            ]
        )
    head = ["", "of what", "precision", "steps", "time", "GiB", "printed for all of it"]
    return f"""## What the papers' settings would take

Steps times the seconds of a step on the longest passages, the fastest way that was measured without checkpointing. Attree et al. stop
early and print no number of epochs, so that theirs is for one; their times are of {_printed(ATTREE, "sec4.11"):g} cards ("about" for base, "up to" for large).
Alfaro et al. print steps, and times on another card; what was timed lacks their scores of words, which come on top.

{table(head, found)}

Attree's is the time of ProBERT. The {models:g} models of the competition are GREP, whose module for evidence comes on top and was not
measured. Evaluation, loading and tokenising are not counted."""


_PEOPLE = """

GAP has *he* and *she*, no *they* and no other pronoun, and people of one gender in each passage, as English Wikipedia writes of
them. What tuning does to sentences about anyone else is not shown here."""


def _left_out(scores: pd.DataFrame, costs: pd.DataFrame) -> str:
    ran = {arm.partition(":")[0] for arm in scores["arm"]}
    heads = [name for name in PAPERS if name not in ran]
    missing = [name for name in SYSTEMS if name not in set(costs["system"])]
    whole = costs[(costs["system"] == "Attree, large")]
    lacking = [
        words
        for words, there in (
            ("half precision", (whole["precision"] != "float32").any()),
            ("checkpointing", whole["checkpointing"].any()),
        )
        if not there
    ]
    text = ["## What was not run, and who is left out", ""]
    if heads:
        text += [
            f"The papers' own heads ({', '.join(heads)}; `--parts others`) were not trained: no time was left on the card."
        ]
    if missing:
        text += [f"Not measured: steps of {'; '.join(missing)}."]
    if lacking:
        text += [f"Attree, large, was not measured with {' or '.join(lacking)}."]
    return "\n".join(text) + _PEOPLE


def _at_edge(tried: pd.DataFrame) -> bool:
    """Whether the best of the rates that differ is the lowest or the highest."""
    best = tried["validation"].idxmin()
    varied = [c for c in ("learning_rate", "head_learning_rate") if tried[c].nunique() > 1]
    return any(tried.loc[best, c] in (tried[c].min(), tried[c].max()) for c in varied)


def _printed(paper: str, place: str) -> float:
    """What a paper prints, from the file of its claims."""
    claims = pd.read_csv(DATA / "claims" / f"{paper}.csv", dtype=str).set_index("claim_id")
    return float(claims.loc[f"{paper}.{place}", "value"])


def _held_up(row: dict) -> bool:
    return row[AS_IT_COMES] > row[AT_ITS_LONGEST]


def _peak(row: dict) -> float:
    return max(row["peak_mib"], row["peak_mib, longest"])


def _passages(row: dict) -> str:
    return f"{row['batch_size']}" + (f" in {row['parts']} parts" if row["parts"] > 1 else "")


def _words(values: pd.Series) -> str:
    return " or ".join(map(str, values.drop_duplicates()))


def _range(values: pd.Series) -> str:
    return f"{values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _interval(low: float, high: float) -> str:
    return f"{_signed(low)} to {_signed(high)}"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
