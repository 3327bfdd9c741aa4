"""A reader's own file: the numbers of fairlearn, and clear words for what is wrong with it."""

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import MetricFrame, true_positive_rate

from lib.cluster import connect
from lib.text_classification.occupations.synthetic import Planted, biographies
from studies.biographies import own_texts
from studies.biographies.own_texts import (
    Columns,
    audit_file,
    audit_predictions,
    columns_of,
    encoding_rule,
    read_blocks,
)
from studies.biographies.variants import gender_lists
from tests.support.mutations import not_worded

HEADER = b"text,occupation,gender\n"
ROW = b"She heals.,nurse,female\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory, few_occupations):
    path = tmp_path_factory.mktemp("own") / "texts.csv"
    biographies(2000, Planted(explicit=1), few_occupations, rng=0).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def audit(table, vocabulary):
    return audit_file(table, *vocabulary, gender_lists(), n_resamples=100, rng=0)


def test_rates_are_those_of_fairlearn(audit):
    said = audit.predictions
    rates = audit.occupations.query("variant == 'plain' and rate == 'TPR'").set_index("occupation")
    for job in said["occupation"].unique():
        frame = MetricFrame(
            metrics=true_positive_rate,
            y_true=said["occupation"] == job,
            y_pred=said["plain"] == job,
            sensitive_features=said["female"],
        )
        assert rates.loc[job, "female"] == pytest.approx(frame.by_group[True])
        assert rates.loc[job, "value"] == pytest.approx(
            frame.by_group[True] - frame.by_group[False]
        )


def test_a_planted_signal_is_found_and_scrubbing_takes_it_away(audit):
    gap = audit.summary.query("measure == 'TPR gap'").set_index("variant")
    assert gap.loc["plain", "p"] < 0.02 < gap.loc["scrubbed", "p"]
    assert (audit.texts, audit.taught, audit.unread) == (2000, 1000, 0)


def test_blocks_and_order_do_not_matter(audit, table, vocabulary, monkeypatch):
    monkeypatch.setattr(own_texts, "BLOCK", 77)
    again = audit_file(table, *vocabulary, gender_lists(), n_resamples=100, rng=0)
    pd.testing.assert_frame_equal(again.summary, audit.summary)


@pytest.mark.slow
def test_a_cluster_gives_the_same_numbers(audit, table, vocabulary):
    with connect(workers=2) as client:
        shared = audit_file(
            table, *vocabulary, gender_lists(), n_resamples=100, client=client, rng=0
        )
    pd.testing.assert_frame_equal(shared.summary, audit.summary)


def test_an_encoding_that_python_does_not_know_is_no_value_of_the_parameter():
    assert encoding_rule("encoding", "cp1252") == "cp1252"
    for wrong in ("utf-99", "rot13", ""):
        with pytest.raises(ValueError, match="encoding: expected"):
            encoding_rule("encoding", wrong)


def test_columns_labels_and_encoding_by_argument(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_bytes('bio;x,job,sex\n"Zoë, a\nnurse",nurse,F\n\nb,dj,M\n'.encode("cp1252"))
    columns = Columns(text="bio;x", occupation="job", gender="sex", female="F", male="M")
    (block,) = read_blocks(path, columns, encoding="cp1252")
    assert block.texts == ["Zoë, a\nnurse", "b"]
    assert block.occupations == ["nurse", "dj"] and block.female == [True, False]


def test_columns_are_named_in_texts_too(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_bytes(b"bio,job,sex\nShe heals.,nurse,F\n")
    (block,) = read_blocks(path, ["text=bio", "occupation=job", "gender=sex", "female=F", "male=M"])
    assert (block.texts, block.occupations, block.female) == (["She heals."], ["nurse"], [True])
    for given, message in (
        (["sex"], "expected texts such as"),
        (["gendr=sex"], "Did you mean 'gender'"),
        (["female=male"], "two labels of gender"),
    ):
        with pytest.raises(ValueError, match=message):
            columns_of(given)


def test_copies_of_a_text_are_counted_and_on_one_side_of_the_split(table, vocabulary, tmp_path):
    rows = pd.read_csv(table).head(300)
    twice = pd.concat([rows, rows.assign(text=rows["text"].str.upper() + " ")])
    twice.to_csv(tmp_path / "twice.csv", index=False)
    once = audit_file(table, *vocabulary, gender_lists(), n_resamples=20, rng=0)
    audit = audit_file(tmp_path / "twice.csv", *vocabulary, gender_lists(), n_resamples=20, rng=0)
    assert (audit.texts, audit.repeated, once.repeated) == (600, 300, 0)
    asked = set(audit.predictions.index)
    assert all((row in asked) == (row + 300 in asked) for row in range(300))
    assert 0 < audit.taught < 600


def test_predictions_of_another_classifier_have_the_gaps_of_their_rates(tmp_path, audit):
    said = audit.predictions
    genders = said["female"].map({True: "F", False: "M"})
    frame = pd.DataFrame({"true job": said["occupation"], "said": said["plain"], "gender": genders})
    frame.to_csv(tmp_path / "said.csv", index=False)
    columns = ["truth=true job", "female=F", "male=M"]
    summary, jobs = audit_predictions(
        tmp_path / "said.csv", columns=columns, n_resamples=100, rng=0
    )
    plain = audit.summary.query("variant == 'plain'").set_index("measure")["value"]
    for measure in ("accuracy", "TPR gap", "TNR gap"):
        assert summary.loc[measure, "value"] == pytest.approx(plain[measure])
    assert len(jobs) == 2 * said["occupation"].nunique()


def test_a_damaged_file_is_read_right_or_refused_by_name(tmp_path, vocabulary):
    path = tmp_path / "texts.csv"
    rows = [HEADER, ROW, b'"He, too, heals.",nurse,male\n', "Zoë mends.,smith,female\n".encode()]
    path.write_bytes(b"".join(rows + [b"He mends.,smith,male\n", b"She mends.,smith,female\n"] * 3))
    assert not not_worded(lambda file: list(read_blocks(file)), path)
    lists = gender_lists()
    assert not not_worded(
        lambda file: audit_file(file, *vocabulary, lists, names=["plain"], n_resamples=2, rng=0),
        path,
        n=40,
    )
    path.write_bytes(b"truth,said,gender\na,b,male\na,a,female\nb,b,male\nb,a,female\n")
    assert not not_worded(lambda file: audit_predictions(file, n_resamples=2, rng=0), path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "got an empty file"),
        (HEADER, "expected rows after the header"),
        (HEADER + b"\n\n", "expected rows after the header"),
        (b"text,occupaton,gender\n" + ROW, "'occupation', which is missing.*Did you mean 'occupat"),
        (b"text,gender,gender,occupation\n" + ROW, "'gender', which is there twice"),
        (HEADER + ROW + b"She, too,nurse,female\n", "line 3: expected 3 fields.*got 4"),
        (
            HEADER + ROW + b"a,nurse,other\n",
            "line 3: gender: expected 'female' or 'male', got 'other'",
        ),
        (HEADER + ROW + b"a,nurse,\n", "line 3: gender: .* got ''"),
        (HEADER + ROW + b"a, ,male\n", "line 3: occupation: expected an occupation"),
        (HEADER + "Zoë,nurse,female\n".encode("cp1252"), "bytes that are not"),
        ((HEADER + ROW).decode().encode("utf-16"), 'encoding="cp1252" or "utf-16"'),
        (
            HEADER + b'"' + b"a " * 5_000_000 + b'",nurse,female\n',
            "line 2: expected less than 1,048,576",
        ),
        (HEADER + b'"' + b"a " * 100_000 + b'",nurse,female\n', "a quotation mark lost"),
        (HEADER + ROW * 9, "two occupations or more, got 'nurse' in all 9"),
        (HEADER + (ROW + b"a,dj,female\n") * 9, "got women alone"),
        (HEADER + (ROW + b"a,dj,male\n") * 9, "an occupation with women and men, got none"),
        (HEADER + ROW + b"a,nurse,male\nb,dj,male\n", "3 rows are too few"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(content, message, tmp_path):
    path = tmp_path / "texts.csv"
    path.write_bytes(content)
    words = ["she", "he", "woman", "man", "girl", "boy", "heals"]
    with pytest.raises(ValueError, match=message):
        audit_file(path, words, np.eye(7), gender_lists(), rng=0)
    assert [file.name for file in tmp_path.iterdir()] == ["texts.csv"]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        next(read_blocks(tmp_path / "none.csv"))
