"""Text by culture: an embedding for each U.S. state or country, and biases beside gender gaps.

    python -m lib.cultures FILE --text-column body --place-column where --output DIR
    python -m lib.cultures split | train | bias | status …

The first sorts and cleans the messages, trains an embedding for each culture, writes a table of
biases and a figure; the second does the same step by step, each with --help. Everything may be
stopped at any moment and called again: what is done and unchanged is not done again.
"""
