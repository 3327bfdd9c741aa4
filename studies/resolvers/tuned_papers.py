"""Systems whose papers tuned the encoder, with the papers' own settings; what these would take on a graphics card; and what tuning
reached on a small encoder (data/models/tuned-resolvers).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.ledger import claims
from lib.paths import DATA
from studies.resolvers.lineup import MEASURES, ON_A_CARD, Entry
from studies.resolvers.tuned import Tuned

FOLDER = DATA / "models" / "tuned-resolvers"
DECIDES = "mentions, 2 layers"  # whose difference from the frozen arm was named before a test passage was scored
FROZEN = "mentions, frozen"
N = 2000  # passages of gap-test
TRAINED = {
    True: 2000,
    False: 2454 * 4 // 5,
}  # by whether all of gap-validation is watched, or a fifth of all

_PROBERT = Tuned(
    head="pronoun",
    tagged=True,
    learning_rate=4e-6,
    head_learning_rate=4e-6,
    schedule="constant",
    warm_up=0.0,
    batch_size=8,
    epochs=20,
    watched="validation",
    longest=300,
)
_COREF_SEQ = Tuned(
    head="ends",
    hidden=512,
    tuned_layers=13 / 24,
    learning_rate=1e-5,
    head_learning_rate=1e-5,
    batch_size=10,
    parts=2,
    epochs=30,
    patience=30,
    longest=300,
)
_MSNET = Tuned(
    head="similarity",
    top=8 / 24,
    hidden=16,
    pooling="attention",
    learning_rate=5e-6,
    head_learning_rate=3e-4,
    later_head_rate=5e-6,
    schedule="constant",
    warm_up=0.0,
    batch_size=5,
    patience=4,
    longest=300,
)
_MASKED_NAMES = Tuned(
    head="words",
    learning_rate=3e-5,
    head_learning_rate=3e-5,
    warm_up=0.2,
    batch_size=30,
    parts=5,
    epochs=1,
    longest=256,
)
_CLASSIFIER = Tuned(
    head="first",
    tagged=True,
    hidden=1024,
    head_learning_rate=5e-5,
    batch_size=32,
    parts=4,
    epochs=3,
    longest=256,
)
PREMATURE, MATURE = 10, 20  # epochs of Wang's head before the layers move; these take 20 at most
MSNETS = (  # number of the model, epochs of the head, tuned layers of 24, claim
    (10, PREMATURE, 12, 3),
    (11, MATURE, 12, 7),
    (12, MATURE, 8, 11),
    (13, MATURE, 16, 15),
    (14, MATURE, 24, 19),
)


def tuned_entries() -> list[Entry]:
    """The rows of the group "tuned": BERT large, uncased, is what most of these papers tuned."""
    return [
        Entry(
            "Attree: ProBERT",
            ON_A_CARD,
            _PROBERT,
            split="reverse",
            printed=_printed("attree2019_evidence_pooling.table3", 31, 30, 29),
            differs="answers as released, the paper's as it corrected them; looked at after each epoch and not every 80 steps, 20 epochs at most (none printed)",
        ),
        Entry(
            "Chada: CorefSeq",
            ON_A_CARD,
            _COREF_SEQ,
            folds=5,
            printed=_printed("chada2019_qa.table2", 33, 32, 31),
            differs="the rate rises for a tenth of the steps and falls (printed: triangles, longer than the training); the best epoch is kept",
        ),
        *(
            Entry(
                f"Wang: model {number}",
                ON_A_CARD,
                replace(_MSNET, tuned_layers=layers / 24, epochs=first + 20, head_epochs=first),
                folds=5,
                printed=_printed("wang2019_msnet.table2", claim),
                differs=f"all of the head's own {first} epochs, in batches of 5, not 32",
            )
            for number, first, layers, claim in MSNETS
        ),
        Entry(
            "Alfaro: BERT fills the gap",
            ON_A_CARD,
            _MASKED_NAMES,
            printed=_printed("alfaro2019_bert_mlm_coref.table8", 1),
            differs="the paper tunes base, cased; our pair of feminine names",
        ),
        Entry(
            "Ionita: tuned classifiers",
            ON_A_CARD,
            _CLASSIFIER,
            split="reverse",
            printed=_printed("ionita2019_resolving.table2", 3, 11, 12)
            | {"log loss ratio": "ionita2019_resolving.table2.4"},
            differs="tags, where the paper cuts a text into four segments; rate and epochs are BERT's own (none printed); the paper's mean is of six trainings, floored at .01",
        ),
    ]


# Weights of probabilities, as printed, of systems on one split.
BLENDS = (
    (
        "Ionita: blend",
        {"Ionita: tuned classifiers": 0.65, "Ionita: products and Siamese networks": 0.35},
        ("ionita2019_resolving.table2", 27, 35, 36),
        "weights as printed; the released predictions give the printed numbers with equal ones",
    ),
    (
        "Chada: mean of three",
        {
            "Chada: CorefSeq": 1,
            "Chada: a question about the pronoun": 1,
            "Chada: a choice of three ends": 1,
        },
        ("chada2019_qa.table2", 43, 42, 41),
        "two of the three are frozen here",
    ),
)


def blend_entries() -> list[Entry]:
    """A row for each of `BLENDS`, with the resolver of the tuned part."""
    by_name = {entry.system: entry for entry in tuned_entries()}
    return [
        replace(by_name[next(iter(parts))], system=name, printed=_printed(*where), differs=differs)
        for name, parts, where, differs in BLENDS
    ]


def with_blends(
    entries: Sequence[Entry], said: Sequence[NDArray[np.float64]]
) -> tuple[list[Entry], list[NDArray[np.float64]]]:
    """Entries and what they say, and behind them the blends whose parts are all there."""
    known = {
        entry.system: each
        for entry, each in zip(entries, said, strict=True)
        if entry.group in ("systems", ON_A_CARD)
    }
    found, answers = list(entries), list(said)
    for entry, (_, parts, *_) in zip(blend_entries(), BLENDS):
        if parts.keys() <= known.keys():
            found.append(entry)
            weights = list(parts.values())
            answers.append(np.average([known[part] for part in parts], axis=0, weights=weights))
    return found, answers


def _printed(table: str, log_loss: int, f1: int = 0, ratio: int = 0) -> dict[str, str]:
    """The claims of one system of a table."""
    places = {"log loss": log_loss, "F1": f1, "F1 ratio": ratio}
    return {measure: f"{table}.{place}" for measure, place in places.items() if place}


def what_it_takes(entries: Iterable[Entry], seeds: int) -> pd.DataFrame:
    """Hours on the card and GiB of each tuned system, estimated: every epoch is taken, and a passage costs what it did where all of
    BERT large was tuned (the fastest way that was measured, passages as long as allowed). Evaluation is not counted.
    """
    costs = pd.read_csv(FOLDER / "costs.csv")
    costs = costs[(costs["size"] == "large") & ~costs["checkpointing"]]
    row = costs.loc[(costs["seconds, longest"] / costs["batch_size"]).idxmin()]
    found = {}
    for entry in entries:
        tuned = entry.resolver
        if isinstance(tuned, Tuned):
            passages = tuned.epochs * TRAINED[bool(tuned.watched)] * max(1, entry.folds) * seeds
            found[entry.system] = {
                "hours": passages * row["seconds, longest"] / row["batch_size"] / 3600,
                "GiB": row["peak_mib, longest"] / 1024,
                "card": row["device"],
            }
    return pd.DataFrame.from_dict(found, orient="index", columns=["hours", "GiB", "card"])


def takes_in_words(costs: pd.DataFrame) -> str:
    """What the tuned systems take together, as the dry run of a profile says it."""
    return f"{len(costs)} tuned systems: about {costs['hours'].sum():.0f} h and {costs['GiB'].max():.1f} GiB of a card such as {costs['card'].iloc[0]}"


def arms() -> pd.DataFrame:
    """Scores of each training on a card, a row for each arm and seed."""
    return pd.read_csv(FOLDER / "scores.csv")


def differences() -> pd.DataFrame:
    """Each tuned arm less the frozen one, by arm."""
    return pd.read_csv(FOLDER / "differences.csv").set_index("arm")


def rows() -> pd.DataFrame:
    """Both as rows to be recorded: quantity, arm, seed, over (what an interval covers), value, low, high."""
    each = arms().astype({"seed": object}).melt(["arm", "seed"], MEASURES, var_name="measure")
    quantities = each.pop("measure") + ", encoder tuned on a card"
    found = [each.assign(quantity=quantities)]
    ends = (
        ("log loss", "difference", "", "pages"),
        ("log loss", "difference", ", seeds too", "pages and seeds"),
        ("F1", "F1 difference", "F1 ", "pages"),
        ("F1 ratio", "F1 ratio difference", "F1 ratio ", "pages"),
    )
    for measure, value, about, over in ends:
        before, behind = (about, "") if about.startswith("F1") else ("", about)
        table = differences()
        part = pd.DataFrame(
            {
                "value": table[value],
                "low": table[f"{before}low{behind}"],
                "high": table[f"{before}high{behind}"],
            }
        )
        quantity = f"{measure}, tuned on a card less frozen"
        found.append(part.reset_index().assign(quantity=quantity, over=over))
    return pd.concat(found, ignore_index=True).assign(n=N)


def arms_in_words(table: pd.DataFrame) -> pd.DataFrame:
    """The mean over seeds of each arm, and the lowest and the highest.

    >>> made = pd.DataFrame({"arm": ["one", "one"], "log loss": [0.5, 0.7], "F1": 0.6, "F1 ratio": 1.0})
    >>> arms_in_words(made).loc["one", "log loss"]
    '0.600 (0.500 to 0.700)'
    """

    def span(values: pd.Series) -> str:
        return f"{values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"

    shown = table.groupby("arm", sort=False)[["log loss", "F1", "F1 ratio"]]
    return shown.agg(span).rename_axis(None)


def papers_table(
    entries: Iterable[Entry], reached: Mapping[str, float], seeds: int
) -> pd.DataFrame:
    """For each tuned system what its paper prints, the log loss that it reached (`reached`, by system) and that its head reached
    with MiniLM on a card, as far as either was trained, what it takes, and what differs.
    """
    entries = list(entries)
    takes = what_it_takes(entries, seeds)
    small = arms()
    small = small[~small["arm"].str.endswith("frozen")]
    by_paper = small.groupby(small["arm"].str.partition(":")[0])["log loss"].mean()
    found = []
    for entry in entries:
        printed = {name: claims.printed(claim) for name, claim in entry.printed.items()}
        found.append(
            {
                "": entry.system,
                "log loss, printed": printed.get("log loss", np.nan),
                "F1, printed": printed.get("F1", np.nan),
                "log loss, ours": reached.get(entry.system, np.nan),
                "its head on MiniLM": by_paper.get(entry.system.partition(":")[0], np.nan),
                "hours, about": takes.loc[entry.system, "hours"],
                "GiB": takes.loc[entry.system, "GiB"],
                "what differs": entry.differs,
            }
        )
    return pd.DataFrame(found).dropna(axis=1, how="all")
