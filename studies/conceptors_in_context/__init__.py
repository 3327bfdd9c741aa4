"""Conceptors in context: what does a conceptor do to the tokens of words? After Karve, Ungar and Sedoc (2019), Section 5."""
