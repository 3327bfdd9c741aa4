"""Short public messages as words: links, user names, hashtags, pictures and emojis become tokens of their own.

Some thousand messages are cleaned at a time, as bytes: one table serves all ASCII characters, and nearly all patterns begin
with a fixed byte, which the engine looks for at the speed of memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TOKENS = ("<url>", "<user>", "<hashtag>", "<image>", "<emoji>")
FEWEST_WORDS = 3  # of a message that is kept
ENGLISH = frozenset(
    re.findall(
        r"\S+",
        """
    the and you that was for are with his they this have from not but what all were your can said there each which she do how
    their if will about them then many these so her would make like him into has two more no way could people my than been
    who its now did get it's i'm don't of is to it in on be at we us i he""",
    )
)

_BETWEEN = (
    0x1E  # between two messages; in a message it becomes a space, as all control characters do
)
_OPEN, _CLOSE = (
    0x01,
    0x02,
)  # around the name of a token, until the angle brackets of the text are gone
_SPELLINGS = (
    (b"&amp;", b"&"),
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&quot;", b'"'),
    (b"&#39;", b"'"),
    ("’".encode(), b"'"),
)
_LOWER = bytes(
    c if c == _BETWEEN or c > 127 else 32 if c < 32 or c == 127 else ord(chr(c).lower())
    for c in range(256)
)
_WORDS = bytes(
    {_OPEN: ord("<"), _CLOSE: ord(">")}.get(
        c, c if c > 127 or chr(c).isalnum() or c in (_BETWEEN, 39) else 32
    )
    for c in range(256)
)

_PICTURE = rb"(?:\xf0\x9f(?:\x87.\xf0\x9f\x87.|..)|\xe2(?:[\x8f\x98-\x9e\xac\xad].|\x8c[\x9a\x9b]))"  # two letters: a flag
_EMOJI = _PICTURE + rb"(?:\xef\xb8\x8f|\xf0\x9f\x8f[\xbb-\xbf])*"  # and its colour
_PATTERNS = tuple(
    (re.compile(pattern, re.DOTALL), replacement)
    for pattern, replacement in (
        (rb"pic\.twitter\.com/[^\s\x1e]*", "<image>"),
        (rb"https?://[^\s\x1e?]*\.(?:jpe?g|png|gif|webp)(?![^\s\x1e?])[^\s\x1e]*", "<image>"),
        (rb"https?://[^\s\x1e]*", "<url>"),
        (rb"www\.[^\s\x1e]+", "<url>"),
        (rb"@(?<![0-9a-z_]@)[0-9a-z_]+", "<user>"),
        (rb"#(?<![0-9a-z_]#)[0-9a-z_\x80-\xff]+", "<hashtag>"),
        (rb"%s(?:\xe2\x80\x8d%s)*" % (_EMOJI, _EMOJI), "<emoji>"),
        (
            rb"'(?<![0-9a-z\x80-\xff]')|'(?![0-9a-z\x80-\xff])",
            "",
        ),  # quotation marks, not apostrophes
        (
            rb"\xe2[\x80-\xaf].|\xc2[\x80-\xbf]|\xe3\x80.|\xef(?:\xb8\x8f|\xbb\xbf|\xbf\xbd)",
            "",
        ),  # symbols outside ASCII
    )
)
_PATTERNS = tuple(
    (pattern, b" %c%s%c " % (_OPEN, name.strip("<>").encode(), _CLOSE) if name else b" ")
    for pattern, name in _PATTERNS
)


def clean(texts: Sequence[str]) -> list[str]:
    """Each message as its words in small letters with one space between, punctuation left out.

    Links, user names, hashtags, pictures and emojis become <url>, <user>, <hashtag>, <image>, <emoji>; nothing else holds
    an angle bracket. An apostrophe inside a word stays (don't). Characters that are no text are left out.
    Returns as many lines as there are messages, "" where nothing is left.
    After Friedman et al. (2019), Section 3, who say what is replaced and not by what.
    """
    if not texts:
        return []
    between = chr(_BETWEEN)
    joined = between.join(texts)
    if joined.count(between) != len(texts) - 1:
        joined = between.join(text.replace(between, " ") for text in texts)
    block = joined.encode("utf-8", "replace").translate(_LOWER)
    for written, meant in _SPELLINGS:
        block = block.replace(written, meant)
    for pattern, replacement in _PATTERNS:
        block = pattern.sub(replacement, block)
    lines = [
        " ".join(line.split()) for line in block.translate(_WORDS).decode("utf-8").split(between)
    ]
    return [line if line.isascii() else line.lower() for line in lines]


def count_words(line: str) -> int:
    """How many words a cleaned line has; the tokens for links, users, hashtags, pictures and emojis are none."""
    return line.count(" ") + 1 - line.count("<") if line else 0


def looks_english(line: str, share: float = 0.2) -> bool:
    """Whether at least a share of the words of a cleaned line are among the commonest of English.

    A stopgap for texts that come without a language: it misjudges short messages.
    """
    words = [word for word in line.split() if word[0] != "<"]
    return sum(word in ENGLISH for word in words) >= share * max(1, len(words))
