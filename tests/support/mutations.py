"""Small damages to a valid file, for readers of files from outside: a right result or a worded error, nothing else."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

_AWKWARD = (b"\x00", b"\xff", b"\xed\xa0\x80", b'"', b"\t", b",", b"\n", b"\r", b"{", b"[", b"nan")


def mutants(data: bytes, n: int = 300, seed: int = 0) -> Iterator[bytes]:
    """A file `n` times, each time with one or two places flipped, cut out, doubled, cut off or overwritten."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        mutant = data
        for _ in range(rng.integers(1, 3)):
            mutant = _damaged(mutant, rng)
        yield mutant


def _damaged(data: bytes, rng: np.random.Generator) -> bytes:
    at = int(rng.integers(0, len(data) + 1))
    end = min(len(data), at + int(rng.integers(1, 20)))
    match rng.integers(0, 6):
        case 0:
            flipped = bytearray(data)
            if at < len(data):
                flipped[at] ^= 1 << int(rng.integers(0, 8))
            return bytes(flipped)
        case 1:
            return data[:at]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:end] + data[at:]
        case 4:
            return data[:at] + _AWKWARD[rng.integers(0, len(_AWKWARD))] + data[at:]
        case _:
            return data[:at] + rng.bytes(end - at) + data[end:]


def flip_a_bit_and_set_the_time_back(path: Path, at: int = -1) -> None:
    """Damage that leaves size and time of a file as they were; what the system alone notes has moved on."""
    before = path.stat()
    with path.open("r+b") as file:
        place = at % before.st_size
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1]))
    while (
        path.stat().st_ctime_ns == before.st_ctime_ns
        or path.stat().st_mtime_ns != before.st_mtime_ns
    ):
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def not_worded(
    read: Callable[[Path], object], path: Path, n: int = 300, seed: int = 0, also: tuple = ()
) -> list[str]:
    """What a reader answers to damaged copies of `path` that is neither a result nor an error of ours.

    Parameters
    ----------
    read : callable
        Is given the path, which holds one damaged copy after the other.
    path : Path
        A small valid file; it is whole again afterwards.
    n, seed : int, optional
        As in `mutants`.
    also : tuple of exceptions, optional
        Other worded errors, besides ValueError and OSError of `lib`.

    Returns
    -------
    list of str
        Exceptions of another type, and messages that do not name the file; empty when all is well.
    """
    whole, bad = path.read_bytes(), []
    try:
        for number, mutant in enumerate(mutants(whole, n, seed)):
            path.write_bytes(mutant)
            try:
                read(path)
            except Exception as error:
                ours = type(error) in (ValueError, OSError, *also) or isinstance(error, also)
                if not ours or path.name not in str(error):
                    bad.append(f"{number}: {type(error).__name__}: {str(error)[:120]}")
    finally:
        path.write_bytes(whole)
    return bad
