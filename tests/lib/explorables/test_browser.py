"""The explorables in a browser, from a disk: as lib computes, at once, by keyboard, readable."""

import json

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from scipy import stats

from lib.agreement import direction_kappa
from lib.association import associations, random_target_effects, weat
from lib.embeddings import load_embedding
from lib.explorables import show_your_index, show_your_weat, show_your_word
from lib.explorables.codes import unpacked
from lib.inference.random_attributes import random_attributes
from lib.lexicons import WordSets, base_pairs, word_list
from lib.measures import ripa
from lib.translation.tgbi import set_score
from tests.lib.explorables.pages import JOBS, PAIRS, Displayed, small_embedding, written
from tests.support.awkward import awkward_file
from tests.support.browser import DESKTOP, PHONE, in_a_browser

pytestmark = in_a_browser
INPUTS = 200
CLOSE = {"rtol": 0, "atol": 1e-6}
NAMES = ("your-word", "your-weat", "your-index")
TEST = WordSets(*(tuple(JOBS[start : start + 6]) for start in (0, 6, 12, 18)))
PRINTED = pd.DataFrame(
    [["A", "formal", 0.25, 0.0, 0.433]], columns=["system", "set", "p_w", "p_n", "P_s"]
)


@pytest.fixture(scope="module")
def e():
    return small_embedding()


@pytest.fixture
def pages(monkeypatch, tmp_path, e):
    """The page of each explorable and its numbers."""
    shown = Displayed(monkeypatch)
    show_your_word(e, [*PAIRS, ("queen", "king")], JOBS)
    show_your_weat(e, {"some jobs": TEST}, JOBS)
    show_your_index(PRINTED)
    found = {}
    for name, (data, files) in zip(NAMES, shown.seen):
        content = json.loads(files[f"{name}.js"].partition("]=")[2].rstrip(";\n"))
        found[name] = written(tmp_path / name, data["text/html"], files), content
    return found


def opened(browser, path, address="", screen=DESKTOP, **options):
    page = browser.new_page(viewport=screen, **options)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(path.as_uri() + address)
    return page


def ready(browser, path, address="", **options):
    page = opened(browser, path, address, **options)
    page.locator(".explorable").scroll_into_view_if_needed()
    page.wait_for_selector(".explorable-body")
    return page


def test_a_pasted_list_gets_the_table_of_lib_and_what_is_not_there_is_named(browser, pages, e):
    path, _ = pages["your-word"]
    page = ready(browser, path)
    page.locator("summary", has_text="Your own list").click()
    hostile = "<img src=x onerror=alert(1)>"
    page.locator(".explorable-area").fill(
        "\n".join([*JOBS[:5], JOBS[0].upper(), f"nowhere, {hostile}"])
    )
    page.get_by_role("button", name="Measure these words").click()
    rows = page.locator(".explorable-table tbody tr").all()
    shown = [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows]
    found = e.pairs(PAIRS)
    scores = pd.DataFrame(ripa(e.rows(JOBS[:5]).vectors, found.female, found.male), JOBS[:5])
    half = stats.t.ppf(0.975, len(PAIRS) - 1) * scores.std(axis=1) / np.sqrt(len(PAIRS))
    assert [row[0] for row in shown if row[0] != JOBS[0]] == [
        word for word in scores.mean(axis=1).sort_values(ascending=False).index if word != JOBS[0]
    ]
    for word, mean, span, female, _ in shown:
        value = scores.loc[word].mean()
        ends = value - half[word], value + half[word]
        assert float(mean.replace("−", "-")) == pytest.approx(value, abs=0.011)
        assert [float(end.replace("−", "-")) for end in span.split(" to ")] == pytest.approx(
            ends, abs=0.011
        )
        assert female == f"{(scores.loc[word] > 0).sum()} of {len(PAIRS)}"
    said = page.locator(".explorable-own-list [role=status]").inner_text()
    assert f"5 of 7 words are here. Not here: nowhere, {hostile}." in said
    assert f"There more than once and read once: {JOBS[0]}." in said
    page.get_by_label(f"{PAIRS[0][0]}–{PAIRS[0][1]}", exact=True).uncheck()
    fewer = page.locator(".explorable-table tbody td:nth-of-type(3)").all_inner_texts()
    assert all(text.endswith(f"of {len(PAIRS) - 1}") for text in fewer), "the ticked pairs count"
    texts = {
        f"“{JOBS[0]}”;'{JOBS[1]}'|{JOBS[2]}\r\n\t{JOBS[3]},,": "4 of 4 words are here.",
        json.dumps(JOBS[:3]): "3 of 3 words are here.",
        JOBS[0]: "1 of 1 word is here.",
        ", ;": "Paste a word or more.",
        "\n".join(
            [*JOBS[:3], *(f"no{i}" for i in range(498))]
        ): "Only the first 500 of 501 are read.",
    }
    for text, expected in texts.items():
        page.locator(".explorable-area").fill(text)
        page.get_by_role("button", name="Measure these words").click()
        assert expected in page.locator(".explorable-own-list [role=status]").inner_text()
    csv = page.evaluate(
        "explorables.yourWord.csvOf([{word: '=1+1', mean: 1, low: NaN, high: NaN, female: 2, band: null}])"
    )
    assert csv.splitlines()[1] == "'=1+1,1.000,,,2,,"
    assert page.faults == [] and not Axe().run(page).response["violations"]


def test_words_and_ticks_are_scored_as_by_lib(browser, pages):
    path, content = pages["your-word"]
    words = content["words"].split("\n")
    codes = unpacked(content["scores"], np.int16, len(PAIRS)) * content["scale"]
    band = unpacked(content["band"], np.int16, 2) * content["scale"]
    jobs, rng = content["occupations"], np.random.default_rng(0)
    asked = [
        (int(rng.integers(len(words))), sorted(map(int, rng.choice(6, rng.integers(1, 7), False))))
        for _ in range(INPUTS)
    ]
    page = ready(browser, path)
    found = page.evaluate(
        """asked => {
          const data = explorables.yourWord.prepared(explorableData["your-word"]);
          return asked.map(([word, ticked]) => {
            const one = explorables.yourWord.result(data, word, ticked);
            return {...one, kappa: isNaN(one.kappa) ? null : one.kappa};
          });
        }""",
        [[words[row], ticked] for row, ticked in asked],
    )
    for (row, ticked), one in zip(asked, found):
        np.testing.assert_allclose(one["values"], codes[row], **CLOSE)
        np.testing.assert_allclose(one["band"], band[row], **CLOSE)
        np.testing.assert_allclose(one["mean"], codes[row, ticked].mean(), **CLOSE)
        if len(ticked) > 1:
            kappa = direction_kappa(codes[jobs][:, ticked])
            np.testing.assert_allclose(one["kappa"], kappa, **CLOSE)
        else:
            assert one["kappa"] is None
        others = [job for job in jobs if job != row]
        above = codes[others][:, ticked].mean(axis=1) > codes[row, ticked].mean() + 1e-12
        assert (one["rank"], one["of"]) == (above.sum() + 1, len(others) + 1)
        places = 1 + (codes[others][:, ticked] > codes[row, ticked]).sum(axis=0)
        assert one["places"] == places.tolist()
    assert page.faults == []
    page.close()


def test_tests_of_any_lists_come_out_as_by_lib(browser, pages):
    path, content = pages["your-weat"]
    words = content["words"].split("\n")
    codes = unpacked(content["vectors"], np.int8, content["dimensions"]).astype(float)
    rng, asked = np.random.default_rng(0), []
    for _ in range(INPUTS):
        sizes = rng.integers([1, 1, 1, 1], 9)
        drawn = rng.choice(len(words), sizes.sum(), replace=False)
        asked.append(np.split(drawn, np.cumsum(sizes)[:-1]))
    page = ready(browser, path)
    found = page.evaluate(
        """asked => {
          const data = explorables.yourWeat.prepared(explorableData["your-weat"]);
          return asked.map((sets) => explorables.yourWeat.result(data, sets));
        }""",
        [[[words[row] for row in part] for part in sets] for sets in asked],
    )
    for sets, one in zip(asked, found):
        X, Y, A, B = (codes[rows] for rows in sets)
        result = weat(X, Y, A, B, method="exact")
        assert one["exact"] and one["count"] == result.test.partitions
        ours = [one["d"], one["p"], one["strict"], *one["x"]]
        theirs = [result.effect_size, result.pvalue, result.pvalue_strict, *associations(X, A, B)]
        np.testing.assert_allclose(ours, theirs, **CLOSE)
    page.close()


def test_random_words_in_place_of_either_list_give_what_lib_gives(browser, pages):
    path, content = pages["your-weat"]
    words = content["words"].split("\n")
    codes = unpacked(content["vectors"], np.int8, content["dimensions"]).astype(float)
    X, Y, A, B = (codes[[words.index(word) for word in part]] for part in TEST)
    frequent = codes[content["frequent_from"] :]
    page = ready(browser, path)
    found = page.evaluate(
        """sets => {
          const data = explorables.yourWeat.prepared(explorableData["your-weat"]);
          let last;
          for (const one of explorables.yourWeat.chance(data, sets)) last = one;
          return last;
        }""",
        [list(part) for part in TEST],
    )
    for kind, effects in (
        ("targets", random_target_effects(frequent, A, B, (6, 6), rng=0)),
        ("attributes", random_attributes(frequent, X, Y, (6, 6), rng=0).effects),
    ):
        assert len(found[kind]) == 1000
        quantiles = [np.quantile(np.abs(v), [0.25, 0.5, 0.75]) for v in (found[kind], effects)]
        np.testing.assert_allclose(*quantiles, atol=0.08)
    page.close()


def test_shares_are_scored_as_by_lib(browser, pages):
    path, _ = pages["your-index"]
    asked = np.random.default_rng(0).multinomial(100, [0.3, 0.4, 0.3], INPUTS)
    page = ready(browser, path)
    found = page.evaluate(
        "asked => asked.map((shares) => explorables.yourIndex.score(...shares.map((one) => one / 100)))",
        asked.tolist(),
    )
    np.testing.assert_allclose(found, [set_score(*shares).score for shares in asked], **CLOSE)
    rest = page.evaluate(
        "asked => asked.map((shares, i) => explorables.yourIndex.rest(shares, i % 3, (7 * i) % 101))",
        asked.tolist(),
    )
    assert all(sum(shares) == 100 and min(shares) >= 0 for shares in rest)
    assert all(shares[i % 3] == (7 * i) % 101 for i, shares in enumerate(rest))
    page.close()


def test_nothing_is_loaded_before_the_reader_comes_near(browser, pages):
    for path, _ in pages.values():
        page = opened(browser, path)
        page.wait_for_selector(".explorable-open")
        assert page.evaluate("window.explorableData === undefined")
        assert page.locator(".explorable-fallback table").is_visible()
        page.close()


def test_where_the_numbers_are_missing_the_text_remains(browser, tmp_path):
    mount = '<div class="explorable" data-explorable="your-word"><div class="explorable-fallback">See the chapter.</div></div>'
    page = opened(browser, written(tmp_path, mount, {}, depth=0))
    page.locator(".explorable").scroll_into_view_if_needed()
    page.wait_for_selector("[data-loaded=missing]")
    assert page.locator(".explorable").inner_text() == "See the chapter."
    page.close()


def test_a_word_is_tried_by_keyboard_alone_and_is_in_the_address(browser, pages):
    path, _ = pages["your-word"]
    page = opened(browser, path)
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.id === 'your-word-input'")
    page.keyboard.type("jo")
    assert page.locator("[role=option]").all_inner_texts()[:2] == ["joba", "jobb"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = page.get_attribute("#your-word-input", "aria-activedescendant")
    assert page.locator(f"#{active}").inner_text() == "jobb"
    page.keyboard.press("Enter")
    assert page.locator(".explorable-says strong").inner_text() == "jobb"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.wait_for_url("**/*#your-word?word=jobb&pairs=011111")
    says = page.locator(".explorable-says").inner_text()
    assert "of 5 pairs" in says and page.get_attribute(".explorable-says", "role") == "status"
    address = page.url.partition("#")[2]
    page.close()
    again = opened(browser, path, "#" + address)
    again.wait_for_selector(".explorable-body")
    assert again.locator(".explorable-says").inner_text() == says
    assert not again.locator("#your-word-pair-0").is_checked()
    assert again.faults == []
    again.close()


def test_an_unknown_word_gets_words_spelt_like_it(browser, pages):
    path, _ = pages["your-word"]
    page = ready(browser, path)
    before = page.locator(".explorable-says").inner_text()
    page.fill("#your-word-input", "jobxx")
    page.keyboard.press("Enter")
    message = page.locator(".explorable-message")
    assert "“jobxx” is not among" in message.inner_text()
    assert page.locator(".explorable-says").inner_text() == before
    message.get_by_role("button").first.click()
    assert page.locator(".explorable-says strong").inner_text().startswith("job")
    assert message.inner_text() == ""
    page.close()


def test_missing_pairs_are_named_and_no_tick_is_no_answer(browser, pages):
    path, _ = pages["your-word"]
    page = ready(browser, path)
    assert "lacks queen–king" in page.locator(".explorable-about").inner_text()
    for box in page.locator(".explorable-pairs input").all():
        box.uncheck()
    assert page.locator(".explorable-says").inner_text() == "Tick a pair or more."
    page.get_by_role("button", name="Tick all pairs").click()
    assert "of 6 pairs" in page.locator(".explorable-says").inner_text()
    page.close()


def test_thirty_words_are_enough_to_try(browser, monkeypatch, tmp_path):
    e = load_embedding(str(awkward_file("thirty_words", tmp_path)))
    shown, jobs = Displayed(monkeypatch), word_list("occupations/occupations")
    show_your_word(e, base_pairs(), jobs)
    page = ready(browser, written(tmp_path / "word", shown.html, shown.files))
    assert "lacks" in page.locator(".explorable-about").inner_text()
    page.fill("#your-word-input", "tree")
    assert "“tree” would be number" in page.locator(".explorable-body").inner_text()
    show_your_weat(e, {}, jobs)
    other = ready(browser, written(tmp_path / "weat", shown.html, shown.files))
    assert other.locator(".explorable-says").inner_text() == "Put a word into X, Y, A, B."
    for part, text in zip("xyab", ("home house", "car day", "she her", "he his")):
        other.fill(f"#your-weat-{part}", text)
    assert "of 6 splits" in other.locator(".explorable-says").inner_text()
    other.wait_for_function("/Too few frequent words|draws/.test(document.body.innerText)")
    assert page.faults == other.faults == []
    page.close()
    other.close()


def test_lists_of_ones_own_are_tested_and_in_the_address(browser, pages):
    path, _ = pages["your-weat"]
    page = ready(browser, path)
    expected = page.locator(".explorable-says").inner_text()
    assert "of 924 splits" in expected
    page.fill("#your-weat-x", "JobA, jobb nowhere")
    assert "“nowhere” is not among" in page.locator(".explorable-message").inner_text()
    assert "of 28 splits" in page.locator(".explorable-says").inner_text()
    page.wait_for_function("/1,000 draws/.test(document.querySelector('.explorable').innerText)")
    assert "x=joba%2Cjobb&y=" in page.url
    address, says = page.url.partition("#")[2], page.locator(".explorable-says").inner_text()
    page.fill("#your-weat-y", "joba")
    assert "share no word: joba" in page.locator(".explorable-says").inner_text()
    page.fill("#your-weat-y", "")
    assert page.locator(".explorable-says").inner_text() == "Put a word into Y."
    page.close()
    again = ready(browser, path, "#" + address)
    assert again.locator(".explorable-says").inner_text() == says
    again.select_option("#your-weat-test", "0")
    assert again.locator(".explorable-says").inner_text() == expected
    again.close()


def test_the_index_moves_with_the_arrow_keys(browser, pages):
    path, _ = pages["your-index"]
    page = ready(browser, path)
    page.focus("#your-index-neither")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert page.get_attribute("#your-index-neither", "aria-valuetext") == "5 %"
    score = set_score(5, 90, 5).score
    assert page.locator(".explorable-says strong").inner_text() == f"Score {score:.2f}"
    assert f"score {score:.2f}" in page.get_attribute(".explorable-plot", "aria-label")
    page.get_by_role("button", name="says nothing").click()
    assert page.locator(".explorable-says strong").inner_text() == "Score 1.00"
    assert page.url.endswith("#your-index?she=0&he=0&neither=100")
    page.evaluate("location.hash = '#your-index?she=50&he=50&neither=0'")
    page.wait_for_function(
        "/Score 0.50/.test(document.querySelector('.explorable-says').innerText)"
    )
    page.close()


@pytest.mark.parametrize("theme, screen", [("light", PHONE), ("dark", DESKTOP)])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_and_axe_finds_no_fault(browser, pages, name, theme, screen):
    page = ready(browser, pages[name][0], screen=screen, reduced_motion="reduce")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    if theme == "dark":  # as the theme of the site has it
        page.add_style_tag(
            content=":root { --pst-color-background: #121212; --pst-color-text-base: #ced6dd; --pst-color-text-muted: #9ca4af; --pst-color-surface: #29313d; --pst-color-link: #5b9bd5; } body { background: #121212; color: #ced6dd; }"
        )
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    faults = Axe().run(page).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in faults] == []
    page.close()


def test_a_link_on_the_page_opens_what_is_folded_and_comes_to_the_widget(browser, pages):
    path, _ = pages["your-word"]
    page = opened(browser, path)
    page.evaluate(
        """() => {
          const [fold, root] = [document.createElement('details'), document.querySelector('.explorable')];
          root.replaceWith(fold);
          fold.append(root);
          location.hash = '#your-word?word=jobb';
        }"""
    )
    page.wait_for_selector(".explorable-body")
    assert page.locator(".explorable-says strong").inner_text() == "jobb"
    page.wait_for_function("scrollY > 1000")
    page.evaluate("location.hash = '#your-word?word=jobc'")
    page.wait_for_function("document.querySelector('.explorable-says strong').innerText === 'jobc'")
    page.close()
