"""Djinns whose powers cost nothing and work during turns, and what holds for every djinn alike (rules 11)."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import companion
from companion.notation.names import fold
from companion.rules.engine.djinns import DJINNS, EVERY_DJINN, PROMO_DJINNS, Cost, Djinn
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour, TileAction, Tribe
from companion.rules.model.events import DjinnPaid, Victim
from companion.rules.model.position import Position
from tests.rules.tables import scripted
from tests.rules.test_turn import apply_move, legal_moves, move, on, play_move, position

BLACK, PINK = Colour.BLACK, Colour.PINK


def owning(start: Position, colour: Colour, *djinns: str) -> Position:
    return start.with_player(replace(start.player(colour), djinns=djinns))


ASSASSINS = position(c3="M6:r", c4="M6:r", d4="M4:g")
PAYING = [
    ("Ba'al", position(c3="M6:y", c4="S6:y"), move("c3>c4y", djinn="Jafaar")),
    ("Monkir", position(c3="M6:y", c4="V5:y"), move("c3>c4y")),
    ("Nekir", ASSASSINS, move("c3>c4r", victim=on("d4", Tribe.MERCHANT))),
    ("Nekir", ASSASSINS, move("c3>c4r", victim=Victim(Tribe.ELDER, owner=BLACK))),
]


def test_11_one_gc_for_the_owner_two_for_another(subtests: pytest.Subtests) -> None:
    for name, start, turn in PAYING:
        with subtests.test(name=name):
            assert apply_move(owning(start, PINK, name), turn).player(PINK).gold == 11
            after = apply_move(owning(start, BLACK, name), turn)
            assert (after.player(PINK).gold, after.player(BLACK).gold) == (10, 52)


def test_11_nothing_is_paid_where_nothing_happens(subtests: pytest.Subtests) -> None:
    for name in ["Ba'al", "Monkir", "Nekir", "Marid"]:
        with subtests.test(name=name):
            start = owning(position(c3="M6:y", c4="M6:y", a1="M6@P"), PINK, name)
            assert apply_move(start, move("c3>c4y")).player(PINK).gold == 10


def test_11_marid_pays_its_owner_for_drops_on_own_tiles(subtests: pytest.Subtests) -> None:
    for camel, gold in [("P", (12, 50)), ("K", (10, 50))]:
        with subtests.test(camel=camel):
            start = owning(position(c3="M6:gy", c4=f"M6@{camel}", d4=f"M6:y@{camel}"), PINK, "Marid")
            after = apply_move(start, move("c3>c4g>d4y"))
            assert (after.player(PINK).gold, after.player(BLACK).gold) == gold


def test_11_marid_pays_two_for_each_drop_of_another() -> None:
    start = owning(position(c3="M6:gy", c4="M6@K", d4="M6:y@K"), BLACK, "Marid")
    after = apply_move(start, move("c3>c4g>d4y"))
    assert (after.player(PINK).gold, after.player(BLACK).gold) == (10, 54)


def test_11_1_baal_does_not_pay_for_being_taken_itself() -> None:
    start = position(djinns=("Ba'al", "Utug"), c3="M6:y", c4="S6:y")
    after = apply_move(start, move("c3>c4y", djinn="Ba'al"))
    assert (after.player(PINK).djinns, after.player(PINK).gold) == (("Ba'al",), 10)


def test_11_what_is_paid_is_announced() -> None:
    _, events = play_move(owning(position(c3="M6:y", c4="V5:y"), BLACK, "Monkir"), move("c3>c4y"))
    assert events[-1] == DjinnPaid(PINK, "Monkir", BLACK, 2)


def test_11_boaz_guards_what_is_in_front_of_its_owner() -> None:
    start = owning(position(c3="M6:r", c4="M6:r", c2="M6:y"), BLACK, "Boaz")
    victims = {turn.tribe.victim for turn in legal_moves(start) if turn.sowing.start == parse_square("c3")}
    assert victims == {on("c2", Tribe.VIZIER)}


def test_11_boaz_makes_a_kill_impossible_and_so_not_compulsory() -> None:
    apply_move(owning(position(c3="M6:r", c4="M6:r"), BLACK, "Boaz"), move("c3>c4r"))


KILLED_ON_D4 = {
    Tribe.VIZIER: {"viziers": 1},
    Tribe.ELDER: {"elders": 1},
    Tribe.BUILDER: {"gold": 2},
    Tribe.ASSASSIN: {},
}


def test_11_kandicha_reaps_what_its_owner_kills(subtests: pytest.Subtests) -> None:
    for tribe, more in KILLED_ON_D4.items():
        with subtests.test(tribe=tribe):
            tiles = {"c3": "M6:r", "c4": "M6:r", "d4": "M4:" + tribe.letter * 2, "e4": "V5", "e5": "S6", "a1": "V5"}
            start = owning(position(**tiles), PINK, "Kandicha")
            before, after = start.player(PINK), apply_move(start, move("c3>c4r", victim=on("d4", tribe))).player(PINK)
            assert after == replace(before, **{field: getattr(before, field) + count for field, count in more.items()})


def test_11_kandicha_of_another_reaps_nothing() -> None:
    start = owning(position(c3="M6:r", c4="M6:r", d4="M4:yy"), BLACK, "Kandicha")
    after = apply_move(start, move("c3>c4r", victim=on("d4", Tribe.VIZIER)))
    assert (after.players, after.bag[Tribe.VIZIER]) == (start.players, start.bag[Tribe.VIZIER] + 1)


def test_11_6_kandicha_takes_what_is_killed_in_front_of_an_opponent(subtests: pytest.Subtests) -> None:
    for tribe in [Tribe.VIZIER, Tribe.ELDER]:
        with subtests.test(tribe=tribe):
            start = owning(position(c3="M6:r", c4="M6:r"), PINK, "Kandicha")
            after = apply_move(start, move("c3>c4r", victim=Victim(tribe, owner=BLACK)))
            assert after.bag[tribe] == start.bag[tribe]
            assert sum((player.viziers or 0) + (player.elders or 0) for player in after.players) == 4


def test_11_kandicha_draws_a_card_for_a_merchant() -> None:
    start = owning(position(c3="M6:r", c4="M6:r", d4="M4:gg"), PINK, "Kandicha")
    turn = move("c3>c4r", victim=on("d4", Tribe.MERCHANT))
    silk = tuple(int(name == "silk") for name in GOODS)
    assert apply_move(start, turn, scripted(["silk", "fish"])).player(PINK).goods == silk
    assert apply_move(start, turn).player(PINK) == start.player(PINK)


def test_5_5_a_reaped_victim_leaves_its_tile_to_be_claimed() -> None:
    start = owning(position(c3="M6:r", c4="M6:r", d4="M4:y"), PINK, "Kandicha")
    after = apply_move(start, move("c3>c4r", victim=on("d4", Tribe.VIZIER)))
    assert (str(after.board[parse_square("d4")]), after.player(PINK).viziers) == ("M4@P", 1)


def test_djinns_that_work_in_turns_cost_nothing_to_use() -> None:
    listening = {d.name: d.cost for d in DJINNS.values() if d.pays or d.reaps or d.guards}
    assert listening == dict.fromkeys(["Ba'al", "Boaz", "Kandicha", "Marid", "Monkir", "Nekir"], Cost.NONE)


PACKAGE = Path(companion.__file__).parent
# The table of rules 11: VP and cost.
TABLE = {
    "Al-Amin": (5, Cost.NONE),
    "Anun-Nak": (8, Cost.ELDER_OR_FAKIR),
    "Ba'al": (6, Cost.NONE),
    "Boaz": (6, Cost.NONE),
    "Bouraq": (6, Cost.ELDER_OR_FAKIR),
    "Echidna": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Enki": (8, Cost.ELDER_OR_FAKIR),
    "Hagis": (10, Cost.ELDER_OR_FAKIR),
    "Haurvatat": (8, Cost.NONE),
    "Iblis": (8, Cost.ELDER_OR_FAKIR),
    "Jafaar": (6, Cost.NONE),
    "Kandicha": (6, Cost.NONE),
    "Kumarbi": (6, Cost.FAKIRS),
    "Lamia": (10, Cost.ELDER_OR_FAKIR),
    "Leta": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Marid": (6, Cost.NONE),
    "Monkir": (6, Cost.NONE),
    "Nekir": (6, Cost.NONE),
    "Shamhat": (6, Cost.NONE),
    "Sibittis": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
    "Sloar": (8, Cost.FAKIR),
    "Utug": (4, Cost.ELDER_AND_ELDER_OR_FAKIR),
}


def test_11_there_are_22_djinns_with_their_worth_and_cost() -> None:
    assert {name: (djinn.vp, djinn.cost) for name, djinn in DJINNS.items()} == TABLE
    assert set(PROMO_DJINNS).isdisjoint(DJINNS)


def hooks(djinn: Djinn) -> int:
    free = (djinn.revalue, djinn.pays, djinn.reaps, djinn.guards or None)
    paid = (djinn.power, djinn.diverts, djinn.kills - 1 or None, djinn.lowers_bids or None)
    return sum(hook is not None for hook in (*free, *paid))


def test_11_every_djinn_is_one_hook_paid_for_or_free() -> None:
    for djinn in EVERY_DJINN.values():
        assert hooks(djinn) == 1, djinn.name
        is_free = any((djinn.revalue, djinn.pays, djinn.reaps, djinn.guards))
        assert is_free is (djinn.cost is Cost.NONE), djinn.name
        assert djinn.diverts in (None, TileAction.OASIS, TileAction.VILLAGE), djinn.name


HOME = "rules/engine/djinns.py"


def named_djinns(path: Path) -> set[str]:
    """Djinns that code names, in texts of their own or in words of an identifier."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in EVERY_DJINN:
            words.add(fold(node.value))
        for name in (getattr(node, field, None) for field in ("id", "attr", "arg", "name")):
            if isinstance(name, str):
                words |= {fold(name), *name.lower().split("_")}
    return {djinn for djinn in EVERY_DJINN if fold(djinn) in words}


def test_11_no_djinn_is_named_outside_the_registry() -> None:
    """A 23rd djinn is a hook in `rules/engine/djinns.py`: no other code has to know it."""
    paths = [path for part in ("rules", "simulation", "advisor") for path in (PACKAGE / part).rglob("*.py")]
    naming = {str(path.relative_to(PACKAGE)) for path in paths if named_djinns(path)}
    assert naming == {HOME}
