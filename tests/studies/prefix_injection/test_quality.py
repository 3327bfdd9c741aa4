"""BLEU and chrF with intervals: sacrebleu's own scores, changes on the same resamples, p-values that behave."""

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF

from studies.prefix_injection.quality import (
    bleu_counts,
    bleu_of_counts,
    gender_blind,
    paired_scores,
)

REFERENCES = [
    f"El número {place} está en la casa {place * place} del pueblo." for place in range(40)
]
NOISY = [
    text.replace("casa", "calle") if place % 2 else text for place, text in enumerate(REFERENCES)
]
WORSE = [text.replace("está en la", "es de una") for text in REFERENCES]


def test_scores_are_sacrebleu_s_and_changes_are_differences():
    found = paired_scores({"noisy": NOISY, "right": REFERENCES, "worse": WORSE}, REFERENCES, 200)
    for metric, outputs in ((BLEU(), NOISY), (CHRF(), WORSE)):
        expected = metric.corpus_score(outputs, [REFERENCES])
        rows = found[found["metric"] == expected.name].set_index("system")
        name = "noisy" if outputs is NOISY else "worse"
        assert rows.loc[name, "score"] == pytest.approx(expected.score)
        assert rows.loc["right", "score"] == pytest.approx(100)
        assert rows.loc["right", "change"] == pytest.approx(100 - rows.loc["noisy", "score"])
    others = found[found["system"] != "noisy"]
    assert (others["change_low"] <= others["change"]).all() and (
        others["change"] <= others["change_high"]
    ).all()
    assert others["p"].max() < 0.05 and found[found["system"] == "noisy"]["p"].isna().all()
    assert (found["low"] <= found["score"] + 1e-9).all() and (
        found["score"] <= found["high"] + 1e-9
    ).all()


def test_bleu_of_counts_is_sacrebleu_s_also_where_n_grams_are_missing():
    pairs = [
        ("a b c d e", "a b c d f"),
        ("x y z w", "a b c d"),
        ("a", "a b"),
        ("a b x d", "a b c d"),
    ]
    pairs += [("", "a b c d"), ("a c b d e f", "a b c d e f")]
    for pair in pairs:
        expected = BLEU().corpus_score([pair[0]], [[pair[1]]]).score
        assert bleu_of_counts(np.array([bleu_counts(*pair)]))[0] == pytest.approx(expected)


def test_gender_blind_texts_differ_in_no_form_of_the_speaker():
    hers, his = "Hoy estoy cansada y sola.", "Hoy estoy cansado y solo."
    assert gender_blind(hers, hers, his) == gender_blind(his, hers, his) == his
    assert gender_blind("Cansada y harta.", hers, his) == "Cansado y harta."
