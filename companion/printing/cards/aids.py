"""Cards of rules: the round, the turn, tribes, tiles, goods, the end. Each is a panel that stands on a page as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.drawing.palette import PAPER
from companion.printing.cards import flow
from companion.printing.cards.layout import CardLook, panel_boxes
from companion.printing.core import icons
from companion.printing.core.geometry import Box, Boxes
from companion.printing.core.kinds import with_colour
from companion.printing.core.page import Document
from companion.printing.core.rule_texts import END_POINTS_VP
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.rules.model import components

HEAD_MM = 9.0
INSET_MM = 2.2
_TRACK_MM = 6.4
_ICON_MM = 7.6
_CAPTION_SHARE = 0.82
"""Size of the words under the track as a share of the largest type."""


def draw_panel(
    page: Document, frame: Box, name: str, look: CardLook, title_pt: float, text_pt: float, *, heading: Tag
) -> None:
    """Draw the card of rules of that name into a frame, with type of at most these sizes in points."""
    with page.tagged(Tag.SECTION):
        aid_icon, draw = AIDS[name]
        boxes, palette = panel_boxes(frame, HEAD_MM, INSET_MM), look.palette
        page.box(boxes.band, fill=look.surface(palette.accent), stroke=palette.accent, width=0.45, radius=2.4)
        page.box(Box(frame.x, frame.y + HEAD_MM - 2.6, frame.w, 2.6), fill=look.surface(palette.accent))
        page.box(boxes.frame, stroke=palette.accent, width=0.45, radius=2.4)
        page.line(frame.x, boxes.band.bottom, frame.right, boxes.band.bottom, colour=palette.accent, width=0.3)
        icons.draw_icon(page, aid_icon, boxes.icon, ink=look.on_dark(palette.accent), tint=None, weight=1.5)
        title = look.words[name].title
        page.text(boxes.title, title, title_pt, face=Face.TITLE, colour=look.on_dark(palette.accent), tag=heading)
        draw(page, boxes.body, look, text_pt)


def _heading(text: str, look: CardLook, number: str = "") -> flow.Paragraph:
    accent = look.palette.accent
    return flow.Paragraph(text, accent, face=Face.BOLD, share=1.08, number=number, number_colour=accent)


def bullet(text: str, look: CardLook, level: int = 0) -> flow.Paragraph:
    return flow.Paragraph(text, look.palette.ink, number="•", number_colour=look.palette.accent, level=level)


def _draw_round(page: Document, box: Box, look: CardLook, most: float) -> None:
    words = look.words.round
    first = [_heading(words.bid, look, "1")]
    rest = [bullet(text, look) for text in words.bids]
    rest += [_heading(words.turns, look, "2"), *(bullet(text, look) for text in words.order)]
    rest += [_heading(words.clean, look, "3"), *(bullet(text, look) for text in words.refills)]
    track = _TRACK_MM * max(box.w / 54, 1)
    small = max(most * _CAPTION_SHARE, MIN_TYPE_PT)
    caption = flow.line_mm(small)
    room = Box(box.x, box.y, box.w, box.h - track - caption - 2)
    size = flow.largest(lambda size: flow.fits(page, room, [*first, *rest], size), most)
    y = box.y + flow.text_height(page, first, box.w, size)
    flow.set_text(page, Box(box.x, box.y, box.w, y - box.y + 0.1), first, size)
    # The spots of the turn order track, the one that plays first at the left (rules 1.6, 3.3).
    spots = Box(box.x, y + 1, box.w, track).grid(len(components.TRACK_PRICES_GC), 1, box.w * 0.012)
    with page.tagged(Tag.PARAGRAPH):
        for price, spot in zip(sorted(components.TRACK_PRICES_GC, reverse=True), spots, strict=True):
            draw_price(page, spot, price, look)
    captions = Box(box.x, y + 1 + track, box.w, caption)
    quiet = look.palette.quiet
    page.text(captions, words.first, small, colour=quiet)
    page.text(captions, words.last, small, colour=quiet, align="right")
    below = captions.bottom + 1
    flow.set_text(page, Box(box.x, below, box.w, box.bottom - below), rest, size)


def _draw_turn(page: Document, box: Box, look: CardLook, most: float) -> None:
    words, ink, accent = look.words.turn, look.palette.ink, look.palette.accent
    texts = []
    for number, step in enumerate(words.steps, 1):
        texts.append(flow.Paragraph(step, ink, number=str(number), number_colour=accent))
        if number == 2:
            texts += [bullet(rule, look, level=1) for rule in words.walk]
    rows = [
        flow.PanelRow(tuple(texts)),
        flow.PanelRow((flow.Paragraph(words.powers, ink),), _icon(page, icons.CATEGORY_ICONS["djinns"], "djinn", look)),
        flow.PanelRow((flow.Paragraph(words.stuck, ink),), _icon(page, icons.CATEGORY_ICONS["total"], "gold", look)),
    ]
    flow.draw_rows(page, box, rows, flow.Columns(5.6), most, colour=ink, rule=look.palette.line)


def _draw_tribes(page: Document, box: Box, look: CardLook, most: float) -> None:
    words, ink, quiet = look.words.tribes, look.palette.ink, look.palette.quiet

    def icon(tribe: components.Tribe) -> Callable[[Box], None]:
        fill = look.tints[tribe.noun]
        return lambda place: icons.draw_tribe(page, tribe, place.inset(0.3), fill=fill, ink=ink, width=0.3)

    rows = [flow.PanelRow((flow.Paragraph(words.intro, quiet),))]
    for tribe in components.Tribe:
        called = with_colour(words.names[tribe.noun], tribe, page.language)
        name = f"{called} × {components.MEEPLE_COUNTS[tribe]}"
        text = words.texts[tribe.noun]
        rows.append(flow.PanelRow((_name(name, look), flow.Paragraph(text, ink, close=True)), icon(tribe)))
    rows.append(
        flow.PanelRow((flow.Paragraph(words.fakirs, ink),), _icon(page, icons.CARD_ICONS["fakir"], "icon", look))
    )
    flow.draw_rows(page, box, rows, flow.Columns(_ICON_MM), most, colour=ink, rule=look.palette.line)


def _draw_tiles(page: Document, box: Box, look: CardLook, most: float) -> None:
    words, ink, quiet = look.words.tiles, look.palette.ink, look.palette.quiet

    def icon(action: components.TileAction) -> Callable[[Box], None]:
        ground = look.surface(look.template.grounds[action.name.lower()])

        def draw(place: Box) -> None:
            page.box(place, fill=ground, stroke=ink, width=0.25, radius=0.8)
            icons.draw_icon(page, icons.ACTION_ICONS[action], place.inset(0.9), ink=ink, tint=PAPER)

        return draw

    rows = [flow.PanelRow((flow.Paragraph(words.intro, quiet),))]
    for action in components.TileAction:
        key = action.name.lower()
        kinds = [kind for kind in components.TILE_KINDS.values() if kind.action is action]
        first = action in (components.TileAction.OASIS, components.TileAction.SMALL_MARKET)
        if first:
            bound = words.must if action is components.TileAction.OASIS else words.may
            rows.append(flow.PanelRow((flow.Paragraph(bound, ink, face=Face.BOLD),)))
        title = f"{words.names[key]} × {sum(kind.count for kind in kinds)}"
        text = flow.Paragraph(words.texts[key], ink, close=True)
        rows.append(
            flow.PanelRow((_name(title, look), text), icon(action), joined=first, badge=_values(page, kinds, look))
        )
    rows.append(flow.PanelRow((flow.Paragraph(words.row, quiet),)))
    flow.draw_rows(page, box, rows, flow.Columns(_ICON_MM, 8), most, colour=ink, rule=look.palette.line)


def _draw_end(page: Document, box: Box, look: CardLook, most: float) -> None:
    """When the end comes, what brings how many VP, who wins (rules 9, 10)."""
    words, ink = look.words.end, look.palette.ink
    rows = [flow.PanelRow((flow.Paragraph(text, ink),)) for text in words.ends]
    rows.append(flow.PanelRow((_heading(words.scoring, look),)))
    for key in ("gold", "viziers", "majority", "elders", "djinns", "palms", "palaces", "tiles", "goods"):
        drawing = icons.CATEGORY_ICONS["viziers" if key == "majority" else key]
        value = str(END_POINTS_VP.get(key, ""))
        rows.append(flow.PanelRow((flow.Paragraph(words.points[key], ink),), _icon(page, drawing, "icon", look), value))
    rows.append(flow.PanelRow((_heading(words.winner, look),)))
    flow.draw_rows(page, box, rows, flow.Columns(4.4, 6.0), most, colour=look.palette.accent)


def _values(page: Document, kinds: Sequence[components.TileKind], look: CardLook) -> Callable[[Box], None]:
    """Draws the VP of a kind of tile on a disc of its colour, blue ones with a ring to show in grey."""
    values = [kind.vp for kind in kinds]
    text = str(values[0]) if len(values) == 1 else f"{min(values)}–{max(values)}"
    blue = kinds[0].blue

    def draw(place: Box) -> None:
        height = min(place.w * 0.72, place.h)
        width = place.w if len(values) > 1 else height
        disc = Box(place.right - width, place.centre[1] - height / 2, width, height)
        fill = look.surface(look.palette.blue_value if blue else look.palette.red_value)
        on_it = look.on_dark(look.palette.ink)
        page.box(disc, fill=fill, stroke=look.palette.ink, width=0.2, radius=height / 2)
        if blue:
            ring = disc.inset(height * 0.09)
            page.box(ring, stroke=on_it, width=height * 0.05, radius=ring.h / 2)
        size = height * (0.56 if len(values) == 1 else 0.46) * PT_PER_MM
        page.text(disc, text, size, face=Face.BOLD, colour=on_it, align="centre")

    return draw


def _name(text: str, look: CardLook) -> flow.Paragraph:
    return flow.Paragraph(text, look.palette.accent, face=Face.BOLD)


def _icon(page: Document, drawing: icons.Drawing, tint: str, look: CardLook) -> Callable[[Box], None]:
    return lambda place: icons.draw_icon(page, drawing, place, ink=look.palette.ink, tint=look.tints[tint])


_SHARES = (0.09, 0.17, 0.02, 0.09, 0.45, 0.02, 0.16)
"""Heights of heading, ladder, gap, heading, cards, gap and lines below, as shares of the panel."""
_CARD_ICON_MM = 5.8
_LABEL_SHARE = 0.2
"""Width of the words before the ladder."""


def goods_boxes(box: Box) -> Boxes:
    """Heading and ladder (`sizes` and `prices` of sets, the words first), heading and `cards`, the lines below."""
    heading, ladder, _, deck, cards, _, foot = box.rows([box.h * share for share in _SHARES])
    label = ladder.w * _LABEL_SHARE
    widths = [label] + [(ladder.w - label) / 9] * 9
    upper, lower = ladder.rows([ladder.h / 2] * 2)
    return Boxes(
        ladder_heading=heading,
        sizes=tuple(upper.columns(widths)),
        prices=tuple(lower.columns(widths)),
        deck_heading=deck,
        cards=tuple(cell for row in cards.grid(1, 5, 0.4) for cell in row.columns([(row.w - 1.6) / 2] * 2, 1.6)),
        foot=foot,
    )


def draw_goods(page: Document, box: Box, look: CardLook, most: float) -> None:
    """Draw the panel into a box with type of at most `most` points."""
    words, palette, boxes = look.words.goods, look.palette, goods_boxes(box)
    _draw_heading(page, boxes.ladder_heading, words.ladder, most, look)
    with page.tagged(Tag.TABLE) as table:
        counts, prices = table.add(Tag.ROW), table.add(Tag.ROW)
    for place, text, row in ((boxes.sizes[0], words.cards, counts), (boxes.prices[0], words.price, prices)):
        label = Box(place.x, place.y, place.w - 1, place.h)
        page.text(label, text, most, colour=palette.quiet, tag=row.add(Tag.HEADER_CELL))
    for number, (upper, lower) in enumerate(zip(boxes.sizes[1:], boxes.prices[1:], strict=True), 1):
        page.box(upper, fill=look.surface(look.tints["goods"]), stroke=palette.ink, width=0.2)
        page.box(lower, fill=PAPER, stroke=palette.ink, width=0.2)
        page.text(upper, str(number), most * 1.1, colour=palette.ink, align="centre", tag=counts.add(Tag.CELL))
        price = str(components.SET_PRICES_GC[number])
        page.text(
            lower, price, most * 1.15, face=Face.BOLD, colour=palette.ink, align="centre", tag=prices.add(Tag.CELL)
        )
    _draw_heading(page, boxes.deck_heading, words.deck, most, look)
    cells = list(zip((*components.GOODS, components.FAKIR), boxes.cards, strict=True))
    names = {card: [flow.Paragraph(words.names[card], palette.ink)] for card in components.CARD_COUNTS}
    wide = page.width("× 18", most, Face.BOLD) + 0.2

    def all_fit(size: float) -> bool:
        return all(flow.fits(page, _name_box(place, wide), names[card], size) for card, place in cells)

    size = flow.largest(all_fit, most)
    for card, place in cells:
        side = min(place.h, _CARD_ICON_MM)
        icon = Box(place.x, place.centre[1] - side / 2, side, side)
        icons.draw_icon(page, icons.CARD_ICONS[card], icon, ink=palette.ink, tint=look.tints["icon"])
        flow.set_text(page, _name_box(place, wide), names[card], size, middle=True)
        count = Box(place.right - wide, place.y, wide, place.h)
        text = f"× {components.CARD_COUNTS[card]}"
        page.text(count, text, most, face=Face.BOLD, colour=palette.ink, align="right")
    texts = [flow.Paragraph(words.fakirs, palette.ink), flow.Paragraph(words.advice, palette.ink)]
    flow.set_text(page, boxes.foot, texts, flow.fitting_size(page, boxes.foot, texts, most), middle=True)


def _name_box(place: Box, count: float) -> Box:
    left = min(place.h, _CARD_ICON_MM) + 1.2
    return Box(place.x + left, place.y, place.w - left - count - 0.8, place.h)


def _draw_heading(page: Document, box: Box, text: str, most: float, look: CardLook) -> None:
    page.text(box, text, most * 1.05, face=Face.BOLD, colour=look.palette.accent, tag=Tag.PARAGRAPH)


_PRICE_SHARE = 0.5
"""Size of the number as a share of the coin."""


def draw_price(page: Document, box: Box, price: int, look: CardLook, *, plain: bool = False) -> None:
    """Draw a price in GC on the largest coin that the box has room for; zeros, and what is `plain`, on white."""
    coin = box.square()
    fill = PAPER if plain or not price else look.tints["gold"]
    page.box(coin, fill=fill, stroke=look.palette.ink, width=0.25, radius=coin.w / 2)
    size = coin.w * _PRICE_SHARE * PT_PER_MM
    page.text(coin, str(price), size, face=Face.BOLD, colour=look.palette.ink, align="centre")


AIDS: dict[str, tuple[icons.Drawing, Callable[[Document, Box, CardLook, float], None]]] = {
    "round": (icons.CATEGORY_ICONS["gold"], _draw_round),
    "turn": (icons.MARKER, _draw_turn),
    "tribes": (icons.MEEPLE, _draw_tribes),
    "tiles": (icons.CATEGORY_ICONS["tiles"], _draw_tiles),
    "goods": (icons.CATEGORY_ICONS["goods"], draw_goods),
    "end": (icons.CATEGORY_ICONS["total"], _draw_end),
}
"""The cards of rules by name, in the order in which they are printed: the icon of the head, what draws the body."""
