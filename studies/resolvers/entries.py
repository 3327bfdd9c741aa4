"""The rows of the chapter on resolvers: the systems of each paper, and comparisons in which one thing varies."""

from __future__ import annotations

from dataclasses import replace

from lib.coreference.resolvers.scorer import CandidateScorer
from studies.resolvers.anonymised import Anonymised, End2end, PureBert
from studies.resolvers.evidence import EvidencePooling, LookAgain, MentionTags
from studies.resolvers.formulations import MaskedNames, MultipleChoice, QuestionAnswering
from studies.resolvers.heads import (
    STEPS,
    Baseline,
    FillTheGap,
    Frozen,
    MSNet,
    SupportVectors,
    ThirdPlace,
)
from studies.resolvers.lineup import SPLITS, Entry
from studies.resolvers.tuned_papers import tuned_entries

OWN_FEATURES = "the paper's features need a parse or other resolvers; ours read the surface"

SOONER = 8  # epochs without gain; the paper waits for 20, which takes half an hour here
LAYERS = ("input", *(f"{k} sixth{'s' * (k > 1)} of the depth" for k in range(1, 6)), "last layer")
REDUCED = {"none": "as they are", "PCA": "PCA", "PPA-PCA-PPA": "PPA, PCA, PPA"}
NAMES = (
    (False, False, "names as they are", 1),
    (True, False, "replaced in training", 4),
    (True, True, "replaced in training and at the test", 7),
)
OWN = "Our own: attention and surface"
ON_BOTH_SPLITS = (
    OWN,
    "Kurita: one hidden layer",
    "Wang: similarity by layer",
    "Liu: one scorer for both names",
    "Ionita: products and Siamese networks",
    "Attree: tags around the mentions",
    "Attree: evidence of three rules",
)


def entries() -> list[Entry]:
    """Every row, those of the group "systems" first."""
    return [*_systems(), *_comparisons(), *tuned_entries()]


def _systems() -> list[Entry]:
    return [
        Entry(
            "Kurita: one hidden layer",
            "systems",
            Baseline(),
            differs="the paper scores bias, not log loss",
        ),
        Entry(
            "Yang: heads that compare",
            "systems",
            FillTheGap(step="features", patience=SOONER),
            printed={"log loss": "yang2019_fill_the_gap.table2.8"},
            differs=f"{OWN_FEATURES}; no ensemble of four encoders; it stops after {SOONER} epochs without gain, not 20",
        ),
        Entry(
            "Wang: similarity by layer",
            "systems",
            MSNet(),
            reads="attention",
            printed={"log loss": "wang2019_msnet.table1.35"},
            differs="the printed number is from 8 layers of 24; here 4 of 6",
        ),
        Entry(
            "Liu: one scorer for both names",
            "systems",
            End2end(),
            printed={"log loss": "liu2019_anonymized.table2.1"},
            differs="5 folds of 4,400 passages in the paper; here stage 1",
        ),
        Entry(
            "Liu: states side by side",
            "systems",
            PureBert(),
            printed={
                "log loss": "liu2019_anonymized.table3.20",
                "log loss ratio": "liu2019_anonymized.table3.23",
            },
            differs="5 folds and replaced names in the paper; here stage 1, names as they are",
        ),
        Entry(
            "Abzaliev: narrow head and features",
            "systems",
            ThirdPlace(),
            reads="attention",
            differs="no warm-up on OntoNotes, which is licensed; its printed losses are on corrected answers",
        ),
        Entry(
            "Bao: support vectors",
            "systems",
            SupportVectors(),
            printed={"log loss": "bao2019_transfer.table3.3"},
            differs="the paper trains on gap-test alone",
        ),
        Entry(
            "Ionita: products and Siamese networks",
            "systems",
            Frozen(),
            split="reverse",
            printed={
                "log loss": "ionita2019_resolving.table2.15",
                "log loss ratio": "ionita2019_resolving.table2.16",
                "F1": "ionita2019_resolving.table2.23",
                "F1 ratio": "ionita2019_resolving.table2.24",
            },
            differs=f"{OWN_FEATURES}; one encoder, not a cased and an uncased one",
        ),
        Entry(
            "Xu: graph over a parse",
            "systems",
            LookAgain(),
            printed={"log loss": "xu2019_rgcn.table1.4"},
            differs="a light parser of our own with unlabelled arcs",
        ),
        Entry(
            "Attree: tags around the mentions",
            "systems",
            MentionTags(),
            split="reverse",
            printed={
                "log loss": "attree2019_evidence_pooling.table3.21",
                "F1": "attree2019_evidence_pooling.table3.20",
                "F1 ratio": "attree2019_evidence_pooling.table3.19",
            },
            differs="the paper tunes its encoder, which learns what the tags mean",
        ),
        Entry(
            "Attree: evidence of three rules",
            "systems",
            EvidencePooling(),
            split="reverse",
            printed={
                "log loss": "attree2019_evidence_pooling.table3.26",
                "F1": "attree2019_evidence_pooling.table3.25",
                "F1 ratio": "attree2019_evidence_pooling.table3.24",
            },
            differs="rules in place of three neural resolvers, which no longer install",
        ),
        Entry(
            "Chada: a question about the pronoun",
            "systems",
            QuestionAnswering(),
            folds=5,
            printed={
                "log loss": "chada2019_qa.table2.13",
                "F1": "chada2019_qa.table2.12",
                "F1 ratio": "chada2019_qa.table2.11",
            },
            differs="linear scores; with frozen BERT large the paper reaches F1 .636 to .744",
        ),
        Entry(
            "Chada: a choice of three ends",
            "systems",
            MultipleChoice(),
            printed={
                "log loss": "chada2019_qa.table2.23",
                "F1": "chada2019_qa.table2.22",
                "F1 ratio": "chada2019_qa.table2.21",
            },
            differs="the three ends stand in one text",
        ),
        Entry(
            "Alfaro: the pronoun as a gap",
            "systems",
            MaskedNames(),
            printed={"log loss": "alfaro2019_bert_mlm_coref.table8.1"},
            differs="only the last layer before the vocabulary is trained; our pair of feminine names",
        ),
        Entry(
            OWN, "systems", CandidateScorer(), split="reverse", differs="no paper: this book's own"
        ),
    ]


def _comparisons() -> list[Entry]:
    found = []
    for step, number in zip(STEPS, (2, 3, 5, 6, 8)):
        head = FillTheGap(step=step, patience=SOONER)
        known = {"log loss": f"yang2019_fill_the_gap.table2.{number}"}
        found.append(Entry(step, "steps", head, printed=known))
    for dropped in (0.0, 0.3, 0.6, 0.9):
        head = FillTheGap(step="dropout", input_dropout=dropped, patience=SOONER)
        found.append(Entry(f"{dropped:.0%} dropped", "dropout", head))
    for layer, name in enumerate(LAYERS):
        found.append(Entry(name, "layers", Baseline(depth=layer / 6)))
    for top in (1, 4):
        claim = f"wang2019_msnet.table1.{3 if top == 1 else 7}"
        found.append(
            Entry(f"top {top}, mean", "similarity", MSNet(top=top), printed={"log loss": claim})
        )
    attention = Entry("top 4, attention", "similarity", MSNet(), reads="attention")
    found.append(attention)
    for url in (False, True):
        name = "features and title" if url else "features without title"
        found.append(Entry(name, "features", ThirdPlace(url=url), reads="attention"))
    bare = ThirdPlace(features=False, url=False)
    found.append(Entry("no features", "features", bare, reads="attention"))
    for reduction, claim in {"none": 7, "PCA": None, "PPA-PCA-PPA": 3}.items():
        head = SupportVectors(reduction=reduction)
        known = {"log loss": f"bao2019_transfer.table3.{claim}"} if claim else {}
        found.append(Entry(REDUCED[reduction], "reduction", head, printed=known))
    for name, claim, head in (
        ("no graph", 1, LookAgain(graph="none")),
        ("graph alone", 2, LookAgain(concatenated=False)),
        ("graph without gate", 3, LookAgain(gate=False)),
        ("graph", 4, LookAgain()),
        ("rewired graph", None, LookAgain(graph="rewired")),
    ):
        known = {"log loss": f"xu2019_rgcn.table1.{claim}"} if claim else {}
        found.append(Entry(name, "parse", head, printed=known))
    random = EvidencePooling(annotators=("random 1", "random 2", "random 3"))
    for name, head in (
        ("no tags", MentionTags(tagged=False)),
        ("tags", MentionTags()),
        ("tags and evidence of rules", EvidencePooling()),
        ("tags and random evidence", random),
    ):
        found.append(Entry(name, "evidence", head, split="reverse"))
    for name, claim, head in (
        ("not trained", None, MaskedNames(epochs=0)),
        ("one text", 1, MaskedNames()),
        ("also with exchanged names", 2, MaskedNames(texts=2)),
    ):
        known = {"log loss": f"alfaro2019_bert_mlm_coref.table8.{claim}"} if claim else {}
        found.append(Entry(name, "gap", head, printed=known))
    for reads in ("attention", "features"):
        head = CandidateScorer(**{reads: False})
        found.append(Entry(f"without {reads}", "own", head, split="reverse"))
    found.append(Entry("both", "own", CandidateScorer(), split="reverse"))
    for train, test, name, claim in NAMES:
        head = Anonymised(train=train, test=test)
        known = {"log loss": f"liu2019_anonymized.table2.{claim}"}
        found.append(Entry(name, "names", head, reads="names", printed=known))
    for split in SPLITS:
        for entry in _systems():
            if entry.system in ON_BOTH_SPLITS:
                name = f"{entry.system}, {split}"
                found.append(replace(entry, system=name, group="splits", split=split, printed={}))
    return found
