"""The recorded marks of audits: what reports say of hundreds of fair inputs, and of planted ones.

python -m scripts.sweeps.own_audits [--form "words in vectors"] [--runs 200] [--planted 100] [--folder .cache/own_audits] [--out data/grids]

Each input is made and audited with the functions that the notebooks of `audit/` call, without a kernel. A run is a line of a file in the
folder, so that the same command goes on where it stopped, and more runs come on top. Ten minutes on one core, and as long again
for `messages`, which train vectors. The sum of all runs there goes to `data/grids/audits.csv`.
"""

import csv
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from lib.command import command
from lib.files import write_whole
from lib.paths import DATA
from scripts import commands
from studies.calibration.audit_inputs import FORMS, Said, audited
from studies.calibration.audit_marks import MARKS, summed

GOES_ON = "each run is kept, and the same command goes on from there"
COLUMNS = ("size", "seed", *Said._fields)
log = logging.getLogger("lib")


def read_runs(path: Path) -> pd.DataFrame:
    """Runs of one form, without a line that was cut off."""
    table = pd.read_csv(path, keep_default_na=False, on_bad_lines="skip")
    table = table[table["end"] == "."]
    for name in ("stated", "effect", "seen"):
        table[name] = pd.to_numeric(table[name], errors="coerce")
    table["found"], table["alone"] = (table[name].astype(int) for name in ("found", "alone"))
    return table.drop_duplicates(["size", "seed"]).sort_values(["size", "seed"], ignore_index=True)


def run(form: str, folder: Path, runs: int, planted: int) -> None:
    """Audit what is missing of so many fair inputs, and of so many of each size."""
    path = folder / f"{form.replace(' ', '_').replace(',', '')}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file():
        path.write_text(",".join([*COLUMNS, "end"]) + "\n", encoding="utf-8")
    table = read_runs(path)
    done = {*zip(table["size"].astype(float), table["seed"].astype(int))}
    asked = [(0.0, seed) for seed in range(runs)]
    asked += [(float(size), seed) for seed in range(planted) for size in FORMS[form].sizes]
    with path.open("a", encoding="utf-8", newline="") as file:
        if not path.read_bytes().endswith(b"\n"):
            file.write("\n")  # behind a line that was cut off
        for size, seed in (one for one in asked if one not in done):
            said = audited(form, size, seed)
            row = [size, seed, ";".join(said.claims), int(said.found), int(said.alone)]
            row += ["" if x != x else f"{x:.6g}" for x in (said.stated, said.effect, said.seen)]
            csv.writer(file, lineterminator="\n").writerow([*row, "."])
            file.flush()


def gathered(folder: Path) -> pd.DataFrame:
    """All runs of a folder, in the order of `FORMS`."""
    parts = []
    for form, about in FORMS.items():
        path = folder / f"{form.replace(' ', '_').replace(',', '')}.csv"
        if path.is_file():
            runs = read_runs(path).rename(columns={"size": "planted"})
            fair = runs["planted"] == 0
            runs["about"] = fair.map({True: about.fair, False: about.planted})
            parts.append(runs.assign(kind=about.kind, form=form))
    return pd.concat(parts, ignore_index=True)


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, and write the table."""
    parser = commands.parser("sweeps.own_audits", __doc__)
    add = parser.add_argument
    add("--form", action="append", choices=list(FORMS), help="one of several, by default all")
    add("--runs", type=int, default=200, help="fair inputs of each form (%(default)s)")
    add("--planted", type=int, default=100, help="inputs of each size (%(default)s)")
    add("--folder", type=Path, default=Path(".cache/own_audits"), help="(%(default)s)")
    add("--out", type=Path, default=DATA / "grids", help="(%(default)s)")
    options = commands.read(parser, arguments)
    logging.getLogger("gensim").setLevel(logging.WARNING)
    for form in options.form or FORMS:
        run(form, options.folder, options.runs, options.planted)
        log.info("%s: done", form)
    table = summed(gathered(options.folder)).to_csv(index=False)
    write_whole(options.out / MARKS.name, table)


if __name__ == "__main__":
    sys.exit(main())
