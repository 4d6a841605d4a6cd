"""The turns that gain most, in named cases; `tests/simulation` holds whole turns to every order of actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.advisor.explanation import fresh_turn
from companion.rules.model.actions import ActTribe
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.events import Victim
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState
from tests.advisor.gains import BestTurn, best_turns
from tests.rules.test_turn import NO_GOODS, camels, position

BLACK, ORANGE, BLUE, PINK = Colour


def turn_at(start: Position) -> GameState:
    """A turn on a board that no box could lay."""
    return fresh_turn(start, moves=True)


def best(start: Position) -> BestTurn:
    return best_turns(turn_at(start), 1)[0]


def victim_of(hint: BestTurn) -> Victim | None:
    return next(action.choice.victim for action in hint.actions if isinstance(action, ActTribe))


def rich(start: Position, **holdings: Any) -> Position:
    return start.with_player(replace(start.player(PINK), **holdings))


def with_black(start: Position, **holdings: Any) -> Position:
    return start.with_player(replace(start.player(BLACK), **holdings))


NOBODY = Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=())
FOUR_RARE = tuple(int(name in ("ivory", "jewels", "gold", "papyrus")) for name in GOODS)
CASES = {
    "5.5 one is dropped on an empty tile and killed": (
        position(black=NOBODY, c3="M4:gr", d4="M6:ry", d3="S15", c4="O8"),
        15,
        "claims d3 (+15)",
    ),
    "5.5 what stands alone is killed where the path doesn't pass": (
        position(black=NOBODY, c3="M4:gr", d4="M6:ry", d3="S15:w", c4="M4"),
        15,
        "kills the elder on d3, claims d3 (+15)",
    ),
    "5.5 a kill that claims the end tile is worth its palm too": (
        position(black=NOBODY, c3="M4:r@K", c4="O8:rg", e4="M6:b", d4="M4@K"),
        11,
        "kills the merchant on c4, claims c4 (+8), puts a palm on c4 (+3)",
    ),
    "5.5 the last camel goes to the end tile": (
        position(black=NOBODY, c3="M4:r", c4="M4:r", d3="S15:w", **camels(10)),
        4,
        "claims c4 (+4), kills the elder on d3",
    ),
    "5.4 fakirs lengthen the reach where that gains": (
        rich(position(black=NOBODY, c3="M4:r", c4="M4:r", f4="S15:w", e4="O8:b"), fakirs=2),
        19,
        "claims c4 (+4), kills the elder on f4 with 1 fakir, claims f4 (+15)",
    ),
    "5.4 nobody to kill": (position(black=NOBODY, c3="M4:r", c4="M6:r"), 6, "claims c4 (+6)"),
    "5.4 a vizier killed in front overtakes": (
        rich(position(c3="M4:r@K", c4="M4:r@K", d4="M4:b"), viziers=1),
        10,
        "kills a vizier in front of black (now ahead of one player: +10)",
    ),
    "10.2 viziers count by whom they overtake": (
        position(c3="M6:y", c4="M4:yb"),
        12,
        "takes 2 viziers (+2, now ahead of one player: +10)",
    ),
    "6.4 the two cards that gain most are bought": (
        rich(position(c3="M4:y@K", c4="M4:yb"), goods=FOUR_RARE, viziers=5, elders=0),
        2 + (30 - 13) - 6,
        "buys fish and silk for 6 GC",
    ),
    "6.4 nothing is bought that loses": (rich(position(c3="M4:y@K", c4="M4:yb"), viziers=5), 2, "takes 2 viziers"),
    "5.3 a fakir pays for a djinn that is worth more": (
        rich(position(c3="M6:b@K", c4="S6:b@K", d4="V5"), elders=1, fakirs=1),
        4 + 6 - 2,
        "2 builders earn 4 GC for 2 x 2 blue-valued tiles (+4), takes Jafaar for 1 elder and 1 fakir (+6, price -2)",
    ),
    "6.5 the djinn whose power is worth most": (
        rich(position(c3="M6:y", c4="S6:y@K"), viziers=4),
        2 + (6 + 2 * 6) - 2,
        "takes Jafaar for 1 elder and 1 fakir (+6, its power +12, price -2)",
    ),
    "11 own Marid is paid for the best path": (
        rich(position(c3="M6:ggy", e4="M4:yb", d4="M6@P", c4="M6@P", e3="M6@K", d3="M6@K"), djinns=("Marid",)),
        14,
        "Marid pays 2 GC for the drops (+2)",
    ),
    "11 a power that pays is used": (
        rich(position(black=NOBODY, c3="M6:w@K", c4="M6:wb@K", a1="V5:b"), djinns=("Utug",), elders=2),
        4 + 5 - 2,
        "uses Utug for 1 elder and 1 fakir (-2), claims a1 (+5)",
    ),
}


def test_the_best_turn_of_a_position(subtests: pytest.Subtests) -> None:
    for case, (start, gain, why) in CASES.items():
        with subtests.test(msg=case):
            found = best(start)
            effects = ", ".join(str(e) if e.points else e.text for e in found.explained.effects)
            assert found.gain == gain and why in effects


SIX_AHEAD = rich(position(c3="M4:r@K", c4="M4:r@K", d4="M4:b@K"), viziers=5)
BARE_BLACK = with_black(SIX_AHEAD, elders=0, viziers=0)
TIES = {
    "an elder of an opponent is worth more than a vizier": (SIX_AHEAD, Victim(Tribe.ELDER, owner=BLACK), 0.04),
    "a meeple of the board": (BARE_BLACK, Victim(Tribe.BUILDER, square=parse_square("d4")), 0.0),
    "a fakir gained": (position(black=NOBODY, row=("fakir",), c3="M4:g@K", c4="M4:gb@K"), None, 0.03),
    "a fakir spent for an elder kept": (
        rich(position(black=NOBODY, djinns=("Utug",), c3="M6:w@K", c4="S6:wb@K"), elders=0, fakirs=1),
        None,
        5.97,
    ),
    "never as much as a point": (
        position(black=replace(NOBODY, djinns=("Dhenim",)), c3="M4:y@K", c4="M4:yyyyyyyyyyb@K"),
        None,
        21 - 0.4,
    ),
}


def test_a_tie_break_decides_between_equal_gains(subtests: pytest.Subtests) -> None:
    for case, (start, victim, value) in TIES.items():
        with subtests.test(msg=case):
            first = best(start)
            assert victim_of(first) == victim and first.value == pytest.approx(value)


def test_11_the_path_shown_spares_what_an_opponents_marid_would_get() -> None:
    start = with_black(position(c3="M6:ggy", e4="M4:yb", c4="M6@K", d4="M6@K", d3="M6@K", e3="M6"), djinns=("Marid",))
    to_e4 = next(hint for hint in best_turns(turn_at(start)) if hint.sowing.end == parse_square("e4"))
    assert to_e4.sowing.path == tuple(map(parse_square, ("d3", "e3", "e4")))
    assert "Marid pays black 2 GC for the drops" in [effect.text for effect in to_e4.explained.effects]
