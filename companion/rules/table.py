"""The table during one turn: a working copy of a position that actions change, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.rules.board import SURROUNDINGS, Tile, camels_on, palaces_on, palms_on
from companion.rules.components import FAKIR, GOODS, PALACES, PALMS, Colour, Tribe, camels_in_box
from companion.rules.djinns import DJINNS
from companion.rules.djinns.base import Djinn
from companion.rules.events import CardsTaken, DjinnPaid, Event, TileClaimed
from companion.rules.position import Player, Position


@dataclass(frozen=True, slots=True)
class Taken:
    """The meeples in hand after moving: from which end tile, which tribe, how many (rules 4.7)."""

    end: int
    tribe: Tribe
    count: int


Watch = Callable[[Event, Position], None]


class Table:
    """A position in the making. Private to the rules and the advisor: everybody else sees `Position`.

    Holdings that are not known stay so: gold earned by a player of unknown gold is not counted, and an
    unknown row or deck gives cards that nobody knows. `deck` names cards from the top of the resource
    deck, as far as they are known. `watch` is called with each event and the position just after it.
    """

    def __init__(self, position: Position, deck: Sequence[str] = (), watch: Watch | None = None) -> None:
        if position.to_move is None:
            raise ValueError("nobody is to move; set to_move")
        self.before = position
        self.mover: Colour = position.to_move
        self.board: list[Tile] = list(position.board)
        self.players: dict[Colour, Player] = {colour: position.player(colour) for colour in position.colours}
        self.row: tuple[str, ...] | None = position.row
        self.djinns: tuple[str, ...] | None = position.djinns
        self.discards: tuple[str, ...] | None = position.discards
        self.deck: tuple[str, ...] = tuple(deck)
        self.watch = watch
        self.camels = camels_in_box(self.mover, len(self.players)) - camels_on(position.board).get(self.mover, 0)
        self.events: list[Event] = []

    def fork(self) -> Table:
        """A copy that changes on its own."""
        copy = object.__new__(Table)
        copy.__dict__.update(self.__dict__)
        copy.board = self.board.copy()
        copy.players = self.players.copy()
        copy.events = self.events.copy()
        return copy

    @property
    def position(self) -> Position:
        """The position as it stands; markers and the player to move are those before the turn."""
        return replace(
            self.before,
            board=tuple(self.board),
            players=tuple(player for player in self.players.values() if self._is_listed(player)),
            row=self.row,
            djinns=self.djinns,
            discards=self.discards,
        )

    def _is_listed(self, player: Player) -> bool:
        return player != Player(player.colour) or player in self.before.players

    @property
    def moving(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mover]

    def powers(self, colour: Colour) -> list[Djinn]:
        """The djinns that a player is known to have."""
        return [DJINNS[name] for name in self.players[colour].djinns or ()]

    def announce(self, event: Event) -> None:
        """Note what happened and let every djinn pay that pays for it (rules 11)."""
        self._note(event)
        for colour, player in self.players.items():
            for name in player.djinns or ():
                pays = DJINNS[name].pays
                if pays is not None and (gold := pays(event, colour)):
                    self.add(colour, gold=gold)
                    self._note(DjinnPaid(self.mover, name, colour, gold))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        if self.watch is not None:
            self.watch(event, self.position)

    def add(self, colour: Colour, *, gold: int = 0, viziers: int = 0, elders: int = 0) -> None:
        """Give a player gold, viziers or elders, or take them; what is unknown stays unknown."""
        player = self.players[colour]
        self.players[colour] = replace(
            player,
            gold=None if player.gold is None else player.gold + gold,
            viziers=None if player.viziers is None else player.viziers + viziers,
            elders=None if player.elders is None else player.elders + elders,
        )

    def give_cards(self, cards: Sequence[str | None], price: int = 0) -> None:
        """Give the mover cards; those that nobody knows are only told about."""
        player = self.moving
        goods = player.goods
        if goods is not None:
            goods = tuple(held + cards.count(name) for held, name in zip(goods, GOODS, strict=True))
        fakirs = None if player.fakirs is None else player.fakirs + cards.count(FAKIR)
        self.players[self.mover] = replace(player, goods=goods, fakirs=fakirs)
        self.announce(CardsTaken(self.mover, tuple(cards), price))

    def draw(self) -> str | None:
        """The top card of the resource deck, None if it is not known."""
        top, self.deck = (self.deck[0] if self.deck else None), self.deck[1:]
        return top

    def discard_fakirs(self, count: int) -> None:
        """The mover discards fakirs (rules 5.6)."""
        player = self.moving
        if player.fakirs is not None:
            self.players[self.mover] = replace(player, fakirs=player.fakirs - count)
        if self.discards is not None:
            self.discards += (FAKIR,) * count

    def claim_if_bare(self, square: int) -> None:
        """The mover puts a camel on a tile without meeples and camel, if he has one (rules 4.8, 5.5)."""
        tile = self.board[square]
        if self.camels > 0 and tile.camel is None and not any(tile.meeples):
            self.camels -= 1
            self.board[square] = replace(tile, camel=self.mover)
            self.announce(TileClaimed(self.mover, square))

    def blue_tiles(self, square: int) -> int:
        """Blue-valued tiles among a square and the up to eight around it (rules 5.3)."""
        return sum(self.board[around].kind.blue for around in (square, *SURROUNDINGS[square]))

    @property
    def palms_left(self) -> int:
        """Palms in the supply (rules 6.1)."""
        return PALMS - palms_on(self.board)

    @property
    def palaces_left(self) -> int:
        """Palaces in the supply (rules 6.2)."""
        return PALACES - palaces_on(self.board)
