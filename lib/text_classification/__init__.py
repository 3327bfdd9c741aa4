"""Bias in text classification: sentiment of sentences that differ in a noun, occupations of biographies."""
