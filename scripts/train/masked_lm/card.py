"""The card of data/models/minilm-mlm, every number read from the scores.json of its seeds and
the size of their models.
"""

import re
from pathlib import Path

from lib.datasets.corpora import corpora
from lib.language_models.low_rank import seed_weights
from scripts.train import cards
from scripts.train.cards import table
from scripts.train.masked_lm.texts import CORPORA, HELD_OUT, LONGEST
from scripts.train.masked_lm.train import EVALUATED

NOT_TRAINED_ON = "GAP, BOLD, CrowS-Pairs, Winogender, WinoBias and StereoSet"
PROSE = ("brown", "film", "news", "mixed", "medical", "books", "inaugural", "plots")
AIM = 0.34  # of masked pieces of prose, right at the first guess
RESTRICTED = re.compile(r"non-commercial|\bNC\b|\bSA\b|unstated", re.IGNORECASE)


def write_card(folder: Path) -> Path:
    """Write card.md from the seeds in a folder. Returns its path. Raises FileNotFoundError where no
    run has ended.
    """
    files = seed_weights(folder)
    if not files:
        raise FileNotFoundError(f"{folder}: no seed<number>/model.safetensors; train one first")
    seeds = {seed: cards.scores_in(file.parent) for seed, file in files.items()}
    megabytes = max(file.stat().st_size for file in files.values()) / 1e6
    first = next(iter(seeds.values()))
    return cards.write(
        folder,
        _introduction(seeds, megabytes),
        _reached(seeds),
        _texts(first),
        _settings(first),
        _LIMITS,
    )


def prose_accuracy(scores: dict) -> float:
    """Share of the masked pieces of held-out prose that are right at the first guess."""
    rows = [scores["by_corpus"][name] for name in PROSE if name in scores["by_corpus"]]
    pieces = sum(count for _, count in rows)
    return sum(right * count for right, count in rows) / pieces if pieces else float("nan")


def _introduction(seeds: dict[int, dict], megabytes: float) -> str:
    scores = next(iter(seeds.values()))
    s = scores["settings"]
    minutes = ", ".join(f"{one['seconds'] / 60:.0f}" for one in seeds.values())
    command = f"python -m scripts.train.masked_lm.train --steps {scores['steps']} --rank {s['rank']} --seed N"
    if s["corpora"] != list(CORPORA):
        command += f" --corpora {' '.join(s['corpora'])}"
    return f"""# minilm-mlm: a masked-LM head for all-MiniLM-L6-v2, all layers trained

all-MiniLM-L6-v2 makes vectors of sentences; it cannot fill a gap. This head lets it: a dense layer, GELU and LayerNorm
before a decoder that is the encoder's own input embeddings, and a bias. Each matrix of the six encoder layers has a change of
rank {s["rank"]} (low-rank adaptation, Hu et al. 2022) that was trained with it, and so have their biases and normalisations. Everything
else is the weights that come with the package, checked by their hash. `seed<N>/model.safetensors` ({megabytes:.2f} MB, float16)
holds only what was trained; `lib.language_models.low_rank.minilm_mlm` puts the two together. It is there so that the
chapters on masked language models run on any machine without a download.

Made by `{command}` for N in {", ".join(map(str, seeds))},
in {minutes} minutes, precision {s["precision"]}, from texts that the registry pins. A killed run goes on from its
checkpoint. The same command gives the same model on the same kind of processor; others round differently.
`python -m scripts.train.masked_lm.train --card` writes this card again."""


def _reached(seeds: dict[int, dict]) -> str:
    totals = [
        (
            seed,
            f"{scores['steps']:,}",
            f"{scores['loss']:.3f}",
            f"{100 * scores['accuracy']:.2f}",
            f"{100 * prose_accuracy(scores):.2f}",
        )
        for seed, scores in seeds.items()
    ]
    first = next(iter(seeds.values()))
    alone = first["unigram"]
    totals.append(
        (
            "frequencies alone",
            "",
            f"{alone['loss']:.3f}",
            f"{100 * alone['accuracy']:.2f}",
            "",
        )
    )
    rows = [
        (name, f"{pieces:,}", *(f"{100 * s['by_corpus'][name][0]:.1f}" for s in seeds.values()))
        for name, (_, pieces) in first["by_corpus"].items()
    ]
    whole = [f"`{name}`" for name in first["texts"] if name not in first["by_corpus"]]
    none = f" Of {' and '.join(whole)}, a few long texts each, none is held out." if whole else ""
    head = ["seed", "steps", "loss, nats a masked piece", "right, %", "right on prose, %"]
    return (
        f"## What it reached\n\nOn held-out text, {100 * EVALUATED:.0f} % of the pieces being masked; *right* is the share "
        f"of masked pieces that are the first guess. Prose is {', '.join(f'`{name}`' for name in PROSE)}. Settings were chosen "
        "by masked loss and accuracy alone, never by a measure of bias. The last line always guesses the commonest piece.\n\n"
        + table(head, totals)
        + f"\n\n{_aim(seeds)}\n\n"
        + table(
            ["held out from", "masked pieces", *(f"seed {seed}: right, %" for seed in seeds)], rows
        )
        + f"\n\nOne text in {HELD_OUT} is held out, by the hash of what it says in small letters, so that a text that comes "
        f"twice within a corpus falls on one side.{none} Held out means from this training: the encoder itself was trained "
        "before, by others, on a billion pairs of sentences, captions and Reddit comments among them, and its layers may "
        "have met some of the texts here."
    )


def _aim(seeds: dict[int, dict]) -> str:
    """What was aimed at, what was reached, and what is known of the reason."""
    prose = [100 * prose_accuracy(scores) for scores in seeds.values()]
    first = next(iter(seeds.values()))
    seen = first["steps"] * first["settings"]["tokens"]
    minutes = max(scores["seconds"] for scores in seeds.values()) / 60
    verdict = "It was reached" if min(prose) >= 100 * AIM else "It was not reached"
    return (
        f"The aim was {100 * AIM:.0f} % right on prose. {verdict}: {min(prose):.1f} to {max(prose):.1f} %. "
        f"{first['steps']:,} steps saw {seen / 1e6:.1f} million pieces, {seen / first['training_pieces']:.2f} times those in the "
        f"texts, in up to {minutes:.0f} minutes a seed. No longer training at these settings and no "
        "learning curve is on record, so whether time, text or size is what lacks is not known."
    )


def _texts(scores: dict) -> str:
    licenses = {name: corpora()[name].licenses() for name in scores["texts"]}
    rows = [
        (name, corpora()[name].title, f"{pieces:,}", _keys(licenses[name]))
        for name, pieces in scores["texts"].items()
    ]
    restricted = [
        f"`{key}`"
        for found in licenses.values()
        for key, terms in found.items()
        if RESTRICTED.search(terms)
    ]
    head = [
        "corpus",
        "texts",
        "pieces trained on",
        "registry keys (terms as the registry states them)",
    ]
    return (
        f"## Texts and their terms\n\n{scores['training_pieces']:,} pieces to train on, {scores['held_out_pieces']:,} held "
        f"out, [CLS] and [SEP] included.\n\n{table(head, rows)}\n\n"
        "An epoch takes from each corpus a share of its pieces that goes with the square root of the corpus's size, so that "
        "no corpus owns the model; sentences for learners that name Tom or Mary are left out, as those two would own the place of the subject.\n\n"
        f"**Not trained on**: {NOT_TRAINED_ON}. Chapters evaluate on some of them.\n\n"
        f"The texts are not shipped. Weights are statistics of text; still, the terms of {', '.join(restricted)} are "
        "non-commercial, share-alike or unstated, so that whoever uses the model beyond this book should read them first. "
        "The encoder is Apache-2.0."
    )


def _keys(licenses: dict[str, str]) -> str:
    """Keys with their terms; many keys of the same terms as the first, the last and how many."""
    if len(licenses) > 6 and len(set(licenses.values())) == 1:
        keys = list(licenses)
        return f"`{keys[0]}` to `{keys[-1]}`, {len(keys)} files ({licenses[keys[0]]})"
    return "; ".join(f"`{key}` ({terms})" for key, terms in licenses.items())


def _settings(scores: dict) -> str:
    s = scores["settings"]
    low, high = s["masked"]
    rows = [
        ("steps", f"{scores['steps']:,}"),
        ("pieces a step", f"about {s['tokens']:,}"),
        ("pieces a sequence", f"at most {LONGEST}"),
        (
            "share masked",
            f"{100 * low:.0f} to {100 * high:.0f} %, drawn for each step; always by [MASK]",
        ),
        ("encoder layers trained", f"all, each matrix by a change of rank {s['rank']}"),
        ("optimiser", f"AdamW, weight decay {s['decay']:g}, gradients clipped to length 1"),
        ("learning rate", f"{s['head_rate']:g} for the head, {s['rate']:g} for the layers"),
        (
            "schedule",
            f"linear rise over {100 * s['warmup']:.0f} % of the steps, then half a cosine to zero",
        ),
        ("dropout", "none"),
        ("start", "dense layer at the identity, bias at the log frequency of pieces"),
        ("precision", s["precision"]),
    ]
    return f"## Settings\n\n{table(['setting', 'value'], rows)}"


_LIMITS = """## What it is not good for

A small model after a short training on a few million words: it knows common words in plain sentences. It is no substitute
for BERT in a measurement that others should rely on, no source of facts, and not to be used to judge, rank or describe
people. Probabilities of rare words, of words of several pieces and of long texts are poor. Part of its text is from the
1910s and the 1960s, part from political speeches, film reviews and forums; the associations it has are associations in
those texts and in what the encoder had read before, and not truths about people. English only, in small letters only."""
