"""The card of minilm-mlm: data/models/minilm-mlm/card.md, every number read from scores.json and
the size of the model.
"""

import json
import re
from pathlib import Path

from lib.datasets.corpora import corpora
from lib.files import write_whole
from lib.training.cards import table
from lib.training.masked_lm.texts import CORPORA, HELD_OUT, LONGEST
from lib.training.masked_lm.train import EVALUATED

NOT_TRAINED_ON = "GAP, BOLD, CrowS-Pairs, Winogender, WinoBias and StereoSet"
RESTRICTED = re.compile(r"non-commercial|\bNC\b|\bSA\b|unstated", re.IGNORECASE)


def write_card(folder: Path) -> Path:
    """Write card.md from what lies in a folder. Returns its path. Raises FileNotFoundError where no
    run has ended.
    """
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    megabytes = (folder / "model.safetensors").stat().st_size / 1e6
    parts = [
        _introduction(scores, megabytes),
        _reached(scores),
        _texts(scores),
        _settings(scores),
        _LIMITS,
    ]
    return write_whole(folder / "card.md", "\n\n".join(parts) + "\n")


def _introduction(scores: dict, megabytes: float) -> str:
    s = scores["settings"]
    layers, minutes = s["layers"], scores["seconds"] / 60
    command = f"python -m lib.training.masked_lm.train --steps {scores['steps']} --layers {layers} --seed {s['seed']}"
    if s["corpora"] != list(CORPORA):
        command += f" --corpora {' '.join(s['corpora'])}"
    return f"""# minilm-mlm: a masked-LM head for all-MiniLM-L6-v2

all-MiniLM-L6-v2 makes vectors of sentences; it cannot fill a gap. This head lets it: a dense layer, GELU and LayerNorm
before a decoder that is the encoder's own input embeddings, and a bias; the last {layers} encoder layers were trained with
it. Everything else is the weights that come with the package, checked by their hash. `model.safetensors`
({megabytes:.2f} MB, float16) holds only what was trained; `lib.language_models.MaskedLanguageModel("minilm-mlm")` puts the
two together. It is there so that the chapters on masked language models run on any machine without a download.

Made by `{command}`
in {minutes:.0f} minutes, precision {s["precision"]}, from texts that the registry pins. A killed run goes on from its
checkpoint. The same command gives the same model on the same kind of processor; others round differently.
`python -m lib.training.masked_lm.train --card` writes this card again."""


def _reached(scores: dict) -> str:
    rows = [
        (name, f"{pieces:,}", f"{100 * right:.1f}")
        for name, (right, pieces) in scores["by_corpus"].items()
    ]
    whole = [f"`{name}`" for name in scores["texts"] if name not in scores["by_corpus"]]
    none = f" Of {' and '.join(whole)}, a few long texts each, none is held out." if whole else ""
    return (
        f"## What it reached\n\nOn held-out text, {100 * EVALUATED:.0f} % of the pieces being masked: a loss of "
        f"{scores['loss']:.3f} nats a masked piece, and {100 * scores['accuracy']:.2f} % of the masked pieces right at the "
        "first guess. Settings were chosen by masked accuracy alone, never by a measure of bias.\n\n"
        + table(["held out from", "masked pieces", "right, %"], rows)
        + f"\n\nOne text in {HELD_OUT} is held out, by the hash of what it says in small letters, so that a text that comes "
        f"twice within a corpus falls on one side.{none} Held out means from this training: the encoder itself was trained "
        "before, by others, on a billion pairs of sentences, captions and Reddit comments among them, and its layers may "
        "have met some of the texts here."
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
        ("encoder layers trained", f"the last {s['layers']}"),
        ("optimiser", f"AdamW, weight decay {s['decay']:g}, gradients clipped to length 1"),
        ("learning rate", f"{s['head_rate']:g} for the head, {s['rate']:g} for the layers"),
        (
            "schedule",
            f"linear rise over {100 * s['warmup']:.0f} % of the steps, then half a cosine to zero",
        ),
        ("dropout", "none"),
        ("start", "dense layer at the identity, bias at the log frequency of pieces"),
        ("seed", s["seed"]),
        ("precision", s["precision"]),
    ]
    return f"## Settings\n\n{table(['setting', 'value'], rows)}"


_LIMITS = """## What it is not good for

A small model after a short training on a few million words: it knows common words in plain sentences. It is no substitute
for BERT in a measurement that others should rely on, no source of facts, and not to be used to judge, rank or describe
people. Probabilities of rare words, of words of several pieces and of long texts are poor. Part of its text is from the
1910s and the 1960s, part from political speeches, film reviews and forums; the associations it has are associations in
those texts and in what the encoder had read before, and not truths about people. English only, in small letters only."""
