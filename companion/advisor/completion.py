"""A position with nothing missing that a turn needs, and what that takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.advisor.expectation import Expectation, unseen
from companion.language.lists import listed
from companion.language.phrase import counted, say, say_many, term
from companion.rules.engine.scoring import category_name
from companion.rules.engine.setup import bids_are_placed
from companion.rules.model.components import NO_GOODS, START_GOLD_GC, Colour, Tribe
from companion.rules.model.position import Phase, Player, Position
from companion.rules.model.state import FRESH, TurnProgress


@dataclass(frozen=True, slots=True)
class Completion:
    """A position in which everything has a value that a turn needs.

    `original` is what was known, with somebody to move. `expectation` reckons with what was not; in `position`
    that stands as nothing, so that nobody spends what he may not have, and gold as 50 GC. `assumed` is a sentence
    for each thing that was not known, `notes` are sentences about other things. `progress` is what was done in the turn
    before.
    """

    position: Position
    original: Position
    expectation: Expectation
    assumed: tuple[str, ...]
    notes: tuple[str, ...]
    progress: TurnProgress = FRESH


def complete(position: Position, mover: Colour | None = None, progress: TurnProgress = FRESH) -> Completion:
    """Fill in what is not known.

    `mover` is whose turn to look at; if None: `to_move`, else the first marker on the turn order track,
    else on the bid order track, else the first colour known, else black. A row or face-up djinns that are
    not known stay unknown.
    """
    if position.phase is Phase.BID and bids_are_placed(position):
        # The bids are over, and the first turn has not begun (rules 3.3).
        position = replace(position, phase=Phase.TURN, to_move=None)
    colour, why = _mover(position, mover)
    original = replace(position, to_move=colour)
    expectation = Expectation(original, colour)
    guessed = mover is None and bool(why)
    moving = [why] if why else []
    assumed = [*(moving if guessed else ()), *_unknown(original, expectation)]
    notes = [] if guessed else moving
    if position.phase is Phase.BID:
        notes.append(
            say("The bids are still open; these are turns of {player} on the board as it stands.", player=term(colour))
        )
    filled = original
    for one in original.colours:
        filled = filled.with_player(_filled(original.player(one)))
    return Completion(filled, original, expectation, tuple(assumed), tuple(notes), progress)


def _mover(position: Position, wanted: Colour | None) -> tuple[Colour, str]:
    """Whose turn it is, and a sentence to tell if that is a guess or another was to move."""
    if wanted is not None:
        if position.to_move not in (None, wanted):
            return wanted, say(
                "The position has {other} to move, another player was asked for: {player} is taken to be the player "
                "to move.",
                other=term(position.to_move or wanted),
                player=term(wanted),
            )
        return wanted, ""
    if position.to_move is not None:
        return position.to_move, ""
    if position.turn_order:
        first = position.turn_order[0].colour
        return first, say(
            "First on the turn order track: {player} is taken to be the player to move.", player=term(first)
        )
    if position.bid_order:
        first = position.bid_order[0]
        return first, say(
            "First on the bid order track: {player} is taken to be the player to move.", player=term(first)
        )
    if position.colours:
        first = position.colours[0]
        return first, say(
            "The player to move is not known: {player} is taken to be the player to move.", player=term(first)
        )
    first = Colour.BLACK
    return first, say("No player is known: {player} is taken to be the player to move.", player=term(first))


def _filled(player: Player) -> Player:
    return Player(
        colour=player.colour,
        gold=START_GOLD_GC if player.gold is None else player.gold,
        viziers=player.viziers or 0,
        elders=player.elders or 0,
        fakirs=player.fakirs or 0,
        goods=player.goods or NO_GOODS,
        djinns=player.djinns or (),
    )


def _unknown(position: Position, expectation: Expectation) -> Iterator[str]:
    """A sentence for each thing that bears on the mover's turn and is not known."""
    for colour in position.colours:
        player = position.player(colour)
        if colour is expectation.mover:
            yield from _unknown_of_mover(player, expectation, unseen(position, Tribe.ELDER))
        else:
            yield from _unknown_of_opponent(player, expectation, unseen(position, Tribe.ELDER))
    if any(rival.colour is None for rival in expectation.rivals):
        yield say("No opponent is known; there is at least one (rules 2.1).")
    hidden = not expectation.own_known or not all(rival.known for rival in expectation.rivals)
    if hidden:
        yield say_many(
            "{count} vizier is seen nowhere: it is as likely with each of the players whose viziers are not known as "
            "in the bag.",
            "{count} viziers are seen nowhere: every division of them among the players whose viziers are not known "
            "and the bag is taken to be as likely.",
            expectation.unseen_viziers,
        )
    if position.row is None:
        yield say("The row is not known: cards from merchants count as any that are not seen, markets are left alone.")
    if position.djinns is None:
        yield say("The face-up djinns are not known: none is suggested.")


def _unknown_of_mover(player: Player, expectation: Expectation, unseen_elders: int) -> Iterator[str]:
    colour = term(player.colour)
    if player.gold is None:
        yield say("{player}: gold not known, taken as {gold}.", player=colour, gold=counted(START_GOLD_GC, "GC"))
    if not expectation.own_known:
        yield say("{player}: {things} not known.", player=colour, things=category_name("viziers"))
    kinds = [("elders", player.elders is None and unseen_elders > 0), ("fakirs", player.fakirs is None)]
    unspent = [category_name(name) for name, missing in kinds if missing]
    if unspent:
        yield say("{player}: {things} not known, so that none are spent.", player=colour, things=listed(unspent))
    if expectation.hand_size:
        cards = say_many("{count} card is expected", "{count} cards are expected", expectation.hand_size)
        yield say(
            "{player}: goods not known; {cards}, by the merchants that have left the board.", player=colour, cards=cards
        )
    elif player.goods is None:
        yield say("{player}: goods not known, taken as none: no merchant has left the board.", player=colour)
    if player.djinns is None:
        yield say("{player}: djinns not known, taken as none.", player=colour)


def _unknown_of_opponent(player: Player, expectation: Expectation, unseen_elders: int) -> Iterator[str]:
    """Only what bears on the mover's turn."""
    known = {rival.colour: rival.known for rival in expectation.rivals}
    kinds = [
        ("viziers", not known[player.colour]),
        ("elders", player.elders is None and unseen_elders > 0),
        ("djinns", player.djinns is None),
    ]
    missing = [category_name(name) for name, is_missing in kinds if is_missing]
    if missing:
        yield say("{player}: {things} not known.", player=term(player.colour), things=listed(missing))
