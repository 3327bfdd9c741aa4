"""The ledger: what is written down, how it is kept, and what a result says about a printed number."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from lib.ledger import Ledger, report_card
from lib.ledger import results as results_module
from lib.ledger.arithmetic import check
from lib.ledger.claims import ClaimError, load_claims, load_paper
from lib.ledger.reach import REACHES
from lib.ledger.report_card import CARD_COLUMNS, CARD_VERDICTS, headline, votes
from lib.ledger.results import (
    RESULT_COLUMNS,
    compare,
    gather,
    read_results,
    recorded_results,
    to_csv,
)
from lib.slug import slug

D, P = "chaloner2019_domains.table2.2", "chaloner2019_domains.table2.1"  # printed 1.37 and 0.0012
ABOUT = {"dataset": "Google News", "category": "B1 career vs family"}


@pytest.fixture
def ledger():
    return Ledger("domains_evidence", "sample", {"seed": 0}, data="wefe_weat_w2v@sha256:0123")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_RESULTS", str(tmp_path / "results"))
    return tmp_path / "results"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Where a book, this test's own, keeps the recorded results of the sample profile."""
    monkeypatch.setattr(results_module, "ROOT", tmp_path / "book")
    kept = tmp_path / "book" / "data" / "results" / "sample"
    kept.mkdir(parents=True)
    return kept


def result(value, **changes):
    row = dict(
        chapter="domains_evidence",
        profile="sample",
        quantity="q",
        claim_id=D,
        value=value,
        low=math.nan,
        high=math.nan,
        n=8,
        settings=json.dumps({**ABOUT, "procedure": load_claims().procedure[D]}),
        data="wefe_weat_w2v@sha256:0123",
    )
    return row | changes


# --- recording and keeping


def test_saved_results_read_back_unchanged(ledger, folder):
    ledger.record(
        "effect size",
        0.1 + 0.2,
        claim=D,
        low=-1e-20,
        high=2,
        n=16,
        words=["he", "she"],
        ddof=1,
        **ABOUT,
    )
    ledger.record("count", np.int64(3))
    saved = ledger.save()
    table = read_results(folder)
    assert list(table.columns) == [*RESULT_COLUMNS, "parameters", "file"]
    assert saved.path.name == "domains_evidence--seed=0.csv" == table.file[0]
    assert table.value.tolist() == [3.0, 0.1 + 0.2]
    assert table.low[1] == -1e-20 and math.isnan(table.low[0])
    assert json.loads(table.settings[1]) == {"ddof": 1, "words": ["he", "she"], **ABOUT}


def test_the_file_has_the_same_bytes_in_whatever_order_results_were_recorded(folder):
    texts = set()
    for order in ([0, 1, 2], [2, 0, 1]):
        ledger = Ledger("domains_evidence", "sample")
        for i in order:
            ledger.record(
                "effect size",
                0.5 + i,
                claim=[D, P],
                **({"b": 1, "a": i} if i else {"a": i, "b": 1}),
                **ABOUT,
            )
        texts.add(ledger.save().path.read_bytes())
    assert len(texts) == 1
    assert b"\r" not in texts.pop()


def test_without_a_place_for_results_nothing_is_written_and_it_says_so(
    ledger, tmp_path, monkeypatch
):
    monkeypatch.delenv("BIASBOOK_RESULTS", raising=False)
    monkeypatch.chdir(tmp_path)
    ledger.record("count", 1)
    saved = ledger.save()
    assert (
        not saved
        and "not saved: BIASBOOK_RESULTS is not set" in repr(saved)
        and "lib.run" in repr(saved)
    )
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file_and_no_other(ledger, folder, monkeypatch):
    ledger.record("count", 1)
    before = ledger.save().path.read_bytes()
    ledger.record("other count", 2)
    monkeypatch.setattr(
        results_module.os, "fsync", lambda handle: (_ for _ in ()).throw(OSError("disk full"))
    )
    with pytest.raises(OSError, match="disk full"):
        ledger.save()
    assert [path.read_bytes() for path in folder.iterdir()] == [before]


def test_parameters_are_shown_in_a_notebook_and_escaped():
    shown = Ledger("domains_evidence", parameters={"embedding": "<b>"})._repr_html_()
    assert "embedding" in shown and "&lt;b&gt;" in shown and "<b>" not in shown


def test_bad_results_are_refused_and_nothing_is_taken_down(ledger, folder, refuses):
    ledger.record("there", 1, claim=D, **ABOUT)
    before = ledger.rows()
    for quantity, named, fragments in (
        ("d", dict(value="1.2"), ["value", "finite number", "'1.2'"]),
        ("d", dict(value=math.nan), ["finite number", "nan", "say why"]),
        ("d", dict(value=1, low=2, high=1), ["low <= high", "low=2", "Swap"]),
        ("d", dict(value=1, claim=f"{D}22"), ["id of a claim", "Did you mean", D]),
        ("d", dict(value=1, words={"a", "b"}), ["words", "a word, a number", "{"]),
        ("there", dict(value=2, claim=D, **ABOUT), ["each result once", "tells them apart"]),
    ):
        refuses(lambda q=quantity, named=named: ledger.record(q, **named), fragments)
    pd.testing.assert_frame_equal(ledger.rows(), before)
    assert not folder.exists()


def test_a_ledger_wants_a_known_profile_and_a_plain_name(refuses):
    refuses(lambda: Ledger("Domains 2"), ["chapter", "small letters", "'Domains 2'"])
    refuses(
        lambda: Ledger("domains_evidence", "big"), ["profile", "embedded, sample, full", "'big'"]
    )


def test_read_results_refuses_foreign_files(tmp_path, refuses):
    header = ",".join(RESULT_COLUMNS)
    for name, text, fragments in (
        (
            "domains_evidence--x.csv",
            "a,b\n1,2\n",
            ["columns", "chapter,profile", "got a,b", "lib.run"],
        ),
        (
            "ripa--x.csv",
            f"{header}\ndomains_evidence,sample,q,,1,,,,{{}},\n",
            ["ripa", "got domains_evidence"],
        ),
        (
            "domains_evidence--x.csv",
            f"{header}\ndomains_evidence,sample,q,,one,,,,{{}},\n",
            ["numbers", "one"],
        ),
    ):
        (tmp_path / name).write_text(text)
        refuses(lambda: read_results(tmp_path), [name, *fragments])
        (tmp_path / name).unlink()


def test_read_results_of_nothing(tmp_path):
    assert len(read_results(tmp_path)) == 0
    with pytest.raises(FileNotFoundError, match=r"lib\.run"):
        read_results(tmp_path / "nowhere")


def test_a_result_states_what_its_claim_is_about(ledger):
    about = dict(dataset="Google News", category="B1 career vs family")
    for wrong, fragments in [
        (about | dict(dataset="Twitter"), ["dataset='Google News'", "got 'Twitter'"]),
        (dict(dataset="Google News"), ["single it out in Table 2", "State category"]),
        (dict(category="B1 career vs family"), ["may as well be", "State dataset"]),
    ]:
        with pytest.raises(ClaimError) as refused:
            ledger.record("effect size", 1.37, claim=D, **wrong)
        assert [part for part in fragments if part not in str(refused.value)] == []
    assert ledger.rows().empty
    assert ledger.record("effect size", 1.37, claim=D, **about) == 1.37


def test_a_frame_is_recorded_cell_by_cell_and_empty_cells_are_passed_over():
    ledger = Ledger("base_pair_stability", "full", data="word2vec-google-news-300@md5:1")
    table = pd.DataFrame(
        {"DB/WA": [0.5, 0.7], "NBM": [0.1, math.nan]}, index=["she-he", "mean over 9"]
    )
    ids = {("she-he", "DB/WA"): "zhang2020_base_pairs.table4.1", ("she-he", "NBM"): None}
    shown = ledger.record_frame("forms", table, claims=ids, n=9, word_form="plural")
    assert shown is table
    rows = ledger.rows()
    assert rows.value.tolist() == [0.7, 0.1, 0.5] and set(rows.n) == {9}
    assert rows.claim_id.tolist() == ["", "", "zhang2020_base_pairs.table4.1"]
    assert json.loads(rows.settings.iloc[2]) == {
        "base_pair": "she-he",
        "system": "DB/WA",
        "word_form": "plural",
    }


def test_a_frame_takes_claims_and_intervals_as_frames_and_labels_that_are_none():
    ledger = Ledger("base_pair_stability", data="minilm@sha256:1")
    table = pd.DataFrame({"RIPA": [0.3]}, index=["all pairs"])
    ids = pd.DataFrame({"RIPA": ["zhang2020_base_pairs.table2.3"]}, index=["all pairs"])
    ledger.record_frame("kappa", table, index="", claims=ids, low=table - 0.1, high=table + 0.1)
    row = ledger.rows().iloc[0]
    assert (row.low, row.high, row.claim_id) == (0.3 - 0.1, 0.3 + 0.1, ids.iloc[0, 0])
    assert json.loads(row.settings) == {"system": "RIPA"}


def write_run(folder, quantity_values, **parameters):
    ledger = Ledger("ripa", parameters=parameters)
    for quantity, value in quantity_values.items():
        ledger.record(quantity, value)
    folder.mkdir(exist_ok=True)
    name = f"ripa--{slug(parameters)}"
    (folder / f"{name}.csv").write_text(to_csv(ledger.rows()))
    (folder / f"{name}.run.json").write_text(json.dumps({"parameters": parameters}))


def test_runs_are_compared_by_the_parameter_in_which_they_differ(tmp_path):
    write_run(tmp_path, {"mean": 0.1, "kappa": 0.5}, embedding="minilm", seed=0)
    write_run(tmp_path, {"mean": 0.2}, embedding="mine", seed=0)
    write_run(tmp_path, {"mean": 0.9}, embedding="minilm", seed=1)
    table = compare("ripa", by="embedding", folder=tmp_path)
    assert list(table.columns) == ["mine", "minilm"]
    assert table.loc["mean"].iloc[0].tolist() == [0.2, 0.1]
    assert math.isnan(table.loc["kappa", "mine"].iloc[0])
    with pytest.raises(ValueError, match="Did you mean 'embedding'"):
        compare("ripa", by="embeding", folder=tmp_path)
    with pytest.raises(ValueError, match=r"no run of domains_evidence .*--grid embedding="):
        compare("domains_evidence", by="embedding", folder=tmp_path)


# --- the report card


def test_without_results_every_claim_has_none_and_the_headline_counts_distinct_results():
    card = report_card(pd.DataFrame(columns=RESULT_COLUMNS))
    assert len(card) == len(load_claims()) and list(card) == CARD_COLUMNS
    assert set(card.verdict) == {"no result", "adds up", "not contradicted", "does not add up"}
    assert (card.reason != "").all()
    assert (card.verdict.where(card.verdict != "no result", "") == card.arithmetic).all()
    said = headline(card)
    assert (list(said.counts), list(said.reaches)) == (list(CARD_VERDICTS), list(REACHES))
    assert sum(said.counts.values()) == said.total == (card.kind == "result").sum() < len(card)
    assert sum(said.reaches.values()) == said.total
    assert str(said) == (
        f"Of {said.reaches['here']:,} results whose data can be had here, 0 come out."
    )


@pytest.fixture
def one_paper(monkeypatch):
    """The report card is that of one paper."""
    paper = D.partition(".")[0]
    own, relations = load_paper(paper), check(paper)
    monkeypatch.setattr("lib.ledger.claims.load_claims", lambda: own)
    monkeypatch.setattr("lib.ledger.arithmetic.check", lambda: relations)


@pytest.mark.usefixtures("one_paper")
def test_of_several_results_the_least_favourable_on_the_papers_data_stands():
    rows = pd.DataFrame(
        [result(1.37), result(1.2), result(1.37, data="mine@sha256:1", low=1, high=2)]
    )
    card = report_card(rows)
    row = card.set_index("claim_id").loc[D]
    assert (row.verdict, row.run, row.basis) == ("differs", "1.20", "rerun")
    assert row.difference == pytest.approx(0.17 / 1.37)
    assert headline(card).counts["differs"] == 1


@pytest.mark.usefixtures("one_paper")
def test_a_table_and_a_paper_have_one_vote_each():
    card = report_card(pd.DataFrame([result(1.37), result(0.0012, claim_id=P)]))
    tables = votes(card, ["paper", "location"])
    assert tables.index.tolist() == [("chaloner2019_domains", "Table 2")]
    assert tables.iloc[0].tolist() == [2, 2, True]
    card = report_card(pd.DataFrame([result(1.37), result(0.5, claim_id=P)]))
    assert votes(card, ["paper"]).iloc[0].tolist() == [2, 1, False]
    said = headline(card)
    assert (said.come_out, said.at_hand) == (1, said.reaches["here"])


@pytest.mark.usefixtures("one_paper")
def test_results_elsewhere_that_disagree_are_inconclusive_together():
    ends = [(0.1, 0.9), (0.2, 0.9), (-0.9, -0.1)]
    rows = [
        result(0.5, data=f"v{i}@sha256:1", low=low, high=high) for i, (low, high) in enumerate(ends)
    ]
    both = report_card(pd.DataFrame(rows)).set_index("claim_id").loc[D]
    assert both.verdict == "inconclusive elsewhere"
    assert "2 agrees elsewhere, 1 disagrees elsewhere" in both.reason
    alike = report_card(pd.DataFrame(rows[:2])).set_index("claim_id").loc[D]
    assert alike.verdict == "agrees elsewhere" and alike.interval == "0.10 to 0.90"


def test_the_card_reads_a_folder_and_the_book_gathers_live_and_recorded_results(
    ledger, folder, kept
):
    procedure = load_claims().procedure[D]
    ledger.record("effect size", 1.3709, claim=D, procedure=procedure, **ABOUT)
    ledger.save()
    assert headline(report_card(folder)).counts["reproduced"] == 1
    for path in folder.iterdir():
        path.rename(kept / path.name)
    (kept / "domains_evidence--seed=0.run.json").write_text(
        json.dumps({"commit": "abcdef0123456789"})
    )
    assert gather("embedded").recorded.tolist() == [True]
    Ledger("ripa").record("count", 1)
    live = Ledger("ripa")
    live.record("count", 1)
    live.save()
    assert gather("embedded").recorded.tolist() == [False, True]
    shown = recorded_results("domains_evidence", quantity="effect size")
    assert shown.to_dict("records")[0] | {"low": 0, "high": 0, "n": 0} == {
        "profile": "sample",
        "procedure": procedure,
        **ABOUT,
        "value": 1.3709,
        "low": 0,
        "high": 0,
        "n": 0,
        "data": "wefe_weat_w2v@sha256:0123",
        "commit": "abcdef01",
    }
    assert recorded_results("domains_evidence", quantity="other").empty


def test_recorded_rows_are_those_of_the_same_model_where_that_is_asked(folder, kept, displayed):
    ours = Ledger("ripa", "sample", {"model": "ours", "seed": 0}, data="ours@1")
    ours.record("a score", 0.5, words="own")
    path = ours.save().path
    path.rename(kept / path.name)
    (kept / f"{path.stem}.run.json").write_text(json.dumps({"parameters": ours.parameters}))
    for model, found in {"ours": [0.5], "another": []}.items():
        here = Ledger("ripa", parameters={"model": model, "seed": 1})
        assert here.results("a score")["value"].tolist() == [0.5]
        assert here.results("a score", same=["model"])["value"].tolist() == found
        assert recorded_results("ripa", "a score", same={"model": model})["value"].tolist() == found
        here.show_recorded("a score", ["words"], same=["model"])
    assert "Nothing was recorded for this edition for this model" in displayed[-1][0].data


def test_a_comparison_can_show_recorded_answers_to_what_this_run_does_not_answer(
    ledger, folder, kept
):
    procedure = load_claims().procedure[D]
    ledger.record("effect size", 1.3709, claim=D, procedure=procedure, **ABOUT)
    ledger.record("p value", 0.0012, claim=P, method="exact", procedure=procedure, **ABOUT)
    ledger.record("words", 8)
    ledger.save().path.rename(kept / "domains_evidence--seed=0.csv")
    later = Ledger("domains_evidence", "full", data="wefe_weat_w2v@sha256:0123")
    later.record("effect size", 1.5, claim=D, procedure=procedure, **ABOUT)
    assert later.comparison().claim_id.tolist() == [D]
    both = later.comparison(recorded=True).set_index("claim_id")
    assert both.verdict.to_dict() == {P: "reproduced", D: "differs"}
    assert Ledger("ripa").comparison(recorded=True).empty


def test_what_was_recorded_is_shown_with_its_settings_or_said_to_be_missing(kept, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda output: shown.append(output.data))
    rows = [
        'ripa,sample,effect size,,-0.5,-0.61,-0.4,7,"{""test"": ""career""}",sgns@sha256:0123abcd',
        'ripa,sample,effect size,,0.25,,,,"{""test"": ""arts""}",sgns@sha256:0123abcd',
    ]
    (kept / "ripa--seed=0.csv").write_text("\n".join([",".join(RESULT_COLUMNS), *rows]) + "\n")
    (kept / "ripa--seed=0.run.json").write_text(json.dumps({"commit": "abcdef0123456789"}))
    ripa = Ledger("ripa")
    ripa.show_recorded("effect size", {"test": "words", "unknown": "unknown"}, interval="95 %")
    assert shown[0].to_dict("list") == {
        "words": ["career", "arts"],
        "effect size": ["−0.50", "0.25"],
        "95 %": ["−0.61 to −0.40", "–"],
        "n": ["7", ""],
    }
    assert "`sample`" in shown[1] and "`abcdef01`" in shown[1] and "Data: `sgns`.*" in shown[1]
    ripa.show_recorded("effect size", form=".0%")
    assert shown[2]["effect size"].tolist() == ["−50%", "25%"]
    ripa.show_recorded("p value")
    assert shown[4] == "*Nothing was recorded for this edition.*"
