"""Masked and contextual language models: log probability bias, vectors in context."""

from lib.language_models.encoder import ContextEncoder
from lib.language_models.masked import MaskedLanguageModel, log_probability_bias

__all__ = ["ContextEncoder", "MaskedLanguageModel", "log_probability_bias"]
