"""What a report on messages says: answers, and what may and may not be said, from what was measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from audit.messages.findings import (
    FEWEST_KNOWN,
    FEWEST_PLACES,
    ORDER,
    MessagesAudit,
)
from audit.report import Sentences
from lib import wording
from lib.cultures.controls import MOSTLY_SHARED
from lib.inference.correlation import points_needed
from lib.markdown import verbatim


def said(audit: MessagesAudit, together: pd.Series | None = None) -> Sentences:
    """What came out, and what may and may not be said.

    Parameters
    ----------
    audit : MessagesAudit
    together : Series, optional
        Row of `known_groups` for all messages together, where no place passes.
    """
    if not audit.passed or not len(audit.errors):
        return _refused(audit, together)
    gate, places = audit.gate, audit.passed
    answers, may, may_not = [_of_gate(audit)], [], []
    for about, sentences in (
        ("leans", _of_leans(audit)),
        ("order", _of_order(audit)),
        ("facts", _of_facts(audit)),
    ):
        answers += sentences.answers
        may += sentences.may
        may_not += sentences.may_not
        if about == "leans" and not sentences.may:
            seen = audit.power["seen"]
            may.append(
                f"That known groups are told apart in {_places(places)} and no theme leans beyond what is fair, in text of which eight of ten such would have shown a lean of "
                f"{wording.number(seen.min(), 1)}{f' to {wording.number(seen.max(), 1)}' if len(seen) > 1 else ''} standard deviations of random words."
            )
    if failed := [place for place in gate.index if place not in places]:
        may_not.append(
            f"Anything of {_listed(failed)}: known groups are not told apart there. {_takes(audit)}"
        )
    shared = {theme: r for theme, r in audit.alike.items() if r >= MOSTLY_SHARED}
    if shared:
        r = wording.interval(min(shared.values()), max(shared.values()))
        may_not.append(
            f"Which place leans more by plain leans, without random words: those of {_listed(shared)} rise and fall with the leans of random words (r {r}), which is training."
        )
    may_not += [
        "Anything about people: these are associations in messages, and the two poles leave out everybody who is neither.",
        "That other words of a theme, other people of a place, or another training would show the same: intervals are over messages like these.",
    ]
    return Sentences(tuple(answers[:4]), tuple(may), tuple(may_not))


def _refused(audit: MessagesAudit, together: pd.Series | None) -> Sentences:
    n, largest = len(audit.gate), int(audit.gate["words of text"].max())
    if audit.passed:
        why = "the places share too few words for random sets beside the themes, or halves of their messages are too small"
        if all(
            len(words) == sum(map(len, audit.themes.values())) for words in audit.missing.values()
        ):
            why = "no word of a theme is said often enough"
        first = f"**Nothing is ranked**: {why} (the largest place has {largest:,} words)."
        return Sentences(
            (first, _of_gate(audit)),
            (),
            ("Anything about leans: more text is needed, or words that are said more often.",),
        )
    where = "the one place" if n == 1 else f"any of {n} places"
    first = f"**No known group can be told apart in {where}: nothing is ranked.** {_takes(audit, together)}"
    return Sentences(
        (first,), (), ("Anything about leans of themes, here or beside another place.",)
    )


def _takes(audit: MessagesAudit, together: pd.Series | None = None) -> str:
    """How much text a place needs for its known groups, in a sentence."""
    gate, needed = audit.gate, audit.known_needed
    failed = gate[~gate["passed"]]
    largest = int(failed["words of text"].max())
    if math.isinf(needed):
        return f"Fewer than {FEWEST_KNOWN} known words a side are said at all: name others with --known."
    if math.isfinite(needed) and needed > largest:
        text = (
            f"Four known words a side are said often enough in about {wording.count(_round(needed))} words of text a place; "
            f"the largest of these has {largest:,}."
        )
        if together is None:
            return f"{text} To tell them apart may take more."
        every = f"All messages together, {int(together['words of text']):,} words,"
        if together["passed"]:
            return f"{text} {every} do tell them apart."
        return f"{text} {every} do not tell them apart either: it takes more, or more passes over them (--epochs)."
    if audit.passed:
        least = int(gate.loc[gate["passed"], "words of text"].min())
        return f"The smallest place in which they are has {least:,} words; the largest in which they are not {largest:,}."
    if together is not None:
        every = int(together["words of text"])
        if together["passed"]:
            return f"All messages together, {every:,} words, do tell them apart: a place takes more than the {largest:,} words of the largest, and at most about so many."
        return f"Nor do all messages together: a place takes more than {every:,} words, or more passes over them (--epochs)."
    return f"The largest place has {largest:,} words: a place takes more, or more passes over them (--epochs)."


def _round(x: float) -> float:
    """Two digits that count."""
    return float(f"{x:.1e}")


def _of_gate(audit: MessagesAudit) -> str:
    gate, places = audit.gate, audit.passed
    least, most = gate.loc[places, "AUC"].agg(["min", "max"])
    auc = wording.interval(least, most) if least < most else wording.number(least)
    return (
        f"Known female and male words are told apart in **{len(places)} of {len(gate)} places** "
        f"(AUC {auc}, where one half is blind)."
    )


def _of_leans(audit: MessagesAudit) -> Sentences:
    single, overall = audit.leans(), audit.leans(overall=True)
    own, whole = single[single["beyond"]], overall[overall["beyond"]]
    tested = single["p"].notna().sum()
    untold = single[single["p"].isna()].groupby("theme", sort=False)["place"].nunique()
    own = own.sort_values("value", key=np.abs, ascending=False)
    named = ", ".join(_named(row) for _, row in own.head(4).iterrows())
    named += " …" if len(own) > 4 else "."
    answer = f"**{len(own)} of {tested} leans** of a theme in one place stand out beyond random words and over halves of the messages{f': {named}' if len(own) else '.'}"
    may, may_not = [], []
    for _, row in whole.iterrows():
        may.append(
            f"In the messages of {_places(audit.passed)} *{verbatim(row['theme'])}* leans {row['leans']}: {_value(row)}, where random words lie from "
            f"{wording.interval(row['null_low'], row['null_high'], sign=True)} (adjusted p {wording.p_equals(row['adjusted_p'])})."
        )
    if len(whole):
        listed = ", ".join(
            f"*{verbatim(row['theme'])}* {_value(row)}" for _, row in whole.iterrows()
        )
        answer = f"Over all places {len(whole)} of {overall['p'].notna().sum()} themes lean: {listed}. {answer}"
    if len(own):
        what = "one lean stands" if len(own) == 1 else f"{len(own)} leans stand"
        may.append(
            f"That {what} out by {'itself' if len(own) == 1 else 'themselves'}, adjusted for {tested + overall['p'].notna().sum()} tests: {named}"
        )
    else:
        may_not.append(
            f"That a theme leans in {'any one' if len(audit.passed) > 1 else 'this'} place: none of {tested} passes for itself{'; places are listed, not ranked' if len(audit.passed) > 1 else ''}."
        )
    flat = overall[~overall["beyond"] & overall["p"].notna()]
    if len(flat):
        may_not.append(
            f"That {_listed(flat['theme'])} {'leans' if len(flat) == 1 else 'lean'} over all places: smallest adjusted p {wording.p_equals(flat['adjusted_p'].min())}."
        )
    nowhere = [theme for theme, n in untold.items() if n == len(audit.passed)]
    if nowhere:
        may_not.append(
            f"Anything of {_listed(nowhere)}: too few of the words are said often enough."
        )
    if len(untold) > len(nowhere):
        may_not.append(
            f"Anything of {_listed(theme for theme in untold.index if theme not in nowhere)} in the places in which the words are not said often enough in both halves."
        )
    return Sentences((answer,), tuple(may), tuple(may_not))


def _of_order(audit: MessagesAudit) -> Sentences:
    rows = audit.table[audit.table["measure"] == ORDER]
    if not len(rows):
        return Sentences(
            (),
            (),
            (
                f"Which place leans more: it takes {FEWEST_PLACES} places that pass to ask for an order, here {'is one' if len(audit.passed) == 1 else f'are {len(audit.passed)}'}.",
            ),
        )
    repeated, not_ = rows[rows["beyond"]], rows[~rows["beyond"]]
    may, may_not = [], []
    for _, row in repeated.iterrows():
        found = audit.reliability.loc[row["theme"]]
        may.append(
            f"That places differ in how *{verbatim(row['theme'])}* leans: their order repeats in the other half of the messages (r {wording.signed(row['value'])}, "
            f"{wording.interval(row['low'], row['high'], sign=True)} over {row['n']} places, adjusted p {wording.p_equals(row['adjusted_p'])}); "
            f"of all messages its reliability is {wording.number(found['whole'])}."
        )
    best = rows.sort_values("value", ascending=False).iloc[0]
    answer = (
        f"The order of {best['n']} places repeats in the other half of their messages for **{len(repeated)} of {len(rows)} themes**; the nearest is *{verbatim(best['theme'])}* "
        f"(r {wording.signed(best['value'])}, random words {wording.interval(best['null_low'], best['null_high'], sign=True)})."
    )
    if len(not_):
        text = f"Which of two places leans more in {_listed(not_['theme'])}: the order does not repeat beyond random words."
        needed = audit.reliability.loc[list(not_["theme"]), "needed"].dropna()
        needed = needed[needed > audit.power["words of text"].median()]
        if len(needed):
            theme = needed.idxmin()
            text += (
                f" If what there is of it is no chance, *{verbatim(theme)}* takes about {wording.count(_round(needed[theme]))} words of text a place "
                f"for a reliability of .8 (the middle place has {wording.count(audit.power['words of text'].median())})."
            )
        may_not.append(text)
    return Sentences((answer,), tuple(may), tuple(may_not))


def _of_facts(audit: MessagesAudit) -> Sentences:
    rows = audit.table[audit.table["question"] == "facts"]
    if not len(rows):
        return Sentences((), (), ())
    may, may_not = [], []
    for _, row in rows[rows["beyond"]].iterrows():
        may.append(
            f"That over these {row['n']} places *{verbatim(row['theme'])}* {verbatim(row['measure'])}: r {wording.signed(row['value'])}, "
            f"{wording.interval(row['low'], row['high'], sign=True)}, random words {wording.interval(row['null_low'], row['null_high'], sign=True)} (adjusted p {wording.p_equals(row['adjusted_p'])})."
        )
    rest = rows[~rows["beyond"]]
    if len(rest):
        may_not.append(
            f"That {'any theme' if len(rest) == len(rows) else 'another theme'} goes with a fact: smallest adjusted p {wording.p_equals(rest['adjusted_p'].min())} "
            f"over {rest['n'].max()} places; a correlation of .5 takes {points_needed(0.5)}."
        )
    if may:
        may_not.append(
            "That a fact makes or follows a lean, or that either is true of the people of a place: places are not people, and neighbours are alike."
        )
    best = rows.sort_values("p").iloc[0]
    answer = (
        f"**{len(rows) - len(rest)} of {len(rows)} correlations** with a fact stand out; the nearest is *{verbatim(best['theme'])}*, which {verbatim(best['measure'])} by "
        f"{wording.signed(best['value'])} ({wording.interval(best['low'], best['high'], sign=True)}, {best['n']} places)."
    )
    return Sentences((answer,), tuple(may), tuple(may_not))


def _named(row: pd.Series) -> str:
    return f"*{verbatim(row['theme'])}* in {row['place']} ({row['leans']}, {wording.signed(row['value'])})"


def _value(row: pd.Series) -> str:
    ends = wording.interval(row["low"], row["high"], sign=True)
    return f"{wording.signed(row['value'])} standard deviations of random words ({ends})"


def _listed(names: Iterable[object], most: int = 8) -> str:
    every = [verbatim(str(name)) for name in names]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def _places(places: Sequence[str]) -> str:
    return f"{len(places)} places" if len(places) != 1 else f"one place ({places[0]})"
