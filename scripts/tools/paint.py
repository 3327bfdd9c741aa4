"""Measure how soon pages of the built site are seen and are loaded, with the processor slowed down.

`python -m scripts.tools.paint [site] [--pages intro pages/api/measures]` serves a site from this machine, opens each
page a few times in a fresh Chromium profile (so nothing is cached), and prints medians: first paint of
content, the `load` event, and what was transferred. Pages are not compressed on the way.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from lib.command import command
from lib.paths import ROOT
from tests.support.browser import CHROMIUM, DESKTOP, FLAGS

PAGES = (
    "intro",
    "chapters/base_pair_stability",
    "chapters/log_probability_bias",
    "chapters/report_card",
    "pages/api/measures",
)
TIMES = """() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const resources = performance.getEntriesByType('resource');
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    paint: paint.startTime,
    load: navigation.loadEventEnd,
    bytes: [navigation, ...resources].reduce((sum, one) => sum + one.encodedBodySize, 0),
    requests: resources.length + 1,
  };
}"""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """A site on a free port of this machine; gives its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=site)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def opened(browser: Browser, url: str, slower: float) -> dict[str, float]:
    """One visit of a page, without a cache: milliseconds, bytes, requests."""
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(url, wait_until="load")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    times = page.evaluate(TIMES)
    context.close()
    return times


@command()
def main() -> None:
    """Print one line for each page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "_build" / "html")
    parser.add_argument("--pages", nargs="+", default=PAGES)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--slower", type=float, default=4)
    given = parser.parse_args()
    print(f"{'page':<32}{'first paint, s':>15}{'load, s':>9}{'MB':>7}{'requests':>10}")
    with sync_playwright() as playwright, served(given.site) as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in given.pages:
            visits = [
                opened(browser, f"{address}/{name}.html", given.slower)
                for _ in range(given.repeats)
            ]
            middle = {key: statistics.median(one[key] for one in visits) for key in visits[0]}
            print(
                f"{name:<32}{middle['paint'] / 1e3:>15.2f}{middle['load'] / 1e3:>9.2f}"
                f"{middle['bytes'] / 1e6:>7.2f}{middle['requests']:>10.0f}"
            )
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
