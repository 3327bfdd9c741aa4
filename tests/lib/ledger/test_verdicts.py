"""What a result says about a printed number, and which results may say anything about it."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.ledger import Ledger, claims
from lib.ledger.claims import ClaimError
from lib.ledger.verdicts import printed_p, verdict

GOOGLE_D = "chaloner2019_domains.table2.2"  # printed 1.37
GOOGLE_P = "chaloner2019_domains.table2.11"  # printed 0.0173, from 100,000 draws
TWITTER_D = "chaloner2019_domains.table2.14"  # printed 0.65
KAPPA = "zhang2020_base_pairs.table2.1"
KAKAO = "cho2019_tgbi.table1.61"
SHE_HE = "zhang2020_base_pairs.sec7.17"


def claim_of(claim_id, **changes):
    return {**claims.row(claim_id), "procedure": "the paper's", **changes}


def result(claim, value, *, low=math.nan, high=math.nan, state=(), **changes):
    """A result that states all that the claim is about, on its first source, by the paper's procedure."""
    settings = {**claims.subject(claim), "procedure": claim["procedure"], **dict(state)}
    row = dict(
        chapter=claim["chapter"],
        profile="full",
        claim_id=claim["claim_id"],
        value=value,
        low=low,
        high=high,
        n=8,
        settings=json.dumps({name: said for name, said in settings.items() if said is not None}),
        data=f"{claim['data'].partition('|')[0]}@sha256:0123",
    )
    return row | changes


# --- identity: what may answer a claim at all


def test_another_systems_file_answers_no_claim():
    kakao = claim_of(KAKAO, data="tgbi_total_kakao_*")
    google = result(kakao, 0.1241, data="tgbi_total_google_f")
    with pytest.raises(ClaimError, match="Record it for that claim"):
        verdict(kakao, google)
    with pytest.raises(ClaimError, match="expected a result about system='Kakao Translator'"):
        verdict(kakao, result(kakao, 0.1241, state={"system": "Google Translator"}))
    twitter = claim_of(TWITTER_D)
    with pytest.raises(ClaimError, match="Record it for that claim"):
        verdict(twitter, result(twitter, 0.65, data="word2vec-google-news-300@md5:1"))


def test_another_pair_of_words_answers_no_claim():
    cosine = claim_of(SHE_HE)
    with pytest.raises(ClaimError, match="expected a result about words='she,he'; got 'gun,rifle'"):
        verdict(cosine, result(cosine, 0.61, state={"words": "gun,rifle"}))
    with pytest.raises(ClaimError, match=r"State .*words"):
        verdict(cosine, result(cosine, 0.61, state={"words": None}))


def test_a_result_needs_the_procedure_by_its_name():
    d = claim_of(GOOGLE_D)
    assert verdict(d, result(d, 1.37)).verdict == "reproduced"
    other = verdict(d, result(d, 1.37, state={"procedure": "ddof 0"}))
    assert other.verdict == "no result" and "ddof 0" in other.reason
    unnamed = verdict(d, result(d, 1.37, state={"procedure": None}))
    assert unnamed.verdict == "no result" and "does not name" in unnamed.reason
    assert verdict({**d, "procedure": ""}, result(d, 1.37)).verdict == "no result"


def test_a_claim_is_judged_in_its_own_chapter_and_from_its_own_profile_on():
    d = claim_of(GOOGLE_D)
    assert "judged in domains_evidence" in verdict(d, result(d, 1.37, chapter="ripa")).reason
    of_another = result(d, 1.37, chapter="ripa", state={"system": "another"})
    assert "judged in domains_evidence" in verdict(d, of_another).reason  # and not refused
    assert verdict(d, result(d, 1.37, profile="sample")).verdict == "reproduced"
    assert verdict(d, result(d, 1.37, profile="embedded")).verdict == "no result"


# --- the paper's data and procedure


@pytest.mark.parametrize(
    "value, expected",
    [
        (1.365, "reproduced"),
        (1.3649, "differs"),
        (1.3751, "differs"),
    ],
)
def test_a_number_is_reproduced_when_it_prints_alike_and_a_tie_may_go_either_way(value, expected):
    d = claim_of(GOOGLE_D)
    assert verdict(d, result(d, value)).verdict == expected


@pytest.mark.parametrize(
    "printed, ours, expected",
    [
        ("0.4018", 0.40189, "reproduced"),
        ("0.4018", 0.40179, "differs"),
        ("0.0004", 1 / 2118, "reproduced"),
    ],
)
def test_cells_that_were_cut_are_cut_again(printed, ours, expected):
    cut = claim_of("cho2019_tgbi.table1.2", value=printed)
    assert (cut["metric"], cut["rounding"]) == ("p_w", "truncate")
    judged = verdict(cut, result(cut, ours))
    assert (judged.verdict, judged.basis) == (expected, "recomputed")


@pytest.mark.parametrize(
    "printed, expected",
    [
        ("0.0173", "within its randomness"),
        ("0.0179", "reproduced"),
        ("0.0169", "within its randomness"),
        ("0.0168", "differs"),
    ],
)
def test_a_p_value_from_draws_is_judged_by_the_central_99_percent_of_its_own_draws(
    printed, expected
):
    p = claim_of(GOOGLE_P, value=printed)
    assert verdict(p, result(p, 0.0179487, state={"method": "exact"})).verdict == expected


def test_a_sampled_p_value_of_ours_judges_no_other():
    p = claim_of(GOOGLE_P)
    judged = verdict(p, result(p, 0.0179487, state={"method": "sampled"}))
    assert judged.verdict == "no result" and "exact" in judged.reason


def test_no_interval_of_ours_makes_a_number_reproduced():
    d = claim_of(GOOGLE_D)
    assert verdict(d, result(d, 1.30, low=0.5, high=2.0)).verdict == "differs"


@pytest.mark.parametrize("value, expected", [(1.35, "within its randomness"), (1.37, "reproduced")])
def test_a_training_is_judged_by_twenty_seeds_also_where_it_hits(value, expected):
    d = claim_of(GOOGLE_D, basis="retrained")
    seeds = np.linspace(1.2, 1.5, 20).tolist()
    assert verdict(d, result(d, value, state={"seed_values": seeds})).verdict == expected
    for too_few in (seeds[:19], []):
        judged = verdict(d, result(d, value, state={"seed_values": too_few}))
        assert judged.verdict == "no result" and f"this one has {len(too_few)}" in judged.reason


def test_a_printed_zero_and_a_bound_hold_and_are_counted_apart():
    zero = claim_of(GOOGLE_P, value="0.00", draws="")
    assert verdict(zero, result(zero, 0.0041)).verdict == "holds"
    assert verdict(zero, result(zero, 0.0051)).verdict == "differs"
    bound = claim_of("zhang2020_base_pairs.sec6.6")
    assert verdict(bound, result(bound, 0.1469)).verdict == "holds"
    assert verdict(bound, result(bound, 0.15)).verdict == "differs"


def test_what_is_known_about_a_difference_is_said():
    kappa = claim_of(KAPPA)
    assert verdict(kappa, result(kappa, 0.31)).reason == "0.31 against 0.45: no reason is known yet"
    complement = claim_of("zhang2020_base_pairs.table2.2")
    judged = verdict(complement, result(complement, 0.31))
    assert judged.verdict == "differs" and "1 − share" in judged.reason


# --- the authors' own file


def test_a_number_of_the_authors_own_file_is_as_released_or_differs():
    kappa = claim_of(KAPPA, released="zhang_notebook", known_difference="a slip")
    read = dict(state={"procedure": "as released"}, data="zhang_notebook@sha256:1")
    same, other = (verdict(kappa, result(kappa, value, **read)) for value in (0.4487, 0.4387))
    assert (same.verdict, same.basis) == ("as released", "as released")
    assert (other.verdict, other.basis) == ("differs", "as released") and "a slip" in other.reason
    unknown = verdict({**kappa, "released": ""}, result(kappa, 0.4487, **read))
    assert unknown.verdict == "no result"


# --- elsewhere


@pytest.mark.parametrize(
    "low, high, expected",
    [
        (0.1, 0.9, "agrees elsewhere"),
        (-0.9, -0.1, "disagrees elsewhere"),
        (0.0, 0.9, "inconclusive elsewhere"),
        (math.nan, math.nan, "no result"),
    ],
)
def test_elsewhere_only_the_side_of_the_neutral_point_counts(low, high, expected):
    d = claim_of(GOOGLE_D)
    judged = verdict(d, result(d, 0.65, low=low, high=high, data="glove@sha256:1"))
    assert (judged.verdict, judged.basis) == (expected, "other")


def test_elsewhere_asks_that_the_printed_effect_is_beyond_its_own_noise():
    weak = claim_of(TWITTER_D)
    assert printed_p(weak) > 0.05
    judged = verdict(weak, result(weak, 0.65, low=0.1, high=0.9, data="glove@sha256:1"))
    assert judged.verdict == "inconclusive elsewhere" and "may be noise" in judged.reason
    starred = {**weak, "significance": "*"}
    judged = verdict(starred, result(weak, 0.65, low=0.1, high=0.9, data="glove@sha256:1"))
    assert judged.verdict == "agrees elsewhere"


def test_elsewhere_is_closed_to_kappas_p_values_and_claims_that_do_not_allow_it():
    kappa = claim_of(KAPPA)
    judged = verdict(kappa, result(kappa, 0.45, low=0.4, high=0.5, data="minilm@sha256:1"))
    assert judged.verdict == "no result" and "minilm" in judged.reason
    p = claim_of(GOOGLE_P)
    assert (
        verdict(p, result(p, 0.0173, low=0.01, high=0.02, data="minilm@sha256:1")).verdict
        == "no result"
    )


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_other_data_never_reproduce(value, one, other):
    d = claim_of(GOOGLE_D)
    judged = verdict(
        d, result(d, value, low=min(one, other), high=max(one, other), data="glove@sha256:1")
    )
    assert judged.verdict.endswith("elsewhere")


@pytest.mark.parametrize(
    "significance, expected",
    [
        ("*", 0.04995),
        ("p<0.001", 0.000999),
        ("* (0.01)", 0.01),
        ("p=0.84", 0.84),
    ],
)
def test_a_printed_p_is_read_from_the_column_of_significance(significance, expected):
    assert printed_p(claim_of(KAPPA, significance=significance)) == pytest.approx(expected)
    assert printed_p(claim_of(KAPPA, significance="bold")) is None


# --- no result


def test_without_a_result_the_reach_gives_the_reason():
    assert verdict(GOOGLE_D) == verdict(claims.row(GOOGLE_D), None)
    computed = {**claims.row(GOOGLE_D), "released": ""}
    assert "the profile sample runs it, in the chapter domains_evidence" in verdict(computed).reason
    released = claim_of(KAPPA, released="zhang_notebook")
    assert "the authors' own file zhang_notebook holds it" in verdict(released).reason
    assert "the profile full loads its data" in verdict({**released, "released": ""}).reason
    far = {**released, "released": "", "profile": "", "data": "glove-of-others"}
    far["public"] = "https://example.org/glove"
    assert (
        "public, and no chapter reads it for this yet: https://example.org" in verdict(far).reason
    )


def test_a_ledger_compares_by_the_same_rules():
    ledger = Ledger("domains_evidence", "sample", data="wefe_weat_w2v@sha256:0123")
    d = claims.row(GOOGLE_D)
    ledger.record("d", 1.371, claim=GOOGLE_D, procedure=d["procedure"], **claims.subject(d))
    row = ledger.comparison().iloc[0]
    assert (row.paper, row.run, row.verdict, row.basis) == ("1.37", "1.37", "reproduced", "rerun")
    assert row.difference == pytest.approx(0.001 / 1.37)
