import pytest

from lib.datasets.winogender import read_occupation_shares


@pytest.mark.sample("winogender_occupations_stats")
def test_the_released_table_has_two_shares_for_each_of_sixty_occupations():
    shares = read_occupation_shares()
    assert shares.shape == (60, 2) and shares.to_numpy().min() >= 0
    assert shares.loc["nurse"].tolist() == [89.58, 88.31]
