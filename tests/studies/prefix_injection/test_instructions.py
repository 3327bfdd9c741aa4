"""Who speaks is said in one of two places, and nothing else differs."""

import json

from lib.translation import load_translator
from lib.translation.instructed import KEY
from studies.prefix_injection.instructions import INSTRUCTIONS, instruction_arms
from tests.support.servers import send, told

ANSWER = {"choices": [{"message": {"content": "Estoy cansada."}, "finish_reason": "stop"}]}


def test_arms_differ_in_where_the_speaker_is_said_alone(monkeypatch, cache):
    monkeypatch.delenv(KEY, raising=False)
    with told(send(json.dumps(ANSWER))) as server:
        made = load_translator(
            f"instructed:{server.address}#m", prompt="Sentence: {sentence}", cache=False
        )
        arms = instruction_arms(made, ["I am tired."], ("none", "she"))
        asked = [body["messages"][0]["content"] for body in server.asked]
    whole = "Sentence: I am tired."
    assert asked == [
        whole,
        whole,
        "Sentence: She said: I am tired.",
        f"{INSTRUCTIONS['she']}\n{whole}",
    ]
    assert set(arms) == {(place, who) for place in ("text", "prompt") for who in ("none", "she")}
    assert arms["text", "she"].given == "She said: " and arms["prompt", "she"].given == ""
    assert all(len(arm.texts) == len(arm.prefixes) == 1 for arm in arms.values())
    assert "**3 answers**" in made.note()  # those of both places, each prompt and sentence once
