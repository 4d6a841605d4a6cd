"""Every complete turn on the board: each legal sowing with each choice that it allows (rules 4 to 6).

What a player can choose after a sowing depends on little of it, so the choices are worked out once for
all sowings that leave the same, by playing one of them. The program itself needs no list of whole turns; tests
hold what it knows against this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.sowing import legal_sowings
from companion.rules.engine.tile_actions import tile_choices
from companion.rules.engine.tribe_actions import do_tribe_action, tribe_choices
from companion.rules.engine.turn import Move, lone_turn, play_move, sow
from companion.rules.model.actions import Sowing, TileChoice, TribeChoice
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import Tribe
from companion.rules.model.events import MeepleDropped
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Taken

Numbered = tuple[tuple[TribeChoice, TileChoice], ...]
"""What can be chosen together in the tribe action and the tile action."""


def apply_move(position: Position, move: Move, chance: Chance = UNSEEN) -> Position:
    """The position after a turn; raises what `play_move` raises."""
    return play_move(position, move, chance).position


def legal_moves(position: Position) -> Iterator[Move]:
    """Every complete turn of the player to move, lazily; what he is not known to have is not spent.

    Powers with a cost are left out. Raises ValueError if nobody is to move.
    """
    return _flat(_Enumeration(MutableGame.of(lone_turn(position))))


def legal_turns(state: GameState) -> Iterator[Move]:
    """Every complete turn on the board of a game whose turn has just begun, lazily.

    Powers that work within an action are in; those that are actions of their own, and selling, come on
    top as `game.legal_actions` lists them.
    """
    return _flat(_Enumeration(MutableGame.of(state)))


def turn_groups(state: GameState) -> Iterator[tuple[Sowing, Numbered]]:
    """The turns of `legal_turns`, all those of a sowing together."""
    enumeration = _Enumeration(MutableGame.of(state))
    for sowing in legal_sowings(state.position.board):
        yield sowing, enumeration.choices(sowing)


def _flat(enumeration: _Enumeration) -> Iterator[Move]:
    for sowing in legal_sowings(tuple(enumeration.draft.board)):
        for tribe, tile in enumeration.choices(sowing):
            yield Move(sowing, tribe, tile)


class _Enumeration:
    """The choices after sowings from one draft, each kind of them worked out once."""

    def __init__(self, draft: MutableGame) -> None:
        self.draft = draft
        djinns = draft.powers(draft.mover)
        self.tolls = [djinn.pays for djinn in djinns if djinn.pays is not None]
        self.reaps = any(djinn.reaps is not None for djinn in djinns)
        self.known: dict[tuple[object, ...], Numbered] = {}
        self.known_tiles: dict[tuple[object, ...], dict[tuple[object, ...], tuple[TileChoice, ...]]] = {}

    def choices(self, sowing: Sowing) -> Numbered:
        """What can be chosen after a sowing."""
        path, drops = sowing.path, sowing.drops
        end, last = path[-1], drops[-1]
        count = 1 if end == sowing.start else self.draft.board[end].meeples[last] + 1
        if path.count(end) > 1:
            count += sum(square == end and tribe is last for square, tribe in zip(path[:-1], drops, strict=False))
        key = (end, last, count, self._toll(sowing) if self.tolls else 0)
        if last is Tribe.ASSASSIN:
            return self._kills(sowing, key)
        if key not in self.known:
            self.known[key] = self._worked_out(sowing, key)
        return self.known[key]

    def _toll(self, sowing: Sowing) -> int:
        """What the mover's djinns pay him for the drops, in GC."""
        mover = self.draft.mover
        drops = [
            MeepleDropped(mover, square, tribe, self.draft.board[square].camel)
            for square, tribe in zip(sowing.path, sowing.drops, strict=True)
        ]
        return sum(pays(drop, mover) for drop in drops for pays in self.tolls)

    def _kills(self, sowing: Sowing, key: tuple[object, ...]) -> Numbered:
        """The choices of assassins, who find other victims after each sowing."""
        draft = self.draft.fork()
        return self._combined(draft, sow(draft, sowing), key)

    def _worked_out(self, sowing: Sowing, key: tuple[object, ...]) -> Numbered:
        draft = self.draft.fork()
        return self._combined(draft, sow(draft, sowing), key)

    def _combined(self, draft: MutableGame, taken: Taken, key: tuple[object, ...]) -> Numbered:
        found = []
        known = self.known_tiles.setdefault(key, {})
        for choice in tribe_choices(draft, taken):
            killed = (choice.victim, choice.second) if self.reaps else choice.victim is None
            spent = (choice.fakirs, choice.helper, killed)
            tiles = known.get(spent)
            if tiles is None:
                acted = draft.fork()
                do_tribe_action(acted, taken, choice)
                tiles = known[spent] = tuple(tile_choices(acted, taken.end))
            found.extend([(choice, tile) for tile in tiles])
        return tuple(found)
