"""The whole game: legal actions, and what each of them does (rules 3 to 9, 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.errors import IllegalMoveError, quoted
from companion.language.phrase import Phrase, joined, say, term
from companion.rules.engine import rounds
from companion.rules.engine.mutable_game import MutableGame, Watch
from companion.rules.engine.powers import power_actions, use_power
from companion.rules.engine.sowing import (
    can_drop,
    can_finish,
    check_squares,
    check_step,
    drop_options,
    liftable,
    lifted,
    standing_on,
)
from companion.rules.engine.tile_actions import do_tile_action, take_djinn, tile_choices
from companion.rules.engine.tribe_actions import do_tribe_action, tribe_choices
from companion.rules.engine.turn import leave, sales, sell, sow, take
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    PlaceBid,
    Sell,
    Sow,
    UsePower,
)
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, with_meeples
from companion.rules.model.chance import NOTHING_DRAWN, Chance, Drawn, RecordedChance, ScriptedChance
from companion.rules.model.components import Colour
from companion.rules.model.events import Event
from companion.rules.model.state import POWER_STAGES, GameState, Hand, Stage


@dataclass(frozen=True, slots=True)
class Step:
    """What an action came to: the state after it, all that happened in order, and what chance gave."""

    state: GameState
    events: tuple[Event, ...]
    drawn: Drawn = NOTHING_DRAWN


END_TURN = EndTurn()


def legal_actions(state: GameState) -> tuple[Action, ...]:
    """Every action that can be taken now, in a fixed order, none when the game is over. Nothing is spent that nobody
    knows of; a sowing is offered as `Lift` and `Drop`s, and taken as `Sow` too.
    """
    if state.is_over:
        return ()
    game = MutableGame.of(state)
    own = _OFFERS[state.stage](game)
    if state.stage in POWER_STAGES and game.moving.djinns:
        return (*power_actions(game), *own)
    return tuple(own)


def apply(state: GameState, action: Action, chance: Chance | None = None) -> GameState:
    """The state after an action; `chance` and what is raised are those of `step`."""
    return _played(state, action, ScriptedChance() if chance is None else chance).state


def step(state: GameState, action: Action, chance: Chance | None = None, watch: Watch | None = None) -> Step:
    """Take an action, and tell all that happens, to `watch` as well; `chance` draws. Raises IllegalMoveError with the
    clause, ChanceNeededError for a missing draw, UnusableInputError for an impossible one.
    """
    recording = RecordedChance(ScriptedChance() if chance is None else chance)
    game = _played(state, action, recording, watch)
    return Step(game.state, tuple(game.events), recording.drawn)


def _played(state: GameState, action: Action, chance: Chance, watch: Watch | None = None) -> MutableGame:
    kind = _KINDS.get(type(action))
    if kind is None:
        raise TypeError(f"{action!r} is no action")
    if state.stage not in kind.stages:
        expected = _WORDS[state.stage](state.mover)
        raise IllegalMoveError(
            "{action} is not possible now: {expected}", action=quoted(str(action)), expected=expected
        )
    game = MutableGame.of(state, chance, watch)
    kind.do(game, action)
    return game


_WORDS: dict[Stage, Callable[[Colour | None], Phrase]] = {
    Stage.BID: lambda mover: say("{mover} is to bid (rules 3.1)", mover=mover),
    Stage.MOVE: lambda mover: say("{mover} is to move meeples or use a power (rules 4.2, 11)", mover=mover),
    Stage.SOW: lambda mover: say("{mover} is to leave a meeple on a neighbouring tile (rules 4.2)", mover=mover),
    Stage.TRIBE: lambda mover: say("{mover} is to do the tribe action or use a power (rules 5, 11)", mover=mover),
    Stage.TILE: lambda mover: say("{mover} is to do the tile action or use a power (rules 6, 11)", mover=mover),
    Stage.CLOSE: lambda mover: say("{mover} is to use a power, sell or end the turn (rules 7, 11)", mover=mover),
    Stage.SELL: lambda mover: say("{mover} has sold, and sells more or ends the turn (rules 7)", mover=mover),
    Stage.KEEP: lambda mover: say("{mover} is to keep one of the djinns drawn (rules 11)", mover=mover),
    Stage.END: lambda _: say("the game is over (rules 9)"),
}


# What can be done in each stage, powers apart.


def _drops(game: MutableGame) -> list[Action]:
    before, here, hand = _on_its_way(game)
    options = drop_options(before, here, hand.left, standing_on(game.board))
    return [Drop(square, tribe) for square, tribe in options]


def _on_its_way(game: MutableGame) -> tuple[int | None, int, Hand]:
    hand = game.hand
    walked = (hand.start, *hand.path)
    return (walked[-2] if len(walked) > 1 else None), walked[-1], hand


def _closings(game: MutableGame) -> tuple[Action, ...]:
    return (*sales(game.moving.goods or ()), END_TURN) if game.moving.goods else (END_TURN,)


_OFFERS: dict[Stage, Callable[[MutableGame], tuple[Action, ...] | list[Action]]] = {
    Stage.BID: lambda game: tuple(rounds.bids(game)),
    Stage.MOVE: lambda game: [Lift(square) for square in liftable(game.board, standing_on(game.board))],
    Stage.SOW: _drops,
    Stage.TRIBE: lambda game: [ActTribe(choice) for choice in tribe_choices(game, game.taken)],
    Stage.TILE: lambda game: [ActTile(choice) for choice in tile_choices(game, game.taken.end)],
    Stage.CLOSE: _closings,
    Stage.SELL: _closings,
    Stage.KEEP: lambda game: [KeepDjinn(name) for name in game.progress.drawn],
}


# What each kind of action does.


def _lift(game: MutableGame, action: Lift) -> None:
    check_squares(action.square)
    tile = game.board[action.square]
    name = SQUARE_NAMES[action.square]
    if not any(tile.meeples):
        raise IllegalMoveError("{name} has no meeples to take (rules 4.2)", name=name)
    if not can_finish(None, action.square, tile.meeples, lifted(standing_on(game.board), action.square)):
        raise IllegalMoveError("no move from {name} ends on a meeple of the same colour (rules 4.5)", name=name)
    game.board[action.square] = with_meeples(tile, NO_MEEPLES)
    game.stage = Stage.SOW
    game.progress = replace(game.progress, hand=Hand(action.square, (), (), tile.meeples))


def _drop(game: MutableGame, action: Drop) -> None:
    check_squares(action.square)
    before, here, hand = _on_its_way(game)
    check_step(before, here, action.square)
    if not hand.left[action.tribe]:
        raise IllegalMoveError("no {tribe} is left in hand (rules 4.2)", tribe=term(action.tribe.noun))
    if not can_drop(here, action.square, action.tribe, hand.left, standing_on(game.board)):
        raise IllegalMoveError(
            "after {action} the last meeple could not land on one of its colour (rules 4.5)",
            action=SQUARE_NAMES[action.square] + action.tribe.letter,
        )
    left = tuple(count - (tribe == action.tribe) for tribe, count in enumerate(hand.left))
    path, drops = (*hand.path, action.square), (*hand.drops, action.tribe)
    game.progress = replace(game.progress, hand=Hand(hand.start, path, drops, left))
    leave(game, action.square, action.tribe)
    if not any(left):
        take(game, action.square, action.tribe)


def _act_tribe(game: MutableGame, action: ActTribe) -> None:
    check_squares(*(victim.square for victim in action.choice.victims))
    do_tribe_action(game, game.taken, action.choice)


def _act_tile(game: MutableGame, action: ActTile) -> None:
    check_squares(action.choice.onto)
    end = game.taken.end
    game.stage = Stage.CLOSE
    game.progress = replace(game.progress, taken=None)
    do_tile_action(game, end, action.choice)


def _use_power(game: MutableGame, action: UsePower) -> None:
    check_squares(action.square, action.onto)
    use_power(game, action)


def _keep(game: MutableGame, action: KeepDjinn) -> None:
    drawn = game.progress.drawn
    if action.djinn not in drawn:
        raise IllegalMoveError(
            "{djinn} wasn't drawn; {drawn} were (rules 11)", djinn=action.djinn, drawn=joined(", ", drawn)
        )
    # Sibittis interrupted this stage; TurnProgress names it for as long as djinns are drawn.
    game.stage = game.progress.resume or Stage.CLOSE
    game.progress = replace(game.progress, drawn=(), resume=None)
    others = tuple(name for name in drawn if name != action.djinn)
    game.djinn_discards += others
    take_djinn(game, action.djinn)


def _sell(game: MutableGame, action: Sell) -> None:
    sell(game, action)
    game.stage = Stage.SELL


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of action: the stages that it belongs to, and what it does."""

    stages: frozenset[Stage]
    do: Callable[[MutableGame, Action], None]


_KINDS: dict[type, _Kind] = {
    kind: _Kind(frozenset(stages), do)  # type: ignore[arg-type]
    for kind, do, stages in (
        (PlaceBid, rounds.place_bid, {Stage.BID}),
        (Lift, _lift, {Stage.MOVE}),
        (Sow, lambda game, action: sow(game, action.sowing), {Stage.MOVE}),
        (Drop, _drop, {Stage.SOW}),
        (ActTribe, _act_tribe, {Stage.TRIBE}),
        (ActTile, _act_tile, {Stage.TILE}),
        (UsePower, _use_power, POWER_STAGES),
        (KeepDjinn, _keep, {Stage.KEEP}),
        (Sell, _sell, {Stage.CLOSE, Stage.SELL}),
        (EndTurn, lambda game, _: rounds.end_turn(game), {Stage.CLOSE, Stage.SELL}),
    )
}
