"""Whole turns bring the most that can be had: against walking every complete turn, and in named cases."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from companion.advisor.expectation import expectation_of, unknown_cards
from companion.advisor.explanation import fresh_turn
from companion.advisor.search.assume import table_state
from companion.errors import ImpossiblePositionError
from companion.lab.arena.greedy import MAX_TIE_BREAK
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.actions import ActTribe
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.events import MeeplesTaken, Victim
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.unknowns import without_unknown_holdings
from tests.advisor.gains import BestTurn, best_turns
from tests.advisor.positions import random_position
from tests.rules.test_turn import NO_GOODS, camels, position
from tests.rules.whole_turns import legal_moves, play_move

BLACK, ORANGE, BLUE, PINK = Colour
MAX_TURNS = 250
"""Positions with more complete turns than this are passed over by the comparison."""
COSTLY = tuple(name for name, djinn in EVERY_DJINN.items() if djinn.cost.payments)


def best_by_walking(state: GameState) -> dict[tuple[int, int, int, int], float] | None:
    """The greatest expected gain by start, end, tribe and number, over all turns; None if there are too many."""
    start = without_unknown_holdings(state.position)
    expectation = expectation_of(state)

    def points(after: Position, cards: int = 0) -> float:
        unsure = [rival for rival, known in expectation.rivals.items() if not (known and expectation.own_viziers_known)]
        hoped = 10 * sum(expectation.chance_ahead(rival, after) for rival in unsure)
        return expectation.certain(after) + hoped + expectation.goods_points(after, cards)

    best: dict[tuple[int, int, int, int], float] = {}
    turns = list(islice(legal_moves(start), MAX_TURNS + 1))
    for turn in turns:
        played = play_move(start, turn)
        taken = next(event for event in played.events if isinstance(event, MeeplesTaken))
        outcome = (turn.sowing.start, taken.square, int(taken.tribe), taken.count)
        gain = points(played.position, unknown_cards(played.events)) - points(start)
        best[outcome] = max(gain, best.get(outcome, gain))
    return None if len(turns) > MAX_TURNS else best


def test_gains_are_the_maxima_over_all_complete_turns(subtests: pytest.Subtests) -> None:
    compared = 0
    for seed in range(40):
        try:
            state = table_state(random_position(seed, large_hand=seed % 4 == 3)).state
        except ImpossiblePositionError:
            continue
        # Powers that cost something count as used, since the walks don't use them.
        state = replace(state, progress=replace(state.progress, used=COSTLY))
        walked = best_by_walking(state) if state.stage is Stage.MOVE else None
        if walked is None:
            continue
        with subtests.test(msg=f"seed {seed}"):
            compared += len(walked)
            found = {}
            for hint in best_turns(state):
                taken = hint.explained.taken
                assert taken is not None
                expected = hint.explained.explanation.expected
                found[hint.sowing.start, taken.end, int(taken.tribe), taken.count] = expected
                assert abs(hint.value - expected) <= MAX_TIE_BREAK + 0.005
            assert found.keys() == walked.keys()
            for outcome, gain in walked.items():
                # What depends on cards nobody has seen is ranked by a few worlds.
                assert found[outcome] == pytest.approx(gain, abs=0 if gain == int(gain) else 1.5)
    assert compared > 60


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
        "takes Jafaar for 1 elder and 1 fakir (+6, by its power +12, price -2)",
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
            effects = ", ".join(str(e) if e.points else e.text for e in found.explained.explanation.effects)
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
    assert "Marid pays black 2 GC for the drops" in to_e4.explained.explanation.actions
