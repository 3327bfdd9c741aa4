"""Treatments of word vectors, and association tests after each: the experiment of Karve et al.

A change is a function from the (n, d) vectors of some words to their changed vectors. A treatment
is a pair (method, list): the method that makes the change, and the word list it is made from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.association import associations, effect_size, effect_size_interval, weat
from lib.checks import real_numbers, unit_rows
from lib.debiasing.conceptors import apply, conceptor, disjunction, negation
from lib.debiasing.projection import hard_debias, pair_direction, principal_directions, project_out
from lib.debiasing.rows import Array
from lib.inference.sums import p_of_draws

Change = Callable[[Array], Array]
Treatment = tuple[str, str]
UNTREATED: Treatment = ("Without Debiasing", "none")
COLUMNS = ["method", "list", "d", "low", "high", "p", "d held out", "p held out", "result"]


class WordVectors(Protocol):
    """Words with their (n, d) vectors, as `Embedding.rows` returns them."""

    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def vectors(self) -> Array: ...


class WordPairs(Protocol):
    """Pairs of words with the (p, d) vectors of both sides, as `Embedding.pairs` returns them."""

    @property
    def female(self) -> Array: ...
    @property
    def male(self) -> Array: ...
    @property
    def kept(self) -> tuple[tuple[str, str], ...]: ...


def conceptor_negation(Z: ArrayLike, aperture: float) -> Change:
    """The change that damps what a list of vectors spans.

    Parameters
    ----------
    Z : array_like of shape (n, d)
        Vectors of the list.
    aperture : float
        Of the conceptor, above 0.

    Returns
    -------
    callable
        From (m, d) to (m, d).

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 2.1.

    Examples
    --------
    >>> conceptor_negation([[2, 0]], aperture=1)([[5.0, 1.0]]).round(6).tolist()
    [[1.0, 1.0]]
    """
    return partial(apply, negation(conceptor(Z, aperture)))


def linear_changes(
    lists: Mapping[str, Array], aperture: float, joined: Mapping[str, float]
) -> dict[Treatment, Change]:
    """The first component of each list removed, its conceptor negated, and the lists joined by OR.

    Parameters
    ----------
    lists : dict of str to ndarray of shape (n, d)
        Name -> vectors of its words or tokens. A list of fewer than two is left out.
    aperture : float
        Of the conceptor of each list by itself.
    joined : dict of str to float
        The lists that OR joins, each with the aperture of its conceptor there; OR is left out
        where one of them is.

    Returns
    -------
    dict of (str, str) to callable
        Treatment -> change.

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 4; "Mu et al." is the first component *of the list*, as in
    their code.

    Examples
    --------
    >>> lists = {"pronouns": np.eye(3)[:2], "names": np.eye(3)[1:]}
    >>> list(linear_changes(lists, 2, joined={"pronouns": 2, "names": 2}))[2:]
    [('Conceptor Negation', 'pronouns'), ('Conceptor Negation', 'names'), ('Conceptor Negation',
    'OR')]
    """
    lists = {name: Z for name, Z in lists.items() if len(Z) > 1}
    changes: dict[Treatment, Change] = {
        ("Mu et al.", name): partial(project_out, directions=principal_directions(Z))
        for name, Z in lists.items()
    }
    for name, Z in lists.items():
        changes["Conceptor Negation", name] = conceptor_negation(Z, aperture)
    if joined and joined.keys() <= lists.keys():
        either = reduce(disjunction, [conceptor(lists[name], a) for name, a in joined.items()])
        changes["Conceptor Negation", "OR"] = partial(apply, negation(either))
    return changes


def hard_changes(
    words: Sequence[str],
    lists: Mapping[str, Collection[str]],
    definitional: WordPairs,
    equalised: WordPairs,
) -> dict[Treatment, Change]:
    """Hard debiasing with each list as the words that are spared.

    Parameters
    ----------
    words : sequence of str
        The n words that are to be changed.
    lists : dict of str to collection of str
        Name -> words that keep the direction.
    definitional : WordPairs
        Pairs that give the direction; with fewer than two there is none, and no change.
    equalised : WordPairs
        Pairs that are set level.

    Returns
    -------
    dict of (str, str) to callable
        Treatment -> change of the (n, d) vectors of just these words.

    References
    ----------
    Bolukbasi et al. (2016), through `hard_debias`.
    """
    if len(definitional.kept) < 2:
        return {}
    direction = pair_direction(definitional.female, definitional.male)
    return {
        ("Bolukbasi et al.", name): partial(
            _hard_change, words=words, direction=direction, spared=set(spared), equalised=equalised
        )
        for name, spared in lists.items()
    }


def _hard_change(
    vectors: Array,
    words: Sequence[str],
    direction: Array,
    spared: Collection[str],
    equalised: WordPairs,
) -> Array:
    """The words after hard debiasing together with the pairs that are set level."""
    vector_of = dict(zip(words, vectors, strict=True))
    for pair, sides in zip(equalised.kept, zip(equalised.female, equalised.male)):
        for word, vector in zip(pair, sides):
            vector_of.setdefault(word, vector)
    row_of = {word: row for row, word in enumerate(vector_of)}
    changed = hard_debias(
        np.stack(list(vector_of.values())),
        direction,
        spared=[word in spared for word in vector_of],
        equal=[[row_of[first], row_of[second]] for first, second in equalised.kept],
    )
    return changed[[row_of[word] for word in words]]


def treated(sets: Sequence[WordVectors], change: Change) -> list[Array]:
    """The vectors of several word sets after one change, made on all of them together.

    Parameters
    ----------
    sets : sequence of WordVectors
        Each of (n, d).
    change : callable
        From (m, d) to (m, d), m being the words of all sets.

    Returns
    -------
    list of ndarray
        The changed vectors of each set.
    """
    changed = change(np.concatenate([part.vectors for part in sets]))
    return np.split(changed, np.cumsum([len(part.words) for part in sets])[:-1])


def effect_sizes(
    tests: Mapping[str, Sequence[WordVectors]], change: Change, *, ddof: int = 0
) -> dict[str, float]:
    """The effect size of several association tests after one linear change.

    Parameters
    ----------
    tests : dict of str to four WordVectors
        Name -> X, Y, A, B.
    change : callable
        From (m, d) to (m, d), the same for every word.
    ddof : int
        1 (sample) or 0 (population deviation).

    Returns
    -------
    dict of str to float
        Name -> WEAT's effect size, positive where X goes with A.

    Raises
    ------
    ValueError
        As `lib.association.effect_size`.

    References
    ----------
    Caliskan, Bryson & Narayanan (2017).
    """
    changed = treated([part for sets in tests.values() for part in sets], change)
    sizes = {}
    for number, test in enumerate(tests):
        X, Y, A, B = changed[4 * number : 4 * number + 4]
        sizes[test] = effect_size(associations(X, A, B), associations(Y, A, B), ddof)
    return sizes


def beside_random_lists(effect: float, random: ArrayLike) -> dict[str, float]:
    """An effect size beside those that random lists leave.

    Parameters
    ----------
    effect : float
        After the conceptor of the list.
    random : array_like of shape (draws,)
        After conceptors of random lists.

    Returns
    -------
    dict of str to float
        `median`, `low` and `high`, the central 90 %; `p`, the share of lists, the given one
        counted among them, after which ``|d|`` is as small as after it or smaller.

    Raises
    ------
    ValueError
        Without a random list.

    Examples
    --------
    >>> beside_random_lists(-0.2, [0.1, 0.5, 0.6])["p"]
    0.5
    """
    values: NDArray[np.float64] = real_numbers("random", random)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"random: expected (draws,) effect sizes, got shape {values.shape}")
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    return {
        "median": float(median),
        "low": float(low),
        "high": float(high),
        "p": p_of_draws(-abs(effect), -np.abs(values), tolerance=1e-12),
    }


def run_tests(
    tests: Mapping[str, Sequence[WordVectors]],
    lists: Mapping[str, Sequence[str]],
    vectors_of: Callable[[Sequence[str]], Array],
    *,
    aperture: float,
    joined: Mapping[str, float],
    pairs: Sequence[WordPairs] = (),
    ddof: int = 0,
    method: str = "auto",
    paired: Collection[str] = (),
    n_resamples: int = 0,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Association tests after every treatment, with and without the tested words on the lists.

    Parameters
    ----------
    tests : dict of str to four WordVectors
        Name -> X, Y, A, B.
    lists : dict of str to sequence of str
        Name -> words that treatments are made from.
    vectors_of : callable
        From words to the vectors of those that there are: (k, d), also (0, d).
    aperture, joined
        As in `linear_changes`.
    pairs : sequence of two WordPairs, optional
        Pairs that define a direction and pairs to set level; without them no hard debiasing.
    ddof : int
        Of the effect size, 1 (sample) or 0 (population deviation).
    method : str
        How p is computed: "auto", "exact", "grid" or "sampled", as in `lib.association.weat`.
    paired : collection of str
        The tests whose attribute words come in pairs, resampled together where A and B still have
        one length.
    n_resamples : int
        Bootstrap resamples of the words behind the interval of the untreated d; 0 for none.
    rng : Generator or int, optional
        Generator or seed of the intervals.

    Returns
    -------
    DataFrame
        One row a test and treatment: `test`; `method`, `list` and both as `treatment`, "as trained"
        for none; `d`, positive where X goes with A, with `low` and `high` where it is untreated;
        `p`, the share of splits of X and Y that do as well; `d held out` and `p held out`, the same
        with the words of the test taken off all lists and pairs first, NaN where then too few are
        left; `result`, the `WeatResult` behind d and p.

    Raises
    ------
    ValueError
        As `lib.association.weat`.

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 5.
    """
    on_all_words = linear_changes(_vectors(lists, vectors_of), aperture, joined)
    untreated: dict[Treatment, Change] = {UNTREATED: np.asarray}
    tables = {}
    for test, sets in tests.items():
        words = [word for part in sets for word in part.words]
        tested = {word.lower() for word in words}
        others = {
            name: [word for word in listed if word.lower() not in tested]
            for name, listed in lists.items()
        }
        on_others = linear_changes(_vectors(others, vectors_of), aperture, joined)
        changes, held_out = untreated | on_all_words, untreated | on_others
        if pairs:
            changes |= hard_changes(words, lists, *pairs)
            held_out |= hard_changes(words, others, *(_less(part, tested) for part in pairs))
        tables[test] = _effects(sets, changes, ddof, method).join(
            _effects(sets, held_out, ddof, method)[["d", "p"]].add_suffix(" held out")
        )
        tables[test][["low", "high"]] = np.nan
        if n_resamples:
            X, Y, A, B = (part.vectors for part in sets)
            in_pairs = test in paired and len(A) == len(B)
            tables[test].loc[UNTREATED, ["low", "high"]] = effect_size_interval(
                X, Y, A, B, ddof=ddof, paired=in_pairs, n_resamples=n_resamples, rng=rng
            )
    if not tables:
        return pd.DataFrame(columns=["test", "treatment", *COLUMNS])
    table = pd.concat(tables, names=["test"]).reset_index()
    label = (table["method"] + ", " + table["list"]).replace(", ".join(UNTREATED), "as trained")
    return table.assign(treatment=label)[["test", "treatment", *COLUMNS]]


def _effects(
    sets: Sequence[WordVectors], changes: Mapping[Treatment, Change], ddof: int, method: str
) -> pd.DataFrame:
    """The test of four word sets after each change, a row each."""
    results = [
        weat(*treated(sets, change), ddof=ddof, method=method) for change in changes.values()
    ]
    return pd.DataFrame(
        {
            "d": [result.effect_size for result in results],
            "p": [result.pvalue for result in results],
            "result": results,
        },
        index=pd.MultiIndex.from_tuples(changes, names=["method", "list"]),
    )


def stacked_tokens(tokens: Mapping[str, Array], words: Iterable[str]) -> Array:
    """The tokens of a list of words, one below the other.

    Parameters
    ----------
    tokens : dict of str to ndarray of shape (t, d)
        Word in small letters -> vectors of its tokens; one word or more.
    words : iterable of str
        Words, in any case, once each; those without tokens are passed over.

    Returns
    -------
    ndarray of shape (m, d)
        In the order of the words; (0, d) where none has tokens.

    Examples
    --------
    >>> stacked_tokens({"he": np.ones((2, 3))}, ["He", "she", "he"]).shape
    (2, 3)
    """
    none = next(iter(tokens.values()))[:0]
    held = [word for word in dict.fromkeys(map(str.lower, words)) if word in tokens]
    return np.concatenate([none, *(tokens[word] for word in held)])


class FrobeniusForm(NamedTuple):
    """The paper's two ways of writing WEAT.

    Attributes
    ----------
    norm : float
        ``‖(X - Y)ᵀ (A - B)‖``, 0 or more; it depends on the order of the words.
    weat : float
        The sum of that matrix over the number of words in X: the WEAT score as printed, positive
        where X goes with A. Where all four sets have one size, `norm` is a bound of its size.
    """

    norm: float
    weat: float


def frobenius_form(X: ArrayLike, Y: ArrayLike, A: ArrayLike, B: ArrayLike) -> FrobeniusForm:
    """The Frobenius norm that the paper puts in the place of WEAT, on unit vectors.

    Parameters
    ----------
    X, Y : array_like of shape (n, d)
        Target words, row j of one facing row j of the other.
    A, B : array_like of shape (m, d)
        Attribute words, likewise.

    Returns
    -------
    FrobeniusForm

    Raises
    ------
    ValueError
        Where a pair of sets has two sizes, or a vector has no direction.

    References
    ----------
    Karve, Ungar & Sedoc (2019), Section 3.

    Examples
    --------
    >>> frobenius_form([[1, 0]], [[0, 1]], [[2, 0]], [[0, 2]])
    FrobeniusForm(norm=2.0, weat=2.0)
    """
    x, y, a, b = (unit_rows(name, rows) for name, rows in (("X", X), ("Y", Y), ("A", A), ("B", B)))
    if len(x) != len(y) or len(a) != len(b):
        raise ValueError(
            "expected X as long as Y and A as long as B, "
            f"got {len(x)}, {len(y)}, {len(a)} and {len(b)} words"
        )
    product = (x - y) @ (a - b).T
    return FrobeniusForm(float(np.linalg.norm(product)), float(product.sum() / len(x)))


def _vectors(
    lists: Mapping[str, Sequence[str]], vectors_of: Callable[[Sequence[str]], Array]
) -> dict[str, Array]:
    return {name: vectors_of(words) for name, words in lists.items()}


class _Pairs(NamedTuple):
    female: Array
    male: Array
    kept: tuple[tuple[str, str], ...]


def _less(pairs: WordPairs, words: Collection[str]) -> WordPairs:
    """The pairs of which neither word is among some words in small letters."""
    rows = [
        row
        for row, pair in enumerate(pairs.kept)
        if not any(word.lower() in words for word in pair)
    ]
    return _Pairs(pairs.female[rows], pairs.male[rows], tuple(pairs.kept[row] for row in rows))
