"""MiniLM whose layers were all changed by low-rank products: merging, bad files."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from lib.language_models.low_rank import DOWN, UP, minilm_mlm, seed_weights
from lib.language_models.minilm import untrained_minilm

MATRIX = "bert.encoder.layer.3.attention.self.key.weight"


def test_the_product_of_the_factors_is_added_to_the_own_weights(tmp_path):
    torch.manual_seed(0)
    up, down = torch.randn(384, 5).half(), torch.randn(5, 384).half()
    path = tmp_path / "model.safetensors"
    save_file({MATRIX + UP: up, MATRIX + DOWN: down}, path)
    own, changed = untrained_minilm().state_dict(), minilm_mlm(path).state_dict()
    assert torch.allclose(changed[MATRIX] - own[MATRIX], up.float() @ down.float(), atol=1e-4)
    assert all(torch.equal(own[name], changed[name]) for name in own if name != MATRIX)


def test_seeds_are_found_by_their_number_and_in_its_order(tmp_path):
    for seed in (10, 2):
        (tmp_path / f"seed{seed}").mkdir()
        (tmp_path / f"seed{seed}" / "model.safetensors").touch()
    (tmp_path / "seed3").mkdir()  # a training under way
    assert list(seed_weights(tmp_path)) == [2, 10]


factor = torch.ones(384, 2)
BAD = {
    "no such file": (None, ["model.safetensors", "get it back with git"]),
    "not a safetensors file": (b"none", ["damaged", "get it back with git"]),
    "one factor of two": ({MATRIX + DOWN: factor.T}, ["damaged", MATRIX + UP]),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_its_weights_is_refused(name, tmp_path, refuses):
    content, said = BAD[name]
    path: Path = tmp_path / "model.safetensors"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        save_file({key: value.contiguous() for key, value in content.items()}, path)
    refuses(lambda: minilm_mlm(path), said)
