"""Sixteen stereotypes in the released scores of 34 models and the translations of four systems (Pikuliak et al. 2024)."""
