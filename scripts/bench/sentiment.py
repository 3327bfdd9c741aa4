"""Sentiment: sentences a second of the book's classifier, against a loop that reads one at a time, and peak memory."""

from __future__ import annotations

import numpy as np

from scripts.bench.weat import median_seconds


def main(quick: bool, row, in_a_process) -> None:
    """The sentences of our own templates: all 4,200, or those of one occupation."""
    from lib.text_classification.sentiment.encoders import load_head
    from lib.text_classification.sentiment.lexicons import Vader
    from lib.text_classification.sentiment.templates import own_sentences

    sentences = own_sentences(occupations=["clerk"]) if quick else own_sentences()
    texts, few = sentences["text"].tolist(), slice(None, None, 10 if quick else 40)
    classifier, some = load_head(), texts[few]
    looped = one_at_a_time(classifier, some)
    found = classifier.positive(texts)
    ours = median_seconds(lambda: classifier.positive(texts), 1 if quick else 3)
    theirs = median_seconds(lambda: one_at_a_time(classifier, some), 1) * len(texts) / len(some)
    what = f"sentiment of {len(texts):,} sentences, MiniLM and a head"
    row(what, ours, theirs, f"one at a time, {len(some)} scaled", "target <= 0.5x")
    worst = np.abs(looped - found[few]).max()
    print(
        f"{'the same':<58} {len(texts) / ours:>7,.0f} sentences a second; largest difference {worst:.1g}"
    )
    heads = median_seconds(lambda: classifier.by_resample(texts), 1)
    row("the same by all resampled heads, encoded once", heads, ours, "one head")
    _, memory = in_a_process(
        "from lib.text_classification.sentiment.encoders import load_head",
        f"load_head().positive({texts!r})",
    )
    _, bare = in_a_process(
        "from lib.text_classification.sentiment.encoders import load_head", "load_head()"
    )
    print(
        f"{'peak memory of a process that does this':<58} {memory:>7,.0f} MB; {bare:,.0f} MB with the model alone"
    )
    words = Vader()
    row("VADER on the same", median_seconds(lambda: words.positive(texts), 1), ours, "MiniLM")


def one_at_a_time(classifier, texts: list[str]) -> np.ndarray:
    """Probabilities by a forward pass for each sentence."""
    import torch

    tokenizer, model = classifier.transformer.tokenizer, classifier.transformer.model
    rows = []
    for text in texts:
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        rows.append(torch.nn.functional.normalize(states.mean(dim=0), dim=0).numpy())
    return classifier.head.positive(np.array(rows))
