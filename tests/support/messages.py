"""A small file of messages with places, for tests of cultures."""

import csv

from lib.cultures.texts import Splitting

SPLITTING = Splitting("body", "where")
ROWS = [
    ("The first of all messages", "Austin, TX"),
    ("and a second one here", "TX"),
    ("Third one, from elsewhere", "Ohio"),
    ("too short", "TX"),
    ("😂😂😂", "TX"),
    ("nobody knows where this is", "Narnia"),
    ("no place for this one", " "),
    ("peaches grow down there", "Georgia"),
    ("ceci n'est pas anglais", "Ohio"),
]


def write(path, rows=ROWS):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("body", "where"), *rows])
    return path


def many(count, place="TX"):
    return [(f"message number n{number} here", place) for number in range(count)]
