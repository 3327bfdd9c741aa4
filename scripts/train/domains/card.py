"""The card of the domain vectors: data/models/domains/card.md, every number read from the files
beside it.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from lib.datasets.corpora import corpora
from lib.embeddings import Embedding, load_embedding
from lib.embeddings.training import BUCKETS
from scripts.train import cards
from scripts.train.cards import table
from scripts.train.domains.train import (
    DOMAINS,
    SHIPPED,
    TESTS,
    Settings,
    open_settings,
    scores,
)

PROBES = ("school", "money", "water", "woman")


def write_card(folder: Path) -> Path:
    """Write card.md from the vectors and tables in a folder. Returns its path."""
    vectors = {name: load_embedding(folder / f"{name}.npz", ranked=True) for name in DOMAINS}
    seeds = pd.read_csv(folder / "seeds.csv")
    seeds = seeds[[_as_shipped(row) for row in seeds.to_dict("records")]]
    multiverse = pd.read_csv(folder / "multiverse.csv")
    return cards.write(
        folder,
        _INTRODUCTION,
        _texts(),
        _settings(folder),
        _scores(vectors),
        _spread(seeds),
        _neighbours(vectors),
        _settings_left_open(multiverse),
        _LIMITS,
    )


def _as_shipped(row: dict) -> bool:
    """Whether a row of seeds.csv is of the settings shipped now, whatever its seed."""
    settings = {name: row[name] for name in Settings.__dataclass_fields__}
    return Settings(**{**settings, "seed": 0}) == SHIPPED[row["domain"]]


_INTRODUCTION = """# Word vectors of six domains

Small static embeddings, one for each of six small corpora, made for the chapter `domains` by `scripts/train/domains/train.py`:
`python -m scripts.train.domains.train --domain gap` (or another domain) makes a file again. Vectors are float16 in `.npz` files
with arrays `words` (the most frequent first) and `vectors`; `lib.embeddings.load_embedding` reads them.

They are for showing how a measure behaves on text of different kinds. They are not good embeddings: a million words is
little, and a few of the lists' words are rare or absent."""

_LIMITS = """## What they cannot show

Associations in these texts, at this size, with this training; nothing about what their writers believe, and nothing about
medicine, film or news in general. A list of eight words of which three are held is not the list. Words are taken whole and
out of context; names of people are in the vocabulary because they are in the texts."""


def _texts() -> str:
    rows = [
        (
            name,
            corpora()[name].title,
            "; ".join(f"`{key}` ({terms})" for key, terms in corpora()[name].licenses().items()),
        )
        for name in DOMAINS
    ]
    head = ["domain", "texts", "registry key (terms as the registry states them)"]
    return (
        f"## Corpora and their terms\n\n{table(head, rows)}\n\nThe texts are not shipped. Vectors are statistics of "
        "text from which it cannot be read back; still, some of these terms are non-commercial, share-alike or "
        "unstated, so that whoever reuses the vectors beyond this book should read them first."
    )


def _settings(folder: Path) -> str:
    rows = [
        (
            name,
            s.algorithm,
            s.window,
            s.epochs,
            s.dimensions,
            s.min_count,
            "small letters" if s.lower else "as written",
            s.seed,
            f"{(folder / f'{name}.npz').stat().st_size / 1e6:.2f}",
        )
        for name, s in SHIPPED.items()
    ]
    return (
        f"## Settings\n\nThe rest is gensim's default; one worker; {BUCKETS:,} buckets for fastText.\n\n"
        + table(
            [
                "domain",
                "algorithm",
                "window",
                "epochs",
                "dimensions",
                "least count",
                "case",
                "seed",
                "MB",
            ],
            rows,
        )
    )


def _scores(vectors: dict[str, Embedding]) -> str:
    rows = []
    for name, e in vectors.items():
        stated = scores(e.words, e.vectors)
        types, agreement = f"{stated['types']:,}", _number(stated["wordsim"])
        sizes = [_number(stated[test]) for test in TESTS]
        rows.append([name, types, *sizes, f"{agreement} ({stated['wordsim pairs']})"])
    return (
        "## Scores\n\nEffect size d of the five tests (sample deviation; positive: the first list leans male), on the "
        "words held; Spearman correlation with WordSim-353 (pairs held).\n\n"
        + table(["domain", "types", *TESTS, "WordSim-353"], rows)
    )


def _spread(seeds: pd.DataFrame) -> str:
    rows = [
        (
            domain,
            test,
            len(runs),
            *(_number(runs[test].agg(statistic)) for statistic in ("mean", "std", "min", "max")),
        )
        for domain, runs in seeds.groupby("domain", sort=False)
        for test in TESTS
        if runs[test].notna().all()
    ]
    return (
        "## Spread over seeds\n\nEffect size d when nothing changes but the seed (`seeds.csv`).\n\n"
        + table(["domain", "test", "seeds", "mean", "deviation", "lowest", "highest"], rows)
    )


def _neighbours(vectors: dict[str, Embedding]) -> str:
    rows = []
    for name, e in vectors.items():
        for word in (probe for probe in PROBES if probe in e):
            near = np.argsort(-(e.unit @ e.unit[e.words.index(word)]), kind="stable")[1:7]
            rows.append((name, word, ", ".join(e.words[place] for place in near)))
    return "## Nearest neighbours, to see that something was learned\n\n" + table(
        ["domain", "word", "nearest first"], rows
    )


def _settings_left_open(multiverse: pd.DataFrame) -> str:
    rows = [
        (
            test,
            *(_number(multiverse[test].agg(which)) for which in ("min", "median", "max")),
        )
        for test in TESTS
    ]
    return (
        f"## GAP with other settings\n\n`multiverse.csv`: {len(multiverse)} of {len(open_settings())} combinations of "
        "what the paper leaves open (skip-gram or CBOW, window 2, 5 or 10, 5 or 15 epochs, 100 or 300 dimensions, words "
        "as written or in small letters), each trained once with a seed of its own; fastText, least count 5 throughout."
        "\n\n" + table(["test", "lowest d", "median d", "highest d"], rows)
    )


def _number(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.2f}"
