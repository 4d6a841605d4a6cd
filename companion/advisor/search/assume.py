"""The game behind a position: whose turn or bid it is, and what isn't known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.errors import ArgumentError, UnusableInputError
from companion.language.phrase import Phrase, counted, listed, listed_or, say, say_many, term
from companion.rules.engine.djinns import PROMO_DJINNS
from companion.rules.engine.legality import check_position, problems
from companion.rules.engine.scoring import category_name, is_finished
from companion.rules.engine.setup import bids_are_placed
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.board import meeples_on
from companion.rules.model.components import MEEPLE_COUNTS, START_GOLD_GC, Colour, Tribe, colour_of
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, GameState, Stage
from companion.simulation.unknowns import markers_of

TWO_PLAYERS = (Colour.BLUE, Colour.PINK)


class TableState(NamedTuple):
    """A game at a bid, at the beginning of a turn, or over.

    What isn't known stays None in `state`. `assumed` are sentences on that and on how it is drawn.
    """

    state: GameState
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Tracks:
    """What is known of the two tracks, and a sentence if something had to be assumed."""

    bid_order: tuple[Colour, ...] | None
    turn_order: tuple[Bid, ...] | None
    said: str = ""


def table_state(position: Position, player: Colour | None = None, *, bidding: bool = False) -> TableState:
    """The game that goes on from a position with a turn of `player`, or with a bid if `bidding`.

    Without a player it is that of `to_move`, else of the first marker on the track, else of the first colour known,
    else of black. Opponents that must be there are added: blue plays pink in a game of two, black and orange play in
    games of three and more (rules 2.1). A game that is over comes in stage END.
    Raises ImpossiblePositionError if the position cannot stand on a table.
    """
    check_position(position)
    unasked = player is None and position.to_move is None
    if is_finished(position) and (position.phase is not None or unasked):
        return TableState(_over(position), ())
    if position.phase is Phase.BID and not bidding and bids_are_placed(position):
        # The bids are over, and the first turn has not begun (rules 3.3).
        position = replace(position, phase=Phase.TURN, to_move=None)
    mover, why = _mover(position, player, bidding=bidding)
    colours, added = _players(position, mover)
    seated = replace(
        position,
        players=tuple(position.player(colour) for colour in colours),
        to_move=mover,
        phase=Phase.BID if bidding else Phase.TURN,
    )
    check_position(seated)
    if seated.is_over:
        return TableState(_over(position), ())
    tracks = _bid_tracks(seated, mover) if bidding else _turn_tracks(seated, mover, position)
    state = _begun(replace(seated, bid_order=tracks.bid_order, turn_order=tracks.turn_order))
    said = (why, added, tracks.said, *unknown_sentences(state))
    return TableState(state, tuple(sentence for sentence in said if sentence))


def asked_state(
    asked: Position | GameState,
    player: Colour | str | None,
    seed: int,
    stages: Collection[Stage],
    *,
    bidding: bool = False,
) -> TableState:
    """What `table_state` makes of a position, or a game as it stands, at one of these stages or over.

    Raises UnusableInputError for a game inside a turn, whose meeples in hand are on no board, and ArgumentError for a
    `seed` that nothing can be drawn with, or no player's colour.
    """
    if seed < 0:
        raise ArgumentError("a seed is 0 or more, not {seed}", seed=seed)
    colour = None if player is None else colour_of(player)
    if isinstance(asked, Position):
        return table_state(asked, colour, bidding=bidding)
    if asked.is_over or (asked.stage in stages and colour in (None, asked.mover)):
        return TableState(asked, (*unknown_sentences(asked), *unseen_cards([asked])))
    if asked.stage not in (Stage.BID, Stage.MOVE, Stage.CLOSE):
        raise UnusableInputError("Hints are for bids and whole turns: ask before one starts.")
    return table_state(asked.position, colour, bidding=bidding)


def _over(position: Position) -> GameState:
    players = tuple(position.player(colour) for colour in position.colours)
    over = replace(position, players=players, to_move=None, phase=Phase.END)
    return GameState(over, Stage.END, hidden=(0,) * len(players), promo=_promo(over))


def _begun(position: Position) -> GameState:
    """The state at a bid or at the beginning of the turn of `to_move` (rules 3.1, 4.1, 9)."""
    stage, ending = Stage.BID, None
    if position.phase is Phase.TURN:
        movable = has_legal_sowing(position.board)
        stage = Stage.MOVE if movable else Stage.CLOSE
        ending = Ending.LAST_CAMEL if position.is_out_of_camels else None if movable else Ending.NO_MOVE
    return GameState(position, stage, hidden=(0,) * len(position.players), ending=ending, promo=_promo(position))


def _promo(position: Position) -> bool:
    held = {name for player in position.players for name in player.djinns or ()} | set(position.djinns or ())
    return not held.isdisjoint(PROMO_DJINNS)


def _mover(position: Position, wanted: Colour | None, *, bidding: bool) -> tuple[Colour, str]:
    """Whose turn or bid it is, and a sentence if that is a guess."""
    if wanted is not None:
        return wanted, _other_words(position.to_move, wanted, bidding=bidding)
    if position.to_move is not None:
        return position.to_move, ""
    if position.turn_order and not bidding:
        first = position.turn_order[0].colour
        return first, say("{player} is first on the turn order track and moves.", player=term(first))
    if position.bid_order:
        first = position.bid_order[0]
        if bidding:
            # That bids go in this order is a rule (3.1); that turns will is not.
            return first, ""
        return first, say("{player} is first on the bid order track and is assumed to move.", player=term(first))
    first = position.colours[0] if position.colours else Colour.BLACK
    if bidding:
        return first, say("It isn't known who bids: {player} is assumed.", player=term(first))
    return first, say("It isn't known who moves: {player} is assumed.", player=term(first))


def _other_words(said: Colour | None, wanted: Colour, *, bidding: bool) -> str:
    """A sentence where the position has another player's turn or bid than the one looked at."""
    if said in (None, wanted):
        return ""
    other, player = term(said or wanted), term(wanted)
    if bidding:
        return say("The position has {other} to bid; this looks at {player} instead.", other=other, player=player)
    return say("The position has {other} to move; this looks at {player} instead.", other=other, player=player)


def _players(position: Position, mover: Colour) -> tuple[tuple[Colour, ...], str]:
    """Who plays, in the order of `Colour`, and a sentence if somebody had to be added (rules 2.1)."""
    known = {*position.colours, mover}
    if len(known) > 1:
        return tuple(colour for colour in Colour if colour in known), ""
    others = [colour for colour in Colour if colour not in known]
    added = [colour for colour in TWO_PLAYERS if colour not in known] if mover in TWO_PLAYERS else others[:2]
    players = tuple(colour for colour in Colour if colour in known or colour in added)
    names, player = listed([term(colour) for colour in added]), term(mover)
    if len(added) == 1:
        return players, say(
            "Only {player} is known to play: one opponent ({others}) is assumed, the fewest possible (rules 2.1).",
            player=player,
            others=names,
        )
    return players, say(
        "Only {player} is known to play: two opponents ({others}) are assumed, the fewest possible (rules 2.1).",
        player=player,
        others=names,
    )


# Tracks.


def _off_tracks(position: Position, *tracks: Sequence[Colour]) -> Counter[Colour] | None:
    """Markers that lie on none of these tracks; None if one colour has too many on them."""
    off = markers_of(position.players)
    for track in tracks:
        off.subtract(track)
    return None if any(number < 0 for number in off.values()) else +off


def _colours(track: Sequence[Bid]) -> tuple[Colour, ...]:
    return tuple(bid.colour for bid in track)


def _turn_tracks(position: Position, mover: Colour, original: Position) -> _Tracks:
    """The tracks at the beginning of the mover's turn: `bid_order` ends with that marker (rules 4.1)."""
    if _bids_are_open(original):
        said = say(
            "The bids are still open: {player} is assumed to play first, the others in random order.",
            player=term(mover),
        )
        return _Tracks((mover,), None, said)
    found = _fitting(position, mover) if original.to_move in (None, mover) else None
    if found is None or problems(replace(position, bid_order=found.bid_order, turn_order=found.turn_order)):
        found = _Tracks(None, None)
        if position.bid_order or position.turn_order:
            said = say(
                "The tracks don't show a turn of {player}: who has played and who plays next is drawn at random.",
                player=term(mover),
            )
            return replace(found, said=said)
    if found.bid_order is None and found.turn_order is None:
        return replace(
            found, said=say("It isn't known who has played in this round and who plays next: both are drawn at random.")
        )
    if found.turn_order is None:
        return replace(found, said=say("The turn order isn't known: those who haven't played follow in random order."))
    if found.bid_order is None:
        return replace(found, said=say("The order the others have played in isn't known: it's drawn at random."))
    return found


def _bids_are_open(position: Position) -> bool:
    if position.phase is not None:
        return position.phase is Phase.BID
    # Without a phase, a bid order with everybody's markers and no turn order is that of a round's beginning.
    everybody = sum(markers_of([position.player(colour) for colour in position.colours]).values())
    return not position.turn_order and position.to_move is None and len(position.bid_order or ()) == everybody > 0


def _fitting(position: Position, mover: Colour) -> _Tracks | None:
    """The tracks once the mover's marker is on the bid order track; None if they do not fit a turn of the mover's."""
    played, waiting = position.bid_order, position.turn_order
    if waiting is None:
        return _Tracks(None, None) if played is None else _with_order_unknown(position, mover, played)
    away = _off_tracks(position, played or (), _colours(waiting))
    if away is None:
        return None
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
        return _Tracks((*before, mover) if len(set(before)) <= 1 else None, waiting)
    if not away and played and played[-1] is mover:
        return _Tracks(played, waiting)
    if away[mover]:
        return _Tracks((*played, mover) if away.total() == 1 else None, waiting)
    if first:
        return _Tracks(None if away else (*played, mover), waiting[1:])
    return None


def _with_order_unknown(position: Position, mover: Colour, played: tuple[Colour, ...]) -> _Tracks | None:
    """The tracks where nothing is known of the turn order."""
    away = _off_tracks(position, played)
    if away is None:
        return None
    if played and played[-1] is mover:
        return _Tracks(played, None if away else ())
    if not away[mover]:
        return None
    return _Tracks((*played, mover), None if away.total() > 1 else ())


def _bid_tracks(position: Position, bidder: Colour) -> _Tracks:
    """The tracks when the bidder, first on the bid order track, bids (rules 3.1)."""
    waiting, placed = position.bid_order, position.turn_order
    if waiting and waiting[0] is bidder:
        away = _off_tracks(position, waiting, _colours(placed or ()))
        if away is not None and not (away and placed):
            if placed is None and away:
                return _Tracks(waiting, None, say("It isn't known which spots are taken: they're drawn at random."))
            return _Tracks(waiting, placed or ())
    if not waiting and placed:
        away = _off_tracks(position, _colours(placed))
        if away is not None and away[bidder]:
            said = say(
                "The bid order isn't known: {player} bids next, the others in random order.", player=term(bidder)
            )
            return _Tracks(None, placed, said)
    said = say(
        "The bid order isn't known: {player} is assumed to bid first, the others in random order.",
        player=term(bidder),
    )
    return _Tracks(None, (), said)


# Sentences on what is not known.


def unknown_sentences(state: GameState) -> Iterator[Phrase]:
    """Sentences on what isn't known of a game and how it is drawn."""
    position = state.position
    for player in position.players:
        yield from _of_player(player, moves=player.colour is position.to_move)
    yield from _how_drawn(position)
    if position.row is None:
        yield say("The row isn't known: it's drawn again from unseen cards in each playout, and nothing is bought.")
    if position.djinns is None:
        yield say("The face-up djinns aren't known: they're drawn again in each playout, and none is suggested.")
    if position.discards is None:
        yield say("The discards aren't known: they're drawn from unseen cards, as hands are.")


def unseen_cards(states: Iterable[GameState]) -> Iterator[Phrase]:
    """A sentence on cards that only their owner saw, if there are any in one of these states of a game."""
    if any(any(state.hidden) for state in states):
        yield say("Cards that only their owner saw are drawn from the unseen cards.")


def _of_player(player: Player, *, moves: bool) -> Iterator[Phrase]:
    """What is not known of a player, in a sentence."""
    names = ("gold", "viziers", "elders", "goods", "fakirs", "djinns")
    missing = [name for name in names if getattr(player, name) is None]
    if not missing:
        return
    colour, things = term(player.colour), listed([category_name(name) for name in missing])
    unspent = [category_name(name) for name in missing if name in ("elders", "goods", "fakirs", "djinns")]
    if unspent and moves:
        yield say(
            "{player}: {things} not known, so no {unspent} are used in this turn.",
            player=colour,
            things=things,
            unspent=listed_or(unspent),
        )
    else:
        yield say("{player}: {things} not known.", player=colour, things=things)


def _how_drawn(position: Position) -> Iterator[Phrase]:
    players, on_board = position.players, meeples_on(position.board)
    if any(player.gold is None for player in players):
        gold = counted(START_GOLD_GC, "GC")
        yield say(
            "Unknown gold is drawn around {gold} less bids, more widely the longer the game has lasted.", gold=gold
        )
    for tribe in (Tribe.VIZIER, Tribe.ELDER):
        in_front = [getattr(player, f"{tribe.noun}s") for player in players]
        unseen = MEEPLE_COUNTS[tribe] - on_board[tribe] - sum(number or 0 for number in in_front)
        if None in in_front and unseen > 0:
            yield _divided(unseen, tribe)
    if any(player.goods is None or player.fakirs is None for player in players):
        yield say("Unknown hands are drawn from unseen cards, as many as merchants and markets would bring.")
    if any(player.djinns is None for player in players):
        yield say("Unknown djinns are drawn from the unseen ones, more the longer the game has lasted.")


def _divided(unseen: int, tribe: Tribe) -> Phrase:
    """How meeples that are seen nowhere are divided."""
    if tribe is Tribe.VIZIER:
        return say_many(
            "{count} vizier isn't accounted for: it goes at random to a player whose viziers aren't known or "
            "into the bag, more often a player.",
            "{count} viziers aren't accounted for: they're divided at random among the players whose viziers "
            "aren't known and the bag, mostly the players.",
            unseen,
        )
    return say_many(
        "{count} elder isn't accounted for: it goes at random to a player whose elders aren't known or into the "
        "bag, more often the bag.",
        "{count} elders aren't accounted for: they're divided at random among the players whose elders aren't "
        "known and the bag, mostly the bag.",
        unseen,
    )
