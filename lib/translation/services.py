"""Translation services as translators: LibreTranslate by HTTP, DeepL and Google by their clients.

Keys come from environment variables and nowhere else; they are read once, and no message, answer or
kept translation holds one. A request that fails for now (no connection, no whole answer in time,
status 429 or 5xx) is tried again after a pause that doubles; any other failure is raised at once.
Services change without notice: their translations are of the day they were made.
"""

import email.utils
import importlib
import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any
from urllib.parse import urlsplit

from lib.translation.answers import writable

LONGEST_SENTENCE = 5000  # characters in a sentence, and in a request
REQUEST_SIZE = 50  # sentences
LARGEST_ANSWER = 4_000_000  # bytes
ATTEMPTS = 5
LONGEST_PAUSE = 300.0  # seconds, whatever a server asks for
PASSING_STATUS = {408, 425, 429, 500, 502, 503, 504}
SHORTEST_SECRET = 8  # letters; servers that want no key are given one such as "EMPTY"

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
        Seconds to wait for a whole answer.
    pause : float
        Seconds before the second attempt.
    workers : int
        Requests at a time.
    largest : int
        Bytes of an answer.

    Raises
    ------
    ValueError
        Without languages, key or client, and for a setting or key that cannot be.
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
        workers: int = 1,
        largest: int = LARGEST_ANSWER,
    ):
        if self.needs_languages and not (source_language and target_language):
            raise ValueError(
                f"{self.name}: expected source_language and target_language as codes such as 'en' "
                f"and 'es', got {source_language!r} and {target_language!r}"
            )
        if not isinstance(timeout, int | float) or not 0 < timeout < float("inf"):
            raise ValueError(f"timeout: expected seconds above 0, got {timeout!r}")
        if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
            raise ValueError(f"workers: expected a number of 1 or more, got {workers!r}")
        self.source_language, self.target_language = source_language, target_language
        self.timeout, self.pause, self.workers = timeout, pause, workers
        self.largest = largest
        self.source = f"{self.name} {source_language}>{target_language}"
        self._keys: list[str] = []
        self._ending = threading.Event()

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations in order; an empty sentence stays empty, an empty list asks nothing.

        Raises
        ------
        ValueError
            For a sentence longer than a request.
        ServiceError
            When the service does not deliver.
        """
        parts = self.parts(list(dict.fromkeys(sentences)))
        made = {text: output for part in parts for text, output in part.items()}
        return [made.get(sentence, "") for sentence in sentences]

    def parts(self, sentences: Sequence[str]) -> Iterator[dict[str, str]]:
        """Translations by their sentences, as they come: a dict for each request.

        After a failure no more is asked; what is on its way still comes, then the failure is
        raised.
        """
        waiting = iter([[sentences[at] for at in places] for places in self._places(sentences)])
        ending = self._ending = threading.Event()
        running: dict[Future, list[str]] = {}
        failure: Exception | None = None
        try:
            while True:
                while (
                    len(running) < self.workers and not failure and (texts := next(waiting, None))
                ):
                    running[_started(self._ask_repeatedly, texts)] = texts
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    texts = running.pop(future)
                    try:
                        answers = future.result()
                    except Exception as error:
                        failure = failure or error
                        ending.set()
                    else:
                        yield dict(zip(texts, answers))
        finally:
            ending.set()
        if failure:
            raise failure

    def _places(self, sentences: Sequence[str]) -> Iterator[list[int]]:
        return _requests(sentences)

    def _ask_repeatedly(self, texts: list[str]) -> list[str]:
        for attempt in range(ATTEMPTS):
            try:
                answers = self._ask(texts)
                break
            except _PassingFailure as error:
                if attempt == ATTEMPTS - 1 or self._ending.is_set():
                    raise ServiceError(
                        f"{self.name}: gave up after {attempt + 1} attempts ({error}); try again "
                        "later"
                    ) from None
                self._pause(error, self.pause * 2**attempt)
        listed = isinstance(answers, list)
        if not listed or len(answers) != len(texts) or not all(map(self._is_text, answers)):
            raise ServiceError(
                f"{self.name}: expected {len(texts)} translations, one for each sentence, got "
                f"{len(answers) if listed else type(answers).__name__}; nothing of this request is "
                "kept"
            )
        return answers

    @staticmethod
    def _is_text(answer: object) -> bool:
        return isinstance(answer, str) and writable(answer)

    def _pause(self, failure: _PassingFailure, least: float) -> None:
        """Wait as long as the service asks, within bounds; a failure elsewhere ends the wait."""
        seconds = min(max(least, failure.wait), LONGEST_PAUSE)
        asked = ""
        if failure.wait > seconds:
            asked = f" (it asks for {failure.wait:,.0f} s; no wait here is longer)"
        loud = logging.WARNING if failure.wait > 10 else logging.INFO
        log.log(loud, "%s: %s; again in %.0f s%s", self.name, failure, seconds, asked)
        self._sleep(seconds)

    def _sleep(self, seconds: float) -> None:
        self._ending.wait(seconds)

    def _ask(self, texts: list[str]) -> list[str]:
        raise NotImplementedError

    def _post(
        self, address: str, body: dict, headers: Mapping[str, str], hint: str
    ) -> tuple[int, Any]:
        """Status and JSON of an answer, whole within `timeout` seconds; nothing is sent on to
        another address, and an answer that holds a key is refused.
        """
        parts = urlsplit(address)
        where = f"{parts.scheme}://{parts.netloc}"
        given_up = threading.Event()
        given = (address, body, dict(headers), self.timeout, self.largest, given_up)
        try:
            status, fields, data = self._in_time(_received, *given)
        except (_PassingFailure, _NoAnswer) as error:
            # whatever a client says may hold the headers: its kind alone is told
            passing = isinstance(error, _PassingFailure)
            kind = _PassingFailure if passing else ServiceError
            raise kind(f"{where} {error}" if passing else f"{self.name}: {where} {error}") from None
        finally:
            given_up.set()
        if status in PASSING_STATUS:
            raise _PassingFailure(f"status {status}", _seconds(fields.get("Retry-After", "")))
        try:
            content = json.loads(data)
            text = json.dumps(content, ensure_ascii=False)
        except (ValueError, RecursionError):
            kind = self._shown(fields.get("Content-Type", "no type"))
            raise ServiceError(
                f"{self.name}: expected JSON from {address}, got {kind} (status {status}): "
                f"{self._shown(data.decode('utf-8', 'replace'), 60)!r}; {hint}"
            ) from None
        if status == 200:
            self._refuse_keys(text, where)
        return status, content

    def _in_time(self, work: Callable, *given: Any) -> Any:
        """What a request gives, or a failure once its time is over; it is then left alone."""
        try:
            return _started(work, *given).result(self.timeout)
        except TimeoutError:
            raise _PassingFailure(f"gives no whole answer within {self.timeout:g} s") from None

    def _refuse_keys(self, text: str, where: str) -> None:
        secrets = [key for key in self._keys if len(key) >= SHORTEST_SECRET]
        if any(form in text for key in secrets for form in (key, json.dumps(key)[1:-1])):
            raise ServiceError(
                f"{self.name}: {where} repeats the key in its answer; nothing of it is kept. Is it "
                "the server that you mean?"
            )

    def _reason(self, content: Any) -> str:
        """What a service says of its refusal."""
        reason = content.get("error", content) if isinstance(content, dict) else content
        if isinstance(reason, dict) and isinstance(reason.get("message"), str):
            reason = reason["message"]
        return self._shown(str(reason))

    def _shown(self, text: str, longest: int = 200) -> str:
        """A text from outside as messages may hold it: without keys, then cut."""
        for key in self._keys:
            for form in (key, json.dumps(key)[1:-1]):
                text = text.replace(form, "…")
        return text[:longest].encode("utf-8", "backslashreplace").decode()

    def _failure(self, error: Exception, passing: bool) -> Exception:
        """The failure of a client as one of ours."""
        message = f"{type(error).__name__}: {self._shown(str(error))}"
        if passing:
            return _PassingFailure(message)
        return ServiceError(f"{self.name}: refused ({message}); check key and language codes")

    def _variable(self, variable: str, meaning: str) -> str:
        if not os.environ.get(variable, "").strip():
            raise ValueError(
                f"{self.name}: expected {meaning} in the environment variable {variable}, which is "
                "not set; keys are read from the environment only"
            )
        return os.environ[variable].strip()

    def _key(self, variable: str) -> str:
        """The key in a variable, "" where there is none; from now on no message shows it."""
        key = os.environ.get(variable, "").strip()
        for place, letter in enumerate(key):
            if not "!" <= letter <= "~":
                kind = "a line end" if letter in "\r\n" else "a blank or another letter than ASCII"
                raise ValueError(
                    f"{variable}: expected a key of letters, digits and signs in one line, got one "
                    f"with {kind} at place {place}; set it again (it is not shown here)"
                )
        self._keys += [key] if key else []
        return key

    def _client(self, module: str):
        try:
            return importlib.import_module(module)
        except ImportError as error:
            raise ValueError(
                f"{self.name}: its client {module} is not installed; it is optional: "
                "pip install -e '.[translation]'"
            ) from error


class _NoAnswer(Exception):
    """Why a request cannot be made, or its answer not be taken, however often it is tried."""


def _started(work: Callable, *given: Any) -> Future:
    """The work in a thread that holds up nobody: neither a stopped run nor the end of Python."""
    future: Future = Future()

    def run() -> None:
        try:
            future.set_result(work(*given))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def _received(
    address: str,
    body: dict,
    headers: dict[str, str],
    timeout: float,
    largest: int,
    given_up: threading.Event,
) -> tuple[int, Mapping[str, str], bytes]:
    """Status, header fields and bytes of an answer; its length is watched while it comes."""
    import requests
    import urllib3

    def as_it_is(request: Any) -> Any:
        """In place of .netrc, whose entry for the host would replace our key."""
        return request

    data = bytearray()
    try:
        with requests.post(
            address,
            json=body,
            headers=headers,
            timeout=timeout,
            allow_redirects=False,
            stream=True,
            auth=as_it_is,
        ) as answer:
            # read1 hands over what has come, so that a server that drips can be left
            while not given_up.is_set() and (part := answer.raw.read1(65536, decode_content=True)):
                data += part
                if len(data) > largest:
                    raise _NoAnswer(
                        f"sent an answer of more than {largest:,} bytes; it is no translation"
                    )
            return answer.status_code, answer.headers, bytes(data)
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidHeader) as error:
        raise _NoAnswer(f"cannot be asked: {type(error).__name__}") from None
    except requests.exceptions.SSLError:
        raise _NoAnswer("shows a certificate that is not trusted (SSLError)") from None
    except (requests.ConnectionError, requests.Timeout) as error:
        raise _PassingFailure(f"does not answer: {type(error).__name__}") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise _PassingFailure(f"broke off its answer: {type(error).__name__}") from None
    except ValueError as error:
        raise _NoAnswer(f"cannot be asked: {type(error).__name__}") from None


def _seconds(retry_after: str) -> float:
    """The wait that a server asks for, in seconds or as a date."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def checked_address(address: str, variable: str, example: str) -> str:
    """An address without a last slash.

    Parameters
    ----------
    address : str
    variable : str
        Where its key belongs.
    example : str
        Shown where it is none.

    Raises
    ------
    ValueError
        For one that is none, and for one with a name, key or query in it.
    """
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and not parts.query
        named, _ = parts.username or parts.password, parts.port
    except ValueError:
        good, named = False, None
    if named:
        raise ValueError(
            f"address: expected none with a name or key in it; set the key in {variable}"
        )
    if not good or not re.fullmatch(r"[!-~]+", address):
        got = address.partition("?")[0].rpartition("@")[2]
        raise ValueError(f"address: expected one such as {example}, got {got!r}")
    return address.rstrip("/")


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
        meaning, example = "the address of a server, such as", "http://localhost:5000"
        url = self._variable("LIBRETRANSLATE_URL", f"{meaning} {example}")
        self.url = checked_address(url, "LIBRETRANSLATE_API_KEY", example)
        self.key = self._key("LIBRETRANSLATE_API_KEY")
        self.source = f"{self.source} {self.url}"

    def _ask(self, texts: list[str]) -> list[str]:
        body = {"source": self.source_language, "target": self.target_language}
        body |= {"q": texts, "format": "text"}
        if self.key:
            body["api_key"] = self.key
        hint = "is LIBRETRANSLATE_URL the address of a LibreTranslate server?"
        status, content = self._post(f"{self.url}/translate", body, {}, hint)
        if status != 200 or not isinstance(content, dict) or "translatedText" not in content:
            refused = status in (400, 401, 403)
            hint = "set LIBRETRANSLATE_API_KEY" if refused else "see the server's log"
            raise ServiceError(
                f"{self.name}: {self.url} refused (status {status}): {self._reason(content)}; {hint}"
            )
        return content["translatedText"]


class DeepL(Service):
    """DeepL through its official client: DEEPL_AUTH_KEY."""

    name = "deepl"

    def __init__(self, *languages: str | None, **settings):
        super().__init__(*languages, **settings)
        self._variable("DEEPL_AUTH_KEY", "the key of your account")
        key = self._key("DEEPL_AUTH_KEY")
        self._deepl = self._client("deepl")
        address = os.environ.get("DEEPL_SERVER_URL")
        self._translator = self._deepl.Translator(key, server_url=address)

    def _ask(self, texts: list[str]) -> list[str]:
        try:
            languages = (self.source_language, self.target_language)
            named = dict(zip(("source_lang", "target_lang"), languages))
            ask = self._translator.translate_text
            results = self._in_time(lambda: ask(texts, **named))
        except self._deepl.DeepLException as error:
            raise self._failure(error, getattr(error, "should_retry", False)) from None
        translations = [result.text for result in results]
        self._refuse_keys(" ".join(map(str, translations)), self.name)
        return translations


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
            languages = (self.source_language, self.target_language)
            named = dict(zip(("source_language", "target_language"), languages), format_="text")
            ask = self._translator.translate
            results = self._in_time(lambda: ask(texts, **named))
        except _PassingFailure:
            raise
        except Exception as error:  # google.api_core, google.auth and requests each have their own
            passing = getattr(error, "code", None) in PASSING_STATUS
            raise self._failure(error, passing) from None
        return [result["translatedText"] for result in results]


SERVICES = {service.name: service for service in (LibreTranslate, DeepL, Google)}
