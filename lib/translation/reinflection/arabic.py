"""The rules of Habash, Bouamor and Chung (2019, section 5.2): who speaks, read off morphological features."""

import re
from collections.abc import Iterable

# "I", "I was", or "that" and the like with a clitic of the speaker
_SPEAKER = r"(?:pron\+1\wsy|KAN\+1\ws\w|(?:conj_sub\+|verb_pseudo\+n) 1s_\w+)"
# a noun for a person or an adjective, in the singular
_DESCRIBED = r"(?:noun\+([mf])sr|adj\+([mf])sn)"
_RULE = re.compile(f"(?<!\\S){_SPEAKER} {_DESCRIBED}(?!\\S)")


def rule_labels(features: Iterable[str]) -> list[str]:
    """A label for each sentence: the gender of the first singular adjective or noun for a person right behind a word for the speaker.

    The paper describes its regular expression in words; this is the shortest reading of them.

    Parameters
    ----------
    features : iterable of str
        The features of MADAMIRA, parted by blanks, as in the released corpus.

    Returns
    -------
    list of str
        M or F, and B where the rule finds nothing.

    Examples
    --------
    >>> rule_labels(["pron+1msy adj+fsn punc+", "KAN+1msn noun+msr", "pron+1msy prep+ adj+fsn"])
    ['F', 'M', 'B']
    """
    found = (_RULE.search(sentence) for sentence in features)
    return ["B" if match is None else (match[1] or match[2]).upper() for match in found]
