"""A taxonomy of gender bias in text, and the filter that finds candidates of one of its kinds."""
