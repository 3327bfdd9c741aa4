"""The domain vectors: that training is deterministic, what is shipped, and that the card says what the files hold."""

import numpy as np
import pandas as pd
import pytest

from lib.embeddings import load_embedding
from scripts.train.domains import train as training
from scripts.train.domains.train import (
    DOMAINS,
    FOLDER,
    SHIPPED,
    TESTS,
    Settings,
    save,
    scores,
    train,
)

TINY = Settings("gap", "sg", window=2, epochs=2, dimensions=8, min_count=1)
TEXTS = [
    ["she", "is", "a", "nurse", "."],
    ["he", "is", "an", "engineer", "."],
    ["zoë", "is", "a", "judge", "."],
] * 20
GAP_FILES = ("gap_development", "gap_test", "gap_validation", "bench_wordsim353")


def card_table(heading):
    """A table of the card as a data frame of strings."""
    section = (
        (FOLDER / "card.md")
        .read_text(encoding="utf-8")
        .partition(f"## {heading}")[2]
        .partition("\n## ")[0]
    )
    rows = [line.strip("|") for line in section.splitlines() if line.startswith("|")]
    lines = [[cell.strip() for cell in row.split(" | ")] for row in rows]
    return pd.DataFrame(lines[2:], columns=lines[0])


@pytest.mark.parametrize("algorithm", training.ALGORITHMS)
def test_the_same_seed_gives_the_same_vectors_and_another_seed_others(algorithm):
    settings = Settings(**{**TINY.__dict__, "algorithm": algorithm})
    one, again = train(settings, TEXTS), train(settings, TEXTS)
    other = train(Settings(**{**settings.__dict__, "seed": 1}), TEXTS)
    assert one[0] == again[0] and np.array_equal(one[1], again[1])
    assert not np.array_equal(one[1], other[1])
    assert one[1].dtype == np.float16 and {*one[0][:2]} == {"is", "."}


def test_saved_vectors_are_read_by_the_loader_and_are_the_same_bytes_again(tmp_path, tree):
    words, vectors = train(TINY, TEXTS)
    made = save(words, vectors, tmp_path / "new" / "tiny.npz")
    e = load_embedding(made, ranked=True)
    assert tuple(e.words) == words and np.array_equal(e.vectors, vectors.astype(np.float32))
    assert list(tree(tmp_path / "new")) == ["tiny.npz"]
    assert save(words, vectors, tmp_path / "again.npz").read_bytes() == made.read_bytes()


def test_the_effect_size_of_the_card_is_that_of_the_association_test():
    from lib.association import weat
    from lib.lexicons import load_lexicon

    lists, e = load_lexicon("chaloner2019"), load_embedding(FOLDER / "film.npz")
    sets = [
        e.rows([w if w in e else w.lower() for w in lists[name]], missing="drop").vectors
        for name in (*TESTS["B1"], "male", "female")
    ]
    found = pd.DataFrame(card_table("Scores")).set_index("domain").loc["film", "B1"]
    assert weat(*sets).effect_size == pytest.approx(float(found), abs=0.006)


def test_shipped_vectors_are_small_open_without_unpickling_and_hold_frequent_words_first():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 12e6
    for domain in DOMAINS:
        with np.load(FOLDER / f"{domain}.npz", allow_pickle=False) as arrays:
            assert arrays["vectors"].dtype == np.float16
        e = load_embedding(FOLDER / f"{domain}.npz", ranked=True)
        assert e.vectors.shape[1] == SHIPPED[domain].dimensions
        assert {"the", "of", "and"} <= set(e.words[:30]) and "she" in e and "he" in e


@pytest.mark.sample("bench_wordsim353")
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_card_states_the_scores_of_the_shipped_files(domain):
    e = load_embedding(FOLDER / f"{domain}.npz")
    found, stated = (
        scores(list(e.words), e.vectors),
        card_table("Scores").set_index("domain").loc[domain],
    )
    assert stated["types"] == f"{found['types']:,}"
    for test in TESTS:
        assert stated[test] == ("–" if np.isnan(found[test]) else f"{found[test]:.2f}")


def test_the_shipped_gap_vectors_have_the_size_and_the_missing_words_of_the_paper():
    from lib.lexicons import load_lexicon

    e, lists = load_embedding(FOLDER / "gap.npz"), load_lexicon("chaloner2019")
    assert round(len(e), -2) == 7400
    names = "male female career family maths arts science intelligence appearance strength weakness"
    absent = [sum(word not in e for word in lists[name]) for name in names.split()]
    assert absent == [0, 1, 1, 1, 6, 1, 4, 21, 18, 7, 9]  # Table 3


def test_every_multiverse_row_is_a_setting_the_paper_leaves_open():
    rows = pd.read_csv(FOLDER / "multiverse.csv")
    listed = {tuple(settings.__dict__.values()) for settings in training.open_settings()}
    assert {
        tuple(row) for row in rows[list(Settings.__dataclass_fields__)].itertuples(index=False)
    } <= listed
    assert not rows.duplicated(list(Settings.__dataclass_fields__)).any()


def test_a_run_over_settings_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "sentences", lambda domain, lower: TEXTS)
    monkeypatch.setattr(training, "scores", lambda words, vectors: {"types": len(words)})
    wanted = [Settings(**{**TINY.__dict__, "seed": seed}) for seed in range(3)]
    training.run_all(wanted[:2], tmp_path / "seeds.csv")
    trained = []
    monkeypatch.setattr(
        training,
        "train",
        lambda settings, texts: trained.append(settings.seed) or train(settings, texts),
    )
    assert len(training.run_all(wanted, tmp_path / "seeds.csv")) == 3 and trained == [2]


@pytest.mark.slow
@pytest.mark.sample(*GAP_FILES)
def test_training_gap_again_comes_back_within_the_stated_spread(tmp_path):
    assert training.main(["--domain", "gap", "--out", str(tmp_path)]) == 0
    e = load_embedding(tmp_path / "gap.npz")
    found = scores(list(e.words), e.vectors)
    for row in card_table("Spread over seeds").query("domain == 'gap'").to_dict("records"):
        low, high, deviation = (float(row[name]) for name in ("lowest", "highest", "deviation"))
        assert low - deviation <= found[row["test"]] <= high + deviation, row
