"""Does a score of vectors predict what a system that reads them does? Released points, and the same design at home."""
