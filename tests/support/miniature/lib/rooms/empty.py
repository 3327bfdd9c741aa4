"""A module of lib that no chapter of the miniature loads."""
