"""Occupations of biographies: what a classifier owes to gender, and what a gap between genders is worth.

counts = rates.confusions(truth, predicted, female)
rates.gap_summary(counts)        # mean gaps, intervals, and what a fair classifier would show
"""
