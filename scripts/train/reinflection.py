"""Train what identifies and rewrites first-person Spanish sentences, on Tatoeba's pairs.

python -m scripts.train.reinflection [--folder data/models/spanish-reinflection] [--seeds 3]
python -m scripts.train.reinflection --card     writes card.md from scores.json

needs the `sample` files; ten minutes a seed on one shared core. Adjectives that the shipped
translators hold out are in no sentence that is trained on, in any form. No setting of the rewriter was chosen by
a score on them; that adjectives are swapped for the classifier, too, was chosen after a first one had
found fewer of them (the card has both).
"""

import json
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from lib.command import command
from lib.datasets.tatoeba import KEYS
from lib.sources import lookup
from lib.threads import one_thread
from lib.translation.evaluation_sets import held_out_pairs
from lib.translation.gender_spanish import speaker_marking
from lib.translation.reinflection.network import ASKED, Rewriter
from scripts import commands
from scripts.commands import GOES_ON
from scripts.train import cards, loop
from scripts.train.cards import table
from scripts.train.loop import write_tensors
from scripts.train.translator.direct_speech import Marked, holds, marked_letters, marked_pair
from scripts.train.translator.split import split_pairs
from studies.reinflection.identify import SHIPPED, Classifier, by_reader, fit_classifier
from studies.reinflection.scores import MEASURES, compare_systems, line_scores
from studies.reinflection.sentences import ABOUT, both_forms, own_sentences, unchanged
from studies.reinflection.spanish import OTHER
from studies.reinflection.systems import in_both_directions, outputs_of_systems

TATOEBA = KEYS["es"]
SWAPS = 3  # further adjectives in each marked sentence that the identifier learns from
HELD_OUT = ("Copy", "Letters: Single", "Letters: Two Step, reader", "Letters: Two Step, classifier")
PLAIN = 12_000  # sentences that mark no speaker which it learns from
LONGEST = 48  # letters of a sentence to train on

log = logging.getLogger("lib")


@dataclass(frozen=True)
class Settings(loop.Settings):
    """Of the character model: share of sentences that mark their speaker, and how it is trained."""

    steps: int = 3000
    batch: int = 32
    marked: float = 0.5
    swapped: float = 0.5
    rate: float = 3e-3
    embedding: int = 32
    hidden: int = 64
    dropout: float = 0.1


@dataclass(frozen=True)
class Sentences:
    """What is trained on: sentences in both forms by the stem of their adjective, and those of one.

    Attributes
    ----------
    marked : dict of str to list of Marked
    plain : list of str
        Sentences that mark no first person, and no adjective that is held out.
    """

    marked: dict[str, list[Marked]]
    plain: list[str]


def training_sentences() -> Sentences:
    """Training pairs without a held-out adjective in any form."""
    split = split_pairs()
    marked, plain = {}, []
    for pair in split.training:
        spanish = pair[1]
        if len(spanish) > LONGEST or holds(spanish, split.held_out):
            continue
        if found := marked_pair(pair, split.stems):
            marked.setdefault(found.stem, []).append(found)
        elif (
            not marked_letters(spanish, split.stems)[0]
            and speaker_marking(spanish).gender == "unmarked"
        ):
            plain.append(spanish)
    return Sentences(marked, list(dict.fromkeys(plain)))


def swapped(example: Marked, stem: str) -> Marked | None:
    """An example with another adjective in the place of its own; None where it has several forms.

    Examples
    --------
    >>> swapped(Marked("I'm ill.", "Estoy malo.", "Estoy mala.", "m", "mal"), "cansad").feminine
    'Estoy cansada.'
    """
    differ = [i for i, (a, b) in enumerate(zip(example.masculine, example.feminine)) if a != b]
    end = differ[0]
    start = end - len(example.stem)
    if len(differ) > 1 or example.masculine[start:end] != example.stem:
        return None
    forms = (text[:start] + stem + text[end:] for text in (example.masculine, example.feminine))
    return Marked(example.english, *forms, example.gender, stem)


def draw(sentences: Sentences, settings: Settings, *, rng: np.random.Generator):
    """A batch: (gender asked for, sentence, the same in that gender)."""
    stems = list(sentences.marked)
    rows = []
    for _ in range(settings.batch):
        asked = ("masculine", "feminine")[rng.integers(2)]
        if rng.random() < settings.marked:
            own = sentences.marked[stems[rng.integers(len(stems))]]
            example = own[rng.integers(len(own))]
            if rng.random() < settings.swapped:
                example = swapped(example, stems[rng.integers(len(stems))]) or example
            given = (example.masculine, example.feminine)[rng.integers(2)]
            rows.append((asked, given, getattr(example, asked)))
        else:
            text = sentences.plain[rng.integers(len(sentences.plain))]
            rows.append((asked, text, text))
    return rows


def labelled(
    sentences: Sentences, swaps: int = SWAPS, *, rng: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """Sentences with who speaks in them, what the identifier learns from."""
    stems = list(sentences.marked)
    for own in sentences.marked.values():
        for example in own:
            others = (
                swapped(example, stems[place]) for place in rng.integers(len(stems), size=swaps)
            )
            for variant in filter(None, (example, *others)):
                for gender in OTHER:
                    yield getattr(variant, gender), gender
    for place in rng.permutation(len(sentences.plain))[:PLAIN]:
        yield sentences.plain[place], "neither"


def train_characters(sentences: Sentences, settings: Settings) -> Rewriter:
    """Train the character model."""
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    texts = [*sentences.plain, *(m.masculine for own in sentences.marked.values() for m in own)]
    letters = "".join(sorted({letter for text in texts for letter in text}))
    model = Rewriter(letters, settings.embedding, settings.hidden, settings.dropout)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=0.01)
    model.train()

    def backward(step: int, rows: list[tuple[str, str, str]]) -> float:
        loss = model.loss(
            [[ASKED[asked], *model.numbers(given)] for asked, given, _ in rows],
            [model.numbers(wanted) for _, _, wanted in rows],
        )
        loss.backward()
        return float(loss.detach())

    def steps(first: int) -> Iterator[float]:
        given = (draw(sentences, settings, rng=rng) for _ in range(first, settings.steps))
        return loop.descend(backward, given, model.parameters(), optimizer, settings, first)

    loop.take_steps(steps, settings, None, {}, optimizer, time.monotonic())
    return model.eval()


def train(folder: Path, seeds: int) -> None:
    """Train and score both models; write the identifier and the character model of seed 0."""
    sentences = training_sentences()
    log.info("%d adjectives, %d sentences of one form", len(sentences.marked), len(sentences.plain))
    classifiers = {
        swaps: fit_classifier(*zip(*labelled(sentences, swaps, rng=np.random.default_rng(0))))
        for swaps in (SWAPS, 0)
    }
    scores = {
        "adjectives": len(sentences.marked),
        "marked": sum(map(len, sentences.marked.values())),
        "plain": len(sentences.plain),
        "identified": {swaps: identified(found) for swaps, found in classifiers.items()},
        "seeds": {},
        "held out": {"seeds": {}},
    }
    for seed in range(seeds):
        settings = Settings(seed=seed)
        path = folder / f"seed{seed}.safetensors"
        if not path.is_file():
            begun = time.process_time()
            model = train_characters(sentences, settings)
            seconds = time.process_time() - begun
            save(path, model, settings, seconds)
        model, metadata = read(path)
        log.info("seed %d: scored", seed)
        scores["seeds"][seed] = rewritten(model) | {"seconds": round(float(metadata["cpu"]))}
        of_seed, scores["held out"]["sentences"], scores["held out"]["marked"] = on_held_out(
            model, classifiers[SWAPS], sentences
        )
        scores["held out"]["seeds"][seed] = of_seed
        scores["settings"] = json.loads(metadata["settings"]) | {"seed": 0}
    model, metadata = read(folder / "seed0.safetensors")
    scores["parameters"] = sum(weight.numel() for weight in model.parameters())
    identifier = classifiers[SWAPS]
    tensors = {f"rewriter.{name}": tensor.half() for name, tensor in model.state_dict().items()}
    tensors["identifier.weights"] = torch.from_numpy(identifier.weights).half()
    tensors["identifier.constants"] = torch.from_numpy(identifier.constants)
    write_tensors(folder / SHIPPED.name, tensors, metadata)
    cards.write_scores(folder, scores)
    for seed in range(seeds):
        (folder / f"seed{seed}.safetensors").unlink()


def save(path: Path, model: Rewriter, settings: Settings, seconds: float) -> None:
    """A trained character model, in float16."""
    tensors = {name: tensor.half() for name, tensor in model.state_dict().items()}
    metadata = {"letters": model.letters, "settings": json.dumps(asdict(settings))}
    write_tensors(path, tensors, metadata | {"cpu": str(seconds)})


def read(path: Path) -> tuple[Rewriter, dict[str, str]]:
    """A character model as `save` wrote it, and its settings."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as stored:
        metadata = stored.metadata()
        weights = {name: stored.get_tensor(name).float() for name in stored.keys()}  # noqa: SIM118
    settings = json.loads(metadata["settings"])
    model = Rewriter(metadata["letters"], settings["embedding"], settings["hidden"])
    model.load_state_dict(weights)
    return model.eval(), metadata


def identified(classifier: Classifier) -> dict[str, float]:
    """Share of the book's own sentences identified as what they are, by whom they mark."""
    tested = own_sentences()
    right = np.array(classifier.label(tested["sentence"].tolist())) == tested["given"]
    return right.groupby(tested["about"]).mean().round(4).to_dict()


def rewritten(model: Rewriter) -> dict[str, float]:
    """Share of the book's own sentences as they should be, when all are rewritten.

    Returns
    -------
    dict
        "to feminine", "to masculine": of those in the other form; "kept": of those in the form
        that is asked for; "somebody else", "nobody": of those that mark no speaker, both
        directions; "words": of the gender-marking words.
    """
    tested = own_sentences()
    kept, unmarked, marking = [], [], []
    shares = {}
    for gender, other in OTHER.items():
        written = model.rewrite(tested["sentence"].tolist(), gender)
        scored = line_scores(written, tested[gender], tested[other])
        scored[["about", "given"]] = tested[["about", "given"]]
        shares[f"to {gender}"] = scored.loc[tested["given"] == other, "right"].mean()
        kept.append(scored.loc[tested["given"] == gender, "right"])
        unmarked.append(scored.loc[tested["given"] == "neither", ["about", "right"]])
        marking.append(scored[["hits", "marking"]].sum())
    together = pd.concat(unmarked)
    shares["kept"] = pd.concat(kept).mean()
    for about in ABOUT[1:]:
        shares[about] = together.loc[together["about"] == about, "right"].mean()
    hits, words = sum(marking)
    shares["words"] = hits / words
    return {name: round(float(share), 4) for name, share in shares.items()}


def on_held_out(
    model: Rewriter, classifier: Classifier, trained: Sentences
) -> tuple[dict[str, dict[str, float]], int, int]:
    """Scores on Tatoeba's sentences that nothing was trained on.

    Returns
    -------
    scores : dict
        System -> measure of `studies.reinflection.scores` -> value.
    sentences, marked : int
        Of the sentences, and those of them that mark who speaks.
    """
    speakers, plain = held_out_pairs()
    spanish = sorted({*plain["spanish"]} - {*trained.plain})
    tested = pd.concat(
        [both_forms(speakers), unchanged(spanish, ABOUT[2], spanish)], ignore_index=True
    )
    texts, asked = tested["sentence"].tolist(), in_both_directions(tested)
    labels = {"reader": by_reader(texts), "classifier": classifier.label(texts)}
    outputs = outputs_of_systems(
        asked,
        {name: [*found, *found] for name, found in labels.items()},
        model,
        rng=np.random.default_rng(0),
    )
    kept = {name: outputs[name] for name in HELD_OUT}
    table = compare_systems(kept, asked["target"], asked["other"], resamples=2)
    wide = table.pivot(index="system", columns="measure", values="value").loc[list(kept)]
    return wide.round(4).to_dict("index"), len(tested), 2 * len(speakers)


def write_card(folder: Path) -> Path:
    """Write card.md from scores.json and the size of the weights."""
    scores = cards.scores_in(folder)
    settings, seeds = scores["settings"], scores["seeds"]
    source = lookup(TATOEBA)
    kilobytes = (folder / SHIPPED.name).stat().st_size / 1e3
    measures = [name for name in seeds["0"] if name != "seconds"]
    rows = [
        [seed, *(f"{100 * found[name]:.1f}" for name in measures)] for seed, found in seeds.items()
    ]
    held_out = scores["held out"]
    held_rows = [
        [
            seed,
            system,
            f"{found['BLEU']:.1f}",
            *(f"{100 * found[name]:.1f}" for name in MEASURES[1:]),
        ]
        for seed, systems in held_out["seeds"].items()
        for system, found in systems.items()
    ]
    labels = [
        [
            f"{int(swaps)} swaps",
            *(f"{100 * scores['identified'][swaps][about]:.1f}" for about in ABOUT),
        ]
        for swaps in scores["identified"]
    ]
    text = f"""# spanish-reinflection: who speaks in a Spanish sentence, and the sentence in the other form

Two small models, {kilobytes:,.0f} kB in float16, after the two steps of Habash, Bouamor and Chung (2019):

- **identifier**: a logistic regression (liblinear, C = 1) on counts of n-grams of one to six characters, hashed to 65,536
  places; it says masculine, feminine or neither. `studies.reinflection.identify.load_classifier()`.
- **rewriter**: a recurrent network of {scores["parameters"]:,} parameters that reads and writes letters (encoder of {settings["hidden"]} units in each
  direction, attention, decoder of {2 * settings["hidden"]}); the gender that is asked for is the first letter of its input.
  `studies.reinflection.identify.load_rewriter()`.

Made by `python -m scripts.train.reinflection --seeds {len(seeds)}`: {settings["steps"]:,} steps of {settings["batch"]} sentences, AdamW at a rate of
{settings["rate"]:g}, {seeds["0"]["seconds"]:,} CPU-seconds a seed. Seed 0 ships, whatever it scored. The same command gives the same weights on
the same kind of processor; others round differently.

## Texts and their terms

`{TATOEBA}`: {source.description}; {source.license}. {scores["marked"]:,} sentences with {scores["adjectives"]} adjectives that mark their
speaker, in both forms by the grammar of `scripts.train.translator.direct_speech`, and {scores["plain"]:,} that mark no speaker. No
sentence has an adjective that the translators hold out, in any form. Half of the marked sentences get another adjective in the
place of their own, without regard to sense. The sentences are not shipped. Tatoeba asks that its authors be named:
https://tatoeba.org.

## What the rewriter reached on the book's own sentences

Percent of sentences as they should be, held-out adjectives, every sentence rewritten (`kept`: asked for the form it has;
`somebody else` and `nobody`: sentences that mark no speaker; `words`: gender-marking words, in percent of words).

{table(["seed", *measures], rows)}

## What the identifier reached there

Percent of sentences with the right label. Without other adjectives in the place of their own (0 swaps) it knows the
adjectives that it saw; it ships with {SWAPS}, what the rewriter learns from, too.

{table(["learned with", *ABOUT], labels)}

## What both reached on held-out sentences of Tatoeba

{held_out["sentences"]:,} sentences, {held_out["marked"]} of which mark who speaks; both forms asked for. What is right is said by the grammar that
found the training sentences, so the reader is right by construction. BLEU without tokenisation; the others in percent.

{table(["seed", "system", *MEASURES], held_rows)}

## What it is not good for

It learned one construction, an adjective in -o or -a after a copula, in the singular; plural forms, articles and forms in -e
are outside what it saw. Its forms are feminine and masculine, as in the training text; a speaker whom neither names is
not provided for. It is there to show what two steps do that one does not."""
    return cards.write(folder, text)


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = commands.parser("train.reinflection", __doc__, SHIPPED.parent)
    parser.add_argument("--seeds", type=int, default=3)
    commands.add_card(parser)
    options = commands.read(parser, arguments)
    if not options.card:
        options.folder.mkdir(parents=True, exist_ok=True)
        with one_thread():
            train(options.folder, options.seeds)
    write_card(options.folder)


if __name__ == "__main__":
    sys.exit(main())
