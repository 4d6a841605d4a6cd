"""Turns in their order, clean-up, and the end of the game (rules 4.1, 4.6, 8, 9)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.model.actions import ActTile, ActTribe, Drop, Lift, Paid, PlaceBid, Sell, Sow, UsePower
from companion.rules.model.board import parse_square
from companion.rules.model.chance import ChanceNeededError, ScriptedChance
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, Colour, Tribe
from companion.rules.model.events import Refilled
from companion.rules.model.position import Bid, Phase, Player
from companion.rules.model.state import Ending, GameState, Stage
from tests.rules.tables import (
    BLACK,
    END,
    MOVABLE,
    ORANGE,
    PINK,
    ROW,
    after,
    at_bid,
    at_turn,
    parse_sowing,
    player,
    scripted,
)

MOVE = (Sow(parse_sowing("a5>b5y")), ActTribe(), ActTile())


def test_4_1_markers_go_to_the_bid_order_track_in_playing_order() -> None:
    state = at_bid(player(ORANGE), player(PINK), player(BLACK))
    for price in (0, 5, 3):
        state = apply(state, PlaceBid(price))
    assert (state.mover, state.position.bid_order) == (PINK, (PINK,))
    state = after(state, *MOVE, END)
    assert (state.mover, state.position.bid_order, state.position.turn_order) == (
        BLACK,
        (PINK, BLACK),
        (Bid(ORANGE, 0),),
    )


def test_4_1_turn_order_is_the_next_bid_order() -> None:
    state = at_turn(waiting=(), row=ROW)
    state = replace(state, position=replace(state.position, bid_order=(BLACK, PINK)))
    done = after(state, *MOVE, END)
    assert (done.stage, done.position.bid_order, done.mover) == (Stage.BID, (BLACK, PINK), BLACK)
    assert done.position.phase is Phase.BID


def test_2_1_two_turns_of_one_player_may_follow_each_other() -> None:
    state = at_turn(waiting=(PINK, BLACK, BLACK), b5="M6:y", c5="M6:y", e5="M6:y", f5="M6:y")
    state = after(state, Sow(parse_sowing("b5>c5y")), ActTribe(), ActTile(), END)
    assert (state.mover, state.stage, state.progress.used) == (PINK, Stage.MOVE, ())


def test_4_2_step_by_step_is_the_same_as_all_at_once() -> None:
    tiles = {"c3": "M6:gy", "c4": "O8:g", "d4": "M4:y"}
    state = at_turn(**tiles)
    steps = after(state, Lift(14), Drop(20, Tribe.MERCHANT), Drop(21, Tribe.VIZIER))
    assert steps == after(state, Sow(parse_sowing("c3>c4g>d4y")))
    assert (steps.stage, steps.progress.taken.count) == (Stage.TRIBE, 2)


def test_4_2_4_3_4_5_a_drop_that_breaks_a_rule_is_refused(subtests: pytest.Subtests) -> None:
    for drop, rule in [
        (Drop(parse_square("e5"), Tribe.MERCHANT), "4.2"),
        (Drop(parse_square("d5"), Tribe.MERCHANT), "4.2"),
        (Drop(parse_square("c3"), Tribe.MERCHANT), "4.3"),
        (Drop(parse_square("c5"), Tribe.BUILDER), "4.2"),
        (Drop(parse_square("c5"), Tribe.VIZIER), "4.5"),
    ]:
        with subtests.test(drop=drop):
            state = after(at_turn(c3="M6:ggy", d4="M4:y", d5="M4:y"), Lift(14), Drop(20, Tribe.MERCHANT))
            assert drop not in legal_actions(state)
            with pytest.raises(IllegalMoveError, match=rf"rules {rule}\)"):
                apply(state, drop)


def test_4_4_the_way_leads_over_anything() -> None:
    state = at_turn(c3="M6:gy", c4="O8@K^2", d4="M4:y")
    assert Drop(20, Tribe.MERCHANT) in legal_actions(after(state, Lift(14)))


def test_4_5_ruling_a_meeple_of_this_move_is_enough() -> None:
    state = at_turn(c3="M6:yyggg")
    path = parse_sowing("c3>c4y>d4g>d3g>c3g>c4y")
    assert after(state, Sow(path)).progress.taken.count == 2


def test_4_6_a_player_who_can_move_must() -> None:
    assert {type(action) for action in legal_actions(at_turn())} == {Lift}
    with pytest.raises(IllegalMoveError, match=r"pink is to move meeples.*rules 4\.2"):
        apply(at_turn(), END)


def test_4_6_only_tiles_that_lead_somewhere_can_be_lifted() -> None:
    state = at_turn(a5="M6:y", b5="M6:y", f1="M6:r")
    assert legal_actions(state) == (Lift(24), Lift(25))
    with pytest.raises(IllegalMoveError, match=r"f1 ends on a meeple of the same colour \(rules 4\.5\)"):
        apply(state, Lift(5))
    with pytest.raises(IllegalMoveError, match="a1 has no meeples to take \\(rules 4\\.2\\)"):
        apply(state, Lift(0))


def last_turn(**changes: tuple[str, ...]) -> GameState:
    """Pink's turn, the last one of the round, nearly over."""
    state = at_turn(stage=Stage.CLOSE, waiting=(), **changes)
    return replace(state, position=replace(state.position, bid_order=(BLACK, PINK)))


def test_8_1_the_row_closes_up_and_is_refilled_in_order() -> None:
    done = step(
        last_turn(row=("fish", "silk"), djinns=("Utug",)), END, scripted(["gold"] * 2 + ["fakir"] * 5, ["Leta", "Enki"])
    )
    assert done.state.position.row == ("fish", "silk", "gold", "gold", *("fakir",) * 5)
    assert done.state.position.djinns == ("Utug", "Leta", "Enki")
    assert isinstance(done.events[-1], Refilled)


def all_cards(**left: int) -> Player:
    """One of all cards for pink's hand but these, which are left for the deck."""
    fakirs = CARD_COUNTS[FAKIR] - left.pop(FAKIR, 0)
    goods = {name: CARD_COUNTS[name] - left.get(name, 0) for name in GOODS}
    return player(PINK, fakirs=fakirs, goods=goods)


def test_8_1_an_empty_deck_is_made_of_its_discards() -> None:
    state = last_turn(row=(), discards=("fish", "fish", "fakir"))
    everything = all_cards(fish=4, fakir=2)
    state = replace(state, position=replace(state.position, players=(player(BLACK), everything)))
    # Two fish and a fakir are left in the deck; the discards come after them.
    done = step(state, END, scripted(["fish", "fakir", "fish", "fakir", "fish", "fish"]))
    assert done.state.position.row == ("fish", "fakir", "fish", "fakir", "fish", "fish")
    assert done.state.position.discards == ()


def test_8_1_with_no_card_anywhere_the_row_stays_short() -> None:
    state = last_turn(row=("fish",))
    state = replace(state, position=replace(state.position, players=(player(BLACK), all_cards(fish=1))))
    assert apply(state, END).position.row == ("fish",)


def test_8_1_the_djinns_discarded_come_back() -> None:
    owned = ("Al-Amin", "Anun-Nak", "Ba'al", "Boaz", "Bouraq", "Echidna", "Enki", "Hagis", "Haurvatat", "Iblis")
    others = ("Jafaar", "Kandicha", "Kumarbi", "Lamia", "Leta", "Marid", "Monkir", "Shamhat")
    state = last_turn(djinns=("Nekir",))
    players = (player(BLACK, djinns=owned), player(PINK, djinns=others))
    state = replace(
        state, position=replace(state.position, players=players), djinn_discards=("Sibittis", "Sloar", "Utug")
    )
    done = step(state, END, scripted(djinns=["Sloar", "Utug"]))
    assert done.state.position.djinns == ("Nekir", "Sloar", "Utug")
    assert done.state.djinn_discards == ()


def nearly_out(count: int, **more: str) -> GameState:
    """A pink player with so many of 11 camels on the board (two players)."""
    names = [column + row for row in "12" for column in "abcdef"]
    return at_turn(**{name: "M6@P" for name in names[:count]}, **MOVABLE, **more)


def test_9_1_the_last_camel_makes_the_round_the_last() -> None:
    state = nearly_out(10)
    done = step(state, MOVE[0])
    assert done.state.ending is Ending.LAST_CAMEL
    state = after(done.state, *MOVE[1:], END)
    assert (state.mover, state.is_over) == (BLACK, False)


def test_9_1_not_the_last_but_one() -> None:
    assert after(nearly_out(9), MOVE[0]).ending is None


def test_9_1_the_other_turns_of_the_round_are_played() -> None:
    state = nearly_out(10, c5="M6:g", d5="M6:g")
    state = after(state, *MOVE, END, Sow(parse_sowing("c5>d5g")), ActTribe(), ActTile())
    assert not state.is_over
    over = after(state, END)
    assert (over.is_over, over.position.phase, over.mover, legal_actions(over)) == (True, Phase.END, None, ())


def test_9_1_without_its_end_a_round_is_followed_by_the_next() -> None:
    assert after(last_turn(), END).stage is Stage.BID


def stuck(*players: Player, **changes: dict[str, str] | tuple[Colour, Colour]) -> GameState:
    """Black's turn begins when pink's ends, and there is no legal move (but on tiles named)."""
    tiles = changes.pop("tiles", {"a1": "M6:y"})
    return at_turn(*players, stage=Stage.CLOSE, **changes, **tiles)


def test_9_2_with_no_legal_move_powers_and_selling_are_left() -> None:
    state = stuck(player(BLACK, elders=1, goods={"fish": 1}, djinns=("Bouraq",)), tiles={"a1": "V5:y"})
    done = step(state, END)
    assert (done.state.stage, done.state.ending) == (Stage.CLOSE, Ending.NO_MOVE)
    assert legal_actions(done.state) == (UsePower(Paid("Bouraq", 1, 0), 0), Sell(("fish",)), END)


def test_9_2_the_game_ends_with_the_round() -> None:
    state = after(stuck(waiting=(BLACK, PINK)), END)
    assert (state.mover, state.is_over) == (BLACK, False)
    state = after(state, END)
    assert (state.mover, state.stage) == (PINK, Stage.CLOSE)
    assert after(state, END).is_over


REVIVER = player(BLACK, elders=1, djinns=("Anun-Nak",))
REVIVE = UsePower(Paid("Anun-Nak", 1, 0), parse_square("a2"))


def test_9_2_a_power_that_makes_moves_possible_saves_neither_move_nor_game() -> None:
    state = after(stuck(REVIVER), END)
    state = after(state, REVIVE, chance=scripted(meeples=[Tribe.VIZIER] * 3))
    assert (state.stage, state.ending) == (Stage.CLOSE, Ending.NO_MOVE)
    assert legal_actions(state) == (END,)
    assert after(state, END).is_over


def test_9_2_ruling_a_later_player_who_can_move_again_moves() -> None:
    state = after(stuck(REVIVER, waiting=(BLACK, PINK)), END)
    state = after(state, REVIVE, chance=scripted(meeples=[Tribe.VIZIER] * 3))
    state = after(state, END)
    assert (state.mover, state.stage, state.ending) == (PINK, Stage.MOVE, Ending.NO_MOVE)
    with pytest.raises(IllegalMoveError, match=r"4\.2"):
        apply(state, END)


def test_9_when_the_game_is_over_nothing_can_be_done() -> None:
    over = after(replace(last_turn(), ending=Ending.NO_MOVE), END)
    with pytest.raises(IllegalMoveError, match=r"the game is over \(rules 9\)"):
        apply(over, END)


def test_2_6_2_7_the_refill_waits_for_the_table_to_tell() -> None:
    with pytest.raises(ChanceNeededError) as needed:
        apply(last_turn(row=ROW[:8]), END, ScriptedChance())
    assert needed.value.wanted == "card"
    assert sum(needed.value.options.values()) == 54 - 8
