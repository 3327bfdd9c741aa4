"""Messages of a reader's own: vectors of places and of halves of their messages, and what can be said of them."""

from audit.messages.findings import (
    ALL,
    FEWEST_KNOWN,
    FEWEST_PLACES,
    LEAN,
    ORDER,
    TOGETHER,
    MessagesAudit,
    audit_messages,
    known_groups,
)
from audit.messages.places import (
    check_messages,
    cleaned_pairs,
    count_messages,
    read_gap,
    read_themes,
    train_places,
    train_together,
)
from audit.messages.sentences import said

__all__ = [
    "ALL",
    "FEWEST_KNOWN",
    "FEWEST_PLACES",
    "LEAN",
    "ORDER",
    "TOGETHER",
    "MessagesAudit",
    "audit_messages",
    "check_messages",
    "cleaned_pairs",
    "count_messages",
    "known_groups",
    "read_gap",
    "read_themes",
    "said",
    "train_places",
    "train_together",
]
