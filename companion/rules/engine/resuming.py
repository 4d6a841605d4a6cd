"""The game that goes on from a position on a table, and what the position doesn't say of it (rules 3, 4.1, 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

from companion.errors import CompanionError, ImpossiblePositionError, Problem, UnusableInputError
from companion.language.phrase import joined, named, say
from companion.rules.engine.decks import cards_in_deck
from companion.rules.engine.djinns import PROMO_DJINNS, djinns_in_game
from companion.rules.engine.legality import check_form, check_position, problems
from companion.rules.engine.scoring import is_finished
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.components import Colour, markers_each
from companion.rules.model.position import Bid, Phase, Position
from companion.rules.model.state import NOTHING_HIDDEN, Ending, GameState, Stage

TWO_PLAYERS = (Colour.BLUE, Colour.PINK)


class Gap(Enum):
    """What a position doesn't say of the game that goes on from it."""

    OTHER_MOVER = auto()  # It has another player's turn or bid than the one that is asked about.
    FIRST_ON_TURN_ORDER = auto()  # The mover is the first on the turn order track, as the rules have it (3.3).
    FIRST_ON_BID_ORDER = auto()  # The mover of a turn is a guess: the first on the bid order track.
    MOVER = auto()  # The mover is a guess: the first colour that is known.
    OPPONENTS = auto()  # One player is known: as few opponents as there can be are added (2.1).
    OPEN_BIDS = auto()  # A turn, while bids are open.
    UNFIT_TRACKS = auto()  # The tracks don't show a turn of the mover, so neither is used.
    TRACKS = auto()  # Neither track is known.
    TURN_ORDER = auto()  # Who has played is known, not who plays next.
    PLAYED = auto()  # Who plays next is known, not the order in which the others have played.
    SPOTS = auto()  # Who bids next is known, not which spots are taken.
    BIDDERS = auto()  # Spots that are taken are known, not who bids next.
    BID_ORDER = auto()  # Neither is known.
    MARKERS = auto()  # Markers are on neither track, though both are known.


class Resumed(NamedTuple):
    """The game that goes on from a position, in which unknown parts are None, and what was guessed or is unknown."""

    state: GameState
    gaps: tuple[Gap, ...]


Tracks = tuple[tuple[Colour, ...] | None, tuple[Bid, ...] | None]
"""The bid order track, and the turn order track."""


def resume(position: Position, player: Colour | None = None, *, bidding: bool | None = None) -> Resumed:
    """The game at a turn of `player`, or at a bid if `bidding`, or over; None: as the position has it.

    Without a player it is that of `to_move`, else of the first marker on the track, else of the first colour known,
    else of black. Opponents that must be there are added: blue plays pink in a game of two, black and orange play in
    games of three and more (rules 2.1). The position must be possible (`legality.check_position`).
    Raises ImpossiblePositionError if it isn't with the players that are added.
    """
    unasked = player is None and position.to_move is None
    if is_finished(position) and (position.phase is not None or unasked):
        return Resumed(_over(position), ())
    if position.phase is Phase.BID and not bidding and bids_are_placed(position):
        # The bids are over, and the first turn has not begun (rules 3.3).
        position = replace(position, phase=Phase.TURN, to_move=None)
    if bidding is None:
        bidding = _is_bidding(position)
    mover, guess = _mover(position, player, bidding=bidding)
    colours = _players(position, mover)
    seated = replace(
        position,
        players=tuple(position.player(colour) for colour in colours),
        to_move=mover,
        phase=Phase.BID if bidding else Phase.TURN,
    )
    if colours != position.colours:
        check_position(seated)
    if seated.is_over:
        return Resumed(_over(position), ())
    added = Gap.OPPONENTS if len({*position.colours, mover}) == 1 else None
    tracks, unknown = _bid_tracks(seated, mover) if bidding else _turn_tracks(seated, mover, position)
    state = _begun(replace(seated, bid_order=tracks[0], turn_order=tracks[1]))
    return Resumed(state, tuple(gap for gap in (guess, added, unknown) if gap is not None))


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
    seated = replace(position, players=tuple(map(position.player, colours)))
    # Whoever is first on the bid order track bids, whatever else a position says (rules 3.1).
    resumed = resume(replace(seated, to_move=None) if _is_bidding(position) else seated)
    state = replace(
        resumed.state,
        hidden=tuple(hidden.get(colour, 0) for colour in colours),
        djinn_discards=tuple(djinn_discards),
        promo=promo or resumed.state.promo,
        unchecked_hands=unchecked_hands,
    )
    if faults := [*_card_faults(state, hidden), *_djinn_faults(state)]:
        raise ImpossiblePositionError(faults)
    _check_gaps(seated, resumed)
    return state


def _check_gaps(position: Position, resumed: Resumed) -> None:
    """Raises UnusableInputError for what a position must say before its game can go on."""
    state, gaps = resumed.state, {*resumed.gaps} - {Gap.FIRST_ON_TURN_ORDER}
    if not gaps:
        return
    assert state.mover is not None, "a game that is not over has somebody to move"
    if state.stage is Stage.BID and position.bid_order is None:
        raise UnusableInputError("the position doesn't say what order players bid in: add bid_order (rules 3.1)")
    if state.stage is Stage.BID:
        missing = off_tracks(position)
        raise UnusableInputError(
            "the marker of {missing} is on neither track; add it to bid_order or turn_order (rules 2.5)",
            missing=joined(say(" and "), missing.elements()),
        )
    if position.turn_order is None:
        raise UnusableInputError("the position doesn't say who plays after this turn: add turn_order (rules 3.3)")
    if gaps & {Gap.MOVER, Gap.FIRST_ON_BID_ORDER}:
        raise UnusableInputError("the position doesn't say whose turn it is: add to_move (rules 3.3)")
    if Gap.PLAYED in gaps:
        missing = off_tracks(replace(state.position, bid_order=position.bid_order))
        missing.subtract([state.mover])
        raise UnusableInputError(
            "the markers of {missing} are on neither track: add those that have played to bid_order, in the order "
            "they played (rules 4.1)",
            missing=joined(say(" and "), missing.elements()),
        )
    raise UnusableInputError(
        "{mover} is to move, but {mover}'s marker is not first in turn_order and not last in "
        "bid_order (rules 3.3, 4.1)",
        mover=state.mover,
    )


def go_on_from(
    state: GameState,
    position: Position,
    *,
    inside_turn: bool = False,
    unseen: Mapping[Colour, int] | None = None,
    djinn_discards: Sequence[str] | None = None,
) -> GameState:
    """The game that goes on from a corrected position, `inside_turn` or with the next decision afresh; unseen cards and
    djinns put away stay where they can. Raises as `start_game`.
    """
    hidden = state.unseen_in(position) if unseen is None else unseen
    there = _djinns(position)
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


def _card_faults(state: GameState, hidden: Mapping[Colour, int]) -> Iterator[Problem]:
    for colour, number in hidden.items():
        if colour not in state.position.colours or number < 0:
            yield Problem(colour, "12.2", say("unseen cards of somebody who isn't playing"))
    number, in_deck = sum(state.hidden), cards_in_deck(state)
    if number and in_deck < 0:
        message = say(
            "unseen cards in hands: {number}; cards out of sight: {left}", number=number, left=number + in_deck
        )
        yield Problem("unseen", "1.4", message)


def _djinn_faults(state: GameState) -> Iterator[Problem]:
    in_box, held, away = djinns_in_game(promo=state.promo), _djinns(state.position), state.djinn_discards
    for number, name in enumerate(away):
        if name not in in_box or name in held or name in away[:number]:
            yield Problem(
                "djinn discards", "1.5", say("{djinn} is listed twice or isn't in the box", djinn=named(name))
            )


def _djinns(position: Position) -> Collection[str]:
    """Djinns that lie face up or with a player."""
    return {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())


# The state: over, at a bid, or at the beginning of a turn.


def _over(position: Position) -> GameState:
    players = tuple(position.player(colour) for colour in position.colours)
    over = replace(position, players=players, to_move=None, phase=Phase.END)
    return _state(over, Stage.END)


def _begun(position: Position) -> GameState:
    """The state at a bid or at the beginning of the turn of `to_move` (rules 3.1, 4.1, 9)."""
    if position.phase is Phase.BID:
        return _state(position, Stage.BID)
    movable = has_legal_sowing(position.board)
    ending = Ending.LAST_CAMEL if position.is_out_of_camels else None if movable else Ending.NO_MOVE
    return _state(position, Stage.MOVE if movable else Stage.CLOSE, ending)


def _state(position: Position, stage: Stage, ending: Ending | None = None) -> GameState:
    promo = not PROMO_DJINNS.keys().isdisjoint(_djinns(position))
    return GameState(position, stage, hidden=(0,) * len(position.players), ending=ending, promo=promo)


# Who moves, and who plays.


def _is_bidding(position: Position) -> bool:
    """Whether a bid comes next, unless all bids are placed."""
    if position.phase is None:
        return position.to_move is None and not position.turn_order
    return position.phase is Phase.BID


def _mover(position: Position, wanted: Colour | None, *, bidding: bool) -> tuple[Colour, Gap | None]:
    """Whose turn or bid it is, and what is unclear of that."""
    if wanted is not None:
        return wanted, None if position.to_move in (None, wanted) else Gap.OTHER_MOVER
    if position.to_move is not None:
        return position.to_move, None
    if position.turn_order and not bidding:
        return position.turn_order[0].colour, Gap.FIRST_ON_TURN_ORDER
    if position.bid_order:
        # That bids go in this order is a rule (3.1); that turns will is not.
        return position.bid_order[0], None if bidding else Gap.FIRST_ON_BID_ORDER
    return next(iter(position.colours), Colour.BLACK), Gap.MOVER


def _players(position: Position, mover: Colour) -> tuple[Colour, ...]:
    """Who plays, in the order of `Colour`; with one player known as few as possible (rules 2.1)."""
    known = {*position.colours, mover}
    if len(known) == 1:
        others = [colour for colour in Colour if colour not in known]
        known |= {*TWO_PLAYERS} if mover in TWO_PLAYERS else {*others[:2]}
    return tuple(colour for colour in Colour if colour in known)


# The tracks.


def bids_are_placed(position: Position) -> bool:
    """Whether all markers are on the turn order track: all bids are made, and no turn has begun (rules 3)."""
    standing = Counter(bid.colour for bid in position.turn_order or ())
    return not position.bid_order and bool(standing) and standing == _markers(position)


def _markers(position: Position) -> Counter[Colour]:
    """How many turn markers each player has (rules 2.1)."""
    return Counter(dict.fromkeys(position.colours, markers_each(len(position.colours))))


def off_tracks(position: Position) -> Counter[Colour]:
    """Markers that are on neither track, below 0 if there are too many on them."""
    off = _markers(position)
    off.subtract(position.bid_order or ())
    off.subtract(bid.colour for bid in position.turn_order or ())
    return off


def _turn_tracks(position: Position, mover: Colour, original: Position) -> tuple[Tracks, Gap | None]:
    """The tracks at the beginning of the mover's turn: `bid_order` ends with that marker (rules 4.1)."""
    if _bids_are_open(original):
        return ((mover,), None), Gap.OPEN_BIDS
    found = _fitting(position, mover) if original.to_move in (None, mover) else None
    if found is None or problems(replace(position.without_hands(), bid_order=found[0], turn_order=found[1])):
        return (None, None), Gap.UNFIT_TRACKS if position.bid_order or position.turn_order else Gap.TRACKS
    if found[1] is None:
        return found, Gap.TRACKS if found[0] is None else Gap.TURN_ORDER
    return found, Gap.PLAYED if found[0] is None else None


def _bids_are_open(position: Position) -> bool:
    if position.phase is not None:
        return position.phase is Phase.BID
    # Without a phase, a bid order with everybody's markers and no turn order is that of a round's beginning.
    everybody = _markers(position).total()
    return _is_bidding(position) and len(position.bid_order or ()) == everybody > 0


def _fitting(position: Position, mover: Colour) -> Tracks | None:
    """The tracks once the mover's marker is on the bid order track; None if they do not fit a turn of the mover's."""
    played, waiting = position.bid_order, position.turn_order
    if played is None and waiting is None:
        return None, None
    away = off_tracks(position)
    if min(away.values()) < 0:
        return None
    if waiting is None:
        return _with_order_unknown(away, mover, played or ())
    first = bool(waiting) and waiting[0].colour is mover
    if played is None:
        if away[mover] and not (first and away.total() > 1):
            away[mover] -= 1
        elif first:
            waiting = waiting[1:]
        else:
            return None
        before = tuple(away.elements())
        # One order only is possible where all that have played are of one colour.
        return (*before, mover) if len(set(before)) <= 1 else None, waiting
    if not away.total() and played and played[-1] is mover:
        return played, waiting
    if away[mover]:
        return (*played, mover) if away.total() == 1 else None, waiting
    if first:
        return None if away.total() else (*played, mover), waiting[1:]
    return None


def _with_order_unknown(away: Counter[Colour], mover: Colour, played: tuple[Colour, ...]) -> Tracks | None:
    """The tracks where nothing is known of the turn order."""
    if played and played[-1] is mover:
        return played, None if away.total() else ()
    if not away[mover]:
        return None
    return (*played, mover), None if away.total() > 1 else ()


def _bid_tracks(position: Position, bidder: Colour) -> tuple[Tracks, Gap | None]:
    """The tracks when the bidder, first on the bid order track, bids (rules 3.1)."""
    waiting, placed = position.bid_order, position.turn_order
    away = off_tracks(position)
    fits = min(away.values()) >= 0
    if fits and waiting and waiting[0] is bidder and not (away.total() and placed):
        if not away.total():
            return (waiting, placed or ()), None
        return (waiting, placed), Gap.SPOTS if placed is None else Gap.MARKERS
    if fits and not waiting and placed and away[bidder]:
        return (None, placed), Gap.BIDDERS
    return (None, ()), Gap.BID_ORDER
