"""Tiny fill-mask models."""

from tests.lib.language_models.conftest import model

__all__ = ["model"]
