"""The systems of the chapter on resolvers: what is trained of each paper, on which split, and what the paper prints."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from multiprocessing import get_context
from time import perf_counter

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.coreference.intervals import gender_intervals
from lib.coreference.predictions import codes
from lib.coreference.resolvers.attention import read_once
from lib.coreference.resolvers.examples import Examples, encode_examples, joined
from lib.coreference.resolvers.resolver import Resolver, are_kept, predictions_by_seed
from lib.coreference.scores import by_gender
from lib.datasets.gap import read_gap
from lib.datasets.gap_corrections import corrected_answers
from lib.ledger import claims
from studies.resolvers.anonymised import encode_versions, joined_versions
from studies.resolvers.heuristics import (
    Always,
    InTitle,
    Parallelism,
    Random,
    Rule,
    TokenDistance,
)
from studies.resolvers.rows import forget

log = logging.getLogger("lib")

SPLITS = {
    "stage 1": (("gap_test", "gap_validation"), "gap_development"),
    "reverse": (("gap_development", "gap_validation"), "gap_test"),
}
# What a system is given: the mean state of a mention's pieces, their mean by attention, or also the same passages with
# the names of Liu's first set.
READINGS = ("mean", "attention", "names")
COLUMNS = ["group", "system", "split", "seed", "measure", "value", "low", "high", "n"]
MEASURES = ("log loss", "F1", "log loss ratio", "F1 ratio")
CORRECTED = "corrected answers"
RECORDED = (
    *MEASURES,
    "log loss difference",
    "F1 difference",
    f"log loss, {CORRECTED}",
    f"F1 ratio, {CORRECTED}",
)
ALL_SEEDS = "all"
ON_A_CARD = "tuned"  # the group that takes hours of a graphics card: it is run where it is named


@dataclass(frozen=True)
class Entry:
    """One row of the chapter's tables."""

    system: str
    # the table it belongs to: "systems", or the name of a comparison in which one thing varies
    group: str
    resolver: Resolver
    split: str = "stage 1"  # of SPLITS, as the paper has it
    # models on as many parts of the training passages are averaged; 0 for one on all of them
    folds: int = 0
    reads: str = "mean"  # what it is given: of READINGS
    # measure -> id of the claim that prints it
    printed: Mapping[str, str] = field(default_factory=dict)
    differs: str = ""  # from the paper, beside the encoder

    @property
    def paper(self) -> str:
        """The paper whose idea it is, by the name of its claims; "" for none."""
        return self.resolver.paper


def read_split(split: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The passages to train on and those to test on."""
    one_of("split", split, SPLITS)
    train, test = SPLITS[split]
    return pd.concat([read_gap(key) for key in train], ignore_index=True), read_gap(test)


def encode_split(
    split: str, encoder: str = "minilm", *, reads: str = "mean", device: str = "auto"
) -> tuple[Examples, Examples]:
    """The same as an encoder sees them, each file encoded once whatever it serves for."""
    one_of("split", split, SPLITS)
    one_of("reads", reads, READINGS)
    train, test = SPLITS[split]
    if reads == "names":
        versions = [
            encode_versions(read_gap(key), encoder, sets=[1], device=device)
            for key in (*train, test)
        ]
        return joined_versions(versions[:-1]), versions[-1]
    parts = [
        encode_examples(read_gap(key), encoder, pooling=reads, device=device)
        for key in (*train, test)
    ]
    return joined(parts[:-1]), parts[-1]


def shared_pages(train: pd.DataFrame, test: pd.DataFrame) -> NDArray[np.bool_]:
    """Which test passages come from a page that is also trained on.

    >>> shared_pages(*(pd.DataFrame({"URL": pages}) for pages in (["a", "b"], ["b", "c"])))
    array([ True, False])
    """
    return test["URL"].isin(train["URL"]).to_numpy()


def names_of(entries: Iterable[Entry]) -> list[str]:
    """What `chosen` may be asked for: systems, groups, and "all"."""
    return sorted({name for entry in entries for name in (entry.system, entry.group)} | {"all"})


def chosen(entries: Iterable[Entry], wanted: Collection[str], **settings: object) -> list[Entry]:
    """The entries whose system or group is wanted ("all" for all but those of the group "tuned"), set to an encoder and a device.

    What is the name of a group is not also read as that of a system. Resolvers that have a field such as `encoder` get its
    value.
    """
    entries = list(entries)
    for name in wanted:
        one_of("systems", name, names_of(entries))
    groups = {entry.group for entry in entries}
    kept = [
        entry
        for entry in entries
        if ("all" in wanted and entry.group != ON_A_CARD)
        or entry.group in wanted
        or (entry.system in wanted and entry.system not in groups)
    ]
    return [replace(entry, resolver=_set(entry.resolver, settings)) for entry in kept]


def _set(resolver: Resolver, settings: Mapping[str, object]) -> Resolver:
    own = {field.name for field in fields(resolver)}
    return replace(resolver, **{name: value for name, value in settings.items() if name in own})


def scores_by_seed(probabilities: ArrayLike, answers: ArrayLike, female: ArrayLike) -> pd.DataFrame:
    """The measures of every training, and of the mean of their probabilities (`ALL_SEEDS`), shape (seeds, n, 3).

    Differences are feminine less masculine pronouns. Ratios are feminine by masculine for F1 and the other way round for log
    loss, so that below 1 is worse on feminine pronouns.
    """
    probabilities = np.asarray(probabilities, dtype=float)
    if probabilities.ndim != 3:
        raise ValueError(
            f"expected probabilities of shape (seeds, n, 3), got {probabilities.shape}; one training is [probabilities]."
        )
    trainings = [*enumerate(probabilities), (ALL_SEEDS, probabilities.mean(axis=0))]
    rows = {}
    for seed, each in trainings:
        table = by_gender(each, answers, female)
        found = {}
        for measure in ("log loss", "F1"):
            found[measure] = table.loc[measure, "overall"]
            found[f"{measure} ratio"] = table.loc[measure, "ratio"]
            sides = table.loc[measure, "feminine"], table.loc[measure, "masculine"]
            found[f"{measure} difference"] = sides[0] - sides[1]
        rows[seed] = found
    return pd.DataFrame.from_dict(rows, orient="index")


def between_seeds(values: ArrayLike) -> float:
    """The mean distance between two trainings: what another seed alone changes; nan for fewer than two.

    >>> between_seeds([1.0, 2.0, 4.0])
    2.0
    """
    values = np.asarray(values, dtype=float)
    apart = np.abs(values[:, None] - values)[np.triu_indices(len(values), 1)]
    return float(apart.mean()) if len(apart) else float("nan")


def measured(
    probabilities: ArrayLike,
    passages: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """What a system reaches, in rows that can be recorded: by seed, and for the mean of their probabilities (seeds, n, 3) with
    intervals over pages. Columns measure, seed, value, low, high (nan for single seeds).
    """
    answers = codes(passages["answer"])
    female = (passages["gender"] == "female").to_numpy()
    scores = scores_by_seed(probabilities, answers, female)
    long = scores.rename_axis("seed").reset_index().melt("seed", var_name="measure")
    ends = gender_intervals(
        np.mean(probabilities, axis=0),
        answers,
        female,
        pages=passages["URL"].to_numpy(),
        n_resamples=n_resamples,
        rng=rng,
    )
    for side in ("low", "high"):
        known = {
            f"{measure}{name}": ends.loc[(measure, of), side]
            for measure in ("log loss", "F1")
            for name, of in (("", "overall"), (" ratio", "ratio"))
        }
        long[side] = long["measure"].map(known).where(long["seed"] == ALL_SEEDS)
    return long[["measure", "seed", "value", "low", "high"]]


def rules(train: pd.DataFrame) -> dict[str, Rule]:
    """The rules of GAP's paper by name; the first gives the most frequent answer of the passages."""
    most = int(np.bincount(codes(train["answer"])).argmax())
    return {
        "most frequent answer": Always(most),
        "random": Random(),
        "token distance": TokenDistance(),
        "parallelism": Parallelism(),
        "page title, then parallelism": InTitle(),
    }


def table_of(results: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Scores as `all_scores` gives them, by the `results` of the chapter's ledger: of its run, or as they were recorded."""
    found = [results(measure).assign(measure=measure) for measure in RECORDED]
    table = pd.concat(found, ignore_index=True).reindex(columns=[*COLUMNS, "recorded"])
    return table.dropna(subset=["system"])


def all_scores(
    entries: Iterable[Entry],
    *,
    encoder: str = "minilm",
    device: str = "auto",
    split: str = "",
    seeds: int = 5,
    n_resamples: int = 1000,
    rng: int = 0,
    said: list[NDArray[np.float64]] | None = None,
) -> pd.DataFrame:
    """Every entry trained with every seed and scored, and the rules of GAP's paper on the same splits: `COLUMNS`, a row for each
    measure, entry and seed. `split` is one for all; "" for each entry's own. `said` are `predictions` that are at hand.
    """
    entries = [replace(entry, split=split or entry.split) for entry in entries]
    passages = {name: read_split(name) for name in dict.fromkeys(e.split for e in entries)}
    found = []
    for name, (train, test) in passages.items():
        for system, rule in rules(train).items():
            of_rule = [rule.probabilities(test, train, codes(train["answer"]))]
            table = measured(of_rule, test, n_resamples=n_resamples, rng=rng)
            found.append(table.assign(group="rules", system=system, split=name, n=len(test)))
    if said is None:
        said = _all_predictions(entries, encoder, device, seeds)
    for entry, each in zip(entries, said, strict=True):
        test = passages[entry.split][1]
        tables = [measured(each, test, n_resamples=n_resamples, rng=rng)]
        if entry.group in ("systems", "splits"):
            tables.append(_corrected(each, test, SPLITS[entry.split][1]))
        about = dict(group=entry.group, system=entry.system, split=entry.split, n=len(test))
        found += [table.assign(**about) for table in tables]
    return pd.concat(found, ignore_index=True)[COLUMNS]


def predictions(
    entries: Iterable[Entry],
    *,
    encoder: str = "minilm",
    device: str = "auto",
    split: str = "",
    seeds: int = 5,
) -> list[NDArray[np.float64]]:
    """What every entry says of its test passages with every seed, each of shape (seeds, n, 3)."""
    entries = [replace(entry, split=split or entry.split) for entry in entries]
    return _all_predictions(entries, encoder, device, seeds)


def said_on_split(
    entries: Iterable[Entry], said: Iterable[NDArray[np.float64]], split: str
) -> dict[str, NDArray[np.float64]]:
    """The mean of all seeds, by system, of the systems that `on_split` shows: each once, on the passages of one split."""
    found: dict[str, NDArray[np.float64]] = {}
    for entry, each in zip(entries, said, strict=True):
        if entry.split == split and entry.group in ("systems", "splits"):
            name = entry.system
            name = name.rpartition(", ")[0] if entry.group == "splits" else name
            found.setdefault(name, each.mean(axis=0))
    return found


def _all_predictions(
    entries: list[Entry], encoder: str, device: str, seeds: int
) -> list[NDArray[np.float64]]:
    """What every entry says: texts are read first, each once, then what is not in the cache is trained."""
    settings = dict(encoder=encoder, device=device)
    predict = partial(_predictions, seeds=seeds, **settings)
    said, missing = {}, {}
    with _processes(device) as in_parallel:
        files = list(dict.fromkeys(key for entry in entries for key in _files(entry)))
        in_parallel(partial(_read_file, entries=entries, **settings), files)
        for entry in sorted(entries, key=lambda entry: (entry.split, entry.reads)):
            split = _encoded(entry.split, encoder, entry.reads, device)
            if are_kept(entry.resolver, *split, seeds=seeds, folds=entry.folds):
                said[_trained_as(entry)] = predict(entry)
            else:
                missing[_trained_as(entry)] = entry
        kinds = dict.fromkeys(e.resolver.reads for e in missing.values() if e.resolver.reads)
        jobs = [(kind, key) for key in files for kind in kinds]  # one parser is trained, not two
        in_parallel(partial(_read_more, entries=list(missing.values()), **settings), jobs)
        said |= zip(missing, in_parallel(predict, list(missing.values())))
    return [said[_trained_as(entry)] for entry in entries]


def _trained_as(entry: Entry) -> tuple[Resolver, str, str, int]:
    """Entries alike in this are trained once."""
    return entry.resolver, entry.split, entry.reads, entry.folds


def _files(entry: Entry) -> list[str]:
    train, test = SPLITS[entry.split]
    return sorted([*train, test])


@contextmanager
def _processes(device: str) -> Iterator[Callable[[Callable, list], list]]:
    """A map over processes, one a core, where all is done on the CPU: each needs one core only."""
    workers = os.cpu_count() or 1
    if device != "cpu" or workers < 2:
        yield lambda function, items: [function(item) for item in items]
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield lambda function, items: list(pool.map(function, items))


def _read_file(key: str, entries: list[Entry], encoder: str, device: str) -> None:
    """One file through the encoder, for the states of mentions and attention."""
    start = perf_counter()
    wanted = {entry.reads for entry in entries if key in _files(entry)}
    passages = read_gap(key)
    read_once(passages, encoder, device=device)
    if "names" in wanted:
        encode_versions(passages, encoder, sets=[1], device=device)
    log.info("%s read in %.1f s", key, perf_counter() - start)


def _read_more(job: tuple[str, str], entries: list[Entry], encoder: str, device: str) -> None:
    """What some resolvers read of one file beside that."""
    start = perf_counter()
    kind, key = job
    readers = [
        entry.resolver for entry in entries if entry.resolver.reads == kind and key in _files(entry)
    ]
    for resolver in dict.fromkeys(readers):
        resolver.read(encode_examples(read_gap(key), encoder, device=device))
    forget()
    log.info("%s of %s read in %.1f s", kind, key, perf_counter() - start)


def _predictions(entry: Entry, encoder: str, device: str, seeds: int) -> NDArray[np.float64]:
    start = perf_counter()
    train, test = _encoded(entry.split, encoder, entry.reads, device)
    said = predictions_by_seed(entry.resolver, train, test, seeds=seeds, folds=entry.folds)
    log.info("%s, %s: %.1f s", entry.group, entry.system, perf_counter() - start)
    return said


@lru_cache(maxsize=2)
def _encoded(split: str, encoder: str, reads: str, device: str) -> tuple[Examples, Examples]:
    return encode_split(split, encoder, reads=reads, device=device)


def _corrected(probabilities: ArrayLike, passages: pd.DataFrame, key: str) -> pd.DataFrame:
    """Log loss and F1 ratio of all seeds' mean against the answers that Attree corrected."""
    answers = codes(corrected_answers("attree", key).loc[passages["ID"]])
    female = (passages["gender"] == "female").to_numpy()
    scores = by_gender(np.mean(probabilities, axis=0), answers, female)
    values = scores.loc["log loss", "overall"], scores.loc["F1", "ratio"]
    names = [f"{measure}, {CORRECTED}" for measure in ("log loss", "F1 ratio")]
    return pd.DataFrame({"measure": names, "seed": ALL_SEEDS, "value": values})


def overview(scores: pd.DataFrame, entries: Mapping[tuple[str, str], Entry]) -> pd.DataFrame:
    """One row for each system of `all_scores`: what it reaches, over pages and over seeds, and what its paper prints.

    For each measure its name (of the mean of all seeds), and with "low", "high" (over pages), "seeds low", "seeds high",
    "between seeds" (mean distance of two trainings) and "printed" behind it; `recorded` is not of this run. Rows are in the
    order of `entries` (by group and system); what is not there comes last.
    """
    found = []
    for (group, system, split), rows in scores.groupby(["group", "system", "split"], sort=False):
        row = {"group": group, "system": system, "split": split, "n": rows["n"].max()}
        row["recorded"] = "recorded" in rows and bool(rows["recorded"].any())
        entry = entries.get((group, system))
        for measure, part in rows.groupby("measure", sort=False):
            whole = part[part["seed"].astype(str) == ALL_SEEDS].iloc[0]
            each = part.loc[part["seed"].astype(str) != ALL_SEEDS, "value"].astype(float)
            row |= {measure: whole["value"], f"{measure} low": whole["low"]}
            row |= {
                f"{measure} high": whole["high"],
                f"{measure} between seeds": between_seeds(each),
            }
            several = len(each) > 1
            row[f"{measure} seeds low"] = each.min() if several else np.nan
            row[f"{measure} seeds high"] = each.max() if several else np.nan
            claim = entry.printed.get(measure) if entry else None
            row[f"{measure} printed"] = claims.printed(claim) if claim else np.nan
        found.append(row)
    ends = ("", " low", " high", " between seeds", " seeds low", " seeds high", " printed")
    columns = [f"{measure}{end}" for measure in RECORDED for end in ends]
    labels = ["group", "system", "split"]
    table = pd.DataFrame(found).reindex(columns=[*labels, "n", "recorded", *columns])
    order = {key: place for place, key in enumerate(entries)}
    places = [order.get(key, len(order)) for key in zip(table["group"], table["system"])]
    return table.astype(dict.fromkeys(labels, object)).iloc[np.argsort(places, kind="stable")]


def origin(table: pd.DataFrame) -> str:
    """Where the rows of an overview come from, in words that end a caption.

    >>> origin(pd.DataFrame({"recorded": [True, False, False]}))
    '1 of 3 recorded with the profile sample, the others in this run'
    """
    kept = int(table["recorded"].sum())
    if kept and kept < len(table):
        return f"{kept} of {len(table)} recorded with the profile sample, the others in this run"
    return "recorded with the profile sample" if kept else "in this run"


def _marked(table: pd.DataFrame) -> pd.Series:
    """The names of systems; where some are of this run, those that are recorded say so."""
    kept = table.get("recorded", pd.Series(False, table.index)).astype(bool)
    return table["system"].mask(kept & ~kept.all(), table["system"].astype(str) + " (recorded)")


def on_split(table: pd.DataFrame, split: str) -> pd.DataFrame:
    """The systems and rules of an overview on the passages of one split, whatever their papers chose: each once, the best log
    loss first. Rows of the group "splits" are named after system and split.
    """
    of_split = table[table["split"] == split]
    parts = of_split[of_split["group"].isin(["systems", "splits", "rules"])]
    both = parts["group"] == "splits"
    names = [name.rpartition(", ")[0] if of else name for name, of in zip(parts["system"], both)]
    groups = parts["group"].replace("splits", "systems")
    parts = parts.assign(system=names, group=groups).drop_duplicates(["group", "system"])
    return parts.sort_values(["group", "log loss"], ascending=[False, True])


def order_beside_printed(
    scores: pd.DataFrame, entries: Mapping[tuple[str, str], Entry]
) -> pd.DataFrame:
    """Log loss by seed, with that of all seeds and the printed one, of every row of which a paper prints one.

    Index group and system; columns the seeds, `ALL_SEEDS` and "printed". Ranks of a column beside those of "printed" say
    whether the printed order comes back, and columns beside one another whether ours would. What stands in two tables
    (the same head with the same printed number) is one row.
    """
    losses = scores[scores["measure"] == "log loss"]
    losses = losses.assign(seed=losses["seed"].astype(str))
    keys = ["group", "system"]
    wide = losses.pivot_table(index=keys, columns="seed", values="value", aggfunc="first")
    claim = {key: entry.printed.get("log loss") for key, entry in entries.items()}
    known = [key for key in wide.index if claim.get(key)]
    wide = wide.loc[known]
    printed = wide.assign(printed=[claims.printed(claim[key]) for key in known])
    return printed.drop_duplicates()


@dataclass(frozen=True)
class OrderAgreement:
    """How far the printed order comes back: rank correlations of log losses over the rows that a paper prints."""

    value: float  # of our mean over all seeds with what is printed
    low: float  # with high, the least and the most of single trainings
    high: float
    null_low: float  # with null_high, where 95 % of orders dealt at random are
    null_high: float
    between: float  # mean of two trainings of ours, one read as if it were printed
    n: int


def order_agreement(
    orders: pd.DataFrame, *, draws: int = 2000, rng: int = 0
) -> OrderAgreement | None:
    """Of a table of `order_beside_printed`; None for fewer than six rows."""
    known = orders.dropna()
    if len(known) < 6:
        return None
    ranks = known.rank()
    agreement = ranks.corr()
    trainings = [name for name in orders if name not in (ALL_SEEDS, "printed")]
    single = agreement.loc[trainings, "printed"]
    pairs = agreement.loc[trainings, trainings].to_numpy()
    between = pairs[np.triu_indices(len(trainings), 1)]
    generator = np.random.default_rng(rng)
    printed = ranks["printed"].to_numpy()
    dealt = [np.corrcoef(printed, generator.permutation(len(printed)))[0, 1] for _ in range(draws)]
    null_low, null_high = np.quantile(dealt, [0.025, 0.975])
    return OrderAgreement(
        value=float(agreement.loc[ALL_SEEDS, "printed"]),
        low=float(single.min()),
        high=float(single.max()),
        null_low=float(null_low),
        null_high=float(null_high),
        between=float(between.mean()) if len(between) else float("nan"),
        n=len(known),
    )


def panels(table: pd.DataFrame) -> pd.DataFrame:
    """Log loss, and by how many per cent F1 is higher on feminine pronouns, for `lib.plots.dots_by_panel`; null low and null
    high are the range over seeds.
    """
    titles = {"log loss": "log loss", "F1 ratio": "feminine F1, % above masculine"}
    drawn = []
    for measure, title in titles.items():
        suffixes = {"value": "", "low": " low", "high": " high", "paper": " printed"}
        suffixes |= {"null low": " seeds low", "null high": " seeds high"}
        part = pd.DataFrame({name: table[measure + end] for name, end in suffixes.items()})
        if measure == "F1 ratio":
            part = 100 * (part - 1)
        drawn.append(part.assign(panel=title, row=_marked(table)))
    return pd.concat(drawn, ignore_index=True)


def readable(table: pd.DataFrame, measures: Collection[str]) -> pd.DataFrame:
    """The overview as text: each measure with its interval over pages and its range over seeds."""
    columns = {"system": _marked(table)}
    if table["split"].nunique() > 1:
        columns["split"] = table["split"]
    for measure in measures:
        form = "{:+.3f}" if "difference" in measure else "{:.3f}"
        columns[measure] = [form.format(value).replace("-", "−") for value in table[measure]]
        pages, seeds = span(table, measure), span(table, f"{measure} seeds")
        columns |= {f"{measure}: 95 % over pages": pages, f"{measure}: seeds": seeds}
    text = pd.DataFrame(columns)
    return text.loc[:, (text != "–").any()]


def beside_printed(table: pd.DataFrame, measures: Collection[str]) -> pd.DataFrame:
    """What systems reach beside what their papers print, for those of which something is printed; the best of ours first.

    >>> table = pd.DataFrame({"system": ["one", "two"], "F1": [0.5, 0.6], "F1 printed": [0.9, np.nan]})
    >>> beside_printed(table, ["F1"]).values.tolist()
    [['one', 0.5, 0.9]]
    """
    rows = table[table[[f"{measure} printed" for measure in measures]].notna().any(axis=1)]
    columns = {"system": _marked(rows)}
    for measure in measures:
        columns[f"{measure}, ours"] = rows[measure]
        columns[f"{measure}, printed"] = rows[f"{measure} printed"]
    return pd.DataFrame(columns).sort_values(f"{next(iter(measures))}, ours")


def span(table: pd.DataFrame, name: str) -> pd.Series:
    """Two columns, "… low" and "… high", as text."""
    ends = zip(table[f"{name} low"], table[f"{name} high"])
    texts = ["–" if np.isnan(low) else f"{low:.3f} to {high:.3f}" for low, high in ends]
    return pd.Series([text.replace("-", "−") for text in texts], table.index, dtype=object)
