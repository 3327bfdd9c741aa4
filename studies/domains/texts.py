"""What each set of vectors was trained on, as figures and sentences call it, and in a word."""

from __future__ import annotations

from collections.abc import Sequence

IN_PRINT = {
    "gap": "Wikipedia (GAP)",
    "news": "news",
    "film": "film reviews",
    "medical": "medical abstracts",
    "social": "Reddit and debates",
    "brown": "Brown corpus, 1961",
    "minilm": "MiniLM",
    "glove_twitter_25d_12k": "tweets (GloVe)",
    "wefe_weat_w2v": "Google News",
    "sweater_googlenews": "Google News (other rows)",
}

IN_A_WORD = {
    "gap": "Wikipedia",
    "film": "film",
    "medical": "medicine",
    "social": "Reddit",
    "brown": "Brown",
    "minilm": "MiniLM",
    "glove_twitter_25d_12k": "tweets",
}


def in_a_row(names: Sequence[str]) -> str:
    """Names in a sentence: one, one and another, or several with commas."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
