"""The tables of data that are made of registered files, so that anyone can make them again."""
