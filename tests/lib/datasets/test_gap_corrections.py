"""Three teams' corrections of GAP: how their files are read, and the counts that the teams print."""

import pytest

from lib.datasets import gap, gap_corrections
from lib.datasets.gap import KEYS, read_added_neither, read_gap
from lib.datasets.gap_corrections import TEAMS, corrected_answers, corrections, stage2_answers

HEADING = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
ATTREE = tuple(f"attree_corrections_{key.removeprefix('gap_')}" for key in KEYS)
LIU = ("liu_gap_development_corrected", "liu_gap_test_validation_corrected")


def passage(identity, answer):
    a, b = (str(answer == name).upper() for name in "AB")
    return f"{identity}\tAnn met Bea and she left.\tshe\t16\tAnn\t0\t{a}\tBea\t8\t{b}\tu\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A function that puts texts in the place of registered files; GAP itself has three passages, all of them A."""

    def write(**texts):
        rows = "".join(passage(f"test-{number}", "A") for number in (1, 2, 3))
        for key, text in {"gap_test": HEADING + rows, **texts}.items():
            (tmp_path / key).write_text(text, encoding="utf-8")

    for module in (gap, gap_corrections):
        monkeypatch.setattr(module, "fetch", lambda key: tmp_path / key)
    return write


def test_notes_are_read_as_lines_whatever_their_spelling(files):
    files(
        attree_corrections_test="1-Bea (B)\n\n3 - neither (“actor”, role)\n2 - both are right\n#2-(B)?\n"
    )
    assert corrections("attree").to_dict() == {"test-1": "B", "test-3": "NEITHER"}
    assert corrected_answers("attree").tolist() == ["B", "A", "NEITHER"]


def test_a_line_of_the_list_without_its_comma_is_left_out_and_other_parts_are_not_asked_for(files):
    files(ionita_gap_corrections="test-1,N\ntest-2N\ndevelopment-7,B\ntest-3,A\n")
    assert corrections("ionita").to_dict() == {"test-1": "NEITHER", "test-3": "A"}
    assert corrected_answers("ionita").tolist() == ["NEITHER", "A", "A"]


def test_whole_files_count_where_the_label_differs(files):
    rows = [
        passage("test-1", "A"),
        passage("test-2", "B"),
        passage("test-3", ""),
        passage("v-1", "A"),
    ]
    files(liu_gap_test_validation_corrected=HEADING + "".join(rows))
    assert corrections("liu").to_dict() == {"test-2": "B", "test-3": "NEITHER"}


@pytest.mark.parametrize(
    "team, texts, fragments",
    [
        ("lui", {}, ["team", "'lui'", "liu"]),
        ("attree", {"attree_corrections_test": "9-(A)"}, ["gap_test", "test-9", "number"]),
        (
            "liu",
            {"liu_gap_test_validation_corrected": HEADING + passage("test-1", "B")},
            ["all 3 passages", "got 1", "fetch"],
        ),
    ],
)
def test_files_that_do_not_fit_are_refused(files, refuses, team, texts, fragments):
    files(**texts)
    refuses(lambda: corrections(team), fragments)


@pytest.mark.sample(*KEYS, *ATTREE, *LIU, "ionita_gap_corrections", "ionita_gap_test_corrected")
def test_the_lists_are_as_long_as_printed_and_two_repeat_labels_of_gap():
    named = {team: [len(corrections(team, key)) for key in KEYS] for team in TEAMS}
    assert named == {"attree": [73, 78, 21], "ionita": [75, 66, 17], "liu": [74, 68, 17]}
    original = read_gap("gap_test").set_index("ID")["answer"]
    changed = {team: int((corrected_answers(team) != original).sum()) for team in TEAMS}
    assert changed == {"attree": 77, "ionita": 65, "liu": 68}


@pytest.mark.sample("gap_test", "ionita_gap_corrections", "ionita_gap_test_corrected")
def test_the_list_of_the_forum_gives_the_file_that_its_team_released():
    released = read_gap(gap.fetch("ionita_gap_test_corrected"))["answer"]
    assert corrected_answers("ionita").tolist() == released.tolist()


@pytest.mark.sample("attree_neither")
def test_the_added_passages_refer_to_neither_name():
    added = read_added_neither()
    assert added["gender"].value_counts().to_dict() == {"male": 129, "female": 124}
    assert added["neither"].all()


@pytest.mark.sample("attree_corrections_stage2", "gap_stage2_text", "gap_stage2_solution")
def test_attree_labelled_155_passages_of_the_second_stage():
    assert len(stage2_answers()) == 155
