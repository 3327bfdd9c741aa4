"""Language models that are told to translate: a model at hand, or a server that speaks as OpenAI's.

The first line of an answer is the translation; what stands after it is cut, and can be asked for.
The prompt is part of what translates: it stands in `source` and decides which kept answers are
read. Local models answer greedily; a server is asked for temperature 0, which promises no more than
it keeps.
"""

import copy
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from lib.language_models.causal import answers, chat_mark
from lib.language_models.pretrained import best_device, load_causal
from lib.translation.services import Service, ServiceError
from lib.translation.translators import (
    EXTRA_LENGTH,
    LENGTH_RATIO,
    LENGTH_STEP,
    CachedTranslator,
    checked_sentences,
    half_precision,
)

SCHEME = "instructed:"
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


class CausalAnswers:
    """Whole answers of a causal language model at hand.

    Parameters are those of `load_instructed`.
    """

    chunk = 256
    source = ""

    def __init__(self, name: str, prompt: Prompt, *, device: str = "auto", dtype: str = "auto"):
        if dtype == "auto":
            dtype = half_precision() if best_device(device).startswith("cuda") else "float32"
        self.transformer = load_causal(name, device=device, dtype=dtype)
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
        for place, answer in zip(places, answers(self.transformer, prompts, longest)):
            outputs[place] = answer
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
    **settings
        timeout and pause of `Service`.
    """

    chunk = 50
    needs_languages = False

    def __init__(self, address: str, model: str, prompt: Prompt, **settings: Any):
        super().__init__(**{"timeout": 120.0, **settings})
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise ValueError(
                "address: expected one such as http://localhost:8000/v1, got "
                f"{address.partition('?')[0]!r}"
            )
        if parts.username or parts.password:
            raise ValueError(
                f"address: expected none with a name or key in it; set the key in {KEY}"
            )
        if not model:
            raise ValueError(
                f"expected a model after the address, {SCHEME}{address}#<model>, as the server's "
                "list (GET /models) names it"
            )
        self.address, self.name, self.prompt = address.rstrip("/"), model, prompt
        self.identity = f"{model} at {self.address} temperature=0"

    def _ask_repeatedly(self, texts: list[str]) -> list[str]:
        """One request a sentence, so that a failure repeats no other."""
        return [super(ServedAnswers, self)._ask_repeatedly([text])[0] for text in texts]

    def _ask(self, texts: list[str]) -> list[str]:
        message = {"role": "user", "content": self.prompt.filled(texts[0])}
        body = {"model": self.name, "messages": [message], "temperature": 0}
        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        address = f"{self.address}/chat/completions"
        hint = "is it the address of a server with OpenAI's chat completions (…/v1)?"
        status, content = self._post(address, body, headers, hint)
        try:
            answer = content["choices"][0]["message"]["content"]
            ended = content["choices"][0].get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            answer = ended = None
        if status != 200 or not isinstance(answer, str):
            reason = content.get("error", content) if isinstance(content, dict) else content
            reason = str(reason)[:200]
            hint = "see the server's log and its list of models (GET /models)"
            if status in (401, 403):
                hint = f"set the key in {KEY}" if not key else f"the key in {KEY} is not accepted"
            raise ServiceError(
                f"{self.name}: {self.address} refused (status {status}): "
                f"{reason.replace(key, '…') if key else reason}; {hint}"
            )
        if ended == "length" and "\n" not in answer.strip():
            raise ServiceError(
                f"{self.name}: an answer ended before its first line did: {answer[:60]!r}; allow "
                "the server longer answers"
            )
        return [answer]


class InstructedTranslator:
    """A language model as a translator: the first line of each answer.

    Parameters
    ----------
    model : CausalAnswers or ServedAnswers
    cache : bool
        Keep whole answers, so that what was cut is kept too.

    Attributes
    ----------
    name, source : str
        As `lib.translation.translators.Translator` has them; the prompt stands in the source.
    prompt : Prompt
    """

    def __init__(self, model: CausalAnswers | ServedAnswers, *, cache: bool = True):
        self.model, self.cached = model, cache
        self.name, self.prompt = model.name, model.prompt
        model.source = self.source = f"{model.identity} prompt={self.prompt.text!r}"
        self._answering = CachedTranslator(model) if cache else model

    def __repr__(self) -> str:
        return f"InstructedTranslator({self.name!r}, {self.prompt.text!r})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations in order; an empty sentence stays empty.

        Raises
        ------
        ValueError
            For one string in place of a list, and for a sentence that is too long.
        ServiceError
            When a server does not deliver; finished parts are kept.
        """
        return [line for line, _ in self._lines(sentences)]

    def cut(self, sentences: Sequence[str]) -> list[str]:
        """What stood after the first line of each answer, "" where nothing did.

        Kept answers are not asked for again.
        """
        return [rest for _, rest in self._lines(sentences)]

    def instructed(self, instruction: str) -> "InstructedTranslator":
        """The same model with a line before its prompt; "" for the prompt alone."""
        model = copy.copy(self.model)
        model.prompt = replace(self.prompt, instruction=instruction)
        return InstructedTranslator(model, cache=self.cached)

    def _lines(self, sentences: Sequence[str]) -> list[tuple[str, str]]:
        return [
            first_line(answer) for answer in self._answering.translate(checked_sentences(sentences))
        ]


def first_line(answer: str) -> tuple[str, str]:
    """The first line of an answer that is not blank, and what stands after it, both stripped.

    Examples
    --------
    >>> first_line("\\n Estoy cansada. \\nEnglish: I am late.")
    ('Estoy cansada.', 'English: I am late.')
    """
    line, _, rest = answer.strip().partition("\n")
    return line.strip(), rest.strip()


def load_instructed(
    name: str,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    prompt: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    cache: bool = True,
) -> InstructedTranslator:
    """A language model that is told to translate.

    Parameters
    ----------
    name : str
        A folder or "<model>@<commit>" of a causal language model, or "<address>#<model>" of a
        server, such as "http://localhost:8000/v1#my-model"; "instructed:" before it or not. A model
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

    Raises
    ------
    ValueError
        For a name, prompt, language or setting that cannot be.
    FetchError
        For a hub model that is not at hand.
    """
    place = name.removeprefix(SCHEME)
    told = Prompt(PROMPT if prompt is None else prompt, source_language, target_language)
    if "://" in place:
        address, _, model = place.partition("#")
        return InstructedTranslator(ServedAnswers(address, model, told), cache=cache)
    if not place:
        raise ValueError(
            f"expected a model after {SCHEME!r}: a folder, <model>@<commit>, or <address>#<model>"
        )
    return InstructedTranslator(CausalAnswers(place, told, device=device, dtype=dtype), cache=cache)
