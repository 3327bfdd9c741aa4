"""How much a reader loads: the built site, and what the extension `light_site` leaves of a page."""

import json
import re

import pytest
from fontTools.ttLib import TTFont

from tests.site.test_extensions import extension
from tests.support.sites import SITES

PAGE, SITE, OUR_SCRIPT = 1_000_000, 32_000_000, 60_000


@pytest.fixture(
    params=SITES
    or [pytest.param(None, marks=pytest.mark.skip(reason="no built site: run `make book` first"))],
    ids=lambda site: site.name if site else "none",
)
def site(request):
    return request.param


@pytest.mark.site
def test_no_page_is_more_than_a_megabyte_before_its_images(site):
    heavy = {page.name: page.stat().st_size for page in site.rglob("*.html")}
    assert {name: size for name, size in heavy.items() if size > PAGE} == {}


@pytest.mark.site
def test_what_a_page_loads_beside_its_text_is_less_than_a_megabyte_with_formulas_half_more(site):
    """Style sheets and scripts; of MathJax all parts but packages of TeX that no page names."""
    for page in site.rglob("*.html"):
        head = page.read_text(encoding="utf-8")
        named = re.findall(r'(?:<script[^>]*src|<link[^>]*stylesheet[^>]*href)="([^"?]+)', head)
        linked = re.findall(r'<link href="([^"?]+)[^>]*rel="stylesheet"', head)
        beside = {(page.parent / name).resolve() for name in (*named, *linked)}
        formulas = any(path.name == "startup.js" for path in beside)
        if formulas:
            beside |= {
                path
                for path in (site / "_static" / "mathjax").rglob("*.js")
                if "extensions" not in path.parts
            }
        data = {path for path in beside if path.parent.name in ("files", "explorables")}
        limit = 1.5 * PAGE if formulas else PAGE
        if page != site / "search.html":
            assert sum(path.stat().st_size for path in beside - data) < limit, page.name


@pytest.mark.site
def test_the_site_is_less_than_thirty_two_megabytes_without_maps_or_icon_bundles(site):
    every = [path for path in site.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in every) < SITE
    assert [path.name for path in every if path.suffix == ".map"] == []
    assert [path.name for path in every if path.name.startswith("fontawesome.js")] == []
    assert max(path.stat().st_size for path in (site / "_static" / "mathjax").rglob("*")) < 300_000


@pytest.mark.site
def test_notebooks_to_download_come_once_and_without_outputs(site):
    notebooks = list(site.rglob("*.ipynb"))
    assert len({path.name for path in notebooks}) == len(notebooks) > 0
    for path in notebooks:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells), path.name


def test_a_figure_keeps_one_decimal_of_its_paths_and_every_digit_of_a_scale():
    figure = (
        '<svg>\n <metadata>\n  <a/>\n </metadata>\n <!-- a word -->\n <path d="M 0 232.97976 \nL 1.005 -2.5"\n'
        '  transform="translate(27.34375 0) scale(0.015625)"/>\n</svg>'
    )
    smaller = extension("light_site").with_short_paths(figure)
    assert smaller == (
        '<svg><path d="M0 233L1 -2.5"\ntransform="translate(27.3 0) scale(0.015625)"/></svg>'
    )
    assert extension("light_site").with_short_paths(smaller) == smaller


def test_letters_of_a_figure_are_drawn_by_steps_and_used_by_short_names():
    figure = (
        '<svg xmlns:xlink="http://www.w3.org/1999/xlink">\n<g id="text_1" style="fill: #222222">\n<defs>\n'
        '<path id="DejaVuSans-4c" d="M 603 4863\nL 1178 4863\nL 1178 0\nz\nM 603 0\nQ 10 20 30 -5\nz\n"/>\n</defs>\n'
        '<use xlink:href="#DejaVuSans-4c" transform="translate(63.476562 0)"/>\n</g>\n</svg>'
    )
    smaller = extension("light_site").with_short_paths(figure)
    assert smaller == (
        '<svg><g style="fill:#222222"><defs>'
        '<path id="_0" d="m603 4863l575 0l0-4863zm0-4863q-593 20-573-5z"/></defs>'
        '<use href="#_0" x="63.5"/></g></svg>'
    )
    assert extension("light_site").with_short_paths(smaller) == smaller


def test_what_many_marks_look_like_is_said_once():
    marks = "".join(f'<use href="#a" x="{x}" style="fill: #8c8c8c"/>' for x in range(9))
    once = '<path d="M0 0" style="fill: red"/>'
    figure = f'<?xml version="1.0"?>\n<svg><defs><style type="text/css">*{{a: b}}</style><path id="a"/></defs>{marks}{once}</svg>'
    smaller = extension("light_site").with_short_paths(figure)
    assert smaller.startswith("<svg>") and smaller.count("#8c8c8c") == 1
    assert smaller.count('class="s0"') == 9 and "*{a: b}.s0{fill:#8c8c8c}</style>" in smaller
    assert '<path d="m0 0" style="fill:red"/>' in smaller
    assert extension("light_site").with_short_paths(smaller) == smaller


PAGE_AS_THE_THEME_MAKES_IT = """<html><head>
  <script data-cfasync="false">document.documentElement.dataset.mode = "";</script>
  <!-- So that users can add custom icons -->
  <script defer src="../_static/scripts/fontawesome.js?digest=1"></script>
  <script src="../_static/documentation_options.js"></script>
  <script src="../_static/doctools.js?v=1"></script>
  <script>let shown = 1;</script>
  <script src="../_static/searchtools.js"></script>
  <script src="../searchindex.js"></script>
</head><body><script src="rows.js"></script></body></html>"""


def test_scripts_wait_for_the_page_and_the_index_of_the_search_is_not_loaded():
    lighter = extension("light_site").with_less_to_load
    light = lighter(PAGE_AS_THE_THEME_MAKES_IT)
    assert "fontawesome" not in light and "searchindex" not in light and "searchtools" not in light
    assert '<script defer src="../_static/doctools.js?v=1">' in light
    assert '<script src="../_static/documentation_options.js">' in light
    assert "<script>let shown = 1;</script>" in light and '<script src="rows.js">' in light
    assert "prefers-color-scheme" in light
    assert lighter(light) == light


def test_code_keeps_the_marks_that_have_a_colour_of_their_own():
    code = '<pre><span></span><span class="n">x</span><span class="o">.</span><span class="n">y</span><span class="w"> </span><span class="o">+</span> <span class="p">[]</span></pre>'
    outside = '<span class="n">kept</span>'
    page = f"<html><head></head><body>{code}{outside}</body></html>"
    light = extension("light_site").with_less_to_load(page)
    assert f'<pre><span></span>x.y <span class="o">+</span> []</pre>{outside}' in light


def test_the_page_that_searches_keeps_the_index_at_once():
    light = extension("light_site").with_less_to_load(PAGE_AS_THE_THEME_MAKES_IT, searches=True)
    assert '<script src="../searchindex.js">' in light and "fontawesome" not in light


def test_the_style_sheet_keeps_the_rules_of_the_icons_that_are_used():
    style = (
        '@font-face{font-family:"Font Awesome 6 Free";src:url(../a/fa-solid-900.woff2) format("woff2"),'
        'url(../a/fa-solid-900.ttf) format("truetype")}.fa-list:before{content:"\\f03a"}'
        '.fa-cat:before{content:"\\f6be"}.a{color:red}'
    )
    kept = extension("light_site").with_icons(style, {"list"})
    assert "fa-list" in kept and "fa-cat" not in kept and ".a{color:red}" in kept
    assert 'url(../a/fa-solid-900.woff) format("woff")' in kept and "Font Awesome" not in kept


def test_the_icon_font_holds_the_icons_that_are_named_under_a_name_of_its_own(tmp_path):
    path = tmp_path / "icons.woff"
    path.write_bytes(extension("light_site").part_of_font("solid-900", {0xF03A, 0xF002}))
    font = TTFont(path)
    assert set(font.getBestCmap()) == {0xF03A, 0xF002} and path.stat().st_size < 3000
    assert font["name"].getDebugName(1) == "Book icons Free"
