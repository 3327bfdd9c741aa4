"""The house rules for notebooks: the check notices when one is broken, and lets pass what they allow."""

import pytest

from scripts.tools import notebooks

PARAMETERS = 'profile = "embedded"\nseed = 0\ndevice = "cpu"'
SHOWN = 'ledger = Ledger("x", profile=profile, parameters=dict(seed=seed, device=device))'


def cell(source, name="some-cell", kind="code", tags=()):
    return {"cell_type": kind, "id": name, "metadata": {"tags": list(tags)}, "source": source}


def notebook(*cells):
    first = [cell(PARAMETERS, "parameters", tags=["parameters"]), cell(SHOWN, "shown")]
    return notebooks.normalised({"cells": [*first, *cells]})


def test_normal_form_holds_no_outputs_and_is_its_own_normal_form():
    dirty = {
        "cells": [
            cell("1 + 1\n\n", "sum")
            | {"outputs": [{"x": 1}], "execution_count": 7, "metadata": {"a": 1}}
        ]
    }
    clean = notebooks.normalised(dirty)
    assert clean["cells"][0] == {
        "cell_type": "code",
        "id": "sum",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": ["1 + 1"],
    }
    assert notebooks.normalised(clean) == clean


BROKEN = {
    "a literal recorded": (cell("ledger.record('d', 1.37)"), "records a literal"),
    "a negative literal recorded by name": (
        cell("ledger.record('d', value=-2)"),
        "records a literal",
    ),
    "a decimal in prose": (
        cell("the effect is 0.42", kind="markdown"),
        "decimal typed into Markdown",
    ),
    "a lambda in a name": (cell("f = lambda x: x"), "stores a lambda"),
    "a record as the last line": (
        cell("a = 1\nledger.answer(table, 'kappa')"),
        "shows what it records",
    ),
    "an f-string in an f-string": (cell("f'{f\"{n}\"} words'"), "chooses words"),
    "a choice of phrases": (cell('f\'{"no more" if n else "many more"}\''), "chooses words"),
    "a private import": (cell("from lib.measures.geometry import _unit"), "something private"),
    "a closed room": (cell("from scripts.train.translator import doses"), "not for chapters"),
    "a file fetched": (cell("from lib.sources import fetch"), "lib.datasets does that"),
    "a word in an f-string": (cell("f'The word *{word}*.'"), "puts {word} into Markdown"),
    "a translation": (cell("f'<i lang=\"es\">{text.strip()}</i>'"), "puts {text.strip()} into"),
    "a name in a sentence": (cell("Markdown(f'In {e.name}.')"), "puts {e.name} into Markdown"),
    "a name in a caption": (cell("plots.show(fig, caption=f'In {m.name}')"), "puts {m.name} into"),
    "what IPython displays": (cell("from IPython.display import Markdown"), "displays by itself"),
    "an unreadable id": (cell("a = 1", "4f1e9c2a"), "not a readable name"),
    "an id used twice": (cell("a = 1", "shown"), "stands twice"),
    "sections out of order": (
        cell("## The run\n\n## The measure", kind="markdown"),
        "expected in this order",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_rule_is_noticed(case):
    broken, complaint = BROKEN[case]
    assert any(complaint in found for found in notebooks.complaints("x", notebook(broken)))


@pytest.mark.parametrize(
    "source",
    [
        "ledger.record('mean', values.mean());",
        "sorted(words, key=lambda word: len(word))",
        'f\'{n} pair{"s" if n > 1 else ""}\'',
        "from lib.sources import lookup",
        "Markdown(f'*{verbatim(word)}* in `{e.name}`: *{share:.0%}*, **{n}**')",
        "a = 1\n" * 20,
    ],
)
def test_what_the_rules_allow_is_let_pass(source):
    assert notebooks.complaints("x", notebook(cell(source))) == []


def test_a_folded_cell_is_folded_in_jupyterlab_too():
    folded = notebooks.normalised({"cells": [cell("a = 1", tags=["hide-input"])]})["cells"][0]
    assert folded["metadata"] == {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}


def test_a_printed_claim_of_a_cited_paper_may_be_typed():
    cited = cell("Fleiss 0.45 {cite}`zhang2020`", kind="markdown")
    assert notebooks.complaints("x", notebook(cited)) == []


def test_parameters_must_be_complete_first_and_shown():
    late = notebooks.normalised({"cells": [cell("a = 1")]})
    assert "first code cell" in "".join(notebooks.complaints("x", late))
    first = cell(PARAMETERS + "\nk = 1", "parameters", tags=["parameters"])
    found = notebooks.complaints("x", notebooks.normalised({"cells": [first, cell(SHOWN)]}))
    assert "'k' is not among the effective parameters" in "".join(found)
