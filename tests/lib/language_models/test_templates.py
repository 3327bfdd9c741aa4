"""Templates: verbs agree with their targets, titles have a head noun, our own sentences keep their form."""

import pytest

from lib.datasets.contexts import SLOT
from lib.language_models.templates import SETTINGS, fits, own_frames, pairings
from lib.lexicons import base_pairs, load_lexicon

KURITA = load_lexicon("kurita2019")
OWN = load_lexicon("templates")
FRAMES = load_lexicon("contexts").lists


@pytest.mark.parametrize(
    ("template", "taken", "refused"),
    [
        ("{target} likes {attribute}", ["he", "She", "mary", "flower"], ["they", "Men", "flowers"]),
        ("{target} like {attribute}", ["boys", "women", "they"], ["he", "girl"]),
        ("the {target} is {attribute}", ["flower"], ["insects"]),
        ("{target} people are {attribute}", ["white", "black", "men"], []),
        ("{target} can do {attribute}", ["he", "they"], []),
        ("we met when {target} was the {attribute}.", ["he"], ["they"]),
    ],
)
def test_a_target_fits_a_template_whose_next_verb_has_its_number(template, taken, refused):
    assert all(fits(template, target) for target in taken)
    assert not any(fits(template, target) for target in refused)


def test_the_printed_templates_pair_as_the_specification_reads_them():
    found = dict(pairings(KURITA["templates_gender"], KURITA["target_pairs_gender"]))
    assert found == {
        "{target} likes {attribute}": (("he", "she"),),
        "{target} like {attribute}": (("boys", "girls"), ("men", "women")),
        "{target} is interested in {attribute}": (("he", "she"),),
    }
    assert dict(
        pairings(KURITA["templates_flowers_insects"], KURITA["target_pairs_flowers_insects"])
    ) == {
        "{target} are {attribute}": (("flowers", "insects"),),
        "the {target} is {attribute}": (("flower", "insect"),),
    }


def test_our_job_templates_take_singular_targets_and_the_chosen_ones_take_any():
    assert all(fits(template, "he") for template in OWN["job_templates"])
    assert all(fits(template, "they") for template in OWN["job_templates_any_subject"])
    assert [frame.count("{target}") for frame, _, _ in OWN["target_frames"]] == [1] * 5


def test_every_definitional_word_fits_frames_of_its_kind_and_both_of_a_pair_the_same():
    for female, male in base_pairs("bolukbasi2016"):
        frames = own_frames(female)
        assert frames == own_frames(male) and len(frames) % len(SETTINGS) == 0
    assert (
        own_frames("her") == FRAMES["possessive"] and own_frames("herself") == FRAMES["reflexive"]
    )
    assert own_frames("she") == own_frames("Mary") and own_frames("nurse")[0] == own_frames("she")[
        0
    ].replace(SLOT, "the {}")
