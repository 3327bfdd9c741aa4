"""What the printed tables say together: rates of Table 5, gains by chance, Table 6 beside them."""

import pytest

from lib.ledger import claims
from studies.equalizing.printed import (
    TABLE_6,
    table_five,
    table_six,
)

PAPER = "font2019_equalizing"


@pytest.fixture(scope="module")
def printed():
    return table_five(claims.table(paper=PAPER, location="Table 5"))


def test_rows_are_those_of_the_paper_and_contexts_are_compared(printed):
    assert printed.loc[("GN-GloVe", "decoder"), "Mary"] == pytest.approx(51.8)
    assert printed.loc[("none", "none"), "pronouns"] == pytest.approx(99.7)
    assert printed.loc[("GloVe", "encoder"), "names"] == pytest.approx(0)
    assert printed.loc[("GloVe", "encoder"), "mean"] == pytest.approx((2.6 + 100 + 0 + 100) / 4)


def test_table_6_is_impossible_beside_table_5_unless_rows_are_shifted(printed):
    shown = table_six(printed["her"])
    assert len(shown) == len(TABLE_6) == 10
    mechanic = shown["refrigeration mechanic, chance"].prod()
    assert mechanic < 1e-8 < 0.5 < shown["shifted, chance"].prod()
    assert shown["mine shuttle car operator, chance"].prod() > 0.5
    feminine = (shown.filter(like="noun") == "feminine").all(axis=1)
    assert list(shown.index[feminine]) == [("GN-GloVe", "encoder and decoder")]
