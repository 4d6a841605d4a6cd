"""Makes the fonts of our own that come with the package: Hangul out of Nanum Gothic, and the last resort.

    python docs/fonts.py [FOLDER OF NANUM GOTHIC]     # Debian: fonts-nanum; run by `make fonts`

Hangul has the 2350 syllables of KS X 1001, the single letters and ASCII, without hints and under another name, as Nanum
Gothic's licence asks of changed fonts. The last resort has one sign: a question mark in a frame, which is drawn for
whatever no font has.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "companion" / "printing" / "fonts"
NANUM = Path("/usr/share/fonts/truetype/nanum")
FAMILY = "Companion Hangul"
EPOCH = 3_800_000_000
"""Seconds since 1904 that every font says it was made at, so that it is the same file each time."""

LAST_RESORT = 0x2370
"""APL's "quad question", a question mark in a frame."""


def syllables() -> list[int]:
    """The letters of KS X 1001: its syllables, the single consonants and vowels; and ASCII, for forms in Korean."""
    rows = (bytes((first, second)) for first in range(0xB0, 0xC9) for second in range(0xA1, 0xFF))
    return [ord(row.decode("euc_kr")) for row in rows] + [*range(0x3131, 0x3164), *range(0x20, 0x7F)]


def make_hangul(source: Path, style: str) -> None:
    """A subset of a font of Nanum Gothic, for one style of lettering."""
    font = TTFont(source, recalcTimestamp=False)
    copyright_line = font["name"].getDebugName(0)
    options = subset.Options(hinting=False, layout_features=[], glyph_names=False, notdef_outline=True, name_IDs=[0])
    options.drop_tables += ["kern", "gasp", "TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=syllables())
    subsetter.subset(font)
    name = font["name"]
    name.names = []
    licence = "SIL Open Font License, Version 1.1"
    texts = {0: copyright_line, 1: FAMILY, 2: style, 4: f"{FAMILY} {style}", 6: f"CompanionHangul-{style}", 13: licence}
    for number, text in texts.items():
        name.setName(text, number, 3, 1, 0x409)
    font["head"].modified = EPOCH
    font.save(FONTS / f"CompanionHangul-{style}.ttf")


def make_last_resort() -> None:
    """A font of one sign."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "framed"])
    builder.setupCharacterMap({LAST_RESORT: "framed"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "framed": _framed_question_mark()})
    builder.setupHorizontalMetrics({".notdef": (700, 0), "framed": (700, 60)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Companion Last Resort", "styleName": "Regular", "psName": "LastResort"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = EPOCH
    builder.font.recalcTimestamp = False
    builder.save(FONTS / "LastResort.ttf")


def _framed_question_mark() -> object:
    """A frame as high as a capital, its inside cut out, and in it a question mark of one bent stroke and a dot."""
    pen = TTGlyphPen(None)

    def contour(*points: tuple[int, int]) -> None:
        pen.moveTo(points[0])
        for point in points[1:]:
            pen.lineTo(point)
        pen.closePath()

    contour((60, -40), (60, 740), (640, 740), (640, -40))
    contour((115, 15), (585, 15), (585, 685), (115, 685))
    pen.moveTo((215, 440))
    pen.qCurveTo((215, 585), (350, 585))
    pen.qCurveTo((495, 585), (495, 460))
    pen.qCurveTo((495, 385), (430, 335))
    pen.qCurveTo((390, 305), (390, 260))
    pen.lineTo((390, 245))
    pen.lineTo((310, 245))
    pen.lineTo((310, 265))
    pen.qCurveTo((310, 340), (365, 382))
    pen.qCurveTo((412, 418), (412, 455))
    pen.qCurveTo((412, 510), (350, 510))
    pen.qCurveTo((298, 510), (298, 440))
    pen.closePath()
    contour((302, 105), (302, 195), (398, 195), (398, 105))
    return pen.glyph()


def main() -> None:
    """Make them all."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else NANUM
    make_hangul(folder / "NanumGothic.ttf", "Regular")
    make_hangul(folder / "NanumGothicBold.ttf", "Bold")
    make_last_resort()
    for path in sorted(FONTS.glob("*.ttf")):
        print(f"{path.name}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
