"""Conceptors: is a soft projection better at taking bias out of word vectors? After Karve, Ungar and Sedoc (2019)."""
