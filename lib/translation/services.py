"""Translation services as translators: LibreTranslate by HTTP, DeepL and Google by their clients.

Keys come from environment variables and nowhere else. A request that fails for now (no connection,
time-out, status 429 or 5xx) is tried again after a pause that doubles; any other failure is raised
at once. Services change without notice: their translations are of the day they were made.
"""

import importlib
import logging
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

LONGEST_SENTENCE = 5000  # characters in a sentence, and in a request
REQUEST_SIZE = 50  # sentences
ATTEMPTS = 5
PASSING_STATUS = {408, 425, 429, 500, 502, 503, 504}

log = logging.getLogger("lib")


class ServiceError(OSError):
    """A translation service could not be asked, or did not answer with translations."""


class _PassingFailure(Exception):
    """What happened, and how many seconds the service asks to wait."""

    def __init__(self, what: str, wait: float = 0.0):
        super().__init__(what)
        self.wait = wait


class Service:
    """What services share: requests of bounded size, repeated attempts, checked answers.

    Parameters
    ----------
    source_language, target_language : str
        As the service spells them.
    timeout : float
        Seconds to wait for an answer.
    pause : float
        Seconds before the second attempt.

    Raises
    ------
    ValueError
        Without languages, key or client.
    """

    name = "service"
    needs_languages = True

    def __init__(
        self,
        source_language: str | None = None,
        target_language: str | None = None,
        *,
        timeout: float = 30.0,
        pause: float = 1.0,
    ):
        if self.needs_languages and not (source_language and target_language):
            raise ValueError(
                f"{self.name}: expected source_language and target_language as codes such as 'en' "
                f"and 'es', got {source_language!r} and {target_language!r}"
            )
        self.source_language, self.target_language = source_language, target_language
        self.timeout, self.pause = timeout, pause
        self.source = f"{self.name} {source_language}>{target_language}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations in order; an empty sentence stays empty, an empty list asks nothing.

        Raises
        ------
        ValueError
            For a sentence longer than a request.
        ServiceError
            When the service does not deliver.
        """
        outputs = [""] * len(sentences)
        for places in _requests(sentences):
            answers = self._ask_repeatedly([sentences[place] for place in places])
            for place, answer in zip(places, answers):
                outputs[place] = answer
        return outputs

    def _ask_repeatedly(self, texts: list[str]) -> list[str]:
        for attempt in range(ATTEMPTS):
            try:
                answers = self._ask(texts)
                break
            except _PassingFailure as error:
                if attempt == ATTEMPTS - 1:
                    raise ServiceError(
                        f"{self.name}: gave up after {ATTEMPTS} attempts ({error}); try again "
                        "later; translations made so far are kept"
                    ) from error
                wait = max(self.pause * 2**attempt, error.wait)
                log.info("%s: %s; again in %.0f s", self.name, error, wait)
                time.sleep(wait)
        listed = isinstance(answers, list)
        if not listed or len(answers) != len(texts) or {*map(type, answers)} != {str}:
            raise ServiceError(
                f"{self.name}: expected {len(texts)} translations, one for each sentence, got "
                f"{len(answers) if listed else type(answers).__name__}; nothing of this request is "
                "kept"
            )
        return answers

    def _ask(self, texts: list[str]) -> list[str]:
        raise NotImplementedError

    def _post(self, address: str, body: dict, headers: dict, hint: str) -> tuple[int, Any]:
        """Status and JSON of an answer; nothing is sent on to another address."""
        import requests

        settings = {"headers": headers, "timeout": self.timeout, "allow_redirects": False}
        try:
            answer = requests.post(address, json=body, **settings)
        except (requests.ConnectionError, requests.Timeout) as error:
            parts = urlsplit(address)
            message = f"{parts.scheme}://{parts.netloc} does not answer: {type(error).__name__}"
            raise _PassingFailure(message) from error
        status = answer.status_code
        if status in PASSING_STATUS:
            wait = answer.headers.get("Retry-After", "")
            raise _PassingFailure(f"status {status}", float(wait) if wait.isdecimal() else 0.0)
        try:
            return status, answer.json()
        except ValueError as error:
            kind = answer.headers.get("Content-Type", "no type")
            raise ServiceError(
                f"{self.name}: expected JSON from {address}, got {kind} (status {status}): "
                f"{answer.text[:60]!r}; {hint}"
            ) from error

    def _failure(self, error: Exception, passing: bool) -> Exception:
        """The failure of a client as one of ours."""
        message = f"{type(error).__name__}: {str(error)[:200]}"
        if passing:
            return _PassingFailure(message)
        return ServiceError(f"{self.name}: refused ({message}); check key and language codes")

    def _variable(self, variable: str, meaning: str) -> str:
        if not os.environ.get(variable):
            raise ValueError(
                f"{self.name}: expected {meaning} in the environment variable {variable}, which is "
                "not set; keys are read from the environment only"
            )
        return os.environ[variable]

    def _client(self, module: str):
        try:
            return importlib.import_module(module)
        except ImportError as error:
            raise ValueError(
                f"{self.name}: its client {module} is not installed; it is optional: "
                "pip install -e '.[translation]'"
            ) from error


def _requests(sentences: Sequence[str]) -> Iterator[list[int]]:
    """Places of the sentences that are not empty, as many at a time as one request takes."""
    places, size = [], 0
    for place, sentence in enumerate(sentences):
        if not sentence.strip():
            continue
        if len(sentence) >= LONGEST_SENTENCE:
            raise ValueError(
                f"expected sentences under {LONGEST_SENTENCE:,} characters, got one of "
                f"{len(sentence):,} at place {place}: {sentence[:40]!r}…; split it"
            )
        if places and (len(places) == REQUEST_SIZE or size + len(sentence) > LONGEST_SENTENCE):
            yield places
            places, size = [], 0
        places.append(place)
        size += len(sentence)
    if places:
        yield places


class LibreTranslate(Service):
    """A LibreTranslate server: LIBRETRANSLATE_URL, and LIBRETRANSLATE_API_KEY if it wants a key."""

    name = "libretranslate"

    def __init__(self, *languages: str | None, **settings):
        super().__init__(*languages, **settings)
        meaning = "the address of a server, such as http://localhost:5000"
        self.url = self._variable("LIBRETRANSLATE_URL", meaning)
        self.source = f"{self.source} {self.url}"

    def _ask(self, texts: list[str]) -> list[str]:
        body = {"source": self.source_language, "target": self.target_language}
        body |= {"q": texts, "format": "text"}
        if key := os.environ.get("LIBRETRANSLATE_API_KEY"):
            body["api_key"] = key
        hint = "is LIBRETRANSLATE_URL the address of a LibreTranslate server?"
        status, content = self._post(f"{self.url.rstrip('/')}/translate", body, {}, hint)
        if status != 200 or not isinstance(content, dict) or "translatedText" not in content:
            reason = content.get("error", content) if isinstance(content, dict) else content
            refused = status in (400, 401, 403)
            hint = "set LIBRETRANSLATE_API_KEY" if refused else "see the server's log"
            raise ServiceError(
                f"{self.name}: {self.url} refused (status {status}): {str(reason)[:200]}; {hint}"
            )
        return content["translatedText"]


class DeepL(Service):
    """DeepL through its official client: DEEPL_AUTH_KEY."""

    name = "deepl"

    def __init__(self, *languages: str | None, **settings):
        super().__init__(*languages, **settings)
        key = self._variable("DEEPL_AUTH_KEY", "the key of your account")
        self._deepl = self._client("deepl")
        address = os.environ.get("DEEPL_SERVER_URL")
        self._translator = self._deepl.Translator(key, server_url=address)

    def _ask(self, texts: list[str]) -> list[str]:
        try:
            results = self._translator.translate_text(
                texts, source_lang=self.source_language, target_lang=self.target_language
            )
        except self._deepl.DeepLException as error:
            raise self._failure(error, getattr(error, "should_retry", False)) from error
        return [result.text for result in results]


class Google(Service):
    """Google Cloud Translation (v2) through its official client: GOOGLE_APPLICATION_CREDENTIALS."""

    name = "google"

    def __init__(self, *languages: str | None, **settings):
        super().__init__(*languages, **settings)
        meaning = "the path of your service account's key file"
        self._variable("GOOGLE_APPLICATION_CREDENTIALS", meaning)
        self._translator = self._client("google.cloud.translate_v2").Client()

    def _ask(self, texts: list[str]) -> list[str]:
        try:
            results = self._translator.translate(
                texts,
                source_language=self.source_language,
                target_language=self.target_language,
                format_="text",
            )
        except Exception as error:  # google.api_core, google.auth and requests each have their own
            passing = getattr(error, "code", None) in PASSING_STATUS
            raise self._failure(error, passing) from error
        return [result["translatedText"] for result in results]


SERVICES = {service.name: service for service in (LibreTranslate, DeepL, Google)}
