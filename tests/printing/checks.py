"""What every print has to keep to, looked up in the finished PDF by other libraries than the one that made it.

`check_all` is for a print of any kind; each check names the text or shape that breaks it, with its page and place.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from companion.printing.core.geometry import Box
from companion.printing.core.surface import PT_PER_MM
from tests.printing.boxes import holds, overlaps

LEAST_PT = 6.0
MARGIN_MM = 5.0
_ROUNDING = 0.05
_HALF_LINE = 0.2
"""How far the thickness of a line may reach beyond where it runs, in mm."""
ABOVE, BELOW = 0.66, 0.02
"""How far letters reach above and below their line, in type sizes: capitals count, tails and accents do not."""
_DRAWS = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "Tj", "TJ", "'", '"', "Do", "sh", "EI"])
_HYPHEN_AT_THE_END = "\x02"
"""What PDFium makes of a hyphen that ends a line."""
_HELD = {
    "Table": {"TR", "Caption"},
    "TR": {"TH", "TD"},
    "L": {"LI", "Caption"},
    "LI": {"Lbl", "LBody"},
    "Figure": {"Caption"},
}


@dataclass(frozen=True, slots=True)
class Line:
    """A letter, or letters that follow one another: their box in mm, their size in points, the stretch they belong to.

    `colour` is red, green and blue from 0 to 1.
    """

    page: int
    text: str
    box: Box
    size: float
    stretch: int
    colour: tuple[float, ...]


@dataclass(slots=True)
class Node:
    """A part of the tree that readers go through: its kind, what it says, and what it holds.

    `box` is a figure's room on its page: left, foot, right and top in points.
    """

    tag: str
    alternative: str = ""
    text: str = ""
    scope: str = ""
    box: tuple[float, ...] = ()
    held: list[Node] = field(default_factory=list)

    def all(self) -> Iterator[Node]:
        """It and everything in it, in the order of reading."""
        yield self
        for one in self.held:
            yield from one.all()


@dataclass(frozen=True, slots=True)
class Print:
    """A print as it was read back: its bytes, its pages, lines of text and boxes of shapes by page, in mm."""

    pdf: bytes
    papers: tuple[Box, ...]
    lines: tuple[Line, ...]
    shapes: tuple[tuple[int, Box], ...]


@lru_cache(maxsize=32)
def read_print(pdf: bytes) -> Print:
    """Take a PDF apart, letter by letter; once for all who ask about it."""
    papers: list[Box] = []
    lines: list[Line] = []
    shapes: list[tuple[int, Box]] = []
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(document):
            width, height = page.get_size()
            papers.append(Box(0, 0, width / PT_PER_MM, height / PT_PER_MM))
            text = page.get_textpage()
            letters = (_letter(text, at, number, height) for at in range(pdfium.FPDFText_CountChars(text)))
            lines += _lines([letter for letter in letters if letter is not None])
            text.close()
            for shape in page.get_objects(max_depth=1):
                if shape.type != pdfium.FPDF_PAGEOBJ_TEXT:
                    left, foot, right, top = (value / PT_PER_MM for value in shape.get_bounds())
                    shapes.append((number, Box(left, height / PT_PER_MM - top, right - left, top - foot)))
    return Print(pdf, tuple(papers), tuple(lines), tuple(shapes))


def page_texts(pdf: bytes | Path | str) -> list[str]:
    """What is written on each page, as it stands there line by line."""
    texts = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            texts.append(text.get_text_range().replace("\r\n", "\n").replace(_HYPHEN_AT_THE_END, "-"))
            text.close()
    return texts


def _letter(text: pypdfium2.PdfTextPage, at: int, page: int, height: float) -> Line | None:
    if pdfium.FPDFText_IsGenerated(text, at) == 1:
        return None
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, at, x, y)
    loose = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text, at, loose)
    parts = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFText_GetFillColor(text, at, *parts)
    size = float(pdfium.FPDFText_GetFontSize(text, at))
    base, em = (height - y.value) / PT_PER_MM, size / PT_PER_MM
    box = Box(loose.left / PT_PER_MM, base - ABOVE * em, (loose.right - loose.left) / PT_PER_MM, (ABOVE + BELOW) * em)
    stretch = pdfium.FPDFPageObj_GetMarkedContentID(pdfium.FPDFText_GetTextObject(text, at))
    sign = chr(pdfium.FPDFText_GetUnicode(text, at)).replace(_HYPHEN_AT_THE_END, "-")
    return Line(page, sign, box, size, stretch, tuple(part.value / 255 for part in parts[:3]))


def _lines(letters: Sequence[Line]) -> Iterator[Line]:
    """Letters that follow one another on one height, in one size and colour, whatever fonts they are of."""
    run: list[Line] = []
    for before, letter in pairwise((*letters[:1], *letters)):
        if run and not _follows(before, letter):
            yield _line(run)
            run = []
        run.append(letter)
    if run:
        yield _line(run)


def _follows(before: Line, letter: Line) -> bool:
    same = before.stretch == letter.stretch and abs(before.box.bottom - letter.box.bottom) < 0.05
    alike = before.colour == letter.colour and abs(before.size - letter.size) < 0.01
    return same and alike and abs(letter.box.x - before.box.right) < 0.15 * letter.size / PT_PER_MM


def _line(run: Sequence[Line]) -> Line:
    box = reduce(Box.joined, (letter.box for letter in run))
    return replace(run[0], text="".join(letter.text for letter in run).strip(), box=box)


def small_texts(one: Print) -> list[str]:
    """Texts set smaller than 6 pt."""
    return [f"{line.size:.2f} pt: {line.text!r}" for line in one.lines if line.text and line.size < LEAST_PT - 0.01]


def outside(one: Print) -> list[str]:
    """Texts and shapes nearer to an edge of the paper than 5 mm."""
    found = []
    for page, box, name, beyond in (
        *((line.page, line.box, repr(line.text), _ROUNDING) for line in one.lines if line.text),
        *((page, box, "a shape", _HALF_LINE) for page, box in one.shapes),
    ):
        if not holds(one.papers[page].inset(MARGIN_MM - beyond), box):
            found.append(f"page {page}: {name} at {box.x:.1f} {box.y:.1f} to {box.right:.1f} {box.bottom:.1f}")
    return found


def overlapping_texts(one: Print) -> list[str]:
    """Texts that stand on one another."""
    found = []
    for page in range(len(one.papers)):
        lines = sorted((line for line in one.lines if line.page == page and line.text), key=lambda line: line.box.y)
        for number, line in enumerate(lines):
            for other in lines[number + 1 :]:
                if other.box.y >= line.box.bottom:
                    break
                if overlaps(line.box.inset(_ROUNDING), other.box.inset(_ROUNDING)):
                    found.append(f"page {page}: {line.text!r} and {other.text!r}")
    return found


def loose_fonts(pdf: bytes) -> list[str]:
    """Fonts that are not in the file, or not as a subset."""
    found = []
    with pikepdf.open(io.BytesIO(pdf)) as file:
        for font in (
            one for one in file.objects if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font"
        ):
            name = str(font.get("/BaseFont", ""))
            described = font.get("/FontDescriptor")
            if font.Subtype == "/Type0":
                described = font.DescendantFonts[0].FontDescriptor
            if described is None or "/FontFile2" not in described or "+" not in name:
                found.append(name)
    return found


def untagged(pdf: bytes) -> list[str]:
    """What is drawn and is neither in a part that readers read out nor an ornament, or is in no tree."""
    found = []
    with pikepdf.open(io.BytesIO(pdf)) as file:
        numbers = list(file.Root.StructTreeRoot.ParentTree.Nums)
        parents = {int(key): value for key, value in zip(numbers[::2], numbers[1::2], strict=True)}
        for number, page in enumerate(file.pages):
            open_marks: list[int | None] = []
            seen: set[int] = set()
            for instruction in pikepdf.parse_content_stream(page):
                operands: Any = instruction.operands
                name = str(instruction.operator)
                if name == "BMC":
                    open_marks.append(None)
                elif name == "BDC":
                    mark = operands[1].get("/MCID") if isinstance(operands[1], pikepdf.Dictionary) else None
                    open_marks.append(None if mark is None else int(mark))
                    seen |= {int(mark)} if mark is not None else set()
                elif name == "EMC":
                    open_marks.pop()
                elif name in _DRAWS and not open_marks:
                    found.append(f"page {number}: {name}")
            owners = parents[int(page.obj.StructParents)]
            if open_marks or seen != set(range(len(owners))):
                found.append(f"page {number}: stretches {sorted(seen)} of {len(owners)}")
    return found


def tree(one: Print) -> Node:
    """The tree of parts with the texts that they show, as a screen reader finds them."""
    said: dict[tuple[int, int], str] = {}
    for line in one.lines:
        if line.stretch >= 0:
            key = line.page, line.stretch
            said[key] = f"{said[key]} {line.text}" if key in said else line.text
    with pikepdf.open(io.BytesIO(one.pdf)) as file:
        pages = {page.obj.objgen: number for number, page in enumerate(file.pages)}
        return _node(file.Root.StructTreeRoot.K, said, pages, None)


def _node(element: Any, said: Mapping[tuple[int, int], str], pages: Mapping[Any, int], page: int | None) -> Node:
    page = pages[element.Pg.objgen] if "/Pg" in element else page
    node = Node(str(element.S).lstrip("/"), str(element.get("/Alt", "")))
    attributes: Any = element.get("/A", pikepdf.Dictionary())
    node.scope = str(attributes.get("/Scope", "")).lstrip("/")
    node.box = tuple(float(value) for value in attributes.get("/BBox", ()))
    texts = []
    for held in element.get("/K", []):
        if isinstance(held, int):
            assert page is not None
            texts.append(said.get((page, held), ""))
        elif held.get("/Type") == "/MCR":
            texts.append(said.get((pages[held.Pg.objgen], int(held.MCID)), ""))
        else:
            node.held.append(_node(held, said, pages, page))
    node.text = " ".join(text for text in texts if text)
    return node


def faults_of_the_tree(root: Node) -> list[str]:
    """What breaks the rules of such a tree: levels left out, figures without words, rows of a table that differ."""
    found = []
    level = 0
    for node in root.all():
        if node.tag.startswith("H") and node.tag[1:].isdigit():
            if int(node.tag[1:]) > level + 1:
                found.append(f"{node.tag} after H{level}: {node.text!r}")
            level = int(node.tag[1:])
        if node.tag == "Figure" and not node.alternative:
            found.append(f"a figure without words: {node.text!r}")
        if node.tag == "Figure" and not _on_paper(node.box):
            found.append(f"a figure without a place: {node.alternative!r}, {node.box}")
        if wrong := [held.tag for held in node.held if held.tag not in _HELD.get(node.tag, {held.tag})]:
            found.append(f"{', '.join(wrong)} in {node.tag}")
        if node.tag == "Table":
            widths = {len(row.held) for row in node.held if row.tag == "TR"}
            if len(widths) > 1:
                found.append(f"a table with rows of {sorted(widths)} cells")
    if not level:
        found.append("no heading")
    return found


def _on_paper(box: tuple[float, ...]) -> bool:
    """Whether a figure's room is one, and on any paper that is printed on."""
    if len(box) != 4:
        return False
    left, foot, right, top = box
    return 0 <= left < right <= 842.1 and 0 <= foot < top <= 842.1


def lacking_facts(pdf: bytes) -> list[str]:
    """What a reader asks of the whole file and does not find."""
    with pikepdf.open(io.BytesIO(pdf)) as file:
        root: Any = file.Root
        facts = {
            "title": bool(str(file.docinfo.get("/Title", ""))),
            "the title shown": bool(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False)),
            "language": bool(str(root.get("/Lang", ""))),
            "marked": bool(root.get("/MarkInfo", {}).get("/Marked", False)),
            "order of the Tab key": all(page.obj.get("/Tabs") == "/S" for page in file.pages),
        }
    return [name for name, there in facts.items() if not there]


def check_all(pdf: bytes) -> list[str]:
    """Everything above, for a print of any kind; empty if all is well."""
    one = read_print(pdf)
    found = [*small_texts(one), *outside(one), *overlapping_texts(one), *loose_fonts(pdf), *untagged(pdf)]
    return [*found, *faults_of_the_tree(tree(one)), *lacking_facts(pdf)]
