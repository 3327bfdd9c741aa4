"""What trained the models of data/models: each script with a card of what it made."""
