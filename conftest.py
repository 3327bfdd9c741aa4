"""What the examples of docstrings need beyond the library, and tests may use."""

import pytest


@pytest.fixture(scope="session")
def tiny_causal_model(tmp_path_factory):
    """The folder of a causal model of some words, with random weights."""
    from tests.support.tiny_models import build_causal

    return build_causal(tmp_path_factory.mktemp("tiny") / "causal")
