"""Sentences as rules: what a file may hold, the papers' own, and how they are judged."""

import json
import math

import pandas as pd
import pytest

from lib.ledger import claims
from lib.ledger.results import RESULT_COLUMNS
from studies.report_card.findings import (
    FindingError,
    display_table,
    evaluate,
    load_findings,
)
from tests.support.mutations import not_worded

PAPER = "chaloner2019_domains"

# --- the files

GOOD = """
- finding: first
  location: Table 2
  says: Career goes with men in the news.
  parts:
    - {predicate: sign, side: above, of: table2.2}
"""
BAD = {
    "an unknown claim": (GOOD.replace("table2.2", "table2.222"), "Did you mean"),
    "an unknown predicate": (GOOD.replace("predicate: sign", "predicate: signs"), "mean 'sign'"),
    "a missing argument": (GOOD.replace("side: above, ", ""), "expected 'side'"),
    "a missing field": (GOOD.replace("  location: Table 2\n", ""), "expected 'location'"),
    "the same name twice": (GOOD + GOOD, "each finding once"),
    "no YAML": ("- [", "expected YAML"),
    "an unknown value": (GOOD.replace("table2.2", "{dataset: Google}"), "Google News"),
    "sides of other length": (
        GOOD.replace("sign, side: above,", "ratio, at_least: 2, to: [table2.4, table2.6],"),
        "as many numbers on both sides",
    ),
    "settings without a quantity": (
        GOOD + "  settings: {chapter: domains, vary: corpus, parts: "
        "[{predicate: sign, side: above, of: {category: B1}}]}",
        "expected a quantity",
    ),
}


@pytest.mark.parametrize("content, message", BAD.values(), ids=BAD.keys())
def test_a_file_that_does_not_keep_to_the_format_is_refused(tmp_path, content, message):
    (tmp_path / f"{PAPER}.yaml").write_text(content)
    with pytest.raises(FindingError, match=PAPER) as error:
        load_findings(PAPER, tmp_path)
    assert message in str(error.value)


def test_ids_are_chosen_by_name_by_pattern_or_by_what_they_are_about(tmp_path):
    chosen = {}
    for selector in (
        "table2.1",
        "'table3.1?'",
        "{location: Table 2, metric: p_value, dataset: [GAP, Twitter], category: 'B1*'}",
    ):
        (tmp_path / f"{PAPER}.yaml").write_text(GOOD.replace("table2.2", selector))
        load_findings.cache_clear()
        finding = load_findings(PAPER, tmp_path)[0]
        chosen[selector] = [claim_id.removeprefix(f"{PAPER}.") for claim_id in finding.claim_ids]
    named, pattern, about = chosen.values()
    assert named == ["table2.1"] and pattern == [f"table3.{number}" for number in range(10, 20)]
    assert about == ["table2.9", "table2.3"]  # in the order of the values asked for


# --- the verdicts


@pytest.fixture(scope="module")
def in_print():
    return evaluate(pd.DataFrame(columns=RESULT_COLUMNS)).set_index("finding")


IN_PRINT = {
    "chaloner2019_domains.news_all_five": "holds",
    "habash2019_arabic.eight_per_cent_for_women": "holds",
    "kurita2019_arxiv.weat_finds_nothing_in_bert": "holds",
    "zhang2020_base_pairs.agreement_of_base_pairs": "holds",
    "abzaliev2019_third.feminine_labels_are_wrong_more_often": "fails",
    "cho2019_tgbi.positive_words_score_low": "fails",
    "hitti2019_taxonomy.candidates_are_few": "fails",
    "zhang2020_base_pairs.truth_is_missed": "fails",
}


def test_known_sentences_in_print(in_print):
    assert in_print.in_print[list(IN_PRINT)].to_dict() == IN_PRINT
    assert set(in_print.on_data) == {"undecided"}  # without results


def test_a_sentence_that_fails_in_print_says_by_which_numbers(in_print):
    failing = in_print[in_print.in_print == "fails"]
    notes = {finding.id: finding.note for finding in load_findings()}
    assert len(failing) and all(notes[finding] for finding in failing.index)
    assert failing.reason.str.contains("In print, ").all()


def answer(claim_id, value=None, low=math.nan, high=math.nan, **changes):
    """A result on the paper's data for a claim; the printed number unless another is given."""
    claim = claims.row(claim_id)
    settings = {**claims.subject(claim), "procedure": claim["procedure"]}
    row = dict(
        chapter=claim["chapter"],
        profile="full",
        quantity=claim["metric"],
        claim_id=claim_id,
        value=claims.printed(claim_id) if value is None else value,
        low=low,
        high=high,
        n=8,
        settings=json.dumps(settings),
        data=claim["data"].partition("|")[0],
    )
    return row | changes


def judged(finding, results):
    rows = pd.DataFrame(results, columns=RESULT_COLUMNS)
    return evaluate(rows, PAPER).set_index("finding").loc[f"{PAPER}.{finding}"]


WINDOWS = [f"{PAPER}.table2.{number + shift}" for number in range(5, 49, 10) for shift in (0, 2)]
EFFECTS = [f"{PAPER}.table2.{number}" for number in range(4, 49, 10)]  # of Twitter


def test_a_sentence_holds_on_the_data_where_all_its_numbers_do():
    row = judged("wide_window_has_more", [answer(claim_id) for claim_id in WINDOWS])
    assert (row.on_data, row.basis, row.reason) == ("holds", "rerun", "")


def test_one_number_the_other_way_is_enough():
    rows = [answer(claim_id) for claim_id in WINDOWS[2:]]
    row = judged("wide_window_has_more", [answer(WINDOWS[0], 0.05), answer(WINDOWS[1]), *rows])
    assert row.on_data == "fails" and "1 of 5" in row.reason


def test_a_number_without_result_leaves_the_sentence_open():
    row = judged("wide_window_has_more", [answer(claim_id) for claim_id in WINDOWS[1:]])
    assert row.on_data == "undecided" and "no result for 1 of 10" in row.reason


def test_a_result_on_other_data_is_none():
    rows = [answer(claim_id, data="minilm") for claim_id in WINDOWS]
    assert judged("wide_window_has_more", rows).on_data == "undecided"


def test_an_interval_that_holds_the_neutral_point_leaves_it_open():
    rows = [
        answer(claim_id) for claim_id in EFFECTS
    ]  # 1.31, 0.65, 0.74, 0.37, 0.20; "most below 1"
    assert judged("twitter_effects_are_small", rows).on_data == "holds"
    rows[1] |= {"low": 0.1, "high": 1.2}
    rows[2] |= {"low": 0.2, "high": 1.3}
    row = judged("twitter_effects_are_small", rows)
    assert row.on_data == "undecided" and "40% to 80% are below" in row.reason
    for position in (1, 2):
        rows[position] |= {"value": 1.2, "low": 1.1, "high": 1.3}
    assert judged("twitter_effects_are_small", rows).on_data == "fails"


def test_what_the_authors_released_stands_where_nothing_was_computed():
    settings = json.dumps({**claims.subject(claims.row(WINDOWS[0])), "procedure": "as released"})
    released = claims.row(WINDOWS[0])["released"].partition("|")[0]
    rows = [answer(claim_id) for claim_id in WINDOWS[1:]]
    taken = answer(WINDOWS[0], settings=settings, data=released)
    row = judged("wide_window_has_more", [taken, *rows])
    assert row.on_data == "holds" and set(row.basis.split(", ")) == {"as released", "rerun"}
    row = judged("wide_window_has_more", [taken, answer(WINDOWS[0], 0.01), *rows])
    assert (row.on_data, row.basis) == ("fails", "rerun")


def test_settings_are_counted_by_value_where_all_numbers_are_there():
    systems = ["Google Translator", "Naver Papago", "Kakao Translator"]

    def row(value, system, words):
        return dict(
            chapter="translation_index_evidence",
            profile="sample",
            quantity="index under other words and rules",
            claim_id="",
            value=value,
            low=0.0,
            high=1.0,
            n=7,
            settings=json.dumps({"system": system, "words": words, "both": "first"}),
            data="cho2019_tgbi",
        )

    scores = {"printed": (0.3, 0.2, 0.1), "plurals": (0.2, 0.3, 0.1), "pronouns": (0.3, 0.2)}
    rows = [
        row(value, system, words)
        for words, values in scores.items()
        for value, system in zip(values, systems)
    ]
    table = evaluate(pd.DataFrame(rows, columns=RESULT_COLUMNS), "cho2019_tgbi")
    counts = table.set_index("finding").loc["cho2019_tgbi.google_highest_kakao_lowest"]
    assert (counts.settings_held, counts.settings_total) == (1, 2)
    assert table.settings_total.notna().sum() == 1
    shown = display_table(table)
    assert "1 of 2" in set(shown.settings) and list(shown.finding) == list(table.says)


def test_a_damaged_file_gives_findings_or_a_named_error(tmp_path):
    path = tmp_path / f"{PAPER}.yaml"
    path.write_text(GOOD, encoding="utf-8")

    def read(_):
        load_findings.__wrapped__(PAPER, tmp_path)

    read(path)
    assert not_worded(read, path, also=(FindingError,)) == []


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    (tmp_path / f"{PAPER}.yaml").write_bytes(GOOD.encode() + b"# caf\xe9\n")
    with pytest.raises(FindingError, match=f"{PAPER}.yaml: expected text in UTF-8"):
        load_findings(PAPER, tmp_path)
