"""How soon a small program on a page answers, in Chromium, against the tenth of a second that people feel as at once."""

import tempfile
from collections.abc import Callable
from pathlib import Path

AT_ONCE = 0.1
SECONDS = """(inputs) => {
  const times = inputs.map(([selector, value]) => {
    const field = document.querySelector(selector);
    field.value = value;
    const start = performance.now();
    field.dispatchEvent(new Event('input', {bubbles: true}));
    document.body.getBoundingClientRect();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[times.length >> 1] / 1000;
}"""
TYPED = {
    "your-word": [["#your-word-input", word] for word in ("d", "do", "doctor", "xqzzy", "surgoen")],
    "your-weat": [
        ["#your-weat-x", text] for text in ("nurse teacher", "nurse judg", "doctor judge")
    ],
}


def main(quick: bool, row: Callable[..., None]) -> None:
    """Each with the numbers of the book's own vectors, typed into twice: the first time loads them."""
    from playwright.sync_api import sync_playwright

    from lib.embeddings import load_embedding
    from lib.explorables import your_weat, your_word
    from lib.explorables.mount import data_script
    from lib.lexicons import base_pairs, load_lexicon, word_list
    from tests.lib.explorables.pages import written
    from tests.support.browser import CHROMIUM, FLAGS

    minilm, jobs = load_embedding("minilm"), word_list("occupations/occupations")
    lexicon = load_lexicon("chaloner2019")
    tests = {name: lexicon.test(name) for name in lexicon.tests}
    whole = {
        "your-word": your_word(minilm, base_pairs(), jobs),
        "your-weat": your_weat(minilm, tests, jobs),
    }
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, numbers in whole.items():
            mount = f'<div class="explorable" data-explorable="{name}"></div>'
            script = {f"{name}.js": data_script(name, numbers)}
            page = browser.new_page()
            page.goto(written(Path(folder) / name, mount, script).as_uri())
            page.locator(".explorable").scroll_into_view_if_needed()
            page.wait_for_selector(".explorable-body")
            page.evaluate(SECONDS, TYPED[name])
            seconds = page.evaluate(SECONDS, TYPED[name])
            row(
                f"{name} answers what was typed",
                seconds,
                AT_ONCE,
                "a tenth of a second",
                "target <= 1",
            )
        browser.close()
