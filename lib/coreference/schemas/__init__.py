"""Sentences in which only the pronoun differs, and what they say about a resolver."""
