"""The printed numbers: their files keep to data/claims/README.md, and a printed text gives its precision."""

import math
import shutil
from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.ledger import claims as claims_module
from lib.ledger.claims import (
    FOLDER,
    SCOPE_FIELDS,
    SCOPE_FILTERS,
    ClaimError,
    describe,
    load_claims,
    load_paper,
    matching_claims,
    papers,
    scope_rules,
)
from lib.ledger.printed import Printed
from lib.paths import ROOT
from lib.profiles import PROFILES, chapter_of, story_of
from scripts.tools import loose_ends
from tests.support.mutations import not_worded

METRIC_KINDS = set(
    [
        "signed contrast",
        "agreement",
        "score",
        "share",
        "spread",
        "p value",
        "count",
        "rank",
        "yes or no",
        "setting",
        "cost",
    ]
)
CLAIM_KINDS = {"result", "setup", "restated", "quoted", "stored"}
BASES = {"recomputed", "rerun", "retrained"}


@pytest.fixture(scope="module")
def claims():
    return load_claims()


def read(name):
    return pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)


# --- the files


def test_every_row_of_every_paper_is_a_claim_and_ids_are_unique(claims):
    assert len(claims) == sum(len(read(paper)) for paper in papers())
    assert claims.index.is_unique


def test_an_id_begins_with_its_paper_and_names_a_place_and_a_number(claims):
    assert all(
        claim_id.startswith(f"{paper}.") for claim_id, paper in zip(claims.index, claims.paper)
    )
    assert claims.index.str.fullmatch(r"[a-z0-9_]+\.[a-z0-9_.]+\.[0-9]+").all()


def test_every_value_is_a_number_whose_precision_can_be_read(claims):
    for claim in claims.to_dict("records"):
        printed = Printed.of(claim)
        assert math.isfinite(printed.plain) and printed.step > 0
        assert printed.relation != "=" or printed.matches(printed.plain), claim["claim_id"]


def test_every_metric_is_explained_once_and_none_in_vain(claims):
    assert list(loose_ends.metrics(ROOT)) == []
    assert set(read("metrics").metric) == set(claims.metric)
    assert read("metrics").meaning.str.len().ge(10).all()


def test_metrics_keep_to_the_vocabulary(claims):
    metrics = read("metrics")
    assert set(metrics.kind) <= METRIC_KINDS
    assert set(metrics.rounding) <= {"nearest", "truncate"}
    assert (metrics.neutral[metrics.kind == "signed contrast"] != "").all()
    assert set(metrics.kind[metrics.neutral != ""]) == {"signed contrast", "agreement"}
    assert set(metrics.neutral) <= {"", "0", "1"}
    assert set(claims.metric_kind[claims.elsewhere == "allowed"]) == {"signed contrast"}
    assert set(claims.metric_kind[claims.draws != ""]) == {"p value"}


def test_every_claim_has_a_chapter_a_kind_and_a_reason_in_the_vocabulary(claims):
    assert set(claims.kind) == CLAIM_KINDS
    assert set(claims.profile) <= {"", *PROFILES}
    assert set(claims.basis) <= {"", *BASES}
    assert set(claims.elsewhere) <= {"allowed", "no"}
    assert set(claims.relation) <= {"", "<", "<=", ">", ">="}
    assert (claims.reason != "").all() and (claims.data != "").all()
    assert all(text == "" or int(text) > 0 for text in claims.draws)
    assert all(text == "" or Decimal(text) > 0 for text in claims.step)


IN_TWO_CHAPTERS = {"karve2019_conceptor"}  # static vectors, and vectors in context


def test_a_paper_belongs_to_one_chapter_of_the_book_or_to_a_later_one(claims):
    chapters = {*map(chapter_of, (ROOT / "chapters").rglob("*.ipynb"))}
    assert set(claims.chapter) <= {"later", *chapters}
    stories = claims.assign(chapter=claims.chapter.map(story_of))
    of_paper = stories.groupby("paper").chapter.nunique()
    assert set(of_paper.index[of_paper > 1]) == IN_TWO_CHAPTERS


def test_a_result_that_a_profile_runs_says_on_what_and_how(claims):
    run = claims[(claims.kind == "result") & (claims.profile != "")]
    assert (run.basis != "").all() and not (run.data == "undecided").any()


@pytest.mark.parametrize("paper", papers())
def test_every_rule_of_scope_matches_a_claim_says_something_and_stands_once(paper, claims):
    if read(paper).empty:
        pytest.skip("it has no claims yet; python -m scripts.tools.loose_ends says so")
    rules = scope_rules(paper)
    own = rules[rules.claims.str.startswith(f"{paper}.")]
    assert own.claims.iloc[0] == f"{paper}.*" and not (own[SCOPE_FILTERS[1:]] != "").iloc[0].any()
    general = rules[~rules.index.isin(own.index)]
    assert set(general.claims) == {"*"}
    of_paper = matching_claims(claims[claims.paper == paper].reset_index(drop=True), own)
    everywhere = matching_claims(claims.reset_index(drop=True), general)
    assert all([*of_paper, *everywhere])
    assert (rules[SCOPE_FIELDS] != "").any(axis="columns").all()
    assert not rules.duplicated(SCOPE_FILTERS).any()


def test_a_file_with_other_columns_is_refused(tmp_path, refuses):
    (tmp_path / "scope.csv").write_text("claims,chapter\n")
    for name in ("cho2019_tgbi", "metrics"):
        shutil.copy(FOLDER / f"{name}.csv", tmp_path)
    expected = ["scope.csv", "expected the columns claims,metric,text", "got claims,chapter"]
    refuses(lambda: load_claims(tmp_path), [*expected, "README"])


def test_later_rows_of_scope_override_earlier_ones_and_a_dash_takes_back(tmp_path):
    for name in ("cho2019_tgbi", "metrics"):
        shutil.copy(FOLDER / f"{name}.csv", tmp_path)
    rules = [
        dict(claims="*", kind="result", profile="full", data="any", reason="first"),
        dict(claims="cho2019_tgbi.*", metric="p_w", profile="-", reason="second"),
    ]
    table = pd.DataFrame(rules, columns=SCOPE_FILTERS + SCOPE_FIELDS)
    table.to_csv(tmp_path / "scope.csv", index=False)
    claims = load_claims(tmp_path)
    shares, others = claims[claims.metric == "p_w"], claims[claims.metric != "p_w"]
    assert set(shares.profile) == {""}
    assert set(shares.reason) == {"second"} and set(shares.kind) == {"result"}
    assert set(others.profile) == {"full"} and set(others.reason) == {"first"}


# --- printed numbers


def printed(value, unit="", **changes):
    blank = dict(
        claim_id="x",
        value=value,
        unit=unit,
        metric_unit="",
        step="",
        rounding="nearest",
        relation="",
    )
    return Printed.of(blank | changes)


@pytest.mark.parametrize(
    "text, unit, ours, alike",
    [
        ("1e-3", "", 0.0012, True),
        (".30", "", 0.2951, True),
        ("1.0e-7", "", 1.06e-7, False),
        ("25", "%", 0.2551, False),
        ("48088", "", 48089, False),
        ("16.6", "million", 16554790, True),
        ("2", "percentage points", 0.019, True),
        ("-0.46", "", -0.455, True),
        ("0.00", "", -0.004, True),
    ],
)
def test_precision_and_unit_are_read_from_the_print(text, unit, ours, alike):
    assert printed(text, unit).matches(ours) is alike


def test_binary_fractions_do_not_turn_ties():
    assert printed("0.29").matches(0.1 + 0.185) and printed("0.28").matches(
        0.1 + 0.185
    )  # 0.285 and a little
    assert printed("0.4018", rounding="truncate").matches(0.4018 - 1e-17)


@given(st.decimals(-1000, 1000, places=3), st.floats(-1000, 1000))
def test_rounding_to_the_print_is_what_python_rounds_to(text, ours):
    alike = printed(str(text)).matches(ours)
    rounded = Decimal(repr(ours)).quantize(Decimal("0.001"))
    assert alike == (abs(Decimal(repr(ours)) - text) <= Decimal("0.000500000000001"))
    assert alike or rounded != text


@pytest.mark.parametrize(
    "text, changes, ours, shown",
    [
        ("1.370", {}, 1.3, "1.300"),
        ("25", {"unit": "%", "step": "5"}, 0.2594, "26"),
        ("4e-11", {}, 7.2e-11, "7e-11"),
        ("-0.001", {}, -0.0004, "0.000"),
        ("0.001", {"relation": "<"}, 0.00012345, "0.000123"),
        ("1e-40", {"relation": "<"}, 3.21e-60, "3.21e-60"),
    ],
)
def test_our_number_is_written_as_the_paper_would(text, changes, ours, shown):
    assert printed(text, **changes).format(ours) == shown


@pytest.mark.parametrize(
    "relation, value, holds",
    [
        ("<", 0.001, False),
        ("<=", 0.001, True),
        (">=", 0.0009, False),
    ],
)
def test_a_printed_bound_holds_or_not(relation, value, holds):
    assert printed("0.001", relation=relation).matches(value) is holds


@pytest.mark.parametrize("text", ["about 3", "0,5", ""])
def test_words_around_a_number_belong_elsewhere(text):
    with pytest.raises(ValueError, match=r"expected a plain number such as .*belong in `note`"):
        printed(text)


def test_a_claim_is_described_in_words(claims):
    assert describe(claims.loc["zhang2020_base_pairs.table4.1"]) == (
        "cohen kappa · DB/WA · professions · word form: plural, base pair: she-he, n words: 230"
    )
    assert describe(claims.loc["gap_shared_task.abstract.1"]) == "n teams · GAP shared task"


ZHANG = "zhang2020_base_pairs"
KAPPA = dict(paper=ZHANG, location="Table 2", metric="fleiss_kappa")


def test_one_claim_matches_all_arguments_where_it_is_printed_first():
    assert (
        claims_module.one(paper=ZHANG, metric="fleiss_kappa", system="NBM") == f"{ZHANG}.table2.5"
    )
    assert claims_module.one(**KAPPA, system="RIPA") == f"{ZHANG}.table2.3"
    assert claims_module.printed(f"{ZHANG}.table2.3") == 0.42


@pytest.mark.parametrize(
    "asked, fragments",
    [
        (KAPPA | {"system": "Ripa"}, ["system", "'Ripa'", "Did you mean 'RIPA'"]),
        (KAPPA | {"location": "Table2"}, ["location", "'Table2'", "'Table 2'"]),
        (KAPPA | {"paper": "zhang2020_base_pair"}, ["paper", f"Did you mean '{ZHANG}'"]),
        (KAPPA | {"base_pairs": "she-he"}, ["'base_pairs'", "Did you mean", "'base_pair'"]),
    ],
)
def test_what_is_misspelt_is_an_error_with_near_misses(asked, fragments):
    for ask in (claims_module.one, claims_module.find):
        with pytest.raises(ClaimError) as error:
            ask(**asked)
        assert [fragment for fragment in fragments if fragment not in str(error.value)] == []


def test_a_combination_that_is_not_printed_is_none_to_find_and_an_error_to_one():
    asked = dict(paper=ZHANG, location="Table 2", metric="fleiss_kappa", base_pair="she-he")
    assert claims_module.find(**asked) is None
    assert claims_module.find(**KAPPA, system=None) is None
    with pytest.raises(ClaimError, match=r"With the rest as it is, .*could be"):
        claims_module.one(**asked)
    with pytest.raises(ClaimError, match="got None for system"):
        claims_module.one(**KAPPA, system=None)
    with pytest.raises(ClaimError, match=r"numbers with .*Say more about it"):
        claims_module.one(**KAPPA)


def test_a_printed_table_has_its_numbers_and_the_names_of_their_settings():
    table = claims_module.table(paper=ZHANG, location="Table 4")
    assert {"claim_id", "system", "dataset", "metric", "text", "printed", "base_pair"} <= {*table}
    pivoted = table.pivot_table("printed", "base_pair", "system")
    first = load_claims().loc[f"{ZHANG}.table4.1"]
    assert first.value in set(table.text) and "she-he" in pivoted.index


def test_a_paper_is_read_from_its_own_files_alone(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "claims")
    for path in (tmp_path / "claims").rglob("*.csv"):
        if path.stem not in ("metrics", "scope", ZHANG):
            path.unlink()
    alone = load_paper(ZHANG, tmp_path / "claims")
    pd.testing.assert_frame_equal(alone, load_claims().loc[alone.index], check_dtype=False)


def test_a_file_without_claims_changes_no_others(tmp_path):
    for name in ("cho2019_tgbi.csv", "metrics.csv", "scope.csv"):
        shutil.copy(FOLDER / name, tmp_path)
    before = load_claims.__wrapped__(tmp_path)
    heading = (FOLDER / "cho2019_tgbi.csv").read_text().partition("\n")[0]
    (tmp_path / "doe2020_words.csv").write_text(heading + "\n")
    after = load_claims.__wrapped__(tmp_path)
    pd.testing.assert_frame_equal(before, after, check_dtype=False)


@pytest.mark.parametrize(
    "name", ["small2020_paper.csv", "scope/small2020_paper.csv", "metrics.csv"]
)
def test_a_damaged_file_gives_claims_or_a_named_error(tmp_path, name):
    rows = [",".join(claims_module.CLAIM_COLUMNS)]
    rows += [f'small2020_paper.table1.{n},Table 1,A,B,"k={n}, é",f1,9{n}.1,%,,' for n in range(3)]
    scope = [",".join(SCOPE_FILTERS + SCOPE_FIELDS), "*,,f1" + "," * len(SCOPE_FIELDS)]
    metrics = (FOLDER / "metrics.csv").read_text(encoding="utf-8").split("\n")
    metrics = [metrics[0], *(line for line in metrics if line.startswith("f1,"))]
    texts = {
        "small2020_paper.csv": rows,
        "scope/small2020_paper.csv": scope,
        "metrics.csv": metrics,
    }
    (tmp_path / "scope").mkdir()
    shutil.copy(FOLDER / "scope.csv", tmp_path)
    for file, lines in texts.items():
        (tmp_path / file).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def read(_):
        load_paper.__wrapped__("small2020_paper", tmp_path)

    assert not_worded(read, tmp_path / name, 100, also=(ClaimError,)) == []
