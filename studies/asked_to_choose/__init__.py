"""Whether a model answers a question or its wording, which is all that the chapter asked_to_choose asks."""
