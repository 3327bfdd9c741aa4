"""The filter that finds candidates for gender generalisation, one kind of gender bias in text."""
