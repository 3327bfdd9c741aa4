"""What a causal language model puts after an occupation, and where zero lies."""
