"""A page with one explorable, as a site lays it out: scripts, numbers, and the page one folder below."""

import shutil

import numpy as np

from lib.embeddings import Embedding
from lib.paths import ROOT

DIMENSIONS = 24
JOBS = [f"job{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
PAIRS = [(f"she{letter}", f"he{letter}") for letter in "abcdef"]


def small_embedding(seed=0, words=1500):
    """Random vectors of words in which the female and male words differ along one axis."""
    rng = np.random.default_rng(seed)
    others = ["".join(rng.choice(list("bcdfgklmnprst"), 6)) for _ in range(words)]
    names = list(dict.fromkeys([*sum(PAIRS, ()), *JOBS, *others]))
    vectors = rng.standard_normal((len(names), DIMENSIONS))
    for place in range(len(PAIRS)):
        vectors[2 * place, 0] += 3
        vectors[2 * place + 1, 0] -= 3
    return Embedding(names, vectors, name="small")


class Displayed:
    """What a call of lib displays: HTML and the files beside the page."""

    def __init__(self, monkeypatch):
        self.seen = []
        monkeypatch.setattr("IPython.display.display", self.take)

    def take(self, data, metadata=None, **options):
        self.seen.append((data, (metadata or {}).get("site_files", {})))

    @property
    def html(self):
        return self.seen[-1][0]["text/html"]

    @property
    def files(self):
        return self.seen[-1][1]


def written(folder, html, files, depth=1):
    """The page in a site of its own."""
    static = folder / "_static"
    static.mkdir(parents=True)
    for name in ("palette.css", "explorables.css", "explorables.js"):
        shutil.copy(ROOT / "_static" / name, static)
    shutil.copytree(ROOT / "_static" / "explorables", static / "explorables")
    for name, content in files.items():
        (static / "files").mkdir(exist_ok=True)
        (static / "files" / name).write_text(content, encoding="utf-8")
    up = "../" * depth
    styles = "".join(
        f'<link rel="stylesheet" href="{up}_static/{name}.css">'
        for name in ("palette", "explorables")
    )
    page = folder.joinpath(*["below"] * depth, "page.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>A page</title>'
        f'<meta name="viewport" content="width=device-width">{styles}<script src="{up}_static/explorables.js"></script></head>'
        f'<body><main><h1>A page</h1><div style="height: 3000px">Far above</div>{html}</main></body></html>',
        encoding="utf-8",
    )
    return page
