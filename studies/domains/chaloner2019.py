"""What Chaloner & Maldonado (2019) released: the effect sizes and p-values behind their Table 2."""

import io

import pandas as pd

from lib.sources import fetch

DATASETS = {  # name of a block in the file -> in the paper
    "GoogleNews-vectors-negative300": "Google News",
    "word2vec_twitter_model": "Twitter",
    "PubMed-shuffle-win-2": "PubMed w2",
    "PubMed-shuffle-win-30": "PubMed w30",
    "gap-full": "GAP",
}
METRICS = ("p_value", "weat_effect_size_d")


def read_effects() -> pd.DataFrame:
    """The p-values and effect sizes of all five tests on the vectors of all five corpora, a row a number.

    `dataset`, `category` and `metric` as in data/claims; `stored`, the number: effect sizes have all digits, p-values those
    of a share of 100,000 draws.
    """
    blocks = fetch("gebnlp_all_cases").read_text(encoding="utf-8").split("==> ")[1:]
    frames = []
    for block in blocks:
        head, _, lines = block.partition("<==\n")
        name = head.strip().removesuffix(".cases")
        if name not in DATASETS:
            raise ValueError(
                f"gebnlp_all_cases: expected vectors called {', '.join(DATASETS)}; got {name!r}."
            )
        table = pd.read_csv(io.StringIO(lines), sep="\t", names=["category", *METRICS])
        frames.append(table.assign(dataset=DATASETS[name]))
    effects = pd.concat(frames, ignore_index=True)
    effects["category"] = effects["category"].str.replace(": ", " ", n=1, regex=False)
    return effects.melt(["dataset", "category"], METRICS, "metric", "stored")
