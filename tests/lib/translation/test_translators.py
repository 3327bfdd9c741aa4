"""Translators: batching, languages, what is kept, services against a stand-in server, and everything that is refused."""

import contextlib
import json
import shutil
import sqlite3
import sys
import threading
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models.pretrained import load_seq2seq
from lib.sources import FetchError
from lib.sources.hub import folder_identity
from lib.translation import Translator, load_translator, services, translators
from lib.translation.cache import TranslationCache
from lib.translation.services import LONGEST_SENTENCE, LibreTranslate, Service, ServiceError
from lib.translation.translators import Asking, CachedTranslator, ModelTranslator, translated_sets
from tests.support.mutations import not_worded
from tests.support.servers import send, told
from tests.support.tiny_models import WORDS

pytestmark = pytest.mark.usefixtures("one_thread", "cache")
SENTENCES = [
    " ".join(WORDS[start : start + 1 + length]) for length in range(9) for start in range(0, 15, 4)
]


def upper(sentences):
    return [sentence.upper() for sentence in sentences]


class Counting:
    """A translator that remembers what it was asked."""

    name, source = "counting", "counting@1"

    def __init__(self):
        self.asked = []

    def translate(self, sentences):
        self.asked += sentences
        return upper(sentences)


def test_every_kind_of_translator_keeps_the_protocol(tiny_translator):
    assert load_translator(upper).translate(["a", "b"]) == ["A", "B"]
    for made in (
        load_translator(upper),
        load_translator(str(tiny_translator("marian")), device="cpu"),
        Counting(),
    ):
        assert isinstance(made, Translator) and made.translate([]) == []


def test_sentences_of_a_batch_are_translated_as_each_alone(tiny_translator, monkeypatch):
    beams = 3
    made = ModelTranslator(str(tiny_translator("marian")), beams=beams, device="cpu")
    loaded = load_seq2seq(str(tiny_translator("marian")), device="cpu")
    alone = []
    for sentence in SENTENCES:
        coded = loaded.tokenizer(sentence, return_tensors="pt")
        limit = min(2 * 8 * -(-coded.input_ids.shape[1] // 8) + 10, 32)
        told = loaded.model.generate(
            **coded, num_beams=beams, max_length=limit, do_sample=False, early_stopping=beams > 1
        )
        alone.append(loaded.tokenizer.decode(told[0], skip_special_tokens=True).strip())
    assert len(set(alone)) > 5
    monkeypatch.setattr("lib.language_models.batching.CPU_BATCH", 30)
    assert made.translate(SENTENCES) == alone
    assert made.translate(SENTENCES[::-1]) == alone[::-1]
    assert made.translate(["", *SENTENCES[:2], "  "]) == ["", *alone[:2], ""]
    identity = folder_identity(tiny_translator("marian"))
    assert made.source == f"tiny-marian@{identity}" and f"beams={beams}" in made.settings


def test_language_codes_tell_a_model_of_many_languages_what_to_write(tiny_translator):
    folder = str(tiny_translator("nllb"))
    spanish, french = (
        ModelTranslator(
            folder, source_language="eng_Latn", target_language=code, device="cpu", beams=1
        )
        for code in ("spa_Latn", "fra_Latn")
    )
    first = {spanish: "spa_Latn", french: "fra_Latn"}
    for made, code in first.items():
        tokenizer = made.transformer.tokenizer
        assert (
            tokenizer.convert_ids_to_tokens(made.first_token) == code
            and tokenizer.src_lang == "eng_Latn"
        )
        assert len(made.translate(["i am kind."])) == 1
    assert spanish.settings != french.settings


def test_a_mark_before_the_sentence_tells_marian_models_of_several_targets(tiny_translator):
    made = ModelTranslator(
        str(tiny_translator("marian-many")), target_language="fr", device="cpu", beams=1
    )
    assert made.language_tag == ">>fr<< "
    rows = made.transformer.tokenizer(made.language_tag + "he is")["input_ids"]
    assert made.transformer.tokenizer.convert_ids_to_tokens(rows)[0] == ">>fr<<"
    assert made.translate(["he is kind"]) != ModelTranslator(
        str(tiny_translator("marian-many")), target_language="es", device="cpu", beams=1
    ).translate(["he is kind"])


def test_our_own_translators_are_read_from_the_book(
    tiny_translator, tmp_path, monkeypatch, refuses
):
    monkeypatch.setattr(translators, "DATA", tmp_path)
    for name in ("tatoeba-es-en", "tatoeba-en-es"):
        (tmp_path / "models" / name).mkdir(parents=True)
        (tmp_path / "models" / name / "card.md").write_text("how it was trained")
    refuses(
        lambda: load_translator("tatoeba-es-en"),
        ["tatoeba-es-en", "get them back with git", "tatoeba-es-en/card.md"],
    )
    shutil.copytree(
        tiny_translator("marian"), tmp_path / "models" / "tatoeba-en-es", dirs_exist_ok=True
    )
    made = load_translator("tatoeba-en-es", device="cpu")
    assert made.name == "tatoeba-en-es" and made.source.startswith("tatoeba-en-es@sha256:")
    assert len(made.translate(SENTENCES[:3])) == 3


def test_a_sentence_is_asked_for_once_and_never_again(cache):
    counting = Counting()
    made = CachedTranslator(counting)
    assert made.translate(["b", "a", "b"]) == ["B", "A", "B"] and counting.asked == ["b", "a"]
    assert made.translate(["c", "a"]) == ["C", "A"] and counting.asked == ["b", "a", "c"]
    later = Counting()
    assert (
        CachedTranslator(later).translate(["a", "b", "c"] * 2) == ["A", "B", "C"] * 2
        and later.asked == []
    )
    assert made.cache.path.parent == cache / "translations"


def test_a_rerun_loads_kept_translations_and_other_settings_have_others(tiny_translator):
    folder = str(tiny_translator("marian"))
    first, same, other = (load_translator(folder, device="cpu", beams=beams) for beams in (2, 2, 1))
    made = first.translate(SENTENCES)
    same.translator.translate = None  # not asked
    assert same.translate(SENTENCES) == made
    assert other.cache.path != first.cache.path


@settings(max_examples=20)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=20))
def test_any_text_is_kept_as_it_is(tmp_path_factory, texts):
    kept = TranslationCache("any", tmp_path_factory.mktemp("kept"))
    kept.keep({text: text[::-1] for text in texts})
    assert kept.known(texts) == {text: text[::-1] for text in texts}


def test_a_damaged_file_is_set_aside_and_begun_anew(caplog):
    made = CachedTranslator(Counting())
    made.translate(["a"])
    made.cache.path.write_bytes(b"no database at all" * 100)
    assert made.translate(["a", "b"]) == ["A", "B"]
    assert "is damaged" in caplog.text and made.cache.path.with_suffix(".damaged").is_file()
    assert made.cache.known(["a", "b"]) == {"a": "A", "b": "B"}


def test_a_row_that_was_altered_counts_as_not_there_and_is_made_again(caplog):
    made = CachedTranslator(Counting())
    made.translate(["a", "b"])
    with contextlib.closing(sqlite3.connect(made.cache.path)) as database, database:
        database.execute("UPDATE kept SET translation = 'X' WHERE sentence = ?", (b"a",))
    assert made.cache.known(["a", "b"]) == {"b": "B"} and "1 of 2 rows are damaged" in caplog.text
    assert made.translate(["a", "b"]) == ["A", "B"] and made.cache.known(["a"]) == {"a": "A"}


def test_a_damaged_file_hands_out_no_altered_text_and_takes_new_ones(tmp_path):
    texts = {f"Sentence number {n}, and {n} more.": f"Frase número {n}. " * 3 for n in range(150)}
    kept = TranslationCache("any", tmp_path)
    kept.keep(texts)
    handed, sound = [], kept.path.read_bytes()
    assert len(sound) > 3 * 4096

    def read(path):
        found = kept.known([*texts])
        handed.append(len(found))
        assert found.items() <= texts.items()
        missing = {text: made for text, made in texts.items() if text not in found}
        assert kept.keep(missing | {"new": "nuevo"})
        again = kept.known([*texts, "new"])
        assert again.pop("new") == "nuevo" and again.items() <= texts.items()

    assert not_worded(read, kept.path, n=120) == []
    assert {0, len(texts)} < {*handed}  # gone, whole, and in part


def test_a_letter_that_goes_from_the_sentence_to_its_translation_is_seen(tmp_path):
    kept = TranslationCache("any", tmp_path)
    kept.keep({"ab": "c"})
    with contextlib.closing(sqlite3.connect(kept.path)) as database, database:
        database.execute("UPDATE kept SET sentence = ?, translation = ?", (b"a", b"bc"))
    assert kept.known(["a", "ab"]) == {}


def test_a_file_that_another_process_holds_is_not_set_aside(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("lib.translation.cache.LOCK_TIMEOUT", 0.01)
    kept = TranslationCache("any", tmp_path)
    kept.keep({"a": "A"})
    with contextlib.closing(sqlite3.connect(kept.path)) as database:
        database.execute("BEGIN EXCLUSIVE")
        assert kept.known(["a"]) == {} and not kept.keep({"b": "B"})
    assert "locked" in caplog.text and kept.known(["a", "b"]) == {"a": "A"}
    kept.forget(["a"])
    assert kept.known(["a"]) == {}


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    counting = Counting()
    made = CachedTranslator(counting, tmp_path / "file" / "translations")
    assert made.translate(["a"]) == made.translate(["a"]) == ["A"] and counting.asked == ["a", "a"]
    assert caplog.text.count("are not kept") == 1


def test_two_writers_keep_all(cache):
    caches = [TranslationCache("shared") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda c=c, n=n: [c.keep({f"{n} {i}": "x"}) for i in range(10)])
        for n, c in enumerate(caches)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sqlite3.connect(caches[0].path).execute("SELECT COUNT(*) FROM kept").fetchone() == (40,)


def test_a_sentence_of_several_sets_is_translated_once():
    asked = []

    def number(sentences):
        asked.extend(sentences)
        return [f"{place}" for place in range(len(sentences))]

    outputs = translated_sets(load_translator(number), {"one": ["a", "b"], "other": ["c", "a"]})
    assert asked == ["a", "b", "c"]
    assert outputs == {"one": ["0", "1"], "other": ["2", "0"]}


FUNCTIONS = {
    "too few": lambda sentences: sentences[:-1],
    "no texts": lambda sentences: [1] * len(sentences),
}
BAD = {
    "a name": (
        lambda f: load_translator("opus"),
        ["expected a model, got 'opus'", "<model>@<commit"],
    ),
    "no languages": (
        lambda f: ModelTranslator(f("nllb")),
        ["between many languages", "give source_language and target_language"],
    ),
    "a language": (
        lambda f: ModelTranslator(f("nllb"), source_language="en", target_language="spa_Latn"),
        ["'en' is no language of"],
    ),
    "no target": (
        lambda f: ModelTranslator(f("marian-many")),
        ["give target_language, one of es, fr", "None"],
    ),
    "one string": (
        lambda f: load_translator(upper).translate("she is"),
        ["a list of sentences", "'she is'"],
    ),
    "a long sentence": (
        lambda f: ModelTranslator(f("marian"), device="cpu").translate(["she " * 1250]),
        ["longer than the 32", "split it"],
    ),
    **{
        name: (
            lambda f, g=g: load_translator(g).translate(["a", "b"]),
            ["expected a list of 2 translations", "whole list"],
        )
        for name, g in FUNCTIONS.items()
    },
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses, tiny_translator):
    refuses(lambda: call(lambda kind: str(tiny_translator(kind))), fragments)


def test_a_folder_of_another_kind_or_without_safetensors_is_refused(
    tiny_model, tiny_translator, tmp_path, refuses
):
    refuses(
        lambda: ModelTranslator(str(tiny_model("bert"))),
        ["expected a translator of a kind built into transformers"],
    )
    copy = shutil.copytree(tiny_translator("marian"), tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    refuses(lambda: ModelTranslator(str(copy)), ["weights in safetensors, found"])
    spoiled = shutil.copytree(tiny_translator("marian"), tmp_path / "spoiled")
    config = json.loads((spoiled / "config.json").read_text())
    (spoiled / "config.json").write_text(json.dumps(config | {"encoder_layers": 3}))
    refuses(
        lambda: ModelTranslator(str(spoiled)),
        ["not those of a whole translator", "model.encoder.layers"],
    )


def test_a_hub_model_without_a_network_names_the_profile_and_the_command(monkeypatch):
    def refuse(*given, **named):
        raise ConnectionError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    with pytest.raises(
        FetchError,
        match=r"`make data PROFILE=full`.*`hf download Helsinki-NLP/opus-mt-en-he --revision",
    ):
        load_translator(f"Helsinki-NLP/opus-mt-en-he@{'a' * 40}")


def in_capitals(body):
    return json.dumps({"translatedText": upper(body["q"])})


right = send(in_capitals)


@pytest.fixture
def service(monkeypatch):
    """A stand-in LibreTranslate server that answers in capitals, or as it is told."""
    monkeypatch.delenv("LIBRETRANSLATE_API_KEY", raising=False)
    with told(right) as listening:
        monkeypatch.setenv("LIBRETRANSLATE_URL", f"{listening.host}/")
        yield listening


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between attempts, which are not waited for."""
    asked = []
    monkeypatch.setattr(Service, "_sleep", lambda self, seconds: asked.append(seconds))
    return asked


def libre(**settings):
    return LibreTranslate("en", "es", pause=0.001, **settings)


def test_a_service_translates_in_requests_of_bounded_size(service, monkeypatch):
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", "secret\n")
    sentences = [f"sentence {number} " + "x" * 90 for number in range(120)] + [""]
    assert libre().translate(sentences) == upper(sentences)
    assert max(len(body["q"]) for body in service.asked) <= 50
    assert max(sum(map(len, body["q"])) for body in service.asked) <= LONGEST_SENTENCE
    about = {key: service.asked[0][key] for key in ("source", "target", "format", "api_key")}
    assert about == {"source": "en", "target": "es", "format": "text", "api_key": "secret"}
    assert libre().translate([]) == [] and libre().translate([" "]) == [""]


def test_a_rerun_asks_a_service_nothing_and_a_key_is_written_nowhere(service, monkeypatch, cache):
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", "secret")
    for _ in range(2):
        assert load_translator(
            "libretranslate", source_language="en", target_language="es"
        ).translate(["a", "a"]) == ["A", "A"]
    assert len(service.asked) == 1
    assert all(
        b"secret" not in file.read_bytes() and "secret" not in file.name
        for file in cache.rglob("*.sqlite")
    )


def test_failures_that_pass_are_tried_again_after_longer_and_longer_pauses(service, pauses):
    service.answers = [send(status=503), send(status=429), send(status=500), right]
    assert libre().translate(["a"]) == ["A"] and pauses == [0.001, 0.002, 0.004]


def test_nobody_at_the_address_is_said(monkeypatch, pauses):
    monkeypatch.setenv("LIBRETRANSLATE_URL", "http://127.0.0.1:9")
    with pytest.raises(ServiceError, match=r"127.0.0.1:9 does not answer: ConnectionError"):
        libre().translate(["a"])


ANSWERS = {
    "HTML": (
        send("<html>Welcome</html>", kind="text/html"),
        "expected JSON.*got text/html.*<html>.*LIBRETRANSLATE_URL",
    ),
    "too few lines": (
        send('{"translatedText": ["A"]}'),
        "expected 2 translations.*got 1; nothing of this request",
    ),
    "half letters": (send(r'{"translatedText": ["\ud800", "B"]}'), "expected 2 translations"),
    "no key": (
        send('{"error": "Visit the portal to get an API key"}', 403),
        "refused.*403.*set LIBRETRANSLATE_API_KEY",
    ),
    "a language": (send('{"error": "xx is not supported"}', 400), "xx is not supported"),
    "the key": (send('{"translatedText": ["a", "secret-key"]}'), "repeats the key"),
    "the key in a reason": (send('{"error": "secret-key is bad"}', 403), "403.: … is bad; set"),
}


@pytest.mark.parametrize(("fault", "message"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_that_is_no_translation_is_refused_and_not_kept(
    fault, message, service, monkeypatch
):
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", "secret-key")
    service.answers = [fault]
    made = CachedTranslator(libre())
    with pytest.raises(ServiceError, match=message):
        made.translate(["a", "b"])
    assert len(service.asked) == 1 and made.cache.known(["a", "b"]) == {}


@pytest.mark.parametrize("address", ["http://me:secret@host", "http://host/?key=secret"])
def test_an_address_that_holds_a_key_or_is_none_is_refused_and_the_key_is_not_shown(
    address, monkeypatch
):
    monkeypatch.setenv("LIBRETRANSLATE_URL", address)
    with pytest.raises(ValueError, match="address: expected") as caught:
        libre()
    assert "secret" not in str(caught.value)


def fake_deepl(monkeypatch, failures=()):
    module, left = ModuleType("deepl"), list(failures)

    class DeepLException(Exception):
        def __init__(self, text, should_retry):
            super().__init__(text)
            self.should_retry = should_retry

    class Client:
        def __init__(self, key, server_url=None):
            module.key = key

        def translate_text(self, texts, source_lang, target_lang):
            if left:
                raise DeepLException(*left.pop(0))
            return [SimpleNamespace(text=text.upper()) for text in texts]

    module.DeepLException, module.Translator = DeepLException, Client
    monkeypatch.setitem(sys.modules, "deepl", module)
    monkeypatch.setenv("DEEPL_AUTH_KEY", "key")
    monkeypatch.setattr(Service, "_sleep", lambda self, seconds: None)
    return module


def test_deepl_is_asked_through_its_client(monkeypatch):
    module = fake_deepl(monkeypatch, [("too many requests", True)])
    assert load_translator(
        "deepl", source_language="EN", target_language="ES", cache=False
    ).translate(["a", "b"]) == ["A", "B"]
    assert module.key == "key"
    fake_deepl(monkeypatch, [("authorization failed", False)])
    with pytest.raises(ServiceError, match=r"refused .*authorization failed.*check key"):
        load_translator("deepl", source_language="EN", target_language="ES", cache=False).translate(
            ["a"]
        )


def test_google_is_asked_through_its_client(monkeypatch):
    module, failures = ModuleType("google.cloud.translate_v2"), [503]

    class Client:
        def translate(self, texts, source_language, target_language, format_):
            if failures:
                error = RuntimeError("unavailable")
                error.code = failures.pop()
                raise error
            return [{"translatedText": text.upper()} for text in texts]

    module.Client = Client
    monkeypatch.setattr(
        services.importlib, "import_module", lambda name: {module.__name__: module}[name]
    )
    monkeypatch.setattr(Service, "_sleep", lambda self, seconds: None)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "key.json")
    made = load_translator("google", source_language="en", target_language="es", cache=False)
    assert made.translate(["a", "b"]) == ["A", "B"]
    failures.append(401)
    with pytest.raises(ServiceError, match=r"refused .*unavailable"):
        made.translate(["a"])


def test_a_client_that_never_comes_back_is_given_up(monkeypatch, pauses):
    over = threading.Event()
    module = fake_deepl(monkeypatch)
    monkeypatch.setattr(module.Translator, "translate_text", lambda *given, **named: over.wait())
    monkeypatch.setattr(Service, "_sleep", lambda self, seconds: pauses.append(seconds))
    made = services.DeepL("EN", "ES", timeout=0.01)
    with pytest.raises(ServiceError, match=r"gave up after 5 .*within 0.01 s"):
        made.translate(["a"])
    over.set()
    assert len(pauses) == 4


def test_a_key_that_a_client_repeats_is_shown_nowhere(monkeypatch):
    secret = "sk-secret-of-deepl"
    module = fake_deepl(monkeypatch, [(f"bad header {'x' * 180}{secret}", False)])
    monkeypatch.setenv("DEEPL_AUTH_KEY", f"{secret}\r\n")
    made = load_translator("deepl", source_language="EN", target_language="ES")
    with pytest.raises(ServiceError, match="refused") as caught:
        made.translate(["a"])
    assert "sk-se" not in str(caught.value)
    answers = [SimpleNamespace(text=f"A {secret}")]
    monkeypatch.setattr(module.Translator, "translate_text", lambda *given, **named: answers)
    with pytest.raises(ServiceError, match="repeats the key"):
        made.translate(["a"])
    assert made.cache.known(["a"]) == {}


def test_a_chapter_s_way_of_asking_goes_to_the_translators_that_take_it():
    served = "instructed:http://localhost:8000/v1#m"
    usual = {"prompt": "", "temperature": "0", "timeout": 120.0, "workers": 4}
    assert Asking().parameters("tatoeba-en-es") == Asking().of(served) == usual
    told = Asking("Say {sentence}", "none")
    whole = usual | {"prompt": "Say {sentence}", "temperature": "none"}
    assert told.parameters("tatoeba-en-es", served) == told.of(served) == whole
    assert told.of("tatoeba-en-es") == {"timeout": 120.0, "workers": 4}
    for asking, named in ((told, "prompt and temperature"), (Asking(temperature=1), "temperature")):
        with pytest.raises(ValueError, match=f"{named}: tatoeba-en-es, deepl takes none"):
            asking.parameters("tatoeba-en-es", "deepl")
    assert Asking(temperature=0.0).parameters("deepl")["temperature"] == 0
    made = load_translator(
        served, target_language="Spanish", prompt="{sentence}", temperature="0.5"
    )
    assert made.model.temperature == 0.5 and made.model.workers == 4


def test_a_service_without_what_it_needs_is_refused(monkeypatch, refuses):
    def asked(name, source="en"):
        return lambda: load_translator(name, source_language=source, target_language="es")

    for variable in ("DEEPL_AUTH_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "LIBRETRANSLATE_URL"):
        monkeypatch.delenv(variable, raising=False)
    refuses(asked("deepl"), ["DEEPL_AUTH_KEY", "not set", "environment only"])
    refuses(asked("google"), ["GOOGLE_APPLICATION_CREDENTIALS", "not set"])
    refuses(asked("libretranslate"), ["LIBRETRANSLATE_URL", "not set"])
    refuses(asked("libretranslate", None), ["source_language and target_language", "None and 'es'"])
    monkeypatch.setenv("DEEPL_AUTH_KEY", "key")
    monkeypatch.setitem(sys.modules, "deepl", None)
    refuses(asked("deepl"), ["its client deepl is not installed", "pip install"])


def test_a_sentence_of_5000_characters_is_refused_before_anything_is_asked(service, refuses):
    refuses(
        lambda: libre().translate(["a", "x" * LONGEST_SENTENCE]),
        ["under 5,000 characters", "5,000 at place 1", "split it"],
    )
    assert service.asked == []


def test_importing_what_chapters_translate_and_read_with_loads_no_heavy_library(loaded_by):
    modules = "lib.translation, lib.translation.gender_spanish, lib.translation.gender_french"
    modules += ", lib.translation.tgbi, lib.translation.evaluation_sets"
    modules += ", studies.prefix_injection.quality"
    heavy = ["torch", "transformers", "sklearn", "statsmodels", "sacrebleu", "deepl"]
    assert loaded_by(modules, heavy) == []
