"""What Hitti et al. (2019) print and their files answer: every such number, counted again."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from lib.ledger import claims
from lib.lexicons import load_lexicon
from studies.taxonomy.crowd import FULL, SPLIT, share_of, true_shares, votes
from studies.taxonomy.hitti2019 import BOOKS, SHORT_TITLES
from studies.taxonomy.logs import by_book

PAPER = "hitti2019_taxonomy"
TEXTS = "9 Project Gutenberg texts"
FILTERED = {"system": "filter pipeline", "dataset": TEXTS}
CROWD_OF = {"system": "crowd labels", "dataset": TEXTS}
ROWS, SHARE = "data rows of the logs", "candidates over data rows of the logs"
TRUE_SHARE = "labels moved back to their sentences, over candidates"
LABELS = "labels of all rows, test questions among them"
DEFINED = "printed terms looked for in the printed definition"
CROWD = "hitti_gutenberg_1584_raw"


@dataclass(frozen=True)
class Answer:
    """One number that answers a printed one."""

    location: str
    metric: str
    value: float
    data: str
    procedure: str
    about: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)


def keys(kind: str, books: Sequence[str] = tuple(BOOKS)) -> str:
    """The registry keys of the files of a kind."""
    return "; ".join(f"hitti_{kind}_{book}" for book in books)


def table(answers: Iterable[Answer]) -> pd.DataFrame:
    """A row an answer, as the ledger takes it: with the printed number as `claim`, and what tells it from its neighbours."""
    rows = []
    for answer in answers:
        where = {"paper": PAPER, "location": answer.location, "metric": answer.metric}
        row = {"quantity": answer.metric.replace("_", " "), "value": answer.value}
        row |= {"claim": claims.one(**where, **answer.about), "data": answer.data}
        row |= {"place": answer.location, "procedure": answer.procedure}
        rows.append(row | answer.about | answer.beside)
    return pd.DataFrame(rows, dtype=object)  # counts stay whole


def shares_by_book(shares: pd.DataFrame) -> pd.DataFrame:
    """The share of generalisations in each book, of its labelled sentences and of all candidates: book, of, value, low, high, n, data."""
    rows = [
        {"book": SHORT_TITLES[book], "of": of, "data": f"{CROWD}; {keys('candidates', [book])}"}
        | share_of(counts["true"], counts[of])
        for book, counts in shares.to_dict("index").items()
        for of in ("labelled", "candidates")
    ]
    return pd.DataFrame(rows)


def from_logs(logs: pd.DataFrame) -> Iterator[Answer]:
    """The first two columns of Table 3, and the numbers of sentences and candidates in the text."""
    books, data = by_book(logs), keys("filters")
    sentences, candidates = int(books["sentences"].sum()), int(books["candidates"].sum())
    share = candidates / sentences
    for book, row in books.iterrows():
        own, source = keys("filters", [str(book)]), {"source": BOOKS[str(book)]}
        yield Answer("Table 3", "n_sentences", int(row["sentences"]), own, ROWS, source)
        yield Answer("Table 3", "candidates_share_of_sentences", row["share"], own, SHARE, source)
    for source, value in {
        "All Corpora": share,
        "Mean over sources": books["share"].mean(),
        "Standard deviation over sources": books["share"].std(),
    }.items():
        about = {"source": source}
        yield Answer("Table 3", "candidates_share_of_sentences", value, data, SHARE, about)
    whole, kept = {"dataset": TEXTS, "kind": "data"}, FILTERED | {"stage": "candidates"}
    yield Answer("Table 3", "n_sentences", sentences, data, ROWS, {"source": "All Corpora"})
    unfiltered = {"system": "no filter"}
    yield Answer("Section 6", "n_sentences", sentences, data, ROWS, whole, unfiltered)
    yield Answer("Section 7", "n_sentences", sentences, data, ROWS, whole, unfiltered)
    found = {"kind": "result"}
    yield Answer("Section 6", "n_sentences", candidates, data, ROWS, kept, found)
    yield Answer("Section 6", "share_of_sentences", share, data, SHARE, kept)


def from_labels(
    crowd: pd.DataFrame,
    labelled: pd.DataFrame,
    confident: pd.DataFrame,
    candidates: Mapping[str, int],
    sentences: Mapping[str, int],
) -> Iterator[Answer]:
    """The third column of Table 3, and the numbers of labels and judgments in the text.

    `crowd` holds all rows of the export, `labelled` is as from `crowd.with_books`; candidates and sentences are counts by book.
    """
    shares, data = true_shares(labelled, candidates), f"{CROWD}; {keys('candidates')}"
    metric, all_candidates = "true_share_of_candidates", sum(candidates.values())
    for book, row in shares.iterrows():
        own = f"{CROWD}; {keys('candidates', [str(book)])}"
        about = {"source": BOOKS[str(book)]}
        yield Answer("Table 3", metric, row["of_candidates"], own, TRUE_SHARE, about)
    for source, value in {
        "Mean over sources": shares["of_candidates"].mean(),
        "Standard deviation over sources": shares["of_candidates"].std(),
    }.items():
        yield Answer("Table 3", metric, value, data, TRUE_SHARE, {"source": source})
    true = int((crowd["label"] == "generalisation").sum())
    of_all = true / all_candidates
    yield Answer("Table 3", metric, of_all, data, LABELS, {"source": "All Corpora"})
    positive = CROWD_OF | {"label": "Gender Generalization"}
    yield Answer("Section 6", "share_of_candidates", of_all, data, LABELS, positive)
    found = {"kind": "result"}
    yield Answer("Section 6", "n_sentences", true, CROWD, LABELS, positive, found)
    negative = CROWD_OF | {"label": "not Gender Generalization"}
    others = len(crowd) - true
    yield Answer("Section 6", "n_sentences", others, CROWD, LABELS, negative, found)
    highest = (shares["true"] / pd.Series(sentences)).max()
    everything = f"{data}; {keys('filters')}"
    yield Answer("Section 7", "share_of_sentences", highest, everything, TRUE_SHARE, positive)

    rows = "rows of the export"
    judged = {"all": crowd, "trusted": labelled}
    for part, table in judged.items():
        number = int(table["judgments"].sum())
        yield Answer("Section 6.1", "n_judgments", number, CROWD, rows, CROWD_OF | {"part": part})
    how_many = votes(labelled["confidence"])
    full, split = len(confident), int((how_many == SPLIT).sum())
    listed = "hitti_confident_labels"
    whole = {"part": "all labels"}
    three, two = ({**CROWD_OF, "agreement": kind} for kind in (FULL, SPLIT))
    yield Answer("Section 6.1", "n_sentences", full, listed, "data rows", three, whole)
    yield Answer("Section 6.1", "n_sentences", split, CROWD, rows, two, whole)


def from_definitions() -> Iterator[Answer]:
    """Table 2: 1 where a term of Table 1 is a word of the printed definition, so that the printed rule calls it gendered."""
    lists = load_lexicon("hitti2019")
    terms = {
        term
        for name in ("base", "pronouns", "family")
        for side in ("female", "male")
        for term in lists[f"{name}_{side}"]
    }
    for about in claims.subjects(PAPER, "Table 2", "is_gendered").values():
        gendered = int(not terms.isdisjoint(about["definition"].split()))
        said = {"word": about["word"], "definition": about["definition"]}
        yield Answer("Table 2", "is_gendered", gendered, "", DEFINED, said)
