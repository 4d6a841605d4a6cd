"""What the components allow and the rules make unlikely: worth a second look at a position, and no fault."""

from __future__ import annotations

from collections.abc import Iterator

from companion.language.phrase import say, say_many
from companion.rules.engine.legality import most_markers
from companion.rules.model.board import SQUARE_NAMES, SQUARES, SURROUNDINGS
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, TileAction
from companion.rules.model.position import Phase, Position


def oddities(position: Position) -> list[str]:
    """What the components allow and the rules make unlikely or impossible: worth a second look, no fault.

    Each is a sentence with the square or the part of the position, and the rule.
    """
    if len(position.board) != SQUARES:
        return []
    return [*_stray_buildings(position), *_out_of_turn(position), *_short_supplies(position)]


def _stray_buildings(position: Position) -> Iterator[str]:
    for square, tile in enumerate(position.board):
        near = {position.board[other].kind.action for other in SURROUNDINGS[square]} | {tile.kind.action}
        if tile.palms and TileAction.OASIS not in near:
            yield say(
                "{square}: a palm with no oasis on the tile or around it (rules 6.1, 11.2)", square=SQUARE_NAMES[square]
            )
        if tile.palaces and TileAction.VILLAGE not in near:
            yield say(
                "{square}: a palace with no village on the tile or around it (rules 6.2, 11.2)",
                square=SQUARE_NAMES[square],
            )


def _out_of_turn(position: Position) -> Iterator[str]:
    waiting = [bid.colour for bid in position.turn_order or ()]
    mover = position.to_move
    if position.phase is Phase.END and waiting:
        yield say("turn_order: markers are still to play, but the game is over (rules 9.1)")
    elif not waiting or mover is None or position.phase is Phase.BID:
        return
    # A marker leaves the track when its turn begins (rules 4.1), so the mover may be missing from it.
    elif waiting[0] is not mover and waiting.count(mover) == most_markers(position, mover):
        yield say(
            "to_move: {mover} is to move, but {waiting} plays first on the turn order track (rules 3.3)",
            mover=mover,
            waiting=waiting[0],
        )


def _short_supplies(position: Position) -> Iterator[str]:
    if position.phase is not Phase.BID:
        return
    if position.row is not None and len(position.row) < ROW_LENGTH:
        yield say_many(
            "row: {count} card at the bidding, where clean-up leaves {row_length} (rules 8.1)",
            "row: {count} cards at the bidding, where clean-up leaves {row_length} (rules 8.1)",
            len(position.row),
            row_length=ROW_LENGTH,
        )
    if position.djinns is not None and len(position.djinns) < FACE_UP_DJINNS:
        number = len(position.djinns)
        yield say(
            "djinns: {number} face up at the bidding, where clean-up leaves {face_up_djinns} (rules 8.1)",
            number=number,
            face_up_djinns=FACE_UP_DJINNS,
        )
