"""Sphinx extension: what one would look for, in the index and so first in the search, for the chapter that answers it.

The search of Sphinx counts a word once a page and sorts by name, so that the pages of the library, which name every measure, come
before the chapter that explains it. What is listed here stands in the index of the book, which the search looks up first;
`_static/scorer.js` puts stories before evidence and both before the library.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms import SphinxTransform

from lib.profiles import chapter_of

LOOKED_FOR = {
    "five_seconds": ("first lesson", "tutorial", "beginner"),
    "before_you_measure": ("association", "harm", "construct validity", "blodgett"),
    "base_pair_stability": ("kappa", "base pair", "direct bias", "nurse", "she he"),
    "domains": ("WEAT", "word embedding association test", "effect size", "word2vec", "glove"),
    "ripa": ("RIPA", "relational inner product association", "csPMI", "hard debias"),
    "multiclass": ("multiclass", "MAC", "race", "religion", "intersectional"),
    "multiclass_in_models": ("neopronouns", "nonbinary", "Black women", "race", "religion"),
    "log_probability_bias": ("BERT", "log probability", "masked language model", "templates"),
    "sentence_measures": ("SEAT", "CEAT", "CrowS-Pairs", "StereoSet", "AUL"),
    "language_models": ("decoder", "GPT", "language model", "SmolLM", "causal"),
    "stereotypes": ("stereotype", "GEST"),
    "asked_to_choose": ("multiple choice", "prompt", "instruction model", "chat"),
    "contextual_geometry": ("ELMo", "BERT embedding", "contextual embedding", "direct bias"),
    "conceptors": ("conceptor", "debiasing", "debias", "mitigation"),
    "conceptors_in_context": ("conceptor", "debiasing BERT", "mitigation"),
    "cross_cultural": ("culture", "gender gap", "states", "twitter"),
    "prefix_injection": ("translation gender", "first person", "who speaks", "MT-GenEval"),
    "translated_gender": ("WinoMT", "translation", "machine translation", "GENDEROUS"),
    "translation_index": ("TGBI", "Korean", "translation gender bias index"),
    "equalizing": ("debiasing translation", "debiased translator", "OpenNMT"),
    "reinflection": ("reinflection", "Arabic", "inflection", "gender rewriting"),
    "pronoun_resolution": ("GAP", "pronoun", "F1 ratio", "ambiguous pronouns"),
    "resolvers": ("coreference", "WinoBias", "Winogender", "pronoun resolution"),
    "sentiment": ("sentiment", "twin sentences", "counterfactual"),
    "biographies": ("occupation classification", "TPR gap", "fairness", "Bias in Bios"),
    "taxonomy": ("generic he", "sexist language", "taxonomy"),
    "calibration": ("calibration", "power", "planted"),
    "agreement_of_measures": ("convergent validity", "multitrait"),
    "predictive_validity": ("predictive validity", "intrinsic extrinsic", "downstream"),
    "report_card": ("reproduction", "replication", "ledger"),
}


class LookFor(SphinxTransform):
    """An entry of the index at the head of a chapter for each of its words."""

    default_priority = 881  # when the page has the form of a chapter

    def apply(self) -> None:
        words = LOOKED_FOR.get(chapter_of(self.env.docname), ())
        page = next(self.document.findall(nodes.section), None)
        if page is None or not self.env.docname.startswith("chapters/"):
            return
        entries = [("single", word, "", "main", None) for word in words]  # the page, no place in it
        page.insert(1, addnodes.index(entries=entries))


def find_scorer(app: Sphinx, config: Config) -> None:
    """Sphinx looks for this file from where it was started, which may be anywhere."""
    config.html_search_scorer = str(Path(app.srcdir) / config.html_search_scorer)


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_transform(LookFor)
    app.connect("config-inited", find_scorer)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
