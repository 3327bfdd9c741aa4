"""Machine translation: translators, prefixes that tell who speaks, the gender of outputs, the translation gender bias index.

A short door to `lib.translation.translators`, `lib.translation.prefixes` and `lib.translation.tgbi`.
"""

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
