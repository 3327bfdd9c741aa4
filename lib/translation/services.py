"""Translation services behind the protocol of translators: LibreTranslate by HTTP, DeepL and Google by their own clients.

Keys come from environment variables and nowhere else. A request that fails for now (no connection, time-out, status 429 or
5xx) is tried again after a pause that doubles; any other failure is raised at once. Services change without notice: their
translations are of the day they were made.
"""

from __future__ import annotations

import importlib
import logging
import os
import time
from collections.abc import Iterator, Sequence

SERVICES = ("libretranslate", "deepl", "google")
LONGEST = 5000  # characters in a sentence, and in a request
AT_ONCE = 50  # sentences in a request
ATTEMPTS = 5
PAUSE = 1.0  # seconds before the second attempt
PASSING = {408, 425, 429, 500, 502, 503, 504}
EXTRA = "pip install -e '.[translation]'"

log = logging.getLogger("lib")


class ServiceError(OSError):
    """A translation service could not be asked, or did not answer with translations."""


class _ForNow(Exception):
    """A failure that may pass: what happened, and how long the service asks to wait (seconds)."""

    def __init__(self, what: str, wait: float = 0.0):
        super().__init__(what)
        self.wait = wait


class Service:
    """Common to all services: sentences in requests of bounded size, failures that pass tried again, answers checked."""

    name = "service"

    def __init__(
        self, source: str | None, target: str | None, *, timeout: float = 30.0, pause: float = PAUSE
    ):
        if not source or not target:
            raise ValueError(
                f"{self.name}: expected source and target as language codes such as 'en' and 'es', got "
                f"{source!r} and {target!r}"
            )
        self.languages, self.timeout, self.pause = (source, target), timeout, pause
        self.source = f"{self.name} {source}>{target}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """Translations in order; an empty sentence stays empty, and an empty list asks nothing.

        Raises ValueError for a sentence longer than a request, ServiceError when the service does not deliver.
        """
        found, full = (
            [""] * len(sentences),
            [place for place, text in enumerate(sentences) if text.strip()],
        )
        for part in _requests(sentences, full):
            answers = self._persistently([sentences[place] for place in part])
            for place, answer in zip(part, answers):
                found[place] = answer
        return found

    def _persistently(self, texts: list[str]) -> list[str]:
        for attempt in range(ATTEMPTS):
            try:
                answers = self._ask(texts)
                break
            except _ForNow as error:
                if attempt == ATTEMPTS - 1:
                    raise ServiceError(
                        f"{self.name}: gave up after {ATTEMPTS} attempts ({error}); try again later; "
                        "translations made so far are kept"
                    ) from error
                wait = max(self.pause * 2**attempt, error.wait)
                log.info("%s: %s; again in %.0f s", self.name, error, wait)
                time.sleep(wait)
        if (
            not isinstance(answers, list)
            or len(answers) != len(texts)
            or not all(isinstance(a, str) for a in answers)
        ):
            got = len(answers) if isinstance(answers, list) else type(answers).__name__
            raise ServiceError(
                f"{self.name}: expected {len(texts)} translations, one for each sentence, got {got}; nothing "
                "of this request is kept"
            )
        return answers

    def _ask(self, texts: list[str]) -> list[str]:
        raise NotImplementedError


def _requests(sentences: Sequence[str], places: Sequence[int]) -> Iterator[list[int]]:
    """Places of sentences, as many at a time as one request takes."""
    part, size = [], 0
    for place in places:
        length = len(sentences[place])
        if length >= LONGEST:
            raise ValueError(
                f"expected sentences under {LONGEST:,} characters, got one of {length:,} at place {place}: "
                f"{sentences[place][:40]!r}…; split it"
            )
        if part and (len(part) == AT_ONCE or size + length > LONGEST):
            yield part
            part, size = [], 0
        part.append(place)
        size += length
    if part:
        yield part


class LibreTranslate(Service):
    """A LibreTranslate server: LIBRETRANSLATE_URL, and LIBRETRANSLATE_API_KEY where it wants a key."""

    name = "libretranslate"

    def __init__(self, source: str | None, target: str | None, **settings):
        super().__init__(source, target, **settings)
        self.url = _variable(
            self.name,
            "LIBRETRANSLATE_URL",
            "the address of a server, such as http://localhost:5000",
        )
        self.source = f"{self.source} {self.url}"

    def _ask(self, texts: list[str]) -> list[str]:
        import requests

        body = {
            "q": texts,
            "source": self.languages[0],
            "target": self.languages[1],
            "format": "text",
        }
        if key := os.environ.get("LIBRETRANSLATE_API_KEY"):
            body["api_key"] = key
        try:
            answer = requests.post(
                f"{self.url.rstrip('/')}/translate", json=body, timeout=self.timeout
            )
        except (requests.ConnectionError, requests.Timeout) as error:
            raise _ForNow(f"{self.url} does not answer: {type(error).__name__}") from error
        if answer.status_code in PASSING:
            wait = answer.headers.get("Retry-After", "")
            raise _ForNow(f"status {answer.status_code}", float(wait) if wait.isdecimal() else 0.0)
        try:
            told = answer.json()
        except ValueError as error:
            kind, begins = answer.headers.get("Content-Type", "no type"), answer.text[:60]
            raise ServiceError(
                f"{self.name}: expected JSON from {self.url}/translate, got {kind} (status "
                f"{answer.status_code}): {begins!r}; is LIBRETRANSLATE_URL the address of a "
                "LibreTranslate server?"
            ) from error
        if answer.status_code != 200 or not isinstance(told, dict) or "translatedText" not in told:
            reason = told.get("error", told) if isinstance(told, dict) else told
            hint = (
                "set LIBRETRANSLATE_API_KEY"
                if answer.status_code in (400, 401, 403)
                else "see the server's log"
            )
            raise ServiceError(
                f"{self.name}: {self.url} refused (status {answer.status_code}): {str(reason)[:200]}; {hint}"
            )
        return told["translatedText"]


class DeepL(Service):
    """DeepL through its official client: DEEPL_AUTH_KEY."""

    name = "deepl"

    def __init__(self, source: str | None, target: str | None, **settings):
        super().__init__(source, target, **settings)
        key = _variable(self.name, "DEEPL_AUTH_KEY", "the key of your account")
        self._deepl = _client(self.name, "deepl")
        self._translator = self._deepl.Translator(
            key, server_url=os.environ.get("DEEPL_SERVER_URL")
        )

    def _ask(self, texts: list[str]) -> list[str]:
        try:
            found = self._translator.translate_text(
                texts, source_lang=self.languages[0], target_lang=self.languages[1]
            )
        except self._deepl.DeepLException as error:
            _raise(self.name, error, getattr(error, "should_retry", False))
        return [result.text for result in found]


class Google(Service):
    """Google Cloud Translation (v2) through its official client: GOOGLE_APPLICATION_CREDENTIALS, the path of a key file."""

    name = "google"

    def __init__(self, source: str | None, target: str | None, **settings):
        super().__init__(source, target, **settings)
        _variable(
            self.name,
            "GOOGLE_APPLICATION_CREDENTIALS",
            "the path of your service account's key file",
        )
        self._translator = _client(self.name, "google.cloud.translate_v2").Client()

    def _ask(self, texts: list[str]) -> list[str]:
        source, target = self.languages
        try:
            found = self._translator.translate(
                texts, source_language=source, target_language=target, format_="text"
            )
        except Exception as error:  # google.api_core, google.auth and requests each have their own
            _raise(self.name, error, getattr(error, "code", None) in PASSING)
        return [result["translatedText"] for result in found]


def _raise(name: str, error: Exception, passing: bool) -> None:
    if passing:
        raise _ForNow(f"{type(error).__name__}: {error}") from error
    told = f"{type(error).__name__}: {str(error)[:200]}"
    raise ServiceError(f"{name}: refused ({told}); check key and language codes") from error


def _variable(name: str, variable: str, what: str) -> str:
    if not os.environ.get(variable):
        raise ValueError(
            f"{name}: expected {what} in the environment variable {variable}, which is not set; keys are read "
            "from the environment only"
        )
    return os.environ[variable]


def _client(name: str, module: str):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ValueError(
            f"{name}: its client {module} is not installed; it is optional: {EXTRA}"
        ) from error


def load_service(name: str, *, source: str | None, target: str | None, **settings) -> Service:
    """A service by name. settings : timeout (seconds), pause (seconds before the second attempt).

    Raises ValueError without languages, key or client.
    """
    return dict(zip(SERVICES, (LibreTranslate, DeepL, Google)))[name](source, target, **settings)
