"""A game while an action changes it, between one `GameState` and the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.errors import IllegalMoveError
from companion.language.phrase import counted, say
from companion.rules.engine.djinns import Djinn, djinn_named, djinns_in_game
from companion.rules.model.board import SURROUNDINGS, Tile
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import FAKIR, GOODS, Colour, Tribe, camels_in_box
from companion.rules.model.events import CardsTaken, DjinnPaid, Event, TileClaimed
from companion.rules.model.position import Bid, Phase, Player, Position, meeples_in_bag
from companion.rules.model.state import Ending, GameState, Hand, Stage, Taken, TurnProgress

Watch = Callable[[Event, Position], None]
"""Called with each event and the position just after it."""


@dataclass(slots=True, eq=False)
class MutableGame:
    """A game while an action changes it, with the fields of a `GameState`: private to the rules and the advisor.
    `before` is the position at the start, `events` what happened since.
    """

    before: Position
    mover: Colour
    board: list[Tile]
    players: dict[Colour, Player]
    hidden: dict[Colour, int]
    row: tuple[str, ...] | None
    djinns: tuple[str, ...] | None
    discards: tuple[str, ...] | None
    phase: Phase | None
    bid_order: tuple[Colour, ...] | None
    turn_order: tuple[Bid, ...] | None
    stage: Stage
    progress: TurnProgress
    djinn_discards: tuple[str, ...]
    ending: Ending | None
    promo: bool
    unchecked_hands: bool
    chance: Chance
    watch: Watch | None
    events: list[Event]

    @classmethod
    def of(cls, state: GameState, chance: Chance = UNSEEN, watch: Watch | None = None) -> MutableGame:
        """A state opened for change. Raises ValueError if nobody is to move."""
        position = state.position
        if position.to_move is None:
            raise ValueError("nobody is to move; set to_move")
        players = {player.colour: player for player in position.players}
        # Positional, since keywords take twice as long and every action begins here.
        return cls(
            position,
            position.to_move,
            list(position.board),
            players,
            dict(zip(players, state.hidden or (0,) * len(players), strict=True)),
            position.row,
            position.djinns,
            position.discards,
            position.phase,
            position.bid_order,
            position.turn_order,
            state.stage,
            state.progress,
            state.djinn_discards,
            state.ending,
            state.promo,
            state.unchecked_hands,
            chance,
            watch,
            [],
        )

    @property
    def position(self) -> Position:
        return Position(
            board=tuple(self.board),
            players=tuple(self.players.values()),
            row=self.row,
            djinns=self.djinns,
            to_move=None if self.stage is Stage.END else self.mover,
            phase=self.phase,
            bid_order=self.bid_order,
            turn_order=self.turn_order,
            discards=self.discards,
        )

    @property
    def state(self) -> GameState:
        return GameState(
            self.position,
            self.stage,
            progress=self.progress,
            hidden=tuple(self.hidden.values()),
            djinn_discards=self.djinn_discards,
            ending=self.ending,
            promo=self.promo,
            unchecked_hands=self.unchecked_hands,
        )

    @property
    def moving(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.mover]

    @property
    def hand(self) -> Hand:
        """The hand on its way (rules 4.2). Raises ValueError where none is: in every stage but SOW."""
        if self.progress.hand is None:
            raise ValueError(f"no hand is on its way in stage {self.stage}")
        return self.progress.hand

    @property
    def taken(self) -> Taken:
        """What was taken from the end tile (rules 4.7). Raises ValueError in stages but TRIBE and TILE."""
        if self.progress.taken is None:
            raise ValueError(f"nothing is taken in hand in stage {self.stage}")
        return self.progress.taken

    def powers(self, colour: Colour) -> list[Djinn]:
        """The djinns that a player is known to have."""
        return [djinn_named(name) for name in self.players[colour].djinns or ()]

    @property
    def djinns_in_game(self) -> dict[str, Djinn]:
        return djinns_in_game(promo=self.promo)

    def announce(self, event: Event) -> None:
        """Note what happened, and have each djinn pay that answers it (rules 11)."""
        self._note(event)
        for colour, player in self.players.items():
            if player.djinns:
                for djinn in _paying(player.djinns):
                    if djinn.pays is not None and (gold := djinn.pays(event, colour)):
                        self.add(colour, gold=gold)
                        # Noted, not announced: no djinn is paid for what another one pays.
                        self._note(DjinnPaid(self.mover, djinn.name, colour, gold))

    def _note(self, event: Event) -> None:
        self.events.append(event)
        if self.watch is not None:
            self.watch(event, self.position)

    def add(self, colour: Colour, *, gold: int = 0, viziers: int = 0, elders: int = 0) -> None:
        """Give a player gold, viziers or elders, or take them; what is unknown stays unknown."""
        player = self.players[colour]
        # Built anew by hand: `dataclasses.replace` takes four times as long, and every drop can pay somebody.
        self.players[colour] = Player(
            colour,
            gold=None if player.gold is None else player.gold + gold,
            viziers=None if player.viziers is None else player.viziers + viziers,
            elders=None if player.elders is None else player.elders + elders,
            fakirs=player.fakirs,
            goods=player.goods,
            djinns=player.djinns,
        )

    def add_meeples(self, colour: Colour, tribe: Tribe, count: int) -> None:
        """Put viziers or elders in front of a player (rules 5.1), or take them away."""
        self.add(colour, **{"viziers" if tribe is Tribe.VIZIER else "elders": count})

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
        return self.camels_left(self.mover)

    def claim_if_bare(self, square: int) -> None:
        """The mover puts a camel on a tile without meeples and camel, if one is left (rules 4.8, 5.5)."""
        tile = self.board[square]
        if tile.camel is None and not any(tile.meeples) and self.camels > 0:
            self.claim(square)

    def claim(self, square: int) -> None:
        """The mover puts a camel on a tile; the mover's last one makes the round the last (rules 9.1)."""
        self.board[square] = replace(self.board[square], camel=self.mover)
        self.announce(TileClaimed(self.mover, square))
        if not self.camels:
            self.end_with_round(Ending.LAST_CAMEL)

    def end_with_round(self, ending: Ending) -> None:
        """Make this round the last one (rules 9)."""
        # The first reason stays: a second player without camels ends no other round.
        if self.ending is None:
            self.ending = ending

    def blue_tiles(self, square: int) -> int:
        """Blue-valued tiles among a square and the up to eight around it (rules 5.3)."""
        blue = 1 if self.board[square].kind.blue else 0
        for around in SURROUNDINGS[square]:
            if self.board[around].kind.blue:
                blue += 1
        return blue

    @property
    def bag(self) -> list[int]:
        """Meeples in the bag by tribe, taking unknown viziers and elders in front of players as none."""
        # Meeples in hand are in no bag, though they stand on no tile: a power may be used just then (rules 11).
        bag, held = meeples_in_bag(self.board, self.players.values()), self.progress.in_hand(self.stage)
        return [left - own for left, own in zip(bag, held, strict=True)]


@lru_cache(maxsize=1 << 12)
def _paying(djinns: tuple[str, ...]) -> tuple[Djinn, ...]:
    """Those of some djinns that pay when something happens."""
    return tuple(djinn for djinn in map(djinn_named, djinns) if djinn.pays is not None)


def lacks_fakirs(game: MutableGame, fakirs: int, rules: str) -> IllegalMoveError:
    """The error for a mover who is to discard more fakirs than there are in hand, or than can be."""
    held = game.moving.fakirs
    if held is None:
        message = say(
            "{mover} can't have {fakirs} to discard (rules {rules})",
            mover=game.mover,
            fakirs=counted(fakirs, FAKIR),
            rules=rules,
        )
    else:
        message = say(
            "{mover} has {held}, not {fakirs} to discard (rules {rules})",
            mover=game.mover,
            held=counted(held, FAKIR),
            fakirs=fakirs,
            rules=rules,
        )
    return IllegalMoveError(message)
