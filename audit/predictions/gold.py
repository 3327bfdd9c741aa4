"""The answers that pronoun predictions are scored against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.predictions.files import Predictions
from lib.coreference.predictions import aligned, codes
from lib.datasets.gap import KEYS, read_gap
from lib.sources import FetchError, fetch


def read_gold(source: str, ids: Sequence[str] = ()) -> tuple[str, pd.DataFrame]:
    """The passages of GAP that predictions are about.

    Parameters
    ----------
    source : str
        One of `lib.datasets.gap.KEYS`, another registry key, or a file with the columns of GAP; "" takes the part of
        GAP that the IDs are of.
    ids : sequence of str
        IDs of the predictions.

    Returns
    -------
    name : str
    passages : DataFrame
        As `lib.datasets.gap.read_gap` gives them.

    Raises
    ------
    ValueError
        Where nothing can be read, or the IDs are of no part of GAP.
    """
    if not source:
        parts = {str(identity).rpartition("-")[0] for identity in ids}
        key = f"gap_{next(iter(parts))}" if len(parts) == 1 else ""
        if key not in KEYS:
            some = ", ".join(map(repr, [*map(str, ids)][:3]))
            raise ValueError(
                f"gold: expected IDs of one part of GAP, such as 'test-1', got {some}; name the file that they are scored against with gold"
            )
        source = key
    try:
        if source in KEYS:
            return source, read_gap(source)
        path = Path(source).expanduser()
        if path.is_file():
            return path.name, read_gap(path)
        return source, read_gap(fetch(source))
    except OSError as error:
        if isinstance(error, FetchError):
            raise ValueError(f"gold: {error}") from error
        raise ValueError(f"gold: {source}: {error.strerror or error}") from error


class Scored(NamedTuple):
    """Predictions beside their answers, in the order of the passages.

    Attributes
    ----------
    gold : str
        What they are scored against.
    probabilities : dict of str to ndarray of shape (n, 3)
        By file.
    answers : ndarray of int, shape (n,)
    female : ndarray of bool, shape (n,)
    pages : ndarray of shape (n,) or None
        None where no page is named.
    """

    gold: str
    probabilities: dict[str, NDArray[np.float64]]
    answers: NDArray[np.intp]
    female: NDArray[np.bool_]
    pages: NDArray[np.object_] | None


def against_gold(files: Mapping[str, Predictions], source: str = "") -> Scored:
    """Pronoun predictions of files beside the answers of one part of GAP.

    Parameters
    ----------
    files : mapping of str to Predictions
        Of the form pronouns.
    source : str
        As in `read_gold`.

    Returns
    -------
    Scored

    Raises
    ------
    ValueError
        As `read_gold` and `lib.coreference.predictions.aligned`, with the file; and for passages of one gender only.
    """
    first = next(iter(files.values()))
    gold, passages = read_gold(source, [*first.table["ID"]])
    probabilities = {}
    for name, file in files.items():
        try:
            probabilities[name] = aligned(file.table, [*passages["ID"]])
        except ValueError as error:
            raise ValueError(f"{name}, scored against {gold}: {error}") from error
    female = (passages["gender"] == "female").to_numpy()
    if female.all() or not female.any():
        raise ValueError(
            f"gold: expected passages with feminine and with masculine pronouns, got {len(female):,} of one in {gold}"
        )
    pages = passages["URL"].to_numpy(object)
    named = all(str(page).strip() for page in pages)
    return Scored(gold, probabilities, codes(passages["answer"]), female, pages if named else None)
