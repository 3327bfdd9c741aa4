"""The character model that ships with the book and rewrites Spanish first-person sentences."""
