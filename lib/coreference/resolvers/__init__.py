"""Resolvers rerun on one frozen encoder: states, the rules and systems of the papers, the one that ships."""

from lib.coreference.resolvers.shipped import load_resolver

__all__ = ["load_resolver"]
