"""Turns made backwards: boards from which a random legal turn leads to a board that a photo shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from companion.errors import CompanionError
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import ActTile, ActTribe, Sow, Sowing
from companion.rules.model.board import MAX_DISTANCE, NEIGHBOURS, SQUARES, WITHIN, Board, Tile, with_meeples
from companion.rules.model.chance import UNSEEN
from companion.rules.model.components import NO_GOODS, Colour, TileAction, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState

TRIES = 4000
"""Most turns that are tried backwards fit no rule; this many are tried."""

HANDS = (3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8)
"""How many meeples are sown, each as often as it stands here."""


def turn_before(board: Board, random: Random, colours: Sequence[Colour] = ()) -> GameState | None:
    """A state at the beginning of a turn that can leave this board; None where no turn was found.

    These `colours` play, or all whose camels stand on it.
    """
    if not colours:
        seen = [colour for colour in Colour if any(tile.camel is colour for tile in board)]
        colours = tuple((seen + [colour for colour in Colour if colour not in seen])[: max(2, len(seen))])
    for _ in range(TRIES):
        state = _tried(board, colours, random)
        if state is not None:
            return state
    return None


def _tried(board: Board, colours: Sequence[Colour], random: Random) -> GameState | None:
    mover, end, length = random.choice(colours), random.randrange(SQUARES), random.choice(HANDS)
    gone = [tribe for tribe in Tribe if not board[end].meeples[tribe]]
    if not gone:
        return None
    tribe = random.choice(gone)
    before = list(board)
    unbuilt = _without_claim_and_building(board[end], mover, random)
    if unbuilt is None:
        return None
    count = random.randint(2, 4)
    before[end] = _more(unbuilt, tribe, count)
    victim = None
    if tribe is Tribe.ASSASSIN:
        square = random.choice([one for one in WITHIN[end][min(count, MAX_DISTANCE)] if one != end])
        victim = Victim(random.choice(list(Tribe)), square=square)
        before[square] = _more(before[square], victim.tribe, 1)
    sowing = _lifted_again(before, end, tribe, length, random)
    if sowing is None:
        return None
    players = tuple(
        Player(colour, gold=10, viziers=2, elders=2, fakirs=0, goods=NO_GOODS, djinns=()) for colour in colours
    )
    state = lone_turn(Position(board=tuple(before), players=players, row=(), djinns=(), to_move=mover))
    return state if _after(state, sowing, victim) == board else None


def _without_claim_and_building(tile: Tile, mover: Colour, random: Random) -> Tile | None:
    """The end tile before its action, and perhaps before it was claimed; None where no turn can have left it."""
    if not any(tile.meeples):
        if tile.camel is None:
            return None
        if tile.camel is mover and random.random() < 0.7:
            tile = replace(tile, camel=None)
    if tile.kind.action is TileAction.OASIS:
        return replace(tile, palms=tile.palms - 1) if tile.palms else None
    if tile.kind.action is TileAction.VILLAGE:
        return replace(tile, palaces=tile.palaces - 1) if tile.palaces else None
    return tile


def _more(tile: Tile, tribe: Tribe, number: int) -> Tile:
    meeples = list(tile.meeples)
    meeples[tribe] += number
    return with_meeples(tile, tuple(meeples))


def _lifted_again(before: list[Tile], end: int, tribe: Tribe, length: int, random: Random) -> Sowing | None:
    """Take the meeples of a walk up again, from its end on, and put them onto its start, in place."""
    path, drops, last, here = [end], [tribe], -1, end
    before[end] = _more(before[end], tribe, -1)
    for _ in range(length - 1):
        back = [one for one in NEIGHBOURS[here] if one != last and any(before[one].meeples)]
        if not back:
            return None
        last, here = here, random.choice(back)
        dropped = random.choice([one for one in Tribe if before[here].meeples[one]])
        before[here] = _more(before[here], dropped, -1)
        path.append(here)
        drops.append(dropped)
    starts = [one for one in NEIGHBOURS[here] if one != last and not any(before[one].meeples)]
    if not starts:
        return None
    start = random.choice(starts)
    before[start] = with_meeples(before[start], tuple(drops.count(one) for one in Tribe))
    return Sowing(start, tuple(reversed(path)), tuple(reversed(drops)))


def _after(state: GameState, sowing: Sowing, victim: Victim | None) -> Board | None:
    """The board after the turn; None where it isn't legal."""
    try:
        state = step(state, Sow(sowing), UNSEEN).state
        acts = [option for option in legal_actions(state) if isinstance(option, ActTribe)]
        if victim is not None:
            acts = [option for option in acts if option.choice.victims == (victim,)]
        state = step(state, acts[0], UNSEEN).state
        tile = next(option for option in legal_actions(state) if isinstance(option, ActTile))
        return step(state, tile, UNSEEN).state.position.board
    except (CompanionError, IndexError, StopIteration):
        return None
