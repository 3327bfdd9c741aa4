"""Numbers as the chapters on resolvers write them."""


def p_text(p: float) -> str:
    """A p-value: three digits without the zero, "< .001" below that.

    Parameters
    ----------
    p : float

    Returns
    -------
    str

    Raises
    ------
    ValueError
        For a number outside 0 to 1.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.0002), p_text(1.0)
    ('.031', '< .001', '1')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"expected a p-value from 0 to 1, got {p}")
    if p < 0.001:
        return "< .001"
    return "1" if p >= 0.9995 else f"{p:.3f}"[1:]


def points(share: float) -> str:
    """A difference of shares in percentage points, with its sign and a true minus.

    Parameters
    ----------
    share : float
        As a fraction.

    Returns
    -------
    str

    Examples
    --------
    >>> points(0.0331), points(-0.004)
    ('+3.3', '−0.4')
    """
    return f"{100 * share:+.1f}".replace("-", "−")
