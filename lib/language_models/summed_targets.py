"""Rows of attribute and template, as the released code of Kurita et al. (2019) makes them."""

import pandas as pd
from scipy import special


def summed_targets(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each attribute and template, the probabilities of its targets added first.

    As the released code of Kurita et al. (2019) does: log(P(boys) + P(men)) − log(P(girls) +
    P(women)), not the mean over pairs of differences of logarithms.

    Parameters
    ----------
    table : DataFrame
        As `log_probability_bias` or `grammatical_bias` gives it; a target that stands in several
        pairs counts as often.

    Returns
    -------
    DataFrame
        One row for each attribute and template, in the order given: `template`, `attribute`, and in nats `log_odds`, `prior`, `bias`, the first less the second.

    Raises
    ------
    ValueError
        For a table without one of the columns it needs.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), notebooks/weat_result_replication.ipynb.

    Examples
    --------
    >>> import numpy as np
    >>> table = pd.DataFrame({"template": "t", "attribute": "a", "log_p_first": np.log([0.1, 0.3]),
    ...     "log_p_second": np.log([0.1, 0.1]), "log_prior_first": np.log([0.2, 0.2]),
    ...     "log_prior_second": np.log([0.1, 0.1])})
    >>> np.exp(summed_targets(table)[["log_odds", "prior"]]).round(6).to_numpy().tolist()
    [[2.0, 2.0]]
    """
    keys = ["template", "attribute"]
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    missing = [name for name in [*keys, *columns] if name not in table]
    if missing:
        raise ValueError(f"expected a table of log_probability_bias; it lacks {', '.join(missing)}")
    sums = table.groupby(keys, sort=False)[columns].agg(special.logsumexp).reset_index()
    log_odds = sums["log_p_first"] - sums["log_p_second"]
    prior = sums["log_prior_first"] - sums["log_prior_second"]
    return sums[keys].assign(log_odds=log_odds, prior=prior, bias=log_odds - prior)
