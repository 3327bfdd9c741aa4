"""Google's translations in Habash, Bouamor and Chung (2019): where gains in BLEU come from, and which text was looked at."""

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from studies.reinflection.scores import compare_systems


def is_mark(word: str) -> bool:
    """Whether a token is punctuation, a symbol or several of these."""
    return all(unicodedata.category(letter)[0] in "PS" for letter in word)


def without_marks(sentence: str) -> str:
    """A sentence without its punctuation, where that has blanks around it."""
    return " ".join(word for word in sentence.split() if not is_mark(word))


def without_final_marks(sentence: str) -> str:
    """A sentence without the punctuation at its end."""
    words = sentence.split()
    while words and is_mark(words[-1]):
        words.pop()
    return " ".join(words)


def gains(
    sentences: pd.DataFrame,
    outputs: Mapping[tuple[str, str], Sequence[str]],
    references: Mapping[str, Sequence[str]],
    system: str = "Single",
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """By how much a system raises BLEU over Baseline, its input: as printed, and where gender or punctuation is out of play.

    For each target and what was scored: n sentences, BLEU of Baseline (baseline) and of the system (value), their difference
    (change, with its 95 % interval over pairs of sentences, the same draws for all rows), and their ratio less 1 (relative).
    """
    seed = int(np.random.default_rng(rng).integers(2**32))
    neutral = (sentences["label"] == "B").to_numpy()
    every = np.ones(len(sentences), bool)
    rows = []
    for target, other in (("M", "F"), ("F", "M")):
        given, made = outputs["Baseline", target], outputs[system, target]
        right, wrong = references[target], references[other]
        bare = [[without_marks(line) for line in lines] for lines in (given, made, right, wrong)]
        dropped = [without_final_marks(line) for line in given]
        for scored, mask, (first, second, asked, against) in (
            ("all sentences", every, (given, made, right, wrong)),
            ("against the other gender", every, (given, made, wrong, right)),
            ("sentences without gender", neutral, (given, made, right, wrong)),
            ("sentences with gender", ~neutral, (given, made, right, wrong)),
            ("without punctuation", every, bare),
            ("final punctuation dropped", every, (given, dropped, right, wrong)),
        ):
            chosen = [_where(mask, lines) for lines in (first, second, asked, against)]
            systems = {"Baseline": chosen[0], system: chosen[1]}
            groups = sentences["pair"][mask].to_numpy()
            table = compare_systems(systems, *chosen[2:], groups, resamples=resamples, rng=seed)
            bleu = table[table["measure"] == "BLEU"].set_index("system")
            change = bleu.loc[system, ["n", "value", "change", "change_low", "change_high"]]
            baseline = bleu.loc["Baseline", "value"]
            about = {"target": target, "scored": scored, "baseline": baseline}
            rows.append(about | change.to_dict() | {"relative": change["value"] / baseline - 1})
    return pd.DataFrame(rows).astype({"n": int})


def _where(mask: np.ndarray, lines: Sequence[str]) -> list[str]:
    return [line for line, chosen in zip(lines, mask) if chosen]


def twice_given(
    sentences: pd.DataFrame, given: Sequence[str], outputs: Mapping[tuple[str, str], Sequence[str]]
) -> pd.DataFrame:
    """Pairs of lines for which the systems were given the same text, one labelled M and one F by the Arabic sentence: a system
    that reads only its text must answer both alike. For each system and target: pairs, differ (pairs answered in two ways),
    follows (of these, where the changed line is the one that the Arabic label asks to change, and the other is left alone).
    """
    lines = sentences[["label", "pair"]].assign(given=list(given))
    both = lines[lines["label"] != "B"].reset_index()
    both = both[both.groupby("pair")["index"].transform("size") == 2]
    masculine = both[both["label"] == "M"].set_index("pair")
    feminine = both[both["label"] == "F"].set_index("pair")
    pairs = masculine.join(feminine, lsuffix="_m", rsuffix="_f", how="inner")
    pairs = pairs[pairs["given_m"] == pairs["given_f"]]
    rows = []
    for (system, target), written in outputs.items():
        text = pd.Series(list(written))
        of = {side: text[pairs[f"index_{side}"]].to_numpy() for side in "mf"}
        differ = of["m"] != of["f"]
        changed, left = ("f", "m") if target == "M" else ("m", "f")
        follows = differ & (of[left] == pairs["given_m"]) & (of[changed] != pairs["given_m"])
        rows.append((system, target, len(pairs), int(differ.sum()), int(follows.sum())))
    return pd.DataFrame(rows, columns=["system", "target", "pairs", "differ", "follows"])


def followed_selection(
    sentences: pd.DataFrame,
    arabic: Mapping[tuple[str, str], Sequence[str]],
    google: Mapping[tuple[str, str], Sequence[str]],
    system: str = "Two Step",
) -> pd.DataFrame:
    """Whether lines that a system changed in the Arabic text are those that it changed in Google's.

    For each target, lines whose Arabic label asks for a change and that were changed in Arabic, those that were not, and all
    other lines: n, and changed (how many were changed in Google's text).
    """
    rows = []
    for target, asks in (("M", "F"), ("F", "M")):
        was, is_changed = (
            np.array(texts[system, target], object) != np.array(texts["Baseline", target], object)
            for texts in (arabic, google)
        )
        wanted = (sentences["label"] == asks).to_numpy()
        for group, mask in {
            "asked for, changed in Arabic": wanted & was,
            "asked for, not changed in Arabic": wanted & ~was,
            "not asked for": ~wanted,
        }.items():
            rows.append((target, group, int(mask.sum()), int((mask & is_changed).sum())))
    return pd.DataFrame(rows, columns=["target", "group", "n", "changed"])
