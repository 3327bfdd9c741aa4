"""Treatments of vectors: soft projections (conceptors), hard projections, and whether bias can be recovered afterwards."""

from lib.debiasing.conceptors import (
    apply,
    conceptor,
    conjunction,
    disjunction,
    negation,
    project_out,
)

__all__ = ["apply", "conceptor", "conjunction", "disjunction", "negation", "project_out"]
