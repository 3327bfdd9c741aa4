"""The book's own Sphinx extensions: files beside a page, and certificates of runs."""

import dataclasses
import gzip
import importlib.util
import json
import re
import sys
from types import SimpleNamespace

import pandas as pd
import pytest

from audit.page import undressed
from lib.ledger.certificates import certificates
from lib.paths import ROOT
from scripts.tools.examples import examples


def extension(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def built(folder, error=None, builder="html"):
    """Write a book of one chapter that offers three files, and let the extension see it built."""
    offered = {"rows.js": "ä=1;\n", "rows.json.gz": '["ä"]', "rows.csv.zip": "a\nä\n"}
    output = {"output_type": "display_data", "metadata": {"site_files": offered}}
    notebook = {"cells": [{"cell_type": "code", "outputs": [output]}, {"cell_type": "markdown"}]}
    source = folder / "one.ipynb"
    source.write_text(json.dumps(notebook))
    app = SimpleNamespace(
        outdir=str(folder / "html"),
        builder=SimpleNamespace(name=builder),
        executed=SimpleNamespace(merged={"one": source}),
    )
    extension("site_files").write_site_files(app, error)
    return folder / "html" / "_static" / "files" / "rows.js"


def test_a_file_that_a_chapter_offers_is_written(tmp_path):
    path = built(tmp_path)
    assert path.read_text(encoding="utf-8") == "ä=1;\n"
    assert json.loads(gzip.decompress(path.with_name("rows.json.gz").read_bytes())) == ["ä"]
    assert pd.read_csv(path.with_name("rows.csv.zip"))["a"].tolist() == ["ä"]


@pytest.mark.parametrize("otherwise", [{"error": ValueError()}, {"builder": "latex"}])
def test_nothing_is_written_where_no_site_was_built(tmp_path, otherwise):
    assert not built(tmp_path, **otherwise).exists()


def test_a_report_is_linked_with_what_it_took_and_its_chapter():
    example = next(one for one in examples() if one.name == "vectors")
    html = extension("reports").link(example, "../")
    assert 'href="../_static/reports/vectors/report.html"' in html
    assert 'href="../chapters/evidence/base_pair_stability.html"' in html
    assert f"made in {round(example.record['cpu_seconds'])} seconds" in html
    assert "the same in both" in html
    alone = dataclasses.replace(example, same=[])
    assert "in another way" in extension("reports").link(alone, "../")


def test_what_audits_say_of_fair_inputs_leads_to_the_section_that_shows_it():
    reports = extension("reports")
    line = reports.said_of("vectors", "")
    assert f"chapters/evidence/calibration.html#{reports.TRIED}" in line and " of 200" in line
    text = (ROOT / "chapters" / "evidence" / "calibration.ipynb").read_text(encoding="utf-8")
    headings = re.findall(r'"### (.*?)\\n"', text)
    assert reports.TRIED in [heading.lower().replace(" ", "-") for heading in headings]


def test_reports_of_the_site_have_today_s_style(tmp_path):
    page = tmp_path / "_static" / "reports" / "vectors" / "report.html"
    kept = next(one for one in examples() if one.name == "vectors").folder / "report.html"
    site = SimpleNamespace(outdir=str(tmp_path), builder=SimpleNamespace(name="html"))
    for _ in range(2):  # also where it is there already
        extension("reports").bring(site, None)
        shown, kept_text = page.read_text(), kept.read_text()
        assert undressed(shown) == kept_text
        assert "--lean-female" in shown and "--lean-female" not in kept_text
    assert page.with_name("scores.csv").read_bytes() == kept.with_name("scores.csv").read_bytes()


def test_a_certificate_shows_commit_hashes_inputs_and_versions():
    record = next(one for one in certificates() if one.inputs)
    html = extension("certificates").block(record)
    for text in (record.commit, record.results, record.library, record.packages["numpy"]):
        assert text in html
    assert all(sha256 in html for sha256 in record.inputs.values())
    assert f"Profile {record.profile}, recorded" in html
