"""Translations that were made before: one SQLite file for each translator and its settings.

A file is named by the hash of what the translator is, so that another model, beam or language has a
file of its own. Each write is one transaction: a killed run leaves whole translations or none. Each
row carries a checksum: one that was altered counts as not there. A file that cannot be read is set
aside and begun anew.
"""

import hashlib
import logging
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from lib.files import text_hash
from lib.paths import cache_folder

QUERY_SIZE = 10_000  # sentences asked for in one query
LOCK_TIMEOUT = 60  # seconds for another process to finish its write

# All are bytes, so that no damage can stop SQLite from handing them out. Earlier editions kept rows
# without a checksum in a table of another name, which is not read.
TABLE = (
    "CREATE TABLE IF NOT EXISTS kept "
    "(sentence BLOB PRIMARY KEY, translation BLOB, checksum BLOB) WITHOUT ROWID"
)
# What says nothing of the file itself: it is locked, may not be read or written, or the disk is full.
NO_DAMAGE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_AUTH,
}

log = logging.getLogger("lib")


class TranslationCache:
    """What one translator made of sentences before.

    A folder that cannot be written only costs the time of translating again.

    Parameters
    ----------
    identity : str
        What decides the translator's outputs: model with hash, languages, beams.
    folder : Path, optional
        Default `translations` in the book's cache.
    """

    def __init__(self, identity: str, folder: Path | None = None):
        slug = re.sub(r"[^\w.-]+", "-", identity.partition("@")[0])[:60]
        self.path = Path(folder or cache_folder() / "translations")
        self.path /= f"{slug}-{text_hash(identity)[:16]}.sqlite"
        self._said: set[str] = set()

    def known(self, sentences: Sequence[str]) -> dict[str, str]:
        """The translations of those sentences that were translated before."""
        if not self.path.is_file():
            return {}
        asked = {sentence.encode(): sentence for sentence in sentences}

        def read(database: sqlite3.Connection) -> list[tuple[Any, ...]]:
            rows, keys = [], [*asked]
            for start in range(0, len(keys), QUERY_SIZE):
                part = keys[start : start + QUERY_SIZE]
                marks = ",".join("?" * len(part))
                rows += database.execute(
                    f"SELECT sentence, translation, checksum FROM kept WHERE sentence IN ({marks})",
                    part,
                ).fetchall()
            return rows

        rows = self._tried(read, "read") or []
        whole = {
            asked[sentence]: translation.decode()
            for sentence, translation, checksum in rows
            if isinstance(translation, bytes)
            and sentence in asked
            and checksum == _checksum(sentence, translation)
        }
        if len(whole) < len(rows):
            log.warning(
                "%s: %d of %d rows are damaged and count as not there",
                self.path,
                len(rows) - len(whole),
                len(rows),
            )
        return whole

    def keep(self, translations: Mapping[str, str]) -> bool:
        """Add translations, all of them or none; whether they are kept."""
        coded = [(text.encode(), made.encode()) for text, made in translations.items()]
        rows = [(text, made, _checksum(text, made)) for text, made in coded]

        def write(database: sqlite3.Connection) -> bool:
            with database:
                database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
            return True

        return bool(self._tried(write, "written"))

    def forget(self, sentences: Iterable[str]) -> None:
        """Take translations away that turned out to be none."""
        keys = [(sentence.encode(),) for sentence in sentences]

        def remove(database: sqlite3.Connection) -> None:
            with database:
                database.executemany("DELETE FROM kept WHERE sentence = ?", keys)

        if keys and self.path.is_file():
            self._tried(remove, "written")

    def _tried(self, work: Callable[[sqlite3.Connection], Any], what: str) -> Any:
        """What is done with the file, in a new one where it is damaged; None where it cannot be."""
        for attempt in range(2):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self.path, timeout=LOCK_TIMEOUT)) as database:
                    database.text_factory = bytes
                    database.execute(TABLE)
                    return work(database)
            except sqlite3.Error as error:
                reason: Exception = error
                if attempt or not _is_damage(error) or not self._set_aside(error):
                    break
            except OSError as error:
                reason = error
                break
        message = f"translations are not kept: {self.path} cannot be {what} ({reason})"
        if message not in self._said:  # once, not for each of thousands of answers
            log.warning("%s", message)
        self._said.add(message)
        return None

    def _set_aside(self, error: Exception) -> bool:
        aside = self.path.with_suffix(".damaged")
        try:
            self.path.replace(aside)
            for part in ("-journal", "-wal", "-shm"):  # of the damaged file; no other may replay it
                self.path.with_name(self.path.name + part).unlink(missing_ok=True)
        except OSError:
            return False
        log.warning("%s is damaged (%s): begun anew, kept as %s", self.path, error, aside.name)
        return True


def _checksum(sentence: bytes, translation: bytes) -> bytes:
    size = len(sentence).to_bytes(8, "big")  # so that no letter can go from one to the other
    return hashlib.sha256(size + sentence + translation).digest()


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code & 0xFF == sqlite3.SQLITE_IOERR:
        return code == sqlite3.SQLITE_IOERR_SHORT_READ
    return code & 0xFF not in NO_DAMAGE
