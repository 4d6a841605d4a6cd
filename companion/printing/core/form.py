"""Fields to type into on a page (AcroForm): their letters embedded, numbers checked and sums worked out by the viewer.

Whatever the viewer is, it has the font: one of the program's own with all of Latin and Cyrillic, and Hangul where the
language needs it, goes into the file with every letter that may be typed, not only those that are printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportlab.pdfbase import pdfmetrics

from companion.printing.core.geometry import Box
from companion.printing.core.surface import CAP_HEIGHT, MIN_TYPE_PT, PT_PER_MM, Align
from companion.printing.core.typefaces import Face, Fonts, Run

if TYPE_CHECKING:
    import pikepdf

_ALIGNS: dict[Align, int] = {"left": 0, "centre": 1, "right": 2}
_READ_ONLY = 1
_HIDDEN = 2
_PRINTED = 4
_FONT = "Wingdings"
"""The name by which fields call the font that is embedded. PDFium (Chrome, Edge) takes an embedded font for Latin alone
and looks for others on the system, unless the font has a name that it knows for letters of every kind."""
_SUBSETS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MAY_BE_TYPED = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x250),
    *range(0x400, 0x530),
    *range(0x2010, 0x2040),
    *(ord(sign) for sign in "€№"),
    *range(0x3131, 0xD7A4),
)
"""What may be typed, where the font has it: Latin, Cyrillic, punctuation, Hangul."""
_WHOLE_NUMBER = '(0, 1, 0, 0, "", true)'
"""No decimals, no thousands, a minus sign, no currency."""
_INSIDE_PT = 2.0
"""What viewers keep free at the left and right of a field."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its name in the form, what is said of it, its box in mm, its type size in points and its page from 0.

    A value too wide for its box is set smaller, though not below 6 pt. A `number` is a whole one, of at most `digits`
    if given. A field that is the sum of others, by their names, or has a `script` is worked out by the viewer, in the
    order of the fields; what is `locked` cannot be typed into, and what is `hidden` is not seen.
    """

    name: str
    said: str
    box: Box
    size: float
    align: Align = "left"
    number: bool = False
    sum_of: tuple[str, ...] = ()
    value: str = ""
    digits: int = 0
    script: str = ""
    locked: bool = False
    hidden: bool = False
    page: int = 0

    @property
    def calculation(self) -> str:
        """The JavaScript by which the viewer works the field out; "" for one that is only typed into."""
        names = ", ".join(f'"{name}"' for name in self.sum_of)
        return f'AFSimple_Calculate("SUM", new Array({names}));' if names else self.script


def add_form(file: pikepdf.Pdf, fields: Sequence[Field], fonts: Fonts, typed: str) -> list[pikepdf.Object]:
    """Put a form into a file that is open; the fields' annotations, in their order, which is that of the Tab key.

    `typed` is the font of what will be typed; what stands in a field already may need more of `fonts`.
    """
    import pikepdf

    values = {field: fonts.runs(field.value, Face.REGULAR) for field in fields}
    runs = [run for shown in values.values() for run in shown]
    codes = {typed: set(_MAY_BE_TYPED)}
    for run in sorted(runs, key=lambda run: run.font):
        codes.setdefault(run.font, set()).update(map(ord, run.text))
    names = {font: f"{_FONT}{number or ''}" for number, font in enumerate(codes)}
    letters = {font: _Letters(font, sorted(wanted)) for font, wanted in codes.items()}
    embedded = {f"/{names[font]}": letters[font].embed(file, number) for number, font in enumerate(names)}
    resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(embedded))
    annotations: list[pikepdf.Object] = []
    heights = [float(page.mediabox[3]) for page in file.pages]
    for field in fields:
        page = file.pages[field.page].obj
        size = _size(field, values[field])
        annotation = file.make_indirect(_annotation(field, page, heights[field.page], f"/{_FONT} {size:g} Tf 0 g"))
        written = "".join(
            f"/{names[run.font]} {size:g} Tf <{letters[run.font].encoded(run.text)}> Tj " for run in values[field]
        )
        width = sum(run.width(size) for run in values[field])
        annotation.AP = pikepdf.Dictionary(N=_appearance(file, field, written, width, size, resources))
        if "/Annots" not in page:
            page.Annots = pikepdf.Array()
        page.Annots.append(annotation)
        annotations.append(annotation)
    sums = [one for one, field in zip(annotations, fields, strict=True) if field.calculation]
    file.Root.AcroForm = file.make_indirect(
        pikepdf.Dictionary(
            Fields=pikepdf.Array(annotations),
            CO=pikepdf.Array(sums),
            DR=resources,
            DA=pikepdf.String(f"/{_FONT} 0 Tf 0 g"),
        )
    )
    return annotations


def _annotation(field: Field, page: pikepdf.Object, height: float, look: str) -> pikepdf.Dictionary:
    import pikepdf

    box = field.box
    corners = [box.x * PT_PER_MM, height - box.bottom * PT_PER_MM, box.right * PT_PER_MM, height - box.y * PT_PER_MM]
    annotation = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Widget,
        FT=pikepdf.Name.Tx,
        T=pikepdf.String(field.name),
        TU=pikepdf.String(field.said),
        P=page,
        Rect=pikepdf.Array([round(corner, 3) for corner in corners]),
        F=_HIDDEN if field.hidden else _PRINTED,
        Ff=_READ_ONLY if field.locked else 0,
        DA=pikepdf.String(look),
        Q=_ALIGNS[field.align],
        V=pikepdf.String(field.value),
        MK=pikepdf.Dictionary(),
    )
    if field.digits:
        annotation.MaxLen = field.digits
    scripts = {}
    if field.number:
        scripts["/F"] = f"AFNumber_Format{_WHOLE_NUMBER};"
        if not field.locked:
            scripts["/K"] = f"AFNumber_Keystroke{_WHOLE_NUMBER};"
    if field.calculation:
        scripts["/C"] = field.calculation
    if scripts:
        annotation.AA = pikepdf.Dictionary(
            {
                event: pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String(script))
                for event, script in scripts.items()
            }
        )
    return annotation


def _size(field: Field, runs: Sequence[Run]) -> float:
    room = field.box.w * PT_PER_MM - 2 * _INSIDE_PT
    width = sum(run.width(field.size) for run in runs)
    # A field may be narrower than what viewers keep free in it.
    return field.size if width <= max(room, 0.0) else max(MIN_TYPE_PT, round(field.size * room / width - 0.05, 1))


def _appearance(
    file: pikepdf.Pdf, field: Field, written: str, wide: float, size: float, resources: pikepdf.Dictionary
) -> pikepdf.Object:
    import pikepdf

    width, height = field.box.w * PT_PER_MM, field.box.h * PT_PER_MM
    left = {"left": _INSIDE_PT, "centre": (width - wide) / 2, "right": width - wide - _INSIDE_PT}[field.align]
    base = (height - CAP_HEIGHT * size) / 2
    clip = f"1 1 {width - 2:.2f} {height - 2:.2f} re W n"
    drawn = f" q {clip} BT 0 g {max(left, _INSIDE_PT):.2f} {base:.2f} Td {written}ET Q" if written else ""
    stream = pikepdf.Stream(file, f"/Tx BMC{drawn} EMC".encode("ascii"))
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    stream.BBox = pikepdf.Array([0, 0, round(width, 3), round(height, 3)])
    stream.Resources = resources
    return stream


class _Letters:
    """The letters of a font that may be typed, numbered from 1 in the order of their codes."""

    def __init__(self, font: str, codes: Iterable[int]) -> None:
        self._face = pdfmetrics.getFont(font).face
        self._codes = [code for code in codes if code in self._face.charToGlyph]
        # As reportlab numbers them when it takes these letters out: letters that share a glyph have one number.
        glyphs: dict[int, int] = {}
        self._numbers = {code: glyphs.setdefault(self._face.charToGlyph[code], len(glyphs) + 1) for code in self._codes}

    def encoded(self, text: str) -> str:
        """A text of these letters as their numbers in hexadecimal."""
        return "".join(f"{self._numbers[ord(letter)]:04X}" for letter in text)

    def _width(self, code: int) -> float:
        return float(self._face.charWidths.get(code, self._face.defaultWidth))

    def _first_codes(self) -> dict[int, int]:
        codes: dict[int, int] = {}
        for code in self._codes:
            codes.setdefault(self._numbers[code], code)
        return codes

    def embed(self, file: pikepdf.Pdf, number: int) -> pikepdf.Object:
        """The font, the so-manieth of the form, as an object of the file, its letters told by their numbers."""
        import pikepdf

        face = self._face
        name = pikepdf.Name(f"/FORMS{_SUBSETS[number]}+{_text(face.name)}")
        content = pikepdf.Stream(file, face.makeSubset(self._codes))
        content.Length1 = len(content.read_raw_bytes())
        described = pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor,
            FontName=name,
            Flags=4,
            FontBBox=pikepdf.Array([round(corner) for corner in face.bbox]),
            ItalicAngle=round(face.italicAngle),
            Ascent=round(face.ascent),
            Descent=round(face.descent),
            CapHeight=round(face.capHeight),
            StemV=round(face.stemV),
            FontFile2=content,
        )
        widths: list[int | pikepdf.Array] = []
        for place, code in self._first_codes().items():
            widths += [place, pikepdf.Array([round(self._width(code))])]
        descendant = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.CIDFontType2,
            BaseFont=name,
            CIDSystemInfo=pikepdf.Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=file.make_indirect(described),
            DW=round(face.defaultWidth),
            W=pikepdf.Array(widths),
            CIDToGIDMap=pikepdf.Name.Identity,
        )
        return file.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type0,
                BaseFont=name,
                Encoding=pikepdf.Name("/Identity-H"),
                DescendantFonts=pikepdf.Array([file.make_indirect(descendant)]),
                ToUnicode=pikepdf.Stream(file, _to_unicode(self._first_codes())),
            )
        )


def _text(name: bytes | str) -> str:
    return name.decode("ascii") if isinstance(name, bytes) else name


def _to_unicode(codes: Mapping[int, int]) -> bytes:
    """Which letter each number stands for, as a CMap."""
    lines = [f"<{number:04X}> <{chr(code).encode('utf-16-be').hex().upper()}>" for number, code in codes.items()]
    parts = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    mapped = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts)
    return f"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{mapped}
endcmap
CMapName currentdict /CMap defineresource pop
end
end""".encode("ascii")
