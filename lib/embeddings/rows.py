"""Rows of a matrix larger than memory: in blocks, read from their file, or scaled when taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.floating]

BLOCK = 2**23  # numbers taken at a time: 32 MB


def row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Runs of rows that take 32 MB each, for an array of (n, d)."""
    step = max(1, BLOCK // shape[1])
    return (slice(start, min(start + step, shape[0])) for start in range(0, shape[0], step))


class FileRows:
    """The (n, d) float32 rows of a .npy file, read when they are taken.

    Where a page of a mapped file is touched, the system may count megabytes around it as resident;
    a file that is read leaves no more than the rows asked for.

    Parameters
    ----------
    path : Path
        A file that `numpy.save` wrote, in C order.
    count : int, optional
        The first so many rows only.
    """

    def __init__(self, path: Path, count: int | None = None):
        whole = np.lib.format.open_memmap(path, mode="r")
        self.path, self.mapped = path, whole[:count]
        self.shape = self.mapped.shape
        self._begin = int(whole.offset)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, rows: Any) -> Floats:
        """A copy of some rows, by any index. Raises OSError where the file is shorter now."""
        wanted = np.arange(len(self))[rows]
        flat = wanted.reshape(-1)
        taken = np.empty((len(flat), self.shape[1]), dtype=np.float32)
        breaks = np.flatnonzero(np.diff(flat, prepend=-2) != 1)
        with self.path.open("rb") as file:
            for start, stop in zip(breaks, [*breaks[1:], len(flat)]):  # runs of neighbouring rows
                run = taken[start:stop]
                file.seek(self._begin + int(flat[start]) * taken.itemsize * self.shape[1])
                if file.readinto(run.data.cast("B")) != run.nbytes:
                    raise OSError(
                        f"{self.path}: expected {len(self):,} rows, the file is shorter now; "
                        "open it again"
                    )
        return taken.reshape(*wanted.shape, self.shape[1])


class UnitRows:
    """The rows of an (n, d) matrix, scaled to length 1 when they are taken.

    ``unit[rows]`` and ``unit @ vector`` work as of an array.

    Parameters
    ----------
    rows : ndarray, memmap or FileRows of shape (n, d)
        The rows.
    """

    def __init__(self, rows: Floats | FileRows):
        self._rows = rows
        self.shape, self.dtype, self.ndim = rows.shape, np.dtype(np.float32), 2

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, rows: Any) -> Floats:
        return scaled(np.array(self._rows[rows]))

    def __matmul__(self, other: Floats) -> Floats:
        return np.concatenate([self[rows] @ other for rows in row_blocks(self.shape)])

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Floats:
        return self[:].astype(dtype or self.dtype, copy=False)


def scaled(rows: Floats) -> Floats:
    """Rows (or one row) divided by their length, in place."""
    lengths = np.sqrt(np.einsum("...i,...i->...", rows, rows, dtype=np.float64))
    rows /= lengths[..., None]
    return rows
