"""One embedding for each culture, trained from its text and nothing else, by any number of Dask workers.

A culture's vectors lie in `<folder>/<code>-<hash>`, a store that `lib.embeddings.open_store` opens; the hash stands for the
text, the sample and the settings, so that finished cultures are not trained again and changed ones are. One process trains
one culture in one thread, and the result does not depend on how many there are.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import logging
import shutil
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from lib.cultures.texts import CultureText, SplitReport
from lib.embeddings import Embedding, open_store, save_store
from lib.embeddings.store import INDEX

ALGORITHMS = ("skip-gram", "cbow", "fasttext", "glove")

log = logging.getLogger("lib")


@dataclass(frozen=True)
class Training:
    """How vectors are trained. Window, least count and dimensions are the paper's; it does not name the rest.

    algorithm : skip-gram, cbow, fasttext (skip-gram on pieces of words) or glove; cap : most messages of a culture, sampled
    with the seed; negative : noise words; buckets : for fastText's pieces (its own 2 million take gigabytes); x_max : of
    GloVe; epochs : 5, and 25 for GloVe, when None. What is not named is gensim's default.
    Friedman et al. (2019), Sections 3 and 4.3.
    """

    algorithm: str = "skip-gram"
    window: int = 10
    min_count: int = 5
    dimensions: int = 200
    epochs: int | None = None
    negative: int = 5
    cap: int = 10_000_000
    buckets: int = 200_000
    x_max: float = 10.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ValueError(
                f"algorithm: expected one of {', '.join(ALGORITHMS)}; got {self.algorithm!r}"
            )

    @property
    def passes(self) -> int:
        """How many times the text, or GloVe's counts, are gone through."""
        return self.epochs or (25 if self.algorithm == "glove" else 5)


def stable_hash(text: str) -> int:
    """A hash of a word that is the same in every Python process, whatever PYTHONHASHSEED."""
    return zlib.crc32(text.encode())


def train(
    texts: Iterable[Sequence[str]], training: Training = Training(), name: str = ""
) -> Embedding:
    """Vectors of the words of some texts, the most frequent word first.

    texts : lists of words, iterated several times; memory is the vocabulary and what the algorithm keeps for it (for GloVe
    also the counts of all pairs that occur).
    Raises ValueError when no word occurs often enough.
    """
    words, vectors = (_glove if training.algorithm == "glove" else _gensim)(texts, training)
    return Embedding(
        words, vectors, name=name, source=f"{name}@{_settings_hash(asdict(training))}", ranked=True
    )


def _gensim(texts: Iterable[Sequence[str]], training: Training) -> tuple[list[str], np.ndarray]:
    from gensim.models import FastText, Word2Vec

    pieces = training.algorithm == "fasttext"
    model = (FastText if pieces else Word2Vec)(
        sg=int(training.algorithm != "cbow"),
        vector_size=training.dimensions,
        window=training.window,
        min_count=training.min_count,
        negative=training.negative,
        seed=training.seed,
        workers=1,
        hashfxn=stable_hash,
        **({"bucket": training.buckets} if pieces else {}),
    )
    logger = logging.getLogger("gensim")
    with _silenced(logger):
        model.build_vocab(texts)
        _check_vocabulary(len(model.wv), training)
        model.train(texts, total_examples=model.corpus_count, epochs=training.passes)
    return list(model.wv.index_to_key), model.wv.vectors


@contextlib.contextmanager
def _silenced(logger: logging.Logger) -> Iterator[None]:
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _glove(texts: Iterable[Sequence[str]], training: Training) -> tuple[list[str], np.ndarray]:
    from lib.embeddings.glove import train_glove
    from lib.measures.cooccurrence import cooccurrences

    counted = Counter(word for text in texts for word in text)
    words = sorted(
        (word for word, count in counted.items() if count >= training.min_count),
        key=lambda word: (-counted[word], word),
    )
    _check_vocabulary(len(words), training)
    place = {word: number for number, word in enumerate(words)}
    numbers = ([place[word] for word in text if word in place] for text in texts)
    counts = cooccurrences(numbers, len(words), training.window, weighted=True)
    fit = train_glove(
        counts, training.dimensions, epochs=training.passes, x_max=training.x_max, rng=training.seed
    )
    return words, fit.vectors


def _check_vocabulary(size: int, training: Training) -> None:
    if not size:
        raise ValueError(
            f"expected words that occur {training.min_count} times or more, got none; give more text, or lower "
            "the least count"
        )


@dataclass(frozen=True)
class Task:
    """A culture to train: its text in parts, where its vectors go, and the hash of all they depend on."""

    text: CultureText
    training: Training
    folder: Path
    key: str

    @property
    def target(self) -> Path:
        return self.folder / f"{self.text.code}-{self.key}"

    @property
    def done(self) -> bool:
        """Whether the vectors are there, whole."""
        return (self.target / INDEX).is_file()


def tasks(
    report: SplitReport, parts: Sequence[Path], folder: Path, training: Training, fewest: int = 1
) -> list[Task]:
    """A task for each culture of a report with at least `fewest` messages, the largest first."""
    version = importlib.metadata.version("torch" if training.algorithm == "glove" else "gensim")
    found = []
    for code, messages in sorted(report.messages.items(), key=lambda item: (-item[1], item[0])):
        if messages >= fewest:
            text = CultureText(code, tuple(parts), training.cap, training.seed)
            key = _settings_hash(
                {"text": report.texts[code], "version": version} | asdict(training)
            )
            found.append(Task(text, training, Path(folder), key))
    return found


def run_task(task: Task) -> str:
    """Train one culture and keep its vectors, unless they are there. Returns its code; a worker calls this.

    Several processes may do the same task, as when a lost worker's task is given to another: the first to finish stays.
    """
    if not task.done:
        embedding = train(task.text, task.training, task.text.code)
        with contextlib.suppress(FileExistsError):
            save_store(embedding, task.target)
    return task.text.code


def run_tasks(wanted: Sequence[Task], client=None) -> Iterator[tuple[str, str | None]]:
    """Do what is not done yet, here or on the workers of a Dask client; yields each culture with its error, None if well.

    client : from `lib.cluster.connect`; its workers need to see the folders of texts and vectors under the same names.
    The keys are tuples, one group for Dask: it holds its tasks back until a worker is free, and blames a worker's death on
    what it was doing, not on all that would have come.
    """
    for code, group in _leftovers(wanted).items():
        log.info("%s: removing %d interrupted results", code, len(group))
        for folder in group:
            shutil.rmtree(folder, ignore_errors=True)
    open_tasks = [task for task in wanted if not task.done]
    if client is None:
        for task in open_tasks:
            yield task.text.code, _error_of(task)
        return
    from distributed import as_completed

    futures = {
        client.submit(run_task, task, key=("culture", task.text.code, task.key), pure=False): task
        for task in open_tasks
    }
    for future in as_completed(futures):
        error = future.exception()
        future.release()  # else a finished culture is done again when the worker that did it dies
        yield futures[future].text.code, f"{type(error).__name__}: {error}" if error else None


def _error_of(task: Task) -> str | None:
    try:
        run_task(task)
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    return None


def _leftovers(wanted: Sequence[Task]) -> Mapping[str, list[Path]]:
    """Half-written results of processes that were killed, by culture."""
    found = {
        task.text.code: list(task.folder.glob(f".{task.target.name}.*.part")) for task in wanted
    }
    return {code: folders for code, folders in found.items() if folders}


def open_vectors(wanted: Iterable[Task]) -> dict[str, Embedding]:
    """The embeddings of the tasks that are done, by culture, memory-mapped."""
    return {task.text.code: open_store(task.target) for task in wanted if task.done}


def _settings_hash(settings: Mapping) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
