"""The card of a translator that was trained here: card.md, every number read from scores.json and
held_out.json.
"""

from __future__ import annotations

import json
from pathlib import Path

from lib.datasets.tatoeba import KEYS
from lib.sources import lookup
from scripts.train import cards
from scripts.train.cards import table
from scripts.train.translator.scores import SPEAKERS

LANGUAGES = {"en": "English", "es": "Spanish", "fr": "French"}
ARMS = {
    "right": "the prefix names the speaker whose form follows",
    "plain": "the same sentences without a prefix",
    "shuffled": "He and She drawn without regard to the form that follows",
}


def write_card(folder: Path) -> Path:
    """Write card.md from what lies in a folder. Returns its path. Raises FileNotFoundError where no
    run has ended.
    """
    scores = cards.scores_in(folder)
    held_out = json.loads((folder / "held_out.json").read_text(encoding="utf-8"))
    return cards.write(
        folder,
        _introduction(scores, folder.name),
        _reached(scores),
        _heard(scores, held_out),
        _texts(scores),
        _settings(scores),
        _LIMITS,
    )


def _introduction(scores: dict, name: str) -> str:
    s = scores["settings"]
    source, target = (LANGUAGES[code] for code in s["direction"].split("-"))
    command = f"python -m scripts.train.translator.train --direction {s['direction']} --steps {scores['steps']} --seed {s['seed']}"
    command += f" --speech {s['speech']:g}" + (f" --arm {s['arm']}" if s["arm"] != "right" else "")
    again = f"python -m scripts.train.translator.train --card --direction {s['direction']}"
    if name != f"tatoeba-{s['direction']}":
        command, again = (f"{line} --folder data/models/{name}" for line in (command, again))
    return f"""# {name}: a small translator, {source} to {target}

A Marian model of transformers with {s["encoder_layers"]} encoder and {s["decoder_layers"]} decoder layers, vectors of
{s["width"]} dimensions and one vocabulary of {s["vocabulary"]:,} pieces for both languages: {scores["parameters"] / 1e6:.2f}
million parameters, {scores["megabytes"]:.2f} MB in float16. It is there so that the chapters on translation run on any
machine without a download. `AutoModelForSeq2SeqLM.from_pretrained(folder, dtype="float32")` and `AutoTokenizer` load it.

Made by `{command}`
in {scores["seconds"] / 60:.0f} minutes, precision {s["precision"]}. A killed run goes on from its checkpoint. The same
command gives the same model on the same kind of processor; others round differently.
`{again}` writes this card again."""


def _reached(scores: dict) -> str:
    rows = [
        (against, metric, f"{found['score']:.1f}", f"`{found['signature']}`")
        for against, metrics in scores["test"].items()
        for metric, found in metrics.items()
    ]
    return (
        f"## What it reached\n\n{scores['test_sentences']:,} held-out Tatoeba sentences, beam {scores['beams']}, scored by "
        f"sacrebleu. Validation loss {scores['validation_loss']:.3f} nats a piece.\n\n"
        + table(["against", "measure", "score", "signature"], rows)
        + "\n\nNo source sentence is shared between training, validation and test, case and punctuation aside; a "
        "translation may be. Tatoeba's sentences are short and alike, so the scores say little about other text."
    )


def _heard(scores: dict, held_out: list[str]) -> str:
    if "heard" not in scores:
        return ""
    rows = []
    for speaker in SPEAKERS:
        counted = scores["heard"][speaker]
        share, low, high = (counted[name] for name in ("feminine_share", "low", "high"))
        rows.append(
            (
                "none" if speaker == "none" else f"{speaker} said:",
                counted["sentences"],
                counted["prefix_kept"],
                counted["feminine"],
                counted["masculine"],
                counted["ambiguous"] + counted["unmarked"],
                "–"
                if share is None
                else f"{100 * share:.0f} % ({100 * low:.0f} to {100 * high:.0f})",
            )
        )
    settings = scores["settings"]
    taught = "It saw no direct speech made for it"
    if settings["speech"]:
        taught = (
            f"{100 * settings['speech']:g} % of its training examples are direct speech made from "
            f"training sentences ({ARMS[settings['arm']]})"
        )
    asked = (
        f"{len(held_out)} adjectives (`held_out.json`) never stand after a prefix in training. Held-out first-person "
        "sentences with one of them"
    )
    if settings["direction"] == "en-fr":
        asked = (
            "Sentences of the first person written for this book (`data/lexicons/first_person_french.json`), none of them "
            "among the pairs"
        )
    head = ["prefix", "sentences", "keep it", "feminine", "masculine", "neither"]
    return (
        f"## Who is heard to speak\n\n{taught}. {asked}, by the form that marks the speaker in the output, as "
        "a rule over the endings sees it:\n\n"
        + table([*head, "feminine share of marked (95 % interval)"], rows)
    )


def _texts(scores: dict) -> str:
    french = scores["settings"]["direction"] == "en-fr"
    key, counts = KEYS["fr" if french else "es"], scores["pairs"]
    source = lookup(key)
    spoken = "" if french else f", {counts['speech']:,} with a held-out adjective"
    return (
        f"## Texts and their terms\n\n`{key}`: {source.description}; {source.license}. {counts['training']:,} pairs to "
        f"train on, {counts['validation']:,} to validate, {counts['test']:,} to test{spoken}. "
        "The sentences are not shipped. Tatoeba asks that its authors be named: https://tatoeba.org."
    )


def _settings(scores: dict) -> str:
    s = scores["settings"]
    rows = [
        ("steps", f"{scores['steps']:,}"),
        ("pieces a step", f"about {s['tokens']:,}, both sides together"),
        ("optimiser", f"AdamW, weight decay {s['decay']:g}, gradients clipped to length 1"),
        (
            "learning rate",
            f"{s['rate']:g}: linear rise over {100 * s['warmup']:.0f} % of the steps, half a cosine to zero",
        ),
        ("label smoothing", f"{s['smoothing']:g}"),
        ("dropout", f"{s['dropout']:g} after every sublayer"),
        ("seed", s["seed"]),
    ]
    return f"## Settings\n\n{table(['setting', 'value'], rows)}"


_LIMITS = """## What it is not good for

A small model that has read a hundred thousand short sentences: it errs on rare words, long sentences, names and numbers, and
is no translator to rely on. What it does with gender is what Tatoeba's contributors wrote and, where it was taught direct
speech, what the made examples say; it is not evidence about other systems. Its forms are feminine and masculine, as in
the training text; a speaker whom neither names is not provided for."""
