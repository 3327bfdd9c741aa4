"""Each page of the site in a browser, loaded once: on a phone and on a desktop, in light and in dark."""

import functools
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import pytest

from audit.page import dressed
from lib.plots.display import TEXT_SIZE
from scripts.tools.examples import examples
from tests.site.test_site import contents
from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.sites import SITES

PAGES = [(site, name) for site in SITES for name in (*contents(), "genindex", "search")]
SMALLEST = 9  # pixels of a letter
OPEN_ALL = "document.querySelectorAll('details').forEach(part => { part.open = true })"
SIZES = """images => images.map(image => [image.currentSrc || image.src, image.getBoundingClientRect().width])"""
# One text of each colour, size and weight on each ground, as soon as the colours have come to rest.
TEXTS = """async () => {
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
  const texts = new Set();
  for (const element of document.querySelectorAll("body *")) {
    element.removeAttribute("data-text");
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    if (!element.checkVisibility() || element.closest("mjx-container")) continue;
    const look = getComputedStyle(element);
    const key = [look.color, look.fontSize, look.fontWeight, ground(element)].join();
    if (!texts.has(key)) element.setAttribute("data-text", "");
    texts.add(key);
  }
}"""
# The rules for what a page is made of (all but two that only ask for a look: whether what scrolls may be a stop of the keyboard,
# and whether what is folded was meant to be), for the contrast of TEXTS, or for both at once, which is quicker than one by one.
AXE = """async ([structure, contrast, without]) => {
  if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-text]" }] });
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];
  const off = ["focus-order-semantics", "hidden-content", ...(contrast ? [] : ["color-contrast"])];
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
  const asked = structure
    ? [{ include: ["html"], exclude: without }, { runOnly: { type: "tag", values: tags }, rules }]
    : [{ include: ["[data-text]"] }, { runOnly: ["color-contrast"] }];
  const found = await axe.run(asked[0], { resultTypes: ["violations"], preload: false, ...asked[1] });
  return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`));
}"""


# What scrolls is a stop of the keyboard, in whatever width.
NO_STOP = """() => [...document.querySelectorAll("article *")].filter((one) =>
  one.scrollWidth > one.clientWidth + 1 && one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX)
  && one.tabIndex < 0 && !one.querySelector("a[href], button, input, summary, [tabindex='0']")
).map((one) => one.outerHTML.slice(0, 160))"""
# Header, side bars and foot are made alike for all pages: these stand for each kind of page.
FRAMES = (
    "intro",
    "chapters/ripa",
    "chapters/report_card",
    "pages/api/measures",
    "genindex",
    "search",
)


def bring_axe(page):
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))


def violations_on(page, *, structure=True, contrast=True, without=()):
    """What axe finds on a page to which it was brought."""
    if contrast:
        page.evaluate(TEXTS)
    return page.evaluate(AXE, [structure, contrast, list(without)])


def drawn(path):
    """Width and smallest text of an SVG, in its own units."""
    text = path.read_text(encoding="utf-8")[:4000]
    size = re.search(rf'{TEXT_SIZE}="([\d.]+)"', text)
    assert size, f"{path}: not drawn by plots.render"
    return float(re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+)', text)[1]), float(size[1])


def small_letters(page, site):
    """Figures with letters that are too small as they are shown, and how small."""
    shown = page.eval_on_selector_all('.cell_output figure img[src$=".svg"]', SIZES)
    found = {}
    for address, width in shown:
        own_width, size = drawn(site / unquote(urlsplit(address).path).lstrip("/"))
        displayed = size * width / own_width
        if displayed < SMALLEST:
            found[address.rpartition("/")[2]] = round(displayed, 1)
    return found


@pytest.fixture(scope="module")
def addresses():
    """A server for each site: the address by the site."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    servers = {}
    for site in SITES:
        handler = functools.partial(Quiet, directory=site)
        servers[site] = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=servers[site].serve_forever, daemon=True).start()
    yield {site: f"http://127.0.0.1:{server.server_port}" for site, server in servers.items()}
    for server in servers.values():
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def page(browser):
    """One page for all, and what goes wrong on it."""
    opened = browser.new_page()
    wrong = opened.wrong = {}

    def at_home(url):
        return url.startswith(("http://127.0.0.1:", "data:", "blob:"))

    def note(kind, said):
        wrong.setdefault(kind, []).append(said)

    opened.on("request", lambda one: None if at_home(one.url) else note("request", one.url))
    opened.on("response", lambda one: note("missing", one.url) if one.status >= 400 else None)
    opened.on("pageerror", lambda error: note("error", f"{error}"))
    opened.on(
        "console",
        lambda line: note("console", line.text) if line.type in ("error", "warning") else None,
    )
    opened.route(lambda url: not at_home(url), lambda route: route.abort())
    yield opened
    opened.close()


@in_a_browser
@pytest.mark.site
@pytest.mark.slow
@pytest.mark.accessibility
@pytest.mark.parametrize(
    ("site", "name"), PAGES, ids=[f"{site.name}-{name}" for site, name in PAGES]
)
def test_a_page_is_sound(page, addresses, site, name):
    """It asks no other host, misses no file, meets no error, fits a phone; its figures can be read; axe finds nothing. What the
    article is made of does not depend on the width or the colours: it is looked through once."""
    wrong = page.wrong
    wrong.clear()
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    page.goto(f"{addresses[site]}/{name}.html", wait_until="networkidle")
    width = page.evaluate("document.documentElement.scrollWidth")
    wrong["wider than a phone"] = [width] if width > PHONE["width"] + 1 else []

    page.evaluate(OPEN_ALL)  # a figure in a folded part is measured, too
    bring_axe(page)
    wrong["letters on a phone"] = small_letters(page, site)
    wrong["phone"] = violations_on(page, structure=False) + page.evaluate(NO_STOP)
    if name in FRAMES:
        wrong["frame of a phone"] = violations_on(page, contrast=False, without=[".bd-article"])

    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    wrong["desktop, in the dark"] = violations_on(page)
    wrong["letters on a desktop"] = small_letters(page, site)
    if name in FRAMES:
        page.emulate_media(color_scheme="light")
        page.wait_for_function("document.documentElement.dataset.theme === 'light'")
        wrong["desktop"] = violations_on(page, structure=False)
    assert {where: found for where, found in wrong.items() if found} == {}


@in_a_browser
@pytest.mark.slow
@pytest.mark.accessibility
@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_a_report_that_is_shown_is_sound(browser, example, tmp_path):
    """As a reader opens it, from a disk."""
    kept = (example.folder / "report.html").read_text(encoding="utf-8")
    (tmp_path / "report.html").write_text(dressed(kept), encoding="utf-8")
    page = browser.new_page(viewport=PHONE, color_scheme="light")
    wrong = {"error": [], "request": []}
    page.on("pageerror", lambda error: wrong["error"].append(str(error)))
    page.on("request", lambda one: wrong["request"].append(one.url))
    page.goto((tmp_path / "report.html").as_uri())
    own = wrong["request"].pop(0)
    wrong["request"] = [url for url in wrong["request"] if not url.startswith("data:")]
    width = page.evaluate("document.documentElement.scrollWidth")
    assert own.startswith("file:") and width <= PHONE["width"]
    bring_axe(page)
    page.evaluate(OPEN_ALL)
    wrong["phone"] = violations_on(page)
    page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="dark")
    wrong["in the dark"] = violations_on(page, structure=False)
    page.close()
    assert {where: found for where, found in wrong.items() if found} == {}


@in_a_browser
def test_axe_finds_what_is_wrong_on_a_page(browser):
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>One</title><main><h1>One</h1><p style="color: #aaa">Faint.</p>'
        "<table><tr><th></th><th>a</th></tr><tr><td>1</td><td>2</td></tr></table></main>"
        '<article><pre style="width: 9em; overflow: auto">a line that is wider than that</pre></article></html>'
    )
    assert len(page.evaluate(NO_STOP)) == 1
    bring_axe(page)
    found = violations_on(page)
    assert violations_on(page, contrast=False) + violations_on(page, structure=False)
    rules = {line.partition(":")[0] for line in found}
    assert {"color-contrast", "empty-table-header", "scrollable-region-focusable"} <= rules
    page.close()
