"""How far a judge agrees with people, against scikit-learn."""

import numpy as np
import pandas as pd
import pytest

from lib.datasets.genderous import GENDERS
from studies.translated_gender.genderous import judge_agreement


def test_kappa_is_that_of_scikit_learn():
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(1)
    person, judge = rng.choice(GENDERS, (2, 300))
    table = pd.DataFrame({"person": person, "judge": judge, "occupation": "nurse"})
    found = judge_agreement(table, n_resamples=5, rng=0)["value"]
    assert found["kappa"] == pytest.approx(cohen_kappa_score(person, judge))
    only = [np.where(labels == "neutral", 1, 0) for labels in (person, judge)]
    assert found["kappa neutral"] == pytest.approx(cohen_kappa_score(*only))
