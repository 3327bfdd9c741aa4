"""Any model that can be asked: a decoder at hand, one at hand whose written answers are read, or a server."""

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.language_models.causal import answers, prompt_pieces
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.decoders import SMOLLM2, decoder
from lib.translation.instructed import Prompt, ServedAnswers
from studies.asked_to_choose.questions import OPTIONS
from studies.asked_to_choose.reading import read_choice

SCHEME = "instructed:"
SERVER = re.compile(r"https?://[^#\s]+#\S.*")
LONGEST = 12  # pieces of a written answer


def answerer(name: str, value: Any) -> str:
    """A rule for the parameter: a decoder, or "instructed:" and a decoder or <address>#<model> of a server."""
    if isinstance(value, str) and value.startswith(SCHEME):
        place = value.removeprefix(SCHEME)
        if not SERVER.fullmatch(place):
            decoder(name, place)
        return value
    if isinstance(value, str) and SERVER.fullmatch(value):
        raise ValueError(f"{name}: expected {SCHEME}<address>#<model> for a server; got {value!r}")
    return decoder(name, value)


@dataclass(frozen=True)
class Answerer:
    """A model and how it is asked.

    Attributes
    ----------
    name, source : str
        For the page and for the ledger.
    written : bool
        Whether its choices are read from what it writes; else the likelier option is its choice.
    decoder : CausalLanguageModel or None
        The model where it is at hand.
    server : ServedAnswers or None
        Where it is not.
    """

    name: str
    source: str
    written: bool
    decoder: CausalLanguageModel | None = None
    server: ServedAnswers | None = None

    @property
    def in_a_chat(self) -> bool:
        """Whether a question is put as the message of a user."""
        return self.decoder is None or bool(
            getattr(self.decoder.transformer.tokenizer, "chat_template", None)
        )

    def choose(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Questions with `choice`, "she", "he" or a miss; where likelihoods are asked also `odds` and `mass`.

        `odds` is the log odds of *she* against *he* as the first word of the answer, in nats, positive leans to *she*;
        `mass` is the probability that the answer begins with either.
        """
        prompts = rows["prompt"].tolist()
        if self.written:
            said = self.write(prompts)
            return rows.assign(
                answer=said, choice=[read_choice(text) for text in said], odds=np.nan, mass=np.nan
            )
        log_p = self.first_words(prompts)
        odds = log_p[:, 0] - log_p[:, 1]
        return rows.assign(
            answer="",
            choice=np.where(odds > 0, *OPTIONS),
            odds=odds,
            mass=np.exp(np.logaddexp(*log_p.T)),
        )

    def write(self, prompts: Sequence[str]) -> list[str]:
        """What the model writes after each prompt, greedily; of a server, at temperature 0."""
        if self.server is not None:
            return [str(text) for text in self.server.translate(prompts)]
        assert self.decoder is not None
        asked = [prompt if self.in_a_chat else _plain(prompt) for prompt in prompts]
        return answers(self.decoder.transformer, asked, [LONGEST] * len(asked))

    def first_words(self, prompts: Sequence[str]) -> np.ndarray:
        """(n, 2) log probabilities that the answer begins with *she* or *She*, and with *he* or *He*."""
        assert self.decoder is not None
        model, texts = self._as_asked(prompts)
        space = "" if self.in_a_chat else " "
        ends = [space + form for word in OPTIONS for form in (word, word.capitalize())]
        given = [text for text in texts for _ in ends]
        found = model.log_probabilities([text + end for text in texts for end in ends], given)
        return np.logaddexp.reduce(found.reshape(len(texts), len(OPTIONS), 2), axis=2)

    def _as_asked(self, prompts: Sequence[str]) -> tuple[CausalLanguageModel, list[str]]:
        """The model, and the prompts as texts that begin where its template begins."""
        assert self.decoder is not None
        if not self.in_a_chat:
            return self.decoder, [_plain(prompt) for prompt in prompts]
        tokenizer = self.decoder.transformer.tokenizer
        texts = [
            tokenizer.apply_chat_template(
                [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
            )
            for prompt in prompts
        ]
        # a template writes the piece that a text begins after, or another one; it is not said twice
        number = prompt_pieces(self.decoder.transformer, prompts[:1])[0][0] if prompts else None
        piece = tokenizer.convert_ids_to_tokens(number) if prompts else ""
        if not piece or not all(text.startswith(piece) for text in texts):
            return self.decoder, texts
        model = copy.copy(self.decoder)
        model.start, model.start_id = piece, number
        return model, [text.removeprefix(piece) for text in texts]

    def odds_after(self, beginnings: Sequence[str]) -> np.ndarray:
        """(n,) log odds of *she* against *he* behind beginnings, where nothing is asked."""
        assert self.decoder is not None
        ends = [f" {word}" for word in OPTIONS]
        given = [text for text in beginnings for _ in ends]
        found = self.decoder.log_probabilities(
            [text + end for text in beginnings for end in ends], given
        )
        return found.reshape(-1, 2) @ [1, -1]

    def why_not(self, prompts: Sequence[str]) -> str:
        """Why these cannot be asked; "" where they can."""
        if self.decoder is None:
            return ""
        unknown = [word for word in OPTIONS if not self.decoder.knows(word)]
        if unknown:
            return f"{self.name} cannot spell {' and '.join(unknown)}"
        reads = self.decoder.transformer.longest
        longest = max(map(len, prompt_pieces(self.decoder.transformer, prompts)), default=0)
        if longest + LONGEST > reads:
            return f"{self.name} reads {reads} pieces, and a question with its answer has {longest + LONGEST}"
        return ""


def _plain(prompt: str) -> str:
    """A question to a model that knows no conversation."""
    return f"Question: {prompt}\nAnswer:"


def load_answerer(name: str, device: str = "auto") -> Answerer:
    """A model by what `answerer` takes; raises what `CausalLanguageModel` and `ServedAnswers` raise."""
    place = name.removeprefix(SCHEME)
    written = name.startswith(SCHEME)
    if SERVER.fullmatch(place):
        address, _, model = place.partition("#")
        server = ServedAnswers(address, model, Prompt("{sentence}"))
        return Answerer(model, f"{SCHEME}{server.identity}", True, server=server)
    loaded = CausalLanguageModel(place, device)
    source = f"{SCHEME}{loaded.source}" if written else loaded.source
    return Answerer(loaded.name, source, written, decoder=loaded)


def is_default(name: str) -> bool:
    """Whether a name is that of the model that comes with the book."""
    return name.removeprefix(SCHEME) == SMOLLM2
