"""MiniLM in the place of vectors that a page can do nothing with."""

from collections.abc import Iterable

from lib.embeddings import Embedding, load_embedding
from lib.ledger import Ledger
from lib.plots import not_measured


def holding_pairs(e: Embedding, pairs: Iterable[tuple[str, str]], ledger: Ledger) -> Embedding:
    """An embedding as it is where it holds one of the pairs of a chapter or more; else MiniLM, with a box that says why.

    Numbers of a stand-in are shown and not saved: nothing of MiniLM is kept under the name of other vectors.

    Parameters
    ----------
    e : Embedding
        What the reader named.
    pairs : iterable of (str, str)
        Pairs without which the chapter measures nothing.
    ledger : Ledger
        Of the chapter; its `data` becomes the source of what is returned.

    Returns
    -------
    Embedding

    Examples
    --------
    >>> ledger = Ledger("ripa")
    >>> holding_pairs(Embedding(["she", "he"], [[1, 0], [0, 1]], "two", "mine"), [("she", "he")], ledger).name
    'two'
    >>> ledger.data
    'mine'
    """
    found = e.pairs(pairs, missing="drop")
    if not found.kept:
        shown = "MiniLM is shown instead, and its numbers are not saved"
        not_measured(e.name or "These vectors", f"{getattr(found.female, 'why', '')}. {shown}.")
        e, ledger.stand_in = load_embedding("minilm"), True
    ledger.data = e.source
    return e
