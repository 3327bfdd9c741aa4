"""The sites that were built here, for the tests that look at them."""

import pytest

from lib.paths import ROOT

SITES = [
    site
    for site in (ROOT / "_build" / "html", ROOT / "_build" / "html-sample")
    if (site / "index.html").exists()
]
ON_A_SITE = [
    pytest.mark.site,
    pytest.mark.skipif(not SITES, reason="no built site under _build/html: run `make book` first"),
]
