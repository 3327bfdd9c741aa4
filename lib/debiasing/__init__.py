"""Treatments of vectors: soft and hard projections, and what can be found again afterwards."""

from lib.debiasing.conceptors import apply, conceptor, conjunction, disjunction, negation
from lib.debiasing.projection import project_out

__all__ = ["apply", "conceptor", "conjunction", "disjunction", "negation", "project_out"]
