"""Powers and sales in enumerated turns, against the readable engine (rules 7, 11)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.notation.tokens import parse_board
from companion.rules.engine.game import apply, legal_actions
from companion.rules.engine.scoring import score
from companion.rules.model.actions import EndTurn, Sell, UsePower
from companion.rules.model.board import COLUMNS, SQUARE_NAMES, SQUARES, parse_square
from companion.rules.model.chance import UNSEEN
from companion.rules.model.components import TILE_KINDS, Colour
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import turns_to_actions
from companion.simulation.djinns import DJINN_ID
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import STAGE_ID, Batch, Turns
from tests.rules.tables import BLACK, PINK, at_turn, board_of, player
from tests.simulation.roots import gained, rooted

COSTLY = ("Bouraq", "Enki", "Leta", "Utug", "Echidna", "Hagis", "Lamia", "Iblis", "Anun-Nak", "Sloar", "Sibittis")


def total(state: GameState, colour: Colour) -> int:
    return score(state.position)[colour].total


def gains(state: GameState, root: Batch, turns: Turns) -> list[int]:
    return [gained(state, root, turns, column) for column in range(len(turns))]


def best_gain(state: GameState) -> int:
    """The most that a turn gains, by taking every legal action in every order; powers that draw are left out."""
    mover = state.mover
    assert mover is not None

    @cache
    def best(here: GameState) -> int:
        found = [total(here, mover)] if here.stage in (Stage.CLOSE, Stage.SELL) else []
        for action in legal_actions(here):
            drawing = isinstance(action, UsePower) and action.paid.djinn in ("Anun-Nak", "Sloar", "Sibittis")
            if not drawing and not isinstance(action, EndTurn | Sell):
                found.append(best(apply(here, action, UNSEEN)))
        return max(found, default=-1000)

    return best(state) - total(state, mover)


FREE = ("Marid", "Nekir", "Ba'al", "Monkir", "Haurvatat", "Jafaar", "Shamhat", "Al-Amin")


def small_table(seed: int) -> GameState:
    """Nine tiles side by side with a few meeples and camels on them, three djinns of any kind, and some to take."""
    random = Random(seed)
    djinns = tuple(random.sample((*COSTLY[:8], *FREE), 3))
    kinds = [kind.code for kind in TILE_KINDS.values() for _ in range(kind.count)]
    random.shuffle(kinds)
    column, row = random.randrange(4), random.randrange(3)
    tokens = ["M6"] * SQUARES
    for place in range(9):
        token = kinds.pop()
        if random.random() < 0.5:
            token += ":" + "".join(random.choice("ywbgr") for _ in range(random.choice((1, 1, 2, 2))))
        if random.random() < 0.25:
            token += "@" + random.choice("PK")
        tokens[(row + place // 3) * COLUMNS + column + place % 3] = token
    holdings = player(
        PINK,
        djinns=djinns,
        elders=random.randrange(5),
        fakirs=random.randrange(3),
        gold=random.choice((2, 9, 30)),
        viziers=random.randrange(3),
    )
    face_up = tuple(name for name in random.sample((*COSTLY[:8], *FREE), 2) if name not in djinns)
    cards = ("fish", "silk", "gold", "fakir")[: random.randrange(5)]
    other = player(BLACK, viziers=random.randrange(3), elders=random.randrange(2))
    state = at_turn(holdings, other, row=cards, djinns=face_up)
    rows = "/".join(" ".join(tokens[place : place + COLUMNS]) for place in range(0, SQUARES, COLUMNS))
    return replace(state, position=replace(state.position, board=parse_board(rows)))


def test_no_order_of_powers_gains_more_on_small_tables(subtests: pytest.Subtests) -> None:
    for seed in [0, 2, 8, 134]:
        with subtests.test(msg=str(seed)):
            state = small_table(seed)
            root = rooted(state)
            assert max(gains(state, root, whole_turns(root, seed=seed))) >= best_gain(state)


def test_11_an_end_tile_is_claimed_before_its_palm_is_put_there() -> None:
    state = at_turn(player(PINK, elders=2, djinns=("Utug",)), a1="M6:y", b1="O8:yg", f5="M6:y")
    root = rooted(state)
    turns = whole_turns(root)
    assert max(gains(state, root, turns)) == 2 + 10 - 2 * 2 + 8 + 3


def test_11_10_iblis_is_not_paid_with_an_elder_that_the_kill_brings() -> None:
    holdings = player(PINK, fakirs=1, djinns=("Iblis", "Kandicha"))
    state = at_turn(holdings, player(BLACK, elders=2), djinns=(), a1="M6:r", b1="S6:r", f5="M6:y")
    root = rooted(state)
    turns = whole_turns(root)
    assert (turns.double_paid == 1).any()
    assert not (turns.double_paid == 0).any()
    assert max(gains(state, root, turns)) == 6 + 2 * 2


def test_a_djinn_just_taken_is_used_at_once() -> None:
    state = at_turn(player(PINK, elders=4), djinns=("Leta",), a1="M6:w", b1="S6:w", c1="S15")
    turns = whole_turns(rooted(state))
    taken = turns.djinn == DJINN_ID["Leta"]
    assert (taken & (turns.power[0] == DJINN_ID["Leta"]) & (turns.power_square[0] == parse_square("c1"))).any()
    assert not (~taken & (turns.power[0] == DJINN_ID["Leta"])).any()


def test_a_tile_is_claimed_before_the_move_where_it_is_too_late_after_it() -> None:
    state = at_turn(player(PINK, elders=2, djinns=("Utug",)), a1="S15:yb", c1="M6:y", d1="M6:g", e1="M6:g")
    turns = whole_turns(rooted(state))
    before = (turns.power[0] == DJINN_ID["Utug"]) & (turns.power_when[0] == STAGE_ID[Stage.MOVE])
    assert (before & (turns.power_square[0] == parse_square("a1")) & (turns.start == parse_square("a1"))).any()


def test_7_1_who_is_short_of_gold_may_sell() -> None:
    poor = at_turn(player(PINK, gold=0, goods={"fish": 2, "silk": 1, "wheat": 1}))
    turns = whole_turns(rooted(poor))
    sold = np.nonzero(turns.sale[0])[0]
    assert len(sold)
    sales = [
        action for action in turns_to_actions(rooted(poor), turns, int(sold[0]), poor)[0] if isinstance(action, Sell)
    ]
    assert [set(sale.goods) for sale in sales] == [{"silk", "fish", "wheat"}, {"fish"}]
    rich = replace(poor, position=poor.position.with_player(player(PINK, goods={"fish": 2, "silk": 1})))
    assert not whole_turns(rooted(rich)).sale.any()


def test_6_2_nothing_is_built_that_the_supply_has_not(subtests: pytest.Subtests) -> None:
    for left, built in [(1, True), (0, False)]:
        for elsewhere in ["V5@P", "V5@K", "V5"]:
            with subtests.test(msg=str(elsewhere)):
                holdings = player(PINK, elders=2, fakirs=1, djinns=("Bouraq", "Hagis", "Monkir"))
                there = f"M6@K#{10 - left}"
                state = at_turn(holdings, djinns=(), a1="M6:y", b1="M6:y", e4=elsewhere, e5="M6@P", f1=there)
                turns = whole_turns(rooted(state))
                assert (turns.power == DJINN_ID["Bouraq"]).any() == built
                assert len(gains(state, rooted(state), turns)) == len(turns)


def test_11_nothing_is_put_on_a_tile_that_bouraq_has_built_on() -> None:
    """Anun-Nak needs a tile without a palace, and a palace for Monkir's gold may stand on a village of nobody."""
    holdings = player(PINK, fakirs=2, djinns=("Bouraq", "Monkir", "Anun-Nak"))
    state = at_turn(holdings, djinns=())
    tiles = dict.fromkeys(SQUARE_NAMES, "M6@K") | {"a1": "M6:y", "b1": "M6:y", "e4": "V5"}
    state = replace(state, position=replace(state.position, board=board_of(**tiles)))
    root = rooted(state)
    turns = whole_turns(root)
    assert len(gains(state, root, turns)) == len(turns)
    for djinn in ("Bouraq", "Anun-Nak"):
        used = turns.power == DJINN_ID[djinn]
        assert (used & (turns.power_square == parse_square("e4"))).any()
