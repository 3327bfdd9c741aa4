"""What the chapter `contextual_geometry` found, and that any encoder's folder can take the place of MiniLM."""

import json

import pytest

from tests.chapters.runs import ROOT, run_of

PROBES = ["gender space", "direct bias", "clustering", "classification", "neighbours"]


def read_run(profile):
    found = run_of(profile, "contextual_geometry")
    return found.assign(
        **{
            name: [json.loads(text).get(name, "") for text in found["settings"]]
            for name in ("where", "draws", "probe")
        }
    )


def value(found, quantity, where, **about):
    for name, wanted in {"quantity": quantity, "where": where, **about}.items():
        found = found[found[name] == wanted]
    (row,) = found["value"]
    return row


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_no_number_of_another_encoder_answers_one_of_elmo_s(profile):
    assert not read_run(profile)["claim_id"].any()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
@pytest.mark.parametrize("probe", PROBES)
def test_every_value_stands_beside_its_own_null(probe, profile):
    found = read_run(profile)
    for where in ("static rows", "in context"):
        nulls = found[(found["quantity"] == "random pairs") & (found["where"] == where)]
        (null,) = nulls[nulls["probe"] == probe].to_dict("records")
        assert null["low"] < null["value"] < null["high"] and null["n"] >= 100
    ends = [
        value(found, probe, "in context", draws=draws) for draws in ("least", "mean", "largest")
    ]
    assert ends == sorted(ends)


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_noun_pairs_share_a_direction_beyond_random_pairs_in_the_same_sentences(profile):
    found = read_run(profile)
    for where in ("static rows", "in context"):
        assert value(found, "deviations from random pairs", where, probe="gender space") > 3


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_words_gendered_by_definition_are_noticed_and_a_large_planted_lean_is_too(profile):
    found = read_run(profile)
    for where in ("static rows", "in context"):
        below = "gendered by definition, random pairs below"
        assert value(found, below, where, probe="neighbours") > 0.8
        assert value(found, below, where, probe="direct bias") > 0.9
    power = found[found["quantity"] == "power of direct bias"]
    by_spread = power.assign(spread=[json.loads(s)["spread"] for s in power["settings"]])
    for _, part in by_spread.groupby("where"):
        values = part.sort_values("spread")["value"]
        assert values.iloc[-1] > 0.8 > values.iloc[0]


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_taking_a_direction_out_leaves_labels_that_random_pairs_leave_as_well(profile):
    found = read_run(profile)
    tested = [json.loads(text).get("tested", "") for text in found["settings"]]
    rows = found[[name == "debiased" for name in tested]]
    values = rows[rows["quantity"] == "noun pairs by chooser"].set_index("probe")["value"]
    assert set(values.index) == {"clustering", "classification", "neighbours"}
    assert values["classification"] > 0.5


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_order_beside_women_s_share_has_an_interval_and_a_p(profile):
    found = read_run(profile)
    found = found[found["quantity"] == "order beside women's share"]
    assert len(found) == 2 and (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()
    assert all(0 < json.loads(text)["p"] < 0.05 for text in found["settings"])


def test_static_values_of_the_ten_pairs_are_those_of_the_package():
    found = read_run("embedded")
    assert value(found, "gender space, ten pairs", "static rows") == pytest.approx(0.3895, abs=5e-4)
    assert value(found, "direct bias, ten pairs", "static rows") == pytest.approx(0.0546, abs=5e-4)


def tiny_bert(folder, cased):
    """A random encoder of two thin layers that knows MiniLM's pieces, in lower case or in both."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    from lib.sources.hub import minilm_folder

    pieces = (minilm_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    pieces += ["Mary", "John", "After", "At"] * cased
    tokenizer = BertTokenizerFast(
        vocab={piece: row for row, piece in enumerate(pieces)}, do_lower_case=not cased
    )
    sizes = dict(
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    torch.manual_seed(0)
    BertModel(BertConfig(vocab_size=len(pieces), **sizes)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("cased", [False, True], ids=["uncased", "cased"])
def test_the_chapter_runs_with_any_encoder_s_folder(cased, tmp_path):
    import papermill

    few = dict(
        model=str(tiny_bert(tmp_path / "tiny", cased)),
        pool=80,
        swaps=4,
        draws=40,
        nearest=20,
        repeats=3,
    )
    done = papermill.execute_notebook(
        ROOT / "chapters" / "contextual_geometry.ipynb",
        tmp_path / "done.ipynb",
        few,
        cwd=ROOT,
        progress_bar=False,
    )
    printed = json.dumps([cell.get("outputs", []) for cell in done.cells])
    assert "`tiny`" in printed and "24 dimensions" in printed
