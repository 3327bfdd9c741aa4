"""A browser for the tests of pages: without one they are skipped, in CI they fail."""

import os
import shutil

import pytest

CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
MISSING = "no Chromium on this machine (Debian: apt-get install chromium)"
PATIENCE = 240_000  # milliseconds, for what never comes: on a busy machine a page takes its time
in_a_browser = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING
)


@pytest.fixture(scope="module")
def browser():
    """Chromium, started once for each module."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.fail(MISSING)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = chromium.new_page

        def patient(**options):
            page = opened(**options)
            page.set_default_timeout(PATIENCE)
            return page

        chromium.new_page = patient
        yield chromium
        chromium.close()
