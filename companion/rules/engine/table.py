"""The table while something happens: a working copy of a game that actions change, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from companion.rules.engine.djinns import EVERY_DJINN, djinns_in_game
from companion.rules.engine.djinns.base import Djinn
from companion.rules.model.board import NO_MEEPLES, SURROUNDINGS, Tile, palaces_on, palms_on
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import (
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    Colour,
    Tribe,
    camels_in_box,
)
from companion.rules.model.events import CardsTaken, DjinnPaid, Event, LastRound, TileClaimed
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import Ending, GameState, Progress, Stage

Watch = Callable[[Event, Position], None]


class Table:
    """A game in the making. Private to the rules and the advisor: everybody else sees `Position` and `GameState`.

    Holdings that are not known stay so: gold earned by a player of unknown gold is not counted. `chance`
    draws cards, djinns and meeples. `watch` is called with each event and the position just after it.
    Made of a position alone, a table has no `progress`: powers with a cost are then left out.
    """

    progress: Progress | None = None
    stage: Stage = Stage.MOVE
    ending: Ending | None = None
    djinn_discards: tuple[str, ...] = ()
    promo: bool = False

    def __init__(self, position: Position, chance: Chance = UNSEEN, watch: Watch | None = None) -> None:
        if position.to_move is None:
            raise ValueError("nobody is to move; set to_move")
        self._lay(position, chance, watch)
        self._seat({colour: position.player(colour) for colour in position.colours}, ())

    def _lay(self, position: Position, chance: Chance, watch: Watch | None) -> None:
        self.before = position
        self.mover: Colour = position.to_move or Colour.BLACK
        self.board: list[Tile] = list(position.board)
        self.row: tuple[str, ...] | None = position.row
        self.djinns: tuple[str, ...] | None = position.djinns
        self.discards: tuple[str, ...] | None = position.discards
        self.phase: Phase | None = position.phase
        self.bid_order: tuple[Colour, ...] | None = position.bid_order
        self.turn_order: tuple[Bid, ...] | None = position.turn_order
        self.chance = chance
        self.watch = watch
        self.events: list[Event] = []

    def _seat(self, players: dict[Colour, Player], hidden: tuple[int, ...]) -> None:
        self.players = players
        self.hidden: dict[Colour, int] = dict(zip(players, hidden or (0,) * len(players), strict=True))

    @classmethod
    def of(cls, state: GameState, chance: Chance = UNSEEN, watch: Watch | None = None) -> Table:
        """The table of a whole game."""
        table = object.__new__(cls)
        position = state.position
        table._lay(position, chance, watch)
        table._seat({player.colour: player for player in position.players}, state.hidden)
        table.progress = state.progress
        table.stage = state.stage
        table.ending = state.ending
        table.djinn_discards = state.djinn_discards
        table.promo = state.promo
        return table

    def fork(self) -> Table:
        """A copy that changes on its own; what it draws comes from the same chance."""
        copy = object.__new__(Table)
        copy.__dict__.update(self.__dict__)
        copy.board = self.board.copy()
        copy.players = self.players.copy()
        copy.hidden = self.hidden.copy()
        copy.events = self.events.copy()
        return copy

    @property
    def position(self) -> Position:
        """The position as it stands."""
        players = tuple(self.players.values())
        if self.progress is None:
            players = tuple(player for player in players if self._is_listed(player))
        return Position(
            tuple(self.board),
            players,
            self.row,
            self.djinns,
            None if self.stage is Stage.END else self.mover,
            self.phase,
            self.bid_order,
            self.turn_order,
            self.discards,
        )

    def _is_listed(self, player: Player) -> bool:
        return player != Player(player.colour) or player in self.before.players

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        assert self.progress is not None
        return GameState(
            self.position,
            self.stage,
            self.progress,
            tuple(self.hidden.values()),
            self.djinn_discards,
            self.ending,
            self.promo,
        )

    @property
    def moving(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mover]

    def powers(self, colour: Colour) -> list[Djinn]:
        """The djinns that a player is known to have."""
        return [EVERY_DJINN[name] for name in self.players[colour].djinns or ()]

    @property
    def djinns_in_game(self) -> dict[str, Djinn]:
        """All djinns that are in the game, by name."""
        return djinns_in_game(promo=self.promo)

    def announce(self, event: Event) -> None:
        """Note what happened and let every djinn pay that pays for it (rules 11)."""
        self._note(event)
        for colour, player in self.players.items():
            if player.djinns:
                for djinn in _paying(player.djinns):
                    if djinn.pays is not None and (gold := djinn.pays(event, colour)):
                        self.add(colour, gold=gold)
                        self._note(DjinnPaid(self.mover, djinn.name, colour, gold))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        if self.watch is not None:
            self.watch(event, self.position)

    def advance(self, stage: Stage, **changes: object) -> None:
        """Go on to a stage of the turn, with these changes of `progress`; nothing for a table without it."""
        if self.progress is not None:
            self.stage = stage
            if changes:
                self.progress = replace(self.progress, **changes)  # type: ignore[arg-type]

    def add(self, colour: Colour, *, gold: int = 0, viziers: int = 0, elders: int = 0) -> None:
        """Give a player gold, viziers or elders, or take them; what is unknown stays unknown."""
        player = self.players[colour]
        self.players[colour] = Player(
            colour,
            None if player.gold is None else player.gold + gold,
            None if player.viziers is None else player.viziers + viziers,
            None if player.elders is None else player.elders + elders,
            player.fakirs,
            player.goods,
            player.djinns,
        )

    def give_cards(self, cards: Sequence[str | None], price: int = 0) -> None:
        """Give the mover cards; those that nobody knows are counted as hidden ones."""
        player = self.moving
        goods = player.goods
        if goods is not None:
            goods = tuple(held + cards.count(name) for held, name in zip(goods, GOODS, strict=True))
        fakirs = None if player.fakirs is None else player.fakirs + cards.count(FAKIR)
        self.players[self.mover] = replace(player, goods=goods, fakirs=fakirs)
        self.hidden[self.mover] += cards.count(None)
        self.announce(CardsTaken(self.mover, tuple(cards), price))

    def has_fakirs(self, number: int) -> bool:
        """Whether the mover has so many fakirs, or may have them."""
        fakirs = self.moving.fakirs
        return fakirs is None or fakirs + self.hidden[self.mover] >= number

    def discard_fakirs(self, count: int) -> None:
        """The mover discards fakirs, shown ones first (rules 5.6)."""
        if not count:
            return
        player = self.moving
        if player.fakirs is not None:
            shown = min(count, player.fakirs)
            self.players[self.mover] = replace(player, fakirs=player.fakirs - shown)
            self.hidden[self.mover] -= count - shown
        if self.discards is not None:
            self.discards += (FAKIR,) * count

    def camels_left(self, colour: Colour) -> int:
        """Camels that a player still has (rules 1.5, 4.8)."""
        placed = 0
        for tile in self.board:
            if tile.camel is colour:
                placed += 1
        return camels_in_box(colour, len(self.players)) - placed

    @property
    def camels(self) -> int:
        """Camels that the mover still has."""
        return self.camels_left(self.mover)

    def claim_if_bare(self, square: int) -> None:
        """The mover puts a camel on a tile without meeples and camel, if he has one (rules 4.8, 5.5)."""
        tile = self.board[square]
        if tile.camel is None and not any(tile.meeples) and self.camels > 0:
            self.claim(square)

    def claim(self, square: int) -> None:
        """The mover puts a camel on a tile; his last one makes the round the last (rules 9.1)."""
        self.board[square] = replace(self.board[square], camel=self.mover)
        self.announce(TileClaimed(self.mover, square))
        if self.progress is not None and not self.camels:
            self.end_with_round(Ending.LAST_CAMEL)

    def end_with_round(self, ending: Ending) -> None:
        """Make this round the last one (rules 9)."""
        if self.ending is None:
            self.ending = ending
            self.announce(LastRound(self.mover, ending))

    def blue_tiles(self, square: int) -> int:
        """Blue-valued tiles among a square and the up to eight around it (rules 5.3)."""
        blue = 1 if self.board[square].kind.blue else 0
        for around in SURROUNDINGS[square]:
            if self.board[around].kind.blue:
                blue += 1
        return blue

    @property
    def palms_left(self) -> int:
        """Palms in the supply (rules 6.1)."""
        return PALMS - palms_on(self.board)

    @property
    def palaces_left(self) -> int:
        """Palaces in the supply (rules 6.2)."""
        return PALACES - palaces_on(self.board)

    @property
    def bag(self) -> list[int]:
        """Meeples in the bag by tribe, taking unknown viziers and elders in front of players as none."""
        bag = list(MEEPLE_COUNTS)
        for tile in self.board:
            if tile.meeples != NO_MEEPLES:
                bag = [left - here for left, here in zip(bag, tile.meeples, strict=True)]
        for player in self.players.values():
            bag[Tribe.VIZIER] -= player.viziers or 0
            bag[Tribe.ELDER] -= player.elders or 0
        if self.progress is not None:
            hand = self.progress.hand
            taken = self.progress.taken
            if hand is not None:
                bag = [left - held for left, held in zip(bag, hand.left, strict=True)]
            if taken is not None and self.stage is Stage.TRIBE:
                bag[taken.tribe] -= taken.count
        return bag


@lru_cache(maxsize=1 << 12)
def _paying(djinns: tuple[str, ...]) -> tuple[Djinn, ...]:
    """Those of some djinns that pay when something happens."""
    return tuple(EVERY_DJINN[name] for name in djinns if EVERY_DJINN[name].pays is not None)
