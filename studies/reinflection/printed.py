"""What Habash, Bouamor and Chung (2019) print and their files answer: every such number, computed again."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from lib.ledger import Ledger, claims
from studies.reinflection.habash2019 import SPLITS, SYSTEMS, Outputs, output_key
from studies.reinflection.ngrams import AVERAGE
from studies.reinflection.scores import compare_systems

PAPER = "habash2019_arabic"
COUNT = "lines, words between blanks, words in which the two versions differ"
HALF = "the same, with half of the gendered lines"
LEARNT = "n-gram counts of tokens between blanks, liblinear, C = 1"
RULE = "a word for the speaker and, right behind it, an adjective or a noun for a person"
BLEU = "corpus BLEU of blank-separated tokens"
EQUAL = "share of lines equal to the reference"
RELATIVE = "ratio of BLEU before rounding"
REDUCTION = "mean over both targets of the share of wrong lines that are right now"


class Answer(NamedTuple):
    """A number that answers a printed one: its claim, the value in plain units, files and procedure."""

    claim: str
    value: float
    data: str
    procedure: str


def settings_of(answer: Answer) -> dict[str, str]:
    """What a result has to say to be about its claim: system, dataset, settings, and the procedure."""
    row = claims.row(answer.claim)
    place = {"location": row["location"], "procedure": answer.procedure}
    return claims.subject(row) | place


def record(ledger: Ledger, answers: Iterable[Answer]) -> None:
    """Record each answer beside the printed number that it answers."""
    for answer in answers:
        quantity = claims.row(answer.claim)["metric"].replace("_", " ")
        about = settings_of(answer) | {"claim": answer.claim, "data": answer.data}
        ledger.record(quantity, answer.value, **about)


def corpus_counts(sentences: Mapping[str, pd.DataFrame]) -> Iterator[Answer]:
    """Tables of sentences, words and words that mark gender; the shares that the text prints.

    sentences: split -> its table, all three.
    """
    every = pd.concat([_sizes(table) for table in sentences.values()])
    by_label = every.groupby("label")[["sentences", "words", "marking"]].sum()
    balanced = by_label.sum()
    original = by_label.loc["B"] + by_label.loc[["F", "M"]].sum() / 2
    added = balanced - original
    data = "; ".join(
        f"habash_d_set_{split}_{part}"
        for split in SPLITS
        for part in ("input", "labels", "target_m", "target_f")
    )
    for first, counts, procedure in (
        (1, by_label.loc["B"], COUNT),
        (10, original, HALF),
        (13, by_label.loc["B"], COUNT),
        (28, balanced, COUNT),
    ):
        for number, value in enumerate(counts, first):
            yield Answer(f"{PAPER}.table1.{number}", float(value), data, procedure)
    for number, value in {
        "sec4.9": original["sentences"],
        "sec4.10": original["words"],
        "sec4.11": by_label.loc["B", "sentences"] / original["sentences"],
        "sec4.12": added["sentences"],
        "sec4.13": added["words"],
        "sec4.14": original["marking"],
        "sec4.15": original["marking"] / added["words"],
        "sec4.16": original["marking"] / original["words"],
    }.items():
        yield Answer(f"{PAPER}.{number}", float(value), data, HALF)
    gendered = by_label.loc[["F", "M"], "sentences"]
    share = gendered.sum() / balanced["sentences"]
    yield Answer(f"{PAPER}.sec4.17", float(share), data, COUNT)
    yield Answer(f"{PAPER}.sec6_2.12", float(gendered["M"] / gendered.sum()), data, COUNT)
    for split, numbers in {
        "train": ("sec4.19", "sec6_2.1"),
        "dev": ("sec4.21", "sec6_2.3"),
        "test": ("sec4.23", "sec6_2.4"),
    }.items():
        for number in numbers:
            yield Answer(
                f"{PAPER}.{number}", len(sentences[split]), f"habash_d_set_{split}_input", COUNT
            )
    neutral = (sentences["test"]["label"] == "B").mean()
    yield Answer(f"{PAPER}.sec5_4.1", float(neutral), "habash_d_set_test_labels", COUNT)


def identification(model: str, scores: pd.DataFrame) -> Iterator[Answer]:
    """The cells of Table 4 for one model, "Rule-based" or one of `ngrams.MODELS`, from its `identification_scores` on the test
    split.
    """
    learnt = model != "Rule-based"
    parts = ["input", "labels", "features"] if learnt else ["labels", "features"]
    data = "; ".join(
        f"habash_d_set_{split}_{part}"
        for split in (("train", "test") if learnt else ("test",))
        for part in parts
    )
    for row in scores.itertuples():
        claim = claims.one(
            paper=PAPER,
            location="Table 4",
            system=model,
            metric=row.score,
            label="Average" if row.label == AVERAGE else row.label,
        )
        yield Answer(claim, float(row.value), data, LEARNT if learnt else RULE)


def table_five(scores: pd.DataFrame, given: str, split: str) -> Iterator[Answer]:
    """The cells of Table 5 for one split, from `compare_systems` with a column target."""
    dataset = f"{split.upper()}^GT" if given == "google" else f"Balanced Input {split.upper()}"
    keys = {name: key for key, name in SYSTEMS.items()}
    for row in scores[scores["measure"] == "BLEU"].itertuples():
        claim = claims.one(
            paper=PAPER, location="Table 5", system=row.system, dataset=dataset, target=row.target
        )
        target = row.target.lower()
        files = output_key(keys[row.system], split, target, given)
        yield Answer(claim, float(row.value), f"habash_ref_{split}_{target}; {files}", BLEU)


def in_the_text(arabic_dev: Outputs, google_test: pd.DataFrame) -> Iterator[Answer]:
    """Sentence accuracies on DEV, and the relative gains on Google's text, from the scores of TEST^GT as for `table_five`."""
    right = {
        (system, target): sum(map(str.__eq__, lines, arabic_dev.references[target])) / len(lines)
        for (system, target), lines in arabic_dev.outputs.items()
    }
    files = "habash_ref_dev_m; habash_ref_dev_f; habash_baseline_dev"
    yield Answer(f"{PAPER}.sec6_2.5", right["Baseline", "M"], files, EQUAL)
    for number, target in ((6, "M"), (7, "F")):
        key = target.lower()
        data = f"habash_ref_dev_{key}; habash_two_step_dev_{key}"
        yield Answer(f"{PAPER}.sec6_2.{number}", right["Two Step", target], data, EQUAL)
    reductions = [
        (right["Two Step", target] - right["Baseline", target]) / (1 - right["Baseline", target])
        for target in "MF"
    ]
    everything = f"{files}; habash_two_step_dev_m; habash_two_step_dev_f"
    yield Answer(f"{PAPER}.sec6_2.8", sum(reductions) / 2, everything, REDUCTION)
    bleu = google_test[google_test["measure"] == "BLEU"].set_index(["system", "target"])["value"]
    for number, target in ((9, "F"), (10, "M")):
        key = target.lower()
        files = f"habash_ref_test_{key}; habash_gt_single_test_{key}; habash_gt_baseline_test"
        gain = bleu["Single", target] / bleu["Baseline", target] - 1
        yield Answer(f"{PAPER}.sec6_2.{number}", float(gain), files, RELATIVE)


def scores_of_both(
    read: Outputs, pairs: pd.Series, resamples: int = 1000, *, rng: int = 0
) -> pd.DataFrame:
    """Scores of the three systems, for the masculine and for the feminine (column target), with intervals over pairs of
    sentences. All are compared with Baseline, which copies.
    """
    tables = []
    for target, other in (("M", "F"), ("F", "M")):
        lines = {system: read.outputs[system, target] for system in SYSTEMS.values()}
        asked, against = read.references[target], read.references[other]
        drawn = {"groups": pairs.to_numpy(), "resamples": resamples, "rng": rng}
        table = compare_systems(lines, asked, against, **drawn)
        tables.append(table.assign(target=target))
    return pd.concat(tables, ignore_index=True)


def _sizes(sentences: pd.DataFrame) -> pd.DataFrame:
    """Sentences, words and words that mark gender, of each line."""
    marking = [
        sum(map(str.__ne__, masculine.split(), feminine.split()))
        for masculine, feminine in zip(sentences["masculine"], sentences["feminine"])
    ]
    words = sentences["input"].str.split().map(len)
    return sentences[["label"]].assign(sentences=1, words=words, marking=marking)
