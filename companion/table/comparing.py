"""A photo held against the game that it was taken of: what to look at before it is taken over, and what is known.

Without a game, what to look at is what was not read for sure. With one, a tile that reads as the game has it is
settled, and every other that differs is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from companion.errors import Problem
from companion.language.phrase import Phrase, joined, listed, named, say, say_as, term
from companion.rules.engine.legality import problems
from companion.rules.model.board import Board, Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.table.games import TableGame
from companion.table.photos import SeenTable

SAME_TILES = 20
"""With fewer tiles of their kind in their places than this, a photo shows another table than the game's."""


@dataclass(frozen=True, slots=True)
class TileCheck:
    """A tile to look at before a photo is taken over: as it stands, and what it may be instead, likeliest first.

    `in_game` is the tile as the game has it where that is another one, `is_impossible` tells that no play leads from
    there to what the photo shows. `confidence` is that of the reading, 0 to 1.
    """

    square: int
    tile: Tile
    confidence: float
    others: tuple[Tile, ...]
    in_game: Tile | None = None
    is_impossible: bool = False

    def change_to(self, other: Tile) -> Phrase:
        """In words, what another reading has that this one has not, and the other way round."""
        from companion.vision.board.decision import differences

        return joined(", ", list(differences(self.tile, other)))


class TablePart(StrEnum):
    """What a photo may show beside the board."""

    ROW = "row"
    DJINNS = "djinns"
    TRACKS = "tracks"


@dataclass(frozen=True, slots=True)
class PartDifference:
    """Something beside the board that a photo shows otherwise than the game has it, in words."""

    part: TablePart
    what: Phrase
    in_game: Phrase
    in_photo: Phrase


def tile_checks(seen: SeenTable, game: Board | None = None) -> tuple[TileCheck, ...]:
    """The tiles that somebody should look at: what cannot have come about first, then where most is at stake."""
    checks = [
        check
        for square in dict.fromkeys((*seen.open_squares, *seen.untold_squares))
        if (check := check_of(seen, game, square)).is_impossible
        or (square in seen.open_squares and (game is None or check.in_game is not None))
    ]
    return tuple(sorted(checks, key=lambda check: not check.is_impossible))


def check_of(seen: SeenTable, game: Board | None, square: int) -> TileCheck:
    """A tile as it would be looked at, in doubt or not."""
    tile = seen.position.board[square]
    # What else a tile may be that was told since is known of the reading alone.
    read = (seen.read if square in seen.told_tiles else seen.table.reading).tiles[square]
    in_game = game[square] if game is not None and game[square] != tile else None
    first = () if in_game is None else (in_game,)
    others = tuple(other for other in dict.fromkeys((*first, *read.offered)) if other != tile)
    is_impossible = in_game is not None and cannot_become(in_game, tile)
    return TileCheck(square, tile, read.confidence, others, in_game, is_impossible)


def board_to_compare(seen: SeenTable, game: Board) -> Board | None:
    """The game's board, None where a photo shows other tiles: then there is nothing to compare."""
    same = sum(tile.kind is known.kind for tile, known in zip(seen.position.board, game, strict=True))
    return game if same >= SAME_TILES else None


def new_faults(game: Position, after: Position) -> tuple[Problem, ...]:
    """What cannot be in a position, and was not so in the game before; the numbers of a fault may have changed."""
    before = Counter(problems(game))
    others = []
    for problem in problems(after):
        if before[problem]:
            before[problem] -= 1
        else:
            others.append(problem)
    # What is left of the old faults may stand there with other numbers.
    known = Counter((problem.where, problem.rule) for problem in before.elements())
    found = []
    for problem in others:
        kind = (problem.where, problem.rule)
        if known[kind]:
            known[kind] -= 1
        else:
            found.append(problem)
    return tuple(found)


def moved_tiles(seen: SeenTable, game: Board) -> tuple[TileCheck, ...]:
    """The tiles that the photo shows otherwise than the game has them and that nobody needs to look at."""
    open_squares = {check.square for check in tile_checks(seen, game)}
    checks = (check_of(seen, game, square) for square in range(len(game)) if square not in open_squares)
    return tuple(check for check in checks if check.in_game is not None)


def cannot_become(before: Tile, after: Tile) -> bool:
    """Whether no play makes one tile of the other: tiles, camels, palms and palaces stay (rules 2.3, 4.8, 6)."""
    return (
        after.kind is not before.kind
        or (before.camel is not None and after.camel is not before.camel)
        or after.palms < before.palms
        or after.palaces < before.palaces
    )


def part_differences(game: Position, seen: Position) -> tuple[PartDifference, ...]:
    """What the photo shows beside the board otherwise than the game has it, where both know it."""
    found = []
    if game.row is not None and seen.row is not None and game.row != seen.row:
        found.append(PartDifference(TablePart.ROW, say("Cards in the row"), _names(game.row), _names(seen.row)))
    if game.djinns is not None and seen.djinns is not None and {*game.djinns} != {*seen.djinns}:
        djinns = say("Djinns on offer")
        found.append(PartDifference(TablePart.DJINNS, djinns, _names(game.djinns), _names(seen.djinns)))
    if _tracks_differ(game, seen):
        found.append(PartDifference(TablePart.TRACKS, say("The bid tracks"), _tracks(game), _tracks(seen)))
    return tuple(found)


def photographed(table: TableGame, seen: Position, kept: Collection[TablePart] = ()) -> Position:
    """The position of a game after a photo: its board, and what it shows beside it but for the parts that are `kept`.

    What a photo does not show stays as the game has it: who plays, what players hold, the discards. Cards that came in
    a clean-up and that nobody told are not known (rules 8.1).
    """
    game = _still_known(table)
    after = replace(game, board=seen.board)
    if seen.row is not None and (game.row is None or TablePart.ROW not in kept):
        after = replace(after, row=seen.row)
    if seen.djinns is not None and (game.djinns is None or TablePart.DJINNS not in kept):
        after = replace(after, djinns=seen.djinns)
    if seen.bid_order is not None and seen.turn_order is not None:
        unknown = game.bid_order is None and game.turn_order is None
        if unknown or (_tracks_differ(game, seen) and TablePart.TRACKS not in kept):
            after = _with_tracks(after, seen)
    return after


def told_since(table: TableGame, taken: Position, now: Position) -> Position | None:
    """A game's position with what was told of a photo that went into it before, as `taken`, and tells what is `now`.

    None where the game has gone on there since: it is neither as it was taken nor as it was told.
    """
    game = table.position
    changes: dict[str, Any] = {}
    for name in (one.name for one in fields(Position) if one.name != "board"):
        was, told, here = getattr(taken, name), getattr(now, name), getattr(game, name)
        if told not in (was, here):
            changes[name] = told
            if here != was:
                return None
    board = list(game.board)
    for square, (was, told, here) in enumerate(zip(taken.board, now.board, game.board, strict=True)):
        if told not in (was, here):
            board[square] = told
            if here != was:
                return None
    if tuple(board) == game.board and not changes:
        return game
    return replace(_still_known(table), board=tuple(board), **changes)


def _still_known(table: TableGame) -> Position:
    """A game's position, without cards that lay where others have come in the clean-up that nobody told (rules 8.1)."""
    return replace(table.position, row=None, djinns=None) if table.owes_refill else table.position


def _with_tracks(game: Position, seen: Position) -> Position:
    """The position with the markers as they stand, and whose decision that makes it (rules 3.1, 3.3, 4.1)."""
    bids, turns = seen.bid_order or (), seen.turn_order or ()
    if game.phase is Phase.BID and bids:
        mover: Colour | None = bids[0]
    elif bids and bids[-1] is game.to_move:
        mover = game.to_move
    else:
        mover = turns[0].colour if turns else None
    return replace(game, bid_order=bids, turn_order=turns, to_move=mover)


def _tracks_differ(game: Position, seen: Position) -> bool:
    """Whether markers stand otherwise; a marker that its owner has not yet moved for his turn is no difference."""
    if None in (game.bid_order, game.turn_order, seen.bid_order, seen.turn_order):
        return False
    bids, turns = _markers(game)
    shown = _markers(seen)
    if (bids, turns) == shown:
        return False
    mover = game.to_move
    waits = game.phase is not Phase.BID and mover is not None and bids[-1:] == (mover,)
    return not (waits and (bids[:-1], (mover, *turns)) == shown)


def _markers(position: Position) -> tuple[tuple[Colour, ...], tuple[Colour, ...]]:
    """The markers on both tracks. Prices are left out: once paid they are over and done with (rules 3.1)."""
    return position.bid_order or (), tuple(bid.colour for bid in position.turn_order or ())


def _tracks(position: Position) -> Phrase:
    bids, turns = _markers(position)
    return say("bid order: {bids}; turn order: {turns}", bids=_colours(bids), turns=_colours(turns))


def _colours(colours: Sequence[Colour]) -> Phrase:
    return joined(", ", [term(colour) for colour in colours]) if colours else say_as("markers", "none")


def _names(names: Sequence[str]) -> Phrase:
    return listed([named(name) for name in names]) if names else say_as("cards", "none")
