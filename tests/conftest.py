"""Fixtures shared by all tests."""

import functools
import hashlib
import http.server
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from lib.embeddings import Embedding
from lib.sources import registry as registry_module
from tests.support.browser import browser  # noqa: F401  (a fixture)


@pytest.fixture
def displayed(monkeypatch):
    """What a piece of a page displays, each with its options, in the order in which it does."""
    seen = []
    monkeypatch.setattr(
        "IPython.display.display", lambda *data, **options: seen.append((data[0], options))
    )
    return seen


@pytest.fixture
def refuses():
    """A check that a call raises ValueError with a message that holds every fragment: expected, got, what to do."""

    def check(call, fragments):
        with pytest.raises(ValueError) as error:
            call()
        assert [fragment for fragment in fragments if fragment not in str(error.value)] == []

    return check


@pytest.fixture
def figures_are_closed():
    """Close what a test has drawn."""
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.fixture
def loaded_by():
    """A function from a module to those of some libraries that importing it, in a fresh process, loads."""

    def find(module, libraries):
        code = (
            f"import sys, {module}; print(*[name for name in {libraries!r} if name in sys.modules])"
        )
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()

    return find


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty cache of its own, and no mirror. Returns its folder."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("BIASBOOK_CACHE", str(folder))
    monkeypatch.delenv("BIASBOOK_MIRROR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


@pytest.fixture
def register(tmp_path, monkeypatch):
    """A function that makes a registry of one file: register(url, content or hash, key="file")."""

    def write(url: str, content: bytes | str, key: str = "file", size: int | None = None) -> Path:
        digest = (
            content if isinstance(content, str) else f"sha256:{hashlib.sha256(content).hexdigest()}"
        )
        path = tmp_path / "registry.csv"
        path.write_text(
            f"{','.join(registry_module.COLUMNS)}\n{key},{url},{digest},{size or len(content)},CC0,a test file\n"
        )
        monkeypatch.setattr(registry_module, "REGISTRY", path)
        return path

    return write


@pytest.fixture
def server(tmp_path):
    """A file server on 127.0.0.1: put files into `server.folder`, fetch them from `server.url`; `server.asked` counts."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            served.asked += 1
            if served.gather:
                served.gather.wait(timeout=20)
            if served.asked <= served.broken:
                self.send_error(503)
            else:
                super().do_GET()

        def log_message(self, *arguments):
            pass

    served = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
    )
    served.folder, served.url, served.asked = (
        folder,
        f"http://127.0.0.1:{served.server_address[1]}",
        0,
    )
    served.broken = 0  # so many answers say that the service is not available
    served.gather = None  # a threading.Barrier makes requests wait for one another
    thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield served
    served.shutdown()
    served.server_close()


@pytest.fixture
def tree():
    """A function that lists a folder with the size of each file, to see that nothing was left behind."""

    def listing(folder: Path) -> dict[str, int]:
        return {
            str(path.relative_to(folder)): path.is_file() and path.stat().st_size
            for path in sorted(folder.rglob("*"))
        }

    return listing


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    """A function from "bert", "bert-cased", "roberta" or "distilbert" to a folder with such a model, small and untrained."""
    from tests.support.tiny_models import build

    return functools.cache(
        lambda kind: build(kind, tmp_path_factory.mktemp("models") / f"tiny-{kind}")
    )


@pytest.fixture(scope="session")
def tiny_translator(tmp_path_factory):
    """A function from "marian", "marian-many" or "nllb" to a folder with such a translator, small and untrained."""
    from tests.support.tiny_models import build_translator

    return functools.cache(
        lambda kind: build_translator(kind, tmp_path_factory.mktemp("translators") / f"tiny-{kind}")
    )


@pytest.fixture(scope="module")
def one_thread():
    """Small products are not worth a second thread, which waits in turn where the cores are busy."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def small() -> Embedding:
    """Six words in four dimensions, the most frequent first."""
    words = ["she", "he", "nurse", "engineer", "New York", "медсестра"]
    vectors = np.random.default_rng(7).normal(size=(6, 4))
    return Embedding(words, vectors, name="small", source="small@test", ranked=True)
