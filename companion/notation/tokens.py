"""Tiles and boards as text: `O8:ggw@K^1`, five rows of six tokens (docs/notation.md)."""

from __future__ import annotations

import re
import unicodedata

from companion.errors import NotationError, quoted, with_odd_signs
from companion.language.phrase import joined, say_many
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, Board, Tile
from companion.rules.model.components import COLOUR_BY_LETTER, TILE_KINDS, TRIBE_LETTERS

_TOKEN = re.compile(
    r"(?P<kind>[A-Z]\d{1,2})(:(?P<meeples>[A-Z]*))?(@(?P<camel>[A-Z]))?(\^(?P<palms>\d{1,3}))?(#(?P<palaces>\d{1,3}))?",
    re.ASCII,
)


def parse_tile(token: str) -> Tile:
    """The tile that a token stands for; letters are read in either case and meeples in any order.

    >>> str(parse_tile("O8:wGg@p^2"))
    'O8:wgg@P^2'

    Raises NotationError with what was expected.
    """
    match = _TOKEN.fullmatch(token.upper())
    if match is None:
        if twin := next((sign for sign in token if "CYRILLIC" in unicodedata.name(sign, "")), ""):
            raise NotationError(
                "{token} is not a tile: {sign} is a Cyrillic letter; type Latin ones, such as O8:ggw or V5@K#1",
                token=quoted(token),
                sign=twin,
            )
        raise NotationError(
            "{token} is not a tile: expected TILE[:MEEPLES][@CAMEL][^PALMS][#PALACES], such as O8:ggw or V5@K#1",
            token=quoted(token),
        )
    if match["kind"] not in TILE_KINDS:
        raise NotationError(
            "{text}: no tile {typed}; the tiles are {tiles}",
            text=quoted(token),
            typed=match["kind"],
            tiles=joined(", ", TILE_KINDS),
        )
    letters = (match["meeples"] or "").lower()
    for letter in letters:
        if letter not in TRIBE_LETTERS:
            raise NotationError(
                "{text}: no meeple {letter}; y vizier, w elder, b builder, g merchant, r assassin",
                text=quoted(token),
                letter=repr(letter),
            )
    camel = match["camel"]
    if camel is not None and camel not in COLOUR_BY_LETTER:
        raise NotationError(
            "{text}: no camel {typed}; K black, O orange, B blue, P pink", text=quoted(token), typed=repr(camel)
        )
    return Tile(
        kind=TILE_KINDS[match["kind"]],
        meeples=tuple(letters.count(letter) for letter in TRIBE_LETTERS),
        camel=COLOUR_BY_LETTER[camel] if camel else None,
        palms=int(match["palms"] or 0),
        palaces=int(match["palaces"] or 0),
    )


def format_meeples(meeples: tuple[int, ...]) -> str:
    """Meeple counts by tribe as letters in the notation's order: (0, 1, 0, 2, 0) gives "wgg"."""
    return "".join(letter * count for letter, count in zip(TRIBE_LETTERS, meeples, strict=True))


def parse_board(text: str) -> Board:
    """The board of five rows of six tokens. Raises NotationError with the row, or each square, that is wrong."""
    lines = [line for line in re.split(r"[\n/]", text) if line.strip()]
    rows = [line.split() for line in lines]
    if len(rows) != ROWS:
        raise NotationError(
            say_many(
                "a board has {rows} rows of {columns} tiles; {count} row given",
                "a board has {rows} rows of {columns} tiles; {count} rows given",
                len(rows),
                rows=ROWS,
                columns=COLUMNS,
            )
        )
    for number, (row, line) in enumerate(zip(rows, lines, strict=True), 1):
        if len(row) != COLUMNS:
            raise NotationError(
                say_many(
                    "row {number} of the board has {count} tile, not {columns}: {row}",
                    "row {number} of the board has {count} tiles, not {columns}: {row}",
                    len(row),
                    number=number,
                    columns=COLUMNS,
                    row=with_odd_signs(quoted(" ".join(row)), line),
                )
            )
    tiles: list[Tile] = []
    faults: list[str] = []
    for square, token in enumerate(token for row in rows for token in row):
        try:
            tiles.append(parse_tile(token))
        except NotationError as error:
            faults.append(joined(": ", (SQUARE_NAMES[square], str(error))))
    if faults:
        raise NotationError(joined("\n", faults))
    return tuple(tiles)


def format_rows(board: Board) -> list[str]:
    """The five rows of a board, tokens separated by one space."""
    tokens = [str(tile) for tile in board]
    return [" ".join(tokens[start : start + COLUMNS]) for start in range(0, len(tokens), COLUMNS)]


def format_board(board: Board) -> str:
    """The board as five lines of six tokens."""
    return "\n".join(format_rows(board))


MAX_DIGITS = 9
"""No number that is typed anywhere has more of them."""


def whole_number(text: str) -> int | None:
    """The number that digits stand for, with or without noughts before it; None for anything else.

    One of more than `MAX_DIGITS` counts as larger than any of those.

    >>> whole_number(" 007 "), whole_number("9" * 5000), whole_number("-1")
    (7, 9999999999, None)
    """
    digits = text.strip()
    return int(digits.lstrip("0")[: MAX_DIGITS + 1] or "0") if digits.isascii() and digits.isdecimal() else None


def sowing_document(sowing: Sowing) -> dict[str, object]:
    """A sowing for JSON: {"from": "c3", "path": ["c4", "d4"], "drops": "gb"}."""
    return {
        "from": SQUARE_NAMES[sowing.start],
        "path": [SQUARE_NAMES[square] for square in sowing.path],
        "drops": "".join(tribe.letter for tribe in sowing.drops),
    }
