"""Keep a translator into French that was trained, and label outputs of it by hand.

python -m scripts.tools.french_outputs keep FOLDER     what training left in FOLDER becomes data/models/tatoeba-en-fr
python -m scripts.tools.french_outputs draw --seed 0   100 outputs of it to label, data/markings/french_to_label.csv
python -m scripts.tools.french_outputs add             once its column gender is filled in: into data/markings/french.csv

The reader of French is run by `add` alone, so that nobody knows what it reads before the labels are made.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from lib.command import command
from lib.files import write_whole
from lib.paths import DATA, ROOT
from lib.translation.evaluation_sets import first_person_set_french
from lib.translation.gender import GENDERS
from lib.translation.gender_french import speaker_marking
from lib.translation.prefixes import CONDITIONS, CONTROL, translate_with_prefix
from lib.translation.translators import Translator, load_translator
from scripts.train.translator.card import write_card

NAME = "tatoeba-en-fr"
SHIPPED = (
    "config.json",
    "generation_config.json",
    "held_out.json",
    "model.safetensors",
    "scores.json",
    "tokenizer.json",
    "tokenizer_config.json",
)


def keep(trained: Path, folder: Path) -> Path:
    """Copy a trained translator without its checkpoint and write its card. Returns the card's path.

    Raises
    ------
    FileNotFoundError
        Where a file is missing, because the training has not ended.
    """
    missing = [name for name in SHIPPED if not (trained / name).is_file()]
    if missing:
        raise FileNotFoundError(
            f"expected a finished training in {trained}, found no {', '.join(missing)}; run "
            "python -m scripts.train.translator.train --direction en-fr --steps 4000 again, it goes on from its checkpoint"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHIPPED:
        shutil.copyfile(trained / name, folder / name)
    return write_card(folder)


def draw(
    translator: Translator, number: int = 100, sentences: int = 40, seed: int = 0
) -> pd.DataFrame:
    """Distinct outputs for own sentences, without a prefix and behind all of them, not labelled.

    Prefixes are taken off. Columns as those of data/markings/french.csv.
    """
    rng = np.random.default_rng(seed)
    own = list(rng.permutation(first_person_set_french()["english"])[:sentences])
    outputs = [
        text
        for condition in (*CONDITIONS, CONTROL)
        for text in translate_with_prefix(translator, own, *condition, language="fr").texts
    ]
    distinct = list(dict.fromkeys(outputs))
    drawn = rng.permutation(distinct)[:number]
    empty = {"reader": "speaker", "text": drawn, "gender": "", "number": ""}
    return pd.DataFrame(empty | {"source": NAME, "first_read": ""})


def add(labelled: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """The labelled sentences with new ones behind, which the reader reads here for the first time.

    Raises
    ------
    ValueError
        For a label that is none.
    """
    wrong = labelled[~labelled["gender"].isin(GENDERS)]
    if len(wrong):
        raise ValueError(
            f"gender: expected one of {', '.join(GENDERS)} in each row, got {wrong['gender'].iloc[0]!r} "
            f"for {wrong['text'].iloc[0]!r}; label {len(wrong)} more"
        )
    new = labelled[~labelled["text"].isin(table["text"])]
    read = [speaker_marking(text).gender for text in new["text"]]
    return pd.concat([table, new.assign(first_read=read)], ignore_index=True)


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    from statsmodels.stats.proportion import proportion_confint

    parser = argparse.ArgumentParser(
        prog="python -m scripts.tools.french_outputs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("keep", "draw", "add"))
    parser.add_argument("folder", type=Path, nargs="?", help="of the training, for keep")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws others (0)")
    options = parser.parse_args(arguments)
    to_label, markings = (
        DATA / "markings" / name for name in ("french_to_label.csv", "french.csv")
    )
    if options.what == "keep":
        if options.folder is None:
            parser.error("keep: expected the folder of a training, got none")
        print("wrote", keep(options.folder, DATA / "models" / NAME).relative_to(ROOT))
    elif options.what == "draw":
        drawn = draw(load_translator(NAME, beams=1, device="cpu"), seed=options.seed)
        write_whole(to_label, drawn.to_csv(index=False))
        print(f"{len(drawn)} outputs to label: {to_label.relative_to(ROOT)}")
    else:
        read = [
            pd.read_csv(path, dtype=str, keep_default_na=False) for path in (to_label, markings)
        ]
        table = add(*read)
        write_whole(markings, table.to_csv(index=False))
        to_label.unlink()
        new = table[table["source"] == NAME]
        agree = int((new["gender"] == new["first_read"]).sum())
        low, high = proportion_confint(agree, len(new), method="wilson")
        print(f"the reader agrees with {agree} of {len(new)} labels ({low:.3f} to {high:.3f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
