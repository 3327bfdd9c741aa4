"""Numbers as the book writes them: one form for each kind, with true minus signs."""

import re

import numpy as np

MINUS = "−"


def number(x: float, digits: int = 2) -> str:
    """A number with so many decimals.

    Parameters
    ----------
    x : float
        What is not a number is a dash.
    digits : int, optional

    Returns
    -------
    str
        With a true minus, which a number that is rounded to zero does not have.

    Examples
    --------
    >>> number(-0.348), number(-0.001), number(1302, 0), number(float("nan"))
    ('−0.35', '0.00', '1,302', '–')
    """
    if np.isnan(x):
        return "–"
    return f"{round(float(x), digits) + 0.0:,.{digits}f}".replace("-", MINUS)


def signed(x: float, digits: int = 2) -> str:
    """A difference: a number with its sign, which zero does not have.

    Examples
    --------
    >>> signed(0.348), signed(-0.348, 1), signed(-0.001), signed(-0.001, 3)
    ('+0.35', '−0.3', '0.00', '−0.001')
    """
    rounded = round(float(x), digits)
    return f"+{number(x, digits)}" if rounded > 0 else number(x, digits)


def p_text(p: float) -> str:
    """A p-value: three digits without the zero before the point, "< .001" below that.

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


def p_equals(p: float) -> str:
    """A p-value as it stands in a sentence, behind the letter.

    Examples
    --------
    >>> f"p {p_equals(0.0312)}, p {p_equals(0.0002)}"
    'p = .031, p < .001'
    """
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def interval(low: float, high: float, digits: int = 2, *, sign: bool = False) -> str:
    """The ends of an interval; with `sign` those of a difference.

    Examples
    --------
    >>> interval(-0.41, 1.82), interval(-0.41, 1.82, 1, sign=True)
    ('−0.41 to 1.82', '−0.4 to +1.8')
    """
    form = signed if sign else number
    return f"{form(low, digits)} to {form(high, digits)}"


def share(x: float, digits: int = 0) -> str:
    """A fraction in percent.

    Examples
    --------
    >>> share(0.743), share(0.0049, 1)
    ('74 %', '0.5 %')
    """
    return f"{number(100 * x, digits)} %"


def points(x: float, digits: int = 1) -> str:
    """A difference of fractions in percentage points.

    Examples
    --------
    >>> points(0.0331), points(-0.004)
    ('+3.3', '−0.4')
    """
    return signed(100 * x, digits)


def count(n: float) -> str:
    """A whole number, thousands set apart.

    Examples
    --------
    >>> count(1302)
    '1,302'
    """
    return number(n, 0)


def true_minus(text: str) -> str:
    """A text with a true minus before each number that has a hyphen for one.

    Examples
    --------
    >>> true_minus("she-he moves by -0.3 (-0.4 to -0.2)")
    'she-he moves by −0.3 (−0.4 to −0.2)'
    """
    return re.sub(r"(?<![\w-])-(?=[\d.])", MINUS, text)
