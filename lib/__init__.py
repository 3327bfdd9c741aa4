"""Bias, Measured: the helper package behind the chapters."""

import os
from pathlib import Path

if os.name == "nt":
    raise ImportError("Bias, Measured runs on Linux and macOS; on Windows, install it in WSL 2.")
if not (Path(__file__).resolve().parents[1] / "data").is_dir():
    raise ImportError(
        "Bias, Measured runs from a checkout, which has its notebooks and data: "
        "git clone the repository, then run `pip install -r requirements.txt` in it."
    )

__version__ = "0.3.0.dev0"
