"""A language model of a reader's own: words in it beside random nouns, and pairs of sentences beside their exchange."""

from audit.model.words import (
    AskedDecoder,
    AskedMasked,
    ModelAudit,
    any_model,
    kind_of,
    known_groups,
    load,
    mean_intervals,
    nouns_for,
    order_of,
    orders_of_random_pairs,
    own_sentence_pairs,
    p_of_order,
    slotted,
)

__all__ = [
    "AskedDecoder",
    "AskedMasked",
    "ModelAudit",
    "any_model",
    "kind_of",
    "known_groups",
    "load",
    "mean_intervals",
    "nouns_for",
    "order_of",
    "orders_of_random_pairs",
    "own_sentence_pairs",
    "p_of_order",
    "slotted",
]
