"""Language models that are told to translate: a tiny one made here, a stand-in server, and everything that is refused."""

import gzip
import json
import threading
import traceback

import pytest

from lib.language_models.causal import answers, chat_mark, prompt_pieces
from lib.language_models.pretrained import load_causal
from lib.translation import Translator, load_translator
from lib.translation.answers import Cut
from lib.translation.instructed import (
    KEY,
    CausalAnswers,
    InstructedTranslator,
    Prompt,
    ServedAnswers,
)
from lib.translation.services import LONGEST_PAUSE, Service, ServiceError
from tests.support import servers
from tests.support.servers import send, told

pytestmark = pytest.mark.usefixtures("one_thread", "cache")
SENTENCES = ["I am tired.", "We are late.", "I am a {nurse}.", "I", "It rains cats and dogs today."]
PLAIN = "English: {sentence}\nSpanish:"
CHAT = "{% for m in messages %}<u>{{ m['content'] }}</u>{% endfor %}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of a random GPT-2 that reads bytes: "plain", "chat" with a chat template, "sampling" with settings of its own."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    reader = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
    reader.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    reader.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=reader, eos_token="<end>", model_max_length=300
    )
    torch.manual_seed(0)
    size = dict(n_positions=300, n_embd=16, n_layer=2, n_head=2, vocab_size=len(tokenizer))
    model = GPT2LMHeadModel(GPT2Config(**size, eos_token_id=256, bos_token_id=256))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    made = {}
    for name in ("plain", "chat", "sampling"):
        made[name] = tmp_path_factory.mktemp("causal") / f"tiny-{name}"
        tokenizer.chat_template = CHAT if name == "chat" else None
        if name == "sampling":
            model.generation_config.do_sample = True
            model.generation_config.temperature = 9.0
            model.generation_config.repetition_penalty = 5.0
        model.save_pretrained(made[name])
        tokenizer.save_pretrained(made[name])
    return {name: str(folder) for name, folder in made.items()}


def local(folder, **settings):
    return load_translator(f"instructed:{folder}", prompt=PLAIN, device="cpu", **settings)


def test_a_batch_is_answered_as_each_alone_and_greedily(folders, monkeypatch):
    import torch

    loaded = load_causal(folders["plain"], device="cpu")
    prompts = [Prompt(PLAIN).filled(text) for text in SENTENCES]
    alone = []
    for row in prompt_pieces(loaded, prompts):
        written = []
        for _ in range(20):
            with torch.inference_mode():
                piece = int(loaded.model(torch.tensor([row + written])).logits[0, -1].argmax())
            if piece == 256:
                break
            written.append(piece)
        alone.append(loaded.tokenizer.decode(written))
    assert len(set(alone)) > 3
    assert answers(loaded, prompts, [20] * 5) == alone
    monkeypatch.setattr("lib.language_models.batching.CPU_BATCH", 30)
    assert answers(loaded, prompts[::-1], [20] * 5) == alone[::-1]


def test_a_models_own_settings_of_sampling_and_penalties_are_not_followed(folders):
    one, other = (local(folders[name]).model for name in ("plain", "sampling"))
    assert one.translate(SENTENCES) == other.translate(SENTENCES)


def test_a_local_model_keeps_the_protocol_and_names_model_and_prompt(folders):
    made = local(folders["plain"])
    assert isinstance(made, Translator) and made.name == "tiny-plain"
    assert made.source.startswith("tiny-plain@sha256:") and repr(PLAIN) in made.source
    assert made.translate(["", " "]) == ["", ""] and made.translate([]) == []


def test_a_gguf_file_can_be_told_to_translate_and_is_named_by_its_hash(tiny_gguf):
    translator = local(tiny_gguf)
    assert "tiny.gguf@sha256:" in translator.source and "(Q8_0 of Tiny) chat " in translator.source


def test_an_answer_of_a_local_model_that_reaches_its_limit_is_cut(folders, monkeypatch):
    model = CausalAnswers(folders["plain"], Prompt(PLAIN), device="cpu")
    monkeypatch.setattr(
        "lib.translation.instructed.answers",
        lambda transformer, prompts, longest: ["a" * longest[0], "b" * (longest[1] - 1)],
    )
    one, other = model.translate(["I am tired.", "We are late."])
    assert isinstance(one, Cut) and not isinstance(other, Cut)


def test_a_chat_template_is_used_where_there_is_one_and_stands_in_the_source(folders):
    chat, plain = (load_causal(folders[name], device="cpu") for name in ("chat", "plain"))
    assert chat.tokenizer.decode(prompt_pieces(chat, ["Hi"])[0]) == "<u>Hi</u>"
    assert plain.tokenizer.decode(prompt_pieces(plain, ["Hi"])[0]) == "Hi"
    assert chat_mark(plain) == "plain" and chat_mark(chat).startswith("chat ")
    assert chat_mark(chat) in local(folders["chat"]).source


def test_kept_answers_are_of_one_prompt_and_what_was_cut_is_kept(folders, monkeypatch):
    spanish = {text: f"<think>a</think>{text[::-1]}\nNote: {text}" for text in SENTENCES}

    def says(transformer, prompts, longest):
        return [spanish[prompt.split(": ", 1)[1].removesuffix("\nSpanish:")] for prompt in prompts]

    monkeypatch.setattr("lib.translation.instructed.answers", says)
    made = local(folders["plain"])
    assert made.translate(SENTENCES) == [text[::-1] for text in SENTENCES]
    monkeypatch.setattr("lib.translation.instructed.answers", lambda *_: 1 / 0)
    again = local(folders["plain"])
    assert again.cut(SENTENCES) == [f"Note: {text}" for text in SENTENCES]
    assert "reasoning 5, text after the translation 5" in again.note()
    with pytest.raises(ZeroDivisionError):
        again.instructed("The speaker is a woman.").translate(SENTENCES)


WORDS = {
    "I": "yo",
    "am": "estoy",
    "tired.": "cansada.",
    "You": "tú",
    "are": "eres",
    "late.": "tarde.",
}
NUMBERS = [f"I am number {number}." for number in range(20)]


def completion(text, ended="stop"):
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": ended}]})


def translated(body):
    """A translator of a kind: the sentence in Spanish words, and a note behind it."""
    sentence = body["messages"][0]["content"].split("\n")[-1].removesuffix("\nSpanish:")
    spanish = " ".join(WORDS.get(word, word) for word in sentence.split())
    return completion(f"{spanish[::-1]}\nNote: {sentence}")


def says(text, ended="stop"):
    return send(completion(text, ended))


right = send(translated)


def turned(sentence):
    return " ".join(WORDS.get(word, word) for word in sentence.split())[::-1]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv(KEY, raising=False)
    with told(right) as listening:
        yield listening


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between attempts, which are not waited for."""
    asked = []

    def pause(self, failure, least):
        asked.append(max(least, failure.wait))

    monkeypatch.setattr(Service, "_pause", pause)
    return asked


def served(server, template="{sentence}", *, cache=True, target_language=None, **settings):
    prompt = Prompt(template, None, target_language)
    settings = {"pause": 0.001, "workers": 1} | settings
    return InstructedTranslator(ServedAnswers(server.address, "m", prompt, **settings), cache=cache)


def kept(made, sentences):
    return [*made._answering.cache.known(sentences)]


def test_a_server_is_asked_in_the_manner_of_openai_with_the_key_of_the_environment(
    server, monkeypatch, cache
):
    monkeypatch.setenv(KEY, "sk-secret-123")
    made = load_translator(
        f"instructed:{server.address}/#some/model:7b",
        source_language="English",
        target_language="Spanish",
    )
    server.answers = [says("Estoy cansada.\nNote: said by a woman.")]
    assert made.translate(["I am tired.", "", "I am tired."])[1] == ""
    (body,) = server.asked
    assert body["model"] == "some/model:7b" and body["temperature"] == 0
    assert "from English to Spanish" in body["messages"][0]["content"]
    assert server.headers == [("/v1/chat/completions", "Bearer sk-secret-123")]
    assert made.cut(["I am tired."]) == ["Note: said by a woman."] and len(server.asked) == 1
    assert made.source.startswith(f"some/model:7b at {server.address} ")
    files = list(cache.rglob("*.sqlite"))
    assert files and all(b"secret" not in file.read_bytes() for file in files)


def test_without_a_key_none_is_sent_and_another_prompt_or_temperature_asks_again(server):
    texts = ["I am tired."]
    assert served(server).translate(texts) == served(server).translate(texts) == [turned(*texts)]
    assert len(server.asked) == 1 and server.headers[0][1] is None
    assert served(server, "Say:\n{sentence}").translate(texts) == [turned(*texts)]
    assert served(server, temperature=0.5).translate(texts) == [turned(*texts)]
    assert served(server, temperature=None).translate(texts) == [turned(*texts)]
    given = [body.get("temperature", "none") for body in server.asked]
    assert given == [0, 0, 0.5, "none"]
    assert served(server, timeout=9).source == served(server, workers=3).source


PASSING = {
    "broken off": servers.breaks_off,
    "too short": servers.short,
    "later": send(status=429, Retry_After="86400"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_each_failure_that_may_pass_is_tried_again_and_then_ends_with_what_is_kept(
    fault, server, pauses
):
    server.answers = [fault, right]
    assert served(server, cache=False).translate(["I am tired."]) == [turned("I am tired.")]
    server.answers = [right] * 7 + [fault]
    made = served(server)
    with pytest.raises(ServiceError, match=r"gave up after 5 attempts .*7 new .* other 13"):
        made.translate(NUMBERS)
    asked = len(server.asked)
    assert len(kept(made, NUMBERS)) == 7
    server.answers = [right]
    assert made.translate(NUMBERS) == [*map(turned, NUMBERS)] and len(server.asked) == asked + 13


@pytest.mark.parametrize(
    "fault", [servers.drips, servers.drips_header, servers.silent], ids=lambda fault: fault.__name__
)
def test_a_server_that_never_ends_its_answer_is_given_up(fault, server, pauses):
    server.answers = [fault]
    with pytest.raises(
        ServiceError, match=r"gave up after 5 attempts \(.*within 0.05 s|ReadTimeout"
    ):
        served(server, timeout=0.05).translate(["I am tired."])


@pytest.mark.parametrize(
    ("wanted", "seconds"),
    [
        ("7", 7.0),
        ("86400", LONGEST_PAUSE),
        ("9" * 400, LONGEST_PAUSE),
        ("soon", 0.5),
        ("Wed, 21 Oct 2315 07:28:00 GMT", LONGEST_PAUSE),
    ],
)
def test_a_wait_that_is_asked_for_is_bounded_and_said(wanted, seconds, server, monkeypatch, caplog):
    waits = []
    monkeypatch.setattr(Service, "_sleep", lambda self, seconds: waits.append(seconds))
    server.answers = [send(status=429, Retry_After=wanted), right]
    with caplog.at_level("INFO", "lib"):
        assert served(server, pause=0.5).translate(["I am tired."]) == [turned("I am tired.")]
    assert waits == [seconds] and f"status 429; again in {seconds:.0f} s" in caplog.text
    assert ("no wait here is longer" in caplog.text) == (seconds == LONGEST_PAUSE)


REFUSED = {
    "HTML": (send("<html>", kind="text/html"), "expected JSON.*text/html.*chat completions"),
    "sent on": (
        send(status=308, kind="text/html", Location="http://127.0.0.1:1/"),
        "expected JSON.*status 308",
    ),
    "no key": (
        send('{"error": "no key"}', 401),
        rf"refused \(status 401\): no key; set the key in {KEY}",
    ),
    "no model": (
        send('{"error": {"message": "no such model"}}', 404),
        r"no such model; .*GET /models",
    ),
    "no temperature": (
        send('{"error": {"message": "temperature must be 1"}}', 400),
        "-p temperature=none",
    ),
    "no choices": (send('{"choices": []}'), r"without a message \(status 200\)"),
    "brackets": (send("[" * 200_000), "expected JSON"),
    "deep": (send("[" * 900 + "]" * 900), "without a message"),
    "surrogates": (send('{"error": "\\ud800"}', 400), r"refused \(status 400\): .ud800"),
    "packed": (
        send(gzip.compress(b" " * 50_000_000), Content_Encoding="gzip"),
        "more than 300,000 bytes",
    ),
}


@pytest.mark.parametrize(("fault", "message"), REFUSED.values(), ids=REFUSED)
def test_what_will_not_pass_is_said_at_once_and_what_came_before_is_kept(fault, message, server):
    server.answers = [right] * 7 + [fault]
    made = served(server, largest=300_000)
    with pytest.raises(ServiceError, match=message) as caught:
        made.translate(NUMBERS)
    assert len(server.asked) == 8 and len(str(caught.value)) < 700
    assert len(kept(made, NUMBERS)) == 7 and "7 new translations are kept" in str(caught.value)
    server.answers = [right]
    assert made.translate(NUMBERS) == [*map(turned, NUMBERS)]


THOUGHTS = {
    "reasoning": "<think>The speaker",
    "nothing": "",
    "a refusal": "I'm sorry, but I can't help with that request.",
    "one for all": "Okay, boss",
    "English": "The speaker is so tired, and she was there.",
}


@pytest.mark.parametrize("text", THOUGHTS.values(), ids=THOUGHTS)
def test_answers_without_translations_stop_a_run_with_examples_and_are_not_kept(text, server):
    server.answers = [says(text)]
    made = served(server, target_language="Spanish")
    with pytest.raises(ServiceError, match=r"of 20 asked for.*above 2%.*'I am number") as caught:
        made.translate(NUMBERS)
    assert kept(made, NUMBERS) == [] and "What may help" in str(caught.value)
    server.answers = [right]
    assert made.translate(NUMBERS) == [*map(turned, NUMBERS)]


def test_a_run_stops_as_soon_as_too_many_are_sure_to_be_none(server):
    sentences = [f"I am number {number}." for number in range(200)]
    server.answers = [says("")]
    with pytest.raises(ServiceError, match="5 of 5 answers"):
        served(server).translate(sentences)
    assert len(server.asked) <= 6


def test_one_bad_answer_among_many_is_empty_counted_said_and_asked_for_again(server, caplog):
    sentences = [f"I am number {number}." for number in range(60)]
    server.answers = [says("<think>"), right]
    made = served(server)
    outputs = made.translate(sentences)
    assert outputs.count("") == 1 and len(kept(made, sentences)) == 59
    assert "no translation: reasoning without an end 1" in caplog.text
    assert "**60 answers**" in made.note() and "reasoning without an end 1" in made.note()
    asked = len(server.asked)
    assert made.translate(sentences) == [*map(turned, sentences)] and len(server.asked) == asked + 1
    assert "counted as empty: none" in made.note()


def test_several_requests_are_on_their_way_at_a_time_and_give_the_same(server):
    together = threading.Barrier(3)

    def waits(handler, body):
        together.wait(30)  # until three are here
        right(handler, body)

    server.answers = [waits]
    texts = NUMBERS[:18]
    assert served(server, workers=3).translate(texts) == [*map(turned, texts)]
    server.answers = [right]
    assert served(server, cache=False).translate(texts) == [*map(turned, texts)]


def test_after_a_failure_what_is_on_its_way_is_kept_and_no_more_is_asked(server):
    second = threading.Event()

    def fails(handler, body):
        second.wait(30)
        send('{"error": "no"}', 400)(handler, body)

    def succeeds(handler, body):
        second.set()
        right(handler, body)

    server.answers = [fails, succeeds]
    made = served(server, workers=2)
    with pytest.raises(ServiceError, match="refused"):
        made.translate(NUMBERS)
    assert len(kept(made, NUMBERS)) == len(server.asked) - 1 >= 1


def leaks(secret, call):
    """What a notebook would keep of a failure: all its messages, those of causes and contexts, too."""
    with pytest.raises((ServiceError, ValueError)) as caught:
        call()
    text = "".join(traceback.format_exception(caught.value))
    return [secret[:length] for length in (len(secret), 8) if secret[:length] in text], text


SECRET = "sk-SECRET-abcdefghijklmnop"
SHOWN = {
    "a reason": send(json.dumps({"error": f"bad key {SECRET}"}), 401),
    "at the cut": send(json.dumps({"error": "x" * 190 + SECRET}), 401),
    "a page": send(f"<html>{SECRET}</html>", kind="text/html"),
    "at the cut of a page": send("<html>" + "x" * 48 + SECRET, kind="text/html"),
    "in the type": send("<html>", kind=f"text/{SECRET}"),
    "the answer": says(f"Estoy {SECRET}"),
    "spelled": send(completion(f"Estoy {SECRET}").replace("sk-", "\\u0073k-")),
    "elsewhere": send(json.dumps({"echo": SECRET, "choices": [{"message": {"content": "Hola"}}]})),
}


@pytest.mark.parametrize("fault", SHOWN.values(), ids=SHOWN)
def test_a_key_that_a_server_repeats_is_shown_nowhere_and_kept_nowhere(
    fault, server, monkeypatch, cache
):
    monkeypatch.setenv(KEY, SECRET)
    server.answers = [fault]
    found, _ = leaks(SECRET, lambda: served(server).translate(["I am tired."]))
    assert found == []
    assert all(b"SECRET" not in file.read_bytes() for file in cache.rglob("*") if file.is_file())


@pytest.mark.parametrize("end", ["\r\n"])
def test_a_line_end_behind_a_key_is_taken_off(end, server, monkeypatch):
    monkeypatch.setenv(KEY, f"  {SECRET}{end}")
    served(server).translate(["I am tired."])
    assert server.headers[0][1] == f"Bearer {SECRET}"


@pytest.mark.parametrize("middle", ["\n", "é", "\u2028"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(middle, server, monkeypatch):
    monkeypatch.setenv(KEY, f"{SECRET}{middle}{SECRET}")
    found, text = leaks(SECRET, lambda: served(server))
    assert found == [] and KEY in text and f"at place {len(SECRET)}" in text


def test_a_key_in_the_prompt_is_refused_and_a_word_in_place_of_one_is_not(server, monkeypatch):
    monkeypatch.setenv(KEY, SECRET)
    found, text = leaks(SECRET, lambda: served(server, SECRET + " {sentence}"))
    assert found == [] and "the prompt holds it" in text
    monkeypatch.setenv(KEY, "EMPTY")  # what servers without keys are given
    server.answers = [says("La caja está EMPTY.")]
    assert served(server).translate(["The box is EMPTY."]) == ["La caja está EMPTY."]


def test_netrc_does_not_take_the_place_of_the_key(server, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    served(server, cache=False).translate(["I am tired."])
    monkeypatch.setenv(KEY, SECRET)
    served(server, cache=False).translate(["I am tired."])
    assert [sent for _, sent in server.headers] == [None, f"Bearer {SECRET}"]


def test_an_interrupted_run_ends_at_once(server, monkeypatch):
    server.answers = [servers.silent]

    def interrupted(*given, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("lib.translation.services.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        served(server, workers=3).translate(NUMBERS)


BAD = {
    "nothing": (lambda f: load_translator("instructed:", prompt=PLAIN), ["a folder", "<address>#"]),
    "no sentence": (
        lambda f: load_translator("instructed:x", prompt="Translate"),
        ["{sentence} in it once", "'Translate'"],
    ),
    "a language": (
        lambda f: load_translator("instructed:x", source_language="English"),
        ["names {target_language}", "give target_language as a word"],
    ),
    "a prompt for another": (
        lambda f: load_translator("tatoeba-en-es", prompt=PLAIN),
        ["'tatoeba-en-es' takes none", "instructed:<folder>"],
    ),
    "no model": (
        lambda f: load_translator("instructed:http://localhost:1/v1", prompt=PLAIN),
        ["a model after the address", "#<model>"],
    ),
    "no address": (
        lambda f: load_translator("instructed:ftp://localhost/v1#m", prompt=PLAIN),
        ["address", "http://localhost:8000/v1", "ftp"],
    ),
    "a key in the address": (
        lambda f: load_translator("instructed:http://me:secret@host/v1#m", prompt=PLAIN),
        ["none with a name or key in it", KEY],
    ),
    "a temperature": (
        lambda f: load_translator("instructed:http://h/v1#m", prompt=PLAIN, temperature="hot"),
        ["temperature", "0 or more, or none", "'hot'"],
    ),
    "no workers": (
        lambda f: load_translator("instructed:http://h/v1#m", prompt=PLAIN, workers=0),
        ["workers", "1 or more"],
    ),
    "no folder": (
        lambda f: load_translator("instructed:nowhere", prompt=PLAIN),
        ["expected a model, got 'nowhere'"],
    ),
    "a long sentence": (
        lambda f: local(f["plain"]).translate(["a" * 400]),
        ["leaves no room for an answer within the 300"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses, folders):
    refuses(lambda: call(folders), fragments)
