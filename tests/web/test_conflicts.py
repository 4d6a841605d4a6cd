"""Hands that were told each by itself and do not go together: all are kept, and the table's own phone says so."""

from __future__ import annotations

from dataclasses import replace

from companion.notation.records.steps import Observation
from companion.rules.model.components import COINS_GC, GOODS, Colour
from companion.rules.model.position import Player, Position
from companion.rules.model.state import GameState
from companion.table.advising import advise_table
from companion.table.games import begin_table, open_table, played
from companion.table.seats import conflicts, thought_about, without_conflicts
from tests.notation.recorded_games import stuck_game
from tests.web.at_table import MID, AtTable, Phone, kept, now

BLUE, ORANGE, BLACK = Colour.BLUE, Colour.ORANGE, Colour.BLACK
SAID = "add up"
GOLD_OF_OTHERS = 47 + 43


def middle(*told: Player) -> Position:
    """A game of three in the middle, blue to move, with what players told besides."""
    position = MID
    for player in told:
        position = position.with_player(player)
    return position


def told(phone: Phone, place: str, colour: str, **fields: object) -> int:
    form = {name.replace("_", "."): number for name, number in fields.items()}
    return phone.post(f"{place}/players/{colour}", form).status_code


def test_a_slip_in_one_hand_changes_no_other_and_is_told_to_the_table(table: AtTable) -> None:
    place = f"/games/{kept(table, MID)}"
    before = now(table, place).position
    orange = table.phone("orange")
    assert told(orange, place, "orange", gold=200, goods_ivory=2, fakirs=17) == 422
    assert told(orange, place, "orange", gold=COINS_GC, goods_ivory=2, fakirs=14) == 303
    after = now(table, place).position
    assert [after.player(colour) for colour in (BLUE, BLACK)] == [before.player(colour) for colour in (BLUE, BLACK)]
    for seat in ("orange", "blue", "pink"):
        assert SAID not in table.phone(seat).get(place).text
    page = table.phone().get(place).text
    assert SAID in page and str(COINS_GC + GOLD_OF_OTHERS) in page


def test_the_table_puts_it_right_step_by_step(table: AtTable) -> None:
    place = f"/games/{kept(table, MID)}"
    told(table.phone("orange"), place, "orange", gold=COINS_GC)
    phone = table.phone()
    # What is still too much is less than before, and so it is taken.
    assert told(phone, place, "blue", gold=30) == 303
    assert SAID in phone.get(place).text
    assert told(phone, place, "orange", gold=38) == 303
    assert SAID not in phone.get(place).text
    assert now(table, place).position.player(BLUE).gold == 30
    # Where nothing is wrong, the table takes nothing that is.
    assert told(phone, place, "orange", gold=COINS_GC) == 422


def test_what_cannot_be_is_unknown_to_whoever_thinks() -> None:
    all_ivory = tuple(2 * (good == "ivory") for good in GOODS)
    orange, black = (replace(MID.player(colour), goods=all_ivory) for colour in (ORANGE, BLACK))
    position = middle(orange, black)
    assert len(conflicts(position)) == 1 and not conflicts(MID)
    sane = without_conflicts(position)
    assert sane == middle(replace(orange, goods=None), replace(black, goods=None))
    game = begin_table(position, {}, date="2026-11-22")
    asked = thought_about(game, None)
    assert isinstance(asked, Position) and asked.players == sane.players
    asked = thought_about(game, ORANGE)
    assert isinstance(asked, Position) and asked.players == position.without_hands(ORANGE).players
    state = thought_about(begin_table(MID, {}, date="2026-11-22"), None)
    assert isinstance(state, GameState) and not state.unchecked_hands


def test_9_2_a_hint_at_a_turn_without_a_legal_move_knows_the_cards_that_nobody_saw() -> None:
    game = open_table(stuck_game("Sloar", unseen=2))
    asked = thought_about(game, None)
    assert isinstance(asked, GameState) and asked.unseen == {BLUE: 2}
    assert advise_table(asked, 50, 1, None, lambda *_: None).turns is not None
    within = played(game, "use Sloar for fakir ...", [Observation((None,))])
    assert isinstance(thought_about(within, None), Position)
