"""What eleven papers print about the data of the shared task, counted in the same files."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

from lib.coreference.resolvers.names import ROW_REASONS, SETS, replace_names
from lib.datasets.gap import CLASSES, read_added_neither, read_gap, read_stage2
from lib.datasets.gap_corrections import TEAMS, corrections
from studies.pronoun_resolution.labels import moves, score_of_labels

PARTS = {"development": "gap_development", "test": "gap_test", "validation": "gap_validation"}
STAGE_1 = {"train": ("test", "validation"), "test": ("development",)}
GENDERS = {"masculine": "male", "feminine": "female", "all": None}
COUNTED = "count"
CORRECTED = "released corrections applied"
SCORED = "original labels scored against the corrected ones"
PIECES = "word pieces of BERT's uncased vocabulary"
RULE = "rule of the released code, mean of four sets"
CORRECTED_TEST = (
    "gap_test;attree_corrections_test;ionita_gap_corrections;liu_gap_test_validation_corrected"
)
_STAGE_2, _SOLUTION = "gap_stage2_text", "gap_stage2_solution"


@dataclass(frozen=True)
class Count:
    """A number and the printed one that it answers, which `lib.ledger.claims.one` finds with paper, location, metric and `about`."""

    paper: str
    location: str
    metric: str
    value: float  # a share as a fraction
    data: str  # registry keys, joined by ";"
    about: Mapping[str, str]  # in the paper's own words
    beside: Mapping[str, str] = field(
        default_factory=dict
    )  # what else tells it from its neighbours
    procedure: str = COUNTED


@dataclass(frozen=True)
class Files:
    """The registered files, read once."""

    gap: (
        pd.DataFrame
    )  # all parts, `part` their names, and a column of answers for each team that corrected labels
    stage2: pd.DataFrame
    added: pd.DataFrame  # the passages that Attree added
    named: Mapping[str, pd.Series]  # team -> the passages whose label it names as wrong

    def of(self, *parts: str) -> pd.DataFrame:
        """The passages of parts of GAP; of all three where none is named."""
        return self.gap[self.gap["part"].isin(parts or PARTS)]


def read_files() -> Files:
    """Everything that is counted here, from registered files."""
    parts = {part: read_gap(key).assign(part=part) for part, key in PARTS.items()}
    gap = pd.concat(parts.values(), ignore_index=True)
    named = {team: pd.concat([corrections(team, key) for key in PARTS.values()]) for team in TEAMS}
    for team, answers in named.items():
        gap[team] = gap["ID"].map(answers).fillna(gap["answer"])
    return Files(gap, read_stage2(), read_added_neither(), named)


def printed_counts(files: Files) -> list[Count]:
    """Every count, share and label score about the data that the eleven papers print and the files hold."""
    makers: dict[str, Callable[..., Iterator[Count]]] = {
        "abzaliev2019_third": _abzaliev,
        "alfaro2019_bert_mlm_coref": _alfaro,
        "attree2019_evidence_pooling": _attree,
        "bao2019_transfer": _bao,
        "chada2019_qa": _chada,
        "gap_shared_task": _overview,
        "ionita2019_resolving": _ionita,
        "liu2019_anonymized": _liu,
        "wang2019_msnet": _wang,
        "xu2019_rgcn": _xu,
        "yang2019_fill_the_gap": _yang,
    }
    return [row for paper, make in makers.items() for row in make(files, partial(Count, paper))]


def replacement_shares(passages: pd.DataFrame) -> pd.DataFrame:
    """Why Liu's rule leaves passages alone, as shares of all, by set of placeholder names; conditions of its Section 2.1."""
    rows = {}
    for number in SETS:
        alone = replace_names(passages, number)["left_alone"]
        # 1 a placeholder is in the text, 2 a part of a name occurs alone (also beside 3), 3 more than two words,
        # 4 one name contains the other
        conditions = {
            "1": alone.isin(ROW_REASONS[1:]),
            "2": alone.str.contains("occurs alone"),
            "3": alone == "more than two words | more than two words",
            "4": alone == ROW_REASONS[0],
            "replaced": alone == "",
        }
        rows[number] = {name: chosen.mean() for name, chosen in conditions.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("set")


def _keys(*parts: str) -> str:
    return ";".join(PARTS[part] for part in parts or PARTS)


def _chosen(passages: pd.DataFrame, gender: str) -> pd.DataFrame:
    """Those with a masculine or feminine pronoun; all of them for "all"."""
    wanted = GENDERS[gender]
    return passages[passages["gender"] == wanted] if wanted else passages


def _abzaliev(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    at = partial(count, "Section 2", "n_examples")
    for split, part in {
        "training": "test",
        "test": "development",
        "validation": "validation",
    }.items():
        yield at(len(files.of(part)), _keys(part), {"dataset": "GAP", "split": split})
    yield at(len(files.of()), _keys(), {"dataset": "GAP", "split": "all"})
    yield at(len(files.stage2), _STAGE_2, {"dataset": "Kaggle stage 2 test"}, {"split": "stage 2"})


def _alfaro(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    yield count("Section 3.2", "n_pairs", 2 * len(files.of()), _keys(), {"dataset": "GAP"})
    for words, gender in {
        "all": "all",
        "male pronoun": "masculine",
        "female pronoun": "feminine",
    }.items():
        about = {"dataset": "Kaggle stage 2 test", "part": words}
        yield count("Section 3.2", "n_rows", len(_chosen(files.stage2, gender)), _STAGE_2, about)
    columns = {("1", split): parts for split, parts in STAGE_1.items()} | {
        ("2", "train"): tuple(PARTS)
    }
    for (stage, split), parts in columns.items():
        for label, answer in zip(("Name A", "Name B", "None"), CLASSES):
            about = {"dataset": "GAP", "stage": stage, "split": split, "label": label}
            yield count(
                "Table 1", "n_examples", _with(files.of(*parts), answer), _keys(*parts), about
            )
    tested = files.of("development")
    for table, model in {"Table 4": "Model 1", "Table 5": "Model 2"}.items():
        for label, answer in {"A": "A", "B": "B", "None": "NEITHER", "Avg": None}.items():
            about = {
                "system": model,
                "dataset": "GAP stage 1 test (gap-development)",
                "label": label,
            }
            value = _with(tested, answer) if answer else len(tested)
            yield count(table, "support", value, _keys("development"), about)
    names = pd.concat([files.of()["A"], files.of()["B"]])
    share = names.str.contains(" ", regex=False).mean()
    yield count("Section 4.2", "share_of_multiword_names", share, _keys(), {"dataset": "GAP"})


def _attree(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    kinds = {f"gap-{part}": (files.of(part), _keys(part)) for part in PARTS}
    kinds["gpr-neither"] = files.added, "attree_neither"
    kinds["stage 2 test (kaggle)"] = files.stage2, _STAGE_2
    for dataset, (passages, data) in kinds.items():
        for gender in GENDERS:
            about = {"dataset": dataset, "gender": gender}
            yield count("Table 1", "n_examples", len(_chosen(passages, gender)), data, about)
    about = {"system": "Neither augmentation", "dataset": "gpr-neither"}
    yield count("Section 2.1", "n_examples", len(files.added), "attree_neither", about)
    together = len(files.of()) + len(files.added)
    about = {
        "system": "Kaggle models",
        "dataset": "gap-development, gap-validation, gap-test, gpr-neither",
    }
    yield count(
        "Section 4", "n_examples", together, f"{_keys()};attree_neither", about, {"part": "all"}
    )
    for part in PARTS:
        yield from _attree_moves(files.of(part), part, count)
    tested = files.of("test")
    scores = score_of_labels(tested["answer"], tested["attree"], tested["gender"] == "female")
    data = f"{_keys('test')};attree_corrections_test"
    for gender, name in {
        "masculine": "masculine",
        "feminine": "feminine",
        "all": "overall",
    }.items():
        about = {
            "system": "Human Performance (estimated)",
            "dataset": "GAP test (gap-test)",
            "gender": gender,
        }
        yield count("Table 3", "f1", scores[name], data, about, procedure=SCORED)
    about = {
        "system": "Human Performance (estimated)",
        "dataset": "GAP test (gap-test)",
        "definition": "F/M",
    }
    yield count("Table 3", "bias_ratio", scores["ratio"], data, about, procedure=SCORED)
    for table, (example, identity) in {
        "Table 7": ("1", "test-282"),
        "Table 10": ("2", "test-406"),
    }.items():
        passage = tested.set_index("ID").loc[identity]
        for metric, column in {"pronoun": "Pronoun", "a": "A", "b": "B"}.items():
            about = {"dataset": "GAP test (gap-test)", "example": example, "id": identity}
            yield count(
                table, f"{metric}_offset", int(passage[f"{column}-offset"]), _keys("test"), about
            )


def _attree_moves(
    passages: pd.DataFrame, part: str, count: Callable[..., Count]
) -> Iterator[Count]:
    """Table 2 for one part: labels before and after, and how many went and came."""
    data = f"{_keys(part)};attree_corrections_{part}"
    table = moves(passages["answer"], passages["attree"])
    for label in CLASSES:
        for column in table:
            if column in ("before", "after"):
                said = {"labels": f"{column} sanitization"}, {"change": "none"}
            else:
                said = {"change": column}, {"labels": "changed"}
            about = {"dataset": f"gap-{part}", "label": label} | said[0]
            value = int(table.loc[label, column])
            yield count("Table 2", "n_examples", value, data, about, said[1], procedure=CORRECTED)
    about = {"dataset": f"gap-{part}", "label": "all"}
    value = int(table["after"].sum())
    yield count("Table 2", "n_examples", value, data, about, procedure=CORRECTED)


def _bao(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    yield count("Section 1", "n_pairs", 2 * len(files.of()), _keys(), {"dataset": "GAP"})
    for part in PARTS:
        about, size = {"dataset": "GAP"}, len(files.of(part))
        yield count(
            "Section 2", "n_pairs", 2 * size, _keys(part), about | {"split": part.capitalize()}
        )
        yield count("Section 2", "n_examples", size, _keys(part), about | {"split": part})
    columns = {
        "Training": ("GAP stage 1 train (gap-test)", "test"),
        "Test": ("GAP stage 1 test (gap-development)", "development"),
        "Validation": ("GAP validation (gap-validation)", "validation"),
    }
    for column, (dataset, part) in columns.items():
        passages = files.of(part)
        spelt = passages["Pronoun"].str.lower()
        found = {
            word: int((spelt == word).sum()) for word in ("he", "him", "his", "her", "hers", "she")
        }
        found |= {gender: len(_chosen(passages, gender)) for gender in ("masculine", "feminine")}
        for pronoun, value in found.items():
            about = {"dataset": dataset, "column": column, "pronoun": pronoun}
            yield count("Table 1", "n_examples", value, _keys(part), about)
    yield from _bao_pieces(files.of("validation").set_index("ID").loc["validation-10"], count)


def _bao_pieces(passage: pd.Series, count: Callable[..., Count]) -> Iterator[Count]:
    """Table 2: the places of four mentions among the word pieces of the last sentence of a passage. MiniLM has the
    vocabulary of uncased BERT.
    """
    from tokenizers import Tokenizer

    from lib.sources.hub import minilm_folder

    begin = passage["Text"].rindex(". ", 0, passage["Pronoun-offset"]) + 2
    tokenizer = Tokenizer.from_file(str(minilm_folder() / "tokenizer.json"))
    pieces = tokenizer.encode(passage["Text"][begin:], add_special_tokens=False).offsets
    starts = {name: passage[f"{name}-offset"] for name in ("A", "B", "Pronoun")}
    starts = {f"{name} ({passage[name]})": start for name, start in starts.items()}
    starts["Neither (Jim)"] = passage["Text"].index("Jim", begin)
    for mention, start in starts.items():
        first, last = start - begin, start - begin + len(mention.partition("(")[2]) - 1
        places = [place for place, (low, high) in enumerate(pieces) if low < last and high > first]
        for number, place in enumerate(places, 1):
            about = {
                "system": "BERT tokenization",
                "dataset": "example sentence",
                "mention": mention,
            }
            about |= {"position": str(number)} if len(places) > 1 else {}
            yield count(
                "Table 2", "token_index", place, _keys("validation"), about, procedure=PIECES
            )


def _chada(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    scored = files.stage2[files.stage2["scored"]]
    folds, test = "5-Fold Dev (80-20 split)", "GAP stage 1 test (gap-development)"
    cells = {
        ("GAP", "1", folds): (files.of(*STAGE_1["train"]), _keys(*STAGE_1["train"])),
        ("GAP", "2", folds): (files.of(), _keys()),
        (test, "1", "Test"): (files.of("development"), _keys("development")),
        ("Kaggle stage 2 test (760 scored)", "2", "Test"): (scored, _SOLUTION),
    }
    for (dataset, stage, row), (passages, data) in cells.items():
        for label, answer in {"all": None, "A": "A", "B": "B", "N": "NEITHER"}.items():
            about = {"dataset": dataset, "stage": stage, "row": row, "label": label}
            value = _with(passages, answer) if answer else len(passages)
            yield count("Table 1", "n_examples", value, data, about)
    for gender, name in {"male": "masculine", "female": "feminine"}.items():
        about = {"dataset": "Kaggle stage 2 test (760 scored)", "gender": gender}
        yield count(
            "Section 2", "n_examples", len(_chosen(scored, name)), f"{_STAGE_2};{_SOLUTION}", about
        )
    share = len(_chosen(files.of(), "masculine")) / len(files.of())
    yield count(
        "Section 2", "share_of_examples", share, _keys(), {"dataset": "GAP", "gender": "male"}
    )


def _overview(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    scored, both = files.stage2["scored"], f"{_STAGE_2};{_SOLUTION}"
    dataset = "Kaggle stage 2 blind evaluation set"
    numbers = {
        "new annotated examples scored officially": scored.sum(),
        "unlabeled distractor examples": (~scored).sum(),
        "total to be rated": len(scored),
    }
    for part, value in numbers.items():
        about = {"dataset": dataset, "part": part}
        yield count("Section 2.2", "n_examples", int(value), _SOLUTION, about)
    sides = [len(_chosen(files.stage2[scored], gender)) for gender in ("masculine", "feminine")]
    about = {"dataset": dataset, "part": "masculine to feminine examples (numerator of 1:1)"}
    yield count("Footnote 1", "gender_ratio", sides[0] / sides[1], both, about)


def _ionita(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    yield count("Section 3", "n_examples", len(files.of()), _keys(), {"dataset": "GAP"})
    yield count("Section 4", "n_pairs", 2 * len(files.of()), _keys(), {"dataset": "GAP"})
    named = files.named["ionita"].index
    tested = files.of("test")
    tested = tested[tested["ID"].isin(named)]
    listed = partial(count, data="ionita_gap_corrections", procedure=COUNTED)
    test = "GAP test (gap-test)"
    yield listed("Section 5.5", "n_label_corrections", len(named), about={"dataset": "GAP"})
    yield listed("Section 5.5", "n_label_corrections", len(tested), about={"dataset": test})
    about = {"dataset": "GAP test (gap-test), 66 labels corrected"}
    yield listed("Table 1", "n_label_corrections", len(tested), about=about)
    for gender in ("feminine", "masculine"):
        about = {"dataset": test, "gender": gender}
        yield listed("Section 5.5", "n_mislabelled", len(_chosen(tested, gender)), about=about)


def _liu(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    yield count("Section 1", "n_pairs", 2 * len(files.of()), _keys(), {"dataset": "GAP"})
    for part in PARTS:
        beside = {"part": "all", "gender": "all"}
        yield count(
            "Section 3",
            "n_examples",
            len(files.of(part)),
            _keys(part),
            {"dataset": "GAP", "split": part},
            beside,
        )
    scored, dataset = files.stage2[files.stage2["scored"]], "Kaggle stage 2 test (760 scored)"
    at, both = partial(count, "Section 3", "n_examples"), f"{_STAGE_2};{_SOLUTION}"
    every = {"gender": "all"}
    yield at(len(files.stage2), _STAGE_2, {"dataset": dataset, "part": "all"}, every)
    yield at(len(scored), _SOLUTION, {"dataset": dataset, "part": "scored"} | every)
    for gender, name in {"female": "feminine", "male": "masculine"}.items():
        yield at(
            len(_chosen(scored, name)),
            both,
            {"dataset": dataset, "part": "scored", "gender": gender},
        )
    both_files = ("liu_gap_development_corrected", "liu_gap_test_validation_corrected")
    for split in ("all", *PARTS):
        passages = files.of(*([] if split == "all" else [split]))
        value = int((passages["liu"] != passages["answer"]).sum())
        sources = both_files if split == "all" else both_files[split != "development" :][:1]
        about = {"dataset": "GAP", "split": split}
        yield count(
            "Section 3", "n_mislabelled", value, ";".join(sources), about, procedure=CORRECTED
        )
    yield from _liu_shares(replacement_shares(files.of()).mean(), count)
    about = {"dataset": "Kaggle stage 2 test (all 12359)"}
    yield count(
        "Section 4.2", "unlabeled_share", 1 - files.stage2["scored"].mean(), _SOLUTION, about
    )
    length = files.stage2.loc[~files.stage2["scored"], "Text"].str.len().median()
    about = about | {"part": "most unlabeled documents"}
    yield count(
        "Section 4.2",
        "document_length",
        length,
        both,
        about,
        procedure="median of the texts not scored",
    )


def _liu_shares(shares: pd.Series, count: Callable[..., Count]) -> Iterator[Count]:
    conditions = {
        "1": "1 placeholder already in document",
        "2": "2 full name with a part alone elsewhere",
        "3": "3 more than two words",
        "4": "4 one name substring of the other",
    }
    said = "not augmented because of condition"
    values = {(said, words): shares[name] for name, words in conditions.items()}
    values["part", "augmented"] = shares["replaced"]
    values["part", "conditions 2 to 4 (never augmented)"] = shares[["2", "3", "4"]].sum()
    for (name, words), value in values.items():
        about = {"system": "augmentation", "dataset": "GAP stage 1", name: words}
        beside = {said: "none"} if name == "part" else {"part": "not augmented"}
        yield count(
            "Section 2.1", "share_of_examples", value, _keys(), about, beside, procedure=RULE
        )


def _wang(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    for split in ("all", *PARTS):
        parts = [] if split == "all" else [split]
        about = {"dataset": "GAP", "split": split}
        yield count("Section 3.1", "n_records", len(files.of(*parts)), _keys(*parts), about)


def _xu(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    size, gap = len(files.of()), {"dataset": "GAP"}
    yield count("Section 4", "n_examples", size, _keys(), gap | {"experiment": "stage one"})
    yield count("Section 4", "n_pairs", 2 * size, _keys(), gap | {"experiment": "full GAP"})
    yield count("Section 4.1", "n_pairs", 2 * size, _keys(), gap)
    for split, parts in STAGE_1.items():
        about = gap | {"experiment": "stage one", "split": split}
        yield count("Section 4.1", "n_examples", len(files.of(*parts)), _keys(*parts), about)
    splits = {
        "samples total": PARTS,
        "split train": ("development", "validation"),
        "split test": ("test",),
    }
    for part, parts in splits.items():
        about = gap | {"part": part}
        yield count("Section 4.5", "n_pairs", 2 * len(files.of(*parts)), _keys(*parts), about)


def _yang(files: Files, count: Callable[..., Count]) -> Iterator[Count]:
    for split, part in {
        "validation": "validation",
        "development": "development",
        "testing": "test",
    }.items():
        about, passages = {"dataset": "GAP", "split": split}, files.of(part)
        yield count("Table 1", "n_examples", len(passages), _keys(part), about)
        for label, answer in zip(("A", "B", "Neither"), CLASSES):
            share = _with(passages, answer) / len(passages)
            yield count("Table 1", "label_share", share, _keys(part), about | {"label": label})


def _with(passages: pd.DataFrame, answer: str) -> int:
    return int((passages["answer"] == answer).sum())
