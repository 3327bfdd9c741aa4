"""What a run was: read from its record, with the hash of its results."""

import hashlib
import json

from lib.ledger.certificates import RECORDED, certificates, read_certificate

RECORD = {
    "chapter": "alpha",
    "profile": "sample",
    "commit": "ab12",
    "seconds": 3.5,
    "peak_megabytes": 120,
    "device": "cpu",
    "python": "3.11",
    "lib": "cd34",
    "parameters": {"seed": 0},
    "packages": {"numpy": "2.4.6"},
    "data": {"vectors.txt": "ef56", "data/results/sample/alpha.csv": "0"},
}


def written(folder, record, results="chapter,value\nalpha,1\nalpha,2\n"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "alpha--seed=0.run.json"
    path.write_text(json.dumps(record))
    if results:
        (folder / "alpha--seed=0.csv").write_text(results)
    return path


def test_a_record_is_read_with_the_hash_of_its_results(tmp_path):
    path = written(tmp_path / "sample", RECORD)
    certificate = read_certificate(path)
    results = (tmp_path / "sample" / "alpha--seed=0.csv").read_bytes()
    assert certificate.results == hashlib.sha256(results).hexdigest()
    assert (certificate.rows, certificate.commit, certificate.machine) == (2, "ab12", "cpu")
    assert certificate.inputs == {"vectors.txt": "ef56"}
    assert certificates(tmp_path) == [certificate]


def test_every_recorded_run_names_its_commit_and_what_it_read():
    kept = certificates()
    assert len(kept) == len(list(RECORDED.glob("*/*.run.json"))) > 5
    for certificate in kept:
        assert certificate.commit and certificate.packages and certificate.rows > 0
        assert len(certificate.library) == len(certificate.results) == 64
