"""Cleaning of messages: what becomes a token, what is left, and that messages never run into one another."""

import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.cultures.cleaning import clean, count_words, looks_english
from lib.sources import fetch

TOKENS = ("<url>", "<user>", "<hashtag>", "<image>", "<emoji>")
CASES = {
    "RT @Bob_99: I can’t believe it!!": "rt <user> i can't believe it",
    "see https://t.co/xYz and www.example.org": "see <url> and <url>",
    "look pic.twitter.com/AbC http://a.b/c.JPG?x=1": "look <image> <image>",
    "#MeToo is trending #été": "<hashtag> is trending <hashtag>",
    "😂😂 👩‍💻 🇺🇸 ❤️ 👍🏽": "<emoji> <emoji> <emoji> <emoji> <emoji> <emoji>",
    "Tom &amp; Jerry &lt;3": "tom jerry 3",
    "'quoted' “curly” don't rock'n'roll": "quoted curly don't rock'n'roll",
    "ÉCOLE Straße ЖЕНЩИНА": "école straße женщина",
    "write to bob@site.com": "write to bob site com",
    "<script>alert(1)</script>": "script alert 1 script",
    "a\x00b\tc\nd": "a b c d",
    "": "",
    "…!?": "",
}


@pytest.mark.parametrize("text", CASES)
def test_a_message_becomes_words_and_tokens(text):
    assert clean([text]) == [CASES[text]]


def test_messages_stay_apart_whatever_they_hold():
    texts = [*CASES, "one\x1etwo", "broken \ud83d pair"]
    assert clean(texts) == [clean([text])[0] for text in texts]
    assert clean([]) == []


def test_only_words_count_as_words():
    assert count_words("<user> so happy <emoji>") == 2
    assert [count_words(line) for line in ("", "<emoji>", "one", "one two three")] == [0, 0, 1, 3]


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_any_text_gives_a_line_for_each_message_and_is_clean_after_that(texts):
    lines = clean(texts)
    assert len(lines) == len(texts)
    for line in lines:
        words = line.split(" ") if line else []
        assert all(words)
        assert all(word in TOKENS or not set(word) & set("<>@#.,!\n\r\x00") for word in words)
        assert count_words(line) == sum(word not in TOKENS for word in words)


@pytest.mark.sample("tatoeba_fra_eng_zip")
def test_english_by_its_commonest_words_keeps_nine_of_ten_english_sentences_and_hardly_any_french():
    with zipfile.ZipFile(fetch("tatoeba_fra_eng_zip")) as archive:
        lines = archive.read("fra.txt").decode().splitlines()[::60]
    for column, expected in ((0, (0.9, 1)), (1, (0, 0.01))):
        cleaned = [
            line
            for line in clean([line.split("\t")[column] for line in lines])
            if count_words(line) > 2
        ]
        assert expected[0] <= sum(map(looks_english, cleaned)) / len(cleaned) <= expected[1]
