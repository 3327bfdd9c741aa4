"""Pronoun resolution: systems that say to which of two names a pronoun refers, their scores, and what a gap between
feminine and masculine pronouns is worth.
"""
