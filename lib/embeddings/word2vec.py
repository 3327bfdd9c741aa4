"""Text and binary files of word2vec, GloVe and fastText: a word and its numbers, row after row.

With a first line of two numbers, rows and dimensions, or (GloVe) without. Told apart by their
bytes, not by their names.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

Block = tuple[list[str], np.ndarray]  # words and their (b, d) float32 rows

CHUNK = 2**24  # bytes taken from a file at a time
LONGEST_WORD = 2**12  # bytes; beyond it a binary file is not what its header says
DECIMAL = re.compile(rb"[-+]?\d+\.\d+(e[-+]?\d+)?")
GENSIM = (
    "load it in gensim, if you trust where it is from, and save it in the open format: "
    "`KeyedVectors.load(path).save_word2vec_format('vectors.bin', binary=True)` (`.wv` first for a whole model)"
)


def read_rows(file: io.BufferedIOBase, path: Path, limit: int | None) -> Iterator[Block]:
    """The rows of a text or binary file, told apart by its first bytes.

    Parameters
    ----------
    file : binary file
        Opened, and unpacked where it is packed.
    path : Path
        Its name, for messages.
    limit : int or None
        The first rows only.

    Returns
    -------
    iterator of (list of str, ndarray of float32 of shape (b, d))
        Words and their rows, block by block.

    Raises
    ------
    ValueError
        When the file is of another kind or breaks its format; the line, row or byte is named.
    """
    head = file.read(CHUNK)
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05":
        raise ValueError(
            f"{path}: this is a Python pickle, which can run code when opened; {GENSIM}"
        )
    if head[:4] == b"\xba\x16\x4f\x2f":
        raise ValueError(
            f"{path}: this is a fastText model; give the .vec text file published beside it"
        )
    if head[:4] == b"PK\x03\x04":
        raise ValueError(f"{path}: this is a zip archive; unpack it first and give the file inside")
    head = head.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = head.partition(b"\n")
    header = re.fullmatch(rb"(\d{1,12})[ \t](\d{1,6})\s*", first)
    if not header:
        if b"\0" in first:
            raise ValueError(
                f"{path}: expected a line of text, got bytes that are none; a word2vec binary file begins with a line of "
                "two numbers, rows and dimensions"
            )
        return _text_blocks(head, file, path, limit)
    count, dimensions = map(int, header.groups())
    if not count or not dimensions:
        raise ValueError(
            f"{path}, line 1: expected the numbers of rows and dimensions, got {first.decode().strip()!r}"
        )
    if _looks_binary(rest, dimensions):
        return _binary_blocks(rest, file, path, (count, dimensions), len(first) + 1, limit)
    return _text_blocks(rest, file, path, limit, (count, dimensions))


def _looks_binary(rest: bytes, dimensions: int) -> bool:
    """Whether what follows the header is no row of text, nor like one: numbers with spaces between,
    hardly another byte.
    """
    fields = rest.partition(b"\n")[0].split()
    try:
        if len(list(map(float, fields[-dimensions:]))) == dimensions < len(fields):
            return False
    except ValueError:
        pass
    numbers = rest.partition(b" ")[2][: 4 * dimensions]
    if numbers and (b" " not in numbers or any(byte < 9 for byte in numbers)):
        return True
    return sum(byte in b"0123456789.eE+-naif \n" for byte in numbers) < len(numbers) / 2


def _text_blocks(
    head: bytes,
    file: io.BufferedIOBase,
    path: Path,
    limit: int | None,
    header: tuple[int, int] | None = None,
) -> Iterator[Block]:
    """Lines of a word and d numbers. Words may hold spaces (GloVe 840B has some): the last d fields
    are the numbers.
    """
    line_number, rows = (2 if header else 1), 0
    dimensions = header[1] if header else None
    for lines in _line_groups(head, file):
        dimensions = dimensions or _usual_dimensions(lines, path)
        wanted = len(lines) if limit is None else limit - rows
        words, numbers, places = [], [], []
        for place, line in enumerate(lines, line_number):
            line = line.rstrip(b" \r\t")
            if line and len(words) < wanted:
                cut = (
                    line.index(b" ")
                    if line.count(b" ") == dimensions
                    else _cut(line, dimensions, path, place)
                )
                words.append(line[:cut])
                numbers.append(line[cut + 1 :])
                places.append(place)
        if tabbed := next(filter(_ends_in_a_number, words), b""):
            place = places[words.index(tabbed)]
            raise ValueError(f"{path}, line {place:,}: {_with_spaces(tabbed)}")
        if words:
            yield _decode(words, places, path), _parse(numbers, places, dimensions, path)
        rows += len(words)
        line_number += len(lines)
        if rows == limit:
            return
    if header and rows != header[0]:
        raise ValueError(
            f"{path}: the header announces {header[0]:,} rows, got {rows:,}; the file is truncated or its first line wrong"
        )


def _line_groups(head: bytes, file: io.BufferedIOBase) -> Iterator[list[bytes]]:
    """The lines of a file, some megabytes at a time. (Only \\n ends a line: words may hold the other separators.)"""
    rest, chunk = b"", head
    while chunk:
        whole, newline, tail = chunk.rpartition(b"\n")
        if newline:
            yield (rest + whole).split(b"\n")
            rest = tail
        else:
            rest += chunk
        chunk = file.read(CHUNK)
    if rest:
        yield [rest]


def _usual_dimensions(lines: list[bytes], path: Path) -> int:
    """The commonest number of fields after the word among the first lines of a file without
    header.
    """
    counts = Counter(line.rstrip(b" \r\t").count(b" ") for line in lines[:100] if line.strip())
    dimensions = counts.most_common(1)[0][0] if counts else 0
    if not dimensions and any(b"\t" in line for line in lines[:100]):
        raise ValueError(f"{path}, line 1: {_with_spaces(lines[0])}")
    if not dimensions:
        raise ValueError(
            f"{path}, line 1: expected a word and its numbers with single spaces between, got {lines[0][:60]!r}; GloVe, "
            "fastText and word2vec text files are read"
        )
    return dimensions


def _ends_in_a_number(word: bytes) -> bool:
    """Whether a tab and a number end what would be a word."""
    return b"\t" in word and DECIMAL.fullmatch(word.rpartition(b"\t")[2]) is not None


def _with_spaces(line: bytes) -> str:
    return (
        f"expected single spaces between a word and its numbers, got tabs ({line[:40]!r}); put spaces in their place: "
        "`tr '\\t' ' ' < old.txt > new.txt`"
    )


def _cut(line: bytes, dimensions: int, path: Path, place: int) -> int:
    """Where the word ends in a line that is not of the usual number of fields."""
    parts = line.rsplit(b" ", dimensions)
    numbers = sum(DECIMAL.fullmatch(field) is not None for field in line.split(b" ")[1:])
    if len(parts) <= dimensions and b"\t" in line:
        raise ValueError(f"{path}, line {place:,}: {_with_spaces(line)}")
    if len(parts) <= dimensions or numbers > dimensions:
        raise ValueError(
            f"{path}, line {place:,}: expected a word and {dimensions} numbers, got {line.count(b' ')} fields after the "
            f"first ({line[:40]!r}…); the line is truncated or malformed"
        )
    return len(parts[0])


def _decode(words: list[bytes], places: list[int], path: Path) -> list[str]:
    """Words as text."""
    try:
        return b"\n".join(words).decode().split("\n")
    except UnicodeDecodeError:
        for word, place in zip(words, places):
            try:
                word.decode()
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{path}, line {place:,}: expected UTF-8, got {word!r} ({error.reason} at byte {error.start}); convert "
                    "the file, e.g. `iconv -f latin1 -t utf-8`"
                ) from error
        raise


def _parse(numbers: list[bytes], places: list[int], dimensions: int, path: Path) -> np.ndarray:
    """Lines of numbers as a (b, d) array."""
    import pandas as pd  # its C reader takes 30 ns a number; NumPy's own take 150 and more

    try:
        with np.errstate(over="ignore"):  # beyond float32 is infinity, which is refused later
            table = pd.read_csv(
                io.BytesIO(b"\n".join(numbers)),
                sep=" ",
                header=None,
                names=range(dimensions),
                dtype=np.float32,
                na_filter=False,
                quoting=csv.QUOTE_NONE,
                engine="c",
                low_memory=False,
                index_col=False,
            )
        if table.shape == (len(numbers), dimensions):
            return table.to_numpy()
    except ValueError:
        pass
    for line, place in zip(numbers, places):
        for field in line.split(b" "):
            try:
                float(field)
            except ValueError:
                raise ValueError(
                    f"{path}, line {place:,}: expected a word and {dimensions} numbers, got {field[:40]!r} for a number"
                ) from None
    return np.array(
        [[float(field) for field in line.split(b" ")] for line in numbers], dtype=np.float32
    )


def _binary_blocks(
    rest: bytes,
    file: io.BufferedIOBase,
    path: Path,
    header: tuple[int, int],
    start: int,
    limit: int | None,
) -> Iterator[Block]:
    """Rows of a word, a space and d little-endian float32 numbers, with a newline between rows or
    without.

    rest : the bytes read already, which begin at byte `start` of the (unpacked) file.
    """
    count, dimensions = header
    width = 4 * dimensions
    wanted = count if limit is None else min(limit, count)
    rows = 0
    while rows < wanted:
        words, starts, position = [], [], 0
        while rows + len(words) < wanted:
            space = rest.find(b" ", position)
            if space < 0 or space + 1 + width > len(rest):
                break
            words.append(rest[position:space].lstrip(b"\n"))
            starts.append(space + 1)
            position = space + 1 + width
        if words:
            vectors = np.frombuffer(b"".join(rest[at : at + width] for at in starts), dtype="<f4")
            yield (
                _decode_binary(words, rows, path),
                vectors.reshape(-1, dimensions).astype(np.float32),
            )
        rows += len(words)
        rest, start = rest[position:], start + position
        if rows < wanted:
            _check_word_end(rest, path, start, rows)
            chunk = file.read(CHUNK)
            if not chunk:
                raise ValueError(
                    f"{path}: the header announces {count:,} rows of {dimensions} numbers, got {rows:,} and {len(rest):,} "
                    f"bytes of another at byte {start:,}, where the file ends; it is truncated or its first line wrong"
                )
            rest += chunk
    if limit is None and (rest + file.read(64)).strip():
        raise ValueError(
            f"{path}: the header announces {count:,} rows of {dimensions} numbers, got more bytes after them at byte "
            f"{start:,}; its first line is wrong"
        )


def _check_word_end(rest: bytes, path: Path, start: int, rows: int) -> None:
    """Stop where no word could end: the rows are not as long as the header says."""
    if len(rest) > LONGEST_WORD and b" " not in rest[:LONGEST_WORD]:
        raise ValueError(
            f"{path}: expected a word and a space at byte {start:,} (row {rows + 1:,}), got {rest[:20]!r}…; the file is "
            "damaged, or its first line names the wrong number of dimensions"
        )


def _decode_binary(words: list[bytes], rows: int, path: Path) -> list[str]:
    """Words of a binary file as text; `rows` were read before."""
    try:
        return [word.decode() for word in words]
    except UnicodeDecodeError as error:
        row = next(row for row, word in enumerate(words) if word == error.object)
        raise ValueError(
            f"{path}: expected a word in UTF-8, got {words[row][:40]!r} in row {rows + row + 1:,} ({error.reason} at its "
            f"byte {error.start}); the file is damaged, or its first line names the wrong number of dimensions"
        ) from error
