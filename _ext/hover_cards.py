"""Sphinx extension: glossary terms linked at first use, and short texts for the cards over such links.

On every page but those of reference, the first occurrence of a glossary term in running text becomes a
link to the glossary. Under each term the glossary names the chapters that use it most. Links to terms,
citations and ids of printed numbers get a card (`_static/hover_cards.js`); its text is in
`_static/files/hover_cards.js`, which is written when the site is built.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from docutils import nodes
from pybtex.database import BibliographyData, parse_file
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from lib.ledger.claims import load_claims, paper_name
from runner.references import authors_and_year, plain

GLOSSARY, BIBLIOGRAPHY = "pages/glossary", "pages/bibliography"
REPORT_CARD = "chapters/report_card"
UNLINKED = (GLOSSARY, BIBLIOGRAPHY, "pages/certificates", "pages/changes", "pages/api")
PRINTED, SAID = "printed numbers", "running text"  # what `Gather` keeps of a page
SEEN_IN = 3  # chapters named below a term of the glossary

# Other forms of a term, as regular expressions. Where a term is also an everyday word, only these count.
VARIANTS = {
    "allocational harm": (r"allocational harms?", r"harms? of allocation", r"allocation"),
    "analogy test": (r"analogy tests?", r"analogies"),
    "association": (r"associations?(?! tests?)",),
    "attribute words": (r"attribute words?", r"attribute sets?", r"attributes"),
    "BCa interval": (r"BCa intervals?", r"BCa"),
    "bias": (r"bias",),
    "claim": (r"(?<=printed )claims?", r"(?<=each )claim\b(?! that)"),
    "Cohen's kappa": (r"Cohen['’]s (?:kappa|κ)", r"kappas?"),
    "female–male word contrast": (r"female[–-]male (?:word )?contrasts?", r"word contrasts?"),
    "extrinsic measure": (r"extrinsic(?: measures?)?",),
    "intrinsic measure": (r"intrinsic(?: measures?)?",),
    "pro-drop": (r"pro-drop", r"drops its subject pronouns?"),
    "polarity": (r"(?:gender )?polarity",),
    "exact p-value": (r"exact p(?:-values?)?",),
    "seed words": (r"seed words?",),
    "Fleiss' kappa": (r"Fleiss['’]s? (?:kappa|κ)",),
    "Galton's problem": (r"Galton['’]s problem",),
    "generalisability": (r"generalisability", r"generalis(?:es?|ing)(?= (?:by|to))"),
    "ICC": (r"ICC", r"intraclass correlations?"),
    "masked language model": (r"masked (?:language )?models?",),
    "MAC": (r"MAC",),
    "multiverse": (r"multiverses?",),
    "nat": (r"nats?",),
    "NBM": (r"NBM", r"neighbourhood bias(?: metric)?"),
    "neutral words": (r"neutral words?",),
    "null baseline": (r"null (?:baseline|band|distribution)s?",),
    "permutation test": (r"permutation tests?", r"permutations?"),
    "planted truth": (r"planted truths?", r"planted(?= (?:text|lean|bias|effect|association)s?)"),
    "prior": (r"priors?",),
    "projection": (r"projections?", r"projecting out"),
    "reach": (r"(?<=its )reach\b", r"(?<=by )reach\b", r"reach(?= says)"),
    "representational harm": (
        r"representational harms?",
        r"harms? of representation",
        r"representation(?=,)",
    ),
    "static embedding": (r"static (?:embedding|vector)s?",),
    "contextual vector": (r"contextual (?:vector|embedding)s?", r"vectors? in context"),
    "target words": (r"target words?", r"target sets?", r"targets"),
    "TGBI": (r"TGBI", r"translation gender bias index"),
    "VBias and SBias": (r"[VS]Bias",),
    "one-vs-rest": (r"one[- ](?:vs|versus|against)[- ]rest",),
}


@dataclass(frozen=True)
class Term:
    """A term of the glossary: its name, and where it is explained."""

    name: str
    anchor: str


@lru_cache(maxsize=1)  # asked for on every page, and each time a file to read
def terms(env: BuildEnvironment) -> list[Term]:
    """The terms of the glossary, once it has been read."""
    if GLOSSARY not in env.found_docs:
        return []
    found = env.get_doctree(GLOSSARY).findall(nodes.term)
    return [Term(node.astext(), node["ids"][0]) for node in found if node["ids"]]


@cache
def forms(names: tuple[str, ...]) -> re.Pattern[str]:
    """All forms of all terms, the longest name first; the group that matches tells the term.

    >>> forms(("bias", "direct bias")).search("Its direct bias").lastgroup
    't1'
    """
    order = sorted(range(len(names)), key=lambda place: -len(names[place]))
    alternatives = []
    for place in order:
        name = names[place]
        own = VARIANTS.get(name, (f"{name}(?:e?s)?",))
        case = "" if re.search(r"[a-z]", name) and name == name.lower() else "-i"
        either = "|".join(own).replace(" ", r"\s")
        alternatives.append(f"(?P<t{place}>(?{case}:{either}))")
    return re.compile(rf"(?<![\w–-])(?:{'|'.join(alternatives)})(?![\w–-])", re.IGNORECASE)


def running_text(document: nodes.document) -> Iterator[nodes.Text]:
    """The text of paragraphs, without what is linked, code, in a table or on a card of a finding."""
    not_prose = (nodes.table, nodes.figure, nodes.reference, nodes.Titular, nodes.literal)
    not_prose += (nodes.math, nodes.raw, nodes.caption, nodes.field_list)
    for paragraph in document.findall(nodes.paragraph):
        for text in paragraph.findall(nodes.Text):
            node, prose = text.parent, True
            while node is not None and prose:
                prose = not isinstance(node, not_prose) and "findings" not in node["classes"]
                node = node.parent
            if prose:
                yield text


def found(pattern: re.Pattern[str], text: str, emphasised: bool) -> Iterator[re.Match[str]]:
    """The terms in a piece of text. What is emphasised is a term only as a whole: *bias*, but not
    *bias of a coin*, which may be a title or a word list.
    """
    for match in pattern.finditer(text):
        if not emphasised or match.group() == text:
            yield match


class Gather(SphinxTransform):
    """Keep what glossary and cards ask of a page, so that no page has to be read from the disk for it again."""

    default_priority = 999  # after all else

    def apply(self) -> None:
        name = self.env.docname
        kept = self.env.metadata[name]
        kept[PRINTED] = sorted(
            {code.astext() for code in self.document.findall(nodes.literal)} & printed().keys()
        )
        if name.startswith("chapters/"):
            kept[SAID] = [
                (text.astext(), isinstance(text.parent, nodes.emphasis))
                for text in running_text(self.document)
            ]


def link_terms(app: Sphinx, document: nodes.document, name: str) -> None:
    """Link the first occurrence of each term on a page; name chapters below the terms in the glossary."""
    if app.builder.format != "html":
        return
    plain_citations(document)
    if name == GLOSSARY:
        name_chapters(app, document)
    link_claims(app, document, name)
    if name.startswith(UNLINKED):
        return
    known = terms(app.env)
    if not known:
        return
    pattern = forms(tuple(term.name for term in known))
    target = app.builder.get_relative_uri(name, GLOSSARY)
    seen = {
        node["refuri"].partition("#")[2]
        for node in document.findall(nodes.reference)
        if node.get("refuri", "").startswith(f"{target}#")
    }
    for text in list(running_text(document)):
        pieces, end = [], 0
        for match in found(pattern, text.astext(), isinstance(text.parent, nodes.emphasis)):
            term = known[int(match.lastgroup[1:])]
            if term.anchor in seen:
                continue
            seen.add(term.anchor)
            link = nodes.reference("", match.group(), internal=True, classes=["term"])
            link["refuri"] = f"{target}#{term.anchor}"
            pieces += [nodes.Text(text.astext()[end : match.start()]), link]
            end = match.end()
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(text.astext()[end:])])


def plain_citations(document: nodes.document) -> None:
    """No second, unreadable card: what a citation names is in ours."""
    for link in document.findall(nodes.reference):
        if f"{BIBLIOGRAPHY}.html#" in link.get("refuri", "") and "reftitle" in link:
            del link["reftitle"]


def link_claims(app: Sphinx, document: nodes.document, name: str) -> None:
    """An id of a printed number that a text names leads to the report card."""
    if REPORT_CARD not in app.env.found_docs or name == REPORT_CARD:
        return
    for code in list(document.findall(nodes.literal)):
        if code.astext() in printed() and not isinstance(code.parent, nodes.reference):
            link = nodes.reference(internal=True, classes=["claim"])
            link["refuri"] = f"{app.builder.get_relative_uri(name, REPORT_CARD)}#{code.astext()}"
            code.parent.replace(code, link)
            link += code


def name_chapters(app: Sphinx, document: nodes.document) -> None:
    """Below each term of the glossary: the chapters that use it most, most first."""
    uses = occurrences(app.env)
    for term in document.findall(nodes.term):
        most = sorted(uses.get(term.astext(), {}).items(), key=lambda item: (-item[1], item[0]))
        definition = term.parent[-1]
        if not most or not isinstance(definition, nodes.definition):
            continue
        line = nodes.paragraph("", "See it in: ", classes=["seen-in"])
        for place, (chapter, _) in enumerate(most[:SEEN_IN]):
            uri = app.builder.get_relative_uri(GLOSSARY, chapter)
            title = app.env.titles[chapter].astext()
            line += nodes.Text(" · " if place else "")
            line += nodes.reference("", title, internal=True, refuri=uri)
        definition += line


def occurrences(env: BuildEnvironment) -> dict[str, Counter[str]]:
    """How often each term occurs in each chapter's running text."""
    names = tuple(term.name for term in terms(env))
    pattern, uses = forms(names), {name: Counter() for name in names}
    for document in sorted(env.found_docs):
        for text, emphasised in env.metadata[document].get(SAID, ()):
            for match in found(pattern, text, emphasised):
                uses[names[int(match.lastgroup[1:])]][document] += 1
    return uses


def outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """When the glossary changes, so do the links on all pages."""
    return sorted(env.found_docs) if GLOSSARY in changed else []


def also_written(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The glossary names chapters, so it is written again with them."""
    return [GLOSSARY] if GLOSSARY in env.found_docs else []


@cache
def printed() -> dict[str, str]:
    """What the card of each printed number says, by its id."""
    return {
        claim.claim_id: f"{paper_name(claim.paper)}, {claim.location}: {claim.meaning or claim.metric}. "
        f"Printed: {claim.value}."
        for claim in load_claims().itertuples()
    }


def cards(app: Sphinx) -> dict[str, list[str]]:
    """The texts of all cards, by the fragment of the link: a heading and what is said below it."""
    made: dict[str, list[str]] = {}
    if GLOSSARY in app.env.found_docs:
        glossary = app.env.get_and_resolve_doctree(GLOSSARY, app.builder)
        for term in glossary.findall(nodes.term):
            definition = term.parent[-1]
            made[term["ids"][0]] = [term.astext(), first_sentences(definition[0].astext())]
    references = bibliography(Path(app.srcdir) / "references.bib")
    for citation in app.env.get_domain("cite").citations:
        entry = references.entries[citation.key]
        title = plain(entry.fields.get("title", ""))
        made[citation.citation_id] = [authors_and_year(entry), title]
    for document in app.env.found_docs:
        for claim in app.env.metadata[document].get(PRINTED, ()):
            made[claim] = [claim, printed()[claim]]
    return made


def first_sentences(text: str, count: int = 2) -> str:
    """The first sentences of a definition, without citations in brackets.

    >>> first_sentences("One. Two, e.g. 2.5 [Gwet, 2008]. Three.")
    'One. Two, e.g. 2.5.'
    """
    text = re.sub(r"\s*\[[^][]*\d{4}[a-z]?[^][]*\]", "", " ".join(text.split()))
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z“\"'*])", text)
    return " ".join(sentences[:count])


@cache
def bibliography(path: Path) -> BibliographyData:
    return parse_file(path)


def write_cards(app: Sphinx, error: Exception | None) -> None:
    """Write the texts as a script, which pages opened from a disk can load."""
    if error or app.builder.name != "html":
        return
    path = Path(app.outdir) / "_static" / "files" / "hover_cards.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = json.dumps(cards(app), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    path.write_text(f"window.hoverCards={texts};\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_transform(Gather)
    app.connect("env-get-outdated", outdated)
    app.connect("env-get-updated", also_written)
    app.connect("doctree-resolved", link_terms, priority=600)
    app.connect("build-finished", write_cards)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
