"""Bias with more than two classes: do the scores of Lu et al. (2021) grow with the classes, or with their number?"""
