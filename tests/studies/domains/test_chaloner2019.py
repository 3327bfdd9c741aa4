"""What Chaloner & Maldonado released: their effect sizes and p-values as a tidy table."""

import pytest

from lib.ledger import claims
from lib.ledger.printed import Printed
from studies.domains import chaloner2019
from studies.domains.chaloner2019 import DATASETS, METRICS, read_effects

BLOCK = "==> {}.cases <==\nB1: career vs family\t0.25\t1.5\nB2: maths vs arts\t0.75\t-0.5\n\n"


def released(tmp_path, monkeypatch, *names):
    path = tmp_path / "all-cases.txt"
    path.write_text("".join(BLOCK.format(name) for name in names))
    monkeypatch.setattr(chaloner2019, "fetch", lambda key: path)


def test_blocks_become_rows_with_the_paper_s_names(tmp_path, monkeypatch):
    released(tmp_path, monkeypatch, "gap-full", "PubMed-shuffle-win-2")
    effects = read_effects().set_index(["dataset", "category", "metric"])["stored"]
    assert len(effects) == 8
    assert effects["GAP", "B2 maths vs arts", "p_value"] == 0.75
    assert effects["PubMed w2", "B1 career vs family", "weat_effect_size_d"] == 1.5


@pytest.mark.sample("gebnlp_all_cases")
def test_the_released_numbers_are_one_for_each_of_the_50_of_table_2_and_round_to_them():
    effects = read_effects()
    assert len(effects) == 50 and set(effects["dataset"]) == set(DATASETS.values())
    printed = claims.table(paper="chaloner2019_domains", location="Table 2")
    both = effects.merge(printed, on=["dataset", "category", "metric"], validate="one_to_one")
    assert len(both) == 50 and set(both["metric"]) == set(METRICS)
    for row in both.itertuples():
        assert Printed.of(claims.row(row.claim_id)).matches(row.stored), row.claim_id
