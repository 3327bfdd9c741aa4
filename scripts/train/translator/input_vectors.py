"""Vectors of pieces that an encoder can start from: GloVe of the source sentences, and what is made
of it.

A word takes part in its small and its capital spelling where each is one piece of the vocabulary.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.debiasing.projection import hard_debias, pair_direction, project_out
from lib.embeddings.glove import train_glove
from lib.lexicons import base_pairs, word_list
from lib.measures.cooccurrence import cooccurrences
from scripts.train.translator.tokenizer import Pieces
from studies.equalizing.embedding_arms import ARMS

# As in Table 3 of Escudé Font and Costa-jussà (2019).
WINDOW, EPOCHS, X_MAX, MIN_COUNT = 15, 15, 10, 5
FIRST_PIECE = 3  # those before mark padding, unknown letters and the end


def glove_of_pieces(
    source: Pieces, size: int, width: int, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.float32]:
    """GloVe vectors of the pieces of one side of a corpus.

    Parameters
    ----------
    source : Pieces
        Of the sentences; no window reaches from one to the next.
    size : int
        Pieces of the vocabulary.
    width : int
        Length of a vector.
    rng : Generator, int or None

    Returns
    -------
    ndarray of shape (size, width)
        NaN for pieces that occur fewer than five times, and for marks.

    References
    ----------
    Pennington, Socher & Manning (2014); settings of Escudé Font & Costa-jussà (2019), Table 3.
    """
    occurrences = np.bincount(source.flat, minlength=size)
    known = (occurrences >= MIN_COUNT) & (np.arange(size) >= FIRST_PIECE)
    numbers = np.where(known, np.cumsum(known) - 1, -1)
    sentences = np.split(numbers[source.flat], np.cumsum(source.lengths)[:-1])
    counts = cooccurrences(sentences, int(known.sum()), WINDOW, weighted=True)
    vectors = np.full((size, width), np.nan, np.float32)
    vectors[known] = train_glove(counts, width, epochs=EPOCHS, x_max=X_MAX, rng=rng).vectors
    return vectors


def arm_vectors(
    arm: str, glove: NDArray, tokenizer, *, rng: np.random.Generator | int | None = None
) -> NDArray[np.float32]:
    """What the encoder of an arm starts from.

    Parameters
    ----------
    arm : str
        "random": nothing is given, the model keeps its own; "glove": GloVe; "hard-debiased": the
        first component of Bolukbasi's ten pairs taken out of all but gender-specific words, the
        pairs equalised; "reserved": the component taken out of all words, and a dimension of its
        own that is 0 but for gender-specific words; "random-projection": a random direction taken
        out of the words that hard debiasing neutralises.
    glove : (n, d) array
        As `glove_of_pieces`.
    tokenizer
        Of the n pieces.
    rng : Generator, int or None
        For the random direction.

    Returns
    -------
    ndarray of shape (n, d)
        Rows of length 1, as long as the random ones are on average; NaN where a piece keeps those.

    Raises
    ------
    ValueError
        For another arm, and where no pair of the contrast is in the vocabulary.

    References
    ----------
    Bolukbasi et al. (2016); Zhao et al. (2018) for the reserved dimension, which they learn with
    two more terms of GloVe's objective and which is put in afterwards here.
    """
    one_of("arm", arm, ARMS)
    vectors = np.full(glove.shape, np.nan, np.float32)
    if arm == "random":
        return vectors
    known = ~np.isnan(glove).any(axis=1)
    words = glove[known].astype(float)
    row = np.where(known, np.cumsum(known) - 1, -1)
    pairs = row[contrast_pairs(tokenizer, known)]
    direction = pair_direction(words[pairs[:, 0]], words[pairs[:, 1]])
    poles = [row[pieces_of(tokenizer, pole_words(pole), known)] for pole in (0, 1)]
    spared = np.isin(np.arange(len(words)), np.concatenate(poles))
    if arm == "hard-debiased":
        words = hard_debias(words, direction, spared=spared, equal=pairs)
    elif arm == "reserved":
        words = with_reserved_dimension(words, direction, *poles)
    elif arm == "random-projection":
        other = np.random.default_rng(rng).normal(size=words.shape[1])
        words = np.where(spared[:, None], words, project_out(words, other))
    vectors[known] = words / np.linalg.norm(words, axis=1, keepdims=True)
    return vectors


def with_reserved_dimension(
    words: ArrayLike, direction: ArrayLike, female: ArrayLike, male: ArrayLike
) -> NDArray[np.float64]:
    """Words without a direction in d − 1 dimensions, and a last one that only gendered words use.

    Parameters
    ----------
    words : array_like of shape (n, d)
    direction : array_like of shape (d,)
        Of any length.
    female, male : array_like of int
        Rows whose last number is √½ and −√½; that of the others is 0.

    Returns
    -------
    ndarray of shape (n, d)
        Rows of length 1.

    Examples
    --------
    >>> with_reserved_dimension([[3, 4], [1, -1]], [1, 0], [1], []).round(2)
    array([[ 1.  ,  0.  ],
           [-0.71,  0.71]])
    """
    words, direction = np.asarray(words, float), np.asarray(direction, float)
    # the other rows of an orthogonal matrix whose first is the direction
    basis = np.linalg.qr(np.column_stack([direction, np.eye(len(direction))]))[0][:, 1:]
    basis = basis * np.where(basis[np.abs(basis).argmax(axis=0), range(basis.shape[1])] < 0, -1, 1)
    rest = words @ basis
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    last = np.zeros(len(words))
    last[np.asarray(female, int)], last[np.asarray(male, int)] = np.sqrt(0.5), -np.sqrt(0.5)
    return np.column_stack([rest * np.sqrt(1 - last**2)[:, None], last])


def contrast_left(matrix: ArrayLike, tokenizer, known: ArrayLike) -> dict[str, float]:
    """How far occupations lie along the contrast of the ten pairs, in one matrix of vectors.

    Parameters
    ----------
    matrix : array_like of shape (n, d)
    tokenizer
        Of the n pieces.
    known : array_like of bool, shape (n,)
        Pieces that count.

    Returns
    -------
    dict
        occupations, pieces: mean absolute cosine with the first component of the pairs' differences,
        in [0, 1], of occupations that are one piece, and of all pieces that no list calls
        gender-specific; of a random direction about √(2 / πd). n: occupations.
    """
    matrix, known = np.asarray(matrix, float), np.asarray(known, bool)
    pairs = contrast_pairs(tokenizer, known)
    direction = pair_direction(matrix[pairs[:, 0]], matrix[pairs[:, 1]])
    cosines = np.abs(matrix @ direction) / np.linalg.norm(matrix, axis=1).clip(1e-9)
    gendered = pieces_of(tokenizer, [*pole_words(0), *pole_words(1)], known)
    neutral = known & ~np.isin(np.arange(len(matrix)), gendered)
    occupations = pieces_of(tokenizer, word_list("occupations/occupations"), neutral)
    return {
        "occupations": float(cosines[occupations].mean()),
        "pieces": float(cosines[neutral].mean()),
        "n": len(occupations),
    }


def contrast_pairs(tokenizer, known: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Pieces of Bolukbasi's ten pairs, (p, 2), feminine first, in each spelling that both have.

    Raises
    ------
    ValueError
        Where no pair is in the vocabulary.
    """
    rows = [
        pair
        for words in base_pairs("bolukbasi2016")
        for pair in zip(*(spellings(word) for word in words))
    ]
    found = [[tokenizer.token_to_id(word) for word in pair] for pair in rows]
    pairs = [pair for pair in dict.fromkeys(map(tuple, found)) if None not in pair]
    pairs = [pair for pair in pairs if known[list(pair)].all()]
    if not pairs:
        raise ValueError(
            "expected a vocabulary with both words of a pair such as she and he as single pieces, "
            "got none; give more text or more pieces"
        )
    return np.array(pairs)


def pole_words(pole: int) -> list[str]:
    """Gender-specific words, the feminine (0) or the masculine ones (1), those of the pairs too."""
    listed = word_list(f"gender_specific/{('female', 'male')[pole]}")
    return [*dict.fromkeys([*listed, *(pair[pole] for pair in base_pairs("bolukbasi2016"))])]


def pieces_of(tokenizer, words: Sequence[str], known: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Numbers of the pieces, among the known, that are one of the words in some spelling."""
    numbers = (tokenizer.token_to_id(piece) for word in words for piece in spellings(word))
    found = dict.fromkeys(number for number in numbers if number is not None and known[number])
    return np.array(list(found), dtype=np.intp)


def spellings(word: str) -> Iterator[str]:
    """A word at the beginning of a piece, in small letters and with a capital."""
    return (f"▁{spelt}" for spelt in (word.lower(), word.lower().capitalize()))
