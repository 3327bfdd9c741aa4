"""What a language model answers when it is told to translate: the translation in it, or why there is none.

Models think aloud, chat, quote, explain, refuse, or answer in the language of the question. What
stands around a translation is taken off and named; an answer without a translation is named, too,
so that none is scored. A rule that a true translation could break looks at the sentence first.
"""

import functools
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from lib.lexicons import load_lexicon

LONGEST_ANSWER = 200_000  # characters, reasoning and all
LARGEST_SHARE = 0.02  # of answers without a translation, before a run stops
REPEATED = 0.5  # of different sentences with one answer, from which on it translates none
FEWEST = 5  # sentences from which on such a share is looked at

# Names of blocks in which models think, as <name> or [NAME], and the tokens of other families.
_THOUGHT = (
    r"(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|seed:think|reason)"
)
_OPENS = rf"(?:<{_THOUGHT}(?:\s[^<>]{{0,99}})?>|\[{_THOUGHT}\]|<\|begin_of_thought\|>|◁think▷)"
_CLOSES = rf"(?:</{_THOUGHT}\s{{0,9}}>|\[/{_THOUGHT}\]|<\|end_of_thought\|>|◁/think▷)"
_BLOCK = re.compile(rf"(?P<opens>{_OPENS})|{_CLOSES}", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s{0,9}(\w{1,20})[^<]{0,99}<\|message\|>")
_TOKENS = re.compile(
    r"<\|[\w ]{1,40}\|>|</?s>|<(?:eos|bos|end_of_turn|start_of_turn)>|"
    r"</?(?:answer|translation|output|response|result|final)>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]{0,20}`{3,9}[ \t]{0,20}[\w-]{0,20}\s??$", re.MULTILINE)
_TRANSLATION = (
    r"(?:translat\w{0,9}|traducci[oó]n|traducido|traduction|traduit|übersetz\w{0,9}|traduzione|tradução|"
    r"traducció|vertaling|vertaald|перевод|번역\w{0,9}|翻译|翻訳|תרגום|ترجمة)"
)
_LEAD = re.compile(rf"^[^:：\n]{{0,90}}{_TRANSLATION}[^:：\n]{{0,90}}[:：]", re.IGNORECASE)
_LABEL = re.compile(
    r"^(?:answer|output|response|result|final answer|sure|certainly|of course|okay|here you go)\s*[:：]",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^(?:sure|certainly|of course|ok|okay|absolutely|yes|no problem|here you go|gladly)"
    r"(?: thing)?\s*[!.,:]*$",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"^(?:sure|certainly|of course|okay|absolutely)(?: thing)?\s*[!.,]\s+", re.IGNORECASE
)
_ALOUD = re.compile(
    r"^(?:okay|ok|alright|hmm|well)?\W*(?:so\W+)?(?:the user|let me|let['’]s|we need|i need|i should|we have to)\b"
    r".*\b(?:translat|sentence)",
    re.IGNORECASE,
)
_SORRY = re.compile(
    r"\b(?:sorry|apologi[sz]e|can(?:no|['’])t|unable|won['’]t|not able|as an ai|"
    r"lo siento|no puedo|désolée?|ne peux pas|kann (?:ich )?(?:das |dies )?nicht|tut mir leid|"
    r"mi dispiace|non posso|desculpe|não posso)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:translat|assist|fulfil|comply|request|language model|as an ai|content|help (?:you )?with|"
    r"traduc|tradui|übersetz|traduz|ayudar|asist|solicitud|contenido|aider|helfen|aiutar|ajudar)",
    re.IGNORECASE,
)
_MARKS = "{[<"
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'", "`": "`", "「": "」"}

# Languages by the words and codes that name them: the code of their words, or their script.
_LATIN = {
    "en": "english eng en",
    "es": "spanish español castellano spa es",
    "fr": "french français fra fr",
    "de": "german deutsch deu de",
    "it": "italian italiano ita it",
    "pt": "portuguese português por pt",
    "nl": "dutch nederlands nld nl",
    "ca": "catalan català cat ca",
}
_SCRIPTS = {
    "HANGUL": "korean kor ko",
    "CYRILLIC": "russian ukrainian bulgarian rus ukr bul ru uk bg",
    "GREEK": "greek ell el",
    "HEBREW": "hebrew heb he",
    "ARABIC": "arabic persian farsi urdu arb ara pes urd ar fa ur",
    "DEVANAGARI": "hindi marathi hin mar hi mr",
    "CJK": "chinese mandarin japanese zho jpn zh ja",
}
_JAPANESE = {"HIRAGANA", "KATAKANA", "IDEOGRAPHIC"}


class Cut(str):
    """An answer that was ended by a limit on its length."""

    __slots__ = ()


@dataclass(frozen=True)
class Reading:
    """An answer, read.

    Attributes
    ----------
    translation : str
        "" where there is none.
    rest : str
        What stood after the translation.
    taken_off : tuple of str
        What stood around it: "reasoning", "preamble", "code fence", "quotes", "tags".
    problem : str
        Why there is no translation, "" where there is one: "empty", "reasoning without an end",
        "cut", "refused", "thinking aloud", "echoed", "another language", "markup",
        "much too long", "damaged text", "the same for other sentences".
    """

    translation: str
    rest: str = ""
    taken_off: tuple[str, ...] = ()
    problem: str = ""


def read_answer(
    sentence: str, answer: str, *, prompt: str = "", language: str | None = None
) -> Reading:
    """The translation in an answer, and what is wrong with it.

    Parameters
    ----------
    sentence : str
        What was to be translated.
    answer : str
        Whole, as the model gave it; `Cut` where a limit ended it.
    prompt : str
        The filled prompt: a line of it is no translation.
    language : str, optional
        Asked for, as a word or code; without one that is known here its language is not judged.

    Returns
    -------
    Reading

    Examples
    --------
    >>> read_answer("I am tired.", "<think>A woman?</think>Sure! The translation is:\\n\\n“Estoy cansada.”")
    Reading(translation='Estoy cansada.', rest='', taken_off=('reasoning', 'preamble', 'quotes'), problem='')
    >>> read_answer("I am tired.", "I am tired.").problem
    'echoed'
    """
    if not sentence.strip():
        return Reading("")
    if len(answer) > LONGEST_ANSWER:
        return Reading("", problem="much too long")
    if not writable(answer):
        return Reading("", problem="damaged text")
    thought_off = _without_reasoning(answer)
    if thought_off is None:
        return Reading("", problem="reasoning without an end")
    off = ["reasoning"] if thought_off.strip() != answer.strip() else []
    text = _TOKENS.sub("", thought_off)
    off += ["tags"] if text != thought_off else []
    unfenced = _FENCE.sub("", text) if "`" not in sentence else text
    off += ["code fence"] if unfenced != text else []
    if "`" not in sentence and unfenced.strip().startswith("```"):
        unfenced, off = unfenced.strip().strip("`"), [*off, "code fence"]
    lines = [line.strip() for line in unfenced.strip().split("\n")]
    lines, chatted = _without_preamble(lines, sentence, language)
    off += ["preamble"] if chatted else []
    line, rest = (lines[0], "\n".join(lines[1:]).strip()) if lines else ("", "")
    bare = _without_quotes(line, sentence)
    off += ["quotes"] if bare != line else []
    problem = _problem(sentence, bare, prompt, language)
    if isinstance(answer, Cut) and not rest:
        problem = "cut"
    return Reading("" if problem else bare, rest, tuple(off), problem)


def writable(text: str) -> bool:
    """Whether a text can be written at all: half of a pair of surrogates cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def repeats(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Sentences of a set that got what others got, or themselves, where more than half did.

    One name or one word may be the same in both languages, and two sentences may have one
    translation; most of a set do not.

    Parameters
    ----------
    pairs : iterable of (sentence, translation)

    Returns
    -------
    list of str
        The sentences; empty where all is well, and for fewer than five different sentences.

    Examples
    --------
    >>> repeats([(letter, "Sure, my friend") for letter in "abcdef"])
    ['a', 'b', 'c', 'd', 'e', 'f']
    >>> repeats([("Maria", "Maria"), ("No.", "No."), ("yes", "sí"), ("one", "uno"), ("two", "dos")])
    []
    """
    made = {sentence: text for sentence, text in pairs if text and sentence.strip()}
    if len(made) < FEWEST:
        return []
    commonest, times = Counter(map(_plain, made.values())).most_common(1)[0]
    if times > REPEATED * len(made):
        return [sentence for sentence, text in made.items() if _plain(text) == commonest]
    copied = [sentence for sentence, text in made.items() if _plain(text) == _plain(sentence)]
    return copied if len(copied) > REPEATED * len(made) else []


def outputs_note(sentences: Sequence[str], outputs: Sequence[str]) -> str:
    """A sentence on outputs of any translator that are no translations; "" where none stands out.

    Parameters
    ----------
    sentences, outputs : sequence of str
        As asked and as answered.

    Returns
    -------
    str
        Markdown without a text from outside.

    Examples
    --------
    >>> outputs_note(["I", "you", "we", "she", "he", "they"], ["x", "x", "y", "x", "x", ""])
    '**1 of 6 outputs is empty, and 4 others repeat one text or their sentence.** Scores of such outputs say nothing of gender.'
    >>> outputs_note(["I", "you"], ["yo", "tú"])
    ''
    """
    asked = {sentence: text for sentence, text in zip(sentences, outputs) if sentence.strip()}
    empty = sum(not text.strip() for text in asked.values())
    noise = len(repeats(asked.items()))
    if not noise and empty <= LARGEST_SHARE * len(asked):
        return ""
    first = f"{empty} of {len(asked):,} outputs {'is' if empty == 1 else 'are'} empty"
    others = f", and {noise} others repeat one text or their sentence" if noise else ""
    return f"**{first}{others}.** Scores of such outputs say nothing of gender."


def translator_note(
    translator: object, sentences: Sequence[str], outputs: Sequence[str], name: str = ""
) -> str:
    """What a page says of outputs before it scores them; "" where nothing needs a word.

    Parameters
    ----------
    translator : Translator
        Of a language model that was told to translate, its answers are counted.
    sentences, outputs : sequence of str
        As asked and as answered.
    name : str
        Put before it.

    Returns
    -------
    str
        Markdown; of what comes from outside it holds the name alone, escaped.

    Examples
    --------
    >>> translator_note(None, ["I", "you"], ["", "tú"], "<b>")
    '&lt;b&gt;: **1 of 2 outputs is empty.** Scores of such outputs say nothing of gender.'
    """
    counted = getattr(translator, "note", str)()
    note = " ".join(filter(None, (counted, outputs_note(sentences, outputs))))
    return f"{html.escape(name)}: {note}" if note and name else note


def counts_note(readings: Collection[Reading], language: str | None = None) -> str:
    """How many answers were read, what was taken off, and how many were none, in a line.

    Parameters
    ----------
    readings : collection of Reading
    language : str, optional
        That was asked for.

    Examples
    --------
    >>> counts_note([Reading("Sí."), Reading("", problem="echoed")], "Spanish")
    '**2 answers** of a model that was told to translate. Taken off: nothing. No translation, counted as empty: echoed 1.'
    """
    off = Counter(name for reading in readings for name in reading.taken_off)
    off["text after the translation"] = sum(bool(reading.rest) for reading in readings)
    taken = ", ".join(f"{name} {number:,}" for name, number in off.items() if number)
    judged = "" if judges_language(language) else " Their language was not judged."
    return (
        f"**{len(readings):,} answers** of a model that was told to translate. Taken off: "
        f"{taken or 'nothing'}. No translation, counted as empty: {problems(readings) or 'none'}."
        f"{judged}"
    )


def problems(readings: Iterable[Reading]) -> str:
    """The kinds of answers that are no translations, with their numbers, the commonest first."""
    kinds = Counter(reading.problem for reading in readings if reading.problem)
    return ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common())


def _without_reasoning(answer: str) -> str | None:
    """What stands outside the blocks of reasoning; None where the last one has no end."""
    channels = [*_CHANNEL.finditer(answer)]
    if channels:
        if channels[-1][1] != "final":
            return None
        answer = answer[channels[-1].end() :]
    outside: list[str] = []
    inside, start = False, 0
    for mark in _BLOCK.finditer(answer):
        if mark["opens"]:
            outside += [] if inside else [answer[start : mark.start()]]
        elif not inside:
            outside = []  # the prompt has opened it
        inside, start = bool(mark["opens"]), mark.end()
    outside += [] if inside else [answer[start:]]
    # what stood on two sides of a block is not one line
    text = "\n".join(part for part in outside if part.strip())
    return None if inside and not text else text


def _without_preamble(
    lines: list[str], sentence: str, language: str | None
) -> tuple[list[str], bool]:
    """The lines from the translation on, and whether something stood before it."""
    chatted, in_english = False, not language or _language(language)[0] == "en"
    asked_for = rf"^\**{re.escape(language or 'Translation')}(?: version)?\s*\**\s*[:：]"
    for _ in range(3):
        first = next((place for place, text in enumerate(lines) if text), len(lines))
        lines = lines[first:]
        if not lines or lines[0][0] in _MARKS:
            break
        line, more = lines[0], any(lines[1:])
        lead = line.lstrip("*_#> ")
        after = None
        if not re.search(_TRANSLATION, sentence, re.IGNORECASE):
            after = _after(_LEAD, lead)
        if after is None and ":" not in sentence:
            after = _after(re.compile(asked_for, re.IGNORECASE), lead)
            after = _after(_LABEL, lead) if after is None else after
            if after is None and more and line.rstrip("* ").endswith((":", "：")):
                after = ""
        if after is None and more and _COURTESY.match(lead) and not _COURTESY.match(sentence):
            after = ""
        if after is None and not in_english and not _COURTESY.match(sentence.split(",")[0]):
            after = _after(_OPENER, lead)
        if after is None:
            break
        chatted = True
        lines = [after.strip(), *lines[1:]]
    return lines, chatted


def _after(pattern: re.Pattern[str], line: str) -> str | None:
    found = pattern.match(line)
    return line[found.end() :].lstrip("*_ ") if found else None


def _without_quotes(line: str, sentence: str) -> str:
    """A line without marks around the whole of it, unless its sentence has them, too."""
    if line.startswith("**") and line.endswith("**") and "*" not in line[2:-2] + sentence:
        line = line[2:-2].strip()
    if len(line) < 2 or sentence.strip()[:1] in _QUOTES or line[-1] not in _QUOTES.get(line[0], ""):
        return line
    inner = line[1:-1]
    return line if {line[0], line[-1]} & {*inner} - {"'", "’"} else inner.strip("` ")


def _problem(sentence: str, line: str, prompt: str, language: str | None) -> str:
    """Why a line is no translation of a sentence, "" where it may be one."""
    if not any(letter.isalnum() for letter in line):
        return "empty" if any(letter.isalnum() for letter in sentence) or not line else ""
    if line[0] in _MARKS and sentence.strip()[0] not in _MARKS:
        return "markup"
    if not _TASK.search(sentence):
        if _SORRY.search(line) and _TASK.search(line) and not _SORRY.search(sentence):
            return "refused"
        if _ALOUD.search(line) and not _ALOUD.search(sentence):
            return "thinking aloud"
    if len(line) > 8 * len(sentence) + 120:
        return "much too long"
    if _is_echo(line, sentence, prompt):
        return "echoed"
    return "another language" if language and in_another_language(line, language) else ""


def _is_echo(line: str, sentence: str, prompt: str) -> bool:
    """Whether a line is the sentence or a line of the prompt, in three words or more beside names."""
    words = re.findall(r"[^\W\d_]+", line)
    common = [word for place, word in enumerate(words) if not place or word[0] != word[0].upper()]
    known = {_plain(text) for text in (sentence, *prompt.split("\n"))}
    # other scripts have no capitals to tell names by
    return _plain(line) in known and (len(common) > 2 or (len(words) > 2 and not line.isascii()))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFC", text).casefold()))


def in_another_language(text: str, language: str) -> bool:
    """Whether a text is clearly in another language, by its script and its frequent short words.

    Parameters
    ----------
    text : str
    language : str
        That it should be in, as a word or code; one that is not known here is never judged.

    Examples
    --------
    >>> [in_another_language(text, "Spanish") for text in ("The doctor lost her keys.", "Radio Berlin", "Sí.")]
    [True, False, False]
    """
    code, script = _language(language)
    if not script:
        return False
    scripts = Counter(map(_script, filter(str.isalpha, text)))
    own = sum(scripts[name] for name in (script, *(_JAPANESE if script == "CJK" else ())))
    if 2 * own < scripts.total():
        # a name, a word or two may stay in Latin letters
        return (not own and (len(text.split()) > 2 or not scripts["LATIN"])) or scripts.total() > 20
    if script != "LATIN":
        return False
    words = {*re.findall(r"[\w'’-]+", text.casefold().replace("’", "'"))}
    theirs = _language_words()
    if words & theirs[code]:
        return False
    return any(len(words & common) >= 2 for common in theirs.values())


def judges_language(language: str | None) -> bool:
    """Whether answers in another language than this one can be seen here."""
    return bool(language and _language(language)[1])


def _language(name: str) -> tuple[str, str]:
    """Code and script of a language; two empty texts for one that is not known here."""
    word = re.split(r"[^\w]|_", name.strip().casefold())[0]
    for code, names in _LATIN.items():
        if word in names.split():
            return code, "LATIN"
    for script, names in _SCRIPTS.items():
        if word in names.split():
            return "", script
    return "", ""


@functools.cache
def _language_words() -> dict[str, frozenset[str]]:
    """The frequent words of each language in Latin letters."""
    lists = load_lexicon("language_words").lists
    return {code: frozenset(map(str, words)) for code, words in lists.items()}


@functools.cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "unnamed").split()[0].split("-")[0]
