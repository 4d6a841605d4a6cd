"""A djinn's card: name, value, emblem, when the power works, what it costs and what it does (rules 11)."""

from __future__ import annotations

from companion.drawing.palette import PAPER
from companion.printing.cards.flow import Paragraph, fitting_size, set_text, text_lines
from companion.printing.cards.layout import CardLook, card_boxes
from companion.printing.core import icons
from companion.printing.core.geometry import Box, parse_outline
from companion.printing.core.page import Document
from companion.printing.core.rule_texts import timing
from companion.printing.core.surface import CAP_HEIGHT, MIN_TYPE_PT, PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.rules.engine.djinns import Cost, Djinn
from companion.rules.model.components import Tribe

_ARCH = "M0 24 L0 9.4 Q0 4.4 5.4 3.4 Q9.4 2.6 12 0 Q14.6 2.6 18.6 3.4 Q24 4.4 24 9.4 L24 24 Z"
"""The niche in which an emblem stands."""
_ALWAYS: icons.Drawing = (
    (
        "line",
        "M12 12 Q8 6 5 6.6 Q1.6 7.4 1.6 12 Q1.6 16.6 5 17.4 Q8 18 12 12 "
        "Q16 6 19 6.6 Q22.4 7.4 22.4 12 Q22.4 16.6 19 17.4 Q16 18 12 12",
    ),
)
TIMING_ICONS: dict[str, icons.Drawing] = {
    "always": _ALWAYS,
    "turn": icons.MARKER,
    "bid": icons.CATEGORY_ICONS["gold"],
    "end": icons.CATEGORY_ICONS["total"],
}
_TWO_DIGITS_SHARE = 0.82
"""Size of a value of two digits, which would touch the points of its star, as a share of that of one."""
_UNIT_GAP_MM = 0.3
"""Between a value and the "VP" below it."""
_ONE_LINE_PT = 6.6
"""A cost that has room on one line at this size in points is not set on two."""
_COST_SIGNS: dict[Cost, str] = {
    Cost.NONE: "",
    Cost.ELDER_OR_FAKIR: "e/f",
    Cost.ELDER_AND_ELDER_OR_FAKIR: "e+e/f",
    Cost.FAKIR: "f",
    Cost.FAKIRS: "f",
}
"""What is paid, as signs: e an elder, f a fakir, + both, / either."""


def draw_djinn_card(page: Document, cut: Box, djinn: Djinn, look: CardLook) -> None:
    """Draw a djinn's card into its cut; its ground is there already."""
    with page.tagged(Tag.SECTION):
        boxes, words, sizes, palette = card_boxes(cut, look.template.card), look.words, look.sizes, look.palette
        page.box(boxes.frame, stroke=palette.accent, width=0.45, radius=2.4)
        page.box(boxes.frame.inset(0.8), stroke=palette.accent, width=0.15, radius=1.8)
        page.text(boxes.name, djinn.name, sizes.name_pt, face=Face.TITLE, colour=palette.accent, tag=Tag.HEADING_1)
        with page.tagged(Tag.PARAGRAPH):
            draw_star(page, boxes.value, str(djinn.vp), look, size=sizes.value_pt, vp=words.vp)
        when = timing(djinn)
        _draw_niche(page, boxes.emblem, look.template.timings[when], look)
        room = Box(boxes.emblem.x + 4, boxes.emblem.y + 4.4, boxes.emblem.w - 8, boxes.emblem.h - 8)
        icons.draw_emblem(page, icons.EMBLEMS[djinn.name], room, ink=palette.ink, tints=look.tints)
        _draw_timing(page, boxes.timing, when, look)
        _draw_cost(page, boxes.cost, djinn.cost, look)
        _draw_divider(page, boxes.divider, look)
        power, note = look.power(djinn.name)
        texts = [Paragraph(power, palette.ink, even=True)]
        if note:
            texts.append(Paragraph(note, palette.quiet, share=sizes.note_pt / sizes.power_pt, even=True))
        size = fitting_size(page, boxes.power, texts, sizes.power_pt)
        set_text(page, boxes.power, texts, size, align="centre", middle=True)


def draw_star(page: Document, box: Box, text: str, look: CardLook, *, size: float, vp: str = "") -> None:
    """Draw a djinn's value on its star, with "VP" below it if given."""
    accent = look.palette.accent
    page.outline(parse_outline(icons.STAR), box, fill=look.surface(accent), stroke=accent, width=0.3)
    colour = look.on_dark(accent)
    if len(text) > 1:
        size *= _TWO_DIGITS_SHARE
    number, unit = box, Box(box.x, box.y + box.h * 0.62, box.w, box.h * 0.2)
    if vp:
        number = Box(box.x, box.y, box.w, box.h * 0.86)
        # Half of the number's capitals and half of the unit's lie between their middles.
        between = unit.centre[1] - number.centre[1] - _UNIT_GAP_MM
        size = min(size, 2 * between * PT_PER_MM / CAP_HEIGHT - MIN_TYPE_PT)
    page.text(number, text, size, face=Face.BOLD, colour=colour, align="centre")
    page.text(unit, vp, MIN_TYPE_PT, colour=colour, align="centre")


def _draw_niche(page: Document, box: Box, tint: str, look: CardLook) -> None:
    page.box(box, fill=look.surface(tint), stroke=look.palette.accent, width=0.25, radius=1.2)
    arch = Box(box.x + 2.2, box.y + 1.6, box.w - 4.4, box.h - 1.6)
    page.outline(parse_outline(_ARCH), arch, fill=PAPER, stroke=look.palette.accent, width=0.25)
    for x in (box.x + 2.4, box.right - 5.4):
        page.outline(parse_outline(icons.STAR), Box(x, box.y + 1.3, 3, 3), stroke=look.palette.accent, width=0.2)


def _draw_timing(page: Document, box: Box, when: str, look: CardLook) -> None:
    text, size = look.words.timings[when], look.sizes.timing_pt
    side = box.h * 0.68
    width = min(page.width(text, size, Face.BOLD), box.w - side - 5)
    label = Box(box.centre[0] - (width + side + 5) / 2, box.y, width + side + 5, box.h)
    page.box(label, fill=PAPER, stroke=look.palette.accent, width=0.3, radius=box.h / 2)
    icon = Box(label.x + 1.7, box.centre[1] - side / 2, side, side)
    icons.draw_icon(page, TIMING_ICONS[when], icon, ink=look.palette.ink, tint=look.tints["icon"], weight=1.6)
    words = Box(icon.right + 1.2, box.y, width + 0.1, box.h)
    page.text(words, text, size, face=Face.BOLD, colour=look.palette.ink)


def _draw_divider(page: Document, box: Box, look: CardLook) -> None:
    x, y = box.centre
    for left, right in ((box.x, x - 2), (x + 2, box.right)):
        page.line(left, y, right, y, colour=look.palette.line, width=0.2)
    page.outline(
        parse_outline("M12 0 L24 12 L12 24 L0 12 Z"), Box(x - 0.8, y - 0.8, 1.6, 1.6), fill=look.palette.accent
    )


def _draw_cost(page: Document, box: Box, cost: Cost, look: CardLook) -> None:
    """What is paid, as signs and in words, in the middle of the box; words too long for a line stand on two."""
    text = Paragraph(look.words.costs[cost.name.lower()], look.palette.ink, even=True)
    size = look.sizes.cost_pt
    side = box.h * 0.66
    signs = _COST_SIGNS[cost]
    widths = [side if sign in "ef" else side * 0.5 for sign in signs]
    gap = 1.4 if signs else 0.0
    room = box.w - sum(widths) - gap - 2
    wide = page.width(text.text, size)
    if wide > room and size * room / wide >= _ONE_LINE_PT:
        size, wide = size * room / wide, room
    elif wide > room:
        size = fitting_size(page, Box(0, 0, room, box.h), [text], size)
        wide = max(page.width(line, size) for line in text_lines(page, text, room, size))
    x = box.centre[0] - (sum(widths) + gap + wide) / 2
    for sign, width in zip(signs, widths, strict=True):
        place = Box(x, box.centre[1] - side / 2, width, side)
        if sign == "e":
            icons.draw_tribe(page, Tribe.ELDER, place, fill=look.tints["elder"], ink=look.palette.ink, width=0.28)
        elif sign == "f":
            icons.draw_icon(
                page, icons.CARD_ICONS["fakir"], place, ink=look.palette.ink, tint=look.tints["fakir"], weight=1.5
            )
        else:
            with page.ornament():
                signed = look.sizes.cost_pt * 1.2
                page.text(place, sign, signed, face=Face.BOLD, colour=look.palette.quiet, align="centre")
        x += width
    set_text(page, Box(x + gap, box.y, min(wide + 0.1, room), box.h), [text], size, middle=True)


_FRAME_MM = 4.2
_STAR_MM = 7.4
_STARS = (7, 10)
"""Stars of the pattern across and down; an odd and an even number, so that it looks the same turned round."""
_PLATE_MM = 34.0


def draw_back(page: Document, cut: Box, look: CardLook, *, djinn: bool) -> None:
    """Draw the back of a card into its cut; its ground is there already.

    Djinns have lamps in the middle, cards of rules the shapes of the five tribes.
    """
    page.form_xobject("djinn" if djinn else "rules", cut, lambda box: _draw(page, box, look, djinn=djinn))


def _draw(page: Document, cut: Box, look: CardLook, *, djinn: bool) -> None:
    line = look.palette.back_line if look.full_ink else look.palette.back
    frame = cut.inset(_FRAME_MM)
    columns, rows = _STARS
    middle = cut.centre
    field = cut.inset((cut.w - columns * _STAR_MM) / 2, (cut.h - rows * _STAR_MM) / 2)
    for place in field.grid(columns, rows):
        page.outline(parse_outline(icons.STAR), place.inset(0.25), stroke=line, width=0.18)
    page.box(frame, stroke=line, width=0.5, radius=2.2)
    page.box(frame.inset(0.9), stroke=line, width=0.2, radius=1.5)
    plate = cut.square(_PLATE_MM)
    page.outline(parse_outline(icons.STAR), plate, fill=look.surface(look.palette.back), stroke=line, width=0.5)
    page.outline(parse_outline(icons.STAR), plate.inset(2), stroke=line, width=0.2)
    if djinn:
        _draw_lamps(page, middle, line)
    else:
        _draw_tribes(page, middle, line)


def _draw_lamps(page: Document, middle: tuple[float, float], line: str) -> None:
    side = 10.5
    for degrees, top in ((0.0, -side - 0.7), (180.0, 0.7)):
        box = Box(middle[0] - side / 2, middle[1] + top, side, side)
        for _, text in icons.CATEGORY_ICONS["djinns"]:
            page.outline(icons.turned(parse_outline(text), degrees), box, stroke=line, width=0.4)


def _draw_tribes(page: Document, middle: tuple[float, float], line: str) -> None:
    side = 3.8
    for degrees, sign in ((0.0, 1), (180.0, -1)):
        for number, tribe in enumerate(Tribe):
            x, y = middle[0] + sign * (number - 2) * 4.3, middle[1] - sign * (2.9 + 2.5 * (2 - abs(number - 2)))
            box = Box(x - side / 2, y - side / 2, side, side)
            page.outline(icons.turned(parse_outline(icons.TRIBE_SHAPES[tribe]), degrees), box, stroke=line, width=0.4)
