"""Machine translation: translators, prefixes that say who speaks, the gender of outputs."""

from lib.translation.prefixes import inject_prefix, split_prefix, strip_prefix
from lib.translation.tgbi import TgbiResult, translation_gender_bias_index
from lib.translation.translators import Translator, load_translator

__all__ = [
    "TgbiResult",
    "Translator",
    "inject_prefix",
    "load_translator",
    "split_prefix",
    "strip_prefix",
    "translation_gender_bias_index",
]
