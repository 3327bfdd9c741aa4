"""Masked and contextual language models: log probability bias, vectors in context."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lib.language_models.encoder import ContextEncoder
    from lib.language_models.log_probability import log_probability_bias
    from lib.language_models.masked import MaskedLanguageModel

__all__ = ["ContextEncoder", "MaskedLanguageModel", "log_probability_bias"]

_HOMES = {
    "ContextEncoder": "encoder",
    "MaskedLanguageModel": "masked",
    "log_probability_bias": "log_probability",
}


def __getattr__(name: str) -> Any:
    """Each name when it is first asked for: a page that reads one kind of model depends on no other."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
