"""Chaloner and Maldonado (2019): WEAT in the vectors of five domains, and new categories of words found from clusters."""
