"""Language models that are told to translate: a tiny one made here, a stand-in server, and everything that is refused."""

import contextlib
import http.server
import json
import threading

import pytest

from lib.language_models.causal import answers, chat_mark, prompt_pieces
from lib.language_models.pretrained import load_causal
from lib.translation import Translator, load_translator
from lib.translation import services as translation_services
from lib.translation.instructed import (
    KEY,
    InstructedTranslator,
    Prompt,
    ServedAnswers,
    first_line,
)
from lib.translation.instruction_arms import INSTRUCTIONS, instruction_arms
from lib.translation.services import ServiceError

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
    one, other = (local(folders[name]) for name in ("plain", "sampling"))
    assert one.translate(SENTENCES) == other.translate(SENTENCES)


def test_a_local_model_keeps_the_protocol_and_names_model_and_prompt(folders):
    made = local(folders["plain"])
    assert isinstance(made, Translator) and made.name == "tiny-plain"
    assert made.source.startswith("tiny-plain@sha256:") and repr(PLAIN) in made.source
    assert made.translate(["", " "]) == ["", ""] and made.translate([]) == []
    outputs, rest = made.translate(SENTENCES), made.cut(SENTENCES)
    assert len(outputs) == len(rest) == 5 and not any("\n" in text for text in outputs)


def test_a_chat_template_is_used_where_there_is_one_and_stands_in_the_source(folders):
    chat, plain = (load_causal(folders[name], device="cpu") for name in ("chat", "plain"))
    assert chat.tokenizer.decode(prompt_pieces(chat, ["Hi"])[0]) == "<u>Hi</u>"
    assert plain.tokenizer.decode(prompt_pieces(plain, ["Hi"])[0]) == "Hi"
    assert chat_mark(plain) == "plain" and chat_mark(chat).startswith("chat ")
    assert chat_mark(chat) in local(folders["chat"]).source


def test_kept_answers_are_of_one_prompt_and_what_was_cut_is_kept(folders, monkeypatch):
    made = local(folders["plain"])
    outputs, rest = made.translate(SENTENCES), made.cut(SENTENCES)
    monkeypatch.setattr("lib.translation.instructed.answers", lambda *_: 1 / 0)
    again = local(folders["plain"])
    assert again.translate(SENTENCES) == outputs and again.cut(SENTENCES) == rest
    with pytest.raises(ZeroDivisionError):
        again.instructed("The speaker is a woman.").translate(SENTENCES)


def test_the_first_line_is_the_translation():
    assert first_line("  Hola \n\nmás\n") == ("Hola", "más")
    assert first_line("\n\nHola") == ("Hola", "") and first_line(" ") == ("", "")


def test_arms_differ_in_where_the_speaker_is_said_alone(server):
    made = load_translator(f"instructed:{server.address}#m", prompt=PLAIN, cache=False)
    arms = instruction_arms(made, ["I am tired."], ("none", "she"))
    asked = [body["messages"][0]["content"] for body in server.asked]
    whole = PLAIN.replace("{sentence}", "I am tired.")
    assert asked == [
        whole,
        whole,
        PLAIN.replace("{sentence}", "She said: I am tired."),
        f"{INSTRUCTIONS['she']}\n{whole}",
    ]
    assert set(arms) == {(place, who) for place in ("text", "prompt") for who in ("none", "she")}
    assert arms["text", "she"].given == "She said: " and arms["prompt", "she"].given == ""
    assert all(len(arm.texts) == len(arm.prefixes) == 1 for arm in arms.values())


@pytest.fixture
def server(monkeypatch):
    """A stand-in for a server of chat completions: `answers` are given in turn, the last again and again."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            served.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            served.paths.append((self.path, self.headers.get("Authorization")))
            status, content, kind = (
                served.answers.pop(0) if len(served.answers) > 1 else served.answers[0]
            )
            if content is None:
                last = served.asked[-1]["messages"][0]["content"]
                content = completion(f" {last.upper()} ".replace("\n", " ") + "\nNote: loud.")
            coded = content.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(coded)))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError):
                self.wfile.write(coded)

        def log_message(self, *arguments):
            pass

    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.asked, served.paths, served.answers = [], [], [answer()]
    served.address = f"http://127.0.0.1:{served.server_address[1]}/v1"
    monkeypatch.delenv(KEY, raising=False)
    threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True).start()
    yield served
    served.shutdown()
    served.server_close()


def completion(text, ended="stop"):
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": ended}]})


def answer(content=None, status=200, kind="application/json"):
    return status, content, kind


def served(server, template="{sentence}", **settings):
    model = ServedAnswers(server.address, "m", Prompt(template), pause=0.001, **settings)
    return InstructedTranslator(model)


def test_a_server_is_asked_in_the_manner_of_openai_with_the_key_of_the_environment(
    server, monkeypatch, cache
):
    monkeypatch.setenv(KEY, "secret")
    made = load_translator(
        f"instructed:{server.address}/#some/model:7b",
        source_language="English",
        target_language="Spanish",
    )
    assert made.translate(["a", "", "a"])[1] == ""
    (body,) = server.asked
    assert body["model"] == "some/model:7b" and body["temperature"] == 0
    assert "from English to Spanish" in body["messages"][0]["content"]
    assert server.paths == [("/v1/chat/completions", "Bearer secret")]
    assert made.cut(["a"]) == ["Note: loud."] and len(server.asked) == 1
    assert made.source.startswith(f"some/model:7b at {server.address} ")
    kept = list(cache.rglob("*.sqlite"))
    assert kept and all(b"secret" not in file.read_bytes() for file in kept)


def test_without_a_key_none_is_sent_and_another_prompt_asks_again(server):
    assert served(server).translate(["a"]) == ["A"] and served(server).translate(["a"]) == ["A"]
    assert len(server.asked) == 1 and server.paths[0][1] is None
    assert served(server, "Say: {sentence}").translate(["a"]) == ["SAY: A"]
    assert len(server.asked) == 2


def test_failures_that_pass_are_tried_again_one_sentence_at_a_time(server, monkeypatch):
    pauses = []
    monkeypatch.setattr(translation_services.time, "sleep", pauses.append)
    server.answers = [answer(), answer("", 503), answer("", 429), answer()]
    assert served(server).translate(["a", "b"]) == ["A", "B"] and pauses == [0.001, 0.002]
    assert [body["messages"][0]["content"] for body in server.asked] == ["a", "b", "b", "b"]


ANSWERS = {
    "HTML": (answer("<html>", kind="text/html"), "expected JSON.*text/html.*chat completions"),
    "sent on": (answer("", 308, "text/html"), "expected JSON.*status 308"),
    "no key": (
        answer('{"error": "no key"}', 401),
        rf"refused \(status 401\): no key; set the key in {KEY}",
    ),
    "no model": (answer('{"error": "no such model"}', 404), r"no such model; .*GET /models"),
    "no choices": (answer('{"choices": []}'), r"refused \(status 200\)"),
    "a list": (answer('["a"]'), r"refused \(status 200\)"),
    "no text": (answer(completion(None)), r"refused \(status 200\)"),
    "cut short": (answer(completion("Estoy", "length")), "ended before its first line"),
}


@pytest.mark.parametrize(("told", "message"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_that_is_none_is_refused_and_not_kept(told, message, server):
    server.answers = [told, answer()]
    made = served(server)
    with pytest.raises(ServiceError, match=message):
        made.translate(["a"])
    assert made.translate(["a"]) == ["A"]


def test_a_key_that_a_server_repeats_is_not_shown(server, monkeypatch):
    monkeypatch.setenv(KEY, "secret")
    server.answers = [answer('{"error": "bad key secret"}', 401)]
    with pytest.raises(ServiceError, match=f"bad key …; the key in {KEY} is not accepted"):
        served(server).translate(["a"])


def test_nobody_at_the_address_is_said(monkeypatch):
    monkeypatch.setattr(translation_services.time, "sleep", lambda seconds: None)
    made = load_translator("instructed:http://127.0.0.1:9/v1#m", prompt="{sentence}")
    with pytest.raises(ServiceError, match=r"gave up after 5.*127.0.0.1:9 does not answer"):
        made.translate(["a"])


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
    "no folder": (
        lambda f: load_translator("instructed:nowhere", prompt=PLAIN),
        ["expected a model, got 'nowhere'"],
    ),
    "one string": (lambda f: local(f["plain"]).translate("I am"), ["a list of sentences"]),
    "a long sentence": (
        lambda f: local(f["plain"]).translate(["a" * 400]),
        ["leaves no room for an answer within the 300"],
    ),
    "a speaker": (
        lambda f: instruction_arms(local(f["plain"]), ["I"], ["it"]),
        ["none, she, he, someone", "'it'"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses, folders):
    refuses(lambda: call(folders), fragments)


def test_a_translator_of_another_kind_is_no_causal_model(tiny_translator, refuses):
    refuses(lambda: local(tiny_translator("marian")), ["tiny-marian", "causal language model"])
