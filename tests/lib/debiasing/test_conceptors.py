"""Conceptors: closed forms, limits, the laws of the logic, blocks, and what bad input says."""

import functools
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lib.debiasing import apply, conceptor, conjunction, disjunction, negation, project_out

D = 5
SEEDS, SIZES, APERTURES = (
    st.integers(0, 9999),
    st.integers(1, 12),
    st.floats(-3, 6).map(lambda power: 10.0**power),
)
LISTS = st.tuples(SEEDS, SIZES).map(
    lambda made: np.random.default_rng(made[0]).standard_normal((made[1], D))
)
CONCEPTORS = st.builds(
    conceptor, LISTS, APERTURES
)  # a list of fewer than D words gives a singular one
few = settings(max_examples=40)


def random_list(n=8, d=D, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def projection(columns):
    basis = np.linalg.qr(np.asarray(columns, float).reshape(D, -1))[0]
    return basis @ basis.T


def eigenvalues(C):
    assert np.array_equal(C, C.T)
    return np.linalg.eigvalsh(C)


def jaeger_and(C, B, zero=1e-9):
    """AND as Jaeger writes it: pseudo-inverses, on a basis of the intersection of the ranges."""

    def nothing_and_inverse(M):
        values, vectors = np.linalg.eigh(M)
        kept = values > zero
        return vectors[:, ~kept], (vectors[:, kept] / values[kept]) @ vectors[:, kept].T

    (no_C, inverse_C), (no_B, inverse_B) = nothing_and_inverse(C), nothing_and_inverse(B)
    shared = nothing_and_inverse(no_C @ no_C.T + no_B @ no_B.T)[0]
    return (
        shared
        @ np.linalg.inv(shared.T @ (inverse_C + inverse_B - np.eye(len(C))) @ shared)
        @ shared.T
    )


def test_the_conceptor_of_two_orthogonal_words():
    # R = diag(9, 1) / 2; with aperture 2, s / (s + 1/4) = 18/19 and 2/3
    assert conceptor([[3, 0, 0], [0, 1, 0]], 2) == pytest.approx(
        np.diag([18 / 19, 2 / 3, 0]), abs=1e-15
    )


def test_the_conceptor_is_the_printed_formula_and_minimises_the_printed_loss():
    Z, rng = random_list(), np.random.default_rng(1)
    R, C = Z.T @ Z / len(Z), conceptor(Z, 1.5)
    assert np.allclose(C, R @ np.linalg.inv(R + np.eye(D) / 1.5**2), atol=1e-14)

    def loss(C):
        return np.sum((Z - Z @ C.T) ** 2) / len(Z) + np.sum(C**2) / 1.5**2

    assert all(loss(C) < loss(C + 1e-3 * rng.standard_normal((D, D))) for _ in range(20))


@few
@given(LISTS, APERTURES)
def test_conceptors_have_eigenvalues_from_0_to_1_and_their_negations_the_rest(Z, aperture):
    C = conceptor(Z, aperture)
    kept, left = eigenvalues(C), eigenvalues(negation(C))
    assert kept.min() >= -1e-14
    assert kept.max() < 1
    assert left.min() > 0
    assert left.max() <= 1 + 1e-14


@few
@given(LISTS, SEEDS, st.floats(0.1, 50))
def test_the_conceptor_turns_with_the_space_and_aperture_scales_with_the_words(Z, seed, scale):
    turn = np.linalg.qr(random_list(D, seed=seed))[0]
    assert np.allclose(conceptor(Z @ turn, 2), turn.T @ conceptor(Z, 2) @ turn, atol=1e-13)
    assert np.allclose(conceptor(scale * Z, 2), conceptor(Z, 2 * scale), atol=1e-13)


@few
@given(st.integers(1, D - 1), SEEDS)
def test_the_aperture_leads_from_nothing_to_the_projection_on_the_span(n, seed):
    Z = random_list(n, seed=seed)
    assert np.allclose(conceptor(Z, 1e-9), 0, atol=1e-15)
    assert np.allclose(conceptor(Z, 1e300), projection(Z.T), atol=1e-12)
    assert np.allclose(negation(conceptor(Z, 1e300)), project_out(np.eye(D), Z), atol=1e-12)


def test_a_conceptor_of_many_tokens_is_gathered_block_by_block():
    Z = np.random.default_rng(0).standard_normal((40_000, 64), dtype=np.float32)  # three blocks
    R = Z.astype(float).T @ Z / len(Z)
    assert np.allclose(conceptor(Z, 2), R @ np.linalg.inv(R + np.eye(64) / 4), atol=1e-12)


@few
@given(CONCEPTORS, CONCEPTORS, CONCEPTORS)
def test_de_morgan_order_and_grouping(C, B, A):
    assert np.allclose(
        negation(conjunction(C, B)), disjunction(negation(C), negation(B)), atol=1e-8
    )
    assert np.allclose(
        negation(disjunction(C, B)), conjunction(negation(C), negation(B)), atol=1e-8
    )
    assert np.allclose(disjunction(C, B), disjunction(B, C), atol=1e-8)
    assert np.allclose(conjunction(C, B), conjunction(B, C), atol=1e-8)
    assert np.allclose(
        disjunction(disjunction(C, B), A), disjunction(C, disjunction(B, A)), atol=1e-8
    )


@few
@given(CONCEPTORS, CONCEPTORS)
def test_and_keeps_no_more_than_either_and_or_no_less(C, B):
    both, either = conjunction(C, B), disjunction(C, B)
    for one in (C, B):
        assert eigenvalues(one - both).min() > -1e-8
        assert eigenvalues(either - one).min() > -1e-8
    assert eigenvalues(both).min() > -1e-8
    assert eigenvalues(either).max() < 1 + 1e-8


@few
@given(SEEDS, SIZES, st.floats(0.01, 1000))
def test_or_of_two_lists_of_one_size_is_the_conceptor_of_both_at_a_root_two(seed, n, aperture):
    first, second = random_list(n, seed=seed), random_list(n, seed=seed + 1)
    found = disjunction(conceptor(first, aperture), conceptor(second, aperture))
    assert np.allclose(
        found, conceptor(np.concatenate([first, second]), aperture * np.sqrt(2)), atol=1e-12
    )


SHARES = st.lists(st.sampled_from([0, 1e-6, 0.25, 0.5, 0.9, 1]), min_size=D, max_size=D).map(
    np.array
)


@few
@given(SHARES, SHARES, SEEDS)
def test_conceptors_that_commute_combine_number_by_number_whatever_the_zeros_and_ones(c, b, seed):
    turn = np.linalg.qr(random_list(D, seed=seed))[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        both = np.where(c * b > 0, c * b / (c + b - c * b), 0)
        either = np.where(c * b < 1, (c + b - 2 * c * b) / (1 - c * b), 1)
    C, B, both, either = (turn @ np.diag(values) @ turn.T for values in (c, b, both, either))
    assert np.allclose(conjunction(C, B), both, atol=1e-12)
    assert np.allclose(disjunction(C, B), either, atol=1e-12)


@few
@given(SEEDS, st.integers(1, D), st.integers(1, D), st.floats(0.3, 30))
def test_and_of_singular_conceptors_is_jaegers_on_the_intersection_of_the_ranges(
    seed, n, m, aperture
):
    first, second = random_list(n, seed=seed), random_list(m, seed=seed + 1)
    assume(max(np.linalg.cond(Z) for Z in (first, second, np.concatenate([first, second]))) < 100)
    C, B = (
        conceptor(first, aperture),
        conceptor(second, aperture),
    )  # nearly parallel lists would upset the form
    assert np.allclose(conjunction(C, B), jaeger_and(C, B), atol=1e-7)


def test_or_stays_exact_where_the_naive_inverse_fails():
    first, second = (
        random_list(20, 100),
        random_list(20, 100, seed=1),
    )  # 40 words in 100 dimensions, wide aperture
    found = disjunction(conceptor(first, 1e5), conceptor(second, 1e5))
    union = conceptor(np.concatenate([first, second]), 1e5 * np.sqrt(2))
    assert np.abs(found - union).max() < 1e-12
    S = (first.T @ first + second.T @ second) / 20
    assert np.abs(S @ np.linalg.inv(S + 1e-10 * np.eye(100)) - union).max() > 1e-8


@pytest.mark.parametrize("noise", [1e-15, 1e-6])
def test_rounding_errors_of_opposite_signs_do_not_make_a_direction(noise):
    found = conjunction(np.diag([0.5, noise]), np.diag([0.5, -1.00001 * noise]))
    assert np.allclose(found, np.diag([1 / 3, 0]), atol=2 * noise)


def test_debiasing_by_the_negation_shrinks_each_principal_direction_by_the_printed_factor():
    Z = random_list()
    values, directions = np.linalg.eigh(Z.T @ Z / len(Z))
    found = apply(negation(conceptor(Z, 2)), directions.T)
    assert np.allclose(found, (0.25 / (values + 0.25))[:, None] * directions.T, atol=1e-14)


@few
@given(
    LISTS,
    st.integers(0, 30),
    st.integers(1, 3000),
    st.sampled_from([np.float32, np.float64]),
    SEEDS,
)
def test_apply_by_blocks_equals_apply_in_one_go_and_keeps_the_precision(
    Z, n, memory, precision, seed
):
    words, G = random_list(n, seed=seed).astype(precision), negation(conceptor(Z, 2))
    found = apply(G, words, memory=memory)
    assert found.dtype == precision
    assert np.allclose(found, words @ G, atol=1e-5 if precision == np.float32 else 1e-13)
    assert (np.linalg.norm(found, axis=1) <= np.linalg.norm(words, axis=1) * (1 + 1e-5)).all()


@pytest.mark.parametrize("n", [1, 400])
def test_short_lists_take_the_shorter_product_with_the_same_result(n):
    words, G = random_list(50, 60, seed=1), negation(conceptor(random_list(n, 60), 2))
    assert np.allclose(apply(G, words), words @ G, atol=1e-13)


def test_half_precision_and_whole_numbers_are_computed_in_floats():
    G, words = negation(conceptor(random_list(), 2)), random_list(9)
    half = apply(G, words.astype(np.float16))
    assert half.dtype == np.float16
    assert np.array_equal(
        half, apply(G, words.astype(np.float16).astype(np.float32)).astype(np.float16)
    )
    assert np.allclose(apply(G, [[1, 2, 3, 4, 5]]), np.arange(1, 6) @ G)


@pytest.mark.parametrize("change", ["apply", "project_out"])
def test_a_file_goes_to_a_file_within_the_memory_given(change, tmp_path):
    shape, memory = (10_000, 50), 2**16
    words = np.lib.format.open_memmap(tmp_path / "words.npy", "w+", np.float32, shape)
    words[:] = np.random.default_rng(0).standard_normal(shape)
    out = np.lib.format.open_memmap(tmp_path / "out.npy", "w+", np.float32, shape)
    Z = random_list(100, 50)
    G = negation(conceptor(Z, 2))
    call = (
        functools.partial(apply, G, words)
        if change == "apply"
        else functools.partial(project_out, words, Z[:3])
    )
    tracemalloc.start()
    found = call(memory=memory, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found is out
    assert peak < 3 * memory  # the file has 30 times as much
    expected = words @ G if change == "apply" else project_out(words[:].astype(float), Z[:3])
    assert np.allclose(np.load(tmp_path / "out.npy"), expected, atol=1e-5)


WORDS, HALF = np.ones((4, 3)), np.eye(3) / 2
HOLE = np.where(np.arange(12).reshape(4, 3) == 7, np.nan, 1.0)


def test_bad_input_says_what_was_expected_what_came_and_what_to_do(refuses):
    refuses(lambda: conceptor(WORDS, 0), ["aperture", "above 0", "got 0"])
    refuses(lambda: conceptor(HOLE, 2), ["Z", "NaN", "row 2", "leave such rows out"])
    refuses(lambda: apply(WORDS, HALF), ["C", "(d, d)", "(4, 3)"])
    refuses(lambda: negation([[0.5, 0.4], [0, 0.5]]), ["C", "symmetric"])
    refuses(lambda: conjunction(HALF, 9 * HALF), ["B", "[0, 1]", "4.5", "not R"])
    refuses(lambda: disjunction(HALF, np.eye(2)), ["C and B", "one size", "[3, 2]"])
    refuses(lambda: apply(HALF, np.ones((4, 5))), ["words", "3 dimensions", "5", "one embedding"])
    refuses(lambda: apply(HALF, HOLE, memory=1), ["words", "NaN", "row 2"])
    refuses(lambda: apply(HALF, WORDS, out=WORDS), ["out", "apart from words", "pass a new one"])
