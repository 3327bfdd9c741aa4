"""What systems of the shared task said, from their released files: labels, counts, ratios across systems."""
