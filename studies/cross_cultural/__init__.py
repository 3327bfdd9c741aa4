"""Friedman, Schmer-Galunder, Chen and Rye (2019): do the gender biases of cultures go with their gender gaps?"""
