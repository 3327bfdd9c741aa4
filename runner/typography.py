"""Signs and spaces of running text as a printer sets them."""

import re

SIGN = re.compile(r"(?<![\w.)−-])-(?=\.?\d)")
_PERCENT = re.compile(r"(?<=\d) ?%(?!\w)")


def typeset(text: str) -> str:
    """Text with a true minus before a number, and percent signs that stay beside theirs.

    Parameters
    ----------
    text : str
        Running text; no code, formula or address.

    Returns
    -------
    str

    Examples
    --------
    >>> typeset("kappa -0.06 to 0.02, in 1990-2000")
    'kappa −0.06 to 0.02, in 1990-2000'
    >>> typeset("88% or 88 %") == typeset("88 % or 88%")
    True
    """
    return _PERCENT.sub("\N{NO-BREAK SPACE}%", SIGN.sub("−", text))
