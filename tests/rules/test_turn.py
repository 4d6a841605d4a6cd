"""Complete turns: claims, tribe actions, tile actions (rules 4.7 to 6.5), each clause by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.sowing import legal_sowings
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import (
    LEAVE_IT,
    NOTHING_TO_CHOOSE,
    ActTile,
    ActTribe,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
)
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.chance import UNSEEN, Chance
from companion.rules.model.components import GOODS, MEEPLE_COUNTS, Colour, Tribe
from companion.rules.model.events import Event, NobodyKilled, Victim
from companion.rules.model.position import Player, Position
from tests.rules.tables import NO_GOODS, board_of, parse_sowing, player

BLACK, ORANGE, BLUE, PINK = Colour
ROW = ("fakir", "ivory", "fish", "fish", "silk", "gold", "wheat")


def position(
    row: tuple[str, ...] | None = ROW,
    djinns: tuple[str, ...] = ("Utug", "Jafaar"),
    black: Player | None = None,
    **tiles: str,
) -> Position:
    """Pink to move against black on a board of bare small markets with these tiles in it."""
    return Position(
        board=board_of(**tiles),
        players=(black or player(BLACK, viziers=1, elders=1), player(PINK, gold=10, elders=2, fakirs=2)),
        row=row,
        djinns=djinns,
        to_move=PINK,
        discards=(),
    )


def mover(after: Position) -> Player:
    return after.player(PINK)


def tile(after: Position, name: str) -> str:
    return str(after.board[parse_square(name)])


class Move(NamedTuple):
    """What a player decides in a turn without powers."""

    sowing: Sowing
    tribe: TribeChoice = NOTHING_TO_CHOOSE
    tile: TileChoice = LEAVE_IT

    @property
    def actions(self) -> tuple[Sow, ActTribe, ActTile]:
        return Sow(self.sowing), ActTribe(self.tribe), ActTile(self.tile)


def play_move(position: Position, move: Move, chance: Chance = UNSEEN) -> tuple[Position, tuple[Event, ...]]:
    """The position after a turn of the player to move by itself, and all that happened, in order."""
    state = lone_turn(position)
    events: tuple[Event, ...] = ()
    for action in move.actions:
        done = step(state, action, chance)
        state, events = done.state, events + done.events
    return state.position, events


def apply_move(position: Position, move: Move, chance: Chance = UNSEEN) -> Position:
    return play_move(position, move, chance)[0]


def legal_moves(position: Position) -> Iterator[Move]:
    """Every complete turn of the player to move, lazily."""
    start = lone_turn(position)
    for sowing in legal_sowings(position.board):
        sown = step(start, Sow(sowing)).state
        for act in legal_actions(sown):
            if isinstance(act, ActTribe):
                acted = step(sown, act, UNSEEN).state
                tiles = (tile for tile in legal_actions(acted) if isinstance(tile, ActTile))
                yield from (Move(sowing, act.choice, tile.choice) for tile in tiles)


def move(
    sowing: str, *, fakirs: int = 0, victim: Victim | None = None, **on_tile: bool | str | tuple[int, ...]
) -> Move:
    return Move(parse_sowing(sowing), TribeChoice(fakirs, victim), TileChoice(**on_tile))


def on(name: str, tribe: Tribe) -> Victim:
    return Victim(tribe, square=parse_square(name))


def goods(after: Position) -> dict[str, int]:
    held = mover(after).goods or ()
    return {name: count for name, count in zip(GOODS, held, strict=True) if count}


def camels(count: int) -> dict[str, str]:
    """That many pink camels in the two upper rows; a pink player has 11 when two play."""
    names = [column + row for row in "12" for column in "abcdef"]
    return {name: "M6@P" for name in names[:count]}


def holding(start: Position, **held: int | None) -> Position:
    """The position with other holdings of pink."""
    return start.with_player(replace(mover(start), **held))


def read(after: Position, what: str) -> object:
    """A square's token, or what pink holds, or a part of the position."""
    if what in SQUARE_NAMES:
        return tile(after, what)
    if what == "goods":
        return goods(after)
    return getattr(mover(after) if hasattr(mover(after), what) and what != "djinns" else after, what)


REACH = {"c3": "M6:r", "c4": "O8:ry", "e4": "M4:bb", "f4": "M4:bb", "a1": "M4:bb"}
ELDER_OF_BLACK = Victim(Tribe.ELDER, owner=BLACK)
MERCHANT_ON_D4 = on("d4", Tribe.MERCHANT)
BUILDERS = position(c3="M6:b", c4="M6:b", e3="M6:r", e4="M6:r", e1="M6:gg", e5="M6:gg")
MARKETS = {kind: position(c3="M6:y", c4=kind + ":y") for kind in ("M6", "M4", "O8", "S6")}
VIZIERS = move("c3>c4y")

TURNS: dict[str, tuple[Position, Move, dict[str, object]]] = {
    "4.8 an emptied tile is claimed": (position(c3="M6:y", c4="M4:y"), VIZIERS, {"c4": "M4@P"}),
    "4.8 one that is not emptied is not": (position(c3="M6:y", c4="M4:yb"), VIZIERS, {"c4": "M4:b"}),
    "4.8 a camel stays": (position(c3="M6:y", c4="M4:y@K"), VIZIERS, {"c4": "M4@K"}),
    "4.8 palms do not matter": (position(c3="M6:y", c4="O8:y^2"), VIZIERS, {"c4": "O8@P^3"}),
    "4.8 no camel left": (position(c3="M6:y", c4="M4:y", **camels(11)), VIZIERS, {"c4": "M4"}),
    "5.1 viziers are kept": (position(c3="M6:y", c4="M4:yy"), VIZIERS, {"viziers": 3, "elders": 2}),
    "5.1 elders are kept": (position(c3="M6:w", c4="M4:w"), move("c3>c4w"), {"viziers": 0, "elders": 4}),
    "5.2 merchants take from the start of the row": (
        position(c3="M6:g", c4="O8:gg"),
        move("c3>c4g"),
        {
            "fakirs": 3,
            "goods": {"ivory": 1, "fish": 1},
            "row": ("fish", "silk", "gold", "wheat"),
            "bag": tuple(count - (tribe == 0) - 3 * (tribe == 1) for tribe, count in enumerate(MEEPLE_COUNTS)),
        },
    ),
    "5.2 fewer cards if fewer are left": (
        position(row=("silk",), c3="M6:g", c4="O8:gg"),
        move("c3>c4g"),
        {"goods": {"silk": 1}, "row": ()},
    ),
    "5.2 an unknown row": (
        position(row=None, c3="M6:g", c4="O8:gg"),
        move("c3>c4g"),
        {"goods": {}, "fakirs": 2, "row": None},
    ),
    **{
        f"5.3 builders earn by blue tiles: {gold}": (
            position(**{"c3": "M6:b", **tiles}),
            move("c3>c4b", fakirs=fakirs),
            {"gold": gold, "fakirs": 2 - fakirs, "discards": ("fakir",) * fakirs},
        )
        for tiles, fakirs, gold in (
            ({"c4": "O8:b"}, 0, 10),
            ({"c4": "O8:b", "b3": "V5", "d5": "S6"}, 0, 14),
            ({"c4": "V5:b", "c2": "V5", "e4": "V5"}, 0, 12),
            ({"c4": "V5:bb", "c3": "S10:b"}, 2, 20),
        )
    },
    "5.4 kills on the end tile": (position(**REACH), move("c3>c4r", victim=on("c4", Tribe.VIZIER)), {"c4": "O8@P^1"}),
    "5.4 kills within the distance": (
        position(**REACH),
        move("c3>c4r", victim=on("e4", Tribe.BUILDER)),
        {"e4": "M4:b", "fakirs": 2},
    ),
    "5.4 fakirs lengthen it": (
        position(**REACH),
        move("c3>c4r", fakirs=1, victim=on("f4", Tribe.BUILDER)),
        {"f4": "M4:b", "fakirs": 1, "bag": (14, 17, 13, 18, 18)},
    ),
    "5.5 a kill that empties a tile claims it too": (
        position(c3="M6:r", c4="O8:r", d4="M4:g"),
        move("c3>c4r", victim=MERCHANT_ON_D4),
        {"c4": "O8@P^1", "d4": "M4@P"},
    ),
    "5.5 not a tile with a camel": (
        position(c3="M6:r", c4="O8:r", d4="M4:g@K"),
        move("c3>c4r", victim=MERCHANT_ON_D4),
        {"d4": "M4@K"},
    ),
    "5.5 the last camel goes to the end tile": (
        position(c3="M6:r", c4="O8:r", d4="M4:g", **camels(10)),
        move("c3>c4r", victim=MERCHANT_ON_D4),
        {"c4": "O8@P^1", "d4": "M4"},
    ),
    "5.5 a meeple dropped in this move may be killed": (
        position(c3="M6:gr", c5="O8:ry"),
        move("c3>c4g>c5r", victim=on("c4", Tribe.MERCHANT)),
        {"c4": "M6@P", "c5": "O8:y^1"},
    ),
    "5.6 fakirs of builders are discarded": (
        BUILDERS,
        move("c3>c4b", fakirs=2),
        {"discards": ("fakir", "fakir"), "fakirs": 0},
    ),
    "5.6 fakirs of assassins are discarded": (
        BUILDERS,
        move("e3>e4r", fakirs=2, victim=on("e5", Tribe.MERCHANT)),
        {"discards": ("fakir", "fakir"), "fakirs": 0},
    ),
    "6.1 a palm, claimed or not": (position(c3="M6:y", c4="O8:yb"), VIZIERS, {"c4": "O8:b^1"}),
    "6.1 no palm left": (position(c3="M6:y", c4="O8:y", a1="O8@K^12"), VIZIERS, {"c4": "O8@P"}),
    "6.2 a palace": (position(c3="M6:y", c4="V5:y@K#1"), VIZIERS, {"c4": "V5@K#2"}),
    "6.2 no palace left": (position(c3="M6:y", c4="V5:y", a1="V5@K#10"), VIZIERS, {"c4": "V5@P"}),
    "6.3 a small market": (
        MARKETS["M6"],
        move("c3>c4y", cards=(2,)),
        {"gold": 7, "goods": {"fish": 1}, "row": ("fakir", "ivory", *ROW[3:])},
    ),
    "6.3 income of the same turn can be spent": (
        holding(position(c3="M6:b", c4="M6:b", d4="V5"), gold=1),
        move("c3>c4b", cards=(0,)),
        {"gold": 0},
    ),
    "6.4 a large market": (
        MARKETS["M4"],
        move("c3>c4y", cards=(5, 0)),
        {"gold": 4, "fakirs": 3, "goods": {"gold": 1}, "row": ("ivory", "fish", "fish", "silk", "wheat")},
    ),
    "6.4 one card at the same price": (
        position(row=("silk",), c3="M6:y", c4="M4:y"),
        move("c3>c4y", cards=(0,)),
        {"gold": 4},
    ),
    "6.5 a djinn for two elders": (
        MARKETS["S6"],
        move("c3>c4y", djinn="Jafaar"),
        {"elders": 0, "fakirs": 2, "djinns": ("Utug",)},
    ),
    "6.5 a djinn for an elder and a fakir": (
        MARKETS["S6"],
        move("c3>c4y", djinn="Utug", with_fakir=True),
        {"elders": 1, "fakirs": 1, "discards": ("fakir",), "djinns": ("Jafaar",)},
    ),
    "6.5 elders just taken can be paid": (
        holding(position(c3="M6:w", c4="S6:w"), elders=0, fakirs=0),
        move("c3>c4w", djinn="Utug"),
        {"elders": 0},
    ),
}


def test_turns_do_what_the_clauses_say(subtests: pytest.Subtests) -> None:
    for clause, (start, turn, expected) in TURNS.items():
        with subtests.test(msg=clause):
            after = apply_move(start, turn)
            assert {what: read(after, what) for what in expected} == expected
            assert mover(after).djinns == ((turn.tile.djinn,) if turn.tile.djinn else ())


REFUSED: list[tuple[Position, Move, str]] = [
    (position(c3="M6:b", c4="V5:b"), move("c3>c4b", fakirs=3), r"pink has 2 fakirs, not 3 to discard \(rules 5\.3"),
    (
        holding(position(c3="M6:b", c4="V5:b"), fakirs=None),
        move("c3>c4b", fakirs=99),
        r"pink can.t have 99 fakirs to discard \(rules 5\.3",
    ),
    *(
        (position(c3="M6:" + meeple, c4="V5:" + meeple), move("c3>c4" + meeple, fakirs=1), "no use for fakirs")
        for meeple in "ywg"
    ),
    *(
        (position(**REACH), move("c3>c4r", fakirs=fakirs, victim=victim), r"rules 5\.4")
        for victim, fakirs in (
            (on("f4", Tribe.BUILDER), 0),
            (on("a1", Tribe.BUILDER), 2),
            (on("e4", Tribe.VIZIER), 0),
            (Victim(Tribe.BUILDER, owner=BLACK), 0),
            (Victim(Tribe.VIZIER, owner=PINK), 0),
            (Victim(Tribe.VIZIER, owner=BLUE), 0),
        )
    ),
    (position(**REACH), move("c3>c4r"), r"^the assassins of c4 must kill somebody \(rules 5\.4\)$"),
    (position(c3="M6:r", c4="O8:r"), move("c3>c4r"), "must kill somebody"),
    (MARKETS["M6"], move("c3>c4y", victim=ELDER_OF_BLACK), r"viziers kill nobody"),
    *(
        (MARKETS[kind], move("c3>c4y", cards=cards), rule)
        for kind, cards, rule in (
            ("M6", (3,), r"6\.3"),
            ("M6", (0, 1), r"6\.3"),
            ("M4", (0,), r"6\.4"),
            ("M4", (0, 6), r"6\.4"),
            ("M4", (1, 1), r"6\.4"),
            ("O8", (0,), r"6\.3"),
        )
    ),
    (holding(MARKETS["M6"], gold=2), move("c3>c4y", cards=(0,)), "costs 3 GC, pink has 2"),
    (MARKETS["O8"], move("c3>c4y", djinn="Utug"), r"rules 6\.5"),
    (MARKETS["S6"], move("c3>c4y", djinn="Nekir"), r"rules 6\.5"),
    (holding(MARKETS["S6"], elders=1), move("c3>c4y", djinn="Utug"), r"a djinn costs 2 elders.*pink has 1 elder"),
]


def test_turns_against_the_clauses_are_refused(subtests: pytest.Subtests) -> None:
    for start, turn, words in REFUSED:
        with subtests.test(msg=words), pytest.raises(IllegalMoveError, match=words):
            apply_move(start, turn)


def test_5_4_in_front_of_an_opponent() -> None:
    for tribe, left in ((Tribe.VIZIER, (0, 1)), (Tribe.ELDER, (1, 0))):
        black = apply_move(position(**REACH), move("c3>c4r", victim=Victim(tribe, owner=BLACK))).player(BLACK)
        assert (black.viziers, black.elders) == left


def test_5_4_nobody_to_kill_without_fakirs_and_fakirs_stay_optional() -> None:
    nobody = Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=())
    start = position(black=nobody, c3="M6:r", c4="O8:r", f4="M6:b")
    choices = {chosen.tribe for chosen in legal_moves(start) if chosen.sowing == parse_sowing("c3>c4r")}
    on_f4 = on("f4", Tribe.BUILDER)
    assert choices == {TribeChoice(), TribeChoice(1, on_f4), TribeChoice(2, on_f4)}
    after, events = play_move(start, move("c3>c4r"))
    assert mover(after).fakirs == 2
    assert NobodyKilled(PINK, parse_square("c4"), 2) in events
    with pytest.raises(IllegalMoveError, match="must kill somebody"):
        apply_move(start, move("c3>c4r", fakirs=1))


def turns(start: Position) -> list[Move]:
    """The complete turns that move from c3 to c4."""
    return [chosen for chosen in legal_moves(start) if chosen.sowing == parse_sowing("c3>c4y")]


def test_6_3_6_4_what_markets_offer(subtests: pytest.Subtests) -> None:
    pairs = {tuple(sorted(pair)) for pair in combinations(range(6), 2)}
    for start, choices in (
        (MARKETS["M6"], {(), (0,), (1,), (2,)}),
        (MARKETS["M4"], {(), *pairs}),
        (position(row=("silk",), c3="M6:y", c4="M4:y"), {(), (0,)}),
        *((position(row=row, c3="M6:y", c4=kind + ":y"), {()}) for row, kind in (((), "M6"), ((), "M4"), (None, "M6"))),
        (holding(MARKETS["M6"], gold=2), {()}),
    ):
        with subtests.test(row=start.row):
            assert {chosen.tile.cards for chosen in turns(start)} == choices


def test_6_5_what_can_be_paid() -> None:
    for elders, fakirs, choices in ((0, 5, 0), (1, 0, 0), (1, 1, 2), (2, 0, 2), (2, 1, 4)):
        assert len(turns(holding(MARKETS["S6"], elders=elders, fakirs=fakirs))) == 1 + choices


# What is not known stays so


def test_unknown_holdings_stay_unknown() -> None:
    start = position(c3="M6:b", c4="S6:b")
    start = start.with_player(Player(PINK))
    after = apply_move(start, move("c3>c4b", djinn="Utug"))
    assert mover(after) == Player(PINK)
    assert {chosen.tile for chosen in legal_moves(start)} == {TileChoice()}


def test_nobody_to_move_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="to_move"):
        apply_move(replace(position(c3="M6:b", c4="S6:b"), to_move=None), move("c3>c4b"))
