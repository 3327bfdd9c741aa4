"""One embedding for each culture, trained from its text and nothing else, by any number of Dask
workers.

A culture's vectors lie in `<folder>/<code>-<hash>`, a store that `lib.embeddings.open_store` opens;
the hash stands for the text, the sample and the settings, so that finished cultures are not trained
again and changed ones are. One process trains one culture in one thread, and the result does not
depend on how many there are.
"""

import contextlib
import importlib.metadata
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from lib.checks import one_of
from lib.cultures.sample import CultureText
from lib.cultures.texts import SplitReport
from lib.embeddings import Embedding, open_store, save_store
from lib.embeddings.store import INDEX
from lib.embeddings.training import BUCKETS, train_vectors
from lib.files import remove_leftovers, text_hash

ALGORITHMS = ("skip-gram", "cbow", "fasttext", "glove")


@dataclass(frozen=True)
class Training:
    """How vectors are trained. Window, least count and dimensions are the paper's; it does not name
    the rest.

    Parameters
    ----------
    algorithm : str
        "skip-gram", "cbow", "fasttext" (skip-gram on pieces of words) or "glove".
    window : int
        Words to each side.
    min_count : int
        Least occurrences of a word.
    dimensions : int
        Of the vectors.
    epochs : int, optional
        Passes over the text; 5 by default, and 25 over the counts of GloVe.
    negative : int
        Noise words for each word.
    cap : int
        Most messages of a culture, sampled with the seed.
    buckets : int
        For fastText's pieces of words.
    x_max : float
        Count from which a pair weighs 1 in GloVe.
    seed : int
        Of sample and training.

    References
    ----------
    Friedman et al. (2019), Sections 3 and 4.3.
    """

    algorithm: str = "skip-gram"
    window: int = 10
    min_count: int = 5
    dimensions: int = 200
    epochs: int | None = None
    negative: int = 5
    cap: int = 10_000_000
    buckets: int = BUCKETS
    x_max: float = 10.0
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("algorithm", self.algorithm, ALGORITHMS)

    @property
    def passes(self) -> int:
        """How many times the text, or GloVe's counts, are gone through."""
        return self.epochs or (25 if self.algorithm == "glove" else 5)


def train(
    texts: Iterable[Sequence[str]], training: Training = Training(), name: str = ""
) -> Embedding:
    """Vectors of the words of some texts, the most frequent word first.

    Parameters
    ----------
    texts : iterable of sequences of str
        Texts as words, iterated several times. Memory is the vocabulary and what the algorithm keeps for it
        (for GloVe also the counts of all pairs that occur).
    training : Training
        How.
    name : str
        What to call the embedding.

    Raises
    ------
    ValueError
        When no word occurs often enough.
    """
    if training.algorithm == "glove":
        words, vectors = _glove(texts, training)
    else:
        fasttext = training.algorithm == "fasttext"
        trained = train_vectors(
            texts,
            subwords=fasttext,
            min_count=training.min_count,
            epochs=training.passes,
            sg=int(training.algorithm != "cbow"),
            vector_size=training.dimensions,
            window=training.window,
            negative=training.negative,
            seed=training.seed,
            **({"bucket": training.buckets} if fasttext else {}),
        )
        words, vectors = trained.words, trained.vectors
    source = f"{name}@{_settings_hash(asdict(training))}"
    return Embedding(words, vectors, name=name, source=source, ranked=True)


def _glove(texts: Iterable[Sequence[str]], training: Training) -> tuple[list[str], np.ndarray]:
    from lib.embeddings.glove import train_glove
    from lib.measures.cooccurrence import cooccurrences

    frequency = Counter(word for text in texts for word in text)
    words = [word for word, count in frequency.items() if count >= training.min_count]
    if not words:
        raise ValueError(
            f"expected words that occur {training.min_count} times or more, got none; "
            "give more text, or lower the least count"
        )
    words.sort(key=lambda word: (-frequency[word], word))
    row = {word: number for number, word in enumerate(words)}
    numbers = ([row[word] for word in text if word in row] for text in texts)
    counts = cooccurrences(numbers, len(words), training.window, weighted=True)
    fit = train_glove(
        counts, training.dimensions, epochs=training.passes, x_max=training.x_max, rng=training.seed
    )
    return words, fit.vectors


@dataclass(frozen=True)
class Task:
    """A culture to train: its text, where its vectors go, and the hash of all they depend on."""

    text: CultureText
    training: Training
    folder: Path
    key: str

    @property
    def target(self) -> Path:
        """The store of its vectors."""
        return self.folder / f"{self.text.code}-{self.key}"

    @property
    def done(self) -> bool:
        """Whether the vectors are there, whole."""
        return (self.target / INDEX).is_file()


def plan_tasks(
    report: SplitReport, parts: Sequence[Path], folder: Path, training: Training, fewest: int = 1
) -> list[Task]:
    """A task for each culture of a report with at least `fewest` messages, the largest first.

    Parameters
    ----------
    report : SplitReport
        Of all the parts together.
    parts : sequence of Path
        Folders made by `lib.cultures.texts.split_file`.
    folder : Path
        Where the vectors go.
    training : Training
        How they are trained.
    fewest : int
        Cultures with fewer messages are left out.
    """
    version = importlib.metadata.version("torch" if training.algorithm == "glove" else "gensim")
    tasks = []
    for code, messages in sorted(report.messages.items(), key=lambda item: (-item[1], item[0])):
        if messages >= fewest:
            text = CultureText(code, tuple(parts), training.cap, training.seed)
            made_of = {"text": report.texts[code], "version": version} | asdict(training)
            tasks.append(Task(text, training, Path(folder), _settings_hash(made_of)))
    return tasks


def run_task(task: Task) -> str:
    """Train one culture and keep its vectors, unless they are there. Returns its code; a worker
    calls this.

    Several processes may do the same task, as when a lost worker's task is given to another: the first to
    finish stays.
    """
    if not task.done:
        embedding = train(task.text, task.training, task.text.code)
        with contextlib.suppress(FileExistsError):
            save_store(embedding, task.target)
    return task.text.code


def run_tasks(tasks: Sequence[Task], client=None) -> Iterator[tuple[str, str | None]]:
    """Do what is not done yet, here or on the workers of a Dask client.

    Parameters
    ----------
    tasks : sequence of Task
        Those that are done are passed over; what a killed process left half-written is removed.
    client : distributed.Client, optional
        From `lib.cluster.connect`; its workers need to see the folders of texts and vectors under the same
        names.

    Yields
    ------
    (str, str or None)
        Each culture with its error, None if well, as they come.
    """
    for task in tasks:
        remove_leftovers(task.target)
    waiting = [task for task in tasks if not task.done]
    if client is None:
        for task in waiting:
            try:
                yield run_task(task), None
            except ValueError as error:
                yield task.text.code, _message(error)
        return
    from distributed import as_completed

    # Keys are tuples, one group for Dask: it holds its tasks back until a worker is free, and
    # blames a
    # worker's death on what it was doing, not on all that would have come.
    futures = {
        client.submit(run_task, task, key=("culture", task.text.code, task.key), pure=False): task
        for task in waiting
    }
    for future in as_completed(futures):
        error = future.exception()
        future.release()  # else a finished culture is done again when the worker that did it dies
        yield futures[future].text.code, _message(error) if error else None


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def open_vectors(tasks: Iterable[Task]) -> dict[str, Embedding]:
    """The embeddings of the tasks that are done, by culture, memory-mapped."""
    return {task.text.code: open_store(task.target) for task in tasks if task.done}


def _settings_hash(settings: Mapping) -> str:
    return text_hash(json.dumps(settings, sort_keys=True))[:12]
