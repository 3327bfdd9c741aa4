"""Classifiers of sentiment, the reader's own among them, and sentences that differ in a feminine or masculine noun."""
