"""What axe-core finds on each page, and the mends of the pages that theme and docutils make."""

from importlib.resources import files

import pytest
from bs4 import BeautifulSoup

from tests.site.test_extensions import extension
from tests.site.test_site import contents
from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.sites import SITES

# All rules but two that only ask for a look: whether what scrolls may be a stop of the keyboard, and
# whether what is folded was meant to be.
STRUCTURE = """async () => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];
  const off = ["color-contrast", "focus-order-semantics", "hidden-content"];
  const found = await axe.run({
    resultTypes: ["violations"], preload: false,
    runOnly: { type: "tag", values: tags },
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
  });
  return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`));
}"""
# One text of each colour, size and weight on each ground, as soon as the colours have come to rest.
CONTRAST = """async () => {
  const moves = document.getAnimations().map((move) => move.finished.catch(() => {}));
  await Promise.race([Promise.all(moves), new Promise((resolve) => setTimeout(resolve, 500))]);
  const grounds = new Map([[null, ""]]);
  const ground = (element) => {
    if (!grounds.has(element)) {
      const look = getComputedStyle(element);
      const own = look.backgroundColor + look.backgroundImage + look.opacity + look.filter;
      const plain = own === "rgba(0, 0, 0, 0)none1none";
      grounds.set(element, ground(element.parentElement) + (plain ? "" : "|" + own));
    }
    return grounds.get(element);
  };
  const texts = new Map();
  for (const element of document.querySelectorAll("body *")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    if (!element.checkVisibility() || element.closest("mjx-container")) continue;
    const look = getComputedStyle(element);
    const key = [look.color, look.fontSize, look.fontWeight, ground(element)].join();
    if (!texts.has(key)) texts.set(key, element);
  }
  const found = await axe.run({ include: [...texts.values()] }, {
    resultTypes: ["violations"], runOnly: ["color-contrast"],
  });
  return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`));
}"""


def violations_on(page, checks=(STRUCTURE, CONTRAST)):
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    return [found for check in checks for found in page.evaluate(check)]


OF_SITE = pytest.mark.skipif(not SITES, reason="no built site: run `make book` first")


@OF_SITE
@in_a_browser
@pytest.mark.site
@pytest.mark.slow
@pytest.mark.accessibility
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["wide", "narrow"])
def test_axe_finds_nothing_on_any_page(browser, screen):
    """What a page is made of does not depend on its colours: it is looked through once, its contrasts in light and in dark."""
    context = browser.new_context(viewport=screen, color_scheme="light")
    page = context.new_page()
    found = {}
    for name in (*contents(), "genindex", "search"):
        page.emulate_media(color_scheme="light")
        page.goto((SITES[0] / f"{name}.html").as_uri(), wait_until="load")
        in_light = violations_on(page)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
        in_dark = page.evaluate(CONTRAST)
        if in_light or in_dark:
            found[name] = {"light": in_light[:20], "dark": in_dark[:20]}
    context.close()
    assert found == {}


@in_a_browser
def test_axe_finds_what_is_wrong_on_a_page(browser):
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>One</title><main><h1>One</h1><p style="color: #aaa">Faint.</p>'
        "<table><tr><th></th><th>a</th></tr><tr><td>1</td><td>2</td></tr></table></main></html>"
    )
    rules = {line.partition(":")[0] for line in violations_on(page)}
    assert rules == {"color-contrast", "empty-table-header"}
    page.close()


def mended(html):
    text = extension("accessible").mended(f"<html><body>{html}</body></html>\n")
    assert text.endswith(extension("accessible").MENDED)
    return BeautifulSoup(text, "html.parser")


def test_a_header_without_a_word_is_a_cell_and_each_other_says_what_it_heads():
    page = mended(
        "<article><section><h2>The run#</h2><table><thead><tr><th>&nbsp;</th><th>a</th>"
        "<th colspan=2>b</th></tr></thead><tbody><tr><td>row</td><td>1</td></tr></tbody></table>"
        "</section></article>"
    )
    assert [(tag.name, tag.get("scope")) for tag in page.select("thead tr > *")] == [
        ("td", None),
        ("th", "col"),
        ("th", "colgroup"),
    ]
    assert [(tag.name, tag.get("scope")) for tag in page.select("tbody tr > *")] == [
        ("th", "row"),
        ("td", None),
    ]
    assert page.table["aria-label"] == "The run"


def test_a_table_with_a_caption_keeps_that_name_and_a_scope_that_is_given_stays():
    page = mended(
        "<article><section><h2>The run</h2><table><caption>Kappa</caption>"
        '<tr><th scope="rowgroup">a</th></tr></table></section></article>'
    )
    assert not page.table.has_attr("aria-label") and page.th["scope"] == "rowgroup"


def test_folds_and_buttons_are_called_what_is_written_on_them():
    page = mended(
        '<summary aria-label="Toggle hidden content">Code</summary>'
        '<button class="btn search-button-field" aria-label="Search">Search Ctrl K</button>'
        '<ul><li><a>The library</a><details><summary><span class="toctree-toggle" '
        'role="presentation"><i class="fa-solid fa-chevron-down"></i></span></summary></details></li></ul>'
    )
    fold, of_contents = page.find_all("summary")
    assert not fold.has_attr("aria-label") and not page.button.has_attr("aria-label")
    assert of_contents["aria-label"] == "Pages of The library"
    assert page.i["aria-hidden"] == "true"


def test_a_bibliography_is_a_list_of_items():
    page = mended(
        '<div role="list"><div class="citation" role="doc-biblioentry"><p>A paper.</p></div></div>'
    )
    assert page.select_one(".citation")["role"] == "listitem"


def test_a_page_is_mended_once(tmp_path):
    class App:
        outdir = tmp_path

        class builder:
            name = "html"

    page = tmp_path / "one.html"
    page.write_text("<table><tr><th>a</th></tr></table>\n")
    extension("accessible").mend_pages(App, None)
    first = page.read_text()
    assert 'scope="row"' in first
    extension("accessible").mend_pages(App, None)
    assert page.read_text() == first
