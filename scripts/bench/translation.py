"""Translation: sentences together against one at a time, and translations that were made before."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.bench.weat import median_seconds

SOURCES = (
    "I am {} today.",
    "She said to them: I was very {}.",
    "We are {}, and they were not {} at all.",
    "The doctor told the nurse that nobody had been {} since the morning.",
)


def main(quick: bool, row, in_a_process) -> None:
    """tatoeba-en-es where its weights are there, on as many template sentences as there are occupations and templates."""
    from lib.lexicons import word_list
    from lib.translation.translators import ModelTranslator

    jobs = word_list("occupations/occupations")[: 20 if quick else 100]
    sentences = [source.replace("{}", f"a {job}") for source in SOURCES for job in jobs]
    try:
        made = ModelTranslator("tatoeba-en-es", device="cpu")
    except ValueError as error:
        print(f"translation: left out, {error}")
        return bench_cache(quick, row)
    some = sentences[:: 4 if quick else 10]
    together = median_seconds(lambda: made.translate(sentences), 3)
    alone = (
        median_seconds(lambda: [made.translate([sentence]) for sentence in some], 3)
        * len(sentences)
        / len(some)
    )
    row(
        f"{len(sentences)} sentences, tatoeba-en-es, 4 beams",
        together,
        alone,
        f"one at a time, {len(some)} scaled",
        "target <= 0.125x",
    )
    print(f"{'the same':<58} {len(sentences) / together:>7,.0f} sentences a second")
    print(f"{'of it matrix products and attention':<58} {share_of_products(made, sentences):>7.0%}")
    work = f"ModelTranslator('tatoeba-en-es', device='cpu').translate({sentences!r})"
    _, memory = in_a_process("from lib.translation.translators import ModelTranslator", work)
    print(f"{'peak memory of a process that does this':<58} {memory:>7,.0f} MB")
    bench_cache(quick, row)


def share_of_products(translator, sentences) -> float:
    """The part of its time that a translation spends where no batching helps: the rest is what could be saved."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as seen:
        translator.translate(sentences)
    times = {event.key: event.self_cpu_time_total for event in seen.key_averages()}
    products = ("mm", "addmm", "bmm", "baddbmm", "_scaled_dot_product_flash_attention_for_cpu")
    return sum(times.get(f"aten::{name}", 0) for name in products) / sum(times.values())


def bench_cache(quick: bool, row) -> None:
    """Sentences that were all translated before, against looking them up in a dictionary."""
    from lib.translation.translators import CachedTranslator

    class Echo:
        name = source = "echo"

        def translate(self, sentences):
            return list(sentences)

    sentences = [
        f"The sentence of number {number} was translated before."
        for number in range(20_000 if quick else 200_000)
    ]
    with tempfile.TemporaryDirectory() as folder:
        CachedTranslator(Echo(), Path(folder)).translate(sentences)
        hit = median_seconds(lambda: CachedTranslator(Echo(), Path(folder)).translate(sentences), 3)
    kept = dict(zip(sentences, sentences))
    bare = median_seconds(lambda: [kept[sentence] for sentence in sentences], 3)
    row(
        f"{len(sentences):,} sentences translated before",
        hit,
        bare,
        "a dictionary in memory",
        "target >= 50,000/s",
    )
    print(f"{'the same':<58} {len(sentences) / hit:>7,.0f} sentences a second")
