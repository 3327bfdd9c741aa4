"""How far away the data of each printed result are: held against registry, profiles and packages."""

import fnmatch
import functools

import pytest

from lib.ledger.claims import load_claims
from lib.ledger.reach import REACHES, reach, sources_read
from lib.paths import DATA
from lib.profiles import data_keys
from lib.sources.registry import registry

CLAIMS = load_claims().assign(
    reach=[reach(claim) for claim in load_claims().to_dict("records")],
)
RESULTS = CLAIMS[CLAIMS.kind == "result"]


def matching(names, patterns):
    return {name for pattern in patterns.split("|") for name in fnmatch.filter(names, pattern)}


@functools.cache
def at_hand(profile):
    """What a profile fetches, and what is in the repository or in an installed package."""
    fetched = {key.removeprefix("hub:").partition("@")[0] for key in data_keys(profile)}
    ours = {path.name for path in (DATA / "models").rglob("*")}
    return fetched | ours | {"minilm", "minilm-mlm"}


def test_only_results_have_a_reach_and_all_have():
    assert set(RESULTS.reach) <= set(REACHES)
    assert set(CLAIMS.reach[CLAIMS.kind != "result"]) == {""}


def test_what_is_here_is_registered_or_in_the_repository():
    for claim in RESULTS[RESULTS.reach == "here"].to_dict("records"):
        released = claim["released"].split("|") if claim["released"] else []
        settled_here = claim["data"] == "any" or matching(
            at_hand("embedded") | at_hand("sample"), claim["data"]
        )
        assert released or settled_here, claim["claim_id"]
        assert claim["chapter"] != "later", claim["claim_id"]


def test_a_released_file_is_registered_and_read_by_a_profile():
    keys = {key for keys in CLAIMS.released for key in keys.split("|") if key}
    assert keys <= set(registry())
    assert keys <= sources_read("sample") | sources_read("embedded")


def test_no_result_waits_for_the_full_profile_unless_that_loads_its_data():
    full = RESULTS[RESULTS.reach == "full"]
    assert all(matching(at_hand("full"), patterns) for patterns in full.data.unique())
    assert set(full.profile) == {"full"}


def test_what_is_public_says_where_and_no_profile_loads_it():
    public = RESULTS[RESULTS.reach == "public"]
    assert (public.public != "").all()
    for claim in public.to_dict("records"):
        everywhere = at_hand("sample") | at_hand("full")
        assert not (claim["profile"] and matching(everywhere, claim["data"])), claim["claim_id"]


def test_what_has_to_be_retrained_or_can_never_be_had_says_so():
    assert set(RESULTS.basis[RESULTS.reach == "retrain"]) <= {"retrained"}
    never = RESULTS[RESULTS.reach == "never"]
    unsaid = never.index[(never.data != "unreleased") | (never.public != "")].tolist()
    assert len(never) and not unsaid, f"{unsaid}: give their scope a profile, or data unreleased"


def test_a_claim_that_data_at_hand_can_settle_names_its_procedure():
    here = RESULTS[(RESULTS.reach == "here") & (RESULTS.released == "")]
    assert here.index[here.procedure == ""].tolist() == []


@pytest.mark.parametrize("profile", ["embedded", "sample", "full"])
def test_a_profile_reads_what_it_lists(profile):
    assert {key for key in data_keys(profile) if not key.startswith("hub:")} <= sources_read(
        profile
    )
