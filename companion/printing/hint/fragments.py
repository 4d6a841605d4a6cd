"""Boards and turns as elements of a web page: drawn as on paper, with tiles that can be touched and are read out."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from html import escape

from companion import palette
from companion.advisor.advice import AdviceLevel
from companion.advisor.turn_wording import TurnWords
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, counted, decimal, joined, say, say_many, term
from companion.printing.core.board import (
    CLOSE,
    FOR_TURNS,
    BoardFrame,
    Point,
    draw_board,
    draw_meeple,
    draw_pieces,
    draw_tile,
)
from companion.printing.core.geometry import Box
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CARD_ICONS, CATEGORY_ICONS, Drawing, draw_icon
from companion.printing.core.qr import QUIET_MODULES, qr_matrix
from companion.printing.core.typefaces import Fonts
from companion.printing.core.vector import Vector
from companion.printing.hint.drawing import TurnMarks, draw_turn_on_board, turn_marks
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour, TileAction, Tribe

SIDE = 30.0
"""A tile's side in a fragment's own units: lines are as wide for it as on paper."""

NAMES_COLOUR = "currentColor"
"""Names of columns and rows have the colour of the page's text, light or dark."""

_INSET = 0.03
"""How far outlines on a photo stay inside their tile, in tile sides."""

_SIGN_AT = 0.2
"""Where a tile's sign stands on a photo, in tile sides from its corner: seldom over a piece."""

_SMALL = 24.0
"""The side of an icon in a fragment's own units."""

_KEPT, _KEPT_TILES = 64, 256
"""How many drawings are kept, since they are looked at again and again."""

Homography = tuple[tuple[float, ...], ...]

Link = Callable[[int], str]
"""The address behind a tile, by its square."""


def board_fragment(
    board: Board, *, language: str = "en", link: Link | None = None, marked: Mapping[int, Phrase] | None = None
) -> str:
    """A board as SVG; each tile is a link if `link` says where to.

    `marked` tiles have a rim and a question mark, and what is said of each is read out.
    """
    box = _box(CLOSE)
    marked = marked or {}
    links = []
    for square, (place, tile) in enumerate(zip(CLOSE.tile_boxes(box), board, strict=True)):
        mark = _sign(place.centre[0], place.y + 0.2 * place.h, 0.14 * place.w, "?") if square in marked else ""
        if link is None:
            links.append(mark)
        else:
            words = square_words(square, tile, marked.get(square))
            sign = "tile doubtful" if square in marked else "tile"
            links.append(_link(sign, link(square), square, translate(words, language), _rect(place) + mark))
    return _drawn_board(board, language).fragment("".join(links))


def turn_fragment(
    board: Board, words: TurnWords, *, language: str = "en", level: AdviceLevel = AdviceLevel.FULL, whole: bool = False
) -> str:
    """A turn on a board as SVG: the tiles that it touches and their neighbours, or the `whole` board.

    No more of it is drawn than `level` tells.
    """
    marks = turn_marks(words, level)
    title_words = {
        AdviceLevel.NUDGE: words.start,
        AdviceLevel.PATH: words.path or words.headline,
        AdviceLevel.FULL: words.headline,
    }[level]
    title = translate(title_words, language)
    labels = tuple((square, translate(text, language)) for square, text in marks.labels.items())
    drawn = _drawn_turn(board, marks.sowing, labels, marks.claims, marks.is_nudge, title)
    touched = [*marks.labels, *marks.ends]
    if marks.path is not None:
        touched += [marks.path.start, *marks.path.path]
    return drawn.fragment(view=None if whole or not touched else _around(touched, _box(FOR_TURNS)))


def tapping_fragment(board: Board, *, language: str = "en", links: Mapping[int, str], way: Sequence[int] = ()) -> str:
    """A board as SVG on which some tiles can be tapped, and stand out; all others are dimmed.

    `links` are addresses by square. `way` are the tiles from which meeples were taken and on which they were left so
    far, in order: the first has a rim, the others are numbered.
    """
    box = _box(CLOSE)
    places = CLOSE.tile_boxes(box)
    dimmed, lit = [], []
    for square, (place, tile) in enumerate(zip(places, board, strict=True)):
        if square in links:
            words = translate(square_words(square, tile), language)
            lit.append(_link("tile lit", links[square], square, words, _rect(place)))
        elif links and square not in way:
            dimmed.append(f'<g class="dim">{_rect(place)}</g>')
    return _drawn_board(board, language).fragment("".join([*dimmed, *_way(places, way), *lit]))


def _way(places: Sequence[Box], way: Sequence[int]) -> list[str]:
    if not way:
        return []
    centres = [places[square].centre for square in way]
    drawn = [f'<g class="from">{_rect(places[way[0]])}</g>']
    if len(way) > 1:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in centres)
        drawn.append(f'<polyline class="way" points="{points}"/>')
    for number, square in enumerate(way[1:], 1):
        place = places[square]
        # Who comes to a tile again finds the numbers side by side.
        before = way[1:number].count(square)
        drawn.append(
            _sign(place.x + (0.2 + 0.3 * before) * place.w, place.y + 0.8 * place.h, 0.15 * place.w, str(number))
        )
    return drawn


@lru_cache(maxsize=_KEPT)
def _drawn_board(board: Board, language: str) -> Vector:
    """A board in itself: several phones look at the same one, and drawing takes longer than all else of a page."""
    box = _box(CLOSE)
    drawn = Vector(box, Fonts(), ground=None, title=translate(say("The board"), language), prefix=_prefix(board))
    draw_board(drawn, box, board, CLOSE, names=NAMES_COLOUR)
    return drawn


@lru_cache(maxsize=_KEPT)
def _drawn_turn(
    board: Board,
    sowing: Sowing | None,
    labels: tuple[tuple[int, str], ...],
    claims: tuple[int, ...],
    is_nudge: bool,
    title: str,
) -> Vector:
    box = _box(FOR_TURNS)
    drawn = Vector(box, Fonts(), ground=None, title=title, prefix=_prefix((board, sowing, labels, claims, is_nudge)))
    marks = TurnMarks(sowing, dict(labels), claims, is_nudge)
    draw_turn_on_board(drawn, box, board, marks, names=NAMES_COLOUR)
    return drawn


@lru_cache(maxsize=_KEPT_TILES)
def tile_fragment(tile: Tile, *, language: str = "en") -> str:
    """One tile as SVG."""
    box = Box(0, 0, SIDE, SIDE)
    title = translate(tile_words(tile), language)
    drawn = Vector(box, Fonts(), ground=None, title=title, prefix=_prefix((tile,)))
    draw_tile(drawn, box.inset(0.3), tile)
    return drawn.fragment()


def outlines_fragment(
    homography: Sequence[Sequence[float]],
    size: tuple[int, int],
    board: Board,
    *,
    language: str = "en",
    link: Link,
    doubtful: Mapping[int, Phrase],
    told: Collection[int] = (),
    shown: int | None = None,
) -> str:
    """A board as SVG to lie over its photo: what was read of each tile, and links that follow the tiles' outlines.

    `homography` maps board coordinates (tile sides) to px of a photo of that width and height; tiles in doubt are loud,
    `told` are squares that a person has answered for, `shown` is the one that is looked at.
    """
    lies = tuple(map(tuple, homography))
    links = []
    # Doubtful ones come last, so that nothing lies over them.
    for square in sorted(range(COLUMNS * ROWS), key=lambda one: (one == shown, one in doubtful, one)):
        row, column = divmod(square, COLUMNS)
        points = _corners(lies, size, square)
        words = translate(square_words(square, board[square], doubtful.get(square)), language)
        sign = "tile doubtful" if square in doubtful else "tile told" if square in told else "tile"
        outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = _mapped(lies, (column + _SIGN_AT, row + _SIGN_AT), _unit_px(size))
        mark = (
            _sign(x, y, 0.13 * SIDE, "?" if square in doubtful else "✓") if square in doubtful or square in told else ""
        )
        inside = f'<polygon points="{outline}"/>{mark}'
        links.append(_link(sign + " shown" * (square == shown), link(square), square, words, inside))
    return _drawn_pieces(lies, size, board).fragment("".join(links))


@lru_cache(maxsize=_KEPT)
def _drawn_pieces(homography: Homography, size: tuple[int, int], board: Board) -> Vector:
    """What stands on each tile of a photo, in a strip along its lower edge."""
    unit = _unit_px(size)
    box = Box(0, 0, size[0] / unit, size[1] / unit)
    drawn = Vector(box, Fonts(), ground=None, title="", prefix=_prefix((homography, board)))
    for square, tile in enumerate(board):
        corners = _corners(homography, size, square)
        lower = sorted(corners, key=lambda point: point[1])[2:]
        middle = sum(x for x, _ in corners) / 4
        draw_pieces(drawn, (middle, sum(y for _, y in lower) / 2), 0.92 * abs(lower[0][0] - lower[1][0]), tile)
    return drawn


def _unit_px(size: tuple[int, int]) -> float:
    """The px of a photo of a board that are a unit of what lies over it, with tiles of some `SIDE` units."""
    return max(size) / (SIDE * (COLUMNS + 1))


def _corners(homography: Homography, size: tuple[int, int], square: int) -> list[Point]:
    """The corners of a tile over a photo, a little inside it."""
    row, column = divmod(square, COLUMNS)
    low, high = _INSET, 1 - _INSET
    corners = [(low, low), (high, low), (high, high), (low, high)]
    return [_mapped(homography, (column + x, row + y), _unit_px(size)) for x, y in corners]


@lru_cache(maxsize=len(Tribe))
def meeple_fragment(tribe: Tribe) -> str:
    """A meeple's shape in its colour with its letter, to stand beside words."""
    return _beside_words(f"m{tribe.letter}", lambda drawn, box: draw_meeple(drawn, box, tribe))


@lru_cache(maxsize=64)
def icon_fragment(name: str) -> str:
    """A drawing to stand beside words: a category of the score, "fakir" or a good, a tile's action, or a camel.

    Camels are named "camel-black" and so on, goods "card-ivory". Raises KeyError for what there is no drawing of.
    """
    kind, _, which = name.partition("-")
    tint = palette.PAPER
    drawing: Drawing
    if kind == "camel":
        drawing, tint = CAMEL, palette.CAMELS[Colour(which).value]
    elif kind == "card":
        drawing, tint = CARD_ICONS[which], palette.ICON
    elif kind == "tile":
        drawing = ACTION_ICONS[TileAction(which.replace("_", " "))]
    else:
        drawing, tint = CATEGORY_ICONS[name], palette.ICON
    return _beside_words(f"i{name}", lambda drawn, box: draw_icon(drawn, drawing, box, ink=palette.INK, tint=tint))


@lru_cache(maxsize=4)
def qr_fragment(text: str) -> str:
    """A text's QR code as SVG, dark on light with its quiet zone, whatever the page's colours are."""
    matrix = qr_matrix(text)
    side = len(matrix) + 2 * QUIET_MODULES
    dark = "".join(
        f"M{x + QUIET_MODULES} {y + QUIET_MODULES}h1v1h-1z"
        for y, row in enumerate(matrix)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    ground = f'<rect width="{side}" height="{side}" fill="#fff"/>'
    return f'<svg viewBox="0 0 {side} {side}" aria-hidden="true">{ground}<path d="{dark}"/></svg>'


def tile_words(tile: Tile) -> Phrase:
    """A tile as it is read out: "oasis 8: 2 merchants, 1 assassin, 1 palm, pink camel"."""
    meeples = zip(Tribe, tile.meeples, strict=True)
    parts: list[Phrase] = [counted(number, tribe.noun) for tribe, number in meeples if number]
    if tile.palms:
        parts.append(say_many("{count} palm", "{count} palms", tile.palms))
    if tile.palaces:
        parts.append(say_many("{count} palace", "{count} palaces", tile.palaces))
    if tile.camel is not None:
        parts.append(say("{colour} camel", colour=term(tile.camel)))
    kind = say("{tile} {points}", tile=term(tile.kind.action), points=tile.kind.vp)
    return say("{tile}: {what}", tile=kind, what=joined(", ", parts)) if parts else say("{tile}: empty", tile=kind)


def square_words(square: int, tile: Tile, doubt: Phrase | None = None) -> Phrase:
    """A tile of a board as it is read out, with what is to be said of it besides."""
    words = say("{square}, {tile}", square=SQUARE_NAMES[square], tile=tile_words(tile))
    return words if doubt is None else joined("; ", (words, doubt))


def doubt_words(confidence: float) -> Phrase:
    """What is read out of a tile in doubt: how sure its reading is, `confidence` from 0 to 1."""
    return say("doubtful, {percent}% sure", percent=decimal(100 * confidence, 0))


def _beside_words(prefix: str, draw: Callable[[Vector, Box], None]) -> str:
    """A small drawing that is not read out."""
    box = Box(0, 0, _SMALL, _SMALL)
    drawn = Vector(box, Fonts(), ground=None, title="", prefix=prefix)
    draw(drawn, box.inset(1))
    return drawn.fragment().replace('role="img" aria-label=""', 'aria-hidden="true" focusable="false"', 1)


def _box(frame: BoardFrame) -> Box:
    return Box(0, 0, frame.width * SIDE, frame.height * SIDE)


def _prefix(what: object) -> str:
    """Names of letters of this drawing alone: two drawings of one page may not share them."""
    return f"g{zlib.crc32(repr(what).encode()):08x}-"


def _rect(place: Box) -> str:
    size = f'width="{place.w:.1f}" height="{place.h:.1f}" rx="{0.06 * place.w:.1f}"'
    return f'<rect x="{place.x:.1f}" y="{place.y:.1f}" {size}/>'


def _link(sign: str, address: str, square: int, words: str, inside: str) -> str:
    """A tile that can be touched, with what is read out of it."""
    look = f'class="{sign}" href="{escape(address, quote=True)}" aria-label="{escape(words, quote=True)}"'
    return f'<a {look} data-square="{SQUARE_NAMES[square]}">{inside}</a>'


def _sign(x: float, y: float, radius: float, text: str) -> str:
    size, foot = 1.4 * radius, y + 0.5 * radius
    letter = f'<text x="{x:.1f}" y="{foot:.1f}" font-size="{size:.1f}" text-anchor="middle">{text}</text>'
    return f'<g class="sign"><circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>{letter}</g>'


def _around(squares: Collection[int], box: Box) -> Box:
    project = FOR_TURNS.projection(box)
    grid, side = FOR_TURNS.grid, SIDE
    centres = [project(grid.centre(square)) for square in squares]
    rim = 0.5 * side + (grid.gap + 0.15) * side
    left, right = (pick(x for x, _ in centres) + sign * rim for pick, sign in ((min, -1), (max, 1)))
    top, bottom = (pick(y for _, y in centres) + sign * rim for pick, sign in ((min, -1), (max, 1)))
    least = 3 * (1 + grid.gap) * side
    x, w = _widened(left, right, least, box.w)
    y, h = _widened(top, bottom, least, box.h)
    return Box(x, y, w, h)


def _widened(low: float, high: float, least: float, whole: float) -> tuple[float, float]:
    """A stretch of at least that length around another, within the whole: where it begins, and its length."""
    length = min(max(high - low, least), whole)
    start = min(max((low + high - length) / 2, 0.0), whole - length)
    return start, length


def _mapped(matrix: Homography, point: Point, unit: float) -> Point:
    x, y, w = (row[0] * point[0] + row[1] * point[1] + row[2] for row in matrix)
    return x / w / unit, y / w / unit
