"""What tests of several studies share."""

import pytest


@pytest.fixture
def registered_file(tmp_path, monkeypatch):
    """A function that puts a text in the place of every registered file that a module reads."""

    def write(module, text: str) -> None:
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(module, "fetch", lambda key: tmp_path / "file")

    return write
