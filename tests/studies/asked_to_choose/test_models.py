"""Any model behind one door: probabilities after the chat template, written answers, and a server."""

import numpy as np
import pytest

from studies.asked_to_choose import models
from studies.asked_to_choose.models import Answerer, answerer, load_answerer
from studies.asked_to_choose.questions import choices
from tests.support.tiny_gguf import write_gguf


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny") / "asked.gguf"
    return write_gguf(path, "llama", "F32", settings={"context_length": 512})


@pytest.fixture(scope="module")
def model(asked):
    return load_answerer(str(asked), "cpu")


ROWS = choices(["nurse"], "occupation")


def test_the_likelier_option_is_the_choice(model):
    found = model.choose(ROWS)
    assert ((found["odds"] > 0) == (found["choice"] == "she")).all()
    assert found["mass"].between(0, 1).all() and not model.written


def test_a_first_word_is_as_likely_as_after_the_whole_template(model):
    prompt = ROWS["prompt"].iloc[0]
    tokenizer = model.decoder.transformer.tokenizer
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
    )
    assert text.startswith("<|im_start|>")  # which is not read twice
    ends = ["she", "She"]
    asked = models.copy.copy(model.decoder)
    asked.start, asked.start_id = "<|im_start|>", tokenizer.convert_tokens_to_ids("<|im_start|>")
    rest = text.removeprefix("<|im_start|>")
    one_by_one = asked.log_probabilities([rest + end for end in ends], [rest, rest])
    assert model.first_words([prompt])[0, 0] == pytest.approx(np.logaddexp(*one_by_one), abs=1e-5)
    assert model.decoder.start == "<|endoftext|>"


def test_a_model_without_a_chat_template_gets_a_question_and_an_answer_to_begin(tiny_causal_model):
    plain = load_answerer(str(tiny_causal_model), "cpu")
    assert not plain.in_a_chat and models._plain("she or he?") == "Question: she or he?\nAnswer:"


def test_what_is_written_is_read_where_that_is_asked_for(asked, monkeypatch):
    told = load_answerer(f"instructed:{asked}", "cpu")
    monkeypatch.setattr(
        models, "answers", lambda transformer, prompts, longest: ["She."] * len(prompts)
    )
    found = told.choose(ROWS)
    assert told.written and told.source.startswith("instructed:asked.gguf@sha256:")
    assert set(found["choice"]) == {"she"} and found["odds"].isna().all()


class Server:
    """Says one thing."""

    def translate(self, sentences):
        return ["I cannot say."] * len(sentences)


def test_a_server_shows_answers_and_no_probabilities():
    served = Answerer("m", "instructed:m", True, server=Server())
    assert set(served.choose(ROWS)["choice"]) == {"refused"} and served.why_not([]) == ""


def test_a_question_that_is_too_long_is_a_reason(tiny_gguf):
    model = load_answerer(str(tiny_gguf), "cpu")
    assert "reads 64 pieces" in model.why_not(ROWS["prompt"].tolist())


@pytest.mark.parametrize(
    "name", ["smollm2", "instructed:smollm2", "instructed:http://localhost:8000/v1#m"]
)
def test_the_parameter_takes_decoders_and_servers(name):
    assert answerer("model", name) == name


BAD = {
    "a server without its scheme": "http://localhost:8000/v1#m",
    "a server without a model": "instructed:http://localhost:8000/v1",
    "a misspelt name": "smolm2",
    "nothing": "",
    "a number": 3,
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_what_is_no_model_is_refused(value):
    with pytest.raises(ValueError, match="model: expected"):
        answerer("model", value)
