"""Tune all-MiniLM-L6-v2 on GAP with its last layers or all of them, beside the same heads on it frozen, and measure what the papers' own
settings cost.

python -m scripts.train.tuned_resolvers.train [--folder data/models/tuned-resolvers] [--minutes 9]     a card; hours on a processor
python -m scripts.train.tuned_resolvers.train --parts costs         random BERT of base and large size: seconds a step, memory
python -m scripts.train.tuned_resolvers.train --card                writes card.md from the files of the folder

Trained on gap-development, stopped on gap-validation, tested on gap-test, as the paper of Attree has it for single models.

Decided before a test passage was scored:

- The statistic is the log loss on gap-test of the head "mentions" with two layers tuned, minus that of the same head with none
  tuned: same passages, same seeds 0 to 4, the mean over the seeds. Its 95 % interval is a bootstrap over pages, both arms
  scored on the same draws. Below zero with an interval below zero, tuning has helped; all other rows are beside it.
- Rates are chosen on gap-validation, with seed 100, which is not used again: of the head for the frozen arm, which the others
  take over, then of the encoder for each of the two tuned arms with this head. The other heads take the rate of all six layers.
- Nothing else is chosen. Each arm stops by the log loss on gap-validation.
"""

import argparse
import gc
import logging
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from lib.command import command
from lib.coreference.resolvers.examples import Examples
from lib.coreference.scores import by_gender, f1, log_loss, losses
from lib.datasets.gap import CLASSES, read_gap
from lib.files import write_whole
from lib.paths import DATA
from lib.sources.hub import model_folder
from scripts import commands
from scripts.train.tuned_resolvers.card import RESULT, write_card
from studies.resolvers.tuned import Passage, Training, Tuned

FOLDER = DATA / "models" / "tuned-resolvers"
TRAINED, WATCHED, TESTED = "gap_development", "gap_validation", "gap_test"
PARTS = ("main", "costs", "others")
SEEDS, OTHER_SEEDS, CHOOSING = 5, 3, 100
HEAD_RATES = (3e-4, 1e-3, 3e-3)
ENCODER_RATES = (3e-5, 1e-4, 3e-4)
MAIN = Tuned(head="mentions", head_dropout=0.5, batch_size=16, epochs=12, patience=3)
FROZEN, TWO, ALL = "mentions, frozen", "mentions, 2 layers", "mentions, 6 layers"
ARMS = {
    FROZEN: replace(MAIN, tuned_layers=0),
    TWO: replace(MAIN, tuned_layers=2),
    ALL: replace(MAIN, tuned_layers=6),
}
# The papers' heads, each with as great a share of the layers tuned as in the paper, and frozen.
PROBERT = replace(MAIN, head="pronoun", tagged=True, head_dropout=0.1)
MSNET = replace(MAIN, head="similarity", top=4, hidden=32, pooling="attention")
COREFSEQ = replace(MAIN, head="ends", hidden=512, head_dropout=0.1)
CLASSIFIER = replace(MAIN, head="first", hidden=384, tagged=True, head_dropout=0.1)
OTHERS = {
    "Attree: tags, all tuned": replace(PROBERT, tuned_layers="all"),
    "Attree: tags, frozen": replace(PROBERT, tuned_layers=0),
    "Wang: similarity, 3 layers": replace(MSNET, tuned_layers=3, epochs=16, head_epochs=4),
    "Wang: similarity, frozen": replace(MSNET, tuned_layers=0),
    "Chada: ends, 3 layers": replace(COREFSEQ, tuned_layers=3),
    "Chada: ends, frozen": replace(COREFSEQ, tuned_layers=0),
    "Ionita: first piece, all tuned": replace(CLASSIFIER, tuned_layers="all"),
    "Ionita: first piece, frozen": replace(CLASSIFIER, tuned_layers=0),
}
DRAWS = 10_000

# Sizes of BERT, and what the papers give it: layers tuned, passages in a step, pieces of the longest passage.
SIZES = {
    "base": dict(
        hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072
    ),
    "large": dict(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
    ),
}
COSTS = (
    ("Attree, base", "base", Tuned(head="pronoun", tagged=True, batch_size=16), 300),
    ("Attree, large", "large", Tuned(head="pronoun", tagged=True, batch_size=8), 300),
    (
        "Chada, CorefSeq",
        "large",
        Tuned(head="ends", hidden=512, tuned_layers=12, batch_size=10),
        300,
    ),
    (
        "Wang 10",
        "large",
        Tuned(
            head="similarity", top=8, hidden=16, pooling="attention", tuned_layers=12, batch_size=5
        ),
        300,
    ),
    ("Alfaro, without its words", "base", Tuned(head="pronoun", batch_size=30, parts=5), 256),
    ("Ionita", "large", Tuned(head="first", hidden=1024, tagged=True, batch_size=32), 256),
)
IN_BOTH = ("Attree, base", "Attree, large")  # measured in single precision, too
STEPS, WARM = 20, 2
SAMPLE = 400  # passages that steps are taken from

log = logging.getLogger("lib")


def read(key: str, rows: int | None = None) -> Examples:
    """Passages of GAP without states, which nothing here reads."""
    passages = read_gap(key).head(rows) if rows else read_gap(key)
    return Examples(passages, np.empty((len(passages), 0, 3, 0), dtype=np.float32), f"{key} {rows}")


def trained(
    name: str, settings: Tuned, data: Sequence[Examples], seed: int
) -> tuple[dict, NDArray[np.float64]]:
    """One training: what it reached, as a row, and its answers to the passages of the test."""
    examples, watched, tested = data
    cuda = torch.cuda.is_available() and settings.device != "cpu"
    if cuda:
        gc.collect()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    begun = time.perf_counter()
    fitted = settings.fit(examples, validation=watched, rng=seed)
    seconds = time.perf_counter() - begun
    peak = torch.cuda.max_memory_allocated() / 2**20 if cuda else np.nan
    said = fitted.probabilities(tested)
    lowest = min(fitted.history, key=lambda row: row["held out"])
    row = dict(
        arm=name,
        seed=seed,
        learning_rate=settings.learning_rate,
        head_learning_rate=settings.head_learning_rate,
        validation=lowest["held out"],
        epoch=lowest["epoch"],
        epochs=len(fitted.history),
        seconds=seconds,
        peak_mib=peak,
        device=torch.cuda.get_device_name() if cuda else "cpu",
        precision=fitted.network.precision,
    )
    table = by_gender(said, tested.answers, tested.female)
    for score in ("log loss", "F1"):
        row |= {score: table.loc[score, "overall"], f"{score} ratio": table.loc[score, "ratio"]}
    log.info(
        "%s, seed %d: %.4f on validation after %d epochs, %.0f s",
        name,
        seed,
        row["validation"],
        row["epochs"],
        seconds,
    )
    return row, said


class Kept:
    """What a folder holds of the trainings done: a run that was interrupted goes on behind them. One whose answers are not there
    (the repository keeps the scores alone) is done again.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.said = _read(folder / "predictions.csv")
        self.rows = _read(folder / "scores.csv") if len(self.said) else pd.DataFrame()

    def has(self, arm: str, seed: int) -> bool:
        """Whether this training is done."""
        return bool(len(self.rows)) and bool(
            ((self.rows["arm"] == arm) & (self.rows["seed"] == seed)).any()
        )

    def add(self, row: dict, said: NDArray[np.float64], identifiers: Sequence[str]) -> None:
        """One training more."""
        known = dict(ID=identifiers, arm=row["arm"], seed=row["seed"])
        answers = pd.DataFrame(known | dict(zip(CLASSES, said.round(5).T)))
        self.rows = pd.concat([self.rows, pd.DataFrame([row])], ignore_index=True)
        self.said = pd.concat([self.said, answers], ignore_index=True)
        write_whole(self.folder / "scores.csv", self.rows.to_csv(index=False, float_format="%.6g"))
        write_whole(self.folder / "predictions.csv", self.said.to_csv(index=False))


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path) if path.is_file() else pd.DataFrame()


def chosen(
    kept: Kept, name: str, candidates: Sequence[Tuned], data: Sequence[Examples], until: float
) -> Tuned:
    """The candidate with the lowest log loss on the passages watched, one training each; the test part plays no part in it."""
    path = kept.folder / "chosen.csv"
    found = []
    for settings in candidates:
        rates = [settings.learning_rate, settings.head_learning_rate]
        table = _read(path)
        there = table[table["arm"] == name] if len(table) else table
        there = (
            there[(there[["learning_rate", "head_learning_rate"]] == rates).all(axis=1)]
            if len(there)
            else there
        )
        if not len(there) and time.monotonic() < until:
            row, _ = trained(name, settings, (*data[:2], data[1]), CHOOSING)
            row = {
                key: value for key, value in row.items() if not key.startswith(("log loss", "F1"))
            }
            there = pd.DataFrame([row])
            write_whole(path, pd.concat([table, there]).to_csv(index=False, float_format="%.6g"))
        found.append(there["validation"].iloc[0] if len(there) else np.inf)
    return candidates[int(np.argmin(found))]


def plan(
    kept: Kept, parts: Sequence[str], data: Sequence[Examples], device: str, until: float
) -> Iterator[tuple[str, Tuned, int]]:
    """The trainings in their order, the rates chosen first: whole seeds, so that a run that ends early has pairs."""
    base = replace(ARMS[FROZEN], device=device)
    frozen = chosen(
        kept, FROZEN, [replace(base, head_learning_rate=rate) for rate in HEAD_RATES], data, until
    )
    arms = {FROZEN: frozen}
    for name in (TWO, ALL):
        like = replace(ARMS[name], device=device, head_learning_rate=frozen.head_learning_rate)
        arms[name] = chosen(
            kept, name, [replace(like, learning_rate=rate) for rate in ENCODER_RATES], data, until
        )
    if "main" in parts:
        yield from ((name, arms[name], seed) for seed in range(SEEDS) for name in arms)
    if "others" in parts:
        rates = dict(learning_rate=arms[ALL].learning_rate, device=device)
        for seed in range(OTHER_SEEDS):
            yield from (
                (name, replace(settings, **rates), seed) for name, settings in OTHERS.items()
            )


def train(
    folder: Path, parts: Sequence[str], device: str, minutes: float, rows: int | None
) -> None:
    """Every training that is asked for and fits into the time."""
    until = time.monotonic() + 60 * minutes
    data = [read(key, rows) for key in (TRAINED, WATCHED, TESTED)]
    kept = Kept(folder)
    for name, settings, seed in plan(kept, parts, data, device, until):
        if time.monotonic() > until:
            log.info("the time is up before %s, seed %d", name, seed)
            break
        if not kept.has(name, seed):
            kept.add(*trained(name, settings, data, seed), data[2].passages["ID"].tolist())
    if len(kept.rows):
        table = differences(kept.said, data[2].passages, data[2].answers)
        write_whole(folder / "differences.csv", table.to_csv(index=False, float_format="%.6g"))
        log.info("\n%s", table.to_string())


def differences(
    said: pd.DataFrame, passages: pd.DataFrame, answers: NDArray[np.intp], draws: int = DRAWS
) -> pd.DataFrame:
    """Each arm less the frozen one of its head on the same seeds: log loss, F1 and its ratio of feminine by masculine, with 95 %
    intervals over pages and, for log loss, over pages and seeds.
    """
    order = passages["ID"].tolist()
    arms = {
        name: {
            seed: part.set_index("ID").loc[order, list(CLASSES)].to_numpy()
            for seed, part in rows.groupby("seed")
        }
        for name, rows in said.groupby("arm", sort=False)
    }
    female = (passages["gender"] == "female").to_numpy()
    pages, count = np.unique(passages["URL"], return_inverse=True)
    rng = np.random.default_rng(0)
    weights = rng.multinomial(len(pages), np.full(len(pages), 1 / len(pages)), draws)[:, count]
    found = []
    for name, by_seed in arms.items():
        other = f"{name.partition(',')[0]}, frozen"
        seeds = sorted(set(by_seed) & set(arms.get(other, {})))
        if name == other or not seeds:
            continue
        gaps = np.array(
            [losses(by_seed[s], answers) - losses(arms[other][s], answers) for s in seeds]
        )
        means = weights @ gaps.T / weights.sum(axis=1, keepdims=True)  # draws by seeds
        picked = rng.integers(len(seeds), size=(draws, len(seeds)))
        both = np.take_along_axis(means, picked, axis=1).mean(axis=1)
        low, high = np.percentile(means.mean(axis=1), [2.5, 97.5])
        low_both, high_both = np.percentile(both, [2.5, 97.5])
        each = gaps.mean(axis=1)
        scores = [f1(by_seed[s], answers) - f1(arms[other][s], answers) for s in seeds]
        f1_draws, ratios = (
            sum(
                sign * np.mean([score(arm[s], answers, weights, female) for s in seeds], axis=0)
                for sign, arm in ((1, by_seed), (-1, arms[other]))
            )
            for score in (_f1_draws, _ratio_draws)
        )
        found.append(
            {
                "arm": name,
                "less": other,
                "seeds": len(seeds),
                "log loss": log_loss_of(by_seed, answers, seeds),
                "log loss, frozen": log_loss_of(arms[other], answers, seeds),
                "difference": gaps.mean(),
                "low": low,
                "high": high,
                "low, seeds too": low_both,
                "high, seeds too": high_both,
                "lowest seed": each.min(),
                "highest seed": each.max(),
                "F1 difference": np.mean(scores),
                "F1 low": np.percentile(f1_draws, 2.5),
                "F1 high": np.percentile(f1_draws, 97.5),
                "F1 ratio difference": ratios[0],
                "F1 ratio low": np.percentile(ratios[1:], 2.5),
                "F1 ratio high": np.percentile(ratios[1:], 97.5),
            }
        )
    return pd.DataFrame(found)


def log_loss_of(
    by_seed: dict[int, NDArray], answers: NDArray[np.intp], seeds: Sequence[int]
) -> float:
    """The mean over seeds."""
    return float(np.mean([log_loss(by_seed[seed], answers) for seed in seeds]))


def _f1_draws(
    said: NDArray, answers: NDArray[np.intp], weights: NDArray, *_: object
) -> NDArray[np.float64]:
    """F1 of each draw of pages."""
    picked = said.argmax(axis=1)
    right = weights @ ((picked < 2) & (picked == answers))
    return 2 * right / (weights @ ((picked < 2) * 1 + (answers < 2)))


def _ratio_draws(
    said: NDArray, answers: NDArray[np.intp], weights: NDArray, female: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """F1 on feminine by F1 on masculine pronouns, of all passages and behind it of each draw of pages."""
    whole = np.vstack([np.ones(len(answers), dtype=weights.dtype), weights])
    feminine, masculine = (
        _f1_draws(said[rows], answers[rows], whole[:, rows]) for rows in (female, ~female)
    )
    return feminine / masculine


def costs(folder: Path, device: str, encoder: str, rows: int | None) -> None:
    """Seconds a step and memory of the papers' settings on encoders of their size with random weights: on passages as they come
    and, for memory, on passages that are all as long as allowed.
    """
    examples = read(TRAINED, rows or SAMPLE)
    found = []
    with tempfile.TemporaryDirectory() as place:
        for size in dict.fromkeys(size for _, size, _, _ in COSTS):
            made = random_bert(Path(place) / size, SIZES[size], encoder)
            for name, of, settings, longest in COSTS:
                if of != size:
                    continue
                shared = dict(encoder=str(made), device=device, longest=longest)
                for precision in ("float32", "auto") if name in IN_BOTH else ("auto",):
                    for checkpointing in (False, True):
                        ways = dict(precision=precision, checkpointing=checkpointing)
                        asked = replace(settings, **shared, **ways)
                        found.append(dict(system=name, size=size) | step_cost(asked, examples))
                        log.info("%s", found[-1])
                        table = pd.DataFrame(found).to_csv(index=False, float_format="%.6g")
                        write_whole(folder / "costs.csv", table)
            shutil.rmtree(made)


def random_bert(folder: Path, size: dict, like: str) -> Path:
    """A BERT with random weights and the tokenizer of another encoder: all-MiniLM-L6-v2 has the vocabulary of BERT uncased."""
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True)
    source, _ = model_folder(like)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copyfile(source / name, folder / name)
    torch.manual_seed(0)
    BertModel(BertConfig(vocab_size=30522, **size)).save_pretrained(folder)
    return folder


def step_cost(settings: Tuned, examples: Examples) -> dict:
    """Seconds of a step and peak memory of one setting."""
    cuda = torch.cuda.is_available() and settings.device != "cpu"
    shown = ("precision", "checkpointing", "batch_size", "parts", "tuned_layers", "longest")
    row = {name: getattr(settings, name) for name in shown}
    training = None
    try:
        gc.collect()
        if cuda:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        training = Training(replace(settings, epochs=1000), examples, None, 0)
        row["precision"] = training.network.precision
        row["parameters"] = sum(p.numel() for p in training.network.parameters())
        row["trained"] = sum(p.numel() for p in training.parameters.values())
        row["pieces"] = np.mean([len(passage.ids) for passage in training.passages])
        row["seconds"] = _seconds(training, cuda)
        if cuda:
            row["peak_mib"] = torch.cuda.max_memory_allocated() / 2**20
            torch.cuda.reset_peak_memory_stats()
        training.passages = [_stretched(passage, settings.longest) for passage in training.passages]
        row["seconds, longest"] = _seconds(training, cuda)
        if cuda:
            row["peak_mib, longest"] = torch.cuda.max_memory_allocated() / 2**20
    except torch.cuda.OutOfMemoryError:
        row["error"] = "out of memory"
    del training
    return row | dict(device=torch.cuda.get_device_name() if cuda else "cpu")


def _seconds(training: Training, cuda: bool) -> float:
    """Of a step, the mean of `STEPS` behind `WARM`."""
    begun = 0.0
    for step in range(WARM + STEPS):
        if step == WARM:
            if cuda:
                torch.cuda.synchronize()
            begun = time.perf_counter()
        training._take(step)
    if cuda:
        torch.cuda.synchronize()
    return (time.perf_counter() - begun) / STEPS


def _stretched(passage: Passage, longest: int) -> Passage:
    """The passage with its own pieces again until it is as long as allowed."""
    body = passage.ids[1:-1]
    more = (body * (longest // len(body) + 1))[: longest - len(passage.ids)]
    return replace(passage, ids=[*passage.ids[:-1], *more, passage.ids[-1]])


@command(commands.GOES_ON)
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = commands.parser("train.tuned_resolvers.train", __doc__, FOLDER)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument(
        "--encoder",
        default="minilm",
        help="a folder with all-MiniLM-L6-v2, where the package is not there",
    )
    parser.add_argument("--device", default="auto")
    parser.add_argument("--minutes", type=float, default=1e9, help="no training begins later")
    parser.add_argument("--rows", type=int, help="so many passages of each part, to try it")
    commands.add_card(parser)
    options = commands.read(parser, arguments)
    if not options.card:
        run(options)
    elif missing := [name for name in RESULT if not (options.folder / name).is_file()]:
        parser.error(f"{options.folder}: {', '.join(missing)} missing; train first")
    else:
        write_card(options.folder)


def run(options: argparse.Namespace) -> None:
    """What the command line asks for."""
    begun = time.monotonic()
    for table in (ARMS, OTHERS):
        for name, settings in table.items():
            table[name] = replace(settings, encoder=options.encoder)
    options.folder.mkdir(parents=True, exist_ok=True)
    for part in dict.fromkeys(options.parts):
        left = options.minutes - (time.monotonic() - begun) / 60
        if part == "costs":
            costs(options.folder, options.device, options.encoder, options.rows)
        else:
            train(options.folder, [part], options.device, left, options.rows)
    log.info("all done after %.1f minutes", (time.monotonic() - begun) / 60)


if __name__ == "__main__":
    sys.exit(main())
