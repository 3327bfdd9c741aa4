"""Language models that are told to translate: a model at hand, or a server that speaks as OpenAI's.

What an answer holds beside the translation is taken off and can be asked for, and an answer without
a translation is counted and never kept (`lib.translation.answers`). The prompt is part of what
translates: it stands in `source` and decides which kept answers are read. Local models answer
greedily; a server is asked for temperature 0, which promises no more than it keeps.
"""

import copy
import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from lib.language_models.causal import answers, chat_mark
from lib.language_models.decoders import load_decoder
from lib.language_models.pretrained import best_device
from lib.translation.answers import (
    LARGEST_SHARE,
    Cut,
    Reading,
    counts_note,
    problems,
    read_answer,
    repeats,
)
from lib.translation.services import (
    LONGEST_SENTENCE,
    SHORTEST_SECRET,
    Service,
    ServiceError,
    checked_address,
)
from lib.translation.translators import (
    EXTRA_LENGTH,
    LENGTH_RATIO,
    LENGTH_STEP,
    SCHEME,
    CachedTranslator,
    checked_sentences,
    half_precision,
    parts_of,
)

KEY = "INSTRUCTED_API_KEY"
PROMPT = (
    "Translate this sentence from {source_language} to {target_language}. Answer with the "
    "translation alone, in one line.\n{source_language}: {sentence}\n{target_language}:"
)


@dataclass(frozen=True)
class Prompt:
    """What a model is told, with a place for the sentence.

    Attributes
    ----------
    template : str
        With {sentence} once; {source_language} and {target_language} where they are wanted.
    source_language, target_language : str, optional
        As words: "English", "Spanish".
    instruction : str
        A line of its own before the template.

    Raises
    ------
    ValueError
        Without {sentence}, and without a language that the template names.

    Examples
    --------
    >>> Prompt("Say in {target_language}: {sentence}", None, "Spanish").filled("I am {tired}.")
    'Say in Spanish: I am {tired}.'
    """

    template: str = PROMPT
    source_language: str | None = None
    target_language: str | None = None
    instruction: str = ""

    def __post_init__(self):
        if not isinstance(self.template, str) or self.template.count("{sentence}") != 1:
            raise ValueError(
                "prompt: expected a text with {sentence} in it once, got "
                f"{str(self.template)[:60]!r}"
            )
        for field in ("source_language", "target_language"):
            if f"{{{field}}}" in self.template and not getattr(self, field):
                raise ValueError(
                    f"prompt: it names {{{field}}}; give {field} as a word, such as 'English' or "
                    "'Spanish', or a prompt without it"
                )

    @property
    def text(self) -> str:
        """The prompt with its languages and its instruction, the sentence still open."""
        filled = self.template
        for field in ("source_language", "target_language"):
            filled = filled.replace(f"{{{field}}}", getattr(self, field) or "")
        return f"{self.instruction}\n{filled}" if self.instruction else filled

    def filled(self, sentence: str) -> str:
        """The prompt for a sentence."""
        before, _, after = self.text.partition("{sentence}")
        return f"{before}{sentence}{after}"


log = logging.getLogger("lib")


class CausalAnswers:
    """Whole answers of a causal language model at hand.

    Parameters are those of `load_instructed`.
    """

    chunk = 256
    source = ""

    def __init__(self, name: str, prompt: Prompt, *, device: str = "auto", dtype: str = "auto"):
        if dtype == "auto":
            dtype = half_precision() if best_device(device).startswith("cuda") else "float32"
        self.transformer = load_decoder(name, device=device, dtype=dtype)
        self.name, self.prompt = self.transformer.name, prompt
        self.identity = f"{self.transformer.source} {chat_mark(self.transformer)} greedy {dtype}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The answers in order, whole; an empty sentence stays empty.

        Raises
        ------
        ValueError
            For a sentence that leaves no room for an answer.
        """
        outputs = [""] * len(sentences)
        places = [place for place, text in enumerate(sentences) if text.strip()]
        texts = [sentences[place] for place in places]
        longest = []
        for text in texts:
            pieces = len(self.transformer.tokenizer(text, verbose=False)["input_ids"])
            longest.append(LENGTH_RATIO * LENGTH_STEP * -(-pieces // LENGTH_STEP) + EXTRA_LENGTH)
        prompts = [self.prompt.filled(text) for text in texts]
        made = answers(self.transformer, prompts, longest)
        for place, answer, most in zip(places, made, longest):
            # special pieces are gone, so that an answer of this length did not end by itself
            pieces = self.transformer.tokenizer(answer, add_special_tokens=False, verbose=False)
            outputs[place] = Cut(answer) if len(pieces["input_ids"]) >= most else answer
        return outputs


class ServedAnswers(Service):
    """Whole answers of a server with OpenAI's chat completions: vLLM, llama.cpp, Ollama, OpenAI.

    Its key, if it wants one, is read from INSTRUCTED_API_KEY and nowhere else: a variable of its
    own, so that the key of another service is not sent to this address.

    Parameters
    ----------
    address : str
        What its paths begin with: "http://localhost:8000/v1".
    model : str
        As the server names it.
    prompt : Prompt
    temperature : float or None
        Asked for; None asks for none.
    **settings
        timeout, pause, workers and largest of `Service`.
    """

    needs_languages = False

    def __init__(
        self,
        address: str,
        model: str,
        prompt: Prompt,
        *,
        temperature: float | None = 0,
        **settings: Any,
    ):
        super().__init__(**{"timeout": 120.0, "workers": 4, **settings})
        self.address = checked_address(address, KEY, "http://localhost:8000/v1")
        if not model:
            raise ValueError(
                f"expected a model after the address, {SCHEME}{address}#<model>, as the server's "
                "list (GET /models) names it"
            )
        if temperature is not None and not (
            type(temperature) in (int, float) and 0 <= temperature < float("inf")
        ):
            raise ValueError(f"temperature: expected 0 or more, or none, got {temperature!r}")
        self.name, self.prompt, self.temperature = model, prompt, temperature
        self.key = self._key(KEY)
        if len(self.key) >= SHORTEST_SECRET and self.key in f"{address} {model} {prompt.text}":
            raise ValueError(
                f"expected the key in {KEY} alone; the address, the model or the prompt holds it, "
                "too, and they are written into results"
            )
        asked = "its own" if temperature is None else f"{temperature:g}"
        self.identity = f"{model} at {self.address} temperature={asked}"

    def _places(self, sentences: Sequence[str]) -> list[list[int]]:
        """One request a sentence, so that a failure repeats no other."""
        for place, sentence in enumerate(sentences):
            if len(sentence) >= LONGEST_SENTENCE:
                raise ValueError(
                    f"expected sentences under {LONGEST_SENTENCE:,} characters, got one of "
                    f"{len(sentence):,} at place {place}: {sentence[:40]!r}…; split it"
                )
        return [[place] for place, sentence in enumerate(sentences) if sentence.strip()]

    @staticmethod
    def _is_text(answer: object) -> bool:
        """A damaged text is counted among the answers that are none."""
        return isinstance(answer, str)

    def _ask(self, texts: list[str]) -> list[str]:
        message = {"role": "user", "content": self.prompt.filled(texts[0])}
        body: dict[str, Any] = {"model": self.name, "messages": [message]}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.address}/chat/completions"
        hint = "is it the address of a server with OpenAI's chat completions (…/v1)?"
        status, content = self._post(address, body, headers, hint)
        answer = _content(content) if status == 200 else None
        if answer is None:
            reason = self._reason(content)
            hint = "see the server's log and its list of models (GET /models)"
            if status in (401, 403):
                hint = f"the key in {KEY} is not accepted" if self.key else f"set the key in {KEY}"
            elif status in (400, 422) and "temperature" in reason:
                hint = (
                    "this model takes no such temperature: ask for its own with temperature=None "
                    "(in a chapter -p temperature=none)"
                )
            said = "refused" if status != 200 else "answered without a message"
            raise ServiceError(
                f"{self.name}: {self.address} {said} (status {status}): {reason}; {hint}"
            )
        return [answer]


def _content(completion: Any) -> str | None:
    """The answer in a chat completion, "" where the model said nothing; None for anything else."""
    try:
        choice = completion["choices"][0]
        content, ended = choice["message"].get("content"), choice.get("finish_reason")
        if isinstance(content, list):  # parts, some of them reasoning
            texts = [part["text"] for part in content if part.get("type") == "text"]
            content = "".join(texts)
        content = content or choice["message"].get("refusal") or ""
    except (KeyError, IndexError, TypeError, AttributeError):
        return None
    if not isinstance(content, str):
        return None
    return Cut(content) if ended == "length" else content


class InstructedTranslator:
    """A language model as a translator: the translation in each answer.

    Parameters
    ----------
    model : CausalAnswers or ServedAnswers
    cache : bool
        Keep whole answers, so that what was cut is kept too.
    readings : dict, optional
        Where answers are counted; default one of its own.

    Attributes
    ----------
    name, source : str
        As `lib.translation.translators.Translator` has them; the prompt stands in the source.
    prompt : Prompt
    readings : dict
        Each answer so far as it was read, by prompt and sentence.
    """

    def __init__(
        self,
        model: CausalAnswers | ServedAnswers,
        *,
        cache: bool = True,
        readings: dict[tuple[str, str], Reading] | None = None,
    ):
        self.model, self.cached = model, cache
        self.name, self.prompt = model.name, model.prompt
        self.readings = {} if readings is None else readings
        model.source = self.source = f"{model.identity} prompt={self.prompt.text!r}"
        self._answering = CachedTranslator(model, accept=self._accepts) if cache else model

    def __repr__(self) -> str:
        return f"InstructedTranslator({self.name!r}, {self.prompt.text!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations in order; an empty sentence stays empty.

        Raises
        ------
        ValueError
            For one string in place of a list, and for a sentence that is too long.
        ServiceError
            When a server does not deliver, or more than 2 % of the answers hold no translation (of
            fewer, the translation is empty); translations made before are kept.
        """
        sentences, read = self._read(sentences)
        return [read[text].translation if text in read else "" for text in sentences]

    def cut(self, sentences: Sequence[str]) -> list[str]:
        """What stood after the translation in each answer, "" where nothing did.

        Kept answers are not asked for again.
        """
        sentences, read = self._read(sentences)
        return [read[text].rest if text in read else "" for text in sentences]

    def note(self) -> str:
        """How many answers came so far, what was taken off, and how many were no translation."""
        return counts_note(self.readings.values(), self.prompt.target_language)

    def instructed(self, instruction: str) -> "InstructedTranslator":
        """The same model with a line before its prompt; "" for the prompt alone. Both count
        their answers together.
        """
        model = copy.copy(self.model)
        model.prompt = replace(self.prompt, instruction=instruction)
        return InstructedTranslator(model, cache=self.cached, readings=self.readings)

    def _accepts(self, sentence: str, answer: str) -> bool:
        return not sentence.strip() or not self._reading(sentence, answer).problem

    def _reading(self, sentence: str, answer: str) -> Reading:
        prompt, language = self.prompt.filled(sentence), self.prompt.target_language
        return read_answer(sentence, answer, prompt=prompt, language=language)

    def _read(self, sentences: Sequence[str]) -> tuple[list[str], dict[str, Reading]]:
        sentences = checked_sentences(sentences)
        distinct = [text for text in dict.fromkeys(sentences) if text.strip()]
        read: dict[str, Reading] = {}
        given: dict[str, str] = {}
        with closing(parts_of(self._answering, distinct)) as parts:  # which ends the requests
            for part in parts:
                given |= part
                read |= {text: self._reading(text, answer) for text, answer in part.items()}
                self._stop_if_bad(read, given, len(distinct))
        same = repeats((text, reading.translation) for text, reading in read.items())
        for text in same:
            read[text] = replace(read[text], translation="", problem="the same for other sentences")
        if same and self.cached:
            self._answering.cache.forget(same)
        self._stop_if_bad(read, given, len(distinct))
        if bad := problems(read.values()):
            log.warning("%s: of %d answers no translation: %s", self.name, len(read), bad)
        self.readings |= {(self.prompt.text, text): reading for text, reading in read.items()}
        return sentences, read

    def _stop_if_bad(self, read: Mapping[str, Reading], given: Mapping[str, str], n: int) -> None:
        bad = [text for text, reading in read.items() if reading.problem]
        if len(bad) <= LARGEST_SHARE * n:
            return
        examples = "; ".join(f"{text[:60]!r} got {given[text][:80]!r}" for text in bad[:3])
        kinds = problems(read.values())
        more = "ask in other words (prompt=…)"
        if kinds.startswith(("reasoning", "cut", "empty")):
            more = "allow the model longer answers, or switch its reasoning off"
        kept = "; none of these is kept" if self.cached else ""
        raise ServiceError(
            f"{self.name}: {len(bad):,} of {len(read):,} answers are no translations ({kinds}), of "
            f"{n:,} asked for; above {LARGEST_SHARE:.0%} nothing is scored{kept}. For instance "
            f"{examples}. What may help: {more}"
        )


def load_instructed(
    name: str,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    prompt: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    cache: bool = True,
    temperature: float | str | None = 0,
    timeout: float | None = None,
    workers: int | None = None,
) -> InstructedTranslator:
    """A language model that is told to translate.

    Parameters
    ----------
    name : str
        What `lib.language_models.decoders.load_decoder` takes, such as a folder or a GGUF file, or
        "<address>#<model>" of a server, such as "http://localhost:8000/v1#my-model"; "instructed:"
        before it or not. A model
        with a chat template in tokenizer_config.json, or in a folder's chat_template.jinja, is
        asked in a chat; `source` says "chat" or "plain".
    source_language, target_language : str, optional
        As words for the prompt: "English", "Spanish".
    prompt : str, optional
        With {sentence} in it; default `PROMPT`.
    device, dtype : str
        Of a model at hand, as in `lib.translation.load_translator`.
    cache : bool
        Keep answers.
    temperature, timeout, workers
        Of a server, as in `lib.translation.load_translator`.

    Raises
    ------
    ValueError
        For a name, prompt, language or setting that cannot be.
    FetchError
        For a hub model that is not at hand.
    """
    place = name.removeprefix(SCHEME)
    told = Prompt(prompt or PROMPT, source_language, target_language)
    if isinstance(temperature, str):  # as a chapter's parameter
        temperature = None if temperature == "none" else _number(temperature)
    if "://" in place:
        address, _, model = place.partition("#")
        how = {"timeout": timeout, "workers": workers}
        how = {setting: value for setting, value in how.items() if value is not None}
        served = ServedAnswers(address, model, told, temperature=temperature, **how)
        return InstructedTranslator(served, cache=cache)
    if temperature != 0:
        raise ValueError(
            f"temperature: a model at hand answers greedily, got {temperature!r}; leave it at 0, or "
            "serve the model and name its address"
        )
    if not place:
        raise ValueError(
            f"expected a model after {SCHEME!r}: a folder, a GGUF file, <model>@<commit>, or <address>#<model>"
        )
    return InstructedTranslator(CausalAnswers(place, told, device=device, dtype=dtype), cache=cache)


def _number(text: str) -> float | str:
    """A text as the number it spells; as it is where it spells none."""
    try:
        return float(text)
    except ValueError:
        return text
