"""Djinns whose powers cost something, and the promo djinn (rules 11), each clause and ruling by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.rules.engine.djinns import DJINNS, Cost
from companion.rules.engine.game import apply, legal_actions, step
from companion.rules.model.actions import ActTile, ActTribe, KeepDjinn, Lift, Paid, Sow, UsePower
from companion.rules.model.board import SURROUNDINGS, parse_square
from companion.rules.model.components import FAKIR, Tribe
from companion.rules.model.events import DjinnPaid
from companion.rules.model.state import Ending, GameState, Stage, Taken
from tests.rules.tables import (
    BLACK,
    END,
    PINK,
    after,
    at_turn,
    owner,
    parse_sowing,
    player,
    scripted,
    tile,
    tile_action,
    tribe,
)

A1 = parse_square("a1")


def uses(state: GameState, djinn: str) -> list[UsePower]:
    return [action for action in legal_actions(state) if isinstance(action, UsePower) and action.paid.djinn == djinn]


def costs(actions: list[UsePower]) -> set[tuple[int, int]]:
    return {(action.paid.elders, action.paid.fakirs) for action in actions}


TILES = {"a5": "M6:y", "b5": "M6:y", "a1": "V5", "c1": "O8", "c3": "M6:g"}
USABLE = ["Anun-Nak", "Bouraq", "Echidna", "Enki", "Leta", "Sibittis", "Sloar", "Utug"]
CHANCE = {"cards": ["silk"], "djinns": ["Al-Amin", "Boaz", "Leta"], "meeples": [Tribe.ELDER] * 3}
PAYMENTS = {
    Cost.ELDER_OR_FAKIR: {(1, 0), (0, 1)},
    Cost.ELDER_AND_ELDER_OR_FAKIR: {(2, 0), (1, 1)},
    Cost.FAKIR: {(0, 1)},
}


def test_11_the_cost_is_what_the_table_says(subtests: pytest.Subtests) -> None:
    for name in USABLE:
        with subtests.test(name=name):
            state = at_turn(owner(name), **TILES)
            assert costs(uses(state, name)) == PAYMENTS[DJINNS[name].cost]


def test_11_what_is_paid_goes_to_the_bag_and_the_discards(subtests: pytest.Subtests) -> None:
    for name in USABLE:
        with subtests.test(name=name):
            state = at_turn(owner(name), **TILES)
            for use in uses(state, name):
                done = apply(state, use, scripted(**CHANCE))
                bag = state.position.bag[Tribe.ELDER] - done.position.bag[Tribe.ELDER]
                drawn = 3 if name == "Anun-Nak" else 0
                assert (done.player(PINK).elders, bag) == (2 - use.paid.elders, drawn - use.paid.elders)
                assert (done.player(PINK).fakirs, done.position.discards) == (
                    2 - use.paid.fakirs,
                    (FAKIR,) * use.paid.fakirs,
                )


def test_11_a_power_is_used_once_a_turn(subtests: pytest.Subtests) -> None:
    for name in USABLE:
        with subtests.test(name=name):
            state = at_turn(owner(name, elders=5, fakirs=5), **TILES)
            use = uses(state, name)[0]
            done = apply(state, use, scripted(**CHANCE))
            if name == "Sibittis":
                done = apply(done, KeepDjinn("Boaz"))
            assert not uses(done, name)
            with pytest.raises(IllegalMoveError, match=r"(used this turn|can't be used).*rules 11\)"):
                apply(
                    done,
                    replace(use, square=None if use.square is None else uses(state, name)[-1].square),
                    scripted(**CHANCE),
                )


def test_11_powers_cannot_be_used_without_paying(subtests: pytest.Subtests) -> None:
    for name in USABLE:
        with subtests.test(name=name):
            state = at_turn(owner(name, elders=0, fakirs=0), **TILES)
            assert not uses(state, name)
            rich = uses(at_turn(owner(name), **TILES), name)[0]
            with pytest.raises(IllegalMoveError, match=rf"{name} costs .*; pink has nothing \(rules 11\)"):
                apply(state, rich)
            with pytest.raises(IllegalMoveError, match=rf"{name} costs .*, not nothing \(rules 11\)"):
                apply(state, replace(rich, paid=Paid(name)))


def test_11_only_own_powers_in_own_turns() -> None:
    state = at_turn(owner(), player(BLACK, djinns=("Sloar",), fakirs=3), **TILES)
    assert not uses(state, "Sloar")
    with pytest.raises(IllegalMoveError, match=r"pink does not have Sloar"):
        apply(state, UsePower(Paid("Sloar", 0, 1)))


def test_11_ruling_at_any_point_of_the_turn(subtests: pytest.Subtests) -> None:
    for stage in [Stage.MOVE, Stage.TRIBE, Stage.TILE, Stage.CLOSE]:
        with subtests.test(stage=stage):
            state = at_turn(owner("Sloar"), **TILES)
            state = replace(state, stage=stage, progress=replace(state.progress, taken=Taken(A1, Tribe.VIZIER, 1)))
            use = UsePower(Paid("Sloar", 0, 1))
            done = after(state, use, chance=scripted(["silk"]))
            assert done.stage is stage
            assert done.progress.taken == state.progress.taken


def test_11_ruling_not_while_moving_nor_inside_another_action(subtests: pytest.Subtests) -> None:
    for stage in [Stage.SOW, Stage.SELL, Stage.BID, Stage.KEEP]:
        with subtests.test(stage=stage):
            state = at_turn(owner("Sloar"), **TILES)
            state = after(state, Lift(24)) if stage is Stage.SOW else replace(state, stage=stage)
            with pytest.raises(IllegalMoveError, match="is not possible now"):
                apply(state, UsePower(Paid("Sloar", 0, 1)))


def test_11_at_once_on_taking_the_djinn() -> None:
    state = at_turn(owner(elders=4), djinns=("Sloar",), a5="M6:y", b5="S6:y")
    state = after(state, Sow(parse_sowing("a5>b5y")), ActTribe(), tile_action(djinn="Sloar"))
    assert uses(state, "Sloar")


def test_11_a_two_player_turn_is_one_markers_turn() -> None:
    state = at_turn(owner("Sloar"), stage=Stage.CLOSE, waiting=(PINK, BLACK))
    use = UsePower(Paid("Sloar", 0, 1))
    state = after(after(state, use, chance=scripted(["silk"])), END)
    assert (state.mover, use in legal_actions(state)) == (PINK, True)


def test_11_what_is_no_action_of_its_own_is_not_used_alone(subtests: pytest.Subtests) -> None:
    for name in ["Ba'al", "Boaz", "Kandicha", "Hagis", "Iblis", "Kumarbi", "Al-Amin"]:
        with subtests.test(name=name), pytest.raises(IllegalMoveError, match=rf"{name} has no power to use here"):
            apply(at_turn(owner(name)), UsePower(Paid(name, 1, 0)))


# Anun-Nak


def test_11_anun_nak_puts_three_meeples_on_an_empty_tile() -> None:
    state = at_turn(owner("Anun-Nak"), a1="M6@K", b1="O8^1", c1="V5#1", d1="M6:y", e1="M4")
    squares = {use.square for use in uses(state, "Anun-Nak")}
    assert squares == set(range(4, 30))
    done = apply(
        state, UsePower(Paid("Anun-Nak", 1, 0), 4), scripted(meeples=[Tribe.BUILDER, Tribe.ELDER, Tribe.ELDER])
    )
    assert tile(done, "e1") == "M4:wwb"


def test_11_11_anun_nak_puts_what_the_bag_has() -> None:
    state = with_bag(2)
    done = apply(state, UsePower(Paid("Anun-Nak", 0, 1), A1), scripted(meeples=[Tribe.VIZIER] * 2))
    assert (tile(done, "a1"), sum(done.position.bag)) == ("M6:yy", 0)


def test_11_11_anun_nak_cannot_be_used_with_an_empty_bag() -> None:
    state = with_bag(0)
    assert not uses(state, "Anun-Nak")
    with pytest.raises(IllegalMoveError, match=r"needs a meeple in the bag"):
        apply(state, UsePower(Paid("Anun-Nak", 1, 0), A1))


def with_bag(viziers: int) -> GameState:
    """A table whose bag holds only so many viziers."""
    tiles = {"b1": "M6:" + "w" * 18, "c1": "M6:" + "b" * 18, "d1": "M6:" + "g" * 18, "e1": "M6:" + "r" * 18}
    return at_turn(owner("Anun-Nak"), f1="M6:" + "y" * (16 - viziers), **tiles)


def test_11_anun_nak_not_on_a_tile_that_is_not_empty() -> None:
    state = at_turn(owner("Anun-Nak"), a1="M6@K")
    with pytest.raises(IllegalMoveError, match=r"Anun-Nak can't be used on a1.*nothing on it"):
        apply(state, UsePower(Paid("Anun-Nak", 1, 0), A1))


# Leta and Utug


def test_11_leta_claims_an_empty_tile() -> None:
    state = at_turn(owner("Leta"), a1="M6@K", b1="O8^1", c1="V5#1", d1="M6:y", e1="M4")
    assert {use.square for use in uses(state, "Leta")} == set(range(4, 30))
    assert tile(apply(state, UsePower(Paid("Leta", 1, 1), 4)), "e1") == "M4@P"


def test_11_utug_claims_a_tile_with_only_meeples() -> None:
    state = at_turn(owner("Utug"), a1="M6:y@K", b1="O8:y^1", c1="V5:y#1", d1="M6:yg", e1="M4")
    assert {use.square for use in uses(state, "Utug")} == {3}
    assert tile(apply(state, UsePower(Paid("Utug", 2, 0), 3)), "d1") == "M6:yg@P"


def test_11_7_claiming_counts_for_the_end_and_needs_a_camel(subtests: pytest.Subtests) -> None:
    for name, square in [("Leta", "a3"), ("Utug", "f5")]:
        with subtests.test(name=name):
            names = [column + row for row in "12" for column in "abcdef"]
            ten = at_turn(owner(name), f5="M6:y", **{tile_name: "M6@P" for tile_name in names[:10]})
            done = apply(ten, UsePower(Paid(name, 2, 0), parse_square(square)))
            assert done.ending is Ending.LAST_CAMEL
            assert not uses(at_turn(owner(name), f5="M6:y", **{tile_name: "M6@P" for tile_name in names[:11]}), name)


# Bouraq, Enki, Hagis, Lamia


def test_11_bouraq_puts_a_palace_on_any_village() -> None:
    state = at_turn(owner("Bouraq"), a1="V5:y@K#1", f5="V5", c1="O8")
    assert {use.square for use in uses(state, "Bouraq")} == {0, 29}
    assert tile(apply(state, UsePower(Paid("Bouraq", 0, 1), 0)), "a1") == "V5:y@K#2"


def test_11_enki_puts_a_palm_on_any_oasis() -> None:
    state = at_turn(owner("Enki"), a1="O8:y@K^1", f5="O8", c1="V5")
    assert {use.square for use in uses(state, "Enki")} == {0, 29}
    assert tile(apply(state, UsePower(Paid("Enki", 1, 0), 29)), "f5") == "O8^1"


def test_11_bouraq_and_enki_need_a_supply(subtests: pytest.Subtests) -> None:
    for name, tiles in [("Bouraq", {"a1": "V5#10"}), ("Enki", {"a1": "O8^12"})]:
        with subtests.test(name=name):
            state = at_turn(owner(name), **tiles)
            assert not uses(state, name)
            with pytest.raises(IllegalMoveError, match="in the supply"):
                apply(state, UsePower(Paid(name, 1, 0), 0))


def ending_on(token: str, *djinns: str, **more: int) -> GameState:
    """Pink has moved to c3, and the tile action comes next."""
    state = at_turn(owner(*djinns, **more), stage=Stage.TILE, c3=token)
    return replace(state, progress=replace(state.progress, taken=Taken(14, Tribe.VIZIER, 2)))


def test_11_2_hagis_and_lamia_place_on_any_of_the_eight_tiles_around(subtests: pytest.Subtests) -> None:
    for name, token, placed in [("Hagis", "V5", "#1"), ("Lamia", "O8", "^1")]:
        with subtests.test(name=name):
            state = ending_on(token, name)
            choices = [action.choice for action in legal_actions(state) if isinstance(action, ActTile)]
            diverted = {choice.onto for choice in choices} - {None}
            assert diverted == set(SURROUNDINGS[14])
            done = after(state, tile_action(helper=Paid(name, 0, 1), onto=parse_square("d4")))
            assert (tile(done, "d4"), tile(done, "c3"), done.progress.used) == (f"M6{placed}", token, (name,))


def test_11_2_hagis_places_nowhere_else(subtests: pytest.Subtests) -> None:
    for onto in ["c3", "e3", "a1"]:
        with (
            subtests.test(onto=onto),
            pytest.raises(IllegalMoveError, match=r"not one of the tiles around c3 \(rules 11\.2\)"),
        ):
            apply(ending_on("V5", "Hagis"), tile_action(helper=Paid("Hagis", 1, 0), onto=parse_square(onto)))


def test_11_hagis_and_lamia_work_on_their_own_kind_alone(subtests: pytest.Subtests) -> None:
    for name, token in [("Hagis", "O8"), ("Lamia", "V5"), ("Hagis", "M6"), ("Lamia", "S6")]:
        with subtests.test(name=name), pytest.raises(IllegalMoveError, match="has no power to use"):
            apply(ending_on(token, name), tile_action(helper=Paid(name, 1, 0), onto=13))


def test_11_5_hagis_and_lamia_help_bouraq_and_enki_once_a_turn(subtests: pytest.Subtests) -> None:
    for first, second, token, placed in [("Bouraq", "Hagis", "V5", "#1"), ("Enki", "Lamia", "O8", "^1")]:
        with subtests.test(first=first):
            state = ending_on(token, first, second)
            use = UsePower(Paid(first, 1, 0), 14, Paid(second, 1, 0), A1 + 7)
            done = after(state, use)
            assert (tile(done, "b2"), done.player(PINK).elders) == (f"M6{placed}", 0)
            assert legal_actions(done) == (ActTile(),)
            with pytest.raises(IllegalMoveError, match=rf"{second} has already been used this turn"):
                apply(done, tile_action(helper=Paid(second, 0, 1), onto=13))


def test_11_5_both_payments_must_be_there() -> None:
    state = ending_on("V5", "Bouraq", "Hagis", elders=1, fakirs=0)
    assert all(use.helper is None for use in uses(state, "Bouraq"))
    with pytest.raises(IllegalMoveError, match="Hagis costs 1 elder; pink has nothing"):
        apply(state, UsePower(Paid("Bouraq", 1, 0), 14, Paid("Hagis", 1, 0), 13))


def test_11_5_nothing_to_divert_from_an_empty_supply() -> None:
    state = at_turn(owner("Hagis"), stage=Stage.TILE, c3="V5", a1="V5#10")
    state = replace(state, progress=replace(state.progress, taken=Taken(14, Tribe.VIZIER, 2)))
    assert legal_actions(state) == (ActTile(),)
    with pytest.raises(IllegalMoveError, match="the supply is empty"):
        apply(state, tile_action(helper=Paid("Hagis", 1, 0), onto=13))


def test_11_monkir_is_paid_wherever_the_palace_goes() -> None:
    state = ending_on("V5", "Hagis", "Monkir")
    done = step(state, tile_action(helper=Paid("Hagis", 1, 0), onto=13))
    assert DjinnPaid(PINK, "Monkir", PINK, 1) in done.events


# Sibittis and Sloar


SIBITTIS = UsePower(Paid("Sibittis", 2, 0))


def test_11_sibittis_keeps_one_of_three_and_discards_two() -> None:
    state = after(at_turn(owner("Sibittis")), SIBITTIS, chance=scripted(djinns=["Leta", "Boaz", "Enki"]))
    assert (state.stage, state.progress.drawn) == (Stage.KEEP, ("Leta", "Boaz", "Enki"))
    assert legal_actions(state) == (KeepDjinn("Leta"), KeepDjinn("Boaz"), KeepDjinn("Enki"))
    done = after(state, KeepDjinn("Boaz"))
    assert (done.stage, done.player(PINK).djinns) == (Stage.MOVE, ("Sibittis", "Boaz"))
    assert (done.djinn_discards, done.progress.drawn) == (("Leta", "Enki"), ())
    with pytest.raises(IllegalMoveError, match="Utug wasn't drawn"):
        apply(state, KeepDjinn("Utug"))


def test_11_sibittis_takes_what_there_is() -> None:
    others = tuple(name for name in DJINNS if name not in ("Sibittis", "Utug", "Jafaar", "Nekir", "Leta", "Boaz"))
    state = at_turn(owner("Sibittis"), player(BLACK, djinns=others))
    state = replace(state, djinn_discards=("Boaz",))
    state = after(state, SIBITTIS, chance=scripted(djinns=["Leta", "Boaz"]))
    assert (state.progress.drawn, state.djinn_discards) == (("Leta", "Boaz"), ())
    assert after(state, KeepDjinn("Leta")).djinn_discards == ("Boaz",)


def test_11_sibittis_needs_a_djinn_to_draw() -> None:
    others = tuple(name for name in DJINNS if name not in ("Sibittis", "Utug", "Jafaar", "Nekir"))
    state = at_turn(owner("Sibittis"), player(BLACK, djinns=others))
    assert not uses(state, "Sibittis")
    with pytest.raises(IllegalMoveError, match="needs a djinn in the deck"):
        apply(state, SIBITTIS)


def test_11_1_baal_pays_for_sibittis_once_for_the_one_kept() -> None:
    state = at_turn(owner("Sibittis"), player(BLACK, djinns=("Ba'al",)))
    state = after(state, SIBITTIS, chance=scripted(djinns=["Leta", "Boaz", "Enki"]))
    assert state.player(BLACK).gold == 50
    assert after(state, KeepDjinn("Leta")).player(BLACK).gold == 52


def test_11_sloar_takes_the_top_card_of_the_deck() -> None:
    done = apply(at_turn(owner("Sloar")), UsePower(Paid("Sloar", 0, 1)), scripted(["ivory"]))
    assert (sum(done.player(PINK).goods), done.player(PINK).goods[0]) == (1, 1)


def test_11_sloar_from_an_empty_deck_takes_of_the_discards() -> None:
    from tests.rules.test_rounds import all_cards

    everything = replace(all_cards(), djinns=("Sloar",))
    state = at_turn(everything, row=())
    done = apply(state, UsePower(Paid("Sloar", 0, 1)), scripted(["fakir"]))
    assert (done.player(PINK), done.position.discards) == (everything, ())


# Echidna


def with_builders(*djinns: str, victim: str = "", **more: object) -> GameState:
    """Pink has two builders in hand on c3, which lies among three blue-valued tiles."""
    state = at_turn(owner(*djinns, **more), stage=Stage.TRIBE, c3="V5", b3="V5", d4="S6", e5=f"V5:{victim or 'g'}")
    return replace(state, progress=replace(state.progress, taken=Taken(14, Tribe.BUILDER, 2)))


ECHIDNA = UsePower(Paid("Echidna", 1, 1))


def test_11_9_echidna_doubles_builders_before_or_after() -> None:
    state = with_builders("Echidna")
    plain = after(state, tribe())
    assert plain.player(PINK).gold == 56
    assert after(state, ECHIDNA, tribe()).player(PINK).gold == 62
    assert after(plain, ECHIDNA).player(PINK).gold == 62


def test_11_9_echidna_doubles_what_fakirs_add() -> None:
    assert after(with_builders("Echidna"), ECHIDNA, tribe(1)).player(PINK).gold == 50 + 2 * 9


def test_11_9_echidna_doubles_this_turn_alone() -> None:
    state = with_builders("Echidna")
    done = after(state, ECHIDNA, tribe(), ActTile(), END)
    assert (done.progress.factor, done.progress.income) == (1, 0)
