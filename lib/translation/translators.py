"""Translators behind one interface: the book's own, any seq2seq model, a language model that is told
to translate, a service, or a function.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from lib.language_models.batching import batched, encoded
from lib.language_models.pretrained import Transformer, best_device, load_seq2seq
from lib.paths import DATA
from lib.translation.answers import writable
from lib.translation.cache import TranslationCache
from lib.translation.services import SERVICES, ServiceError

SCHEME = "instructed:"
CHUNK = 4096  # sentences translated before what was made is kept
# A translation has at most so many tokens for each of its sentence's, and so many more. The limit
# must not depend on what else is in a batch, so that lengths are rounded up to a step.
LENGTH_RATIO, EXTRA_LENGTH, LENGTH_STEP = 2, 10, 8


@runtime_checkable
class Translator(Protocol):
    """What all translators share.

    Attributes
    ----------
    name : str
        For people.
    source : str
        What translates, with its hash or commit: provenance, for caches and results.
    """

    name: str
    source: str

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations of sentences, in order."""


@dataclass(frozen=True)
class Asking:
    """How a chapter asks a language model that is told to translate, as `load_translator` takes it.

    Attributes
    ----------
    prompt, temperature, timeout, workers
        As in `load_translator`; a temperature may be text, "none" for the model's own.

    Examples
    --------
    >>> Asking(temperature="0.7").parameters("instructed:http://localhost:8000/v1#m")
    {'prompt': '', 'temperature': '0.7', 'timeout': 120.0, 'workers': 4}
    >>> Asking(workers=8).of("tatoeba-en-es")
    {'timeout': 120.0, 'workers': 8}
    """

    prompt: str = ""
    temperature: float | str | None = "0"
    timeout: float = 120.0
    workers: int = 4

    def of(self, name: str) -> dict[str, Any]:
        """What of it belongs to a translator."""
        how = {"timeout": self.timeout, "workers": self.workers}
        told = {"prompt": self.prompt, "temperature": self.temperature}
        return told | how if name.startswith(SCHEME) else how

    def parameters(self, *names: str) -> dict[str, Any]:
        """All of it, for a chapter's translators.

        Raises
        ------
        ValueError
            For a prompt or temperature where none of the translators takes one.
        """
        told = [self.prompt and "prompt", "" if _is_zero(self.temperature) else "temperature"]
        if any(told) and not any(name.startswith(SCHEME) for name in names):
            raise ValueError(_takes_none(" and ".join(filter(None, told)), ", ".join(names)))
        return asdict(self)


def load_translator(
    name: str | Callable[[list[str]], Sequence[str]],
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    beams: int = 4,
    device: str = "auto",
    dtype: str = "auto",
    cache: bool = True,
    prompt: str | None = None,
    temperature: float | str | None = 0,
    timeout: float | None = None,
    workers: int | None = None,
) -> Translator:
    """Load a translator by name.

    Parameters
    ----------
    name : str or callable
        One of ours, "tatoeba-en-es" or another folder of data/models; a folder or
        "<model>@<commit>" of a seq2seq model; a service ("libretranslate", "deepl", "google"); a
        language model that is told to translate, "instructed:" and a folder, "<model>@<commit>" or
        "<address>#<model>" of a server with OpenAI's interface, such as
        "instructed:http://localhost:8000/v1#my-model"; or a function from a list of sentences to
        their translations, in order.
    source_language, target_language : str, optional
        Codes as the model or service spells them ("eng_Latn", "en"), words for an instructed model
        ("English"); models of one pair need none.
    beams : int
        Of the search, 1 for greedy; instructed models are greedy.
    device : str
        See `lib.language_models.pretrained`.
    dtype : str
        "auto" is float32 on a processor and half precision on a GPU.
    cache : bool
        Keep translations, so that a rerun costs nothing; functions are never cached.
    prompt : str, optional
        What an instructed model is told, with {sentence} in it; default, also for "",
        `lib.translation.instructed.PROMPT`.
    temperature : float, str or None
        That a server of an instructed model is asked for; None or "none" asks for none, which some
        models want. Models at hand answer greedily.
    timeout : float, optional
        Seconds for a whole answer of a server or service; default 120 for an instructed model, 30
        for LibreTranslate.
    workers : int, optional
        Requests at a time to a server; default 4 for an instructed model, else 1.

    Raises
    ------
    ValueError
        For an unknown name, language or setting.
    FetchError
        For a hub model that is not at hand.

    Examples
    --------
    >>> load_translator(lambda sentences: [text.upper() for text in sentences]).translate(["a"])
    ['A']
    """
    instructed = isinstance(name, str) and name.startswith(SCHEME)
    if not instructed and (prompt or not _is_zero(temperature)):
        raise ValueError(_takes_none("prompt" if prompt else "temperature", repr(name)))
    if callable(name) and not isinstance(name, str):
        return FunctionTranslator(name)
    if not isinstance(beams, int) or beams < 1:
        raise ValueError(f"beams: expected a number of 1 or more, got {beams!r}")
    languages = (source_language, target_language)
    if instructed:
        from lib.translation.instructed import load_instructed  # which builds on this module

        words = dict(zip(("source_language", "target_language"), languages))
        how = dict(temperature=temperature, timeout=timeout, workers=workers)
        return load_instructed(
            name, **words, prompt=prompt, device=device, dtype=dtype, cache=cache, **how
        )
    if name in SERVICES:
        how = dict(timeout=timeout, workers=workers if name == "libretranslate" else None)
        given = {setting: value for setting, value in how.items() if value is not None}
        translator = SERVICES[name](*languages, **given)
    else:
        translator = ModelTranslator(name, *languages, beams=beams, device=device, dtype=dtype)
    return CachedTranslator(translator) if cache else translator


def _is_zero(temperature: float | str | None) -> bool:
    return str(temperature) in ("0", "0.0")


def _takes_none(setting: str, name: str) -> str:
    return (
        f"{setting}: {name} takes none; a language model that is told to translate is named "
        "'instructed:<folder>', 'instructed:<model>@<commit>' or 'instructed:<address>#<model>'"
    )


def translated_sets(
    translator: Translator, sentences: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """Translate sets of sentences that overlap: a sentence of several sets is translated once.

    Parameters
    ----------
    translator : Translator
    sentences : mapping
        Set -> its sentences.

    Returns
    -------
    dict
        Set -> the translations of its sentences, in order.

    Examples
    --------
    >>> upper = load_translator(lambda sentences: [text.upper() for text in sentences])
    >>> translated_sets(upper, {"one": ["a", "b"], "other": ["a"]})
    {'one': ['A', 'B'], 'other': ['A']}
    """
    distinct = list(dict.fromkeys(text for texts in sentences.values() for text in texts))
    outputs = dict(zip(distinct, translator.translate(distinct)))
    return {name: [outputs[text] for text in texts] for name, texts in sentences.items()}


class FunctionTranslator:
    """A function from a list of sentences to their translations; what it returns is checked."""

    def __init__(self, function: Callable[[list[str]], Sequence[str]]):
        self.function, self.name = function, getattr(function, "__name__", type(function).__name__)
        self.source = f"function:{self.name}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The function's translations.

        Raises
        ------
        ValueError
            When they are not as many texts as there are sentences.
        """
        sentences = checked_sentences(sentences)
        outputs = self.function(list(sentences)) if sentences else []
        listed = isinstance(outputs, Sequence | np.ndarray) and not isinstance(outputs, str)
        if not (
            listed
            and len(outputs) == len(sentences)
            and all(isinstance(text, str) for text in outputs)
        ):
            number = f"{len(outputs)} of " if hasattr(outputs, "__len__") else ""
            raise ValueError(
                f"{self.name}: expected a list of {len(sentences)} translations, one text for each "
                f"sentence, got {number}{type(outputs).__name__}; the function takes the whole list"
            )
        return list(outputs)


class ModelTranslator:
    """A seq2seq model of transformers: Marian, NLLB, M2M-100 and similar models.

    Parameters are those of `load_translator`.
    """

    def __init__(
        self,
        name: str,
        source_language: str | None = None,
        target_language: str | None = None,
        *,
        beams: int = 4,
        device: str = "auto",
        dtype: str = "auto",
    ):
        if dtype == "auto":
            dtype = half_precision() if best_device(device).startswith("cuda") else "float32"
        self.transformer = load_seq2seq(own_folder(name) or name, device=device, dtype=dtype)
        self.name, self.source = self.transformer.name, self.transformer.source
        self.device, self.beams, self.dtype = self.transformer.device, beams, dtype
        self.language_tag, self.first_token = _language_marks(
            self.transformer, source_language, target_language
        )
        pair = f" {source_language}>{target_language}" if source_language or target_language else ""
        self.settings = f"{self.source}{pair} beams={beams} {dtype}"

    def __repr__(self) -> str:
        return f"ModelTranslator({self.name!r}, beams={self.beams}, {self.device})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations of sentences, in order; an empty one stays empty.

        Sentences of like length are decoded together.

        Raises
        ------
        ValueError
            For one string in place of a list, and for a sentence longer than the model reads.
        """
        import torch

        texts = [
            self.language_tag + sentence if sentence.strip() else ""
            for sentence in checked_sentences(sentences)
        ]
        rows, outputs = encoded(self.transformer, texts), [""] * len(texts)
        by_length: dict[int, list[int]] = {}
        for place in np.flatnonzero([bool(text) for text in texts]):
            by_length.setdefault(-(-len(rows[place]) // LENGTH_STEP), []).append(place)
        with torch.inference_mode():
            for steps, places in sorted(by_length.items()):
                limit = LENGTH_RATIO * LENGTH_STEP * steps + EXTRA_LENGTH
                batches = batched(self.transformer, [rows[place] for place in places])
                for indices, tokens, real in batches:
                    decoded = self._decode(tokens, real, min(limit, self.transformer.longest))
                    for index, text in zip(indices, decoded):
                        outputs[places[index]] = text.strip()
        return outputs

    def _decode(self, tokens, real, limit: int) -> list[str]:
        settings = {"num_beams": self.beams, "max_length": limit, "do_sample": False}
        if self.beams > 1:
            settings["early_stopping"] = True
        if self.first_token is not None:
            settings["forced_bos_token_id"] = self.first_token
        coded = self.transformer.model.generate(input_ids=tokens, attention_mask=real, **settings)
        return self.transformer.tokenizer.batch_decode(coded, skip_special_tokens=True)


def own_folder(name: str) -> str | None:
    """The folder of one of our translators in data/models; None for another name.

    Raises
    ------
    ValueError
        When its weights are not there.
    """
    folder = DATA / "models" / name
    if folder.parent != DATA / "models" or not (folder / "card.md").is_file():
        return None
    if not (folder / "model.safetensors").is_file():
        raise ValueError(
            f"{name}: expected weights at {folder / 'model.safetensors'}, found none; get them back "
            f"with git, or train them with the command that {folder / 'card.md'} names"
        )
    return str(folder)


def half_precision() -> str:
    """The half precision that the GPU at hand computes in: bfloat16 where it can."""
    import torch

    return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"


def _language_marks(
    transformer: Transformer, source_language: str | None, target_language: str | None
) -> tuple[str, int | None]:
    """What stands before a sentence, and the token that a translation begins with."""
    name, tokenizer = transformer.name, transformer.tokenizer
    if hasattr(tokenizer, "src_lang"):
        if not source_language or not target_language:
            raise ValueError(
                f"{name} translates between many languages: give source_language and "
                "target_language, 'eng_Latn' and 'spa_Latn' for NLLB, 'en' and 'es' for M2M-100"
            )
        tokens = [_language_token(tokenizer, code) for code in (source_language, target_language)]
        for code, token in zip((source_language, target_language), tokens):
            if token is None:
                raise ValueError(
                    f"'{code}' is no language of {name}; it spells them as in its card, "
                    "'eng_Latn' (NLLB) or 'en' (M2M-100)"
                )
        tokenizer.src_lang = source_language
        return "", tokens[1]
    tags = [token for token in tokenizer.get_vocab() if token[:2] == ">>" and token[-2:] == "<<"]
    if not tags:
        return "", None
    if f">>{target_language}<<" not in tags:
        raise ValueError(
            f"{name} translates into several languages: give target_language, one of "
            f"{', '.join(tag[2:-2] for tag in sorted(tags)[:12])}, got {target_language!r}"
        )
    return f">>{target_language}<< ", None


def _language_token(tokenizer, code: str) -> int | None:
    """The number of the token of a language: `spa_Latn` (NLLB, mBART) or `__es__` (M2M-100)."""
    special = {*tokenizer.all_special_tokens}
    special |= {*getattr(tokenizer, "lang_code_to_token", {}).values()}
    vocabulary = tokenizer.get_vocab()
    tokens = [token for token in (code, f"__{code}__") if token in special & vocabulary.keys()]
    return vocabulary[tokens[0]] if tokens else None


class CachedTranslator:
    """A translator that asks another one only for what it has not translated before.

    A sentence that occurs several times is asked for once.

    Parameters
    ----------
    translator : Translator
    folder : Path, optional
        Of the cache; default `translations` in the book's cache.
    accept : callable, optional
        Whether a sentence's translation may be kept; one that may not is asked for again.
    """

    def __init__(
        self,
        translator: Translator,
        folder: Path | None = None,
        accept: Callable[[str, str], bool] = lambda sentence, translation: True,
    ):
        self.translator, self.name, self.source = translator, translator.name, translator.source
        self.cache = TranslationCache(getattr(translator, "settings", translator.source), folder)
        self.accept = accept

    def __repr__(self) -> str:
        return f"{self.translator!r} with {self.cache.path.name}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations of sentences, in order, made or kept.

        Raises what the translator raises; what came before a failure is kept.
        """
        sentences = checked_sentences(sentences)
        made = {text: output for part in self.parts(sentences) for text, output in part.items()}
        return [made.get(text, "") for text in sentences]

    def parts(self, sentences: Sequence[str]) -> Iterator[dict[str, str]]:
        """Translations by their sentences: those kept before, then new ones as they come."""
        distinct = list(dict.fromkeys(sentences))
        known = self.cache.known(distinct)
        outputs = {text: made for text, made in known.items() if self.accept(text, made)}
        self.cache.forget(known.keys() - outputs.keys())
        yield outputs
        new = sorted((text for text in distinct if text not in outputs), key=len)
        kept = 0
        try:
            for part in parts_of(self.translator, new):
                good = {text: made for text, made in part.items() if self.accept(text, made)}
                kept += len(good) if good and self.cache.keep(good) else 0
                yield part
        except ServiceError as error:
            rest = sum(bool(text.strip()) for text in new) - kept
            raise ServiceError(
                f"{error}. Of this run {kept:,} new translations are kept; a rerun asks for the "
                f"other {rest:,}"
            ) from None


def parts_of(translator: Translator, sentences: Sequence[str]) -> Iterator[dict[str, str]]:
    """Translations by their sentences, as they come: what a failure later does not take back."""
    if hasattr(translator, "parts"):
        yield from translator.parts(sentences)
        return
    size = getattr(translator, "chunk", CHUNK)
    for start in range(0, len(sentences), size):
        part = sentences[start : start + size]
        yield dict(zip(part, translator.translate(part)))


def checked_sentences(sentences: Sequence[str]) -> list[str]:
    """The sentences as a list.

    Raises
    ------
    ValueError
        For one string, or for something in the list that is no text that can be written.
    """
    if isinstance(sentences, str):
        raise ValueError(
            f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
        )
    sentences = list(sentences)
    for place, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            raise ValueError(
                f"expected texts, got {sentence!r} at place {place}; leave it out or write it out"
            )
        if not writable(sentence):
            raise ValueError(
                f"expected texts, got one with half of a surrogate pair at place {place}: "
                f"{sentence[:40]!r}; read its file again as UTF-8"
            )
    return sentences
