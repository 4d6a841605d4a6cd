"""A photo compared with its game: what to check before the game takes it over, and what changes.

Without a game, doubtful tiles are checked. With one, a tile that reads as the game has it is settled, and every other
that differs is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, TypeVar

from companion.errors import Problem
from companion.language.phrase import Phrase, capitalised, listed, named, say, say_as
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, Board, Tile, parse_square
from companion.rules.model.position import Position
from companion.table.games import TableGame
from companion.table.photos import TableReading

T = TypeVar("T")

SAME_TILES = 20
"""With fewer tiles of their kind in their places than this, a photo shows another table than the game's."""


class TablePart(StrEnum):
    """What a photo may show beside the board."""

    ROW = "row"
    DJINNS = "djinns"


@dataclass(frozen=True, slots=True)
class PartDifference:
    """Something beside the board that a photo shows otherwise than the game has it, in words."""

    part: TablePart
    what: Phrase
    in_game: Phrase
    in_photo: Phrase


@dataclass(frozen=True, slots=True)
class TileCheck:
    """A tile to look at, as it reads by now and as the game has it, if otherwise; no play may lead to it."""

    label: str
    tile: Tile
    in_game: Tile | None = None
    is_impossible: bool = False


def tiles_to_check(seen: TableReading, game: Board | None = None) -> tuple[TileCheck, ...]:
    """The tiles that somebody should look at: what cannot have come about first, then where most is at stake."""
    if game is not None and not seen.shows_board:
        return ()
    unchecked = (square for square, name in enumerate(SQUARE_NAMES) if name not in seen.corrected)
    checks = [
        check
        for square in dict.fromkeys((*seen.open_squares, *unchecked))
        if (check := check_of(seen, game, square)).is_impossible
        or (square in seen.open_squares and (game is None or check.in_game is not None))
    ]
    return tuple(sorted(checks, key=lambda check: not check.is_impossible))


def tiles_to_look_at(seen: TableReading, game: Board | None = None) -> tuple[TileCheck, ...]:
    """The tiles to check and those that were, as they are by now, in an order that answers don't change."""
    unanswered = replace(seen, reading=seen.as_read, corrected=frozenset())
    checks = (*tiles_to_check(unanswered, game), *tiles_to_check(seen, game))
    return tuple(check_of(seen, game, parse_square(label)) for label in dict.fromkeys(check.label for check in checks))


def offered_for(seen: TableReading, game: Board | None, square: int) -> list[Tile]:
    """What a tile may be, in an order that answers don't change: as read, as in the game, then the others."""
    read, *others = seen.as_read.tiles[square].offered
    in_game = () if game is None else (game[square],)
    return list(dict.fromkeys((read, *in_game, *others, seen.position.board[square])))


def check_of(seen: TableReading, game: Board | None, square: int) -> TileCheck:
    """A tile as it would be looked at, in doubt or not, and what the game has there."""
    tile = seen.position.board[square]
    in_game = game[square] if game is not None and game[square] != tile else None
    is_impossible = in_game is not None and cannot_become(in_game, tile)
    return TileCheck(SQUARE_NAMES[square], tile, in_game, is_impossible)


def board_to_compare(seen: TableReading, game: Board) -> Board | None:
    """The game's board, None where a photo shows other tiles: then there is nothing to compare."""
    same = sum(tile.kind is known.kind for tile, known in zip(seen.position.board, game, strict=True))
    return game if same >= SAME_TILES else None


def new_faults(game: Position, after: Position) -> tuple[Problem, ...]:
    """What can't be in a position, and wasn't so in the game before; the numbers of a fault may have changed."""
    before = Counter(problems(game))
    others = [problem for problem in problems(after) if not _take(before, problem)]
    # What is left of the old faults may stand there with other numbers.
    kinds = Counter((problem.where, problem.rule) for problem in before.elements())
    return tuple(problem for problem in others if not _take(kinds, (problem.where, problem.rule)))


def _take(counts: Counter[T], item: T) -> bool:
    """Take one such item away; whether there was one."""
    counts[item] -= 1
    return counts[item] >= 0


def moved_tiles(seen: TableReading, game: Board) -> tuple[TileCheck, ...]:
    """The tiles that the photo shows otherwise than the game has them and that nobody needs to look at."""
    if not seen.shows_board:
        return ()
    to_check = {check.label for check in tiles_to_check(seen, game)}
    checks = (check_of(seen, game, square) for square, name in enumerate(SQUARE_NAMES) if name not in to_check)
    return tuple(check for check in checks if check.in_game is not None)


def cannot_become(before: Tile, after: Tile) -> bool:
    """Whether no play can turn one tile into the other: tiles, camels, palms and palaces stay (rules 2.3, 4.8, 6)."""
    return (
        after.kind is not before.kind
        or (before.camel is not None and after.camel is not before.camel)
        or after.palms < before.palms
        or after.palaces < before.palaces
    )


def part_differences(game: Position, seen: Position) -> tuple[PartDifference, ...]:
    """What the photo shows beside the board otherwise than the game has it, where both know it."""
    differences = []
    if game.row is not None and seen.row is not None and game.row != seen.row:
        cards = capitalised(say("cards in the row"))
        differences.append(PartDifference(TablePart.ROW, cards, _names(game.row), _names(seen.row)))
    if game.djinns is not None and seen.djinns is not None and {*game.djinns} != {*seen.djinns}:
        djinns = say("Djinns on offer")
        differences.append(PartDifference(TablePart.DJINNS, djinns, _names(game.djinns), _names(seen.djinns)))
    return tuple(differences)


def photographed(table: TableGame, seen: Position, unchanged: Collection[TablePart] = ()) -> Position:
    """A game's position after a photo of the board and, but for what's `unchanged`, what lies beside; all else stays.
    A clean-up that nobody has entered is unknown (rules 8.1).
    """
    game = _still_known(table)
    after = replace(game, board=seen.board)
    if seen.row is not None and (game.row is None or TablePart.ROW not in unchanged):
        after = replace(after, row=seen.row)
    if seen.djinns is not None and (game.djinns is None or TablePart.DJINNS not in unchanged):
        after = replace(after, djinns=seen.djinns)
    return after


def corrected_since(table: TableGame, taken: Position, now: Position) -> Position | None:
    """A game's position with a photo's corrections since it was `taken`; None where the game went on there."""
    game = table.position
    names = [field.name for field in fields(Position) if field.name != "board"]
    changes: dict[str, Any] = {}
    pairs: list[tuple[str | int, Any, Any, Any]] = [
        (name, getattr(taken, name), getattr(now, name), getattr(game, name)) for name in names
    ]
    pairs += [(square, *tiles) for square, tiles in enumerate(zip(taken.board, now.board, game.board, strict=True))]
    board = list(game.board)
    for place, was, corrected, here in pairs:
        if corrected in (was, here):
            continue
        if here != was:
            return None
        if isinstance(place, int):
            board[place] = corrected
        else:
            changes[place] = corrected
    if tuple(board) == game.board and not changes:
        return game
    return replace(_still_known(table), board=tuple(board), **changes)


def _still_known(table: TableGame) -> Position:
    """A game's position; what came in a clean-up that nobody has entered is unknown (rules 8.1)."""
    return replace(table.position, row=None, djinns=None) if table.owes_refill else table.position


def _names(names: Sequence[str]) -> Phrase:
    return listed([named(name) for name in names]) if names else say_as("cards", "none")
