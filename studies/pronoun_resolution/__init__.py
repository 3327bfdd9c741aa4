"""Webster et al. (2019), the shared task on gendered ambiguous pronouns: what its systems are worth for each gender.

Throughout, `probabilities` (n, 3) are of A, B and NEITHER; `answers` and `predicted` (n,) are their codes 0, 1 and 2;
`female` (n,) says whether a pronoun is feminine; rows of one of `pages` (n,) are drawn, shuffled or exchanged together.
Differences are feminine less masculine, ratios feminine by masculine, of log loss the other way round: below 1 is worse
on feminine pronouns.
"""
