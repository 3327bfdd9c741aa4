"""Corpora: which files they come from, how passages become tokens, and that Brown is read whole."""

import zipfile

import pytest

from lib.datasets import corpora as corpora_module
from lib.datasets.corpora import (
    brown_sentences,
    brown_tagged_sentences,
    corpora,
    tokens,
    zipped_texts,
)
from lib.sources import lookup


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A zip in the form of the Brown corpus: two samples and a file that is none."""
    path = tmp_path / "nltk_brown"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("brown/cb01", "``/`` 1/2/cd ./.\n")
        file.writestr("brown/ca01", "\n\tThe/at jury/nn\n\nsaid/vbd nothing/pn\n")
        file.writestr("brown/README", "not/* a/at sample/nn")
    monkeypatch.setattr(corpora_module, "fetch", lambda key: path)
    return "nltk_brown"


def test_tokens_are_whole_words_with_clitics_and_punctuation_apart():
    assert tokens("Marie didn’t re-read Zoë's 2 books.", lower=False) == (
        ["Marie", "did", "n't", "re-read", "Zoë", "'s", "2", "books", "."]
    )
    assert tokens("NASA", lower=True) == ["nasa"]


def test_texts_of_an_archive_come_in_the_order_of_their_names(archive):
    assert [name for name, _ in zipped_texts(archive, r"brown/c.\d+")] == [
        "brown/ca01",
        "brown/cb01",
    ]


def test_brown_is_its_samples_sentence_by_sentence_with_tags(archive):
    assert list(brown_tagged_sentences(archive)) == [
        [("The", "at"), ("jury", "nn")],
        [("said", "vbd"), ("nothing", "pn")],
        [("``", "``"), ("1/2", "cd"), (".", ".")],
    ]
    assert list(brown_sentences(archive))[2] == ["``", "1/2", "."]


@pytest.mark.parametrize("name", corpora())
def test_every_corpus_says_what_it_is_and_names_registered_files(name):
    corpus = corpora()[name]
    assert corpus.title and list(corpus.licenses()) == list(corpus.readers)
    assert all(lookup(key) for key in corpus.readers)


@pytest.mark.sample("nltk_brown")
def test_brown_has_its_million_words():
    lengths = [len(sentence) for sentence in brown_sentences()]
    assert (len(lengths), sum(lengths)) == (57_340, 1_161_192)


@pytest.mark.sample("nltk_movie_reviews", "goemotions_dev", "gop_debates_2016")
@pytest.mark.parametrize(("name", "fewest"), [("film", 2000), ("social", 10_000)])
def test_real_corpora_give_their_passages(name, fewest):
    texts = [text for text in corpora()[name].texts() if text.strip()]
    assert len(texts) >= fewest
