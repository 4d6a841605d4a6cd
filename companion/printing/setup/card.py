"""The set-up card as a PDF: how to lay the table, and the position's code as text and QR code (rules 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.notation.codes import encode
from companion.notation.tokens import format_tile
from companion.printing.core.geometry import Box, paper_box
from companion.printing.core.icons import (
    ACTION_ICONS,
    CAMEL,
    CARD_ICONS,
    CATEGORY_ICONS,
    MARKER,
    Drawing,
    draw_icon,
    draw_tribe,
)
from companion.printing.core.page import Document
from companion.printing.core.qr import draw_code_text, draw_qr
from companion.printing.core.ruler import draw_ruler
from companion.printing.core.surface import Align
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.setup.board_picture import draw_meeple, draw_tile, draw_value
from companion.printing.setup.layout import CardBoxes, lay_out
from companion.printing.setup.template import SetupTemplate, SetupWords, load_setup_template
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.model.board import COLUMNS, SQUARE_NAMES, SQUARES
from companion.rules.model.components import (
    CARD_COUNTS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    START_GOLD_GC,
    TILE_KINDS,
    TOTAL_MEEPLES,
    Colour,
    TileAction,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Position

_HAIRLINE_MM = 0.15
_RADIUS_MM = 1.2


def check_card(language: str = "en", template: Path | None = None, font_dir: Path | None = None) -> None:
    """Refuse what a card could not be drawn with.

    Raises UsageError for a language or a folder of fonts that there is not, UnusableInputError for a bad template.
    """
    pick_words(load_setup_template(template).words, language)
    Fonts(font_dir)


def setup_card(
    position: Position,
    *,
    seed: int | None = None,
    spread: float | None = None,
    paper: str = "a4",
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF of one page for a table that is set up (rules 2); the seed is printed if given.

    So is the `spread` of a fair set-up: how far its first turns lie apart by the advisor's measure, in VP. Raises what
    `setup_pack` raises.
    """
    return setup_pack(
        [LaidTable(position, seed, spread)], paper=paper, language=language, template=template, font_dir=font_dir
    )


@dataclass(frozen=True, slots=True)
class LaidTable:
    """What a card is of: a table that is set up, its seed, and the spread of a fair one in VP; None is not printed."""

    position: Position
    seed: int | None = None
    spread: float | None = None


def setup_pack(
    tables: Sequence[LaidTable],
    *,
    paper: str = "a4",
    language: str = "en",
    template: Path | None = None,
    font_dir: Path | None = None,
) -> bytes:
    """A PDF with a card a page, as `setup_card` draws one.

    Raises UsageError for a paper or language that there is not, UnusableInputError for a bad template,
    MissingDependencyError if no font has a letter, ImpossiblePositionError if no table can look so.
    """
    chosen = load_setup_template(template)
    words = pick_words(chosen.words, language)
    boxes = lay_out(chosen, paper_box(paper))
    page = Document(boxes.paper, Fonts(font_dir), title=f"{words.title} – {words.subtitle}", language=language)
    card = _Card(page, chosen, words, boxes)
    for number, table in enumerate(tables):
        if number:
            page.next_page()
        card.draw(table)
        draw_ruler(page, boxes.ruler, boxes.ruler_text, words.scale, chosen.palette.quiet)
    return page.to_bytes()


class _Card:
    """Draws a card part by part."""

    def __init__(self, page: Document, template: SetupTemplate, words: SetupWords, boxes: CardBoxes) -> None:
        self._page = page
        self._template = template
        self._palette = template.palette
        self._sizes = template.type
        self._words = words
        self._boxes = boxes

    def draw(self, table: LaidTable) -> None:
        """All parts of a card for a table."""
        position = table.position
        self.draw_header(len(position.colours), table.seed, table.spread)
        self.draw_board(position)
        self.draw_legend()
        self.draw_row(position.row or ())
        self.draw_djinns(position.djinns or ())
        self.draw_bids(position.bid_order or ())
        self.draw_fetch(position)
        self.draw_code(encode(position))

    def draw_header(self, players: int, seed: int | None, spread: float | None = None) -> None:
        """Title, number of players, seed, how fair it is, and a rule with the five tribes' shapes."""
        page, palette, words, boxes = self._page, self._palette, self._words, self._boxes
        title, subtitle = boxes.title.rows([boxes.title.h * 0.62, boxes.title.h * 0.38])
        page.text(title, words.title, self._sizes.title_pt, face=Face.TITLE, colour=palette.accent)
        page.text(subtitle, words.subtitle, self._sizes.subtitle_pt, colour=palette.quiet)
        about = [f"{words.seed}: {seed}"] if seed is not None else []
        if spread is not None:
            about.append(filled(words.fair, spread=f"{spread:.1f}"))
        above, below = boxes.facts.rows([boxes.facts.h * 0.62, boxes.facts.h * 0.38])
        said = f"{words.players}: {players}"
        page.text(above, said, self._sizes.heading_pt * 1.2, face=Face.BOLD, colour=palette.ink, align="right")
        if about:
            page.text(below, " · ".join(about), self._sizes.subtitle_pt, colour=palette.quiet, align="right")
        box, x = boxes.ornament, boxes.ornament.x
        for tribe in Tribe:
            fill = getattr(self._template.tribes, tribe.noun)
            draw_tribe(page, tribe, Box(x, box.y, box.h, box.h), fill=fill, ink=palette.ink, width=0.18)
            x += box.h * 1.45
        for offset in (-0.35, 0.35):
            y = box.centre[1] + offset
            page.line(x + 1, y, box.right, y, colour=palette.accent, width=0.2)

    def draw_board(self, position: Position) -> None:
        """The tiles with the names of columns and rows around them."""
        boxes, sizes, quiet = self._boxes, self._sizes, self._palette.quiet
        for number, box in enumerate(boxes.column_names):
            self._page.text(box, SQUARE_NAMES[number][0], sizes.text_pt, colour=quiet, align="centre")
        for number, box in enumerate(boxes.row_names):
            self._page.text(box, SQUARE_NAMES[number * COLUMNS][1], sizes.text_pt, colour=quiet, align="centre")
        for box, tile in zip(boxes.tiles, position.board, strict=True):
            draw_tile(self._page, box, tile, format_tile(tile), self._template)

    def draw_legend(self) -> None:
        """What shapes, drawings and discs stand for, with how many there are in the box (rules 1.1, 1.2)."""
        meeples, tiles = self._boxes.legend.grid(1, 2)
        for tribe, box in zip(Tribe, meeples.grid(len(Tribe), 1, 2), strict=True):
            icon = self._legend_text(box, f"{getattr(self._words.tribes, tribe.noun)} × {MEEPLE_COUNTS[tribe]}")
            draw_meeple(self._page, icon, tribe, self._template)
        cells = tiles.grid(len(TileAction) + 2, 1, 2)
        for action, box in zip(TileAction, cells, strict=False):
            count = sum(kind.count for kind in TILE_KINDS.values() if kind.action is action)
            icon = self._legend_text(box, f"{getattr(self._words.actions, action.name.lower())} × {count}")
            draw_icon(self._page, ACTION_ICONS[action], icon, ink=self._palette.ink, tint=self._ground(action))
        for blue, word, box in ((False, self._words.red, cells[-2]), (True, self._words.blue, cells[-1])):
            count = sum(kind.count for kind in TILE_KINDS.values() if kind.blue is blue)
            icon = self._legend_text(box, f"{word} × {count}")
            draw_value(self._page, icon, "", blue=blue, template=self._template)

    def draw_row(self, cards: Sequence[str]) -> None:
        """The face-up resource cards from the start of the row (rules 2.6)."""
        self._heading(self._boxes.row_heading, self._words.row)
        for number, (box, card) in enumerate(zip(self._boxes.row, cards, strict=False), 1):
            self._panel(box)
            place, picture, name = box.rows([box.h * 0.2, box.h * 0.5, box.h * 0.3])
            self._page.text(place.inset(1.2, 0), str(number), self._sizes.small_pt, colour=self._palette.quiet)
            side = min(picture.w, picture.h)
            middle = Box(picture.centre[0] - side / 2, picture.y, side, side)
            draw_icon(self._page, CARD_ICONS[card], middle, ink=self._palette.ink, tint=self._palette.icon)
            word = getattr(self._words.cards, card)
            self._lines(name.inset(0.8, 0.4), word, self._sizes.text_pt, align="centre")

    def draw_djinns(self, names: Sequence[str]) -> None:
        """The face-up djinns with worth and cost (rules 2.7, 11)."""
        self._heading(self._boxes.djinn_heading, self._words.djinns)
        for box, name in zip(self._boxes.djinns, names, strict=False):
            self._panel(box)
            inner = box.inset(1.4)
            lamp, words, worth = inner.columns([inner.h, inner.w - inner.h * 1.75 - 2, inner.h * 0.75], 1)
            draw_icon(
                self._page,
                CATEGORY_ICONS["djinns"],
                lamp.inset(inner.h * 0.1),
                ink=self._palette.ink,
                tint=self._palette.icon,
            )
            upper, lower = words.rows([words.h * 0.5, words.h * 0.5])
            self._page.text(upper, name, self._sizes.heading_pt, face=Face.BOLD, colour=self._palette.ink)
            cost = getattr(self._words.costs, DJINNS[name].cost.name.lower())
            self._lines(lower, cost, self._sizes.small_pt)
            value = str(DJINNS[name].vp)
            size = self._sizes.title_pt * 0.6
            self._page.text(worth, value, size, face=Face.TITLE, colour=self._palette.accent, align="centre")

    def draw_bids(self, markers: Sequence[Colour]) -> None:
        """The bid order track with everybody's markers (rules 2.5)."""
        self._heading(self._boxes.bid_heading, self._words.bid_order)
        for number, box in enumerate(self._boxes.bids):
            self._panel(box)
            if number >= len(markers):
                self._page.text(box, "–", self._sizes.text_pt, colour=self._palette.quiet, align="centre")
                continue
            colour = markers[number]
            picture, word = box.inset(0.8).rows([(box.h - 1.6) * 0.64, (box.h - 1.6) * 0.36])
            place = Box(picture.x, picture.y, 4, 4)
            self._page.text(place, str(number + 1), self._sizes.small_pt, colour=self._palette.quiet)
            middle = Box(picture.centre[0] - picture.h / 2, picture.y, picture.h, picture.h)
            self._icon(CAMEL, middle, tint=getattr(self._template.camels, colour.value))
            text = getattr(self._words.colours, colour.value)
            self._page.text(word, text, self._sizes.small_pt, colour=self._palette.ink, align="centre")

    def draw_fetch(self, position: Position) -> None:
        """What to take out of the box, for each player and for all (rules 1, 2.1, 2.2)."""
        words, players = self._words.components, len(position.colours)
        markers = len(position.bid_order or ()) // max(players, 1)
        camels = camels_in_box(position.colours[0], players) if players else 0
        each: list[tuple[Drawing, int, str]] = [
            (CAMEL, camels, words.camels),
            (MARKER, markers, words.markers),
            (CATEGORY_ICONS["gold"], START_GOLD_GC, words.coins),
        ]
        everyone: list[tuple[Drawing, int, str]] = [
            (CATEGORY_ICONS["tiles"], SQUARES, words.tiles),
            (CATEGORY_ICONS["viziers"], TOTAL_MEEPLES, words.meeples),
            (CATEGORY_ICONS["palms"], PALMS, words.palms),
            (CATEGORY_ICONS["palaces"], PALACES, words.palaces),
            (CATEGORY_ICONS["goods"], sum(CARD_COUNTS.values()), words.cards),
            (CATEGORY_ICONS["djinns"], len(DJINNS), words.djinns),
        ]
        self._heading(self._boxes.fetch_heading, self._words.fetch)
        rows = self._boxes.fetch.rows([self._boxes.fetch.h / 5] * 5)
        self._page.text(rows[0], words.each, self._sizes.small_pt, colour=self._palette.quiet)
        self._page.text(rows[2], words.all, self._sizes.small_pt, colour=self._palette.quiet)
        places = [*rows[1].grid(3, 1, 1), *rows[3].grid(3, 1, 1), *rows[4].grid(3, 1, 1)]
        for place, (drawing, count, word) in zip(places, [*each, *everyone], strict=True):
            icon = self._legend_text(place, f"{word} × {count}")
            self._icon(drawing, icon, tint=self._palette.icon)

    def draw_code(self, code: str) -> None:
        """The position's code, for a camera and for a keyboard."""
        boxes, sizes = self._boxes, self._sizes
        draw_qr(self._page, code, boxes.qr)
        self._page.text(boxes.code_heading, self._words.code, sizes.text_pt, face=Face.BOLD, colour=self._palette.ink)
        draw_code_text(self._page, code, boxes.code, sizes.text_pt, colour=self._palette.ink)

    def _heading(self, box: Box, text: str) -> None:
        self._page.text(box, text, self._sizes.heading_pt, face=Face.BOLD, colour=self._palette.accent)

    def _panel(self, box: Box) -> None:
        self._page.box(box, fill=self._palette.card, stroke=self._palette.line, width=_HAIRLINE_MM, radius=_RADIUS_MM)

    def _icon(self, drawing: Drawing, box: Box, *, tint: str) -> None:
        draw_icon(self._page, drawing, box, ink=self._palette.ink, tint=tint)

    def _ground(self, action: TileAction) -> str:
        ground: str = getattr(self._template.grounds, action.name.lower())
        return ground

    def _legend_text(self, box: Box, text: str) -> Box:
        """Write a legend's words and give the box for its icon at their left."""
        side = min(4.4, box.h * 0.86)
        words = Box(box.x + side + 1.2, box.y, box.w - side - 1.2, box.h)
        self._page.text(words, text, self._sizes.small_pt, colour=self._palette.ink)
        return Box(box.x, box.centre[1] - side / 2, side, side)

    def _lines(self, box: Box, text: str, size: float, *, align: Align = "left") -> None:
        """Write a text on one line, or on two where it is too wide."""
        lines = self._page.wrapped(text, size, box.w)
        if len(lines) > 2:
            lines = [lines[0], " ".join(lines[1:])]
        for line, row in zip(lines, box.rows([box.h / len(lines)] * len(lines)), strict=True):
            self._page.text(row, line, size, colour=self._palette.ink, align=align)
