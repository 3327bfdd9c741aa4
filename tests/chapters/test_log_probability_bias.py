"""The chapter `log_probability_bias`: what the prior cannot change, other models in place of ours, and what a run found."""

import json

import numpy as np
import pandas as pd
import pytest

from lib.association import effect_size
from lib.inference.permutation import partition_test
from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.ledger import report_card
from lib.lexicons import available, load_lexicon
from studies.log_probability_bias.kurita2019 import read_template_scores
from tests.chapters.runs import ROOT, run_of
from tests.support import tiny_models
from tests.support.chapter_runs import run_some
from tests.support.stored_model import StoredModel

FIRST, SECOND = ["nurse", "doctor", "engineer", "town"], ["kind", "new", "works", "walks"]
TEMPLATES, PAIRS = (
    ["{target} is the {attribute}.", "the {attribute} was {target}."],
    [("he", "she"), ("man", "woman")],
)


@pytest.mark.parametrize("kind", ["bert", "bert-cased"])
def test_the_prior_moves_all_scores_alike_so_that_d_and_p_stay(kind, tiny_model, one_thread):
    m = MaskedLanguageModel(str(tiny_model(kind)), "cpu")
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
@pytest.mark.parametrize("kind", ["bert", "bert-cased", "roberta"])
def test_the_notebook_takes_another_model_by_its_parameter_alone(kind, tmp_path, monkeypatch):
    papermill = pytest.importorskip("papermill")
    monkeypatch.setattr(tiny_models, "WORDS", lexicon_words())
    monkeypatch.setattr(tiny_models, "_byte_level", large_byte_level)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    model = tiny_models.build(kind, tmp_path / f"tiny-{kind}")
    few = {"asked": 4, "draws": 20, "resamples": 50}
    notebook = papermill.execute_notebook(
        str(ROOT / "chapters" / "log_probability_bias.ipynb"),
        None,
        parameters={"model": str(model), "device": "cpu"} | few,
        cwd=ROOT / "chapters",
        progress_bar=False,
    )
    assert not [
        cell
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]


def test_a_run_finds_d_the_same_under_either_prior():
    found = run_of("embedded", "log_probability_bias")
    both = found.loc[found["quantity"] == "career against family, by prior", "value"]
    assert len(both) == 2 and np.ptp(both) < 1e-6


SET_UP = ["parameters", "effective-parameters", "imports", "imports-of-the-book"]
SET_UP += ["imports-of-the-paper", "imports-of-readers", "imports-of-the-task"]
SET_UP += ["categories", "p-text"]
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
    run = run_some("log_probability_bias", cells, model=stub.name, m=stub)
    assert run.namespace["lists"] == "published"
    assert ("This is the stored run." in run.text) == (off == 0)
    assert ("This is another model than the stored one." in run.text) == (off > 0)
    rows = run.namespace["ledger"].rows().set_index("quantity")
    of_stored, here = (
        rows.loc[f"effect size {of}"] for of in ("of stored scores", "by the released rules")
    )
    pooled = of_stored[of_stored["claim_id"] != ""]["value"]
    apart = np.abs(np.sort(here["value"]) - np.sort(pooled))
    assert len(here) == 5 and (here["claim_id"] == "").all()
    assert (apart > 1e-6).sum() == (off > 0)


@pytest.mark.parametrize(
    "model, lists", [("minilm-mlm", "book"), ("a/bert-base-uncased", "published")]
)
def test_the_paper_s_model_brings_the_paper_s_lists(model, lists):
    run = run_some("log_probability_bias", SET_UP[:2], model=model)
    assert run.namespace["lists"] == lists


def answers_of(profile):
    found = run_of(profile, "log_probability_bias")
    return found[found["claim_id"] != ""]


def test_another_model_answers_no_printed_score():
    answered = answers_of("embedded")
    assert set(answered["claim_id"]) == {"kurita2019_arxiv.sec33.1"}
    card = report_card(answered).set_index("claim_id")
    assert card.loc["kurita2019_arxiv.sec33.1", ["verdict", "run"]].tolist() == [
        "differs",
        "10 names",
    ]


def test_stored_outputs_settle_table_three_cell_by_cell():
    card = report_card(answers_of("sample")).set_index("claim_id")
    verdicts = {n: card.loc[f"kurita2019_arxiv.table3.{n}", "verdict"] for n in range(1, 16)}
    by_verdict = {v: [n for n in verdicts if verdicts[n] == v] for v in set(verdicts.values())}
    assert by_verdict == {
        "reproduced": [6, 9, 12, 15],  # log probability bias, rows pooled over templates
        "as released": [1, 7, 8, 10, 11, 13],
        "differs": [2, 3, 4, 5, 14],  # another run, flowers, the two cells that are swapped
    }
    causes = card.loc[[f"kurita2019_arxiv.table3.{n}" for n in by_verdict["differs"]], "reason"]
    assert not causes.str.contains("no reason is known").any()


def test_three_of_four_shares_come_out_and_the_lists_have_other_lengths():
    answered = answers_of("sample")
    card = report_card(answered).set_index("claim_id")
    shares = card.loc[[f"kurita2019_arxiv.table5.{n}" for n in range(1, 5)]]
    assert shares["verdict"].tolist()[:3] == ["reproduced"] * 3
    assert shares["reach"].tolist() == ["here"] * 3 + ["public"]
    assert "kurita2019_arxiv.table5.4" not in set(answered["claim_id"])  # skills of another list
    lengths = card.loc[[f"kurita2019_gebnlp.sec5.{n}" for n in (2, 3, 4)]]
    assert set(lengths["verdict"]) == {"differs"}
    assert lengths["run"].str.split().str[0].tolist() == ["921", "230", "365"]


def test_gap_development_is_the_paper_s_training_set():
    card = report_card(answers_of("sample")).set_index("claim_id")["verdict"]
    counted = ["table4.1", "table4.3", *(f"sec4.{n}" for n in range(1, 6))]
    assert {card[f"kurita2019_arxiv.{claim}"] for claim in counted} == {"reproduced"}
    assert card["kurita2019_gebnlp.sec5.1"] == "reproduced"


def test_the_prior_cancels_in_means_of_attributes_and_not_in_pooled_rows():
    found = run_of("sample", "log_probability_bias")
    stored = found[found["quantity"] == "effect size of stored scores"]
    settings = pd.DataFrame(list(stored["settings"].map(json.loads)), index=stored.index)
    d = stored.assign(**settings).pivot(index="category", columns="procedure", values="value")
    assert d.shape == (5, 4)
    units = ("one mean an attribute", "rows pooled over templates")
    means, rows = (d[f"{unit}, published prior"] - d[f"{unit}, no prior"] for unit in units)
    assert means.abs().max() < 1e-5
    assert rows.abs().min() > 0.03
