"""Translations that were made before: one SQLite file for each translator and its settings.

A file is named by the hash of what the translator is, so that another model, beam or language has a
file of its own. Each write is one transaction: a killed run leaves whole translations or none. A
file that is damaged is set aside and begun anew.
"""

import logging
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from lib.files import text_hash
from lib.paths import cache_folder

QUERY_SIZE = 10_000  # sentences asked for in one query
LOCK_TIMEOUT = 60  # seconds for another process to finish its write

TABLE = (
    "CREATE TABLE IF NOT EXISTS translations "
    "(sentence TEXT PRIMARY KEY, translation TEXT) WITHOUT ROWID"
)

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

    def known(self, sentences: Sequence[str]) -> dict[str, str]:
        """The translations of those sentences that were translated before."""
        translations: dict[str, str] = {}
        if self.path.is_file():
            with self._open() as database:
                for start in range(0, len(sentences), QUERY_SIZE):
                    part = sentences[start : start + QUERY_SIZE]
                    query = "SELECT sentence, translation FROM translations WHERE sentence IN"
                    marks = ",".join("?" * len(part))
                    translations.update(database.execute(f"{query} ({marks})", part))
        return translations

    def keep(self, translations: Mapping[str, str]) -> None:
        """Add translations, all of them or none."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as database, database:
                database.executemany(
                    "INSERT OR REPLACE INTO translations VALUES (?, ?)", translations.items()
                )
        except (OSError, sqlite3.OperationalError) as error:
            log.warning("translations are not kept: %s cannot be written (%s)", self.path, error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            database = self._connect()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            aside = self.path.with_suffix(".damaged")
            self.path.replace(aside)
            log.warning("%s is damaged (%s): begun anew, kept as %s", self.path, error, aside.name)
            database = self._connect()
        with closing(database):
            yield database

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=LOCK_TIMEOUT)
        try:
            database.execute(TABLE)
        except sqlite3.Error:
            database.close()
            raise
        return database
