"""Games in the middle of things, for tests: a board of bare small markets with a few tiles in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.notation.tokens import parse_board
from companion.rules.engine.game import apply, legal_actions
from companion.rules.model.actions import Action, ActTile, ActTribe, EndTurn, Paid, Sow, Sowing, TileChoice, TribeChoice
from companion.rules.model.board import COLUMNS, Board, parse_square
from companion.rules.model.chance import Chance, Drawn, ScriptedChance
from companion.rules.model.components import GOODS, TRIBE_LETTERS, Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import GameState, Stage

BLACK, ORANGE, BLUE, PINK = Colour
ROW = ("fakir", "ivory", "fish", "fish", "silk", "gold", "wheat", "spice", "papyrus")
NO_GOODS = (0,) * len(GOODS)
MOVABLE = {"a5": "M6:y", "b5": "M6:y"}
"""Two tiles that allow a move and little else."""


def board_of(**tiles: str) -> Board:
    """A board of bare small markets with these tiles in it."""
    tokens = ["M6"] * 30
    for name, token in tiles.items():
        tokens[parse_square(name)] = token
    return parse_board("/".join(" ".join(tokens[i : i + COLUMNS]) for i in range(0, 30, COLUMNS)))


def parse_sowing(text: str) -> Sowing:
    """The sowing of a text like c3>c4g>d4b."""
    start, *steps = text.split(">")
    tribes = tuple(Tribe(TRIBE_LETTERS.index(step[2])) for step in steps)
    return Sowing(parse_square(start), tuple(parse_square(step[:2]) for step in steps), tribes)


def player(colour: Colour, **holdings: Any) -> Player:
    """A player with 50 GC and else nothing but these; `goods` maps names to counts."""
    goods = holdings.pop("goods", {})
    counts = tuple(goods.get(name, 0) for name in GOODS)
    return replace(Player(colour, gold=50, viziers=0, elders=0, fakirs=0, goods=counts, djinns=()), **holdings)


def owner(*djinns: str, elders: int = 2, fakirs: int = 2, **more: object) -> Player:
    """Pink with these djinns and what it takes to pay for them."""
    return player(PINK, djinns=djinns, elders=elders, fakirs=fakirs, **more)


def tile(state: GameState, name: str) -> str:
    """The token of a tile."""
    return str(state.position.board[parse_square(name)])


def scripted(
    cards: Sequence[str | None] = (), djinns: Sequence[str] = (), meeples: Sequence[Tribe] = ()
) -> ScriptedChance:
    """Chance by a script: what is drawn of each, in order."""
    return ScriptedChance(Drawn(tuple(cards), tuple(djinns), tuple(meeples)))


def at_turn(
    *players: Player,
    stage: Stage = Stage.MOVE,
    waiting: tuple[Colour, ...] = (BLACK,),
    row: tuple[str, ...] = ROW,
    djinns: tuple[str, ...] = ("Utug", "Jafaar", "Nekir"),
    discards: tuple[str, ...] = (),
    mover: Colour = PINK,
    **tiles: str,
) -> GameState:
    """Pink's turn against black, with black's turn still to come; `tiles` are board tokens by square."""
    seated = {one.colour: one for one in (player(BLACK), player(PINK), *players)}
    position = Position(
        board=board_of(**(tiles or MOVABLE)),
        players=tuple(seated[colour] for colour in Colour if colour in seated),
        row=row,
        djinns=djinns,
        to_move=mover,
        phase=Phase.TURN,
        bid_order=(mover,),
        turn_order=tuple(Bid(colour, 0) for colour in waiting),
        discards=discards,
    )
    return GameState(position, stage, hidden=(0,) * len(seated))


def at_bid(
    *players: Player, order: tuple[Colour, ...] | None = None, taken: tuple[Bid, ...] = (), **tiles: object
) -> GameState:
    """The bidding of these players, in this order, with these markers on the turn order track already."""
    bid_order = order or tuple(one.colour for one in players)
    position = Position(
        board=board_of(**(tiles or MOVABLE)),
        players=tuple(sorted(players, key=lambda one: list(Colour).index(one.colour))),
        row=ROW,
        djinns=("Utug", "Jafaar", "Nekir"),
        to_move=bid_order[0],
        phase=Phase.BID,
        bid_order=bid_order,
        turn_order=taken,
        discards=(),
    )
    return GameState(position, Stage.BID, hidden=(0,) * len(players))


def after(state: GameState, *actions: Action, chance: Chance | None = None) -> GameState:
    """The state after these actions, each of which must be listed, but for whole sowings."""
    for action in actions:
        assert isinstance(action, Sow) or action in legal_actions(state), action
        state = apply(state, action, chance)
    return state


def tribe(*args: Paid | Victim | int | None, **choice: object) -> ActTribe:
    return ActTribe(TribeChoice(*args, **choice))


def tile_action(**choice: Paid | int | str) -> ActTile:
    return ActTile(TileChoice(**choice))


END = EndTurn()
