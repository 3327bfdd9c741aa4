"""The filter of the taxonomy: sentences a second, and memory of a stream of any length."""

from __future__ import annotations

import itertools
import resource
import tempfile
import time
from pathlib import Path

from scripts.bench.weat import median_seconds

PEOPLE = ("scout", "landlady", "programmer", "nurse", "gentleman", "witness", "engineer", "king")
FRAMES = (
    "The {} shares his bread with everyone who asks him.",
    "Every {} who comes to the office has to leave her name at the door.",
    "Nobody told the {} that Mr. Hale had lost his map in the rain.",
    "The bees leave their hive when the {} opens it.",
    "On Sunday the {} sat by the river, and the boats went by in the evening sun.",
)


def main(quick: bool, row) -> None:
    """Sentences of our own, so that no file is needed; each has another number in it."""
    from lib.taxonomy import mentions, wordnet
    from lib.taxonomy.filters import flags, judge
    from lib.taxonomy.stream import Reading, filter_file, sentences_of

    n = 5_000 if quick else 50_000
    sentences = [
        f"{number}: " + frame.format(person)
        for number, (frame, person) in zip(
            range(n), itertools.cycle(itertools.product(FRAMES, PEOPLE))
        )
    ]
    kept = [
        value
        for module in (wordnet, mentions)
        for value in vars(module).values()
        if hasattr(value, "cache_info") and value.cache_info().maxsize  # not the tables themselves
    ]
    few = sentences[: n // 50]

    def one_at_a_time():
        for sentence in few:
            for cache in kept:
                cache.cache_clear()
            judge(sentence)

    flags(few)
    together = median_seconds(lambda: flags(sentences), 3)
    alone = median_seconds(one_at_a_time, 3) * n / len(few)
    row(
        f"five filters on {n:,} sentences ({n / together:,.0f} a second)",
        together,
        alone,
        f"one at a time, nothing kept, {len(few):,} scaled",
        "target >= 5,000 a second",
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text("\n".join(sentences), encoding="utf-8")
        begin = time.perf_counter()
        for _ in sentences_of(path, Reading("running")):
            pass
        split = time.perf_counter() - begin
        begin = time.perf_counter()
        filter_file(path, Path(folder) / "out.csv", Reading("running"))
        row(
            "a file through them, split and written", time.perf_counter() - begin, together, "flags"
        )
        row("its sentences split alone", split, together, "flags")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with path.open("a", encoding="utf-8") as file:
            for _ in range(4):
                file.write("\n" + "\n".join(sentences))
        filter_file(path, Path(folder) / "longer.csv")
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        size = path.stat().st_size / 1e6
        print(f"{f'peak memory of a file of {size:.0f} MB':<58} {grown:>9.1f} MB more than before")
