"""Speed and memory, as ratios measured in one run: python -m scripts.bench [--quick] [NAME ...]

Every figure stands beside a peer or a bare operation measured just before or after it on the same machine; a ratio holds
where a number of seconds would not. Names: neighbourhood, masked, store, weat, cultures, causal, coreference, sentiment,
occupations, taxonomy, translation, explorables, audit, runner, gpu (default: all that are there).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from scripts.bench import (
    audit,
    causal,
    coreference,
    cultures,
    explorables,
    gpu,
    occupations,
    runner,
    sentiment,
    taxonomy,
    translation,
    weat,
)
from scripts.bench.weat import median_seconds

ROOT = Path(__file__).resolve().parents[2]


def row(what: str, ours: float, theirs: float, against: str, target: str = "") -> None:
    print(
        f"{what:<58} {ours:>9.3f} s   {theirs:>9.3f} s {against:<36} {ours / theirs:>8.3g}x  {target}"
    )


def bench_neighbourhood(quick: bool) -> None:
    """NBM of all words with ten pairs, against the bare matrix product and against the published loop."""
    import torch

    from lib.measures import neighbourhood_bias, neighbours

    n, m, d = (9_600, 26_000, 300) if quick else (48_000, 26_000, 300)
    rng = np.random.default_rng(0)
    words, neutral = (rng.standard_normal((size, d)).astype(np.float32) for size in (n, m))
    female, male = (rng.standard_normal((10, d)).astype(np.float32) for _ in range(2))
    keys, queries = torch.from_numpy(neutral).T, torch.from_numpy(words)

    def product():
        for start in range(0, n, 1024):
            queries[start : start + 1024] @ keys

    bare = median_seconds(product, 3)
    ours = median_seconds(lambda: neighbourhood_bias(words, female, male, neutral), 3)
    row(
        f"NBM of {n:,} words, {m:,} neutral, d {d}, ten pairs",
        ours,
        bare,
        "bare float32 product",
        "target <= 1.5x",
    )

    some = words[:500]
    loop = published_loop(some, female, male, neutral) * n / len(some)
    row("the same", ours, loop, f"published loop, {len(some)} words scaled")
    found = neighbours(some, neutral, 100)
    again = median_seconds(
        lambda: neighbourhood_bias(some, female, male, neutral, neighbours=found), 3
    )
    fresh = median_seconds(lambda: neighbourhood_bias(some, female, male, neutral), 3)
    row("ten more pairs on neighbours already found", again, fresh, "with the search")


def published_loop(
    words: np.ndarray, female: np.ndarray, male: np.ndarray, neutral: np.ndarray
) -> float:
    """Seconds for the published way: per pair and word all cosines, a full sort, and the directions of the 100 nearest."""
    unit = [a / np.linalg.norm(a, axis=1, keepdims=True) for a in (words, female, male, neutral)]
    begin = time.perf_counter()
    for f, m in zip(unit[1], unit[2]):
        for word in unit[0]:
            nearest = np.argsort(-(unit[3] @ word))[:100]
            lean = unit[3][nearest] @ f - unit[3][nearest] @ m
            (lean > 0).sum() - (lean <= 0).sum()
    return time.perf_counter() - begin


IN_A_PROCESS = """
import re, time
{imports}
begin = time.perf_counter()
{work}
seconds = time.perf_counter() - begin
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]   # since exec; ru_maxrss counts the parent's
print(seconds, int(peak) / 1024)
"""


def in_a_process(imports: str, work: str) -> tuple[float, float]:
    """Seconds of some work and peak memory (MB) of a fresh process that does nothing else."""
    code = IN_A_PROCESS.format(imports=imports, work=work)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    if found.returncode:
        raise RuntimeError(found.stderr.strip().splitlines()[-1])
    seconds, memory = map(float, found.stdout.split())
    return seconds, memory


def bench_store(quick: bool) -> None:
    """Opening a store and taking 1,000 rows, against gensim loading the same vectors from a word2vec binary file."""
    n, d = (300_000, 300) if quick else (3_000_000, 300)
    with tempfile.TemporaryDirectory() as folder:
        binary, store = Path(folder) / "vectors.bin", Path(folder) / "store"
        rng, block = np.random.default_rng(0), 100_000
        with binary.open("wb") as file:
            file.write(f"{n} {d}\n".encode())
            for start in range(0, n, block):
                for word, vector in enumerate(
                    rng.standard_normal((min(block, n - start), d), dtype=np.float32), start
                ):
                    file.write(f"word{word} ".encode() + vector.tobytes() + b"\n")
        seconds, memory = in_a_process(
            "from lib.embeddings import convert",
            f"convert({str(binary)!r}, {str(store)!r}, name='bench')",
        )
        print(
            f"{f'conversion of {n:,} x {d} to a store':<58} {seconds:>9.1f} s   peak {memory:,.0f} MB"
        )
        words = f"[f'word{{i}}' for i in range(0, {n}, {n // 1000})]"
        ours, ours_memory = in_a_process(
            "from lib.embeddings import open_store", f"open_store({str(store)!r}).rows({words})"
        )
        theirs, their_memory = in_a_process(
            "from gensim.models import KeyedVectors",
            f"v = KeyedVectors.load_word2vec_format({str(binary)!r}, binary=True); [v[w] for w in {words}]",
        )
        row(
            f"open a store of {n:,} x {d}, take 1,000 rows",
            ours,
            theirs,
            "gensim, binary file",
            "target < 0.5 s",
        )
        print(
            f"{'peak memory of the same':<58} {ours_memory:>8,.0f} MB   {their_memory:>8,.0f} MB {'gensim':<36} "
            f"{ours_memory / their_memory:>8.3g}x  target < 300 MB"
        )


def bench_masked(quick: bool) -> None:
    """Masked scoring of template sentences with minilm-mlm, against loops that read one sentence at a time."""
    import torch

    from lib.language_models import MaskedLanguageModel, log_probability_bias
    from lib.lexicons import word_list

    jobs, templates = (
        word_list("occupations/occupations")[: 10 if quick else 100],
        word_list("templates/job_templates"),
    )
    sentences = [
        text.replace("{target}", "[MASK]").replace("{attribute}", job)
        for text in templates
        for job in jobs
    ]
    m, few = MaskedLanguageModel("minilm-mlm", "cpu"), slice(None, None, 10 if quick else 33)
    some = sentences[few]
    found = m.log_probabilities(sentences, ["he", "she"])
    looped = one_at_a_time(m, some, ["he", "she"])
    scale, what = len(sentences) / len(some), f"{len(sentences):,} template sentences, minilm-mlm"
    worst = np.abs(looped - found[few]).max()
    ours = median_seconds(lambda: m.log_probabilities(sentences, ["he", "she"]), 3)
    theirs = scale * median_seconds(lambda: one_at_a_time(m, some, ["he", "she"]), 3)
    row(
        f"log probabilities, {what}",
        ours,
        theirs,
        f"one at a time, {len(some)} scaled",
        "target <= 0.05x",
    )
    print(
        f"{'the same':<58} {len(sentences) / ours:>7,.0f} sentences a second; largest difference {worst:.1g}"
    )
    row("the same", ours, bare_products(m, sentences), "the matrix products alone")
    bias = median_seconds(lambda: log_probability_bias(m, jobs, templates, [("he", "she")]), 3)
    published = scale * median_seconds(lambda: published_scores(m, some), 3)
    row(
        f"log probability bias, {len(sentences):,} scores",
        bias,
        published,
        f"published loop, {len(some)} scaled",
    )
    _, memory = in_a_process(
        "from lib.language_models import MaskedLanguageModel",
        f"MaskedLanguageModel('minilm-mlm', 'cpu').log_probabilities({sentences!r}, ['he', 'she'])",
    )
    print(f"{'peak memory of a process that does this':<58} {memory:>7,.0f} MB")
    for device in ("cpu", *["cuda"] * torch.cuda.is_available()):
        for dtype in ("float32", "bfloat16"):
            n = MaskedLanguageModel("minilm-mlm", device, dtype=dtype)
            off = np.abs(n.log_probabilities(sentences, ["he", "she"]) - found).max()
            seconds = median_seconds(lambda: n.log_probabilities(sentences, ["he", "she"]), 3)  # noqa: B023
            row(
                f"log probabilities, {device}, {dtype}",
                seconds,
                ours,
                f"cpu, float32; differs by {off:.2g}",
            )


def one_at_a_time(m, sentences: list[str], words: list[str]) -> np.ndarray:
    """Log probabilities by a forward pass for each sentence and a softmax of the whole of it."""
    import torch

    tokenizer, model = m.transformer.tokenizer, m.transformer.model
    columns, rows = tokenizer.convert_tokens_to_ids(words), []
    for sentence in sentences:
        coded = tokenizer(sentence, return_tensors="pt")
        with torch.no_grad():
            log_p = model(**coded).logits[0].log_softmax(-1)
        rows.append(
            log_p[coded["input_ids"][0].tolist().index(tokenizer.mask_token_id), columns].numpy()
        )
    return np.array(rows)


def published_scores(m, sentences: list[str]) -> None:
    """The work of the code of Kurita et al.: a pass for each sentence and one for its prior, softmax in NumPy."""
    tokenizer, model = m.transformer.tokenizer, m.transformer.model
    for sentence in [text for text in sentences for _ in range(2)]:
        logits = model(**tokenizer(sentence, return_tensors="pt"))[0][0].cpu().detach().numpy()
        raised = np.exp(logits)
        raised / raised.sum(axis=1, keepdims=True)


def bare_products(m, sentences: list[str]) -> float:
    """Seconds of the matrix products of all layers, and of the logits at one mask a sentence, on numbers of no meaning."""
    import torch

    from lib.language_models.batching import batched, encoded

    config, seconds = m.transformer.model.config, 0.0
    d, wide = config.hidden_size, config.intermediate_size
    weights = [
        *[torch.randn(d, d)] * 4,
        torch.randn(d, wide),
        torch.randn(wide, d),
    ] * config.num_hidden_layers
    for indices, ids, _ in batched(m.transformer, encoded(m.transformer, sentences)):
        rows = {d: torch.randn(ids.numel(), d), wide: torch.randn(ids.numel(), wide)}
        masks, decoder = torch.randn(len(indices), d), torch.randn(d, config.vocab_size)
        begin = time.perf_counter()
        for weight in weights:
            rows[len(weight)] @ weight
        masks @ decoder
        seconds += time.perf_counter() - begin
    return seconds


def bench_conceptor(quick: bool) -> None:
    """A negated conceptor applied to memory-mapped vectors, against a plain copy of the file and the bare matrix product."""
    from lib.debiasing import apply, conceptor, negation

    n, d, block = (100_000, 300, 8192) if quick else (3_000_000, 300, 8192)
    with tempfile.TemporaryDirectory() as folder:
        files = (Path(folder) / "words.npy", Path(folder) / "changed.npy")
        words, out = (np.lib.format.open_memmap(file, "w+", np.float32, (n, d)) for file in files)
        rng = np.random.default_rng(0)
        for start in range(0, n, block):
            words[start : start + block] = rng.standard_normal(
                (min(block, n - start), d), dtype=np.float32
            )
        G = negation(conceptor(rng.standard_normal((400, d)), 2.0))
        matrix, room = G.astype(np.float32), np.empty((block, d), np.float32)

        def copy():
            for start in range(0, n, block):
                out[start : start + block] = words[start : start + block]

        def product():
            for start in range(0, n, block):
                rows = words[start : start + block]
                np.matmul(rows, matrix, out=room[: len(rows)])

        ours = median_seconds(lambda: apply(G, words, out=out), 3)
        row(
            f"conceptor of {n:,} x {d}, file to file, by blocks",
            ours,
            median_seconds(copy, 3),
            "plain copy, file to file",
        )
        row("the same", ours, median_seconds(product, 3), "bare float32 product")


BENCHES = {
    "neighbourhood": bench_neighbourhood,
    "masked": bench_masked,
    "store": bench_store,
    "weat": lambda quick: weat.main(),
    "conceptor": bench_conceptor,
    "cultures": lambda quick: cultures.main(quick, row, in_a_process),
    "gpu": lambda quick: gpu.main(quick, row),
    "causal": lambda quick: causal.main(quick, row, in_a_process),
    "coreference": lambda quick: coreference.main(quick, row),
    "explorables": lambda quick: explorables.main(quick, row),
    "occupations": lambda quick: occupations.main(quick, row),
    "sentiment": lambda quick: sentiment.main(quick, row, in_a_process),
    "taxonomy": lambda quick: taxonomy.main(quick, row),
    "audit": lambda quick: audit.main(quick, row, in_a_process),
    "translation": lambda quick: translation.main(quick, row, in_a_process),
    "runner": lambda quick: runner.main(quick, row),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHES)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a look")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    print(f"{'what':<58} {'ours':>11}   {'theirs':>11} {'':<36} {'ratio':>9}")
    for name in options.names or BENCHES:
        BENCHES[name](options.quick)
    print(
        f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"
    )


if __name__ == "__main__":
    main()
