"""A room of lib that only the miniature's first chapter enters; tests copy it into their own lib."""


def scaled(values: list[float], factor: float) -> list[float]:
    """Each value times the factor."""
    return [value * factor for value in values]
