"""Complete turns: claims, tribe actions, tile actions (rules 4.7 to 6.5), each clause by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError
from companion.notation.tokens import parse_board, parse_sowing
from companion.rules.model.actions import TileChoice, TribeChoice
from companion.rules.model.board import COLUMNS, parse_square
from companion.rules.model.components import GOODS, MEEPLE_COUNTS, Colour, Tribe
from companion.rules.model.events import NobodyKilled, Victim
from companion.rules.model.position import Player, Position
from tests.rules.whole_turns import Move, apply_move, legal_moves, play_move

BLACK, ORANGE, BLUE, PINK = Colour
ROW = ("fakir", "ivory", "fish", "fish", "silk", "gold", "wheat")
NO_GOODS = (0,) * len(GOODS)


def position(
    row: tuple[str, ...] | None = ROW,
    djinns: tuple[str, ...] = ("Utug", "Jafaar"),
    black: Player | None = None,
    **tiles: str,
) -> Position:
    """Pink to move against black on a board of bare small markets with these tiles in it."""
    tokens = ["M6"] * 30
    for name, token in tiles.items():
        tokens[parse_square(name)] = token
    return Position(
        board=parse_board("/".join(" ".join(tokens[i : i + COLUMNS]) for i in range(0, 30, COLUMNS))),
        players=(
            Player(BLACK, gold=50, viziers=1, elders=1, fakirs=0, goods=NO_GOODS, djinns=())
            if black is None
            else black,
            Player(PINK, gold=10, viziers=0, elders=2, fakirs=2, goods=NO_GOODS, djinns=()),
        ),
        row=row,
        djinns=djinns,
        to_move=PINK,
        discards=(),
    )


def mover(after: Position) -> Player:
    return after.player(PINK)


def tile(after: Position, name: str) -> str:
    return str(after.board[parse_square(name)])


def move(
    sowing: str, *, fakirs: int = 0, victim: Victim | None = None, **on_tile: bool | str | tuple[int, ...]
) -> Move:
    return Move(parse_sowing(sowing), TribeChoice(fakirs, victim), TileChoice(**on_tile))


def on(name: str, tribe: Tribe) -> Victim:
    return Victim(tribe, square=parse_square(name))


def goods(after: Position) -> dict[str, int]:
    held = mover(after).goods or ()
    return {name: count for name, count in zip(GOODS, held, strict=True) if count}


# Rules 4.8: claims


def test_4_8_an_emptied_tile_is_claimed() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="M4:y"), move("c3>c4y")), "c4") == "M4@P"


def test_4_8_a_tile_that_is_not_emptied_is_not() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="M4:yb"), move("c3>c4y")), "c4") == "M4:b"


def test_4_8_a_camel_stays_where_it_is() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="M4:y@K"), move("c3>c4y")), "c4") == "M4@K"


def test_4_8_palms_and_palaces_do_not_matter() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="O8:y^2"), move("c3>c4y")), "c4") == "O8@P^3"


def camels(count: int) -> dict[str, str]:
    """That many pink camels in the two upper rows; a pink player has 11 when two play."""
    names = [column + row for row in "12" for column in "abcdef"]
    return {name: "M6@P" for name in names[:count]}


def test_4_8_without_a_camel_left_nothing_is_claimed() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="M4:y", **camels(11)), move("c3>c4y")), "c4") == "M4"


# Rules 5.1, 5.2: viziers, elders, merchants


def test_5_1_viziers_are_kept() -> None:
    after = apply_move(position(c3="M6:y", c4="M4:yy"), move("c3>c4y"))
    assert (mover(after).viziers, mover(after).elders) == (3, 2)


def test_5_1_elders_are_kept() -> None:
    after = apply_move(position(c3="M6:w", c4="M4:w"), move("c3>c4w"))
    assert (mover(after).viziers, mover(after).elders) == (0, 4)


def test_5_2_merchants_take_from_the_start_of_the_row_and_it_closes_up() -> None:
    after = apply_move(position(c3="M6:g", c4="O8:gg"), move("c3>c4g"))
    assert (mover(after).fakirs, goods(after)) == (3, {"ivory": 1, "fish": 1})
    assert after.row == ("fish", "silk", "gold", "wheat")
    assert after.bag == tuple(count - (tribe == 0) - 3 * (tribe == 1) for tribe, count in enumerate(MEEPLE_COUNTS))


def test_5_2_fewer_cards_if_fewer_are_left() -> None:
    after = apply_move(position(row=("silk",), c3="M6:g", c4="O8:gg"), move("c3>c4g"))
    assert (goods(after), after.row) == ({"silk": 1}, ())


def test_5_2_an_unknown_row_gives_cards_that_are_not_counted() -> None:
    after = apply_move(position(row=None, c3="M6:g", c4="O8:gg"), move("c3>c4g"))
    assert (goods(after), mover(after).fakirs, after.row) == ({}, 2, None)


# Rules 5.3: builders


def test_5_3_builders_earn_by_blue_tiles(subtests: pytest.Subtests) -> None:
    for tiles, fakirs, gold in [
        ({"c4": "O8:b"}, 0, 10),
        ({"c4": "O8:b", "b3": "V5", "d5": "S6"}, 0, 14),
        ({"c4": "V5:b"}, 0, 12),
        ({"c4": "V5:b", "c2": "V5", "e4": "V5"}, 0, 12),
        ({"c4": "V5:bb", "c3": "S10:b"}, 2, 20),
    ]:
        with subtests.test(tiles=tiles):
            start = position(**{"c3": "M6:b", **tiles})
            after = apply_move(start, move("c3>c4b", fakirs=fakirs))
            assert mover(after).gold == gold
            assert (mover(after).fakirs, after.discards) == (2 - fakirs, ("fakir",) * fakirs)


def test_5_3_no_more_fakirs_than_in_hand() -> None:
    with pytest.raises(IllegalMoveError, match=r"pink has 2 fakirs, not 3 to discard \(rules 5\.3"):
        apply_move(position(c3="M6:b", c4="V5:b"), move("c3>c4b", fakirs=3))


def test_5_3_unknown_fakirs_are_told_as_such() -> None:
    start = position(c3="M6:b", c4="V5:b")
    unknown = replace(start, players=(start.players[0], replace(start.players[1], fakirs=None)))
    with pytest.raises(IllegalMoveError, match=r"pink can.t have 99 fakirs to discard \(rules 5\.3"):
        apply_move(unknown, move("c3>c4b", fakirs=99))


def test_5_other_tribes_take_no_fakirs(subtests: pytest.Subtests) -> None:
    for meeple in "ywg":
        with subtests.test(meeple=meeple), pytest.raises(IllegalMoveError, match="no use for fakirs"):
            apply_move(position(c3="M6:" + meeple, c4="V5:" + meeple), move("c3>c4" + meeple, fakirs=1))


# Rules 5.4 to 5.6: assassins

REACH = {"c3": "M6:r", "c4": "O8:ry", "e4": "M4:bb", "f4": "M4:bb", "a1": "M4:bb"}


def test_5_4_kills_within_the_distance(subtests: pytest.Subtests) -> None:
    for target, fakirs in [("c4", 0), ("e4", 0), ("f4", 1)]:
        with subtests.test(target=target):
            tribe = Tribe.VIZIER if target == "c4" else Tribe.BUILDER
            start = position(**REACH)
            after = apply_move(start, move("c3>c4r", fakirs=fakirs, victim=on(target, tribe)))
            square = parse_square(target)
            assert after.board[square].meeples[tribe] == start.board[square].meeples[tribe] - 1
            assert after.bag[tribe] == start.bag[tribe] + 1
            assert after.bag[Tribe.ASSASSIN] == start.bag[Tribe.ASSASSIN] + 2
            assert mover(after).fakirs == 2 - fakirs


def test_5_4_nobody_else(subtests: pytest.Subtests) -> None:
    for victim, fakirs in [
        (on("f4", Tribe.BUILDER), 0),
        (on("a1", Tribe.BUILDER), 2),
        (on("e4", Tribe.VIZIER), 0),
        (Victim(Tribe.BUILDER, owner=BLACK), 0),
        (Victim(Tribe.VIZIER, owner=PINK), 0),
        (Victim(Tribe.VIZIER, owner=BLUE), 0),
    ]:
        with subtests.test(victim=victim), pytest.raises(IllegalMoveError, match=r"rules 5\.4"):
            apply_move(position(**REACH), move("c3>c4r", fakirs=fakirs, victim=victim))


def test_5_4_in_front_of_an_opponent(subtests: pytest.Subtests) -> None:
    for tribe, left in [(Tribe.VIZIER, (0, 1)), (Tribe.ELDER, (1, 0))]:
        with subtests.test(tribe=tribe):
            after = apply_move(position(**REACH), move("c3>c4r", victim=Victim(tribe, owner=BLACK)))
            assert (after.player(BLACK).viziers, after.player(BLACK).elders) == left


def test_5_4_ruling_killing_is_compulsory_where_somebody_is_in_reach() -> None:
    with pytest.raises(IllegalMoveError, match=r"^the assassins of [a-f][1-5] must kill somebody \(rules 5\.4\)$"):
        apply_move(position(**REACH), move("c3>c4r"))


def test_5_4_ruling_killing_is_compulsory_in_front_of_an_opponent() -> None:
    with pytest.raises(IllegalMoveError, match="must kill somebody"):
        apply_move(position(c3="M6:r", c4="O8:r"), move("c3>c4r"))


def test_5_4_ruling_nobody_to_kill_without_fakirs_and_fakirs_stay_optional() -> None:
    nobody = Player(BLACK, gold=50, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=())
    start = position(black=nobody, c3="M6:r", c4="O8:r", f4="M6:b")
    choices = {chosen.tribe for chosen in legal_moves(start) if chosen.sowing == parse_sowing("c3>c4r")}
    on_f4 = on("f4", Tribe.BUILDER)
    assert choices == {TribeChoice(), TribeChoice(1, on_f4), TribeChoice(2, on_f4)}
    played = play_move(start, move("c3>c4r"))
    assert mover(played.position).fakirs == 2
    assert NobodyKilled(PINK, parse_square("c4"), 2) in played.events
    with pytest.raises(IllegalMoveError, match="must kill somebody"):
        apply_move(start, move("c3>c4r", fakirs=1))


def test_5_4_only_assassins_kill() -> None:
    with pytest.raises(IllegalMoveError, match=r"viziers kill nobody"):
        apply_move(position(c3="M6:y", c4="O8:y"), move("c3>c4y", victim=Victim(Tribe.ELDER, owner=BLACK)))


def test_5_6_fakirs_go_to_the_discards(subtests: pytest.Subtests) -> None:
    for sowing in ["c3>c4b", "e3>e4r"]:
        with subtests.test(sowing=sowing):
            start = position(c3="M6:b", c4="M6:b", e3="M6:r", e4="M6:r", e1="M6:gg", e5="M6:gg")
            turn = move(sowing, fakirs=2, victim=None if sowing.endswith("b") else on("e5", Tribe.MERCHANT))
            after = apply_move(start, turn)
            assert (after.discards, mover(after).fakirs) == (("fakir", "fakir"), 0)


def test_5_5_a_kill_that_empties_a_tile_claims_it_too() -> None:
    record = play_move(position(c3="M6:r", c4="O8:r", d4="M4:g"), move("c3>c4r", victim=on("d4", Tribe.MERCHANT)))
    assert (tile(record.position, "c4"), tile(record.position, "d4")) == ("O8@P^1", "M4@P")


def test_5_5_not_a_tile_with_a_camel() -> None:
    after = apply_move(position(c3="M6:r", c4="O8:r", d4="M4:g@K"), move("c3>c4r", victim=on("d4", Tribe.MERCHANT)))
    assert tile(after, "d4") == "M4@K"


def test_5_5_the_end_tile_by_the_kill_before_its_palm() -> None:
    after = apply_move(position(c3="M6:r", c4="O8:rg"), move("c3>c4r", victim=on("c4", Tribe.MERCHANT)))
    assert tile(after, "c4") == "O8@P^1"


def test_5_5_the_last_camel_goes_to_the_end_tile() -> None:
    start = position(c3="M6:r", c4="O8:r", d4="M4:g", **camels(10))
    after = apply_move(start, move("c3>c4r", victim=on("d4", Tribe.MERCHANT)))
    assert (tile(after, "c4"), tile(after, "d4")) == ("O8@P^1", "M4")


def test_5_5_a_meeple_dropped_in_this_move_may_be_killed() -> None:
    after = apply_move(position(c3="M6:gr", c5="O8:ry"), move("c3>c4g>c5r", victim=on("c4", Tribe.MERCHANT)))
    assert (tile(after, "c4"), tile(after, "c5")) == ("M6@P", "O8:y^1")


# Rules 6: tile actions


def test_6_1_a_palm_on_an_oasis_claimed_or_not() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="O8:yb"), move("c3>c4y")), "c4") == "O8:b^1"


def test_6_1_no_palm_left() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="O8:y", a1="O8@K^12"), move("c3>c4y")), "c4") == "O8@P"


def test_6_2_a_palace_on_a_village() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="V5:y@K#1"), move("c3>c4y")), "c4") == "V5@K#2"


def test_6_2_no_palace_left() -> None:
    assert tile(apply_move(position(c3="M6:y", c4="V5:y", a1="V5@K#10"), move("c3>c4y")), "c4") == "V5@P"


def turns(start: Position) -> list[Move]:
    """The complete turns that move from c3 to c4."""
    return [chosen for chosen in legal_moves(start) if chosen.sowing == parse_sowing("c3>c4y")]


def market_choices(start: Position) -> set[tuple[int, ...]]:
    return {chosen.tile.cards for chosen in turns(start)}


def test_6_3_a_small_market_sells_one_of_the_first_three_for_3_gc() -> None:
    start = position(c3="M6:y", c4="M6:y")
    assert market_choices(start) == {(), (0,), (1,), (2,)}
    after = apply_move(start, move("c3>c4y", cards=(2,)))
    assert (mover(after).gold, goods(after), after.row) == (7, {"fish": 1}, ("fakir", "ivory", *ROW[3:]))


def test_6_4_a_large_market_sells_two_of_the_first_six_for_6_gc() -> None:
    start = position(c3="M6:y", c4="M4:y")
    assert len(market_choices(start)) == 1 + 15
    after = apply_move(start, move("c3>c4y", cards=(5, 0)))
    assert (mover(after).gold, mover(after).fakirs, goods(after)) == (4, 3, {"gold": 1})
    assert after.row == ("ivory", "fish", "fish", "silk", "wheat")


def test_6_4_one_card_at_the_same_price_if_only_one_is_left() -> None:
    start = position(row=("silk",), c3="M6:y", c4="M4:y")
    assert market_choices(start) == {(), (0,)}
    assert mover(apply_move(start, move("c3>c4y", cards=(0,)))).gold == 4


def test_6_3_nothing_to_buy_from_an_empty_or_unknown_row(subtests: pytest.Subtests) -> None:
    for row, kind in [((), "M6"), ((), "M4"), (None, "M6")]:
        with subtests.test(row=row):
            assert market_choices(position(row=row, c3="M6:y", c4=kind + ":y")) == {()}


def test_6_3_6_4_what_a_market_does_not_sell(subtests: pytest.Subtests) -> None:
    for kind, cards, rule in [
        ("M6", (3,), "6.3"),
        ("M6", (0, 1), "6.3"),
        ("M4", (0,), "6.4"),
        ("M4", (0, 6), "6.4"),
        ("M4", (1, 1), "6.4"),
        ("O8", (0,), "6.3"),
    ]:
        with subtests.test(kind=kind), pytest.raises(IllegalMoveError, match=rule.replace(".", r"\.")):
            apply_move(position(c3="M6:y", c4=kind + ":y"), move("c3>c4y", cards=cards))


def test_6_3_nothing_that_cannot_be_paid() -> None:
    start = position(c3="M6:y", c4="M6:y")
    poor = start.with_player(replace(mover(start), gold=2))
    assert market_choices(poor) == {()}
    with pytest.raises(IllegalMoveError, match="costs 3 GC, pink has 2"):
        apply_move(poor, move("c3>c4y", cards=(0,)))


def test_6_3_income_of_the_same_turn_can_be_spent() -> None:
    start = position(c3="M6:b", c4="M6:b", d4="V5")
    poor = start.with_player(replace(mover(start), gold=1))
    assert mover(apply_move(poor, move("c3>c4b", cards=(0,)))).gold == 0


def test_6_5_a_djinn_for_two_elders() -> None:
    after = apply_move(position(c3="M6:y", c4="S6:y"), move("c3>c4y", djinn="Jafaar"))
    assert (mover(after).djinns, mover(after).elders, mover(after).fakirs) == (("Jafaar",), 0, 2)
    assert after.djinns == ("Utug",)


def test_6_5_a_djinn_for_an_elder_and_a_fakir() -> None:
    after = apply_move(position(c3="M6:y", c4="S6:y"), move("c3>c4y", djinn="Utug", with_fakir=True))
    assert (mover(after).djinns, mover(after).elders, mover(after).fakirs) == (("Utug",), 1, 1)
    assert after.discards == ("fakir",)


def test_6_5_what_can_be_paid(subtests: pytest.Subtests) -> None:
    for elders, fakirs, choices in [(0, 5, 0), (1, 0, 0), (1, 1, 2), (2, 0, 2), (2, 1, 4)]:
        with subtests.test(elders=elders):
            start = position(c3="M6:y", c4="S6:y")
            start = start.with_player(replace(mover(start), elders=elders, fakirs=fakirs))
            assert len(turns(start)) == 1 + choices


def test_6_5_elders_just_taken_can_be_paid() -> None:
    start = position(c3="M6:w", c4="S6:w")
    start = start.with_player(replace(mover(start), elders=0, fakirs=0))
    assert mover(apply_move(start, move("c3>c4w", djinn="Utug"))).elders == 0


def test_6_5_no_other_djinn(subtests: pytest.Subtests) -> None:
    for kind, djinn in [("O8", "Utug"), ("S6", "Nekir")]:
        with subtests.test(kind=kind), pytest.raises(IllegalMoveError, match=r"rules 6\.5"):
            apply_move(position(c3="M6:y", c4=kind + ":y"), move("c3>c4y", djinn=djinn))


def test_6_5_no_djinn_without_elders() -> None:
    start = position(c3="M6:y", c4="S6:y")
    with pytest.raises(IllegalMoveError, match=r"a djinn costs 2 elders.*pink has 1 elder"):
        apply_move(start.with_player(replace(mover(start), elders=1)), move("c3>c4y", djinn="Utug"))


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


def test_every_listed_turn_can_be_played_and_loses_no_piece() -> None:
    start = position(c3="M6:rrb", c4="S6:ry", d3="M4:b", b3="O8:r", e3="V5:g", a3="M6:w")
    moves = list(legal_moves(start))
    assert len(set(moves)) == len(moves) > 100
    for chosen in moves:
        after = apply_move(start, chosen)
        assert min(after.bag) >= 0
        assert sum(after.bag) >= sum(start.bag)
        cards = len(after.row or ()) + len(after.discards or ()) + sum(sum(goods) for goods in [mover(after).goods])
        assert cards + (mover(after).fakirs or 0) == len(ROW) + 2
