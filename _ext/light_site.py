"""Sphinx extension: a site without what none of its pages uses.

Jupyter Book brings thebe, a bundle of 2,000 icons, MathJax in every form, source maps and, on every
page, the index of the search. Here thebe is left out; formulas are set by the parts of MathJax that
TeX needs; once the site is built, the icon font keeps the icons that are used, the rest is deleted,
figures lose digits that nobody sees, and scripts no longer hold up the first paint.

The icons are Font Awesome Free 6 (https://fontawesome.com/license/free; fonts: SIL OFL 1.1). A part of
a font under that licence has to have a name of its own, hence "Book icons".
"""

from __future__ import annotations

import io
import logging
import os
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx
from sphinx.config import Config

THEME = Path(pydata_sphinx_theme.__file__).parent.joinpath(
    *["theme", "pydata_sphinx_theme", "static"]
)
FONTS = {"solid-900": "Free", "brands-400": "Brands"}
MATHJAX = ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]
# what formulas may ask for, below _static/mathjax
MATHJAX_FILES = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions/*.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "output/chtml/fonts/woff-v2/*.woff",
    "a11y/assistive-mml.js",
)
UNUSED = (
    "**/*.map",
    "*-macros.html",
    "images/logo_*",
    "locales/**/*",
    "mathjax/input/tex/extensions/all-packages.js",
    "mathjax/input/tex/extensions/bussproofs.js",
    "mathjax/input/tex/extensions/mathtools.js",
    "mathjax/input/tex/extensions/mhchem.js",
    "mathjax/input/tex/extensions/physics.js",
    "scripts/fontawesome.js*",
    "sphinx-thebe.*",
    "vendor/fontawesome/webfonts/*.ttf",
    "vendor/fontawesome/webfonts/*.woff2",
)
# The theme names no mode where none was chosen, and complains of that; and it shows a page light until
# its script has run.
MODE = """<script>
    (function (root, chosen) {
      try { chosen = localStorage.getItem("mode"); } catch (error) { /* no storage from a disk */ }
      root.dataset.mode = ["light", "dark"].includes(chosen) ? chosen : "auto";
      const dark = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      root.dataset.theme = root.dataset.mode === "auto" ? dark : chosen;
    })(document.documentElement, null);
  </script>"""


def leave_thebe_out(app: Sphinx, config: Config) -> None:
    """Jupyter Book's defaults load it even where the book turns it off; its script came twice."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)
    styles = app.registry.css_files
    styles[:] = [entry for entry in styles if entry[0] != "sphinx-thebe.css"]


def set_formulas(app: Sphinx) -> None:
    """The parts of MathJax for TeX; without its menu no formula is a stop of the keyboard, and each
    is still in the page as MathML for those who listen to it.
    """
    app.config.mathjax_path = "mathjax/startup.js"
    app.config.mathjax3_config = {
        **(app.config.mathjax3_config or {}),
        "loader": {"load": MATHJAX},
    }


def lighten(app: Sphinx, error: Exception | None) -> None:
    """Once all is written: pages that load less, icons that are used, nothing else."""
    if error or app.builder.name != "html":
        return
    site = Path(app.outdir)
    pages = [page for page in site.rglob("*.html") if "_static" not in page.parts]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        light = with_less_to_load(text, searches=page == site / "search.html")
        if light != text:
            page.write_text(light, encoding="utf-8")
    places = ("_images", "_static/files", "_static/phone")
    figures = sorted(path for place in places for path in site.glob(f"{place}/*.svg"))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(shorten_paths, figures, chunksize=16))
    join_copies(site, pages)
    write_icons(site, pages)
    for path in set(unused_files(site / "_static")):
        path.unlink()
    for folder in sorted(site.joinpath("_static").rglob("*/"), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def shorten_paths(figure: Path) -> None:
    text = figure.read_text(encoding="utf-8")
    figure.write_text(with_short_paths(text), encoding="utf-8")


def join_copies(site: Path, pages: list[Path]) -> None:
    """The picture of a card that stands on a chapter's page, too, is one file."""
    drawn = {figure.read_bytes().strip(): figure.name for figure in site.glob("_images/*.svg")}
    copies = {
        f"_static/files/{copy.name}": f"_images/{drawn[content]}"
        for copy in site.glob("_static/files/*.picture.svg")
        if (content := copy.read_bytes().strip()) in drawn
    }
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if "picture.svg" in text:
            for copy, original in copies.items():
                text = text.replace(copy, original)
            page.write_text(text, encoding="utf-8")
    for copy in copies:
        (site / copy).unlink()


def with_less_to_load(text: str, *, searches: bool = False) -> str:
    """A page whose scripts wait for it, without those that it does not need.

    Parameters
    ----------
    text : str
        HTML; what was given back once is given back unchanged.
    searches : bool, optional
        Whether this is the page that searches: it alone needs the index.
    """
    head, mark, body = text.partition("</head>")
    head = re.sub(
        r"\s*(?:<!-- So that users can add custom icons -->\s*)?"
        r'<script defer src="[^"]*fontawesome\.js[^"]*"></script>',
        "",
        head,
    )
    head = re.sub(r'<script data-cfasync="false">.*?</script>', MODE, head, flags=re.DOTALL)
    if not searches:
        needless = r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>'
        head = re.sub(needless, "", head)
        # all but the one that scripts within the page rely on
        head = re.sub(
            r'<script(?![^>]*\b(?:defer|async)\b)([^>]*\bsrc="(?![^"]*documentation_options)[^>]*)>',
            r"<script defer\1>",
            head,
        )
    body = re.sub(
        r"<pre>.*?</pre>", lambda code: _PLAIN.sub(r"\1\2", code[0]), body, flags=re.DOTALL
    )
    body = _PIECE.sub(r"\1", body)
    body = _SIDE.sub(lambda side: _STYLED.sub("", side[0]), body)
    return head + mark + _PARAMETER.sub(r"\1\2", body)


# Names, punctuation and blanks of highlighted code have the colour that code has anyway, and nobody
# sees that of a dot or an equals sign.
_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>|<span class="o">([.=])</span>')
# A short literal in one piece breaks nowhere else, with or without a span for each of its words.
_PIECE = re.compile(r'<span class="pre">([^<]*)</span>')
# The list of all pages is on every page; nothing asks there for what links and code are called.
_SIDE = re.compile(r'id="pst-primary-sidebar".*?(?=<main)', re.DOTALL)
_STYLED = re.compile(r' class="(?:reference internal|docutils literal notranslate|toctree-l\d)"')
_PARAMETER = re.compile(r'(<em class="sig-param">)<span class="n">([^<]*)</span>')


_USED = re.compile(r'(?:href="#|url\(#)([^")]+)')


def with_short_paths(text: str) -> str:
    """A figure of matplotlib, lines and places to a tenth of a point, without indents, comments
    and metadata.

    Parameters
    ----------
    text : str
        SVG; what was given back once is given back unchanged.
    """

    def rounded(path: re.Match[str]) -> str:
        return re.sub(
            r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}".rstrip("0").rstrip("."), path[0]
        )

    needless = r"<metadata>.*?</metadata>|<!--.*?-->|<\?xml[^>]*\?>\s*|<!DOCTYPE[^>]*>\s*"
    text = re.sub(needless, "", text, flags=re.DOTALL)
    text = re.sub(r'\bd="[^"]*"|\btranslate\([^)]*\)|\b[xy]="[^"]*"', rounded, text)
    return with_classes(with_short_names(re.sub(r"\s*\n\s*", "\n", text)))


def with_classes(text: str) -> str:
    """A figure with a style sheet in which what many marks look like is said once."""
    if ' class="s0"' in text or "</style>" not in text:
        return text
    short: dict[str, str] = {}
    for style, times in Counter(re.findall(r' style="([^"]*)"', text)).most_common():
        name = f"s{len(short):x}"
        shorter = len("style") + len(style) - len("class") - len(name)
        if times * shorter > len(f".{name}{{{style}}}"):
            short[style] = name
    rules = "".join(f".{name}{{{style}}}" for style, name in short.items())
    text = re.sub(
        r' style="([^"]*)"',
        lambda style: f' class="{short[style[1]]}"' if style[1] in short else style[0],
        text,
    )
    return text.replace("</style>", f"{rules}</style>", 1)


def with_short_names(text: str) -> str:
    """A figure with one or two letters for each thing that is named and used, and no other names.

    Letters of text are most of a figure: each is used by name, and placed along its line by `x`.
    """
    used = dict.fromkeys(_USED.findall(text))
    short = {name: f"_{number:x}" for number, name in enumerate(used)}
    text = re.sub(
        r' id="([^"]+)"', lambda name: f' id="{short[name[1]]}"' if name[1] in short else "", text
    )
    text = _USED.sub(lambda name: name[0].replace(name[1], short[name[1]]), text)
    text = text.replace("xlink:href=", "href=")
    text = text.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    text = re.sub(r'(<use href="[^"]+") transform="translate\((-?[\d.]+) 0\)"', r'\1 x="\2"', text)
    text = re.sub(r'style="[^"]*"', lambda style: re.sub(r"\s*([:;])\s*", r"\1", style[0]), text)
    letter = r'\bd="([MLQCz\d\s-]*)" transform="scale\(0\.015625\)"'
    text = re.sub(letter, lambda path: f'd="{_coarser(path[1])}" transform="scale(0.125)"', text)
    text = re.sub(r'\bd="[^"]*"', lambda path: _relative(re.sub(r"\s+", " ", path[0])), text)
    return re.sub(r">\s+<", "><", text)


def _coarser(outline: str) -> str:
    """The outline of a letter on a grid of 256 in place of 2,048: a twentieth of a pixel on a page."""
    return re.sub(r"-?\d+", lambda number: str(round(int(number[0]) / 8)), outline)


def _relative(path: str) -> str:
    """The outline of a letter, in whole numbers, step by step; any other path without needless blanks."""
    if re.search(r"\.|[^MLQCz\d\s\"=d-]", path):
        return "d=" + re.sub(r"\s*([A-Za-z])\s*", r"\1", path.removeprefix("d="))
    steps, at, start = [], (0, 0), (0, 0)
    for command, numbers in re.findall(r"([MLQCz])([^MLQCz\"]*)", path):
        if command == "z":
            steps.append("z")
            at = start
            continue
        places = list(map(int, numbers.split()))
        pairs = list(zip(places[::2], places[1::2]))
        moves = [number - at[axis] for pair in pairs for axis, number in enumerate(pair)]
        steps.append(command.lower() + " ".join(map(str, moves)).replace(" -", "-"))
        at = pairs[-1]
        start = at if command == "M" else start
    return f'd="{"".join(steps)}"'


def write_icons(site: Path, pages: list[Path]) -> None:
    """The theme's style sheet and icon fonts, with the icons that pages and scripts name."""
    scripts = (site / "_static").rglob("*.js")
    named = (path for path in (*pages, *scripts) if path.name != "fontawesome.js")
    texts = (path.read_text(encoding="utf-8") for path in named)
    names = {name for text in texts for name in re.findall(r"\bfa-([a-z0-9-]+)", text)}
    style = (THEME / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    style = with_icons(style, names)
    characters = {int(code, 16) for code in re.findall(r"\\(f[0-9a-f]{3})\b", style)}
    fonts = {font: part_of_font(font, characters) for font in FONTS}
    for font in [
        font for font, part in fonts.items() if not TTFont(io.BytesIO(part)).getBestCmap()
    ]:
        del fonts[font]  # a browser refuses a font without icons
        style = re.sub(rf"@font-face\{{[^}}]*fa-{font}[^}}]*\}}", "", style)
    target = site / "_static" / "styles" / "pydata-sphinx-theme.css"
    target.write_text(style, encoding="utf-8")
    folder = site / "_static" / "vendor" / "fontawesome" / "webfonts"
    folder.mkdir(parents=True, exist_ok=True)
    for font, part in fonts.items():
        (folder / f"fa-{font}.woff").write_bytes(part)


def with_icons(style: str, names: set[str]) -> str:
    """A style sheet with the rules of some icons only, and with fonts that hold no more."""

    def kept(rule: re.Match[str]) -> str:
        one_of = set(re.findall(r"\.fa-([a-z0-9-]+):", rule.group()))
        return rule.group() if one_of & names else ""

    style = re.sub(r"(?:\.fa-[a-z0-9-]+:{1,2}before,?)+\{[^}]*\}", kept, style)
    style = re.sub(r"@font-face\{[^}]*fa-(?:regular-400|v4compatibility)[^}]*\}", "", style)
    style = re.sub(
        r'url\(([^)]*/fa-[a-z0-9-]+)\.woff2\) format\("woff2"\),url\([^)]*\.ttf\) format\("truetype"\)',
        r'url(\1.woff) format("woff")',
        style,
    )
    style = re.sub(r"\n?/\*# sourceMappingURL=[^*]*\*/", "", style)
    return re.sub(r"Font Awesome(\\?) 6 (Free|Brands)", r"Book icons\1 \2", style)


def part_of_font(font: str, characters: set[int]) -> bytes:
    """An icon font of the theme with some characters, under a name of its own."""
    source = THEME / "vendor" / "fontawesome" / "webfonts" / f"fa-{font}.ttf"
    options = subset.Options(flavor="woff", name_IDs=["*"], notdef_outline=True)
    with TTFont(source, recalcTimestamp=False) as whole:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=sorted(characters))
        subsetter.subset(whole)
        for record in whole["name"].names:
            if record.nameID in (1, 3, 4, 6, 16):
                whole["name"].setName(
                    f"Book icons {FONTS[font]}".replace(" ", "-" if record.nameID == 6 else " "),
                    record.nameID,
                    record.platformID,
                    record.platEncID,
                    record.langID,
                )
        buffer = io.BytesIO()
        subset.save_font(whole, buffer, options)
    return buffer.getvalue()


def unused_files(static: Path) -> Iterator[Path]:
    """Files that no page asks for."""
    needed = {path for pattern in MATHJAX_FILES for path in (static / "mathjax").glob(pattern)}
    every = (path for path in (static / "mathjax").rglob("*") if path.is_file())
    yield from (path for path in every if path not in needed)
    for pattern in UNUSED:
        yield from (path for path in static.glob(pattern) if path.is_file())


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    app.connect("config-inited", leave_thebe_out)
    app.connect("builder-inited", set_formulas, priority=900)
    app.connect("build-finished", lighten, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
