"""The audit of a file of biographies: processor time and peak memory by the number of texts, with and without Dask.

python scripts/bench/occupations.py          # three sizes, writes data/costs/biographies.csv
"""

from __future__ import annotations

import csv
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "data" / "costs" / "biographies.csv"
SIZES = (10_000, 100_000, 400_000)
WORKERS = {"one process": 0, "Dask, two workers": 2}
CHUNK = 20_000


def write_texts(path: Path, n: int) -> None:
    """A CSV of synthetic biographies, written in parts."""
    from lib.text_classification.occupations.printed import biographies_by_gender
    from lib.text_classification.occupations.synthetic import Planted, biographies

    counts, planted = biographies_by_gender(), Planted(explicit=1, attributes=0.8, topics=0.8)
    for seed, start in enumerate(range(0, n, CHUNK)):
        part = biographies(min(CHUNK, n - start), planted, counts, rng=seed)
        part.to_csv(path, mode="a" if start else "w", header=not start, index=False)


def audit(path: Path, workers: int) -> None:
    """One audit in this process; prints seconds, and the peak memory of this process and of the largest worker."""
    from contextlib import nullcontext

    from lib.checks import unit_rows
    from lib.cluster import connect
    from lib.debiasing.projection import principal_directions
    from lib.embeddings import load_embedding
    from studies.biographies.own_texts import audit_file
    from studies.biographies.variants import gender_lists

    embedding = load_embedding("minilm")
    vectors = unit_rows("vectors", embedding.vectors)
    vectors = vectors @ principal_directions(vectors, 50).T
    before, begin, worker = cpu_seconds(), time.perf_counter(), 0.0
    with connect(workers=workers) if workers else nullcontext() as client:
        found = audit_file(path, embedding.words, vectors, gender_lists(), client=client, rng=0)
        if client:
            worker = max(client.run(peak_megabytes).values())
    wall = time.perf_counter() - begin
    print(found.texts, cpu_seconds() - before, wall, peak_megabytes(), worker)


def cpu_seconds() -> float:
    """Of this process and of workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_megabytes() -> float:
    """Of this process since it began; `ru_maxrss` would count the one that started it."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def measure(n: int, path: Path) -> list[dict[str, object]]:
    """Both ways on one file, each in a fresh process."""
    write_texts(path, n)
    rows = []
    for way, workers in WORKERS.items():
        command = [
            sys.executable,
            "-m",
            "scripts.bench.occupations",
            "audit",
            str(path),
            str(workers),
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        texts, cpu, wall, own, worker = done.stdout.split()[-5:]
        rows.append(
            {
                "texts": int(texts),
                "way": way,
                "file_mb": round(path.stat().st_size / 1e6, 1),
                "cpu_seconds": round(float(cpu), 1),
                "wall_seconds": round(float(wall), 1),
                "peak_mb": round(float(own)),
                "worker_peak_mb": round(float(worker)),
                "load": round(os.getloadavg()[0], 1),
                "machine": machine(),
            }
        )
        print(rows[-1], flush=True)
    return rows


def machine() -> str:
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main(quick: bool, row) -> None:
    """Texts a second of one process, against counting their words with a plain loop."""
    from collections import Counter

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        write_texts(path, 5_000 if quick else 20_000)
        begin = time.perf_counter()
        with path.open(newline="") as file:
            texts = [record["text"] for record in csv.DictReader(file)]
            for text in texts:
                Counter(text.lower().split())
        loop = time.perf_counter() - begin
        command = [sys.executable, "-m", "scripts.bench.occupations", "audit", str(path), "0"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
        _, _, wall, peak, _ = map(float, done.stdout.split()[-5:])
        row(
            f"audit of {len(texts):,} biographies, three variants",
            wall,
            loop,
            "a loop that counts words",
        )
        print(f"{'peak memory of the same':<58} {peak:>8,.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["audit"]:
        audit(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            rows = [row for n in SIZES for row in measure(n, Path(folder) / f"{n}.csv")]
        RECORDED.parent.mkdir(exist_ok=True)
        pd.DataFrame(rows).to_csv(RECORDED, index=False)
