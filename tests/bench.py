"""Speed and memory, as ratios measured in one run: python tests/bench.py [--quick] [NAME ...]

Every figure stands beside a peer or a bare operation measured just before or after it on the same machine; a ratio holds
where a number of seconds would not. Names: neighbourhood, store, weat (default: all that are there).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bench_weat
import numpy as np
from bench_weat import median_seconds

ROOT = Path(__file__).resolve().parents[1]


def row(what: str, ours: float, theirs: float, against: str, target: str = "") -> None:
    print(f"{what:<58} {ours:>9.3f} s   {theirs:>9.3f} s {against:<36} {ours / theirs:>8.3g}x  {target}")


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
    row(f"NBM of {n:,} words, {m:,} neutral, d {d}, ten pairs", ours, bare, "bare float32 product", "target <= 1.5x")

    some = words[:500]
    loop = published_loop(some, female, male, neutral) * n / len(some)
    row("the same", ours, loop, f"published loop, {len(some)} words scaled")
    found = neighbours(some, neutral, 100)
    again = median_seconds(lambda: neighbourhood_bias(some, female, male, neutral, neighbours=found), 3)
    fresh = median_seconds(lambda: neighbourhood_bias(some, female, male, neutral), 3)
    row("ten more pairs on neighbours already found", again, fresh, "with the search")


def published_loop(words: np.ndarray, female: np.ndarray, male: np.ndarray, neutral: np.ndarray) -> float:
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
                for word, vector in enumerate(rng.standard_normal((min(block, n - start), d), dtype=np.float32), start):
                    file.write(f"word{word} ".encode() + vector.tobytes() + b"\n")
        seconds, memory = in_a_process(
            "from lib.embeddings import convert", f"convert({str(binary)!r}, {str(store)!r}, name='bench')")
        print(f"{f'conversion of {n:,} x {d} to a store':<58} {seconds:>9.1f} s   peak {memory:,.0f} MB")
        words = f"[f'word{{i}}' for i in range(0, {n}, {n // 1000})]"
        ours, ours_memory = in_a_process(
            "from lib.embeddings import open_store", f"open_store({str(store)!r}).rows({words})")
        theirs, their_memory = in_a_process(
            "from gensim.models import KeyedVectors",
            f"v = KeyedVectors.load_word2vec_format({str(binary)!r}, binary=True); [v[w] for w in {words}]")
        row(f"open a store of {n:,} x {d}, take 1,000 rows", ours, theirs, "gensim, binary file", "target < 0.5 s")
        print(f"{'peak memory of the same':<58} {ours_memory:>8,.0f} MB   {their_memory:>8,.0f} MB {'gensim':<36} "
              f"{ours_memory / their_memory:>8.3g}x  target < 300 MB")  # fmt: skip


BENCHES = {"neighbourhood": bench_neighbourhood, "store": bench_store, "weat": lambda quick: bench_weat.main()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHES)}; default: all")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a look")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    print(f"{'what':<58} {'ours':>11}   {'theirs':>11} {'':<36} {'ratio':>9}")
    for name in options.names or BENCHES:
        BENCHES[name](options.quick)
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
