"""A position with nothing missing that a turn needs, and what that takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.advisor.expectation import Expectation, unseen
from companion.rules.model.components import START_GOLD_GC, Colour, Tribe
from companion.rules.model.goods import NO_GOODS
from companion.rules.model.position import Phase, Player, Position


@dataclass(frozen=True, slots=True)
class Completion:
    """A position in which everything has a value that a turn needs.

    `original` is what was known, with somebody to move. `expectation` reckons with what was not; in `position`
    that stands as nothing, so that nobody spends what he may not have, and gold as 50 GC. `assumed` is a sentence
    for each thing that was not known, `notes` are sentences about other things.
    """

    position: Position
    original: Position
    expectation: Expectation
    assumed: tuple[str, ...]
    notes: tuple[str, ...]


def complete(position: Position, mover: Colour | None = None) -> Completion:
    """Fill in what is not known.

    `mover` is whose turn to look at; if None: `to_move`, else the first marker on the turn order track,
    else on the bid order track, else the first colour known, else black. A row or face-up djinns that are
    not known stay unknown.
    """
    colour, why = _mover(position, mover)
    original = replace(position, to_move=colour)
    expectation = Expectation(original, colour)
    guessed = mover is None and bool(why)
    moving = [f"{why}: {colour} is taken to be the player to move."] if why else []
    assumed = [*(moving if guessed else ()), *_unknown(original, expectation)]
    notes = [] if guessed else moving
    if position.phase is Phase.BID:
        notes.append(f"The bids are still open; these are turns of {colour} on the board as it stands.")
    filled = original
    for one in original.colours:
        filled = filled.with_player(_filled(original.player(one)))
    return Completion(filled, original, expectation, tuple(assumed), tuple(notes))


def _mover(position: Position, wanted: Colour | None) -> tuple[Colour, str]:
    """Whose turn it is, and a reason to tell if that is a guess."""
    if wanted is not None:
        if position.to_move not in (None, wanted):
            return wanted, f"The position has {position.to_move} to move, another player was asked for"
        return wanted, ""
    if position.to_move is not None:
        return position.to_move, ""
    if position.turn_order:
        return position.turn_order[0].colour, "First on the turn order track"
    if position.bid_order:
        return position.bid_order[0], "First on the bid order track"
    if position.colours:
        return position.colours[0], "The player to move is not known"
    return Colour.BLACK, "No player is known"


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
        yield "No opponent is known; there is at least one (rules 2.1)."
    hidden = not expectation.own_known or not all(rival.known for rival in expectation.rivals)
    if hidden:
        yield (
            f"{expectation.unseen_viziers} viziers are seen nowhere: every division of them among the players whose "
            "viziers are not known and the bag is taken to be as likely."
        )
    if position.row is None:
        yield "The row is not known: cards from merchants count as any that are not seen, markets are left alone."
    if position.djinns is None:
        yield "The face-up djinns are not known: none is suggested."


def _unknown_of_mover(player: Player, expectation: Expectation, unseen_elders: int) -> Iterator[str]:
    if player.gold is None:
        yield f"{player.colour}: gold not known, taken as {START_GOLD_GC} GC."
    if not expectation.own_known:
        yield f"{player.colour}: viziers not known."
    kinds = [("elders", player.elders is None and unseen_elders > 0), ("fakirs", player.fakirs is None)]
    unspent = [name for name, missing in kinds if missing]
    if unspent:
        yield f"{player.colour}: {_listed(unspent)} not known, so that none are spent."
    if expectation.hand_size:
        cards = "1 card is" if expectation.hand_size == 1 else f"{expectation.hand_size} cards are"
        yield f"{player.colour}: goods not known; {cards} expected, by the merchants that have left the board."
    elif player.goods is None:
        yield f"{player.colour}: goods not known, taken as none: no merchant has left the board."
    if player.djinns is None:
        yield f"{player.colour}: djinns not known, taken as none."


def _unknown_of_opponent(player: Player, expectation: Expectation, unseen_elders: int) -> Iterator[str]:
    """Only what bears on the mover's turn."""
    known = {rival.colour: rival.known for rival in expectation.rivals}
    kinds = [
        ("viziers", not known[player.colour]),
        ("elders", player.elders is None and unseen_elders > 0),
        ("djinns", player.djinns is None),
    ]
    missing = [name for name, is_missing in kinds if is_missing]
    if missing:
        yield f"{player.colour}: {_listed(missing)} not known."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
