"""A random set-up of the table (rules 2), the same for the same seed on every Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from companion.errors import ArgumentError, CompanionError, ImpossiblePositionError, Problem, UnusableInputError
from companion.language.phrase import joined, named, say
from companion.rules.engine import rounds
from companion.rules.engine.decks import cards_in_deck
from companion.rules.engine.djinns import PROMO_DJINNS, djinns_in_game
from companion.rules.engine.legality import check_form, check_position
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    CARD_COUNTS,
    FACE_UP_DJINNS,
    GOODS,
    MEEPLE_COUNTS,
    ROW_LENGTH,
    START_GOLD_GC,
    TILE_KINDS,
    TOTAL_MEEPLES,
    Colour,
    Tribe,
    markers_each,
)
from companion.rules.model.position import Phase, Player, Position
from companion.rules.model.state import NOTHING_HIDDEN, Ending, GameState, Stage

MEEPLES_PER_TILE = TOTAL_MEEPLES // SQUARES

_Item = TypeVar("_Item")


def default_colours(players: int) -> tuple[Colour, ...]:
    """The colours of a game: blue and pink for two (rules 2.1), else the first of `Colour`. Raises ArgumentError."""
    if players not in (2, 3, 4):
        raise ArgumentError("2, 3 or 4 players can play, not {players}", players=players)
    return (Colour.BLUE, Colour.PINK) if players == 2 else tuple(Colour)[:players]


def can_play(colours: Collection[Colour]) -> bool:
    """Whether these colours make a game: three or four of them, or blue and pink (rules 2.1)."""
    return len(set(colours)) in (3, 4) or set(colours) == set(default_colours(2))


def random_setup(
    players: int, seed: int, *, colours: Sequence[Colour | str] | None = None, promo: bool = False
) -> Position:
    """The table before the first round: board, row, djinns, bid order and 50 GC each (rules 2).

    `promo` adds the promo djinn to the deck. Only `Random.random` is used, which is the same in every Python version,
    so a seed keeps its set-up. Raises ArgumentError for players or colours that the rules don't allow.
    """
    chosen = _checked_colours(players, colours)
    rng = Random(seed)
    tiles = _shuffled([kind for kind in TILE_KINDS.values() for _ in range(kind.count)], rng)
    bag = _shuffled([tribe for tribe in Tribe for _ in range(MEEPLE_COUNTS[tribe])], rng)
    deck = _shuffled([card for card, count in CARD_COUNTS.items() for _ in range(count)], rng)
    djinns = _shuffled(list(djinns_in_game(promo=promo)), rng)
    markers = _shuffled([colour for colour in chosen for _ in range(markers_each(players))], rng)
    board: Board = tuple(
        Tile(kind, _counted(bag[square * MEEPLES_PER_TILE : (square + 1) * MEEPLES_PER_TILE]))
        for square, kind in enumerate(tiles)
    )
    return Position(
        board=board,
        players=tuple(_starting_player(colour) for colour in chosen),
        row=tuple(deck[:ROW_LENGTH]),
        djinns=tuple(djinns[:FACE_UP_DJINNS]),
        phase=Phase.BID,
        bid_order=tuple(markers),
        turn_order=(),
        discards=(),
    )


def _checked_colours(players: int, colours: Sequence[Colour | str] | None) -> tuple[Colour, ...]:
    standard = default_colours(players)
    if colours is None:
        return standard
    chosen = tuple(colour for colour in Colour if colour in colours)
    if len(chosen) != players or len(colours) != players:
        raise ArgumentError("{players} players need {players} different colours", players=players)
    if players == 2 and chosen != standard:
        raise ArgumentError("two players are blue and pink (rules 2.1)")
    return chosen


def _shuffled(items: list[_Item], rng: Random) -> list[_Item]:
    """Fisher and Yates's shuffle of a copy; `Random.shuffle` may change between Python versions."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def _counted(meeples: Sequence[Tribe]) -> tuple[int, ...]:
    return tuple(meeples.count(tribe) for tribe in Tribe)


def _starting_player(colour: Colour) -> Player:
    return Player(colour, gold=START_GOLD_GC, viziers=0, elders=0, fakirs=0, goods=(0,) * len(GOODS), djinns=())


def new_game(
    players: int, seed: int, *, colours: Sequence[Colour | str] | None = None, promo: bool = False
) -> GameState:
    """A game before its first bid, with the set-up of `random_setup`."""
    return start_game(random_setup(players, seed, colours=colours, promo=promo), promo=promo)


def start_game(
    position: Position,
    *,
    promo: bool = False,
    hidden: Mapping[Colour, int] = NOTHING_HIDDEN,
    djinn_discards: Sequence[str] = (),
    unchecked_hands: bool = False,
) -> GameState:
    """The game that goes on from a position: at a bid, at the beginning of a turn, or over.

    `hidden` are unseen cards in hands, in addition to what the position names, and `djinn_discards` the djinns put
    away (rules 8.1, 12.2). The turn is that of `to_move`, or of the first marker on the turn order track;
    `unchecked_hands` as in `GameState`. Raises ImpossiblePositionError, or UnusableInputError if the position doesn't
    say enough.
    """
    # Negative numbers are wrong in any case.
    if unchecked_hands:
        check_form(position)
    check_position(position.without_hands() if unchecked_hands else position)
    colours = position.colours
    if len(colours) not in (2, 3, 4):
        raise UnusableInputError(
            "a game is for 2 to 4 players; the position names {number} (rules 2.1)", number=len(colours)
        )
    held = {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())
    players = tuple(position.player(colour) for colour in colours)
    phase = position.phase or _likely_phase(position)
    full = replace(position, players=players, phase=phase, to_move=position.to_move or colours[0])
    promo = promo or not held.isdisjoint(PROMO_DJINNS)
    in_hands = tuple(hidden.get(colour, 0) for colour in colours)
    state = GameState(
        full,
        Stage.BID,
        hidden=in_hands,
        djinn_discards=tuple(djinn_discards),
        promo=promo,
        unchecked_hands=unchecked_hands,
    )
    game = MutableGame.of(state)
    if faults := [*_card_faults(game, hidden), *_djinn_faults(game, held)]:
        raise ImpossiblePositionError(faults)
    if full.is_over:
        rounds.end_game(game)
    elif phase is Phase.BID:
        _begin_bidding(game)
    else:
        _begin_turns(game, position.to_move)
    return game.state


def go_on_from(
    state: GameState,
    position: Position,
    *,
    inside_turn: bool = False,
    unseen: Mapping[Colour, int] | None = None,
    djinn_discards: Sequence[str] | None = None,
) -> GameState:
    """The game that goes on from a corrected position; raises what `start_game` raises.

    With `inside_turn` the turn goes on where it is, else the next decision begins afresh. Unseen cards and djinns put
    away stay, unless given here or impossible with the position.
    """
    hidden = state.unseen_in(position) if unseen is None else unseen
    there = {*(position.djinns or ()), *(name for player in position.players for name in player.djinns or ())}
    away = [name for name in state.djinn_discards if name not in there] if djinn_discards is None else djinn_discards

    def begun(hidden: Mapping[Colour, int], away: Sequence[str]) -> GameState:
        return start_game(
            position, promo=state.promo, hidden=hidden, djinn_discards=away, unchecked_hands=state.unchecked_hands
        )

    try:
        afresh = begun(hidden, away)
    except CompanionError:
        if not (hidden or away):
            raise
        afresh = begun({}, ())
    if not inside_turn:
        return afresh
    if state.stage is Stage.MOVE:
        return replace(afresh, progress=state.progress)
    last_camel = Ending.LAST_CAMEL if position.is_out_of_camels else None
    return replace(
        state,
        position=replace(position, players=afresh.position.players),
        hidden=afresh.hidden,
        djinn_discards=afresh.djinn_discards,
        ending=last_camel or (state.ending if state.ending is Ending.NO_MOVE else None),
    )


def next_decision(position: Position) -> tuple[object, ...]:
    """Who plays, whose decision it is and where the markers are: what doesn't change within a turn."""
    return position.colours, position.phase, position.to_move, position.bid_order, position.turn_order


def _card_faults(game: MutableGame, hidden: Mapping[Colour, int]) -> Iterator[Problem]:
    for colour, number in hidden.items():
        if colour not in game.players or number < 0:
            yield Problem(colour, "12.2", say("unseen cards of somebody who isn't playing"))
    number, in_deck = sum(game.hidden.values()), cards_in_deck(game)
    if number and in_deck < 0:
        message = say(
            "unseen cards in hands: {number}; cards out of sight: {left}", number=number, left=number + in_deck
        )
        yield Problem("unseen", "1.4", message)


def _djinn_faults(game: MutableGame, held: Collection[str]) -> Iterator[Problem]:
    for number, name in enumerate(game.djinn_discards):
        if name not in game.djinns_in_game or name in held or name in game.djinn_discards[:number]:
            yield Problem(
                "djinn discards", "1.5", say("{djinn} is listed twice or isn't in the box", djinn=named(name))
            )


def _likely_phase(position: Position) -> Phase:
    return Phase.TURN if position.to_move is not None or position.turn_order else Phase.BID


def bids_are_placed(position: Position) -> bool:
    """Whether all markers are on the turn order track: all bids are made, and no turn has begun (rules 3)."""
    standing = Counter(bid.colour for bid in position.turn_order or ())
    everybody = dict.fromkeys(position.colours, markers_each(len(position.colours)))
    return not position.bid_order and bool(standing) and standing == everybody


def _off_the_tracks(game: MutableGame) -> list[Colour]:
    """Markers that are on neither track, in the order of `Colour`."""
    missing = Counter(dict.fromkeys(game.players, markers_each(len(game.players))))
    missing.subtract(game.bid_order or ())
    missing.subtract(bid.colour for bid in game.turn_order or ())
    return list(missing.elements())


def _begin_bidding(game: MutableGame) -> None:
    if game.bid_order is None:
        raise UnusableInputError("the position doesn't say what order players bid in: add bid_order (rules 3.1)")
    game.turn_order = game.turn_order or ()
    missing = _off_the_tracks(game)
    if missing:
        raise UnusableInputError(
            "the marker of {missing} is on neither track; add it to bid_order or turn_order (rules 2.5)",
            missing=joined(say(" and "), missing),
        )
    if game.bid_order:
        game.mover, game.stage = game.bid_order[0], Stage.BID
    else:
        rounds.begin_turn(game)


def _begin_turns(game: MutableGame, mover: Colour | None) -> None:
    if game.turn_order is None:
        raise UnusableInputError("the position doesn't say who plays after this turn: add turn_order (rules 3.3)")
    if any(not game.camels_left(colour) for colour in game.players):
        game.ending = Ending.LAST_CAMEL
    bid_order, waiting = game.bid_order, game.turn_order
    missing = _off_the_tracks(game)
    if mover is None:
        mover = waiting[0].colour if waiting else None
    if mover is None:
        raise UnusableInputError("the position doesn't say whose turn it is: add to_move (rules 3.3)")
    game.mover = mover
    if not missing and bid_order and bid_order[-1] is mover:
        # The marker went to the bid order track when the turn began (rules 4.1).
        rounds.open_turn(game)
        return
    if mover in missing and not (waiting and waiting[0].colour is mover and len(missing) > 1 and bid_order is None):
        missing.remove(mover)
        played = _played_before(bid_order, missing)
        game.bid_order = (*played, mover)
        rounds.open_turn(game)
        return
    if not waiting or waiting[0].colour is not mover:
        raise UnusableInputError(
            "{mover} is to move, but {mover}'s marker is not first in turn_order and not last in "
            "bid_order (rules 3.3, 4.1)",
            mover=mover,
        )
    game.bid_order = _played_before(bid_order, missing)
    rounds.begin_turn(game)


def _played_before(bid_order: tuple[Colour, ...] | None, missing: list[Colour]) -> tuple[Colour, ...]:
    """Markers of those who have played in this round, in order; known if only one order is possible."""
    if missing and (bid_order is not None or len(set(missing)) > 1):
        raise UnusableInputError(
            "the markers of {missing} are on neither track: add those that have played to bid_order, in the order "
            "they played (rules 4.1)",
            missing=joined(say(" and "), missing),
        )
    return bid_order if bid_order is not None else tuple(missing)
