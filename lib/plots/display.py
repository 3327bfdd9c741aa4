"""What a page shows: figures with caption, description and data; tables; boxes."""

from __future__ import annotations

import base64
import copy
import io
import os
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from html import escape

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.text import Annotation, Text
from matplotlib.transforms import BboxBase
from pandas.io.formats.style import Styler

from lib.files import spreadsheet_csv
from lib.markdown import harmless, verbatim, without_tags
from lib.plots.layout import data_of, legend_above
from lib.plots.search_table import search_table
from lib.plots.style import in_theme, without_font

CAPTION_OUTPUT = "figure_caption"  # marks the output that repeats what the image says of itself
TEXT_SIZE = "data-smallest-text"
FOR_A_PHONE = (
    "BIASBOOK_PHONE"  # set by the runner where a figure is wanted as narrow as a phone, too
)
_PNG_DPI = 100  # the width of a page in pixels, about
_PHONE_WIDTH = 3.7  # inches
_PHONE_PIXELS, _SMALLEST_LETTER = (
    320,
    9.5,
)  # what a phone has for a figure, and what is still read there


def show(
    fig: Figure,
    caption: str,
    alt: str,
    data: pd.DataFrame | None = None,
    *,
    dpi: int | None = None,
    part: Mapping[str, str] | None = None,
) -> None:
    """Display a figure with its caption, its alternative text and the numbers behind it.

    The image is kept as SVG and as PNG, so that a notebook that nobody has declared trusted shows
    it, too. Caption and description follow as an output of their own, for JupyterLab, nbconvert and
    GitHub; the book takes both from the image and leaves that output out.

    Parameters
    ----------
    fig : Figure
        The figure; it is closed afterwards.
    caption : str
        One or two sentences under the figure.
    alt : str
        What is seen, for a reader who cannot see it: 40 characters or more, and not the caption.
    data : DataFrame, optional
        The table behind the figure, offered below it as a CSV file; by default what the figure
        was drawn from. Its index is written where it has a name or holds labels.
    dpi : int, optional
        Draw a PNG of this resolution in place of an SVG, for very many marks.
    part : mapping of str to str, optional
        More metadata of the image, such as its place in a report.

    Raises
    ------
    ValueError
        For a short alternative text, or one that repeats the caption.
    """
    if len(alt) < 40 or alt.strip() == caption.strip():
        raise ValueError(
            f"alt: expected 40 characters or more that are not the caption, got {len(alt)}: {alt!r}"
        )
    from IPython.display import display

    caption = harmless(caption)
    boxes = without_font("".join(text.get_text() for text in fig.findobj(Text)))
    if boxes:
        caption += f" (No font that is installed here has the letters {verbatim(boxes)}: boxes stand for them.)"
    engine, box = fig.get_layout_engine(), _laid_out(fig)
    images = {"image/png": render(fig, dpi=dpi or _PNG_DPI, box=box)}
    if not dpi:
        images["image/svg+xml"] = render(fig, box=box).decode()
        fig.set_layout_engine(engine)
    described = {"alt": alt, "caption": caption, **(part or {})}
    metadata = dict.fromkeys(images, described)
    if FOR_A_PHONE in os.environ and not dpi and part is None and (narrow := _for_a_phone(fig)):
        metadata["image/svg+xml"] = described | {"phone": narrow}
    plt.close(fig)
    display({**images, "text/plain": caption}, raw=True, metadata=metadata)
    described_again = f"<small>Description: {escape(alt)}</small>"
    display(
        {
            "text/markdown": f"*Figure.* {caption}\n\n{described_again}",
            "text/plain": f"{caption}\n{alt}",
        },
        raw=True,
        metadata={CAPTION_OUTPUT: True},
    )
    data = data_of(fig) if data is None else data
    if data is not None:
        display_html(csv_download(data, caption))


def _laid_out(fig: Figure) -> BboxBase:
    """Lay a figure out, once for all its images, and say which part of it is drawn on, in inches."""
    with in_theme():
        fig.draw_without_rendering()
        box = fig.get_tightbbox().padded(plt.rcParams["savefig.pad_inches"])
    with plt.rc_context({"figure.constrained_layout.use": False, "figure.autolayout": False}):
        fig.set_layout_engine(None)  # "none" would lay it out with each image again
    return box


def render(
    fig: Figure, *, dpi: int | None = None, kind: str = "svg", box: BboxBase | None = None
) -> bytes:
    """A figure as SVG or PDF, or as PNG of a resolution: the same bytes for the same figure.

    `box` is the part of it that is shown, in inches; by default it is laid out, and all is shown. The SVG says how large its smallest text is, in its own units: letters are paths there, and
    nobody could tell afterwards.
    """
    buffer = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    kind = "png" if dpi else kind
    with in_theme():
        fig.savefig(
            buffer,
            format=kind,
            bbox_inches=box or "tight",
            dpi=dpi or 100,
            metadata=dates.get(kind),
        )
    image = buffer.getvalue()
    if kind != "svg":
        return image
    return image.replace(b"<svg ", f'<svg {TEXT_SIZE}="{_smallest_text(fig):g}" '.encode(), 1)


def _for_a_phone(fig: Figure) -> str:
    """A figure as narrow as a phone, as SVG; "" where its panels cannot be had so, or do not fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        try:
            if not _narrowed(fig):
                return ""
            narrow = render(fig, box=_laid_out(fig)).decode()
        except UserWarning:
            return ""
    width = re.search(r'viewBox="\S+ \S+ (\S+)', narrow)
    readable = width and _smallest_text(fig) * _PHONE_PIXELS / float(width[1]) >= _SMALLEST_LETTER
    return narrow if readable else ""


def _narrowed(fig: Figure) -> bool:
    """Make a figure as wide as a phone, its panels below one another; whether it can be had so."""
    places = [ax.get_subplotspec() for ax in fig.axes]
    grids = {id(place.get_gridspec()) for place in places if place}
    width, height = fig.get_size_inches()
    if None in places or len(grids) != 1 or width <= _PHONE_WIDTH:
        return False
    grid = places[0].get_gridspec()
    if grid.ncols > 1:
        below = GridSpec(len(places), 1, figure=fig)
        for ax, place in zip(fig.axes, below):
            ax.set_subplotspec(place)
            ax.tick_params(labelleft=True)
        height *= len(places) / grid.nrows
    fig.set_size_inches(_PHONE_WIDTH, height)
    if fig.legends:
        for legend in list(fig.legends):
            legend.remove()
        legend_above(fig)  # in as many columns as there is room for now
    _make_room_for_names(fig)
    return True


def _make_room_for_names(fig: Figure) -> None:
    """Widen panels in which the name of a dot, left of it, would lie on the names of the rows."""
    crowded, rounds = any(isinstance(name, Annotation) for ax in fig.axes for name in ax.texts), 0
    while crowded and rounds < 8:
        crowded, rounds = False, rounds + 1
        fig.draw_without_rendering()
        for ax in fig.axes:
            names = [name for name in ax.texts if isinstance(name, Annotation)]
            low, high = ax.get_xlim()
            of_dots = [name for name in names if name.xycoords == "data" and low <= name.xy[0]]
            left = ax.get_window_extent().x0
            if any(name.get_window_extent().x0 < left for name in of_dots):
                ax.set_xlim(low - 0.08 * (high - low), high)
                crowded = True


def _smallest_text(fig: Figure) -> float:
    """In points, which are the units of the SVG."""
    texts = (text for text in fig.findobj(Text) if text.get_visible() and text.get_text().strip())
    return min((float(text.get_fontsize()) for text in texts), default=0.0)


def csv_download(data: pd.DataFrame, title: str, of: str = "figure") -> str:
    """A folded link that holds a table as a CSV file, named after the first words of a title."""
    labelled = not isinstance(data.index, pd.RangeIndex) or data.index.name is not None
    text = spreadsheet_csv(data.to_csv(index=labelled, float_format="%.6g", lineterminator="\n"))
    content = base64.b64encode(text.encode()).decode()
    name = "-".join(re.findall(r"[a-z0-9]+", title.lower())[:6]) or "figure"
    return (
        f'<details class="figure-data"><summary>Data of this {of}</summary>'
        f'<a download="{name}.csv" href="data:text/csv;charset=utf-8;base64,{content}">'
        f"{name}.csv</a> ({len(data):,} rows)</details>"
    )


def table(
    rows: pd.DataFrame,
    *,
    name: str,
    caption: str = "",
    per_page: int = 10,
    filters: Sequence[str] = (),
    wide: Sequence[str] = (),
) -> None:
    """Display a short table that can be searched, sorted, filtered and saved as CSV, offline.

    Parameters
    ----------
    rows : DataFrame
        The table, its text already in printed form. With a column verdict, that comes first, the
        two numbers follow, and claim_id is only searched and saved.
    name : str
        Identifies it on the page and names the CSV file.
    caption : str
        What the table is.
    per_page : int
        Rows shown at a time.
    filters : sequence of str
        Columns with few values, which get a list to choose from.
    wide : sequence of str
        Columns of running text.
    """
    options = {"filters": filters, "wide": wide, "per_page": per_page}
    if "verdict" in rows:
        rows = _verdict_first(rows)
        hidden = [column for column in ("claim_id",) if column in rows]
        options |= {"marked": "verdict", "hidden": hidden}
    display_html(search_table(rows, name=name, caption=caption, **options))


def _verdict_first(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns that decide where they are seen: the verdict, and both numbers."""
    order = ["verdict", "paper", "printed", "run", "ours", "difference"]
    first = [column for column in order if column in rows]
    rows = rows[[*first, *(column for column in rows if column not in first)]]
    if "difference" in rows and pd.api.types.is_float_dtype(rows["difference"]):
        sizes = rows["difference"]
        rows = rows.assign(difference=sizes.map("{:.1%}".format).where(sizes.notna(), ""))
    return rows


def not_measured(what: str, reason: str) -> None:
    """Display a plain box in the place of a result that could not be computed.

    Parameters
    ----------
    what : str
        What the section would have measured, such as ``"agreement of the base pairs"``.
    reason : str
        Why it could not, in words a reader can act on: ``"30 words, 50 are needed"``.
    """
    display_html(
        f'<div class="not-measured"><strong>{escape(what)}</strong> '
        f"could not be measured: {escape(reason)}</div>"
    )


def display_html(html: str) -> None:
    """Display a piece of a page as it is."""
    from IPython.display import HTML, display

    display(HTML(html))


def _repr_html_(styler: Styler) -> str:
    """A styled table as pandas shows it, but what its cells, headings and caption hold is text.

    pandas escapes nothing there, and its option is lost with each call of `Styler.format` and never holds for an
    index: words and names of models are both. A format such as ``'<span lang="es">{}</span>'`` keeps its tags.
    """
    shown = copy.copy(styler)
    for name in _FORMATS:
        formats = getattr(styler, name)
        as_text = defaultdict(partial(_default_of_text, formats.default_factory))
        as_text |= {place: partial(_of_text, form) for place, form in formats.items()}
        setattr(shown, name, as_text)
    if isinstance(styler.caption, str):
        shown.caption = without_tags(styler.caption)
    return shown.to_html()


def _default_of_text(default: Callable[[], Callable]) -> Callable:
    return partial(_of_text, default())


def _of_text(form: Callable, value: object) -> object:
    """What a format makes of a value, whose own characters stay text."""
    if isinstance(value, str):
        return form(escape(value))
    shown = form(value)
    return (
        shown
        if pd.api.types.is_number(value) or not isinstance(shown, str | Collection)
        else escape(str(shown))
    )


_FORMATS = [
    "_display_funcs",
    "_display_funcs_index",
    "_display_funcs_columns",
    "_display_funcs_index_names",
    "_display_funcs_column_names",
]
Styler._repr_html_ = _repr_html_
