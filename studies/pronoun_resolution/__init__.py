"""Webster et al. (2019), the shared task on gendered ambiguous pronouns: what its released systems are worth for each gender.

Probabilities are of A, B and NEITHER; ratios are feminine over masculine, of log loss the other way round, so that below 1 is worse on feminine pronouns.
"""
