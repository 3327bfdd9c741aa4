"""Printed pages bound into a book: bookmarks, page labels and numbers, links that lead to their place."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    Fit,
    FloatObject,
    IndirectObject,
    NameObject,
    NumberObject,
    PdfObject,
    TextStringObject,
)

from lib.profiles import chapter_of, story_of
from scripts.tools.printing import Printed

TITLE, AUTHOR = "Bias, Measured", "The Bias, Measured authors"
STORIES, EVIDENCE = "bias-measured.pdf", "bias-measured-evidence.pdf"
# What one looks up in the second volume, though it is the evidence of no story of its name
LOOKED_UP = ("report_card", "changes", "architecture", "cluster", "multiclass_in_models")
NUMBER_AT = (552.8, 28.5)  # where a page number ends: the right margin of A4, 10 mm from below
DIGIT_WIDTH = 4.45  # of Helvetica at 8 points


def volume_of(name: str) -> str:
    """The file of the volume that a page of the book is in: what one reads, or what it rests on.

    >>> volume_of("chapters/ripa"), volume_of("chapters/evidence/ripa"), volume_of("pages/changes")
    ('bias-measured.pdf', 'bias-measured-evidence.pdf', 'bias-measured-evidence.pdf')
    """
    name = chapter_of(name)
    referee = story_of(name) != name or name in LOOKED_UP
    return EVIDENCE if referee else STORIES


@dataclass(frozen=True)
class Link:
    """What a link on paper leads to: a place of the book (page, and "" or an anchor), else an address, else nothing."""

    page: str = ""
    anchor: str = ""
    address: str = ""


class Part:
    """A printed page with the places and links found in its PDF.

    Parameters
    ----------
    printed : Printed
    site : Path
        The folder of the pages: links into it lead to a page of the book, or to `address`.
    names : sequence of str
        The pages of the book, the landing page first.
    address : str
        Where the site can be read; "" where nobody knows.
    """

    def __init__(self, printed: Printed, site: Path, names: Sequence[str], address: str = ""):
        self.printed, self.reader = printed, PdfReader(io.BytesIO(printed.data))
        self.names, self.site, self.address = names, site.resolve(), address
        self.places: dict[str, tuple[int, float]] = {
            "": (0, float(self.reader.pages[0].mediabox.top))
        }
        for anchor, place in self.reader.named_destinations.items():
            sheet = self.reader.get_destination_page_number(place)
            if sheet is not None and anchor.strip("/"):
                self.places[unquote(anchor.lstrip("/"))] = (sheet, float(place.top or 0))

    def link(self, annotation: DictionaryObject) -> Link:
        """What a link of this part leads to."""
        if "/Dest" in annotation:
            return Link(self.printed.name, unquote(str(annotation["/Dest"]).lstrip("/")))
        uri = str(annotation.get("/A", {}).get("/URI", ""))
        target = urlsplit(uri)
        if target.scheme != "file":
            return Link(address=uri)
        path = Path(unquote(target.path))
        if not path.is_relative_to(self.site):
            return Link()
        inside = path.relative_to(self.site).as_posix()
        name = self.names[0] if inside == "index.html" else inside.removesuffix(".html")
        if name in self.names:
            return Link(name, unquote(target.fragment))
        tail = f"#{target.fragment}" if target.fragment else ""
        return Link(address=f"{self.address.rstrip('/')}/{inside}{tail}" if self.address else "")


def bind(parts: Sequence[Part], front: int, title: str = TITLE) -> PdfWriter:
    """The parts as one book; links to pages that it lacks lead into the volume that has them.

    Parameters
    ----------
    parts : sequence of Part
    front : int
        How many of them are numbered i, ii, …
    title : str

    Returns
    -------
    PdfWriter
    """
    writer = PdfWriter()
    found = {part.printed.name: part for part in parts}
    starts: dict[str, int] = {}
    tags = Tags(writer)
    for part in parts:
        starts[part.printed.name] = start = len(writer.pages)
        links = [sheet.pop("/Annots", ()) for sheet in part.reader.pages]
        writer.append(part.reader, import_outline=False)
        for sheet, held in enumerate(links, start):
            copies = [link.clone(writer) for link in held]
            lay_links(writer.pages[sheet], copies, part, found)
        tags.add(part.reader, start)
        add_places(writer, part, start)
        add_bookmarks(writer, part, start)
    tags.close()
    arabic = starts[parts[front].printed.name]
    if arabic:
        writer.set_page_label(0, arabic - 1, PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(arabic, len(writer.pages) - 1, PageLabelStyle.DECIMAL)
    finish(writer, title)
    return writer


def bind_alone(part: Part) -> PdfWriter:
    """One part as a file of its own; links to the rest lead into the volumes."""
    writer = PdfWriter(clone_from=io.BytesIO(part.printed.data))
    for name in ("/Outlines", "/Dests"):
        writer.root_object.pop(name, None)
    for sheet in writer.pages:
        lay_links(sheet, sheet.pop("/Annots", ()), part, {part.printed.name: part})
    add_places(writer, part, 0)
    add_bookmarks(writer, part, 0)
    writer.set_page_label(0, len(writer.pages) - 1, PageLabelStyle.DECIMAL)
    finish(writer, f"{part.printed.title} ({TITLE})")
    return writer


class Tags:
    """The structure of what is bound (headings, tables, figures with their descriptions), for screen readers.

    Each part brings a tree, and numbers by which its sheets and links find their place in it; in a book there is one tree,
    and the numbers go on from part to part.
    """

    def __init__(self, writer: PdfWriter):
        self.writer, self.root = writer, DictionaryObject()
        self.reference = writer._add_object(self.root)
        self.trees, self.numbers, self.next = ArrayObject(), ArrayObject(), 0

    def add(self, reader: PdfReader, start: int) -> None:
        """Take over the tree of a part whose first sheet is `start`."""
        tree = reader.root_object["/StructTreeRoot"].indirect_reference.clone(self.writer)
        copy = tree.get_object()
        top = copy["/K"]
        for element in top if isinstance(top, ArrayObject) else [top]:
            element = element.get_object()
            element[NameObject("/P")] = self.reference
            self.trees.append(element.indirect_reference)
        numbers = copy["/ParentTree"]["/Nums"]
        for place in range(0, len(numbers), 2):
            self.numbers.append(NumberObject(numbers[place] + self.next))
            self.numbers.append(list.__getitem__(numbers, place + 1))
        for sheet, source in zip(self.writer.pages[start:], reader.pages, strict=True):
            if "/StructParents" in source:
                number = NumberObject(source["/StructParents"] + self.next)
                sheet[NameObject("/StructParents")] = number
            for reference in sheet.get("/Annots", ()):
                link = reference.get_object()
                if "/StructParent" in link:
                    number = NumberObject(link["/StructParent"] + self.next)
                    link[NameObject("/StructParent")] = number
        self.next += copy["/ParentTreeNextKey"]

    def close(self) -> None:
        """Make the trees of all parts the structure of the book."""
        places = DictionaryObject({NameObject("/Nums"): self.numbers})
        self.root[NameObject("/Type")] = NameObject("/StructTreeRoot")
        self.root[NameObject("/K")] = self.trees
        self.root[NameObject("/ParentTree")] = self.writer._add_object(places)
        self.root[NameObject("/ParentTreeNextKey")] = NumberObject(self.next)
        self.writer.root_object[NameObject("/StructTreeRoot")] = self.reference
        marked = DictionaryObject({NameObject("/Marked"): BooleanObject(True)})
        self.writer.root_object[NameObject("/MarkInfo")] = marked


def action_of(link: Link, found: Mapping[str, Part]) -> DictionaryObject | None:
    """What a viewer does for a link, given the parts of this file by name; None where it leads nowhere."""
    if link.page in found:
        anchor = link.anchor if link.anchor in found[link.page].places else ""
        return action("/GoTo", "/D", f"{link.page}#{anchor}")
    if link.page:
        made = action("/GoToR", "/D", f"{link.page}#{link.anchor}")
        made[NameObject("/F")] = TextStringObject(volume_of(link.page))
        return made
    return action("/URI", "/URI", link.address) if link.address else None


def action(kind: str, key: str, value: str) -> DictionaryObject:
    return DictionaryObject(
        {NameObject("/S"): NameObject(kind), NameObject(key): TextStringObject(value)}
    )


def lay_links(
    sheet: PageObject,
    links: Iterable[IndirectObject],
    part: Part,
    found: Mapping[str, Part],
) -> None:
    """Give a sheet its links, each with what a viewer does for it; those that lead nowhere are left out."""
    kept = ArrayObject()
    for reference in links:
        link = reference.get_object()
        led = action_of(part.link(link), found)
        if led:
            link.pop("/Dest", None)
            link[NameObject("/A")] = led
            kept.append(reference)
    if kept:
        sheet[NameObject("/Annots")] = kept


def add_places(writer: PdfWriter, part: Part, start: int) -> None:
    """Name the places of a part, for links."""
    for anchor, (sheet, top) in part.places.items():
        page = writer.pages[start + sheet].indirect_reference
        there = ArrayObject(
            [page, NameObject("/XYZ"), FloatObject(0), FloatObject(top), NumberObject(0)]
        )
        name = TextStringObject(f"{part.printed.name}#{anchor}")
        writer.add_named_destination_array(name, there)


def add_bookmarks(writer: PdfWriter, part: Part, start: int) -> None:
    """The title of a part and, below it, its sections."""
    above: dict[int, object] = {}
    for text, level, anchor in part.printed.headings:
        sheet, top = part.places.get(anchor, part.places[""])
        parent = next((above[up] for up in range(level - 1, 0, -1) if up in above), None)
        fit = Fit.xyz(left=0, top=top, zoom=0)
        above = {up: item for up, item in above.items() if up < level}
        above[level] = writer.add_outline_item(text, start + sheet, parent, fit=fit, is_open=False)


def finish(writer: PdfWriter, title: str) -> None:
    """Page numbers, as the labels say them, and what the file is."""
    font = writer._add_object(
        DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
    )
    for sheet, label in zip(writer.pages, writer.page_labels, strict=True):
        number_sheet(writer, sheet, label, font)
    now = datetime.now(UTC)
    writer.add_metadata(
        {
            "/Title": title,
            "/Author": AUTHOR,
            "/CreationDate": now.strftime("D:%Y%m%d%H%M%SZ"),
            "/Producer": "Chromium, pypdf",
        }
    )
    writer.page_mode = "/UseOutlines"
    writer.root_object[NameObject("/Lang")] = TextStringObject("en")
    viewer = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    writer.root_object[NameObject("/ViewerPreferences")] = viewer
    writer.compress_identical_objects()


def number_sheet(writer: PdfWriter, sheet: PageObject, label: str, font: IndirectObject) -> None:
    """Write a page number at the foot of a sheet."""
    right, up = NUMBER_AT
    left = right - DIGIT_WIDTH * len(label)
    drawn = f"/Artifact BMC BT /PageNumber 8 Tf 0.33 g {left:.1f} {up} Td ({label}) Tj ET EMC"
    parts = [stream("q"), *contents(sheet), stream(f"Q\n{drawn}")]
    sheet[NameObject("/Contents")] = ArrayObject(
        one if isinstance(one, IndirectObject) else writer._add_object(one) for one in parts
    )
    resources = sheet["/Resources"].get_object()
    fonts = resources.setdefault(NameObject("/Font"), DictionaryObject()).get_object()
    fonts[NameObject("/PageNumber")] = font


def contents(sheet: PageObject) -> list[PdfObject]:
    held = sheet.raw_get("/Contents")
    inside = held.get_object()
    return list(inside) if isinstance(inside, ArrayObject) else [held]


def stream(commands: str) -> DecodedStreamObject:
    made = DecodedStreamObject()
    made.set_data(f"{commands}\n".encode())
    return made
