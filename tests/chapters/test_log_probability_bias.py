"""The chapter `log_probability_bias`: what the prior cannot change, other models in place of ours, and what a run found."""

import json

import numpy as np
import pytest

from lib.association import effect_size
from lib.inference.permutation import partition_test
from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.ledger import report_card
from lib.lexicons import available, load_lexicon
from tests.chapters.runs import ROOT, run_of
from tests.support import tiny_models

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


def large_byte_level():
    """A byte-level vocabulary in which every word of the lexicons is one piece, in small letters and with a capital."""
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


def test_a_run_judges_every_cell_of_table_three_elsewhere():
    card = report_card(run_of("embedded", "log_probability_bias")).set_index("claim_id")["verdict"]
    cells = [card[f"kurita2019_arxiv.table3.{number}"] for number in range(1, 16)]
    assert {verdict.partition(" ")[2] for verdict in cells} == {"elsewhere"}


def test_gap_development_is_the_paper_s_training_set():
    card = report_card(run_of("sample", "log_probability_bias")).set_index("claim_id")["verdict"]
    assert card["kurita2019_arxiv.table4.1"] == card["kurita2019_arxiv.table4.3"] == "reproduced"
    assert card["kurita2019_gebnlp.sec5.1"] == "reproduced"


def test_published_lists_are_not_called_the_paper_s():
    card = report_card(run_of("sample", "log_probability_bias")).set_index("claim_id")["verdict"]
    assert {card[f"kurita2019_arxiv.table5.{number}"] for number in range(1, 5)} == {
        "not comparable"
    }
