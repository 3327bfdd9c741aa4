"""Class words for several groups, words that name each group, and the same groups under other names."""

from __future__ import annotations

from lib.debiasing.word_families import word_families
from lib.lexicons import load_lexicon, word_list

PRONOUNS = ("she", "he", "they")
RELIGIONS = ("christian", "muslim", "jewish", "hindu")
FEMALE, MALE = ("she", "woman"), ("he", "man")
FORMS = {
    "her",
    "hers",
    "herself",
    "him",
    "his",
    "himself",
}  # of class words, though not by spelling

# class words -> the same groups under other names; a word that stands on both sides has none here
OTHER_NAMES = {
    PRONOUNS: ("woman", "man", "person"),
    ("man", "woman", "gay"): ("male", "female", "homosexual"),
    ("black", "white", "asian", "native"): ("african", "european", "asian", "indigenous"),
    RELIGIONS: ("christianity", "islam", "judaism", "hinduism"),
}
# class words -> another form of the same words: the best that other names could do
OTHER_FORMS = {
    PRONOUNS: ("her", "him", "them"),
    ("man", "woman", "gay"): ("men", "women", "gays"),
    ("man", "woman", "gay", "lesbian", "queer"): ("men", "women", "gays", "lesbians", "queers"),
    ("black", "white", "asian", "native"): ("blacks", "whites", "asians", "natives"),
    RELIGIONS: ("christians", "muslims", "jews", "hindus"),
}


def sets_of_groups() -> dict[str, dict[str, tuple[str, ...]]]:
    """Name of a set -> class word -> words that name its group by definition; none where none are known, as for *gay*.

    The paper's three sets, and two of this book: pronouns with *they*, and religions. No word is a form of a class word, so that seeing it takes
    more than spelling.
    """
    printed, ours = load_lexicon("lu2021"), load_lexicon("multiclass")
    sets = [PRONOUNS, *(printed[name] for name in ("g1", "g2", "r")), RELIGIONS]
    classes = list(dict.fromkeys(word for words in sets for word in words))
    sides = {pole: word_list(f"gender_specific/{pole}") for pole in ("female", "male")}
    listed = [*classes, *sides["female"], *sides["male"]]
    family = dict(zip(listed, word_families(listed)))
    of_classes = {family[word] for word in classes}
    plain = {
        pole: tuple(w for w in words if family[w] not in of_classes and w not in FORMS)
        for pole, words in sides.items()
    }
    known = dict.fromkeys(FEMALE, plain["female"]) | dict.fromkeys(MALE, plain["male"])
    known |= {"they": ours["several"]} | {word: ours[word] for word in (*printed["r"], *RELIGIONS)}
    return {", ".join(words): {word: known.get(word, ()) for word in words} for words in sets}
