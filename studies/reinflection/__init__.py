"""Habash, Bouamor and Chung (2019): a first-person sentence in the other gender, as they released it and live in Spanish."""
