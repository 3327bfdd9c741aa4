"""Machine translation: translators, prefixes that tell who speaks, the gender of outputs, the translation gender bias index.

A short door to `lib.translators`, `lib.prefixes` and `lib.tgbi`.
"""

from lib.prefixes import inject_prefix, split_prefix, strip_prefix
from lib.tgbi import TgbiResult, translation_gender_bias_index
from lib.translators import Translator, load_translator

__all__ = [
    "TgbiResult",
    "Translator",
    "inject_prefix",
    "load_translator",
    "split_prefix",
    "strip_prefix",
    "translation_gender_bias_index",
]
