"""Text by culture: messages with a place become one embedding for each U.S. state or country, and biases beside gender gaps.

    python -m lib.cultures FILE --text-column body --place-column where --output DIR
    python -m lib.cultures split | train | bias | status …

The first sorts and cleans the messages, trains an embedding for each culture, writes a table of biases and a figure; the
second does the same step by step, each with --help.

Everything may be stopped at any moment and called again: what is done and unchanged is not done again.
"""

from lib.cultures.biases import MEASURES, CultureBiases, usual_lists, word_biases
from lib.cultures.tasks import Task, Training, open_vectors, run_tasks, tasks, train
from lib.cultures.texts import CultureText, SplitReport, Splitting, part_folder, split_file

__all__ = [
    "MEASURES",
    "CultureBiases",
    "CultureText",
    "SplitReport",
    "Splitting",
    "Task",
    "Training",
    "open_vectors",
    "part_folder",
    "run_tasks",
    "split_file",
    "tasks",
    "train",
    "usual_lists",
    "word_biases",
]
