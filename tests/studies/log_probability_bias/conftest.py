"""Tiny fill-mask models, behind our class and with transformers alone."""

from tests.lib.language_models.conftest import model, plain

__all__ = ["model", "plain"]
