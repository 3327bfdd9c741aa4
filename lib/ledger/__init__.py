"""Results of a chapter, set beside the printed claims they answer."""

from lib.ledger import claims
from lib.ledger.ledger import Ledger
from lib.ledger.report_card import report_card

__all__ = ["Ledger", "claims", "report_card"]
