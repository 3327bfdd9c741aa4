"""Train translators that differ in what their encoder starts from, and ask them for gender.

python -m scripts.train.translator.embedding_arms [--steps 1500] [--seeds 2] [--arms …]     needs the `sample` files

Each is the network of `scripts.train.translator.train`, trained without direct speech, its encoder
with a matrix of its own: random, or GloVe of the training sentences in one of the arms of
`scripts.train.translator.input_vectors`. Of one seed all else is the same. The vectors go on being
trained. What is kept is scores.json, under data/models/embedding-arms; a translator that has one is
not trained again, so that a stopped run goes on where it was.
"""

import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.command import command
from lib.files import new_file
from lib.translation.translators import ModelTranslator
from lib.translation.winomt import read_sentences
from scripts.commands import GOES_ON, read
from scripts.train import cards
from scripts.train.loop import best_precision
from scripts.train.translator.input_vectors import arm_vectors, contrast_left, glove_of_pieces
from scripts.train.translator.series import options, train_missing
from scripts.train.translator.split import Split
from scripts.train.translator.train import Settings, Work, prepare, start, train
from studies.equalizing.embedding_arms import ARMS, FOLDER, SEEDS
from studies.equalizing.font2019 import read_occupations
from studies.equalizing.friends import (
    CONTEXTS,
    CONTROLS,
    NO_CONTEXT,
    PAIRS,
    READINGS,
    amiga_log_odds,
    context_effects,
    counts_by_context,
    make_test,
    read_outputs,
)
from studies.translated_gender.scores import read_genders, winomt_scores

log = logging.getLogger("lib")


@dataclass(frozen=True)
class ArmSettings(Settings):
    """A run's settings, and which vectors its encoder starts from."""

    speech: float = 0.0
    vectors: str = "random"


def name_of(settings: ArmSettings) -> str:
    """The folder of a run: "glove-seed0"."""
    return f"{settings.vectors}-seed{settings.seed}"


def runs(
    steps: int, seeds: int, precision: str, arms: Sequence[str] = ARMS
) -> Iterator[ArmSettings]:
    """The settings of all translators, seed by seed, so that a stopped run has whole seeds."""
    for seed in range(seeds):
        for arm in arms:
            yield ArmSettings(vectors=arm, steps=steps, seed=seed, precision=precision)


def train_all(
    kept: Path, work_folder: Path, planned: Sequence[ArmSettings], device: str = "cpu"
) -> int:
    """Train those that have no scores in `kept` yet. Returns how many were trained."""

    def train_one(split: Split, settings: ArmSettings) -> None:
        scores = train_arm(work_folder, split, settings, device)
        cards.write_scores(kept / name_of(settings), scores)

    return train_missing(kept, work_folder, planned, name_of, train_one)


def train_arm(folder: Path, split: Split, settings: ArmSettings, device: str) -> dict:
    """Train one translator. Returns its scores: those of `train` and more.

    contrast: how far occupations lie along the contrast of gendered pairs in the encoder's matrix,
    before and after the training; equalizing: for each reading, counts of the outputs by context,
    apart for occupations with two forms and with one, and log odds of *amiga* by context,
    with what each pair of contexts changes in them;
    winomt: scores in per cent and counts.
    """
    work = prepare(split, settings)
    glove = _glove(folder / f"glove-seed{settings.seed}.npy", work)
    given = arm_vectors(settings.vectors, glove, work.tokenizer, rng=[settings.seed, 4])
    work = replace(work, vectors=given)
    known = ~np.isnan(glove).any(axis=1)
    before = _encoder_matrix(start(work, "cpu")[0])
    scores = train(folder / name_of(settings), split, work, device)
    after = _saved_matrix(folder / name_of(settings) / "model.safetensors")
    cosines = np.einsum("nd,nd->n", before[known], after[known]) / (
        np.linalg.norm(before[known], axis=1) * np.linalg.norm(after[known], axis=1)
    )
    translator = ModelTranslator(str(folder / name_of(settings)), device=device, dtype="float32")
    return scores | {
        "given_pieces": int((~np.isnan(given).any(axis=1)).sum()),
        "contrast": {
            "start": contrast_left(before, work.tokenizer, known),
            "end": contrast_left(after, work.tokenizer, known),
            "start_end_cosine": float(cosines.mean()),
        },
        "equalizing": equalizing_counts(translator),
        "winomt": winomt_counts(translator),
    }


def equalizing_counts(translator: ModelTranslator) -> dict:
    """Counts of the paper's test, forms -> reading -> context -> gender -> outputs, and log odds."""
    test = make_test(read_occupations(), [*CONTEXTS, NO_CONTEXT, *CONTROLS])
    read = read_outputs(test, translator.translate(list(test["text"])))
    parts = {"two forms": read[read["two forms"]], "one form": read[~read["two forms"]]}
    counts = {
        name: {reading: counts_by_context(part, reading).to_dict("index") for reading in READINGS}
        for name, part in parts.items()
    }
    for name, silent in (("own beginning", False), ("silent beginning", True)):
        odds = test.assign(value=amiga_log_odds(translator, test, silent=silent))
        means = odds.groupby("context", sort=False)["value"].mean()
        counts[f"mean log odds of amiga, {name}"] = means.to_dict()
        changes = context_effects(test, odds["value"], PAIRS, rng=0)
        counts[f"change of log odds, {name}"] = changes.to_dict("index")
    return counts


def winomt_counts(translator: ModelTranslator) -> dict:
    """WinoMT's scores in per cent, and how many sentences of each gender were read as which."""
    genders = read_genders(translator.translate(list(read_sentences()["text"])), "es")
    scores = winomt_scores(genders)
    named = {
        name: getattr(scores, name)
        for name in ("accuracy", "f1_male", "f1_female", "delta_g", "delta_s")
    }
    return named | {"counts": scores.counts.to_dict("index")}


def _glove(path: Path, work: Work) -> NDArray:
    """GloVe of a seed's training sentences, made once for its arms."""
    if not path.is_file():
        made = glove_of_pieces(
            work.sides[0],
            work.tokenizer.get_vocab_size(),
            work.settings.width,
            rng=[work.settings.seed, 5],
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path) as part, part.open("wb") as file:
            np.save(file, made)
    return np.load(path)


def _encoder_matrix(model) -> NDArray:
    return model.model.encoder.embed_tokens.weight.detach().float().numpy()


def _saved_matrix(path: Path) -> NDArray:
    from safetensors.numpy import load_file

    return load_file(path)["model.encoder.embed_tokens.weight"].astype(np.float32)


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    work = Path(".cache/embedding-arms")
    parser = options("embedding_arms", __doc__, steps=1500, seeds=len(SEEDS), work=work)
    parser.add_argument(
        "--kept",
        type=Path,
        default=FOLDER,
        help="for the scores (data/models/embedding-arms)",
    )
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=ARMS, help="which of them (all)")
    chosen = read(parser, arguments)
    precision = best_precision(chosen.device)
    planned = list(runs(chosen.steps, chosen.seeds, precision, chosen.arms))
    trained = train_all(chosen.kept, chosen.folder, planned, chosen.device)
    log.info("trained %d of %d", trained, len(planned))
    return 0


if __name__ == "__main__":
    sys.exit(main())
