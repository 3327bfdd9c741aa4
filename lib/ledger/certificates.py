"""What a run was: when the numbers of a chapter were recorded, at which commit, from which bytes, on
what machine, with which versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.documents import read_run_record
from lib.files import file_hash
from lib.paths import ROOT
from lib.profiles import PROFILES

RECORDED = ROOT / "data" / "results"
_NEEDED = [
    "chapter",
    "profile",
    "seconds",
    "peak_megabytes",
    "python",
    "lib",
    "parameters",
    "packages",
]


@dataclass(frozen=True)
class Certificate:
    """The record of one run of a chapter.

    Attributes
    ----------
    chapter, profile : str
    commit : str
        "" where the run was not recorded; "+changes" follows where files differed from the commit.
    seconds : float
    megabytes : int
        Of memory, at most.
    machine : str
        Processor and system; what the chapter calls its device where nothing more is known.
    python : str
        Major and minor version.
    library : str
        SHA-256 of the sources of lib.
    parameters, packages, inputs : Mapping
        Values by name; versions by package; SHA-256 by file.
    results : str
        SHA-256 of the file of results.
    rows : int
        Results in it.
    """

    chapter: str
    profile: str
    commit: str
    seconds: float
    megabytes: int
    machine: str
    python: str
    library: str
    parameters: Mapping[str, Any]
    packages: Mapping[str, str]
    inputs: Mapping[str, str]
    results: str
    rows: int


def certificates(folder: Path = RECORDED) -> list[Certificate]:
    """The records of all runs that are kept in a folder, by profile.

    Parameters
    ----------
    folder : Path
        Holds a folder for each profile; data/results unless given.

    Returns
    -------
    list of Certificate
        In the order of profiles, then of chapters.

    Examples
    --------
    >>> "domains" in {certificate.chapter for certificate in certificates()}
    True
    """
    return [
        read_certificate(record)
        for profile in PROFILES
        for record in sorted((folder / profile).glob("*.run.json"))
    ]


def read_certificate(record: Path) -> Certificate:
    """The record of one run.

    Parameters
    ----------
    record : Path
        A file `<chapter>--<parameters>.run.json`, beside the file of results.

    Returns
    -------
    Certificate
        Without results of its own, the chapter has no hash of them and no rows.
    """
    content = read_run_record(record, _NEEDED)
    results = record.with_name(record.name.removesuffix(".run.json") + ".csv")
    known = results.is_file()
    inputs = {
        name: sha256
        for name, sha256 in content.get("data", {}).items()
        if not name.startswith("data/results/")
    }
    return Certificate(
        chapter=content["chapter"],
        profile=content["profile"],
        commit=content.get("commit") or "",
        seconds=float(content["seconds"]),
        megabytes=int(content["peak_megabytes"]),
        machine=content.get("machine") or content.get("device") or "",
        python=content["python"],
        library=content["lib"],
        parameters=content["parameters"],
        packages=content["packages"],
        inputs=inputs,
        results=file_hash(results) if known else "",
        rows=len(results.read_text(encoding="utf-8").splitlines()) - 1 if known else 0,
    )
