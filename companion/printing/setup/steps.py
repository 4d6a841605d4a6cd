"""The steps of laying a table, each drawn into its boxes, in the order of the rulebook (rules 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.language.catalogue import translate
from companion.language.glossary import plural_form
from companion.language.phrase import counted, term
from companion.printing.core.board import BoardLook, draw_meeple, draw_tile, draw_value
from companion.printing.core.geometry import Box, Boxes
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CARD_ICONS, CATEGORY_ICONS, MARKER, Drawing, draw_icon
from companion.printing.core.kinds import djinn_key, djinn_power, with_colour
from companion.printing.core.page import Document
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Align
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table, filled
from companion.printing.core.typefaces import Face
from companion.rules.engine.djinns import Cost, djinn_named
from companion.rules.model import components
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Tile
from companion.rules.model.position import Position

_HAIRLINE_MM = 0.2
_RADIUS_MM = 1.2
_NUMBER_MM = 4.8
_HINT_MM = 2.4
"""Between the heading of a step and its hint."""
_LEADING = 1.2
"""From line to line, as a share of the type size."""
_STEP_PT = 0.25
_NEARLY = 0.88
"""What is too wide by no more than this stays on one line, a little smaller."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A page with the template and words that a card is drawn by, and the language that names are counted in."""

    page: Document
    template: Table
    words: Table
    language: str

    @property
    def look(self) -> BoardLook:
        """That of tiles and pieces."""
        template, palette = self.template, self.template.palette
        values = palette.red_value, palette.blue_value
        grounds, letters = template.grounds, self.words.letters
        return BoardLook(template.tribes, template.camels, grounds, *values, palette.ink, letters)

    def counted(self, count: int, key: str) -> str:
        """A thing of the glossary, counted: "8 camels", "50 GC"."""
        if forms := self.words.counted.get(key.replace(" ", "_")):
            return f"{count} {forms[min(plural_form(self.language, count), len(forms) - 1)]}"
        return translate(counted(count, key), self.language)

    def power(self, djinn: str) -> str:
        return self.words.powers.get(djinn_key(djinn)) or djinn_power(djinn, self.language)

    def step(self, box: Box, number: int, text: str, hint: str = "") -> None:
        """The heading of a step: its number in a ring, what to do, and quietly beside it what else is to be known."""
        palette, size = self.template.palette, self.template.type.heading_pt
        quiet_size = self.template.type.text_pt
        ring = Box(box.x, box.centre[1] - _NUMBER_MM / 2, _NUMBER_MM, _NUMBER_MM)
        self.page.box(ring, fill=palette.card, stroke=palette.accent, width=0.35, radius=_NUMBER_MM / 2)
        with self.page.tagged(Tag.HEADING_2):
            self.page.text(ring, str(number), 8.5, face=Face.BOLD, colour=palette.accent, align="centre")
            left = _NUMBER_MM + 1.6
            words = Box(box.x + left, box.y, box.w - left, box.h)
            said = self.page.room_before(words, hint, quiet_size, _HINT_MM)
            width = self.page.text(said, text, size, face=Face.BOLD, colour=palette.accent)
        used = left + width + _HINT_MM
        rest = Box(box.x + used, box.y + 0.3, box.w - used, box.h)
        self.page.text(rest, hint, quiet_size, colour=palette.quiet)

    def panel(self, box: Box, *, dashed: bool = False) -> None:
        """A card's ground, or the dashed outline of a place that stays empty."""
        palette = self.template.palette
        if not dashed:
            self.page.box(box, fill=palette.card, stroke=palette.line, width=_HAIRLINE_MM, radius=_RADIUS_MM)
            return
        left, top, right, foot = box.x, box.y, box.right, box.bottom
        for ends in (
            (left, top, right, top),
            (right, top, right, foot),
            (left, foot, right, foot),
            (left, top, left, foot),
        ):
            self.page.line(*ends, colour=palette.line, width=_HAIRLINE_MM, dash=1.0)

    def icon(self, drawing: Drawing, box: Box, *, tint: str | None = None) -> None:
        """An icon, filled with the icons' own colour if no other is given."""
        palette = self.template.palette
        chosen = palette.icon if tint is None else tint
        draw_icon(self.page, drawing, box, ink=palette.ink, tint=chosen)

    def beside(self, box: Box, text: str, *, side: float = 4.4, size: float | None = None) -> Box:
        """Write words, on two lines if need be; the box for the icon at their left, at most `side` mm high."""
        side = min(side, box.h * 0.86)
        words = Box(box.x + side + 1.2, box.y, box.w - side - 1.2, box.h)
        self.lines(words, text, size or self.template.type.small_pt)
        return Box(box.x, box.centre[1] - side / 2, side, side)

    def lines(self, box: Box, text: str, size: float, *, align: Align = "left") -> None:
        """Write a text on one line, or on two where it is too wide, in the middle of the box's height.

        It is set smaller where it needs to be, but not below `MIN_TYPE_PT`; what has no room then is cut.
        """
        lines, size = self._broken(text, size, box)
        top = box.y + (box.h - size * _LEADING / PT_PER_MM * len(lines)) / 2
        ink = self.template.palette.ink
        self.page.lines(Box(box.x, top, box.w, box.h), lines, size, _LEADING, colour=ink, align=align)

    def _broken(self, text: str, size: float, box: Box) -> tuple[Sequence[str], float]:
        """The lines of a text and the size at which they fit, or the least size with the rest on the last line."""
        whole = self.page.width(text, size)
        if whole > box.w and whole * _NEARLY <= box.w and size * _NEARLY >= MIN_TYPE_PT:
            nearly = size * box.w / whole - 1e-6
            if nearly * _LEADING / PT_PER_MM <= box.h:
                return [text], nearly
        while True:
            lines = self.page.wrapped(text, size, box.w)
            fits = len(lines) <= 2 and all(self.page.width(line, size) <= box.w for line in lines)
            if fits and len(lines) * size * _LEADING / PT_PER_MM <= box.h + 1e-6:
                return lines, size
            if size <= MIN_TYPE_PT:
                return [lines[0], " ".join(lines[1:])] if len(lines) > 2 else lines, size
            size = max(size - _STEP_PT, MIN_TYPE_PT)


_NUMBER_SHARE = 0.46
"""Width of the number in a cell of the bag's panels."""
_TIMES = " ×\N{NO-BREAK SPACE}"
"""Before a number: it may begin a line, and the number stays with it."""

_COST_MM = 3.0
"""Between a djinn's name and what its power costs."""


def draw_players(pen: Pen, boxes: Boxes, position: Position) -> None:
    """Step 1: what each player takes out of the box (rules 2.1, 2.2)."""
    pen.step(boxes.players_heading, 1, pen.words.steps.players)
    colours = position.colours
    count = components.camels_in_box(colours[0], len(colours)) if colours else 0
    markers = (position.bid_order or ()).count(colours[0]) if colours else 0
    pen.panel(boxes.players)
    inner = boxes.players.inset(1.6, 0.8)
    camels, marker, coins = inner.columns([inner.w * share for share in (0.4, 0.26, 0.34)])
    side, size = min(6.0, inner.h), pen.template.type.text_pt
    with pen.page.tagged(Tag.LIST):
        for colour in colours:
            tint = pen.template.camels[colour.value]
            pen.icon(CAMEL, Box(camels.x, camels.centre[1] - side / 2, side, side), tint=tint)
            camels = Box(camels.x + side * 0.86, camels.y, camels.w - side * 0.86, camels.h)
        words = Box(camels.x + side * 0.45, camels.y, camels.w - side * 0.45 - 1, camels.h)
        pen.page.text(words, pen.counted(count, "camel"), size, colour=pen.template.palette.ink, tag=Tag.LIST_ITEM)
        with pen.page.tagged(Tag.LIST_ITEM):
            icon = pen.beside(marker, pen.counted(markers, "turn marker"), side=side, size=size)
            pen.icon(MARKER, icon)
        with pen.page.tagged(Tag.LIST_ITEM):
            said = f"{pen.counted(components.START_GOLD_GC, 'GC')}, {pen.words.hints.players}"
            pen.icon(CATEGORY_ICONS["gold"], pen.beside(coins, said, side=side, size=size))


def draw_tiles(pen: Pen, boxes: Boxes, position: Position) -> None:
    """Step 2: the tiles, with the names of columns and rows around them (rules 2.3)."""
    quiet, size = pen.template.palette.quiet, pen.template.type.text_pt
    pen.step(boxes.tiles_heading, 2, pen.words.steps.tiles, pen.words.hints.tiles)
    with pen.page.tagged(Tag.TABLE):
        with pen.page.tagged(Tag.ROW):
            with pen.page.tagged(Tag.HEADER_CELL, across=True):
                pass
            for number, box in enumerate(boxes.column_names):
                with pen.page.tagged(Tag.HEADER_CELL, across=True):
                    pen.page.text(box, SQUARE_NAMES[number][0], size, colour=quiet, align="centre")
        for row in range(ROWS):
            with pen.page.tagged(Tag.ROW):
                with pen.page.tagged(Tag.HEADER_CELL):
                    name = SQUARE_NAMES[row * COLUMNS][1]
                    pen.page.text(boxes.row_names[row], name, size, colour=quiet, align="centre")
                for square in range(row * COLUMNS, (row + 1) * COLUMNS):
                    tile = position.board[square]
                    with pen.page.tagged(Tag.CELL), pen.page.tagged(Tag.FIGURE, alternative=_tile_words(pen, tile)):
                        draw_tile(pen.page, boxes.tiles[square], tile, pen.look, head=0.38)


def _tile_words(pen: Pen, tile: Tile) -> str:
    held = zip(components.Tribe, tile.meeples, strict=True)
    meeples = ", ".join(pen.counted(count, tribe.noun) for tribe, count in held if count)
    action = pen.words.actions[tile.kind.action.name.lower()]
    return f"{action} {tile.kind.vp}: {meeples}"


def draw_bag(pen: Pen, boxes: Boxes, position: Position) -> None:
    """Step 3: the meeples that go onto each row of tiles, for whoever takes them from the bag (rules 2.4)."""
    pen.step(boxes.meeples_heading, 3, pen.words.steps.meeples)
    palette = pen.template.palette
    pen.page.text(boxes.meeples_hint, pen.words.hints.meeples, pen.template.type.text_pt, colour=palette.quiet)
    for row, box in enumerate(boxes.bag):
        tiles = position.board[row * COLUMNS : (row + 1) * COLUMNS]
        counts = [sum(tile.meeples[tribe] for tile in tiles) for tribe in components.Tribe]
        words = ", ".join(pen.counted(count, tribe.noun) for tribe, count in zip(components.Tribe, counts, strict=True))
        pen.panel(box)
        with pen.page.tagged(Tag.FIGURE, alternative=f"{row + 1}: {words}"):
            _draw_counts(pen, box, counts)


def _draw_counts(pen: Pen, box: Box, counts: Sequence[int]) -> None:
    palette = pen.template.palette
    cells = box.inset(0.9, 0.6).grid(3, 2, 0.4)
    for tribe, count, cell in zip(components.Tribe, counts, cells, strict=False):
        number_width = cell.w * _NUMBER_SHARE
        side = min(cell.w - number_width - 0.9, cell.h * 0.8)
        shape = Box(cell.x + (cell.w - number_width - side) * 0.4, cell.centre[1] - side / 2, side, side)
        draw_meeple(pen.page, shape, tribe, pen.look, lettered=False)
        place = Box(cell.right - number_width, cell.y, number_width, cell.h)
        colour = palette.ink if count else palette.quiet
        size = min(cell.h * 0.55, number_width * 0.84) * PT_PER_MM
        pen.page.text(place, str(count), size, face=Face.BOLD if count else Face.REGULAR, colour=colour)
    size = pen.template.type.text_pt
    pen.page.text(cells[-1], f"= {sum(counts)}", size, colour=palette.quiet, align="centre")


def draw_legend(pen: Pen, boxes: Boxes) -> None:
    """What shapes, drawings and discs stand for, with how many there are in the box (rules 1.1, 1.2)."""
    with pen.page.tagged(Tag.LIST):
        meeples, tiles = boxes.legend.grid(1, 2)
        for tribe, box in zip(components.Tribe, meeples.grid(len(components.Tribe), 1, 2), strict=True):
            with pen.page.tagged(Tag.LIST_ITEM):
                name = with_colour(pen.words.tribes[tribe.noun], tribe, pen.language)
                icon = pen.beside(box, f"{name}{_TIMES}{components.MEEPLE_COUNTS[tribe]}")
            with pen.page.ornament():
                draw_meeple(pen.page, icon, tribe, pen.look)
        cells = tiles.grid(len(components.TileAction) + 2, 1, 1.6)
        for action, box in zip(components.TileAction, cells, strict=False):
            count = sum(kind.count for kind in components.TILE_KINDS.values() if kind.action is action)
            with pen.page.tagged(Tag.LIST_ITEM):
                icon = pen.beside(box, f"{pen.words.actions[action.name.lower()]}{_TIMES}{count}")
            ground = pen.template.grounds[action.name.lower()]
            draw_icon(pen.page, ACTION_ICONS[action], icon, ink=pen.template.palette.ink, tint=ground)
        for blue, word, box in ((False, pen.words.red, cells[-2]), (True, pen.words.blue, cells[-1])):
            count = sum(kind.count for kind in components.TILE_KINDS.values() if kind.blue is blue)
            with pen.page.tagged(Tag.LIST_ITEM):
                icon = pen.beside(box, f"{word}{_TIMES}{count}")
            draw_value(pen.page, icon, "", blue=blue, look=pen.look)


def draw_bids(pen: Pen, boxes: Boxes, markers: Sequence[components.Colour]) -> None:
    """Step 4: everybody's markers on the bid order track; spots that stay empty look so (rules 2.5)."""
    pen.step(boxes.bids_heading, 4, pen.words.steps.bids)
    palette, sizes = pen.template.palette, pen.template.type
    number_width = min(3.4, 0.11 * boxes.bids[0].w)
    with pen.page.tagged(Tag.LIST):
        for number, box in enumerate(boxes.bids):
            used = number < len(markers)
            pen.panel(box, dashed=not used)
            place, rest = box.inset(1.2, 0.6).columns([number_width, box.w - 2.4 - number_width])
            with pen.page.tagged(Tag.LIST_ITEM) if used else pen.page.ornament():
                colour = palette.ink if used else palette.quiet
                pen.page.text(place, str(number + 1), sizes.text_pt, face=Face.BOLD, colour=colour)
                if used:
                    name = markers[number].value
                    icon = pen.beside(rest, pen.words.colours[name], side=6.4, size=sizes.text_pt)
                    pen.icon(MARKER, icon, tint=pen.template.camels[name])


def draw_row(pen: Pen, boxes: Boxes, cards: Sequence[str]) -> None:
    """Step 5: the face-up resource cards from the start of the row (rules 2.6)."""
    pen.step(boxes.row_heading, 5, pen.words.steps.row, pen.words.hints.row)
    palette, sizes = pen.template.palette, pen.template.type
    with pen.page.tagged(Tag.LIST):
        for number, (box, card) in enumerate(zip(boxes.row, cards, strict=False), 1):
            pen.panel(box)
            place, picture, name = box.rows([box.h * 0.2, box.h * 0.46, box.h * 0.34])
            side = min(picture.w, picture.h)
            with pen.page.tagged(Tag.LIST_ITEM):
                pen.page.text(place.inset(1.2, 0), str(number), sizes.small_pt, colour=palette.quiet)
                pen.icon(CARD_ICONS[card], Box(picture.centre[0] - side / 2, picture.y, side, side))
                pen.lines(name.inset(0.2, 0.3), pen.words.cards[card], sizes.text_pt, align="centre")


def draw_djinns(pen: Pen, boxes: Boxes, names: Sequence[str]) -> None:
    """Step 6: the face-up djinns with what they are worth, cost and do (rules 2.7, 11)."""
    pen.step(boxes.djinns_heading, 6, pen.words.steps.djinns, pen.words.hints.djinns)
    with pen.page.tagged(Tag.LIST):
        for box, name in zip(boxes.djinns, names, strict=False):
            pen.panel(box)
            with pen.page.tagged(Tag.LIST_ITEM):
                _draw_djinn(pen, box.inset(1.6, 0.9), name)


def _draw_djinn(pen: Pen, box: Box, name: str) -> None:
    palette, sizes, words = pen.template.palette, pen.template.type, pen.words
    djinn = djinn_named(name)
    lamp_side = min(box.h, 9.0)
    lamp, text, worth = box.columns([lamp_side, box.w - lamp_side - 12 - 3.2, 12], 1.6)
    pen.icon(CATEGORY_ICONS["djinns"], Box(lamp.x, lamp.centre[1] - lamp_side / 2, lamp_side, lamp_side))
    head, power = text.rows([text.h * 0.4, text.h * 0.6])
    cost = words.costs[djinn.cost.name.lower()]
    cost_words = cost if djinn.cost is Cost.NONE else filled(words.use, cost=cost)
    named = pen.page.room_before(head, cost_words, sizes.text_pt, _COST_MM)
    used = pen.page.text(named, name, sizes.heading_pt, face=Face.BOLD, colour=palette.ink) + _COST_MM
    rest = Box(head.x + used, head.y + 0.3, head.w - used, head.h)
    pen.page.text(rest, cost_words, sizes.text_pt, colour=palette.accent)
    pen.lines(power, pen.power(name), sizes.text_pt)
    value, unit = worth.rows([worth.h * 0.62, worth.h * 0.38])
    pen.page.text(value, str(djinn.vp), sizes.title_pt * 0.66, face=Face.TITLE, colour=palette.accent, align="centre")
    name_of_points = translate(term("VP"), pen.language)
    pen.page.text(unit, name_of_points, sizes.small_pt, colour=palette.accent, align="centre")


def draw_reach(pen: Pen, boxes: Boxes) -> None:
    """Step 7: what lies ready for all."""
    pen.step(boxes.reach_heading, 7, pen.words.steps.reach)
    cells = boxes.reach.grid(3, 1, 1.2)
    size = pen.template.type.text_pt
    with pen.page.tagged(Tag.LIST):
        named = (
            ("palms", pen.counted(components.PALMS, "palms")),
            ("palaces", pen.counted(components.PALACES, "palaces")),
        )
        for box, (icon, words) in zip(cells, (*named, ("gold", pen.words.coins)), strict=True):
            with pen.page.tagged(Tag.LIST_ITEM):
                pen.icon(CATEGORY_ICONS[icon], pen.beside(box, words, side=5.6, size=size))
