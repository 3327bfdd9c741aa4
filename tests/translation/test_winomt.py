"""WinoMT: alignment, the gender read in outputs, published systems against the authors' logs and against people."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.translation import winomt
from lib.translation.winomt import (
    PUBLISHED,
    Sentence,
    human_genders,
    published_translations,
    read_genders,
    read_sentences,
    winomt_scores,
    words,
)
from lib.translation.word_alignment import align_words

PROFESSIONS = {
    "doctor": "médic",
    "lawyer": "abogad",
    "baker": "panader",
    "cook": "cociner",
    "mover": "carreter",
}
KEYS = ("winomt_en", "winomt_en_pro", "winomt_en_anti")


def sentences() -> list[tuple[Sentence, str, str]]:
    """Sentences about two people, what they say in Spanish, and the gender that the Spanish gives the first."""
    found = []
    for number, (first, stem) in enumerate(PROFESSIONS.items()):
        for turn, (second, other) in enumerate(PROFESSIONS.items()):
            if first == second:
                continue
            gender, article, ending = [("male", "el", "o"), ("female", "la", "a")][
                (number + turn) % 2
            ]
            text = f"The {first} told the {second} the news."
            told = f"{article} {stem}{ending} le dio la noticia al {other}o."
            found.append((Sentence(text, first, 1, gender), told, gender))
    return found


def test_words_that_go_together_are_aligned():
    asked, told, _ = zip(*sentences())
    found = align_words(
        [words(sentence.text) for sentence in asked], [words(text) for text in told]
    )
    for sentence, text, links in zip(asked, told, found):
        target = words(text)
        assert (
            links.shape == (len(words(sentence.text)), len(target))
            and (links.sum(axis=0) <= 1 + 1e-9).all()
        )
        assert target[int(np.argmax(links[1]))].startswith(PROFESSIONS[sentence.person])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abcd"), max_size=5)] * 2), max_size=6))
def test_any_sentences_are_aligned_in_their_shape(pairs):
    found = align_words([a for a, _ in pairs], [b for _, b in pairs])
    assert [links.shape for links in found] == [(len(a), len(b)) for a, b in pairs]
    assert all((links >= 0).all() and (links.sum(axis=0) <= 1 + 1e-9).all() for links in found)


def test_the_gender_of_a_person_is_that_of_article_or_ending():
    asked, told, expected = zip(*sentences())
    assert read_genders(told, "es", asked) == list(expected)
    chances = np.array([0.1, 0.8, 0.0])
    spanish = {
        "la gerente .": "female",
        "el ama .": "male",
        "a alguien .": "neutral",
        "que doctora .": "female",
        "que gerente .": "unknown",
    }
    for target, gender in spanish.items():
        assert winomt._spanish(target.split(), chances) == gender
    assert winomt._spanish(["la", "."], np.zeros(2)) == "unknown"
    assert [winomt._hebrew([noun], np.ones(1)) for noun in ("המזכירה", "אחות", "הרופא", ".")] == [
        "female",
        "female",
        "male",
        "unknown",
    ]


def test_scores_follow_their_definitions(monkeypatch):
    asked = [
        Sentence(f"s{n}", "doctor", 1, gender)
        for n, gender in enumerate(["male"] * 4 + ["female"] * 4)
    ]
    read = ["male"] * 4 + ["male", "male", "female", "unknown"]
    monkeypatch.setattr(
        winomt,
        "read_sentences",
        lambda subset: {"pro": asked[:3] + asked[6:7], "anti": asked[3:6]}[subset],
    )
    found = winomt_scores(read, asked)
    assert (
        found.accuracy == 62.5
        and found.f1_male == pytest.approx(80)
        and found.f1_female == pytest.approx(40)
    )
    assert found.delta_g == pytest.approx(40) and found.delta_s == pytest.approx(100 - 25)
    assert found.counts.loc["female"].to_dict() == {
        "male": 2,
        "female": 1,
        "neutral": 0,
        "unknown": 1,
    }
    assert found.counts.to_numpy().sum() == 8


@pytest.mark.sample(*KEYS)
def test_the_sentences_are_those_of_the_paper():
    found = read_sentences()
    assert len(found) == 3888 and len(read_sentences("pro")) == len(read_sentences("anti")) == 1584
    known = {(s.gender, s.place, s.text) for s in found}
    assert all(
        (s.gender, s.place, s.text) in known
        for subset in ("pro", "anti")
        for s in read_sentences(subset)
    )
    assert all(words(s.text)[s.place].isalpha() for s in found)


@pytest.mark.sample(
    *KEYS, *(f"winomt_out_{system}_en_{language}" for system, language in PUBLISHED)
)
@pytest.mark.parametrize(("system", "language"), PUBLISHED)
def test_accuracies_of_published_systems_are_those_of_the_authors(system, language):
    genders = read_genders(published_translations(system, language), language)
    found = winomt_scores(genders)
    assert found.counts.to_numpy().sum() == 3888
    # Hebrew is looser: of several aligned words the authors' aligner gave others than ours.
    assert found.accuracy == pytest.approx(
        PUBLISHED[system, language], abs=0.5 if language == "es" else 1.2
    )
    assert found.f1_male > found.f1_female and found.delta_s > 15


@pytest.mark.sample("winomt_human_es_in_es_in", "winomt_out_google_en_es", "winomt_en")
def test_people_read_the_same_gender_in_spanish_outputs():
    translations, people = published_translations("google", "es"), human_genders("es")
    place = {text: number for number, text in enumerate(translations)}
    people = people[people.found & people.translation.isin(place)]
    genders = np.array(read_genders(translations, "es"))
    assert len(people) > 95
    assert (genders[[place[text] for text in people.translation]] == people.gender).mean() >= 0.97


BAD = {
    "a subset": (lambda: read_sentences("half"), ["all, pro, anti", "'half'"]),
    "a language": (
        lambda: read_genders(["x"], "nl", [Sentence("x", "x", 0, "male")]),
        ["es, he", "'nl'"],
    ),
    "too few": (
        lambda: read_genders([], "es", [Sentence("x", "x", 0, "male")]),
        ["expected 1 translations", "got 0"],
    ),
    "a gender": (
        lambda: winomt_scores(["m"], [Sentence("x", "x", 0, "male")]),
        ["expected 1 of male, female", "m"],
    ),
    "no people": (lambda: human_genders("de"), ["es, he", "'de'"]),
    "unequal": (lambda: align_words([["a"]], []), ["a translation for each source", "0 for 1"]),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)


def test_a_file_with_other_lines_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "out.txt").write_text("a ||| b\nc\n")
    monkeypatch.setattr(winomt, "fetch", lambda key: tmp_path / "out.txt")
    monkeypatch.setattr(winomt, "read_sentences", lambda: [None, None])
    refuses(
        lambda: published_translations("google", "es"),
        ["winomt_out_google_en_es", "2 lines 'English ||| translation'"],
    )


def test_importing_loads_no_heavy_library(loaded_by):
    assert loaded_by("lib.translation.winomt", ("torch", "transformers", "sklearn")) == []
