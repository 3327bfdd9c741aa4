"""The report card as a reader has it: from a disk, wide and narrow, light and dark."""

import gzip
import json
import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

SCREENS = [("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE), ("dark", PHONE)]
# Contrast of each text with the nearest ground behind it; what is not seen has none.
CONTRASTS = """() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0.9) return c;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const e of document.querySelectorAll('.search-table *, .verdict-bars *, details.forest *')) {
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const look = getComputedStyle(e);
    if (!text || !e.checkVisibility() || e.disabled || look.opacity < 0.6) continue;
    const [a, b] = [luminance(parse(look.color)), luminance(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${e.className || e.tagName}: ${e.textContent.slice(0, 30)}`);
  }
  return [...new Set(low)];
}"""

pytestmark = ON_A_SITE


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


def opened(browser, site, theme="light", screen=DESKTOP):
    page = browser.new_page(viewport=screen, color_scheme=theme)
    page.goto((site / "chapters" / "report_card.html").as_uri())
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    page.wait_for_selector("#printed-numbers-table [role=status]")
    return page


def parsed(site):
    text = (site / "chapters" / "report_card.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def test_the_page_says_first_how_many_come_out(site):
    article = parsed(site).select_one("article")
    pattern = r"^Of [\d,]+ results whose data can be had here, [\d,]+ come out\.$"
    answer = article.find("strong", string=re.compile(pattern))
    assert answer.find_next("h2") == article.find("h2")


def test_the_page_without_its_pictures_is_less_than_a_megabyte(site):
    assert (site / "chapters" / "report_card.html").stat().st_size < 1_000_000


def test_the_files_to_download_say_the_same_as_each_other(site):
    files = site / "_static" / "files"
    table = pd.read_csv(files / "printed-numbers.csv.zip", dtype=str, keep_default_na=False)
    split = json.loads(gzip.decompress((files / "claims.json.gz").read_bytes()))
    objects = [dict(zip(split["columns"], row)) for row in split["data"]]
    said = {entry["claim_id"]: entry["verdict"] for entry in objects}
    assert dict(zip(table["claim_id"], table["verdict"])) == said and len(said) > 3000
    assert table.columns[0] == "verdict"
    settled = [entry for entry in objects if entry["verdict"] in ("reproduced", "as released")]
    assert settled and all(entry["ours"] is not None for entry in settled)
    reproduced = [entry for entry in settled if entry["verdict"] == "reproduced"]
    assert any("@" in source for entry in reproduced for source in entry["inputs"])


def test_every_paper_has_a_bar_and_what_a_chapter_reruns_has_a_certificate(site):
    rows = parsed(site).select(".verdict-bars tbody tr")
    assert len(rows) > 20
    for row in rows:
        assert row.select_one("[role=img]")["aria-label"]
        links = [link["href"] for link in row.select("a")]
        assert len(links) in (0, 2) and all("certificates.html#" in link for link in links[1:])


@in_a_browser
@pytest.mark.parametrize(("theme", "screen"), SCREENS)
def test_nothing_is_cut_and_all_text_can_be_read(browser, site, theme, screen):
    page = opened(browser, site, theme, screen)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"] + 1
    assert page.evaluate(CONTRASTS) == []
    page.close()


@in_a_browser
def test_the_example_of_the_page_finds_something(browser, site):
    page = opened(browser, site)
    text = page.locator("article p", has_text="For example").first
    example = text.locator("code").first.inner_text()
    page.locator("#printed-numbers-table input[type=search]").fill(example)
    rows = page.locator("#printed-numbers-table tbody tr").all_inner_texts()
    assert rows and all("differs" in row for row in rows)
    page.close()


@in_a_browser
def test_an_address_may_name_a_printed_number(browser, site):
    page = browser.new_page(viewport=DESKTOP)
    claim = "zhang2020_base_pairs.sec7.6"
    page.goto((site / "chapters" / "report_card.html").as_uri() + f"#{claim}")
    table = page.locator("#printed-numbers-table")
    assert table.locator("input[type=search]").input_value() == claim
    assert table.locator("[role=status]").inner_text().startswith("Rows 1 to 1 of 1,")
    page.close()


@in_a_browser
@pytest.mark.parametrize("screen", [DESKTOP, PHONE])
def test_the_verdict_stands_first_and_is_seen(browser, site, screen):
    page = opened(browser, site, screen=screen)
    for table in ("printed-numbers", "does-not-come-out"):
        box = page.locator(f"#{table}-table tbody tr td").first.bounding_box()
        assert box["x"] >= 0 and box["x"] + 60 <= screen["width"]
    page.close()


@in_a_browser
def test_filters_leave_one_reach_and_the_id_is_in_the_csv_only(browser, site):
    page = opened(browser, site)
    table = page.locator("#printed-numbers-table")
    before = table.locator("[role=status]").inner_text()
    table.get_by_label("reach").select_option(label="never")
    assert table.locator("[role=status]").inner_text() != before
    assert "claim_id" not in table.locator("thead").inner_text()
    with page.expect_download() as download:
        table.get_by_role("button", name="CSV").click()
    saved = pd.read_csv(download.value.path(), dtype=str)
    assert set(saved["reach"]) == {"never"} and saved["claim_id"].is_unique
    page.close()
