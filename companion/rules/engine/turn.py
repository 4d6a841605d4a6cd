"""Moving meeples, claims, tribe action, tile action: the turn on the board (rules 4 to 6).

The turn announces what happens and djinns answer by their hooks; it names none of them. The markers,
powers that are actions of their own and selling belong to the whole game (`game`, `rounds`, `selling`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import IllegalMoveError, ImpossiblePositionError
from companion.language.phrase import say
from companion.rules.engine.djinns.registry import EVERY_DJINN
from companion.rules.engine.draft import GameDraft, Watch
from companion.rules.engine.legality import malformed
from companion.rules.engine.sowing import check_sowing
from companion.rules.engine.tile_actions import do_tile_action
from companion.rules.engine.tribe_actions import do_tribe_action
from companion.rules.model.actions import LEAVE_IT, NOTHING_TO_CHOOSE, Sowing, TileChoice, TribeChoice
from companion.rules.model.board import NO_MEEPLES, with_meeples
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import Tribe
from companion.rules.model.events import Event, MeepleDropped, MeeplesTaken
from companion.rules.model.position import Position
from companion.rules.model.state import FRESH, GameState, Stage, Taken, TurnProgress


@dataclass(frozen=True, slots=True)
class Move:
    """What a player decides in a turn: the sowing, then the choices of the tribe and of the tile action.

    What is taken and claimed follows from them and is in the `PlayedMove`.
    """

    sowing: Sowing
    tribe: TribeChoice = NOTHING_TO_CHOOSE
    tile: TileChoice = LEAVE_IT


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """What a move came to: the position after it and all that happened, in order."""

    position: Position
    events: tuple[Event, ...]


_COSTLY = tuple(djinn.name for djinn in EVERY_DJINN.values() if djinn.cost.payments)


def lone_turn(position: Position, progress: TurnProgress = FRESH) -> GameState:
    """The turn of the player to move taken by itself, for positions that say too little for a whole game.

    Everybody in the game is listed, and every power with a cost counts as used, so that none is offered; `progress` is
    what was done in the turn before.
    Raises ValueError if the position says of nobody that he is to move, and ImpossiblePositionError if it
    does not hold together (`legality.malformed`).
    """
    if position.to_move is None:
        raise ValueError("nobody is to move; set to_move")
    if faults := malformed(position):
        raise ImpossiblePositionError(faults)
    players = tuple(position.player(colour) for colour in position.colours)
    return GameState(replace(position, players=players), Stage.MOVE, progress=replace(progress, used=_COSTLY))


def play_move(
    position: Position,
    move: Move,
    chance: Chance = UNSEEN,
    watch: Watch | None = None,
    progress: TurnProgress = FRESH,
) -> PlayedMove:
    """Play a turn of the player to move by itself, without powers that cost something.

    `progress` is what was done in the turn before. `chance` draws cards; a card that nobody knows is not counted.
    `watch` is called with each event and the position just after it.
    Raises IllegalMoveError that names the clause for an illegal move, and ValueError if the position says
    of nobody that he is to move.
    """
    for helper in (move.tribe.helper, move.tile.helper):
        if helper is not None:
            raise IllegalMoveError(
                say("{djinn} costs something, so it is played in a whole game only (rules 11)", djinn=helper.djinn)
            )
    draft = GameDraft.of(lone_turn(position, progress), chance, watch)
    taken = sow(draft, move.sowing)
    do_tribe_action(draft, taken, move.tribe)
    do_tile_action(draft, taken.end, move.tile)
    return PlayedMove(draft.position, tuple(draft.events))


def sow(draft: GameDraft, sowing: Sowing) -> Taken:
    """Move the meeples and claim the end tile if that empties it (rules 4.2 to 4.8)."""
    check_sowing(draft.board, sowing)
    draft.board[sowing.start] = with_meeples(draft.board[sowing.start], NO_MEEPLES)
    for square, tribe in zip(sowing.path, sowing.drops, strict=True):
        leave(draft, square, tribe)
    return take(draft, sowing.end, sowing.tribe)


def leave(draft: GameDraft, square: int, tribe: Tribe) -> None:
    """Leave a meeple on a tile while moving (rules 4.2)."""
    tile = draft.board[square]
    meeples = list(tile.meeples)
    meeples[tribe] += 1
    draft.board[square] = with_meeples(tile, tuple(meeples))
    draft.announce(MeepleDropped(draft.mover, square, tribe, tile.camel))


def take(draft: GameDraft, end: int, tribe: Tribe) -> Taken:
    """Take the meeples of a tribe in hand and claim the end tile if that empties it (rules 4.7, 4.8)."""
    tile = draft.board[end]
    meeples = list(tile.meeples)
    taken = Taken(end, tribe, meeples[tribe])
    meeples[tribe] = 0
    draft.board[end] = with_meeples(tile, tuple(meeples))
    draft.stage = Stage.TRIBE
    draft.progress = replace(draft.progress, hand=None, taken=taken)
    claim_end(draft, taken)
    return taken


def claim_end(draft: GameDraft, taken: Taken) -> None:
    """Announce what was taken from the end tile and claim it if that emptied it (rules 4.7, 4.8)."""
    draft.announce(MeeplesTaken(draft.mover, taken.end, taken.tribe, taken.count))
    draft.claim_if_bare(taken.end)
