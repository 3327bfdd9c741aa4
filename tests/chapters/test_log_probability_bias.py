"""The chapter `log_probability_bias`: what the prior cannot change, and other models in place of ours."""

import json

import numpy as np
import pytest

from lib.association import effect_size
from lib.inference.permutation import partition_test
from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.lexicons import available, load_lexicon
from studies.log_probability_bias.kurita2019 import POOLED, read_template_scores
from tests.support import tiny_models
from tests.support.chapter_runs import run_cells, run_some
from tests.support.stored_model import StoredModel

FIRST, SECOND = ["nurse", "doctor", "engineer", "town"], ["kind", "new", "works", "walks"]
TEMPLATES, PAIRS = (
    ["{target} is the {attribute}.", "the {attribute} was {target}."],
    [("he", "she"), ("man", "woman")],
)


def test_the_prior_moves_all_scores_alike_so_that_d_and_p_stay(tiny_model, one_thread):
    m = MaskedLanguageModel(str(tiny_model("bert-cased")), "cpu")
    scores = {
        prior: log_probability_bias(
            m, FIRST + SECOND, TEMPLATES, PAIRS, prior=prior, attribute_masks="one"
        )
        for prior in ("target", "published")
    }
    moved = (
        (scores["target"]["bias"] - scores["published"]["bias"])
        .groupby([scores["target"][name] for name in ("template", "first")])
        .agg(["min", "max"])
    )
    assert np.allclose(moved["min"], moved["max"], atol=1e-9)
    assert (moved["min"].abs() > 1e-6).all()
    found = []
    for table in scores.values():
        of_word = table.groupby("attribute")["bias"].mean()
        x, y = of_word[FIRST], of_word[SECOND]
        test = partition_test(x, y, alternative="two-sided")
        found.append((effect_size(x, y), test.pvalue, test.pvalue_strict))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def lexicon_words():
    listed = [load_lexicon(source).lists for source in available()]
    items = [item for lists in listed for words in lists.values() for item in words]
    words = {
        word
        for item in items
        for part in ((item,) if isinstance(item, str) else item)
        for word in part.split()
    }
    words = {word for word in words if word.isalpha() and word.isascii()}
    return sorted({*tiny_models.WORDS, *words, *map(str.lower, words)})


def large_byte_level(_):
    """A byte-level vocabulary in which every word of the lexicons is one piece, in lower case and with a capital."""
    from tokenizers import AddedToken, ByteLevelBPETokenizer
    from transformers import RobertaTokenizerFast

    learner, words = ByteLevelBPETokenizer(), lexicon_words()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    texts = [
        f"{word} {word} {word.capitalize()} {word.capitalize()}\n{word.capitalize()}"
        for word in words
    ]
    learner.train_from_iterator(
        texts, vocab_size=40_000, min_frequency=1, special_tokens=special, show_progress=False
    )
    learned = json.loads(learner.to_str())["model"]
    merges = [tuple(pair) for pair in learned["merges"]]
    return RobertaTokenizerFast(
        vocab=learned["vocab"], merges=merges, mask_token=AddedToken("<mask>", lstrip=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert-cased", "roberta"])
def test_the_chapter_takes_another_model_by_its_parameter_alone(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(tiny_models, "WORDS", lexicon_words())
    monkeypatch.setattr(tiny_models, "_byte_level", large_byte_level)
    model = tiny_models.build(kind, tmp_path / f"tiny-{kind}")
    for page in ("", "_evidence"):
        asked = {"model": str(model), "device": "cpu", "asked": 4}
        run = run_cells(f"log_probability_bias{page}", **asked)
        assert f"tiny-{kind}" in run.text
        assert run.unnamed("minilm").empty


SET_UP = ["parameters", "effective-parameters", "imports", "imports-of-the-book"]
SET_UP += ["imports-of-the-paper", "imports-of-readers", "imports-of-the-task"]
SET_UP += ["categories"]
HERE = ["released-here", "released-here-record", "released-here-table", "released-here-sentence"]


class Answering(StoredModel):
    """Gives BERT's stored scores, under a name."""

    def __init__(self, stored, name):
        super().__init__(stored)
        self.name, self.source = name, f"{name}@{'0' * 40}"

    def is_single(self, word, start=False):
        return True


@pytest.mark.sample("kurita_notebook_weat")
@pytest.mark.parametrize("off", [0.0, 0.5])
def test_the_paper_s_model_is_judged_row_by_row_against_the_stored_scores(off):
    stored = read_template_scores()
    moved = stored.assign(log_odds=stored["log_odds"] + off * (stored.index == 0))
    stub = Answering(moved, "bert-base-uncased")
    cells = [*SET_UP, "released", "released-record", *HERE]
    run = run_some("log_probability_bias_evidence", cells, model=stub.name, m=stub)
    assert run.namespace["lists"] == "published"
    assert ("This is the stored run." in run.text) == (off == 0)
    assert ("This is another model than the stored one." in run.text) == (off > 0)
    rows = run.namespace["ledger"].rows().set_index("quantity")
    here = rows.loc["effect size by the released rules"]
    pooled = run.namespace["of_stored"]["d"].xs(POOLED, level="procedure")
    apart = np.abs(np.sort(here["value"]) - np.sort(pooled))
    assert len(here) == 5 and (here["claim_id"] == "").all()
    assert (apart > 1e-6).sum() == (off > 0)


@pytest.mark.parametrize(
    "model, lists", [("minilm-mlm", "book"), ("a/bert-base-uncased", "published")]
)
def test_the_paper_s_model_brings_the_paper_s_lists(model, lists):
    run = run_some("log_probability_bias_evidence", SET_UP[:2], model=model)
    assert run.namespace["lists"] == lists
