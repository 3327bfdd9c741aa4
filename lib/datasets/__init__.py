"""What registered files say: one reader each."""
