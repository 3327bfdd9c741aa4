"""Permutation tests, bootstrap intervals, null draws: arrays in, numbers out."""
