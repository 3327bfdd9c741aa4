"""Which resolvers find whom a pronoun means, and for whose pronouns: the systems of the shared task on GAP (Webster et al. 2018 and
ten papers of 2019), rerun on one frozen encoder.
"""
