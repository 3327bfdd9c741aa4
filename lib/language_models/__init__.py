"""Masked and contextual language models: log probability bias, vectors in context."""

from lib.language_models.encoder import ContextEncoder
from lib.language_models.log_probability import log_probability_bias
from lib.language_models.masked import MaskedLanguageModel

__all__ = ["ContextEncoder", "MaskedLanguageModel", "log_probability_bias"]
