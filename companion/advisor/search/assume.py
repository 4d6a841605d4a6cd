"""The game behind a position: whose turn or bid it is, and what isn't known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from companion.errors import ArgumentError, UnusableInputError
from companion.language.phrase import Phrase, counted, listed, listed_or, say, term
from companion.rules.engine.legality import check_position
from companion.rules.engine.resuming import Gap, resume
from companion.rules.engine.scoring import category_name
from companion.rules.model.components import START_GOLD_GC, Colour, Tribe, colour_of
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState, Stage


class TableState(NamedTuple):
    """A game at a bid, the beginning of a turn, or its end, None being unknown; sentences on what was `assumed`."""

    state: GameState
    assumed: tuple[str, ...]


def table_state(position: Position, player: Colour | None = None, *, bidding: bool = False) -> TableState:
    """The game at a turn of `player`, or a bid if `bidding`, as of `resume`. Raises ImpossiblePositionError."""
    check_position(position)
    state, gaps = resume(position, player, bidding=bidding)
    if state.is_over:
        return TableState(state, ())
    sentences = [_gap_sentence(gap, state, position) for gap in gaps if gap is not Gap.MARKERS]
    return TableState(state, (*sentences, *unknown_sentences(state)))


def asked_state(
    asked: Position | GameState,
    player: Colour | str | None,
    seed: int,
    stages: Collection[Stage],
    *,
    bidding: bool = False,
) -> TableState:
    """What `table_state` makes of a position, or a game as it stands, at one of these stages or over. Raises
    UnusableInputError for a game inside a turn, ArgumentError for a `seed` or player that is none.
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


# Sentences on what was guessed, and on what is not known.


def _gap_sentence(gap: Gap, state: GameState, position: Position) -> Phrase:
    """What is assumed where a position has a gap."""
    assert state.mover is not None, "a game that is not over has somebody to move"
    player = term(state.mover)
    match gap:
        case Gap.OTHER_MOVER:
            other = term(position.to_move or state.mover)
            return say(
                "It's {other}'s turn in the position; this looks at {player} instead.", other=other, player=player
            )
        case Gap.FIRST_ON_TURN_ORDER:
            return say("{player} is first on the turn order track and moves.", player=player)
        case Gap.FIRST_ON_BID_ORDER:
            return say("{player} is first on the bid order track and is assumed to move.", player=player)
        case Gap.MOVER:
            return say("It isn't known whose turn it is: {player} is assumed.", player=player)
        case Gap.OPPONENTS:
            added = listed([term(one.colour) for one in state.position.players if one.colour is not state.mover])
            return say("Only {player} is known to play; assumed (rules 2.1): {others}.", player=player, others=added)
        case Gap.OPEN_BIDS:
            return say(
                "The bids are still open: {player} is assumed to play first, the others in random order.", player=player
            )
        case Gap.UNFIT_TRACKS:
            return say(
                "The tracks don't show a turn of {player}: who has played and who plays next is drawn at random.",
                player=player,
            )
        case Gap.TRACKS:
            return say("It isn't known who has played in this round and who plays next: both are drawn at random.")
        case Gap.TURN_ORDER:
            return say("The turn order isn't known: those who haven't played follow in random order.")
        case Gap.PLAYED:
            return say("It isn't known in which order the others have played: it's drawn at random.")
        case Gap.SPOTS:
            return say("It isn't known which spots are taken: they're drawn at random.")
    return say("The bid order isn't known: {player} bids next, the others in random order.", player=player)


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
    players = position.players
    if any(player.gold is None for player in players):
        gold = counted(START_GOLD_GC, "GC")
        yield say(
            "Unknown gold is drawn around {gold} less bids, more widely the longer the game has lasted.", gold=gold
        )
    for tribe in (Tribe.VIZIER, Tribe.ELDER):
        in_front = [getattr(player, f"{tribe.noun}s") for player in players]
        if None in in_front and position.bag[tribe] > 0:
            yield say(
                "Not accounted for: {meeples}. They're divided at random among the bag and players who may have them.",
                meeples=counted(position.bag[tribe], tribe.noun),
            )
    if any(player.goods is None or player.fakirs is None for player in players):
        yield say("Unknown hands are drawn from unseen cards, as many as merchants and markets would bring.")
    if any(player.djinns is None for player in players):
        yield say("Unknown djinns are drawn from the unseen ones, more the longer the game has lasted.")
