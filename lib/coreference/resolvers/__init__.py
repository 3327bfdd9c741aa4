"""Resolvers on one frozen encoder: what it says of mentions, what every resolver has in common, the one that ships."""

from lib.coreference.resolvers.shipped import load_resolver

__all__ = ["load_resolver"]
