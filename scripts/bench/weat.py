"""Association test, RIPA and MAC against WEFE 1.0.1, same words and vectors, one run: python scripts/bench/weat.py

WEFE gets an environment of its own (.cache/bench-wefe, made once, needs the package index). Both sides run in a fresh
process each, on the same file of vectors, one after the other; WEFE's 10,000 resamples are 200 of them, scaled, and its
RIPA and MAC include looking the words up.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
WEFE = ROOT / ".cache" / "bench-wefe"
PACKAGES = ("wefe==1.0.1", "numpy<2")
RESAMPLES, FEWER = 10_000, 200
TESTS = {
    "8 + 8": ("chaloner2019", "b1", (8, 8, 11, 11)),
    "25 + 25": ("caliskan2017", "weat1", (25, 25, 25, 25)),
}


def main() -> None:
    from lib.sources import FetchError

    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npz"
        try:
            words, name = google_news(), "Google News (wefe_weat_w2v)"
        except FetchError:
            words, name = random_words(), "random vectors: no mirror, no cache, no network"
        np.savez(file, **words, **many_words())
        print(f"words of the tests: {name}; 10,000 words for RIPA and MAC: MiniLM")
        ours = in_a_process(Path(sys.executable), "ours", file)
        try:
            theirs = in_a_process(environment(), "wefe", file)
        except RuntimeError as reason:
            print(f"WEFE did not run: {reason}")
            theirs = {}
    for what, seconds in ours["seconds"].items():
        line(what, seconds, theirs.get("seconds", {}).get(what))
    if theirs:
        print(
            f"peak memory: ours {ours['peak']:,.0f} MB, WEFE {theirs['peak']:,.0f} MB ({theirs['versions']})"
        )
        differences(ours, theirs)


def google_news() -> dict[str, np.ndarray]:
    from lib.embeddings import load_embedding
    from lib.lexicons import load_lexicon

    news = load_embedding("wefe_weat_w2v")
    found = {}
    for name, (source, test, _) in TESTS.items():
        for part, words in zip("XYAB", load_lexicon(source).test(test)):
            found[f"{name}/{part}"] = news.rows(words).vectors
    return found


def random_words() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        f"{name}/{part}": rng.standard_normal((size, 300), dtype=np.float32)
        for name, (_, _, sizes) in TESTS.items()
        for part, size in zip("XYAB", sizes)
    }


def many_words() -> dict[str, np.ndarray]:
    from lib.embeddings import load_embedding
    from lib.lexicons import base_pairs

    minilm = load_embedding("minilm")
    pairs = minilm.pairs(base_pairs())
    used = [minilm.words.index(word) for pair in base_pairs() for word in pair]
    rows = np.setdiff1d(np.arange(len(minilm)), used)[:10_000]
    return {"many": np.array(minilm.vectors[rows]), "female": pairs.female, "male": pairs.male}


def ours(data: dict[str, np.ndarray]) -> dict:
    from lib.association import weat
    from lib.measures import mean_average_cosine, ripa

    found = {"seconds": {}, "answers": {}}
    for name in TESTS:
        sets = [data[f"{name}/{part}"] for part in "XYAB"]
        found["seconds"][f"WEAT p, {name} words, {RESAMPLES:,} resamples"] = median_seconds(
            lambda sets=sets: weat(*sets, method="sampled", n_resamples=RESAMPLES, rng=0), 31
        )
        found["seconds"][f"WEAT p, {name} words, {weat(*sets).test.method}"] = median_seconds(
            lambda sets=sets: weat(*sets), 5
        )
        result = weat(*sets)
        found["answers"][name] = {
            "method": result.method,
            "statistic": result.statistic,
            "effect (ddof 1)": result.effect_size,
            "effect (ddof 0)": weat(*sets, ddof=0).effect_size,
            "valid p": result.pvalue,
            "strict p": result.pvalue_strict,
            "x": result.x_associations.tolist(),
            "y": result.y_associations.tolist(),
        }
    pairs = data["female"], data["male"]
    for what, call in (
        ("RIPA of 10,000 words, 10 pairs", lambda: ripa(data["many"], *pairs)),
        ("MAC of 10,000 words, 2 sets of 10", lambda: mean_average_cosine(data["many"], pairs)),
    ):
        found["seconds"][what] = median_seconds(call, 5)
    found["answers"]["RIPA"] = float(ripa(data["many"], *pairs).mean())
    found["answers"]["MAC"] = float(mean_average_cosine(data["many"], pairs).mean())
    return found


def with_replacement(answer: dict, draws: int = 200_000) -> float:
    """The p that WEFE's way of drawing tends to: every target word drawn anew from all of them, with replacement."""
    n, pooled, generator = (
        len(answer["x"]),
        np.array(answer["x"] + answer["y"]),
        np.random.default_rng(0),
    )
    drawn = pooled[generator.integers(0, len(pooled), (draws, len(pooled)))]
    return float(
        (1 + (drawn[:, :n].sum(axis=1) - drawn[:, n:].sum(axis=1) > answer["statistic"]).sum())
        / (1 + draws)
    )


def wefe(data: dict[str, np.ndarray]) -> dict:
    from importlib.metadata import version

    from gensim.models import KeyedVectors
    from wefe.metrics import MAC, RIPA, WEAT
    from wefe.query import Query
    from wefe.word_embedding_model import WordEmbeddingModel

    def model_and_words(*names: str):
        keyed = KeyedVectors(data[names[0]].shape[1])
        words = [[f"{name} {row}" for row in range(len(data[name]))] for name in names]
        keyed.add_vectors(
            [word for part in words for word in part],
            np.concatenate([data[name] for name in names]),
        )
        return WordEmbeddingModel(keyed), words

    found = {
        "seconds": {},
        "answers": {},
        "versions": f"WEFE {version('wefe')}, NumPy {version('numpy')}",
    }
    for name in TESTS:
        model, words = model_and_words(*(f"{name}/{part}" for part in "XYAB"))
        query, metric = Query(words[:2], words[2:]), WEAT()
        without = median_seconds(lambda q=query, m=model, w=metric: w.run_query(q, m), 3)
        begin = time.perf_counter()
        result = metric.run_query(query, model, calculate_p_value=True, p_value_iterations=FEWER)
        taken = time.perf_counter() - begin - without
        found["seconds"][f"WEAT p, {name} words, {RESAMPLES:,} resamples"] = (
            without + taken * RESAMPLES / FEWER
        )
        found["answers"][name] = {
            "effect": result["effect_size"],
            "statistic": result["weat"],
            "p": result["p_value"],
        }
    model, (female, male, many) = model_and_words("female", "male", "many")
    begin = time.perf_counter()
    found["answers"]["RIPA"] = RIPA().run_query(Query([female, male], [many]), model)["result"]
    found["seconds"]["RIPA of 10,000 words, 10 pairs"] = time.perf_counter() - begin
    begin = time.perf_counter()
    found["answers"]["MAC"] = MAC().run_query(Query([many], [female, male]), model)["result"]
    found["seconds"]["MAC of 10,000 words, 2 sets of 10"] = time.perf_counter() - begin
    return found


def median_seconds(call, runs: int) -> float:
    call()
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return float(np.median(times))


def line(what: str, ours: float, theirs: float | None) -> None:
    target = "target 20,000x" if f"{RESAMPLES:,} resamples" in what else ""
    scaled = f", {FEWER} draws scaled" if target else ""
    peer = f"{theirs:>9.2f} s WEFE{scaled:<19} {theirs / ours:>9,.0f}x" if theirs else ""
    print(f"{what:<46} {1e3 * ours:>9.2f} ms {peer}  {target}".rstrip())


def differences(ours: dict, theirs: dict) -> None:
    """Both answers where they differ, and why; one line where they agree."""
    for name in TESTS:
        mine, wefes = ours["answers"][name], theirs["answers"][name]
        sample, population, valid, strict = (
            mine[k] for k in ("effect (ddof 1)", "effect (ddof 0)", "valid p", "strict p")
        )
        print(
            f"{name} words: effect size {sample:.4f} with the sample deviation (ours by default);"
        )
        print(
            f"   WEFE {wefes['effect']:.4f} with the population deviation (ours with ddof=0: {population:.4f})"
        )
        print(
            f"   p {valid:.3g} ({mine['method']}; strict {strict:.3g}); WEFE {wefes['p']:.3g}, at least 1/{FEWER + 1}:"
        )
        print(
            "   it draws with replacement, so that a word may come twice or in both sets;", end=" "
        )
        print(f"with more draws such p tend to {with_replacement(mine):.3g}")
        assert np.isclose(population, wefes["effect"], rtol=1e-5)
        assert np.isclose(mine["statistic"], wefes["statistic"], rtol=1e-5)
    for name in ("RIPA", "MAC"):
        assert np.isclose(ours["answers"][name], theirs["answers"][name], rtol=1e-4, atol=1e-6)
        print(f"{name}: {ours['answers'][name]:.6f}, WEFE {theirs['answers'][name]:.6f}")


def environment() -> Path:
    """The Python of WEFE's environment, made once."""
    python = WEFE / "bin" / "python"
    if not (WEFE / "made").exists():
        print(f"making an environment for WEFE in {WEFE.relative_to(ROOT)} …")
        create = sys.executable, "-m", "venv", "--clear", WEFE
        for command in (create, (python, "-m", "pip", "install", "-q", *PACKAGES)):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                why = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1]
                raise RuntimeError(
                    f"{why} ({' '.join(PACKAGES)} need the package index and Python 3.11 or 3.12)"
                )
        (WEFE / "made").touch()
    return python


def in_a_process(python: Path, side: str, file: Path) -> dict:
    done = subprocess.run([python, __file__, side, file], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.path[0] = str(ROOT) if sys.argv[1] == "ours" else sys.path[0]
        found = {"ours": ours, "wefe": wefe}[sys.argv[1]](dict(np.load(sys.argv[2])))
        status = Path("/proc/self/status")
        peak = (
            re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1] if status.exists() else "0"
        )  # since exec
        print(json.dumps({**found, "peak": int(peak) / 1024}, default=float))
    else:
        main()
