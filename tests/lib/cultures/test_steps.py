"""From a file of messages to biases and regressions, on the command line; messy rows, resumption, a killed worker."""

import contextlib
import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import psutil
import pytest

from lib.cultures.__main__ import main
from lib.cultures.biases import usual_lists
from lib.cultures.texts import read_report
from lib.datasets.statistics import statistics_table
from studies.cross_cultural.planted import Plan, plant

QUICK = ["--dimensions", "12", "--epochs", "2", "--min-count", "2", "--window", "5"]
LONGER = ["--epochs", "20", "--window", "10"]


def columns(path, text="body", place="where"):
    return [str(path), "--text-column", text, "--place-column", place]


@pytest.fixture(scope="module")
def planted_file(tmp_path_factory):
    """Messages of 12 states in which threat words lean male where women earn nearly as much as men."""
    gaps = (
        statistics_table("us_states_2016")[["earnings_ratio_full_time"]]
        .sort_values("earnings_ratio_full_time")
        .iloc[::4]
    )
    themes, female, male = usual_lists()
    text = plant(
        gaps,
        themes,
        {"threat": "-earnings_ratio_full_time"},
        female,
        male,
        Plan(strength=1.5, noise=0.1, tokens=10_000, types=800, themed=0.6),
        rng=0,
    )
    return text.write_csv(tmp_path_factory.mktemp("planted") / "planted.csv", rng=0)


@pytest.fixture(scope="module")
def trained(tmp_path_factory, planted_file):
    """The output folder of those messages, sorted and trained in a moment."""
    out = tmp_path_factory.mktemp("trained")
    for step in (["split", *columns(planted_file)], ["train", *QUICK, "--epochs", "1"]):
        assert main([*step, "--output", str(out), "--workers", "1"]) == 0
    return out


def messy_file(path, rows=3_000):
    """A file as people have them, with what should be counted of it."""
    words = [f"word{n}" for n in range(40)] + [
        "she",
        "he",
        "dangerous",
        "prison",
        "community",
        "children",
    ]
    rng = np.random.default_rng(0)
    special = [
        ("", "TX"),
        ("😂😂😂", "TX"),
        ("nowhere to be found", ""),
        ("in a land of dreams", "Narnia"),
        ("hi", "OH"),
        ("spam " * 4000, "TX"),
        ('she said "no" to him', "Texas"),
        ("two\nlines of text", "Austin, TX"),
    ]
    with path.open("wb") as file:
        file.write(b"id,body,where\r\n")
        for number in range(rows):
            usual = " ".join(rng.choice(words, 9)), rng.choice(["TX", "OH"])
            text, place = special[number] if number < len(special) else usual
            if number == 100:
                file.write(b"id,body,where\r\n")
            elif number == 101:
                file.write(b"101,caf\xe9 au lait she liked,TX\r\n")
            elif number == 102:
                file.write("102,naïve with \x00 nul inside,TX\r\n".encode())
            elif number == 103:
                file.write(b"103\r\n")
            else:
                text = text.replace('"', '""')
                file.write(f'{number},"{text}","{place}"\r\n'.encode())
    return path


def test_three_thousand_messy_rows_become_a_table_and_a_figure(tmp_path, capsys):
    path, out = messy_file(tmp_path / "mine.csv"), tmp_path / "out"
    assert main([*columns(path), "--output", str(out), "--workers", "1", *QUICK]) == 0
    (part,) = (out / "texts").iterdir()
    report = read_report(part)
    assert report.rows == 3_000 == report.kept + sum(report.dropped.values())
    assert {reason: count for reason, count in report.dropped.items() if count} == {
        "short": 3,
        "no_place": 1,
        "unmatched": 1,
        "malformed": 1,
        "repeated_headers": 1,
    }
    assert report.repaired == 1
    biases = pd.read_csv(out / "biases.csv")
    assert set(biases.culture) == {"OH", "TX"} and set(biases.theme) == set(usual_lists()[0])
    assert biases.query("theme == 'threat'").words.tolist() == [1, 1] and biases.bias.notna().any()
    assert {"text_words", "low", "high", "random", "random_low", "random_high"} <= set(biases)
    assert (out / "biases.svg").read_text().startswith("<?xml")
    counts = pd.read_csv(out / "counts.csv").set_index("culture or reason")
    assert counts.messages.sum() == 3_000
    assert counts.repairs.dropna().to_dict() == {
        "bytes that are no UTF-8": 1,
        "open quotation marks": 0,
    }
    told = capsys.readouterr().out
    assert "3,000 rows" in told and "1 stretches of bytes that are no UTF-8" in told


def test_repeated_messages_are_counted_and_dropped_where_asked(tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = ["the same words again,TX"] * 1000 + ["the same words again,OH", "some other words,TX"]
    path.write_text("body,where\n" + "\n".join(rows))
    kept = {}
    for rule in ("keep", "drop"):
        out = tmp_path / rule
        options = ["--output", str(out), "--workers", "1", "--duplicates", rule]
        assert main(["split", *columns(path), *options]) == 0
        counts = pd.read_csv(out / "counts.csv").set_index("culture or reason")
        messages = counts["messages"].reindex(["OH", "TX", "duplicate"]).fillna(0)
        kept[rule] = messages.astype(int).tolist()
        repeated = counts.loc[["OH", "TX"], "repeated"].astype(int).tolist()
        assert repeated == ([0, 999] if rule == "keep" else [0, 0])
    assert kept == {"keep": [1, 1001, 0], "drop": [1, 2, 999]}
    assert "999 of those kept repeat" in capsys.readouterr().out


def test_a_theme_nobody_has_words_for_is_named_and_the_others_are_regressed(trained, capsys):
    out = str(trained)
    themes = ["--theme", "none=zzz,qqq", "--theme", "law=prison,jail,illegal"]
    asked = [*themes, "--female", "she,her", "--male", "he,his"]
    gaps = ["--gap", "earnings_ratio_full_time", "--gap", "women_state_legislators_percent"]
    assert main(["bias", "--output", out, *asked, *gaps]) == 0
    table = pd.read_csv(trained / "gaps.csv").set_index(["theme", "gap"])
    assert len(table) == 4 and table.loc["none", "cultures"].tolist() == [0, 0]
    assert table.loc["none", "signed_r2"].isna().all()
    assert table.loc["law", ["signed_r2", "p", "p_random_words"]].notna().all(axis=None)
    assert "none against earnings_ratio_full_time: left out, as 0 of" in capsys.readouterr().out
    assert main(["bias", "--output", out, *themes[:2], *gaps]) == 2
    assert "expected themes with words in 3 cultures" in capsys.readouterr().err
    assert pd.read_csv(trained / "biases.csv")["words"].eq(0).all()


def test_leans_that_random_words_share_come_with_a_warning(trained, capsys):
    assert main(["bias", "--output", str(trained)]) == 0
    told = capsys.readouterr().out
    assert "WARNING: Over the places, " in told and "rise and fall with random words" in told
    themes = pd.read_csv(trained / "themes.csv").set_index("theme")
    assert themes.loc["threat", "reading"] == "as random words"
    assert themes.loc["threat", "r with random words"] > 0.9


def test_a_planted_association_has_its_sign_and_the_steps_go_on_where_they_stopped(
    tmp_path, planted_file, capsys
):
    out = str(tmp_path / "out")
    assert main(["split", *columns(planted_file), "--output", out, "--workers", "1"]) == 0
    assert main(["train", "--output", out, "--workers", "1", *QUICK, *LONGER]) == 0
    assert main(["bias", "--output", out, "--gap", "earnings_ratio_full_time"]) == 0
    found = pd.read_csv(tmp_path / "out/gaps.csv").set_index("theme")
    assert found.loc["threat", "signed_r2"] < -0.5 and found.loc["threat", "p"] < 0.02
    assert found.loc["threat", "signed_r2_held_out"] < -0.2
    capsys.readouterr()
    assert main(["status", "--output", out]) == 0
    told = capsys.readouterr().out
    count = len(list((tmp_path / "out/vectors").iterdir()))
    assert f"trained: {count} of {count} cultures" in told
    assert main(["train", "--output", out, "--workers", "1", *QUICK, *LONGER]) == 0
    assert f"{count} cultures, {count} trained before" in capsys.readouterr().out


def test_workers_elsewhere_are_given_whole_names_of_files(tmp_path, planted_file, monkeypatch):
    class Elsewhere:
        def map(self, call, paths, folder, **named):
            monkeypatch.chdir("/")
            return [call(path, folder=folder, splitting=named["splitting"]) for path in paths]

        def gather(self, results):
            monkeypatch.chdir(planted_file.parent)

    monkeypatch.setattr("lib.cluster.connect", lambda *_: contextlib.nullcontext(Elsewhere()))
    monkeypatch.chdir(planted_file.parent)
    assert (
        main(
            [
                "split",
                *columns(planted_file.name),
                "--output",
                str(tmp_path / "out"),
                "--scheduler",
                "tcp://there",
            ]
        )
        == 0
    )
    assert (tmp_path / "out/counts.csv").is_file()


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (
            ["missing.csv", "--text-column", "a", "--place-column", "b", "--output", "{out}"],
            ["missing.csv", "got none"],
        ),
        (["train", "--output", "{out}"], ["sorted texts", "split"]),
        (["status", "--output", "{out}"], ["sorted texts"]),
    ],
)
def test_a_command_for_what_is_not_there_says_what_to_do(tmp_path, capsys, arguments, fragments):
    assert main([argument.format(out=tmp_path / "out") for argument in arguments]) == 2
    told = capsys.readouterr().err
    assert [fragment for fragment in fragments if fragment not in told] == []


def stores(folder):
    return {
        path.name: (path / "store.json").read_bytes()
        for path in folder.iterdir()
        if not path.name.startswith(".")
    }


@pytest.mark.slow
def test_two_workers_one_of_them_killed_end_with_what_one_process_makes(tmp_path, planted_file):
    main(["split", *columns(planted_file), "--output", str(tmp_path / "one"), "--workers", "1"])
    main(["train", "--output", str(tmp_path / "one"), "--workers", "1", *QUICK])
    main(["split", *columns(planted_file), "--output", str(tmp_path / "two"), "--workers", "1"])
    command = [
        sys.executable,
        "-m",
        "lib.cultures",
        "train",
        "--output",
        str(tmp_path / "two"),
        "--workers",
        "2",
        *QUICK,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while "/13]" not in process.stdout.readline():
        assert process.poll() is None
    children = psutil.Process(process.pid).children(recursive=True)
    workers = [child for child in children if "spawn_main" in str(child.cmdline())]
    os.kill(max(workers, key=lambda worker: worker.cpu_times().user).pid, signal.SIGKILL)
    told = process.communicate(timeout=300)[0]
    assert process.returncode == 0, told
    assert stores(tmp_path / "one/vectors") == stores(tmp_path / "two/vectors")


def test_importing_loads_no_heavy_library(loaded_by):
    assert (
        loaded_by("lib.cultures.__main__", ("torch", "gensim", "matplotlib", "distributed")) == []
    )


def test_damaged_records_of_earlier_steps_are_named(tmp_path, capsys):
    out, path = tmp_path / "out", tmp_path / "t.csv"
    path.write_text("body,where\nsome words of a place,TX\n")
    assert main(["split", *columns(path), "--output", str(out), "--workers", "1"]) == 0
    (report,) = out.glob("texts/*/report.json")
    for record, advice in ((out / "state.json", "split"), (report, "remove the folder")):
        whole = record.read_bytes()
        for damaged in (whole[:20], b"[]", b"{}", b"\xff"):
            record.write_bytes(damaged)
            capsys.readouterr()
            assert main(["status", "--output", str(out)]) == 2
            told = capsys.readouterr().err
            assert record.name in told and advice in told
        record.write_bytes(whole)
