"""Tune the last two layers of all-MiniLM-L6-v2 on phrases of SST-2, beside a head on it frozen, five seeds.

python -m scripts.train.tuned_sentiment [--folder data/models/tuned-sentiment]     ten minutes on one core; needs the `sample` files
python -m scripts.train.tuned_sentiment --card                                      writes card.md from the tables

Decided before a held-out sentence was scored:

- The statistic is the share of SST-2's 872 development sentences that is right, tuned less frozen: both arms learn from the same 4,000
  phrases, the frozen one a logistic regression that has converged, from which the other goes on. The mean over seeds 0 to 4; its 95 %
  interval draws sentences and seeds anew, both arms on the same draws. Above zero, tuning has helped.
- No setting is chosen by a score: rate, batch and epochs are among those that BERT's authors name, and the number of phrases and of
  layers is what a core does in minutes. The development sentences decide nothing.
- F − M of the tuned encoder on the paper's 800 sentences, and its change from the frozen one, have 95 % intervals over nouns and
  occupations. They stand beside the number printed for BERT, which is another encoder, tuned whole and on all phrases. (Changed once
  they had been seen: the intervals draw seeds, too, as these lie far apart.)
"""

import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from lib import wording
from lib.command import command
from lib.files import write_whole
from scripts import commands
from scripts.train import cards
from scripts.train.cards import table
from studies.sentiment.bhaskaran2019 import read_development, read_phrases, read_sentences
from studies.sentiment.lstm import Phrases
from studies.sentiment.tuned import FOLDER, TunedSettings, against_frozen, answers, scores

SEEDS = range(5)
SETTINGS = TunedSettings()

log = logging.getLogger("lib")


def train(folder: Path) -> None:
    """Train what the cache does not hold, and write the tables."""
    phrases, develop, sentences = read_phrases(), read_development(), read_sentences()
    learnt = Phrases(phrases["text"].tolist(), phrases["label"].to_numpy())
    asked = [*develop["text"], *sentences["text"]]
    said = {}
    for seed in SEEDS:
        begun = time.process_time()
        said[seed] = answers(learnt, asked, seed, SETTINGS)
        log.info("seed %d: %.0f seconds of a core", seed, time.process_time() - begun)
        given = said, develop["label"], sentences
        write_whole(folder / "scores.csv", _text(scores(*given)))
    write_whole(folder / "differences.csv", _text(against_frozen(*given)))


def write_card(folder: Path) -> Path:
    """Write card.md from the tables of a folder."""
    of_arms = pd.read_csv(folder / "scores.csv")
    changes = pd.read_csv(folder / "differences.csv").set_index("what")
    helped, seeds = changes.loc["share right"], of_arms["seed"].nunique()
    verdict = "Tuning has helped" if helped["low"] > 0 else "That tuning helps is not shown"
    if helped["high"] < 0:
        verdict = "Tuning has done harm"
    arms = [
        [arm, *(_range(rows[what]) for what in ("share right", "log loss", "F − M"))]
        for arm, rows in of_arms.groupby("arm")
    ]
    rows = [
        [
            what if what.startswith("F") else f"{what}, tuned less frozen",
            wording.signed(row["value"], 3),
            wording.interval(row["low"], row["high"], 3, sign=True),
            wording.interval(row["lowest seed"], row["highest seed"], 3, sign=True),
        ]
        for what, row in changes.iterrows()
    ]
    text = f"""# tuned-sentiment: what it adds to tune the encoder, too

Results of trainings, no weights. A classifier of sentiment on the mean of all-MiniLM-L6-v2's last states: once with the encoder frozen (a
logistic regression), once with its last {SETTINGS.layers} layers tuned from there on, both taught with the same {SETTINGS.phrases:,} phrases of SST-2. A stand-in for the third model
of Bhaskaran and Bhallamudi (2019), which is BERT, tuned whole and on all phrases.

Made by `python -m scripts.train.tuned_sentiment` on one core, seeds {of_arms["seed"].min()} to {of_arms["seed"].max()}: {SETTINGS.epochs} epochs of AdamW, {SETTINGS.batch_size} phrases in a step, rate {SETTINGS.learning_rate:g} after a rise over a tenth of the
steps. Other processors round differently. `--card` writes this page from the tables.

## Decided before a held-out sentence was scored

The share of SST-2's 872 development sentences that is right, tuned less frozen, the mean over the seeds, with a 95 % interval over sentences
and seeds. Above zero, tuning has helped. All else is beside it. No setting was chosen by a score.

## What it reached

{verdict}, by what was decided: {wording.points(helped["value"])} points ({wording.points(helped["low"])} to {wording.points(helped["high"])}).

{table(["", "value", "95 %", "single seeds"], rows)}

F − M is the mean difference between feminine and masculine twins in the paper's 800 sentences; its intervals draw nouns, occupations and
seeds (the last since it was seen how far apart these lie). A mean that comes near BERT's printed number says nothing: single seeds lie on both sides of it.
The arms, the mean of {seeds} seeds and the lowest and highest:

{table(["", "share right", "log loss", "F − M"], arms)}

## Data and terms

Trained on `glue_sst2_train`, asked about `gsent_dev` and `gsent_run_test`. No phrase ships. The encoder is Apache-2.0. It learned from film
reviews; what it says of a person with a job is an extrapolation, and a difference in this encoder is not evidence about another."""
    return cards.write(folder, text)


def _range(values: pd.Series) -> str:
    ends = wording.interval(values.min(), values.max(), 3)
    return f"{wording.number(values.mean(), 3)} ({ends})"


def _text(rows: pd.DataFrame) -> str:
    return rows.to_csv(index=False, float_format="%.5g")


@command("each seed that is done is kept, and the same command goes on behind it")
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = commands.parser("train.tuned_sentiment", __doc__, FOLDER)
    commands.add_card(parser)
    options = commands.read(parser, arguments)
    if not options.card:
        train(options.folder)
    write_card(options.folder)


if __name__ == "__main__":
    sys.exit(main())
