"""Translators behind one door: the book's own, any seq2seq model of transformers, a service, or a function.

load_translator("tatoeba-en-es").translate(["I am tired."])
load_translator("facebook/nllb-200-distilled-600M@<commit>", source="eng_Latn", target="spa_Latn", beams=1)
load_translator(lambda sentences: [sentence.upper() for sentence in sentences])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from lib.language_models.batching import batched, encoded
from lib.language_models.pretrained import Transformer, best_device, load_seq2seq
from lib.paths import DATA
from lib.translation.cache import TranslationCache
from lib.translation.services import SERVICES, load_service

# Ours, and what their training was told.
OWN = {
    "tatoeba-en-es": "--direction en-es",
    "tatoeba-es-en": "--direction es-en",
    "tatoeba-en-es-untaught": "--speech 0 --folder data/models/tatoeba-en-es-untaught",
}
CHUNK = 4096  # sentences translated before what was made is kept
ROOM, SLACK = (
    2,
    10,
)  # a translation has at most so many pieces for each of its sentence's, and so many more
STEP = 8  # lengths are rounded up to, for that limit: it must not depend on what else is in a batch


@runtime_checkable
class Translator(Protocol):
    """What all translators share: a name, the identity of what translates (for caches and results), and `translate`."""

    name: str
    source: str

    def translate(self, sentences: Sequence[str]) -> list[str]: ...


def load_translator(
    name: str | Callable[[list[str]], Sequence[str]],
    *,
    source: str | None = None,
    target: str | None = None,
    beams: int = 4,
    device: str = "auto",
    dtype: str = "auto",
    cache: bool = True,
) -> Translator:
    """A translator by name.

    name : one of `OWN`, "tatoeba-en-es" or another; a folder or "<model>@<commit>" of a seq2seq model; a service
    ("libretranslate", "deepl", "google"); or a function from a list of sentences to their translations, in order.
    source, target : language codes as the model or service spells them ("eng_Latn", "en"); models of one pair need none.
    beams : of the search, 1 for greedy. device : see `lib.language_models.pretrained`. dtype : "auto" is float32 on a processor and half
    precision on a GPU. cache : keep translations, so that a rerun costs nothing; functions are never cached.
    Raises ValueError for an unknown name, language or setting, FetchError for a hub model that is not at hand.
    """
    if callable(name) and not isinstance(name, str):
        return FunctionTranslator(name)
    if not isinstance(beams, int) or beams < 1:
        raise ValueError(f"beams: expected a number of 1 or more, got {beams!r}")
    if name in SERVICES:
        made = load_service(name, source=source, target=target)
    else:
        made = ModelTranslator(
            name, source=source, target=target, beams=beams, device=device, dtype=dtype
        )
    return Remembering(made) if cache else made


def own_folder(name: str) -> Path:
    """The folder of one of our translators. Raises ValueError when its weights are not there."""
    folder = DATA / "models" / name
    if not (folder / "model.safetensors").is_file():
        raise ValueError(
            f"{name}: expected weights at {folder / 'model.safetensors'}, found none; get them back with git, or train "
            f"them: python -m lib.training.translator.train {OWN[name]}"
        )
    return folder


class FunctionTranslator:
    """A function from a list of sentences to their translations; what it returns is checked."""

    def __init__(self, function: Callable[[list[str]], Sequence[str]]):
        self.function, self.name = function, getattr(function, "__name__", type(function).__name__)
        self.source = f"function:{self.name}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The function's translations. Raises ValueError when they are not as many texts as there are sentences."""
        sentences = checked_sentences(sentences)
        found = self.function(list(sentences)) if sentences else []
        texts = isinstance(found, Sequence | np.ndarray) and not isinstance(found, str)
        if (
            not texts
            or len(found) != len(sentences)
            or not all(isinstance(text, str) for text in found)
        ):
            got = (
                f"{len(found)} of {type(found).__name__}"
                if hasattr(found, "__len__")
                else type(found).__name__
            )
            raise ValueError(
                f"{self.name}: expected a list of {len(sentences)} translations, one text for each sentence, "
                f"got {got}; the function takes the whole list"
            )
        return list(found)


class ModelTranslator:
    """A seq2seq model of transformers: Marian, NLLB and M2M-100 with language codes, and their kin."""

    def __init__(
        self,
        name: str,
        *,
        source=None,
        target=None,
        beams: int = 4,
        device: str = "auto",
        dtype: str = "auto",
    ):
        if dtype == "auto":
            dtype = half_precision() if best_device(device).startswith("cuda") else "float32"
        folder = str(own_folder(name)) if name in OWN else name
        self._transformer: Transformer = load_seq2seq(folder, device=device, dtype=dtype)
        self.name, self.device, self.beams, self.dtype = (
            self._transformer.name,
            self._transformer.device,
            beams,
            dtype,
        )
        self._marked, self._first = _languages(self._transformer, source, target)
        pair = f" {source}>{target}" if source or target else ""
        self.source = self._transformer.source
        self.settings = f"{self.source}{pair} beams={beams} {dtype}"

    def __repr__(self) -> str:
        return f"ModelTranslator({self.name!r}, beams={self.beams}, {self.device})"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations of sentences, in order; those of like length are decoded together, an empty one stays empty.

        Raises ValueError for one string in place of a list and for a sentence longer than the model reads.
        """
        import torch

        texts = [
            self._marked + sentence if sentence.strip() else ""
            for sentence in checked_sentences(sentences)
        ]
        rows, found = encoded(self._transformer, texts), [""] * len(texts)
        steps: dict[int, list[int]] = {}
        for place in np.flatnonzero([bool(text) for text in texts]):
            steps.setdefault(-(-len(rows[place]) // STEP), []).append(place)
        with torch.inference_mode():
            for step, places in sorted(steps.items()):
                limit = min(ROOM * STEP * step + SLACK, self._transformer.longest)
                for indices, pieces, real in batched(
                    self._transformer, [rows[place] for place in places]
                ):
                    for index, text in zip(indices, self._decoded(pieces, real, limit)):
                        found[places[index]] = text.strip()
        return found

    def _decoded(self, pieces, real, limit: int) -> list[str]:
        settings = {"num_beams": self.beams, "max_length": limit, "do_sample": False}
        settings |= {"early_stopping": True} if self.beams > 1 else {}
        settings |= {"forced_bos_token_id": self._first} if self._first is not None else {}
        coded = self._transformer.model.generate(input_ids=pieces, attention_mask=real, **settings)
        return self._transformer.tokenizer.batch_decode(coded, skip_special_tokens=True)


def half_precision() -> str:
    """The half precision that the GPU at hand computes in: bfloat16 where it can."""
    import torch

    return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"


def _languages(
    transformer: Transformer, source: str | None, target: str | None
) -> tuple[str, int | None]:
    """What stands before a sentence, and the piece that a translation begins with, for models of several languages."""
    tokenizer = transformer.tokenizer
    if hasattr(tokenizer, "src_lang"):
        if not source or not target:
            raise ValueError(
                f"{transformer.name} translates between many languages: give source and target, "
                "'eng_Latn' and 'spa_Latn' for NLLB, 'en' and 'es' for M2M-100"
            )
        codes = {code: _piece(tokenizer, code) for code in (source, target)}
        for code, piece in codes.items():
            if piece is None:
                raise ValueError(
                    f"'{code}' is no language of {transformer.name}; it spells them as in its card, "
                    "'eng_Latn' (NLLB) or 'en' (M2M-100)"
                )
        tokenizer.src_lang = source
        return "", codes[target]
    several = sorted(
        piece for piece in tokenizer.get_vocab() if piece.startswith(">>") and piece.endswith("<<")
    )
    if several and f">>{target}<<" not in several:
        raise ValueError(
            f"{transformer.name} translates into several languages: give target, one of "
            f"{', '.join(piece[2:-2] for piece in several[:12])}, got {target!r}"
        )
    return (f">>{target}<< ", None) if several else ("", None)


def _piece(tokenizer, code: str) -> int | None:
    """The piece of a language code: `spa_Latn` (NLLB, mBART) or `__es__` (M2M-100)."""
    vocabulary = tokenizer.get_vocab()
    special = set(tokenizer.all_special_tokens) | set(
        getattr(tokenizer, "lang_code_to_token", {}).values()
    )
    return next(
        (
            vocabulary[piece]
            for piece in (code, f"__{code}__")
            if piece in vocabulary and piece in special
        ),
        None,
    )


class Remembering:
    """A translator that asks only for what it has not translated before; each sentence once, however often it occurs."""

    def __init__(self, translator: Translator, folder: Path | None = None):
        self.translator, self.name, self.source = translator, translator.name, translator.source
        self.cache = TranslationCache(getattr(translator, "settings", translator.source), folder)

    def __repr__(self) -> str:
        return f"{self.translator!r} with {self.cache.path.name}"

    def translate(self, sentences: Sequence[str]) -> list[str]:
        """The translations of sentences, in order, made or kept. Raises what the translator raises; finished parts stay."""
        sentences = checked_sentences(sentences)
        wanted = list(dict.fromkeys(sentences))
        found = self.cache.known(wanted)
        new = sorted((sentence for sentence in wanted if sentence not in found), key=len)
        for start in range(0, len(new), CHUNK):
            part = new[start : start + CHUNK]
            made = dict(zip(part, self.translator.translate(part)))
            self.cache.keep(made)
            found.update(made)
        return [found[sentence] for sentence in sentences]


def checked_sentences(sentences: Sequence[str]) -> list[str]:
    """The sentences as a list. Raises ValueError for one string, or for something in the list that is none."""
    if isinstance(sentences, str):
        raise ValueError(
            f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
        )
    sentences = list(sentences)
    for place, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            raise ValueError(
                f"expected texts, got {sentence!r} at place {place}; leave it out or write it out"
            )
    return sentences
