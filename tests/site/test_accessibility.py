"""The mends of the pages that theme and docutils make."""

from bs4 import BeautifulSoup

from tests.site.test_extensions import extension


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


def test_a_picture_drawn_for_a_phone_stands_beside_the_wide_one():
    page = mended(
        '<figure><img alt="Dots." class="phone-ripa wide" src="../_images/a.svg"></figure>'
    )
    source, image = page.picture.find_all(["source", "img"])
    assert source["srcset"] == "../_static/phone/ripa.svg" and "600px" in source["media"]
    assert image["class"] == ["wide"] and image["src"] == "../_images/a.svg"
