"""A position: the board and what is known of everything beside it.

Whatever is not known is None, never 0: a photo of the board knows nobody's gold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum

from companion.rules.model.board import COLUMNS, Board, Tile, camels_on, palaces_on, palms_on
from companion.rules.model.components import (
    CARD_COUNTS,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Colour,
    TileAction,
    Tribe,
    camels_in_box,
    colour_of,
    member_repr,
    short_repr,
)


class Phase(StrEnum):
    """Where the game stands: bidding (rules 3), in the turns (4 to 7), or over (10)."""

    __repr__ = member_repr

    BID = "bid"
    TURN = "turn"
    END = "end"


HELD = ("gold", "viziers", "elders", "fakirs", "goods", "djinns")
"""What a `Player` has, by name."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player's holdings, None unknown: `gold` in GC, `viziers` and `elders` in front (rules 5.1), `goods` counted
    in the order of `components.GOODS`, `djinns` by name.
    """

    colour: Colour
    _: KW_ONLY
    gold: int | None = None
    viziers: int | None = None
    elders: int | None = None
    fakirs: int | None = None
    goods: tuple[int, ...] | None = None
    djinns: tuple[str, ...] | None = None

    __repr__ = short_repr

    def __str__(self) -> str:
        """What is known of the player on one line: "pink: 41 gold, 2 viziers, fish, Jafaar"."""
        counts = {"vizier": self.viziers, "elder": self.elders, "fakir": self.fakirs}
        held = [] if self.gold is None else [f"{self.gold} gold"]
        held += [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count is not None]
        goods = zip(GOODS, self.goods or (), strict=False)
        held += [good if count == 1 else f"{count} {good}" for good, count in goods if count]
        return f"{self.colour}: {', '.join((*held, *(self.djinns or ()))) or '?'}"


@dataclass(frozen=True, slots=True)
class Bid:
    """A marker on the turn order track: whose it is and the price paid in GC (rules 3)."""

    colour: Colour
    price: int


@dataclass(frozen=True, slots=True)
class Position:
    """A whole position; None is unknown.

    `row` holds the face-up resource cards from the start of the row, `djinns` the face-up djinns,
    `bid_order` the markers on the bid order track from its first spot, `turn_order` the markers
    still to play in playing order, `discards` the resource cards known to be discarded.
    """

    board: Board
    _: KW_ONLY
    players: tuple[Player, ...] = ()
    row: tuple[str, ...] | None = None
    djinns: tuple[str, ...] | None = None
    to_move: Colour | None = None
    phase: Phase | None = None
    bid_order: tuple[Colour, ...] | None = None
    turn_order: tuple[Bid, ...] | None = None
    discards: tuple[str, ...] | None = None

    __repr__ = short_repr

    def __str__(self) -> str:
        """The board in the notation, then what is known beside it, a line each."""
        tokens = [str(tile) for tile in self.board]
        width = max(map(len, tokens))
        rows = [tokens[first : first + COLUMNS] for first in range(0, len(tokens), COLUMNS)]
        lines = [" ".join(f"{token:<{width}}" for token in row).rstrip() for row in rows]
        for name, cards in (("row", self.row), ("djinns", self.djinns), ("bid order", self.bid_order)):
            lines += [] if cards is None else [f"{name}: {', '.join(cards)}"]
        if self.turn_order is not None:
            lines.append("turn order: " + ", ".join(f"{bid.colour} {bid.price}" for bid in self.turn_order))
        lines += map(str, self.players)
        if self.to_move is not None:
            lines.append(f"{self.to_move} to move")
        return "\n".join(lines)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours known to be in the game, from whatever names one, in the order of `Colour`."""
        named = {player.colour for player in self.players}
        named.update(camels_on(self.board))
        named.update(self.bid_order or ())
        named.update(bid.colour for bid in self.turn_order or ())
        if self.to_move is not None:
            named.add(self.to_move)
        return tuple(colour for colour in Colour if colour in named)

    def player(self, colour: Colour | str) -> Player:
        """What is known of a player, nothing if the position doesn't list one. Raises ArgumentError for no colour."""
        for player in self.players:
            if player.colour == colour:
                return player
        return Player(colour_of(colour))

    def with_player(self, player: Player) -> Position:
        """The same position with this player's holdings in place of what was known."""
        others = [known for known in self.players if known.colour != player.colour]
        everyone = sorted([*others, player], key=lambda known: list(Colour).index(known.colour))
        return replace(self, players=tuple(everyone))

    def without_hands(self, but: Colour | None = None) -> Position:
        """The same position with nobody's gold and resource cards known, or `but` one player's (rules 12.2)."""
        return replace(
            self,
            players=tuple(
                player if player.colour == but else replace(player, gold=None, fakirs=None, goods=None)
                for player in self.players
            ),
        )

    def with_board(self, board: Board) -> Position:
        """The same position on another board of thirty tiles."""
        return replace(self, board=board)

    def camels_left(self, colour: Colour | str) -> int:
        """Camels that the player still has (rules 1.5, 4.8)."""
        own = colour_of(colour)
        return camels_in_box(own, len(self.colours)) - camels_on(self.board).get(own, 0)

    @property
    def is_out_of_camels(self) -> bool:
        """Whether somebody has placed the last camel, which makes the round the last (rules 9.1)."""
        return any(self.camels_left(colour) <= 0 for colour in self.colours)

    @property
    def is_over(self) -> bool:
        """Whether the phase says that the game is over, or a bid that no round follows the last camel's (rules 9.1)."""
        return self.phase is Phase.END or (self.phase is Phase.BID and self.is_out_of_camels)

    @property
    def palms_left(self) -> int:
        """Palms in the supply (rules 6.1)."""
        return supply_left(self.board, TileAction.OASIS)

    @property
    def palaces_left(self) -> int:
        """Palaces in the supply (rules 6.2)."""
        return supply_left(self.board, TileAction.VILLAGE)

    @property
    def bag(self) -> tuple[int, ...]:
        """Meeples in the bag by tribe, taking unknown viziers and elders in front of players as none."""
        return tuple(meeples_in_bag(self.board, self.players))


def supply_left(board: Iterable[Tile], kind: TileAction) -> int:
    """What the supply has left of the palms or palaces that a kind of tile brings (rules 6.1, 6.2)."""
    return PALMS - palms_on(board) if kind is TileAction.OASIS else PALACES - palaces_on(board)


def tiles_left(tiles: Iterable[Tile]) -> dict[str, int]:
    """Tiles of each kind that are not among these, by code; negative if there are too many (rules 1.1)."""
    laid = [tile.kind.code for tile in tiles]
    return {kind.code: kind.count - laid.count(kind.code) for kind in TILE_KINDS.values()}


def meeples_left(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """Meeples by tribe that do not stand on these tiles; negative if there are too many (rules 1.2)."""
    standing = [tile.meeples for tile in tiles]
    return tuple(MEEPLE_COUNTS[tribe] - sum(meeples[tribe] for meeples in standing) for tribe in Tribe)


def meeples_in_bag(board: Iterable[Tile], players: Iterable[Player]) -> list[int]:
    """Meeples by tribe that neither stand on the board nor are known to lie in front of a player (rules 1.2, 5.1)."""
    bag = list(meeples_left(board))
    for player in players:
        bag[Tribe.VIZIER] -= player.viziers or 0
        bag[Tribe.ELDER] -= player.elders or 0
    return bag


def cards_left(row: Iterable[str] | None, discards: Iterable[str] | None, players: Iterable[Player]) -> dict[str, int]:
    """Resource cards by kind that are seen neither there nor in a hand; negative if there are too many (rules 1.4)."""
    left = dict(CARD_COUNTS)
    for card in (*(row or ()), *(discards or ())):
        left[card] -= 1
    for player in players:
        left[FAKIR] -= player.fakirs or 0
        for good, held in zip(GOODS, player.goods or (), strict=False):
            left[good] -= held
    return left


def keeps_all_known(position: Position) -> bool:
    """Whether viziers and elders in front of every player are known, so that the bag is (rules 5.1)."""
    everyone = [position.player(colour) for colour in position.colours]
    return len(everyone) >= 2 and all(p.viziers is not None and p.elders is not None for p in everyone)


@dataclass(frozen=True, slots=True)
class CardCount:
    """Where the cards of one kind are: in the row, in hands, discarded, and not seen anywhere (rules 1.4)."""

    row: int
    hands: int
    discards: int
    unseen: int


def count_cards(position: Position) -> dict[str, CardCount]:
    """Resource cards by kind, as far as they are known; `unseen` is negative if there are too many."""
    counts = {}
    for card, unseen in cards_left(position.row, position.discards, position.players).items():
        row, discards = ((cards or ()).count(card) for cards in (position.row, position.discards))
        counts[card] = CardCount(row, CARD_COUNTS[card] - row - discards - unseen, discards, unseen)
    return counts
