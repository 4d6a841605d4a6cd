"""Boards and turns as elements of a web page: drawn as on paper, with tiles that can be touched and are read out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from types import MappingProxyType

from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.drawing import palette
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, counted, decimal, joined, listed_or, say, say_many, term
from companion.printing.core.board import (
    CLOSE,
    FOR_SCREENS,
    GAME_LOOK,
    BoardFrame,
    BoardLook,
    Point,
    draw_meeple,
    draw_names,
    draw_pieces,
    draw_tile,
    meeple_places,
    meeple_room,
)
from companion.printing.core.geometry import Box
from companion.printing.core.icons import ACTION_ICONS, CAMEL, CARD_ICONS, CATEGORY_ICONS, Drawing, draw_icon
from companion.printing.core.qr import QUIET_MODULES, qr_matrix, qr_modules
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Fonts
from companion.printing.core.vector import Vector, svg_fragment
from companion.printing.hint.drawing import TurnMarks, draw_marks, turn_marks
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import AssassinsKilled, MeeplesTaken

SIDE = 30.0
"""A tile's side in a fragment's own units: lines are as wide for it as on paper."""

HEAD = 0.29
"""How high kind and value of a tile are, as a share of its side: they are read at arm's length."""

_ARROW_TYPE = 0.19
"""The least type of arrows' numbers, as a share of a tile's side."""

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

Owners = Mapping[Colour, str]
"""The letters of players by their colours; the colour's own letter where there is none."""
NOBODY: Owners = MappingProxyType({})


def board_fragment(
    board: Board,
    *,
    language: str = "en",
    link: Link | None = None,
    marked: Mapping[int, Phrase] | None = None,
    owners: Owners = NOBODY,
) -> str:
    """A board as SVG; each tile is a link if `link` says where to.

    `marked` tiles have a rim and a question mark, and what is said of each is read out. `owners` are the letters of
    players by their colours.
    """
    marked = marked or {}
    links = []
    for square, (place, tile) in enumerate(zip(_places(CLOSE), board, strict=True)):
        mark = _sign(place.centre[0], place.y + 0.2 * place.h, 0.14 * place.w, "?") if square in marked else ""
        if link is None:
            links.append(mark)
        else:
            words = square_words(square, tile, marked.get(square))
            sign = "tile doubtful" if square in marked else "tile"
            links.append(_link(sign, link(square), square, translate(words, language), _rect(place) + mark))
    return _board_svg(board, CLOSE, translate(say("The board"), language), owners, over="".join(links))


def turn_fragment(
    board: Board,
    turn: AdvisedTurn,
    *,
    language: str = "en",
    level: AdviceLevel = AdviceLevel.FULL,
    owners: Owners = NOBODY,
) -> str:
    """A turn on a board as SVG, with arrows between the tiles; no more of it than `level` tells."""
    marks = turn_marks(turn, level)
    title_words = {
        AdviceLevel.NUDGE: turn.explained.start,
        AdviceLevel.PATH: turn.explained.path or turn.explained.headline,
        AdviceLevel.FULL: turn.explained.headline,
    }[level]
    counts = _counts(turn) if level is AdviceLevel.FULL else {}
    drawn = _arrows(marks.sowing, marks.claims, marks.is_nudge)
    signs = "".join(
        _on_pieces(place, board[square], counts[square])
        for square, place in enumerate(_places(FOR_SCREENS))
        if square in counts
    )
    return _board_svg(board, FOR_SCREENS, translate(title_words, language), owners, marks=drawn, signs=signs)


def _counts(turn: AdvisedTurn) -> dict[int, dict[Tribe, str]]:
    """What stands on pieces of a turn: how many are taken of a tribe, and a cross where one is killed."""
    signs: dict[int, dict[Tribe, str]] = {}
    for event in turn.explained.events:
        if isinstance(event, MeeplesTaken):
            signs.setdefault(event.square, {})[event.tribe] = str(event.count)
        elif isinstance(event, AssassinsKilled):
            for victim in event.victims:
                if victim.square is not None:
                    signs.setdefault(victim.square, {})[victim.tribe] = "×"
    return signs


def tapping_fragment(
    board: Board,
    *,
    language: str = "en",
    links: Mapping[int, str],
    others: Mapping[int, str] = MappingProxyType({}),
    way: Sequence[int] = (),
    ways: Collection[int] = (),
    ends: Mapping[int, Mapping[Tribe, int]] | None = None,
    owners: Owners = NOBODY,
) -> str:
    """A board as SVG on which some tiles can be tapped, and stand out; all others are dimmed.

    `links` are addresses by square, `others` those of tiles that lead elsewhere and do not stand out. `way` are the
    tiles from which meeples were taken and on which they were left so far, in order: the first has a rim, the others
    are numbered; `ways` are those on which it can go on, which are lit. `ends` are tiles on which the way can end, with
    how many of which tribe are taken there.
    """
    ends = ends or {}
    dimmed, signs, lit = [], [], []
    places = _places(CLOSE)
    for square, (place, tile) in enumerate(zip(places, board, strict=True)):
        taken = ends.get(square, {})
        if square in ends:
            signs.append(f'<g class="end">{_rect(place)}</g>')
            signs.append(_on_pieces(place, tile, {tribe: str(count) for tribe, count in taken.items()}))
        words = square_words(square, tile, taken_words(taken) if taken else None)
        if square in links:
            lit.append(_link("tile lit", links[square], square, translate(words, language), _rect(place)))
        elif square in ways:
            signs.append(f'<g class="on-way">{_rect(place)}</g>')
        elif (links or ends) and square not in ends and square not in way:
            dimmed.append(f'<g class="dim">{_rect(place)}</g>')
        if square in others and square not in links:
            lit.append(_link("tile", others[square], square, translate(words, language), _rect(place)))
    over = "".join([*dimmed, *_way(places, way), *signs, *lit])
    return _board_svg(board, CLOSE, translate(say("The board"), language), owners, over=over)


def taken_words(taken: Mapping[Tribe, int]) -> Phrase:
    """What can be taken where a way ends: "take 3 viziers or 2 elders"."""
    return say("take {what}", what=listed_or([counted(count, tribe.noun) for tribe, count in taken.items()]))


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


def _on_pieces(place: Box, tile: Tile, texts: Mapping[Tribe, str]) -> str:
    """A sign at the first piece of each tribe that has a text."""
    look = _look(NOBODY)
    stand = dict(reversed(meeple_places(meeple_room(place, tile, look, head=HEAD), tile, look)))
    return "".join(
        _sign(stand[tribe].right, stand[tribe].y + 0.08 * stand[tribe].h, 0.11 * place.w, text)
        for tribe, text in texts.items()
        if tribe in stand
    )


def _board_svg(
    board: Board,
    frame: BoardFrame,
    title: str,
    owners: Owners,
    *,
    marks: Vector | None = None,
    signs: str = "",
    over: str = "",
) -> str:
    """A board in a frame, each tile drawn once and kept, with `marks` and `signs` on it, and links `over` it."""
    drawn = [(_names(frame), "")]
    for place, tile in zip(_places(frame), board, strict=True):
        letter = "" if tile.camel is None else owners.get(tile.camel, tile.camel.letter)
        drawn.append((_drawn_tile(tile, letter), f' transform="translate({place.x:.2f} {place.y:.2f})"'))
    if marks is not None:
        drawn.append((marks, ""))
    defs = {name: shape for vector, _ in drawn for name, shape in vector.defs.items()}
    parts = [f"<g{shift}>{vector.drawn}</g>" for vector, shift in drawn]
    return svg_fragment(_box(frame), title, defs, "".join([*parts, signs]), over)


@lru_cache(maxsize=_KEPT_TILES)
def _drawn_tile(tile: Tile, letter: str) -> Vector:
    """A tile by itself, put into all boards: drawing takes longer than all else of a page."""
    drawn = Vector(Box(0, 0, SIDE, SIDE), Fonts(), ground=None, title="", prefix="t-", least_pt=1.0)
    draw_tile(drawn, Box(0, 0, SIDE, SIDE), tile, _look({} if tile.camel is None else {tile.camel: letter}), head=HEAD)
    return drawn


def _look(owners: Owners) -> BoardLook:
    return replace(GAME_LOOK, owners={colour.value: letter for colour, letter in owners.items()})


@lru_cache(maxsize=4)
def _names(frame: BoardFrame) -> Vector:
    drawn = Vector(_box(frame), Fonts(), ground=None, title="", prefix="t-")
    draw_names(drawn, _box(frame), frame, NAMES_COLOUR)
    return drawn


@lru_cache(maxsize=_KEPT)
def _arrows(sowing: Sowing | None, claims: tuple[int, ...], is_nudge: bool) -> Vector:
    least_pt = _ARROW_TYPE * SIDE * PT_PER_MM
    drawn = Vector(_box(FOR_SCREENS), Fonts(), ground=None, title="", prefix="t-", least_pt=least_pt)
    draw_marks(drawn, _box(FOR_SCREENS), TurnMarks(sowing, {}, claims, is_nudge), frame=FOR_SCREENS)
    return drawn


@lru_cache(maxsize=4)
def _places(frame: BoardFrame) -> tuple[Box, ...]:
    return tuple(frame.tile_boxes(_box(frame)))


@lru_cache(maxsize=_KEPT_TILES)
def tile_fragment(tile: Tile, *, language: str = "en") -> str:
    drawn = _drawn_tile(tile, "" if tile.camel is None else tile.camel.letter)
    return svg_fragment(Box(0, 0, SIDE, SIDE), translate(tile_words(tile), language), drawn.defs, drawn.drawn)


def outlines_fragment(
    homography: Sequence[Sequence[float]],
    size: tuple[int, int],
    board: Board,
    *,
    language: str = "en",
    link: Link,
    doubtful: Mapping[int, Phrase],
    answered: Collection[int] = (),
) -> str:
    """A board as SVG to lie over its photo: what was read of each tile, and links that follow the tiles' outlines.

    `homography` maps board coordinates (tile sides) to px of a photo of that width and height; tiles in doubt are loud,
    `answered` are squares that a person has answered for.
    """
    lies = tuple(map(tuple, homography))
    links = []
    # Doubtful ones come last, so that nothing lies over them.
    for square in sorted(range(COLUMNS * ROWS), key=lambda one: (one in doubtful, one)):
        row, column = divmod(square, COLUMNS)
        points = _corners(lies, size, square)
        words = translate(square_words(square, board[square], doubtful.get(square)), language)
        sign = "tile doubtful" if square in doubtful else "tile told" if square in answered else "tile"
        outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = _mapped(lies, (column + _SIGN_AT, row + _SIGN_AT), _unit_px(size))
        letter = "?" if square in doubtful else "✓" if square in answered else ""
        mark = _sign(x, y, 0.13 * SIDE, letter) if letter else ""
        inside = f'<polygon points="{outline}"/>{mark}'
        links.append(_link(sign, link(square), square, words, inside))
    return _drawn_pieces(lies, size, board).fragment("".join(links))


@lru_cache(maxsize=_KEPT)
def _drawn_pieces(homography: Homography, size: tuple[int, int], board: Board) -> Vector:
    """What stands on each tile of a photo, in a strip along its lower edge."""
    unit = _unit_px(size)
    box = Box(0, 0, size[0] / unit, size[1] / unit)
    drawn = Vector(box, Fonts(), ground=None, title="", prefix="t-")
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
    side = len(qr_matrix(text)) + 2 * QUIET_MODULES
    dark = "".join(f"M{module.x:g} {module.y:g}h1v1h-1z" for module in qr_modules(text, Box(0, 0, side, side)))
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
    kind = joined(" ", (term(tile.kind.action), str(tile.kind.vp)))
    return say("{what}: {value}", what=kind, value=joined(", ", parts)) if parts else say("{tile}: empty", tile=kind)


def square_words(square: int, tile: Tile, doubt: Phrase | None = None) -> Phrase:
    """A tile of a board as it is read out, with what is to be said of it besides."""
    words = joined(", ", (SQUARE_NAMES[square], tile_words(tile)))
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


def _mapped(matrix: Homography, point: Point, unit: float) -> Point:
    x, y, w = (row[0] * point[0] + row[1] * point[1] + row[2] for row in matrix)
    return x / w / unit, y / w / unit
