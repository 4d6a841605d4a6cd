"""Selling at the end of a turn (rules 7), also of cards that only their owner has seen (rules 12.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.model.actions import Paid, Sell, UsePower
from companion.rules.model.chance import Drawn, ScriptedChance
from companion.rules.model.components import GOODS, SET_PRICES_GC
from companion.rules.model.events import GoodsSold
from companion.rules.model.state import GameState, Stage
from tests.rules.tables import END, PINK, after, at_turn, player


def closing(hidden: int = 0, **holdings: dict[str, int] | int | tuple[str, ...]) -> GameState:
    state = at_turn(player(PINK, **holdings), stage=Stage.CLOSE)
    return replace(state, hidden=(0, hidden))


def test_7_1_a_set_of_different_goods_brings_its_price(subtests: pytest.Subtests) -> None:
    for size in range(1, 10):
        with subtests.test(size=size):
            state = closing(goods=dict.fromkeys(GOODS, 1))
            done = step(state, Sell(GOODS[:size]))
            assert done.state.player(PINK).gold == 50 + SET_PRICES_GC[size]
            assert done.state.position.discards == GOODS[:size]
            assert sum(done.state.player(PINK).goods) == 9 - size
            assert done.events == (GoodsSold(PINK, GOODS[:size], SET_PRICES_GC[size]),)


def test_7_1_any_number_of_sets() -> None:
    state = closing(goods={"fish": 2, "silk": 1})
    done = after(state, Sell(("silk", "fish")), Sell(("fish",)), END)
    assert done.player(PINK).gold == 54


def test_7_1_every_choice_of_different_goods_is_listed() -> None:
    state = closing(goods={"fish": 2, "silk": 1, "ivory": 1}, fakirs=3)
    sales = {frozenset(action.goods) for action in legal_actions(state) if isinstance(action, Sell)}
    assert len(sales) == 7
    assert frozenset({"ivory", "silk", "fish"}) in sales


def test_7_1_what_cannot_be_sold(subtests: pytest.Subtests) -> None:
    for goods, message in [
        (("fakir",), "fakirs cannot be sold"),
        (("fish", "fish"), "fish is named 2 times"),
        (("fish",) * 5, "fish is named 5 times"),
        (("ivory",), "pink has no ivory to sell"),
        ((), "at least one good"),
        (("bread",), r"'bread' is not a good.*rules 1\.4"),
    ]:
        with subtests.test(goods=goods), pytest.raises(IllegalMoveError, match=message):
            apply(closing(goods={"fish": 2}, fakirs=2), Sell(goods))


def test_7_after_selling_nothing_but_selling() -> None:
    state = after(closing(goods={"fish": 2}, fakirs=1, djinns=("Sloar",)), Sell(("fish",)))
    assert legal_actions(state) == (Sell(("fish",)), END)
    with pytest.raises(IllegalMoveError, match=r"has sold.*rules 7"):
        apply(state, UsePower(Paid("Sloar", 0, 1)))


def test_12_2_a_card_that_nobody_saw_may_be_sold() -> None:
    state = closing(hidden=2, goods={"fish": 1})
    assert legal_actions(state) == (Sell(("fish",)), END)
    done = apply(state, Sell(("ivory", "silk", "fish")))
    assert (done.hidden, done.player(PINK).gold, sum(done.player(PINK).goods)) == ((0, 0), 57, 0)
    with pytest.raises(IllegalMoveError, match="no ivory and no silk to sell"):
        apply(closing(hidden=1, goods={"fish": 1}), Sell(("ivory", "silk", "fish")))


def test_12_2_a_fakir_that_nobody_saw_may_be_paid() -> None:
    from tests.rules.tables import scripted

    state = closing(hidden=1, djinns=("Sloar",))
    assert legal_actions(state) == (END,)
    done = apply(state, UsePower(Paid("Sloar", 0, 1)), scripted([None]))
    assert (done.hidden, done.player(PINK).fakirs, done.position.discards) == ((0, 1), 0, ("fakir",))


def test_12_2_unknown_goods_stay_unknown() -> None:
    state = closing()
    unknown = replace(player(PINK), goods=None)
    state = replace(state, position=state.position.with_player(unknown))
    assert apply(state, Sell(("ivory",))).player(PINK) == replace(unknown, gold=51)


def test_12_2_no_card_is_sold_unseen_that_lies_in_sight_elsewhere(subtests: pytest.Subtests) -> None:
    for known in [True, False]:
        with subtests.test(known=known):
            state = closing(hidden=2)
            if not known:
                state = replace(state, position=state.position.with_player(replace(player(PINK), goods=None)))
            there = replace(state, position=replace(state.position, row=("ivory", "silk"), discards=("ivory",)))
            with pytest.raises(IllegalMoveError, match="pink has no ivory to sell"):
                apply(there, Sell(("ivory", "silk")))
            assert apply(there, Sell(("silk", "spice"))).player(PINK).gold == 53


def test_12_2_no_fakir_is_paid_unseen_that_lies_in_sight_elsewhere() -> None:
    for lying, allowed in ((17, True), (18, False)):
        state = closing(hidden=1, djinns=("Sloar",))
        state = replace(state, position=replace(state.position, row=("fakir",) * 9, discards=("fakir",) * (lying - 9)))
        if allowed:
            assert apply(state, UsePower(Paid("Sloar", 0, 1)), ScriptedChance(Drawn((None,)))).position.discards
            continue
        with pytest.raises(IllegalMoveError, match="Sloar costs 1 fakir"):
            apply(state, UsePower(Paid("Sloar", 0, 1)), ScriptedChance(Drawn((None,))))
