"""Rules for the parameters of chapters: what a value may be, checked before anything is computed.

The cell `check-parameters` of a chapter calls `check` with a rule for each parameter. The runner runs
the same cell before it starts anything, so that the command line, papermill and JupyterLab say the
same. A rule takes the parameter's name and value, and returns the value or raises ValueError.

What a rule needs is imported inside it, and a folder is listed only for a message: a chapter has to
run again when what it imported or listed changes.
"""

import ast
import math
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from lib.checks import as_list, did_you_mean, one_of
from lib.paths import DATA
from lib.profiles import PROFILES

Rule = Callable[[str, Any], Any]
CELL = "check-parameters"  # the id of the cell in a chapter
# Whether rows come in an order of frequency, as `load_embedding` takes it.
RANKED = {"auto": None, "yes": True, "no": False}
MODELS = DATA / "models"


def check(namespace: MutableMapping[str, Any], **rules: Rule) -> None:
    """Check the parameters of a chapter and put them into the form that the chapter reads.

    Parameters
    ----------
    namespace : mutable mapping
        The chapter's `globals()`. `profile`, `seed` and `device` are checked in every chapter.
    **rules
        One for each other parameter.

    Raises
    ------
    ValueError
        Where a value breaks its rule, and where a name was set that is no parameter of the chapter:
        papermill only warns of it.

    Examples
    --------
    >>> given = dict(profile="embedded", seed=0, device="cpu", beside="gap, news", draws=100)
    >>> check(given, beside=choices("gap", "news", "film"), draws=count)
    >>> given["beside"]
    ['gap', 'news']
    """
    rules = {"profile": choice(*PROFILES), "seed": count_or_none, "device": device} | rules
    declared, injected = _history(namespace.get("In", ()))
    for name in injected:
        one_of("parameter of this chapter", name, dict.fromkeys([*rules, *declared]))
    for name, rule in rules.items():
        namespace[name] = rule(name, namespace[name])


def _history(cells: Iterable[str]) -> tuple[list[str], list[str]]:
    """The names that the chapter's cell of parameters set, and those that papermill set after it."""
    declared: list[str] = []
    injected: list[str] = []
    for source in cells:
        names = _assigned(source)
        if source.startswith("# Parameters\n"):
            injected = names
        elif {"profile", "seed", "device"} <= {*names}:
            declared, injected = names, []
    return declared, injected


def _assigned(source: str) -> list[str]:
    """The names set by a cell that does nothing else."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return []
    if not all(isinstance(line, ast.Assign) for line in body):
        return []
    targets = [target for line in body if isinstance(line, ast.Assign) for target in line.targets]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def between(least: float, most: float = math.inf) -> Rule:
    """A rule: a whole number in a range.

    Examples
    --------
    >>> between(1, 10)("frames", 3)
    3
    """
    span = f"from {least} to {most}" if most < math.inf else f"of {least} or more"

    def rule(name: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{name}: expected a whole number {span}; got {value!r}.")
        return value

    return rule


count = between(1)
count_or_none = between(0)  # where 0 has a meaning of its own: all, or as it is
whole = between(-math.inf)


def number(name: str, value: Any) -> float:
    """A rule: a finite number."""
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError(f"{name}: expected a finite number; got {value!r}.")
    return float(value)


def positive(name: str, value: Any) -> float:
    """A rule: a finite number above zero."""
    if number(name, value) <= 0:
        raise ValueError(f"{name}: expected a number above 0; got {value!r}.")
    return float(value)


def temperature(name: str, value: Any) -> Any:
    """A rule: how freely a model answers, a number of 0 or more, also as text; "none" for the model's own."""
    try:
        right = value == "none" or 0 <= float(value) < math.inf
    except (TypeError, ValueError):
        right = False
    if not right:
        raise ValueError(f'{name}: expected a number of 0 or more, or "none"; got {value!r}.')
    return value


def flag(name: str, value: Any) -> bool:
    """A rule: true or false."""
    if type(value) is not bool:
        raise ValueError(f"{name}: expected true or false; got {value!r}.")
    return value


def text(name: str, value: Any) -> str:
    """A rule: some text."""
    if type(value) is not str:
        raise ValueError(
            f"{name}: expected text; got {value!r}, of type {type(value).__name__} "
            f"(papermill takes it as text after -r: -r {name} {value})."
        )
    return value


def word(name: str, value: str) -> str:
    """A rule: text that is not empty."""
    if not text(name, value).strip():
        raise ValueError(f"{name}: expected a word; got {value!r}.")
    return value


def label(name: str, value: Any) -> str | int:
    """A rule: the label of a class, text or a number."""
    return value if type(value) is int else word(name, value)


def close_up(words: Sequence[str], asked: str, default: str) -> str:
    """The word that a chapter looks at closely: the one asked for, which has to be there.

    Parameters
    ----------
    words : sequence of str
        The vocabulary.
    asked, default : str
        The parameter, and what it is where nobody asks. A vocabulary without the default gives its
        first word.

    Raises
    ------
    ValueError
        Where somebody asks for a word that is not there.

    Examples
    --------
    >>> close_up(["tutor", "nurse"], "professor", default="professor")
    'tutor'
    """
    if asked in words:
        return asked
    if asked == default:
        return words[0]
    near = [word for word in words if word[:1].casefold() == asked[:1].casefold()]
    near = [word for word in near if abs(len(word) - len(asked)) <= 2]
    raise ValueError(
        f"word: expected a word of the vocabulary; got {asked!r}. {did_you_mean(asked, near)}".strip()
    )


def device(name: str, value: str) -> str:
    """A rule: the name of a device; whether this machine has it is known when a model is loaded."""
    if not re.fullmatch(r"(cuda|mps)(:\d+)?", text(name, value)):
        one_of(name, value, ["auto", "cpu", "cuda", "mps"])
    return value


def each(rule: Rule) -> Rule:
    """A rule: a list, or its text with commas, of values that each keep a rule.

    Examples
    --------
    >>> each(count)("fewer", "10, 20")
    [10, 20]
    """

    def of_list(name: str, value: Any) -> list[Any]:
        if isinstance(value, Mapping):
            raise ValueError(f"{name}: expected a list; got {value!r}.")
        return [rule(name, item) for item in as_list(value)]

    return of_list


def codes(name: str, value: Any) -> list[str]:
    """A rule: no codes, or those of two languages."""
    found = [text(name, code) for code in as_list(value)]
    if len(found) not in (0, 2):
        raise ValueError(
            f'{name}: expected the codes of two languages, such as ["eng_Latn", "spa_Latn"], or none; '
            f"got {value!r}."
        )
    return found


def choice(*legal: str, file: bool = False) -> Rule:
    """A rule: one of some names, or a file of words where the chapter takes the reader's own.

    Parameters
    ----------
    *legal : str
        The names.
    file : bool
        Whether the path of a file that `lib.lexicons.read_words` reads will do, too.

    Examples
    --------
    >>> choice("book", "published")("lists", "published")
    'published'
    """

    def rule(name: str, value: Any) -> str:
        if value in legal:
            return str(value)
        if not file:
            one_of(name, value, legal)
        if file and isinstance(value, str) and Path(value).expanduser().is_file():
            from lib.lexicons import read_words

            read_words(value)
            return value
        raise ValueError(
            f"{name}: expected one of {', '.join(legal)}, or a file of your own words (a JSON list, or "
            f"one word a line); got {value!r}, which is no file here. {did_you_mean(value, legal)}".strip()
        )

    return rule


def choices(*legal: str) -> Rule:
    """A rule: a list of some of these names."""
    return each(choice(*legal))


def optional(rule: Rule, *without: str) -> Rule:
    """A rule, or one of some words that stand for nothing: "none", unless others are given.

    Examples
    --------
    >>> optional(word)("resolver", "none")
    'none'
    """
    names = without or ("none",)

    def rule_or_none(name: str, value: Any) -> Any:
        return value if value in names else rule(name, value)

    return rule_or_none


def file(name: str, value: str) -> str:
    """A rule: the path of a file that is there."""
    if not text(name, value) or not Path(value).expanduser().is_file():
        raise ValueError(f"{name}: expected the path of a file; got {value!r}. {_near(value)}")
    return value


def words(name: str, value: str) -> str:
    """A rule: a file of words that `lib.lexicons.read_words` reads."""
    from lib.lexicons import read_words

    read_words(file(name, value))
    return value


def templates(name: str, value: str) -> str:
    """A rule: a file of sentences, each with one {target} and one {attribute}."""
    from lib.lexicons import read_words

    for sentence in read_words(file(name, value)):
        if any(sentence.count(slot) != 1 for slot in ("{target}", "{attribute}")):
            raise ValueError(
                f"{name}: expected sentences with one {{target}} and one {{attribute}}; got {sentence!r}."
            )
    return value


def pairs(name: str, value: Any) -> list[str]:
    """A rule: pairs of two different words, with a stroke between them.

    Examples
    --------
    >>> pairs("targets", "he/she, man / woman")
    ['he/she', 'man/woman']
    """

    def pair(name: str, value: Any) -> str:
        two = [part.strip() for part in word(name, value).split("/")]
        if len({*two, ""}) != 3 or len(two) != 2:
            raise ValueError(f"{name}: expected two words such as he/she; got {value!r}.")
        return "/".join(two)

    found = list(dict.fromkeys(each(pair)(name, value)))
    if not found:
        raise ValueError(f"{name}: expected a pair such as he/she; got none.")
    return found


def folder(name: str, value: str) -> str:
    """A rule: the path of a folder that is there."""
    if not text(name, value) or not Path(value).expanduser().is_dir():
        raise ValueError(f"{name}: expected the path of a folder; got {value!r}. {_near(value)}")
    return value


def kept_folder(name: str, value: str) -> str:
    """A rule: the name of a folder of data/models."""
    if not re.fullmatch(r"[\w-]+", text(name, value)) or not (MODELS / value).is_dir():
        one_of(name, value, sorted(path.name for path in MODELS.iterdir() if path.is_dir()))
    return str(value)


def embedding(name: str, value: str) -> str:
    """A rule: what `lib.embeddings.load_embedding` takes."""
    return _vectors(name, value, lambda: ["minilm"])


def space(name: str, value: str) -> str:
    """A rule: an embedding, or vectors of a domain of this book."""
    if re.fullmatch(r"\w+", text(name, value)) and (MODELS / "domains" / f"{value}.npz").is_file():
        return value
    return _vectors(name, value, lambda: ["minilm", *_domains()])


def space_or_sgns(name: str, value: str) -> str:
    """A rule: as `space`, or "sgns", whose training the book keeps."""
    try:
        return value if value == "sgns" else space(name, value)
    except ValueError:
        return _vectors(name, value, lambda: ["minilm", "sgns", *_domains()])


def _domains() -> list[str]:
    return sorted(path.stem for path in (MODELS / "domains").glob("*.npz"))


def _vectors(name: str, value: str, ours: Callable[[], list[str]]) -> str:
    """Word vectors of the book, of the registry, of a path, or of an encoder."""
    from lib.embeddings.load import RANKED as REGISTERED

    if text(name, value).startswith("hf:"):
        _reference(name, value.removeprefix("hf:"), "an encoder", _pinned)
        return value
    there = value and Path(value).expanduser().exists()
    if value == "minilm" or value in REGISTERED or there:
        return value
    known = [*ours(), *REGISTERED]
    raise ValueError(
        f"{name}: expected word vectors: one of {', '.join(known)}, or a file or folder; got {value!r}, "
        f"which is no file or folder here. {did_you_mean(value, known)}".strip()
    )


def encoder(name: str, value: str) -> str:
    """A rule: an encoder by name, folder or `<model>@<commit>`."""
    return _reference(name, value, "an encoder", lambda: [*_pinned(), *_masked()])


def masked_model(name: str, value: str) -> str:
    """A rule: a model that fills masks, by name, folder or `<model>@<commit>`."""
    return _reference(name, value, "a fill-mask model", lambda: [*_masked(), *_pinned()[1:]])


def language_model(name: str, value: str) -> str:
    """A rule: another model, by name, folder or `<model>@<commit>`."""
    return _reference(name, value, "a model", _pinned)


def translator(name: str, value: str) -> str:
    """A rule: what `lib.translation.load_translator` takes."""
    from lib.translation.services import SERVICES
    from lib.translation.translators import own_folder

    if text(name, value).startswith("instructed:"):
        return instructed(name, value)
    if value in SERVICES or own_folder(value):
        return value

    def known() -> list[str]:
        return [*sorted(path.name for path in MODELS.glob("tatoeba-*")), *SERVICES]

    return _reference(name, value, "a translator", known)


def instructed(name: str, value: str) -> str:
    """A rule: a language model that is told to translate."""
    start, _, rest = text(name, value).partition(":")
    if start != "instructed" or not rest:
        raise ValueError(
            f"{name}: expected instructed: and a folder, <model>@<commit> or <address>#<model>; got {value!r}."
        )
    if not re.fullmatch(r"https?://[^#]+#.+", rest):
        _reference(name, rest, "a language model", _pinned)
    return value


def _pinned() -> list[str]:
    """Models of the hub whose commit is known, MiniLM first."""
    from lib.sources.hub import PINNED

    return [*PINNED]


def _masked() -> list[str]:
    from lib.language_models.low_rank import minilm_mlm_weights

    return [*minilm_mlm_weights()]


def _reference(name: str, value: str, what: str, names: Callable[[], list[str]]) -> str:
    """A folder, a hub model at a commit, or a known name."""
    if text(name, value) and Path(value).expanduser().is_dir():
        return value
    model, at, commit = value.partition("@")
    if at and model and re.fullmatch(r"[0-9a-f]{40}", commit):
        return value
    known = names()
    if value in known:
        return value
    wrong = (
        "its commit is not 40 hexadecimal digits" if at else "which is no known name or folder here"
    )
    raise ValueError(
        f"{name}: expected {what}: one of {', '.join(known)}, a folder, or <model>@<commit> of the hub; "
        f"got {value!r}, {wrong}. {did_you_mean(value, known)}".strip()
    )


def _near(value: str) -> str:
    """What the last folder of a path holds that comes close."""
    path = Path(value).expanduser()
    there = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    return (did_you_mean(path.name, there) if value else "") or "There is none."
