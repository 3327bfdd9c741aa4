"""Short public messages as words: links, user names, hashtags, pictures and emojis become tokens of
their own.

Some thousand messages are cleaned at a time, as bytes: one table serves all ASCII characters, and
nearly all patterns begin with a fixed byte, which the engine looks for at the speed of memory.
"""

import re
from collections.abc import Sequence

FEWEST_WORDS = 3  # of a message that is kept
ENGLISH = frozenset(
    """
    the and you that was for are with his they this have from not but what all were your can said there each which she do how
    their if will about them then many these so her would make like him into has two more no way could people my than been
    who its now did get it's i'm don't of is to it in on be at we us i he
    """.split()  # noqa: SIM905
)

# Control characters mark what is no text: one between two messages, two around the name of a token
# until the
# angle brackets of the text are gone. In a message they become spaces.
_BETWEEN, _OPEN, _CLOSE = 0x1E, 0x01, 0x02
_ENTITIES = (  # &amp; first, since feeds escape twice
    (b"&amp;", b"&"),
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
    (b"&quot;", b'"'),
    (b"&#39;", b"'"),
    ("’".encode(), b"'"),
)


def _lowered(byte: int) -> int:
    """ASCII letters in small; control characters as spaces; bytes of other characters as they
    are.
    """
    if byte == _BETWEEN or byte > 127:
        return byte
    return 32 if byte < 32 or byte == 127 else ord(chr(byte).lower())


def _word_byte(byte: int) -> int:
    """Letters, digits and apostrophes as they are, other ASCII characters as spaces, token marks as
    angle brackets.
    """
    if byte in (_OPEN, _CLOSE):
        return ord("<" if byte == _OPEN else ">")
    in_words = byte > 127 or chr(byte).isalnum() or byte in (_BETWEEN, ord("'"))
    return byte if in_words else 32


_LOWER = bytes(map(_lowered, range(256)))
_WORDS = bytes(map(_word_byte, range(256)))

# One picture in UTF-8: two regional letters (a flag), any other character of U+1F000 to U+1FFFF, or
# an older
# symbol (U+23C0 to 23FF, U+2600 to 27BF, U+2B00 to 2B7F, U+231A, U+231B).
_PICTURE = (
    rb"(?:\xf0\x9f(?:\x87.\xf0\x9f\x87.|..)"
    rb"|\xe2(?:[\x8f\x98-\x9e\xac\xad].|\x8c[\x9a\x9b]))"
)
# A picture with a mark that it is shown in colour (U+FE0F) or a skin tone (U+1F3FB to U+1F3FF).
_EMOJI = _PICTURE + rb"(?:\xef\xb8\x8f|\xf0\x9f\x8f[\xbb-\xbf])*"
_PATTERNS = (
    # the address of a picture on Twitter
    (rb"pic\.twitter\.com/[^\s\x1e]*", b"image"),
    # any address that ends in the suffix of a picture, whatever query follows
    (rb"https?://[^\s\x1e?]*\.(?:jpe?g|png|gif|webp)(?![^\s\x1e?])[^\s\x1e]*", b"image"),
    # any other address
    (rb"https?://[^\s\x1e]*", b"url"),
    (rb"www\.[^\s\x1e]+", b"url"),
    # a user name, where no letter stands before the sign: not an e-mail address
    (rb"@(?<![0-9a-z_]@)[0-9a-z_]+", b"user"),
    # a hashtag, likewise; its letters may be of any script
    (rb"#(?<![0-9a-z_]#)[0-9a-z_\x80-\xff]+", b"hashtag"),
    # one picture, or several joined to one (U+200D)
    (rb"%s(?:\xe2\x80\x8d%s)*" % (_EMOJI, _EMOJI), b"emoji"),
    # quotation marks, that is apostrophes without a letter on both sides
    (rb"'(?<![0-9a-z\x80-\xff]')|'(?![0-9a-z\x80-\xff])", b""),
    # symbols outside ASCII: U+2000 to 2BFF, U+0080 to 00BF, U+3000 to 303F, U+FE0F, the byte order
    # mark and the
    # replacement character
    (rb"\xe2[\x80-\xaf].|\xc2[\x80-\xbf]|\xe3\x80.|\xef(?:\xb8\x8f|\xbb\xbf|\xbf\xbd)", b""),
)
_REPLACEMENTS = tuple(
    (re.compile(pattern, re.DOTALL), b" %c%s%c " % (_OPEN, token, _CLOSE) if token else b" ")
    for pattern, token in _PATTERNS
)


def clean(texts: Sequence[str]) -> list[str]:
    """Each message as its words in small letters with one space between, punctuation left out.

    Links, user names, hashtags, pictures and emojis become <url>, <user>, <hashtag>, <image>, <emoji>; nothing
    else holds an angle bracket. An apostrophe inside a word stays. Characters that are no text are left out.

    Parameters
    ----------
    texts : sequence of str
        Messages; some thousand at a time is fast.

    Returns
    -------
    list of str
        As many lines, "" where nothing is left.

    References
    ----------
    Friedman et al. (2019), Section 3, who say what is replaced and not by what.

    Examples
    --------
    >>> clean(["Don't miss this, @you! 😂 https://example.org/a?b=1", "..."])
    ["don't miss this <user> <emoji> <url>", '']
    """
    if not texts:
        return []
    between = chr(_BETWEEN)
    joined = between.join(texts)
    if joined.count(between) != len(texts) - 1:
        joined = between.join(text.replace(between, " ") for text in texts)
    block = joined.encode("utf-8", "replace").translate(_LOWER)
    for entity, meant in _ENTITIES:
        block = block.replace(entity, meant)
    for pattern, replacement in _REPLACEMENTS:
        block = pattern.sub(replacement, block)
    lines = [
        " ".join(line.split()) for line in block.translate(_WORDS).decode("utf-8").split(between)
    ]
    return [line if line.isascii() else line.lower() for line in lines]


def count_words(line: str) -> int:
    """How many words a cleaned line has, tokens such as <url> not counted.

    Examples
    --------
    >>> count_words("don't miss this <user>")
    3
    """
    return line.count(" ") + 1 - line.count("<") if line else 0


def looks_english(line: str, share: float = 0.2) -> bool:
    """Whether at least a share of the words of a cleaned line are among the commonest of English.

    A stopgap for texts that come without a language: it misjudges short messages.

    Examples
    --------
    >>> looks_english("this is what they said"), looks_english("das haben sie gesagt")
    (True, False)
    """
    words = [word for word in line.split() if word[0] != "<"]
    return sum(word in ENGLISH for word in words) >= share * max(1, len(words))
