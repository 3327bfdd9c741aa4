"""The resolver that ships with the book: live on any text, without a download and without GAP."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.datasets.gap import CLASSES
from lib.paths import DATA

if TYPE_CHECKING:
    from lib.coreference.resolvers.examples import Examples
    from lib.coreference.resolvers.scorer import FittedScorer

SHIPPED = DATA / "models" / "resolver" / "model.safetensors"

Span = tuple[int, int]


@dataclass(frozen=True)
class ShippedResolver:
    """One scorer trained with several seeds; their mean is the resolver.

    Attributes
    ----------
    members : tuple of FittedScorer
        By seed, all with the same settings.
    """

    members: tuple["FittedScorer", ...]

    def __repr__(self) -> str:
        return f"ShippedResolver({len(self.members)} seeds on {self.members[0].settings.encoder})"

    def by_seed(
        self, passages: "pd.DataFrame | Examples", *, device: str = "auto"
    ) -> NDArray[np.float64]:
        """What each seed says, so that a difference can be set against their spread.

        Parameters
        ----------
        passages : DataFrame or Examples
            n rows: `Text`, `Pronoun`, `A`, `B` and their offsets in characters; with `URL`, the page title is read.
        device : str
            Where the encoder runs.

        Returns
        -------
        ndarray of float, shape (seeds, n, 3)
            Probabilities of A, B and NEITHER.

        Raises
        ------
        ValueError
            For missing columns, offsets at which a name is not found, or a text that is too long.
        """
        from lib.coreference.resolvers.fitting import probabilities_of

        rows = passages if isinstance(passages, pd.DataFrame) else passages.passages
        known = self.members[0].settings.inputs(rows, device=device)
        return np.array([probabilities_of(member.network, (known,)) for member in self.members])

    def probabilities(
        self, passages: "pd.DataFrame | Examples", *, device: str = "auto"
    ) -> NDArray[np.float64]:
        """The mean over the seeds, shape (n, 3); as `by_seed`."""
        return self.by_seed(passages, device=device).mean(axis=0)

    def resolve(self, text: str, pronoun: Span, a: Span, b: Span) -> pd.Series:
        """To whom a pronoun refers in one text.

        Parameters
        ----------
        text : str
        pronoun, a, b : (int, int)
            Where the pronoun and the two names are, as characters [start, stop).

        Returns
        -------
        Series
            Probabilities of A, B and NEITHER.

        Raises
        ------
        ValueError
            For a place outside the text, or a text that is too long.

        Examples
        --------
        >>> said = load_resolver().resolve("Ann thanked Eve, because she had helped Ann.", (25, 28), (0, 3), (12, 15))
        >>> said.index.tolist(), bool(abs(said.sum() - 1) < 1e-9)
        (['A', 'B', 'NEITHER'], True)
        """
        row: dict[str, object] = {"Text": text}
        for name, (start, stop) in {"Pronoun": pronoun, "A": a, "B": b}.items():
            if not 0 <= start < stop <= len(text):
                raise ValueError(
                    f"{name}: expected a place within the {len(text)} characters of the text, got {start} to {stop}"
                )
            row |= {name: text[start:stop], f"{name}-offset": start}
        return pd.Series(self.probabilities(pd.DataFrame([row]))[0], index=CLASSES)


def load_resolver(encoder: str = "minilm", path: Path = SHIPPED) -> ShippedResolver:
    """The resolver that ships with the book.

    Parameters
    ----------
    encoder : str
        What a chapter runs on. Only "minilm" has one.
    path : Path

    Returns
    -------
    ShippedResolver

    Raises
    ------
    ValueError
        For another encoder, or a file that is missing or damaged.

    Examples
    --------
    >>> load_resolver()
    ShippedResolver(5 seeds on minilm)
    """
    if encoder != "minilm":
        raise ValueError(
            f"no resolver ships for {encoder!r}, only for 'minilm'; train one on its states with "
            f"lib.coreference.resolvers.scorer.CandidateScorer(encoder={encoder!r}).fit(examples)"
        )
    return _loaded(path)


@cache
def _loaded(path: Path) -> ShippedResolver:
    import json

    from safetensors import SafetensorError, safe_open

    from lib.coreference.resolvers.scorer import fitted_from

    try:
        with safe_open(path, "pt") as file:
            settings = json.loads(file.metadata()["settings"])
            stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        seeds = sorted({int(name.partition(".")[0]) for name in stored})
        members = tuple(
            fitted_from(
                settings,
                {
                    name.removeprefix(f"{seed}."): tensor
                    for name, tensor in stored.items()
                    if name.startswith(f"{seed}.")
                },
            )
            for seed in seeds
        )
    except (SafetensorError, OSError, KeyError, TypeError, RuntimeError) as error:
        raise ValueError(
            f"{path}: missing or damaged ({error}); get it back with git, or train it: python -m scripts.resolver"
        ) from error
    return ShippedResolver(members)
