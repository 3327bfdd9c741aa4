"""A module of lib that only the first chapter of the miniature loads."""


def scaled(values: list[float], factor: float) -> list[float]:
    """Each value times the factor."""
    return [value * factor for value in values]
