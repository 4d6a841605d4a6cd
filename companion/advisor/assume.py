"""What the advisor takes for granted where a position does not say."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.rules.model.components import GOODS, START_GOLD_GC, Colour
from companion.rules.model.position import Phase, Player, Position


@dataclass(frozen=True, slots=True)
class Assumed:
    """A position with nothing unknown that a turn needs, and a sentence for each thing assumed."""

    position: Position
    notes: tuple[str, ...]


def assume(position: Position, mover: Colour | None = None) -> Assumed:
    """Fill in what is not known.

    `mover` is whose turn to look at; if None: `to_move`, else the first marker on the turn order track,
    else on the bid order track, else the first colour known, else black. Gold is taken as 50 GC,
    viziers, elders, fakirs, goods and djinns as none. A row or face-up djinns that are not known stay
    unknown.
    """
    colour, why = _mover(position, mover)
    notes = [f"{why}: {colour} is taken to be the player to move."] if why else []
    if position.phase is Phase.BID:
        notes.append(f"The bids are still open; these are turns of {colour} on the board as it stands.")
    filled = replace(position, to_move=colour)
    for player in [filled.player(colour) for colour in filled.colours]:
        known = _filled(player)
        words = _missing(player, moving=player.colour is colour)
        if words:
            notes.append(f"{player.colour}: {words}.")
        filled = filled.with_player(known)
    if len(filled.colours) == 1:
        notes.append("No opponent is known, so nothing is counted for having more viziers than others.")
    if position.row is None:
        notes.append("The row is not known: cards from merchants and markets are not counted.")
    if position.djinns is None:
        notes.append("The face-up djinns are not known: none is suggested.")
    return Assumed(filled, tuple(notes))


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
        goods=player.goods or (0,) * len(GOODS),
        djinns=player.djinns or (),
    )


def _missing(player: Player, *, moving: bool) -> str:
    """What is assumed of a player, in words; of an opponent only what bears on the mover's turn."""
    words = []
    if moving and player.gold is None:
        words.append(f"gold not known, taken as {START_GOLD_GC} GC")
    fields = ("viziers", "elders", "fakirs", "goods", "djinns") if moving else ("viziers", "elders", "djinns")
    missing = [field for field in fields if getattr(player, field) is None]
    if missing:
        words.append(f"{_listed(missing)} not known, taken as none")
    return "; ".join(words)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
