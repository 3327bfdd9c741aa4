"""The tables of data/wordnet from a WordNet of four entries."""

import csv
import gzip

import pytest

from scripts.tables.wordnet_nouns import main

ENTRIES = """
keeper:
  n:
    sense:
    - {id: 'keeper%1:18:00::', synset: 1-n}
  v:
    sense:
    - {id: 'keeper%2:18:00::', synset: 9-v}
keeperess:
  n:
    form: [keeperen]
    sense:
    - {id: 'keeperess%1:18:00::', synset: 2-n}
    - {id: 'keeperess%1:06:00::', synset: 3-n}
stone:
  n:
    sense:
    - {id: 'stone%1:17:00::', synset: 4-n}
Stone keeper:
  n:
    sense:
    - {id: 'stone_keeper%1:18:00::', synset: 1-n}
"""
PEOPLE = """
1-n: {definition: [someone who keeps what others keep], members: [keeper, Stone keeper], partOfSpeech: n}
2-n: {definition: [a woman who keeps things], members: [keeperess], partOfSpeech: n}
"""
THINGS = """
3-n: {definition: [a tool for keeping], members: [keeperess], partOfSpeech: n}
4-n: {definition: [something hard], members: [stone], partOfSpeech: n}
"""


@pytest.fixture
def made(tmp_path):
    source = tmp_path / "yaml"
    source.mkdir()
    for name, content in (
        ("entries-k.yaml", ENTRIES),
        ("noun.person.yaml", PEOPLE),
        ("noun.object.yaml", THINGS),
    ):
        (source / name).write_text(content, encoding="utf-8")
    main([str(source), "--folder", str(tmp_path / "made")])
    return tmp_path / "made"


def rows(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))[1:]


def test_persons_and_nouns_with_a_gendered_term_are_kept_with_odd_plurals(made, tmp_path):
    assert rows(made / "nouns.tsv.gz") == [
        ["keeper", "keeper.n.01", "person", "keep keeps others someone what who"],
        ["keeperess", "keeperess.n.01", "person", "a keeps things who woman"],
        ["keeperess", "keeperess.n.02", "object", "a for keeping tool"],
    ]
    assert rows(made / "plurals.tsv.gz") == [["keeperen", "keeperess"]]
    main([str(tmp_path / "yaml"), "--folder", str(tmp_path / "again")])
    for name in ("nouns.tsv.gz", "plurals.tsv.gz"):
        assert (tmp_path / "again" / name).read_bytes() == (made / name).read_bytes()


def test_another_folder_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "give src/yaml" in capsys.readouterr().err
