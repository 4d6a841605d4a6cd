"""What things on a page are - headings, tables, pictures - for screen readers, which read by that and not by place.

While a page is drawn, a tree of parts grows: each part knows the stretches of the page's drawing that show it (marked
content), and everything that is drawn outside a part is an ornament (artifact). `tag_pdf` writes the tree into the
finished file. The order of the parts in the tree is the order of reading, whatever the order of drawing was.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any

from companion.printing.core.geometry import PT_PER_MM, Box

if TYPE_CHECKING:
    import pikepdf


class Tag(StrEnum):
    """What a part of a page is, by its name in PDF (ISO 32000-1, 14.8.4)."""

    DOCUMENT = "Document"
    SECTION = "Sect"
    HEADING_1 = "H1"
    HEADING_2 = "H2"
    PARAGRAPH = "P"
    LIST = "L"
    LIST_ITEM = "LI"
    LABEL = "Lbl"
    LIST_BODY = "LBody"
    TABLE = "Table"
    ROW = "TR"
    HEADER_CELL = "TH"
    CELL = "TD"
    FIGURE = "Figure"
    CAPTION = "Caption"


GROUPS = frozenset({Tag.DOCUMENT, Tag.SECTION, Tag.LIST, Tag.LIST_ITEM, Tag.TABLE, Tag.ROW})
"""Elements that hold parts and nothing that is drawn: a text drawn in one of these becomes a paragraph of its own."""

_CELLS = (Tag.CELL, Tag.HEADER_CELL)

_IMPLIED = {Tag.TABLE: Tag.CAPTION, Tag.ROW: Tag.CELL, Tag.LIST: Tag.CAPTION, Tag.LIST_ITEM: Tag.LIST_BODY}
"""What a text is that is drawn in a group without being tagged itself; a paragraph elsewhere."""


@dataclass(frozen=True, slots=True)
class MarkedContent:
    """A stretch of a page's drawing, by the page and its number on that page, both from 0."""

    page: int
    number: int


@dataclass(slots=True, eq=False)
class StructElement:
    """A part of a document: what it is, what it holds in the order of reading, and what to say for what is only seen.

    `across` says of a header cell that it is over a column (else it stands before a row). `box` is the room in mm that
    a figure takes on its page, all its shapes together; None until something is drawn in it.
    """

    tag: Tag
    alternative: str = ""
    across: bool = False
    held: list[StructElement | MarkedContent] = field(default_factory=list)
    box: Box | None = None

    def add(self, tag: Tag, *, alternative: str = "", across: bool = False) -> StructElement:
        """A new part at the end of what it holds."""
        part = StructElement(tag, alternative, across)
        self.held.append(part)
        return part

    def implied(self) -> StructElement:
        """The part that a text belongs to that is drawn in this one."""
        return self if self.tag not in GROUPS else self.add(_IMPLIED.get(self.tag, Tag.PARAGRAPH))


def tag_pdf(pdf: bytes, tree: StructElement, language: str) -> bytes:
    """The PDF with its tree of parts and all that says so; the same bytes each time."""
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.Root.Lang = pikepdf.String(language)
        file.Root.MarkInfo = pikepdf.Dictionary(Marked=True)
        _write_tree(file, tree)
        written = io.BytesIO()
        file.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return written.getvalue()


def _write_tree(file: pikepdf.Pdf, tree: StructElement) -> None:
    """The tree itself, the way back from stretches to parts, and the pages' numbers in it."""
    import pikepdf

    pages = [page.obj for page in file.pages]
    owners: list[dict[int, pikepdf.Object]] = [{} for _ in pages]

    def written(part: StructElement, parent: pikepdf.Object) -> pikepdf.Object:
        element = pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name(f"/{part.tag}"), P=parent)
        if part.alternative:
            element.Alt = pikepdf.String(part.alternative)
        if part.tag is Tag.HEADER_CELL:
            scope = pikepdf.Name.Column if part.across else pikepdf.Name.Row
            element.A = pikepdf.Dictionary(O=pikepdf.Name.Table, Scope=scope)
        element = file.make_indirect(element)
        # A table needs all its cells, empty ones too.
        held = [
            inner
            for inner in part.held
            if isinstance(inner, MarkedContent) or inner.held or inner.alternative or inner.tag in _CELLS
        ]
        first = next((inner.page for inner in held if isinstance(inner, MarkedContent)), None)
        if first is not None:
            element.Pg = pages[first]
            if part.box is not None:
                top = float(pages[first].MediaBox[3])
                ends = (part.box.x, top / PT_PER_MM - part.box.bottom, part.box.right, top / PT_PER_MM - part.box.y)
                corners = [round(value * PT_PER_MM, 2) for value in ends]
                element.A = pikepdf.Dictionary(O=pikepdf.Name.Layout, Placement=pikepdf.Name.Block, BBox=corners)
        element.K = pikepdf.Array([written_inside(inner, element, first) for inner in held])
        return element

    def written_inside(part: StructElement | MarkedContent, element: pikepdf.Object, first: int | None) -> Any:
        if isinstance(part, StructElement):
            return written(part, element)
        owners[part.page][part.number] = element
        if part.page == first:
            return part.number
        return pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=pages[part.page], MCID=part.number)

    root = file.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
    root.K = written(tree, root)
    numbers: list[Any] = []
    for number, (page, parts) in enumerate(zip(pages, owners, strict=True)):
        page.StructParents = number
        page.Tabs = pikepdf.Name.S
        numbers.extend([number, file.make_indirect(pikepdf.Array([parts[place] for place in range(len(parts))]))])
    root.ParentTree = file.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(numbers)))
    root.ParentTreeNextKey = len(pages)
    file.Root.StructTreeRoot = root


_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def xml_escaped(text: str) -> str:
    r"""A text to stand between tags or in quotes, without what XML cannot hold.

    >>> xml_escaped("An\uffffna\x01 & Bo")
    'Anna &amp; Bo'
    """
    return escape(_NO_XML.sub("", text), quote=True)
