"""Models that were trained alike, from other seeds: what of a score is the seed's."""

from collections.abc import Sequence

from lib.checks import as_list
from lib.language_models.low_rank import minilm_mlm_weights


def trained_alike(name: str, seeds: str | Sequence[str] = "all") -> list[str]:
    """The models to ask beside a model, itself first.

    Parameters
    ----------
    name : str
        Of the model of a chapter.
    seeds : str or sequence of str
        "all": those of this book that were trained as it was, where it is one of them; "none"; or names, as
        `load_transformer` takes them.

    Returns
    -------
    list of str
        One name alone where no other is known.

    Examples
    --------
    >>> trained_alike("bert-base-uncased")
    ['bert-base-uncased']
    >>> trained_alike("minilm-mlm")[0], trained_alike("bert-base-uncased", "none")
    ('minilm-mlm', ['bert-base-uncased'])
    """
    if seeds == "none":
        return [name]
    ours = list(minilm_mlm_weights())
    others = (ours if name in ours else []) if seeds == "all" else as_list(seeds)
    return list(dict.fromkeys([name, *others]))
