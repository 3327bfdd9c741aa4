"""The name of a run: its parameters in the form of a file name."""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from lib.files import text_hash

NOT_IN_THE_SLUG = ("profile", "device")
# How models are asked and files are read: left out where it is as in the runs that came before these
# parameters, whose results keep their names.
USUAL = {
    "prompt": "",
    "temperature": "0",
    "timeout": 120.0,
    "workers": 4,
    "targets": ["he/she"],
    "own_templates": "",
    "own_words": "",
    "pieces": "marginalise",
    "own_predictions": "",
    "columns": [],
    "encoding": "utf-8-sig",
}
_PLAIN = re.compile(r"[A-Za-z0-9._+-]+")
_LOOKS_HASHED = re.compile(r"-[0-9a-f]{10}$")
_LONGEST_VALUE, _LONGEST_SLUG = 60, 160


def slug(parameters: Mapping[str, Any]) -> str:
    """The file-name form of a set of parameters.

    Parameters
    ----------
    parameters : Mapping
        Values by name. `profile` and `device` are left out: they say where a run happens, not what
        it computes. So are the values of `USUAL`.

    Returns
    -------
    str
        Names in alphabetical order with their values, "default" when nothing is left. A value that is long, holds
        other characters than letters, digits and ._+-, or could be mistaken for one of another type carries a short
        hash, so that two different sets never share a slug.

    Examples
    --------
    >>> slug({"seed": 0, "embedding": "minilm", "device": "cpu"})
    'embedding=minilm,seed=0'
    >>> slug({"others": []}), slug({"others": ["gap", "news"]})
    ('others=none-4f53cda18c', 'others=gap+news-7ba74d6af0')
    """
    parts = [
        f"{_part(name)}={_part(parameters[name])}"
        for name in sorted(parameters)
        if name not in NOT_IN_THE_SLUG and (name not in USUAL or parameters[name] != USUAL[name])
    ]
    whole = ",".join(parts)
    if len(whole) > _LONGEST_SLUG:
        whole = f"{whole[: _LONGEST_SLUG - 11]}-{text_hash(whole)[:10]}"
    return whole or "default"


def as_json(value: Any) -> Any:
    """NumPy scalars and arrays, tuples and paths as the plain Python value that JSON knows."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [as_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def _part(value: Any) -> str:
    value = as_json(value)
    if isinstance(value, str):
        text, ambiguous = value, _reads_as_another_type(value) or bool(_LOOKS_HASHED.search(value))
    elif isinstance(value, list):
        text, ambiguous = "+".join(map(str, value)) or "none", True
    else:
        text, ambiguous = json.dumps(value), False
    if _PLAIN.fullmatch(text) and len(text) <= _LONGEST_VALUE and not ambiguous:
        return text
    exact = json.dumps(value, sort_keys=True)
    plain = re.sub(r"[^A-Za-z0-9._+-]", "_", text)[: _LONGEST_VALUE - 11]
    return f"{plain}-{text_hash(exact)[:10]}"


def _reads_as_another_type(text: str) -> bool:
    try:
        return not isinstance(json.loads(text), str)
    except ValueError:
        return False
