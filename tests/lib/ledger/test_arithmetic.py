"""Numbers that follow from other printed numbers: the rules, the files of relations, and what they find."""

import math
import shutil
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lib.ledger import arithmetic, claims
from lib.ledger.arithmetic import (
    RULES,
    WHOLE_NUMBER_RULES,
    Interval,
    by_claim,
    check,
    permutation_p,
    read_relations,
    share_of,
    share_of_splits,
)
from lib.ledger.claims import FOLDER, ClaimError
from lib.ledger.printed import Printed
from tests.support.mutations import not_worded


@pytest.fixture(scope="module")
def relations():
    return check()


def exactly(*numbers):
    return [Interval.exactly(Fraction(str(number))) for number in numbers]


def printed(number, decimals=3):
    """A number, rounded and read again: all that it may have been."""
    return Interval(*Printed(f"{number:.{decimals}f}", step=Decimal(1).scaleb(-decimals)).bounds)


# --- intervals


def test_a_printed_number_stands_for_all_that_are_printed_so():
    assert printed(0.25, 2) == Interval(Fraction(49, 200), Fraction(51, 200))
    percent = Printed("61.2", Decimal(100), Decimal("0.1"))
    assert percent.bounds == (Fraction(1223, 2000), Fraction(1225, 2000))
    assert Printed("5", relation="<").bounds == (-math.inf, 5)
    assert Printed("5", relation=">=").bounds == (5, math.inf)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("0.12", ".12", ".13"), ("-0.12", "-.13", "-.12"), ("0.00", "-.01", ".01")],
)
def test_digits_that_were_cut_leave_a_step_away_from_zero(text, low, high):
    bounds = Printed(text, step=Decimal("0.01"), truncated=True).bounds
    assert bounds == (Fraction(low), Fraction(high))


@given(
    st.lists(st.fractions(-5, 5), min_size=4, max_size=4), st.fractions(0, 1), st.fractions(0, 1)
)
def test_results_of_numbers_inside_lie_inside(ends, first, second):
    one, two = Interval(*sorted(ends[:2])), Interval(*sorted(ends[2:]))
    x = one.low + first * (one.high - one.low)
    y = two.low + second * (two.high - two.low)
    pairs = [(one + two, x + y), (one - two, x - y), (one * two, x * y), (abs(one), abs(x))]
    if two.low * two.high > 0:
        pairs.append((one / two, x / y))
    assert all(interval.low <= number <= interval.high for interval, number in pairs)


# --- rules


@pytest.mark.parametrize(
    ("rule", "parts", "result"),
    [
        ("ratio", (".77", ".80"), ".9625"),
        ("share", (3, 4, 28), ".25"),
        ("difference", (5, 7), -2),
        ("change of size", ("-.648", "-.163"), ".485"),
        ("relative change", (12, 10), ".2"),
        ("error reduction", (".95", ".93", ".90"), ".4"),
        ("sum", (1, 2, 3), 6),
        ("mean", (1, 2, 6), 3),
        ("weighted mean", (1, 4, 2, 1), 2),
        ("weighted sum", (1, 4, 2, -1), -2),
        ("product", (2, 3, 4), 24),
        ("complement", (".2", ".3"), ".5"),
        ("f1", (".5", 1), "0.6666666666666667"),
        ("f1 of rates", (".7", ".7"), ".7"),
        ("equal", (3,), 3),
        ("minimum", (3, 1, 2), 1),
        ("maximum", (3, 1, 2), 3),
        ("count below", (".05", ".01", ".2", ".04"), 2),
    ],
)
def test_closed_form(rule, parts, result):
    interval = RULES[rule](*exactly(*parts))
    assert interval.low == interval.high == pytest.approx(float(result))


@pytest.mark.parametrize(
    ("rule", "parts", "low", "high"),
    [
        ("between", (3, 1, 2), 1, 3),
        ("lower bound", (3, 1, 2), -math.inf, 1),
        ("upper bound", (3, 1, 2), 3, math.inf),
        ("upper bound of sizes", (3, -4, 2), 4, math.inf),
        ("loss of blend", (".2", ".4", 3, 1), -math.inf, 0.25),
        ("ascending rank", (".3", 2, ".2"), 3, math.inf),
        ("ascending rank", (".1", 2, ".2"), -math.inf, 1),
        ("ascending rank", (".2", 2, ".2"), -math.inf, math.inf),
        ("same sign", (-3,), -math.inf, 0),
    ],
)
def test_rules_that_give_a_range(rule, parts, low, high):
    interval = RULES[rule](*exactly(*parts))
    assert (float(interval.low), float(interval.high)) == pytest.approx((low, high))


def test_standard_deviation_of_intervals_holds_that_of_any_numbers_inside():
    numbers = pd.Series([3.6, 4.0, 5.8, 2.2, 1.5])
    interval = RULES["standard deviation"](*(printed(number, 1) for number in numbers))
    assert interval.low < numbers.std() < interval.high
    touching = RULES["standard deviation"](Interval(0, 2), Interval(1, 3), Interval(2, 2))
    assert touching.low == pytest.approx(0, abs=1e-6)
    assert touching.high == pytest.approx(pd.Series([0, 3, 2]).std())


@given(st.lists(st.floats(-1, 1), min_size=8, max_size=8), st.integers(1, 7))
def test_every_exact_permutation_p_is_allowed(scores, n_first):
    from itertools import combinations

    import numpy as np

    scores = np.array(scores)
    assume(scores.std() > 1e-3)
    first = range(n_first)

    def difference(chosen):
        rest = [i for i in range(len(scores)) if i not in chosen]
        return scores[list(chosen)].mean() - scores[rest].mean()

    observed = difference(first)
    assume(abs(observed) > 1e-6)
    all_of_them = [difference(chosen) for chosen in combinations(range(8), n_first)]
    p = np.mean([value >= observed - 1e-12 for value in all_of_them])
    strictly = np.mean([value > observed + 1e-12 for value in all_of_them])
    for ddof in (0, 1):
        effect = Interval.exactly(observed / scores.std(ddof=ddof))
        allowed = permutation_p(effect, None, *exactly(n_first, 8 - n_first))
        if observed > 0:
            assert p <= allowed.high + 1e-9
            assert p >= allowed.low - 1e-9
        else:
            assert strictly <= allowed.high + 1e-9
            assert p >= allowed.low - 1e-9


def test_an_effect_and_its_p_must_lie_on_one_side():
    assert permutation_p(printed(0.23, 2)) == Interval(0, 0.5)
    assert permutation_p(printed(-0.27, 2)) == Interval(0.5, 1)
    assert permutation_p(printed(0.0, 2)) == Interval(0, 1)
    drawn = permutation_p(printed(0.23, 2), *exactly(1000))
    assert drawn.high == pytest.approx(0.5 + 5 * math.sqrt(0.25 / 1000))


def test_a_p_value_of_few_splits_is_one_of_few():
    seven_and_two = exactly(100_000, 2, 7)
    for p, fits in ((3 / 36, True), (0.0843, True), (0.0957, False), (4 / 36, True)):
        near = share_of_splits(printed(p), *seven_and_two)
        assert printed(p).meets(near) == fits, p
    assert not printed(0.9988).meets(share_of_splits(printed(0.9988), *exactly(100_000, 4, 7)))


# --- a property: what was rounded from numbers that satisfy a rule always adds up

TRUE_FORMULAS = {
    "ratio": lambda a, b: a / b,
    "difference": lambda a, b: a - b,
    "change of size": lambda a, b: abs(a) - abs(b),
    "relative change": lambda a, b: a / b - 1,
    "sum": lambda a, b: a + b,
    "mean": lambda a, b: (a + b) / 2,
    "product": lambda a, b: a * b,
    "complement": lambda a, b: 1 - a - b,
    "f1": lambda a, b: 2 * a * b / (a + b),
    "f1 of rates": lambda a, b: 2 * a / (2 * a + (1 - a) + (1 - b)),
    "error reduction": lambda a, b: 1 - (1 - a) / (1 - b),
    "standard deviation": lambda a, b: abs(a - b) / math.sqrt(2),
    "between": lambda a, b: a + 0.3 * (b - a),
    "minimum": min,
    "maximum": max,
    "upper bound of sizes": max,
    "neutrality": lambda a, b: math.sqrt(a * (1 - a - b) + b),
}


@given(
    st.sampled_from(sorted(TRUE_FORMULAS)),
    st.floats(0.02, 0.45),
    st.floats(0.02, 0.45),
    st.integers(2, 5),
    st.integers(2, 5),
)
def test_numbers_rounded_from_true_ones_always_add_up(rule, a, b, decimals, result_decimals):
    result = printed(TRUE_FORMULAS[rule](a, b), result_decimals)
    allowed = RULES[rule](printed(a, decimals), printed(b, decimals))
    assert result.meets(allowed, slack=1e-9)


@given(st.integers(1, 999), st.data())
def test_shares_of_whole_numbers_always_add_up(n, data):
    k = data.draw(st.integers(0, n))
    share = printed(k / n, 4)
    assert share.meets(share_of(share, *exactly(n)), slack=1e-9)


# --- from files: a small paper


@pytest.fixture
def folder(tmp_path):
    """A paper with a few numbers in several units, and room for its relations."""
    rows = [
        "claim_id,location,system,dataset,setting,metric,value,unit,significance,note",
        "small2020_paper.table1.1,Table 1,A,,,f1,91.1,%,,",
        "small2020_paper.table1.2,Table 1,A,,,f1,87.1,%,,",
        "small2020_paper.table1.3,Table 1,A,,,bias_ratio,0.95,,,",
        "small2020_paper.table1.4,Table 1,A,,,bias_ratio,0.96,,,",
        "small2020_paper.table2.1,Table 2,A,,,n_examples,362,examples,,",
        "small2020_paper.table2.2,Table 2,A,,,n_examples,636,examples,,",
        "small2020_paper.table2.3,Table 2,A,,,n_examples,989,examples,,",
        "small2020_paper.sec1.1,Section 1,A,,,logloss,0.596,,,",
        "small2020_paper.sec1.2,Section 1,A,,,logloss,0.597,,,",
        "small2020_paper.sec1.3,Section 1,A,,,logloss,0.6,,,",
    ]
    (tmp_path / "small2020_paper.csv").write_text("\n".join(rows) + "\n")
    for name in ("metrics", "scope"):
        shutil.copy(FOLDER / f"{name}.csv", tmp_path)
    (tmp_path / "arithmetic").mkdir()

    def with_relations(*lines):
        text = "\n".join(
            ["claim_id,rule,parts,digits,note", *(f"small2020_paper.{line}" for line in lines)]
        )
        (tmp_path / "arithmetic" / "small2020_paper.csv").write_text(text + "\n")
        return tmp_path

    return with_relations


@pytest.mark.parametrize(
    ("relation", "verdict", "arithmetic"),
    [
        ("table1.4,ratio,table1.2;table1.1,,", "adds up", "87.1 % / 91.1 % = 0.9561"),
        ("table1.1,share,table2.1;table2.2;1096,,", "adds up", "362 + 636 of 1096 = 91.058 %"),
        ("table2.3,weighted sum,table2.[12];1;2,,", "does not add up", "362 · 1 + 636 · 2 = 1634"),
        ("sec1.3,equal,sec1.2,,", "adds up", "0.597 = 0.597"),
        ("sec1.3,upper bound,sec1.*,,", "not contradicted", "upper bound of 0.596, 0.597 ≥ 0.597"),
    ],
)
def test_a_relation_from_its_file(folder, relation, verdict, arithmetic):
    (row,) = check("small2020_paper", folder(relation)).to_dict("records")
    assert (row["verdict"], row["arithmetic"]) == (verdict, arithmetic)


def test_low_and_high_are_in_the_unit_of_the_claim(folder):
    (row,) = check("small2020_paper", folder("table1.1,equal,table1.2,,")).to_dict("records")
    assert (row["low"], row["high"], row["printed"]) == (87.05, 87.15, "91.1")


def test_one_relation_that_fails_decides(folder):
    where = folder("sec1.1,equal,sec1.2,,", "sec1.1,equal,sec1.3,,", "sec1.3,equal,sec1.2,,")
    assert by_claim("small2020_paper", where) == {
        "small2020_paper.sec1.1": "does not add up",
        "small2020_paper.sec1.3": "adds up",
    }


def test_digits_of_one_number_can_be_cut(folder):
    """0.596 cannot be 0.5969 rounded, but 0.5969 cut."""
    for digits, verdict in (("", "does not add up"), ("cut", "adds up")):
        where = folder(f"sec1.1,mean,0.5969,{digits},")
        assert by_claim("small2020_paper", where) == {"small2020_paper.sec1.1": verdict}


def test_a_bound_beside_an_equation_does_not_weaken_it(folder):
    where = folder("sec1.3,upper bound,sec1.*,,", "sec1.3,equal,sec1.2,,")
    assert by_claim("small2020_paper", where) == {"small2020_paper.sec1.3": "adds up"}


def test_claims_are_touched_on_either_side(folder):
    where = folder("table1.1,share,table2.[12];1096,,")
    names = {"small2020_paper.table1.1", "small2020_paper.table2.1", "small2020_paper.table2.2"}
    assert arithmetic.tested("small2020_paper", where) == names
    assert arithmetic.tested("small2020_paper", where, side="derived") == {
        "small2020_paper.table1.1"
    }


@pytest.mark.parametrize(
    ("relation", "message"),
    [
        ("table1.3,ratoi,table1.2;table1.1,,", "expected a known rule; got 'ratoi'.*ratio"),
        ("table1.3,ratio,table1.2,,", "expected the parts that ratio.*got 1"),
        ("table1.3,ratio,table1.2;table1.9,,", "expected the id of a claim.*table1.9"),
        ("table1.3,ratio,table1.2;table1.1,up,", "expected 'cut' or nothing for digits; got 'up'"),
    ],
)
def test_a_relation_that_cannot_be_read_says_why(folder, relation, message):
    with pytest.raises(ClaimError, match=message):
        check("small2020_paper", folder(relation))


# --- the relations of the book


def test_every_file_is_that_of_a_paper_and_no_relation_stands_twice(relations):
    papers = sorted(path.stem for path in (FOLDER / "arithmetic").glob("*.csv"))
    assert set(papers) <= set(claims.papers())
    assert not relations.duplicated(["claim_id", "rule", "parts"]).any()
    for paper in papers:
        assert read_relations(paper).claim_id.str.startswith(f"{paper}.").all()


def test_no_claim_is_a_part_of_itself_but_of_a_smallest_or_largest_number(relations):
    for row in relations.to_dict("records"):
        extreme = row["rule"] in ("minimum", "maximum")
        assert extreme or row["claim_id"] not in row["parts"].split(";"), row["claim_id"]


def test_every_failure_says_what_is_known_of_its_cause(relations):
    failing = relations[relations.verdict == "does not add up"]
    assert (failing.note != "").all()


def test_every_relation_could_fail(relations):
    """No relation allows everything: a range that a share, a p value or a rank always lies in."""
    everything = (relations.low == -math.inf) & (relations.high == math.inf)
    ps = (relations.rule == "permutation p") & (relations.low <= 0) & (relations.high >= 1)
    assert not (everything | ps).any()


def test_whole_number_relations_could_fail_by_other_digits(relations):
    """Of 41 numbers printed around the claim's, at least eight are impossible."""
    rows = relations[relations.rule.isin(list(WHOLE_NUMBER_RULES))]
    known = claims.load_claims().to_dict("index")
    for row in rows.to_dict("records"):
        claim = known[row["claim_id"]]
        number = Printed.of(claim)
        step, scale = Fraction(number.step), Fraction(number.scale)
        names = row["parts"].split(";")
        values = [name if name.isdecimal() else known[name]["value"] for name in names]
        parts = list(exactly(*values))
        if row["rule"] == "share of share":
            parts[0] = Interval(*Printed.of(known[names[0]]).bounds)
        low, high = number.bounds
        others = [Interval(low + k * step / scale, high + k * step / scale) for k in range(-20, 21)]
        nearest = [WHOLE_NUMBER_RULES[row["rule"]](other, *parts) for other in others]
        impossible = sum(not other.meets(near) for other, near in zip(others, nearest))
        assert impossible >= 8, row["claim_id"]


def test_two_fifths_of_all_printed_numbers_are_tested():
    assert len(arithmetic.tested()) >= 0.4 * len(claims.load_claims())


# --- golden: what is known of the papers

GOLDEN = [  # paper, rule, metric, how many relations, those that do not add up
    ("attree2019", "ratio", "bias_ratio", 19, []),
    ("chada2019", "ratio", "bias_ratio", 13, []),
    ("ionita2019", "ratio", "bias_ratio", 19, []),
    ("liu2019", "ratio", "bias_ratio", 22, ["table4.49"]),
    ("habash2019", "f1", "", 12, []),
    ("habash2019", "mean", "", 12, []),  # a macro average is a mean of F1, not the F1 of means
    ("zhang2020", "kappa of", "", 30, []),
    ("zhang2020", "minimum", "", 2, ["sec6.14"]),
    ("ethayarajh2019", "change of size", "", 12, []),
    ("cho2019", "neutrality", "P_s", 21, []),
    ("cho2019", "share of", "", 42, []),
    ("cho2019", "mean", "", 3, ["table1.64"]),
    (
        "karve2019",
        "permutation p",
        "",
        196,
        ["4.6", "4.22", "4.24", "4.28", "4.32", "4.36", "7.6", "7.16", "7.20"],
    ),
    ("chaloner2019", "permutation p", "", 25, []),
    ("chaloner2019", "share of splits", "", 2, ["table2.19", "table2.39"]),
]


@pytest.mark.parametrize(("paper", "rule", "metric", "count", "bad"), GOLDEN)
def test_what_follows_in_a_paper_adds_up_but_for_what_is_known(
    relations, paper, rule, metric, count, bad
):
    rows = relations[relations.claim_id.str.startswith(paper) & (relations.rule == rule)]
    metrics = claims.load_claims().metric
    rows = rows[[metrics[name].startswith(metric) for name in rows.claim_id]]
    found = rows[rows.verdict == "does not add up"].claim_id
    assert len(rows) == count
    assert [name.partition(".")[2] for name in found] == [
        place if place[0].isalpha() else f"table{place}" for place in bad
    ]


def test_known_slips_do_not_add_up(relations):
    failing = set(relations[relations.verdict == "does not add up"].claim_id)
    assert {name for name in failing if name.startswith("hitti2019")} == {
        f"hitti2019_taxonomy.{place}"
        for place in ("sec6.7", "table3.31", "table3.32", "sec6_1.13", "table3.6")
    }
    assert failing >= {
        "attree2019_evidence_pooling.sec4.15",
        "habash2019_arabic.sec4.12",
        "kurita2019_gebnlp.table5.2",
        "prost2019_text_classification.sec2.1",
        "abzaliev2019_third.sec5.3",
    }


def test_a_damaged_file_gives_relations_or_a_named_error(folder):
    where = folder("table1.3,ratio,table1.2;table1.1,,é", "table2.3,weighted sum,table2.[12];1;2,,")

    def read(_):
        check("small2020_paper", where)

    path = where / "arithmetic" / "small2020_paper.csv"
    assert not_worded(read, path, also=(ClaimError,)) == []
