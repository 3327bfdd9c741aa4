"""Train the translators of dose and response: other shares of direct speech, made in other ways.

python -m scripts.train.translator.doses [--steps 1000] [--seeds 3]     needs the `sample` files
python -m scripts.train.translator.doses --keep <folder of weights>

Each is the network of `scripts.train.translator.train`, trained for fewer steps. What is kept is its
scores.json, under data/models/doses, and, of those that ran for longer than 1,000 steps, what they make
of the book's own sentences behind every prefix, as outputs.csv. A translator that has scores is not
trained again, so that a stopped run goes on where it was. The second command keeps both of a translator
that `scripts.train.translator.train` wrote.
"""

import json
import logging
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from lib.command import command
from lib.files import write_whole
from lib.paths import DATA
from lib.translation.translators import ModelTranslator
from scripts.commands import GOES_ON, read
from scripts.train.loop import best_precision
from scripts.train.translator.series import options, train_missing
from scripts.train.translator.split import Split
from scripts.train.translator.train import Settings, prepare, train
from studies.prefix_injection.arms import kept_outputs

# Share of the training examples that is made direct speech, and how it is made.
RUNS = (
    (0.1, "right"),
    (0.0, "right"),
    (0.1, "shuffled"),
    (0.1, "plain"),
    (0.01, "right"),
    (0.001, "right"),
    (0.05, "right"),
)

SHORT = 1000  # steps of the first translators, which are not in the name

log = logging.getLogger("lib")


def name_of(settings: Settings) -> str:
    """The folder of a run: "right-0.01-seed0" of 1,000 steps, "right-0.1-4000-seed2" of others.

    Examples
    --------
    >>> name_of(Settings(speech=0.0, steps=4000, seed=1))
    'right-0-4000-seed1'
    """
    steps = "" if settings.steps == SHORT else f"-{settings.steps}"
    return f"{settings.arm}-{settings.speech:g}{steps}-seed{settings.seed}"


def runs(steps: int, seeds: int, precision: str) -> Iterator[Settings]:
    """The settings of all translators, seed by seed, so that a stopped run has whole seeds."""
    for seed in range(seeds):
        for speech, arm in RUNS:
            yield Settings(speech=speech, arm=arm, steps=steps, seed=seed, precision=precision)


def train_all(
    kept: Path, work_folder: Path, planned: Sequence[Settings], device: str = "cpu"
) -> int:
    """Train those that have no scores in `kept` yet. Returns how many were trained."""

    def train_one(split: Split, settings: Settings) -> None:
        train(work_folder / name_of(settings), split, prepare(split, settings), device)
        keep(work_folder / name_of(settings), kept)

    return train_missing(kept, work_folder, planned, name_of, train_one)


def keep(weights: Path, kept: Path) -> Path:
    """Copy the scores of a translator and, but for the short ones, write its outputs.

    Outputs are greedy, in float32 on the processor: the first person and the sentences that mark no
    one, of `lib.translation.evaluation_sets`.

    Parameters
    ----------
    weights : Path
        A folder as `scripts.train.translator.train` writes it.
    kept : Path
        Where a folder of the name of the run is made.

    Returns
    -------
    Path
        That folder.

    Raises
    ------
    FileNotFoundError
        Where no training has ended.
    """
    written = (weights / "scores.json").read_bytes()
    settings = Settings(**json.loads(written)["settings"])
    folder = kept / name_of(settings)
    write_whole(folder / "scores.json", written)
    if settings.steps != SHORT:
        translator = ModelTranslator(str(weights), beams=1, device="cpu")
        outputs = kept_outputs(translator).to_csv(index=False, lineterminator="\n")
        write_whole(folder / "outputs.csv", outputs)
    return folder


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = options("doses", __doc__, steps=1000, seeds=3, work=Path(".cache/doses"))
    parser.add_argument(
        "--keep", type=Path, nargs="+", default=(), help="folders of weights to keep outputs of"
    )
    chosen = read(parser, arguments)
    for weights in chosen.keep:
        log.info("kept %s", keep(weights, DATA / "models" / "doses"))
    if chosen.keep:
        return 0
    planned = list(runs(chosen.steps, chosen.seeds, best_precision(chosen.device)))
    trained = train_all(DATA / "models" / "doses", chosen.folder, planned, chosen.device)
    log.info("trained %d of %d", trained, len(planned))
    return 0


if __name__ == "__main__":
    sys.exit(main())
