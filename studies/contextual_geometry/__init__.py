"""Basta, Costa-jussà and Casas (2019): whether vectors in context lean as much as static ones, by the probes made for these."""
