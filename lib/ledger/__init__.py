"""Results of a chapter, set beside the printed claims they answer."""

from lib.ledger.ledger import Ledger, report_card

__all__ = ["Ledger", "report_card"]
