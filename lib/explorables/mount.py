"""The place of an explorable on a page: what is read without a script, and the script of its numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape

LARGEST = 1_000_000  # bytes of data that a page may bring along for an explorable


def show(name: str, content: Mapping[str, object], *, fallback: str, text: str) -> None:
    """Display an explorable: its fallback in the page, its numbers as a script beside the page.

    Parameters
    ----------
    name : str
        Which one; `_static/explorables/<name>.js` makes it work.
    content : mapping
        What its script reads, as JSON.
    fallback : str
        HTML that is right by itself, where no script runs.
    text : str
        The same in plain text.
    """
    from IPython.display import display

    html = f'<div class="explorable mathjax_ignore" id="{name}" data-explorable="{name}"><div class="explorable-fallback">{fallback}</div></div>'
    display(
        {"text/html": html, "text/plain": text},
        raw=True,
        metadata={"site_files": {f"{name}.js": data_script(name, content)}},
    )


def data_script(name: str, content: Mapping[str, object]) -> str:
    """The classic script that gives an explorable its numbers, from file:// too.

    Examples
    --------
    >>> data_script("your-index", {"printed": []})
    '(window.explorableData=window.explorableData||{})["your-index"]={"printed":[]};\\n'
    """
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"(window.explorableData=window.explorableData||{{}})[{json.dumps(name)}]={text};\n"


def example_table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str
) -> str:
    """A small table of examples and a sentence, as HTML.

    Examples
    --------
    >>> example_table("Two words", ["word", "side"], [["nurse", "female"]], "A note.").count("<td")
    1
    """
    said = f"<p>{escape(note)}</p>"
    if not rows:
        return said
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}"
