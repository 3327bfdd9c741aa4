"""Speed and memory of text by culture: cleaning, sorting a stream, training beside plain gensim, two workers beside one."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BATCH = 4096
OPTIONS = ["--dimensions", "100", "--epochs", "3"]
PATTERNS = [
    (re.compile(pattern), token)
    for pattern, token in (
        (r"https?://\S+", " <url> "),
        (r"@\w+", " <user> "),
        (r"#\w+", " <hashtag> "),
        ("[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?", " <emoji> "),
        (r"[^\w<>']+", " "),
    )
]


def tweets(count: int, seed: int = 0) -> list[str]:
    """Messages of a hundred characters with links, names, hashtags, emojis and apostrophes about as often as in tweets."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, rng.integers(2, 10))) for _ in range(5000)]
    lengths, chance = rng.integers(6, 21, count), rng.random((5, count))
    picks = rng.integers(len(words), size=int(lengths.sum()))
    made, at = [], 0
    for number, length in enumerate(lengths.tolist()):
        text = " ".join(words[pick] for pick in picks[at : at + length]).capitalize()
        at += length
        user, link, tag, emoji, not_ = (chance[:, number] < (0.4, 0.3, 0.25, 0.25, 0.4)).tolist()
        text = ("@" + words[length] + " ") * user + (text.replace(" ", "n’t ", 1) if not_ else text)
        made.append(
            text
            + " https://t.co/aBcD12efGh" * link
            + (" #" + words[length + 1]) * tag
            + " 😂😂❤️" * emoji
            + "!"
        )
    return made


def write_tweets(path: Path, texts: list[str], times: int = 1) -> Path:
    """A CSV of the messages, over and over, with places."""
    places = ["TX", "Ohio", "Austin, TX", "Los Angeles, CA", "Lagos, Nigeria", "", "somewhere"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("body", "where"))
        for _ in range(times):
            writer.writerows(
                (text, places[number % len(places)]) for number, text in enumerate(texts)
            )
    return path


def bench_cleaning(texts: list[str], row) -> None:
    """Messages for each second of one core's time, against one regular expression after the other on each message."""
    from lib.cultures.cleaning import clean

    def ours():
        for start in range(0, len(texts), BATCH):
            clean(texts[start : start + BATCH])

    def plain():
        for text in texts:
            text = text.lower()
            for pattern, token in PATTERNS:
                text = pattern.sub(token, text)

    seconds, theirs = (
        min(timed(call, time.process_time) for _ in range(3)) for call in (ours, plain)
    )
    row(
        f"cleaning of {len(texts):,} tweets ({len(texts) / seconds:,.0f} a second)",
        seconds,
        theirs,
        "pattern by pattern",
        "target 150,000 a second",
    )


def bench_stream(folder: Path, texts: list[str], times: int, in_a_process) -> None:
    """Peak memory of sorting a stream, in a process that does nothing else."""
    path = write_tweets(folder / "stream.csv", texts, times)
    seconds, memory = in_a_process(
        "from lib.cultures.texts import Splitting, split_file",
        f"split_file({str(path)!r}, {str(folder / 'texts')!r}, Splitting('body', 'where'))",
    )
    count = len(texts) * times
    print(
        f"{f'sorting a stream of {count:,} tweets ({path.stat().st_size / 1e6:,.0f} MB)':<58} {seconds:>9.1f} s   "
        f"{count / seconds:>9,.0f} rows a second, peak {memory:,.0f} MB   target < 600 MB"
    )


def bench_training(folder: Path, texts: list[str], row) -> None:
    """Training from the sorted text on disk, against gensim on the same messages in memory; the fastest of three runs."""
    from gensim.models import Word2Vec

    from lib.cultures.sample import CultureText
    from lib.cultures.tasks import Training, train
    from lib.cultures.texts import Splitting, part_folder, split_file

    path = write_tweets(folder / "training.csv", texts)
    split_file(path, folder / "texts", Splitting("body", "where"))
    text = CultureText("TX", (part_folder(path, folder / "texts", Splitting("body", "where")),))
    held = list(text)
    training = Training(epochs=1)

    def plain():
        Word2Vec(held, sg=1, vector_size=200, window=10, min_count=5, epochs=1, workers=1, seed=0)

    runs = [
        (timed(lambda: train(text, training)), timed(plain)) for _ in range(3)
    ]  # in turn, so that load hits both
    seconds, theirs = map(min, zip(*runs))
    words = sum(map(len, held))
    row(
        f"skip-gram, {words:,} words ({words / seconds:,.0f} a second)",
        seconds,
        theirs,
        "plain gensim, text in memory",
        f"{theirs / seconds:.2f} of its speed, target >= 0.95",
    )


def timed(call, clock=time.perf_counter) -> float:
    begin = clock()
    call()
    return clock() - begin


def bench_workers(folder: Path, tokens: int, row) -> None:
    """The command with two workers against one, on eight planted cultures of one size."""
    from lib.datasets.statistics import statistics_table
    from studies.cross_cultural.planted import Plan, plant

    gaps = statistics_table("us_states_2016")[["earnings_ratio_full_time"]].iloc[:8]
    text = plant(
        gaps,
        {"threat": ("danger", "threat")},
        {},
        ("she", "her"),
        ("he", "his"),
        Plan(tokens=tokens),
        rng=0,
    )
    path = text.write_csv(folder / "planted.csv", rng=0)
    columns = [str(path), "--text-column", "body", "--place-column", "where", "--workers", "1"]
    seconds = {}
    for workers in (2, 1):
        out = str(folder / f"out{workers}")
        run("split", *columns, "--output", out)
        train = partial(run, "train", "--output", out, "--workers", str(workers), *OPTIONS)
        seconds[workers] = timed(train)
    row(
        f"eight cultures of {tokens:,} words, two workers",
        seconds[2],
        seconds[1],
        f"one worker; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        f"{seconds[1] / seconds[2]:.2f} as fast, target >= 1.7",
    )


def run(*arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "lib.cultures", *arguments],
        check=True,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )


def main(quick: bool, row, in_a_process) -> None:
    texts = tweets(100_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench_cleaning(texts, row)
        bench_stream(folder, texts, 4 if quick else 20, in_a_process)
        bench_training(folder, texts[:40_000] if quick else texts, row)
        bench_workers(folder, 100_000 if quick else 400_000, row)
