"""Translations that were made before: one SQLite file for each translator and its settings, sentence -> translation.

A file is named by the hash of what the translator is, so that another model, beam or language has a file of its own. Each
write is one transaction: a killed run leaves whole translations or none. A file that is damaged is set aside and begun anew.
"""

from __future__ import annotations

import hashlib
import logging
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from lib.paths import cache_folder

TABLE = "CREATE TABLE IF NOT EXISTS translations (sentence TEXT PRIMARY KEY, translation TEXT) WITHOUT ROWID"
AT_ONCE = 10_000  # sentences asked for in one query
WAIT = 60  # seconds for another process to finish its write

log = logging.getLogger("lib")


class TranslationCache:
    """What one translator made of sentences before.

    identity : what decides its outputs: model with hash, languages, beams. folder : default `translations` in the cache.
    A folder that cannot be written only costs the time of translating again.
    """

    def __init__(self, identity: str, folder: Path | None = None):
        slug = re.sub(r"[^\w.-]+", "-", identity.partition("@")[0])[:60]
        name = f"{slug}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.sqlite"
        self.identity, self.path = identity, Path(folder or cache_folder() / "translations") / name

    def known(self, sentences: Sequence[str]) -> dict[str, str]:
        """The translations of those sentences that were translated before."""
        found: dict[str, str] = {}
        if not self.path.is_file():
            return found
        with self._open() as file:
            for start in range(0, len(sentences), AT_ONCE):
                part = sentences[start : start + AT_ONCE]
                marks = ",".join("?" * len(part))
                asked = (
                    f"SELECT sentence, translation FROM translations WHERE sentence IN ({marks})"
                )
                found.update(file.execute(asked, part))
        return found

    def keep(self, translations: Mapping[str, str]) -> None:
        """Add translations, all of them or none."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._open() as file, file:
                file.executemany(
                    "INSERT OR REPLACE INTO translations VALUES (?, ?)", translations.items()
                )
        except (OSError, sqlite3.OperationalError) as error:
            log.warning("translations are not kept: %s cannot be written (%s)", self.path, error)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        file = self._connected()
        try:
            file.execute("PRAGMA schema_version")
        except sqlite3.OperationalError:
            file.close()
            raise
        except sqlite3.DatabaseError as error:
            file.close()
            aside = self.path.with_suffix(".damaged")
            self.path.replace(aside)
            log.warning(
                "%s is damaged (%s): moved to %s, begun anew", self.path.name, error, aside.name
            )
            file = self._connected()
        with closing(file):
            file.execute(TABLE)
            yield file

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=WAIT)
