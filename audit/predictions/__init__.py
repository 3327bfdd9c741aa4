"""Predictions of a reader's own: read from files in three forms, checked against chance, and compared by gender beside a fair null."""

from audit.predictions.classifier import ClassifierAudit, audit_classifier
from audit.predictions.common import adjusted
from audit.predictions.files import FORMS, Predictions, read_all, read_own_predictions
from audit.predictions.gold import against_gold, read_gold
from audit.predictions.pronouns import PronounsAudit, audit_pronouns
from audit.predictions.twins import TwinsAudit, audit_twins

__all__ = [
    "FORMS",
    "ClassifierAudit",
    "Predictions",
    "PronounsAudit",
    "TwinsAudit",
    "adjusted",
    "against_gold",
    "audit_classifier",
    "audit_pronouns",
    "audit_twins",
    "read_all",
    "read_gold",
    "read_own_predictions",
]
