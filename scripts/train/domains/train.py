"""Train the word vectors of the chapter `domains`: six small corpora, one set each (data/models/domains).

::

    python -m scripts.train.domains.train --domain gap|news|film|medical|social|brown|all    trains and writes <domain>.npz
        [--seed N --algorithm fasttext-sg|fasttext-cbow|sg|cbow --window N --epochs N --dimensions N --min-count N]
        [--lower | --keep-case] [--out FOLDER]    other settings than the shipped ones; --out keeps the shipped files
    python -m scripts.train.domains.train --spread 5       each domain with seeds 0 to 4: seeds.csv (GAP: --domain gap --spread 20)
    python -m scripts.train.domains.train --multiverse     GAP with every setting that the paper leaves open: multiverse.csv
    python -m scripts.train.domains.train --card           writes card.md from what the files hold

The corpora come through lib.sources (set BIASBOOK_MIRROR, or let them be downloaded: 24 MB). One
worker and a fixed seed give the same vectors on the same machine; other processors round
differently. `--spread` and `--multiverse` go on where they stopped.
"""

import argparse
import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from lib.association import associations, effect_size
from lib.checks import one_of, unit_rows
from lib.command import command
from lib.datasets.corpora import corpora, tokens
from lib.embeddings import Embedding
from lib.embeddings.training import train_vectors
from lib.files import new_file, write_whole
from lib.lexicons import load_lexicon
from lib.paths import DATA
from scripts import commands
from scripts.commands import GOES_ON, read
from studies.conceptors.similarity import held_pairs, read_similarity

FOLDER = DATA / "models" / "domains"
DOMAINS = ("gap", "news", "film", "medical", "social", "brown")
TESTS = {
    "B1": ("career", "family"),
    "B2": ("maths", "arts"),
    "B3": ("science", "arts"),
    "B4": ("intelligence", "appearance"),
    "B5": ("strength", "weakness"),
}
ALGORITHMS = ("fasttext-sg", "fasttext-cbow", "sg", "cbow")
FEWEST_PAIRS = 20

log = logging.getLogger("lib")


@dataclass(frozen=True)
class Settings:
    """How vectors are trained; what is not named here is gensim's default."""

    domain: str
    algorithm: str = "sg"
    window: int = 5
    epochs: int = 10
    dimensions: int = 64
    min_count: int = 5
    lower: bool = True
    seed: int = 0


# GAP: the paper says fastText and 7,400 types, which words in their own case and at least five
# occurrences give; the rest is
# what the program fastText does when told nothing else.
SHIPPED = {name: Settings(name) for name in DOMAINS}
SHIPPED["gap"] = Settings("gap", "fasttext-sg", window=5, epochs=5, dimensions=100, lower=False)


def sentences(domain: str, lower: bool) -> list[list[str]]:
    """The passages of a domain as lists of tokens. Raises FetchError for a missing file."""
    return [listed for text in corpora()[domain].texts() if (listed := tokens(text, lower))]


def train(
    settings: Settings, texts: list[list[str]] | None = None
) -> tuple[tuple[str, ...], np.ndarray]:
    """The words, the most frequent first, and their (n, d) float16 rows; `texts`: other tokens than
    the domain's.

    Raises ValueError for an unknown algorithm and when no word is frequent enough.
    """
    one_of("algorithm", settings.algorithm, ALGORITHMS)
    texts = sentences(settings.domain, settings.lower) if texts is None else texts
    subwords = settings.algorithm.startswith("fasttext")
    trained = train_vectors(
        texts,
        subwords=subwords,
        min_count=settings.min_count,
        epochs=settings.epochs,
        sg=int(settings.algorithm.endswith("sg")),
        vector_size=settings.dimensions,
        alpha=0.05 if subwords else 0.025,
        window=settings.window,
        seed=settings.seed,
    )
    return trained.words, trained.vectors.astype(np.float16)


def save(words: Sequence[str], vectors: np.ndarray, path: Path) -> Path:
    """Write words and rows as an .npz that `load_embedding` reads, whole or not at all. Returns the
    path.
    """
    with new_file(path) as part:
        np.savez_compressed(part, words=np.array(words), vectors=vectors)
    return path


def scores(words: Sequence[str], vectors: np.ndarray) -> dict[str, float | int]:
    """What the card states of a set of vectors: types, effect sizes of the tests, and agreement
    with WordSim-353.

    A word stands for itself or else in small letters. An effect size is NaN where fewer than two words of a list are
    there, the agreement where fewer than twenty pairs are.
    """
    e = Embedding(words, vectors)
    lists = load_lexicon("chaloner2019")

    def rows(name: str) -> np.ndarray:
        forms = [word if word in e else word.lower() for word in lists[name]]
        return e.rows(forms, missing="drop").vectors

    stated = {"types": len(words)}
    for test, names in TESTS.items():
        x, y = (rows(name) for name in names)
        stated[test] = np.nan
        if min(len(x), len(y)) > 1:
            male, female = rows("male"), rows("female")
            d = effect_size(*(associations(side, male, female) for side in (x, y)))
            stated[test] = round(d, 4)
    judged = read_similarity("WS")
    in_small = judged.assign(first=judged["first"].str.lower(), second=judged["second"].str.lower())
    pairs = held_pairs(in_small, e)
    stated["wordsim"] = np.nan
    if len(pairs) >= FEWEST_PAIRS:
        first, second = (
            unit_rows("words", e.rows(pairs[side]).vectors) for side in ("first", "second")
        )
        cosines = (first * second).sum(axis=1)
        stated["wordsim"] = round(float(spearmanr(cosines, pairs["score"]).statistic), 4)
    return stated | {"wordsim pairs": len(pairs)}


def open_settings() -> list[Settings]:
    """Every setting of GAP that the paper leaves open, in an order drawn once, those with fewer
    dimensions first.
    """
    grid = [
        replace(SHIPPED["gap"], algorithm=a, window=w, epochs=e, dimensions=d, lower=low)
        for a, w, e, d, low in product(
            ("fasttext-sg", "fasttext-cbow"), (2, 5, 10), (5, 15), (100, 300), (False, True)
        )
    ]
    order = np.random.default_rng(0).permutation(len(grid))
    shuffled = [replace(grid[place], seed=100 + number) for number, place in enumerate(order)]
    return sorted(shuffled, key=lambda settings: settings.dimensions)


def run_all(wanted: Iterable[Settings], path: Path) -> pd.DataFrame:
    """Train what `path` does not hold yet and add a row of settings and scores for each. Returns
    the whole table.
    """
    done = pd.read_csv(path) if path.is_file() else pd.DataFrame()
    columns = list(Settings.__dataclass_fields__)
    known = {tuple(row) for row in done[columns].itertuples(index=False)} if len(done) else set()
    texts, read = None, None
    for settings in wanted:
        if tuple(asdict(settings).values()) in known:
            continue
        if read != (settings.domain, settings.lower):
            read = settings.domain, settings.lower
            texts = sentences(*read)
        row = asdict(settings) | scores(*train(settings, texts))
        done = pd.concat([done, pd.DataFrame([row])], ignore_index=True)
        write_whole(path, done.sort_values(columns, ignore_index=True).to_csv(index=False))
        log.info("%s", ", ".join(f"{name} {value}" for name, value in row.items()))
    return done


def seeds_of(domains: Iterable[str], count: int) -> Iterator[Settings]:
    """The shipped settings of each domain with seeds 0 to count − 1."""
    return (replace(SHIPPED[domain], seed=seed) for domain in domains for seed in range(count))


@command(GOES_ON)
def main(arguments: list[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    options = read(_options(), arguments)
    domains = DOMAINS if options.domain == "all" else [options.domain]
    if options.multiverse:
        run_all(open_settings(), options.out / "multiverse.csv")
    elif options.spread:
        run_all(seeds_of(domains, options.spread), options.out / "seeds.csv")
    elif options.card:
        from scripts.train.domains.card import write_card

        log.info("wrote %s", write_card(options.out))
    else:
        given = {
            name: value
            for name in Settings.__dataclass_fields__
            if name != "domain" and (value := getattr(options, name)) is not None
        }
        for domain in domains:
            words, vectors = train(replace(SHIPPED[domain], **given))
            save(words, vectors, options.out / f"{domain}.npz")
            log.info(
                "%s: %s",
                domain,
                ", ".join(f"{name} {value}" for name, value in scores(words, vectors).items()),
            )
    return 0


def _options() -> argparse.ArgumentParser:
    parser = commands.parser("train.domains.train", __doc__)
    parser.add_argument("--domain", choices=[*DOMAINS, "all"], default="all")
    parser.add_argument("--algorithm", choices=ALGORITHMS)
    for name in ("seed", "window", "epochs", "dimensions", "min-count"):
        parser.add_argument(f"--{name}", type=int, metavar="N")
    parser.add_argument("--lower", action="store_const", const=True, help="words in small letters")
    parser.add_argument(
        "--keep-case", dest="lower", action="store_const", const=False, help="words as written"
    )
    parser.add_argument(
        "--out", type=Path, default=FOLDER, metavar="FOLDER", help="default: data/models/domains"
    )
    parser.add_argument(
        "--spread",
        type=int,
        metavar="SEEDS",
        help="train with several seeds and note the scores only",
    )
    parser.add_argument(
        "--multiverse", action="store_true", help="GAP with every setting the paper leaves open"
    )
    commands.add_card(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
