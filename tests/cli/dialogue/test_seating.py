"""Who plays at a table that was set up by hand, in which order, and what lies face up."""

from __future__ import annotations

from dataclasses import replace

from companion.asking.seating import Seating, lacks_order, seating
from companion.cli.dialogue.loop import Dialogue, End
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from tests.cli.dialogue.scripted import ScriptedTerminal

SET_UP = random_setup(3, 5)
BARE = replace(SET_UP, players=(), row=None, djinns=None, phase=None, bid_order=None, turn_order=None, discards=None)
BLUE, PINK = Colour.BLUE, Colour.PINK


def asked(first: Seating, *lines: str) -> tuple[Dialogue[Seating], ScriptedTerminal]:
    terminal = ScriptedTerminal(lines, interactive=True)
    return Dialogue(terminal, seating(first)).run(), terminal


def test_rules_2_1_two_players_tell_the_order_of_four_markers_and_what_lies_face_up() -> None:
    assert SET_UP.row is not None and SET_UP.djinns is not None
    row = [*SET_UP.row[:-1], "papirus"]
    script = ["Anna, Boris", "Anna Boris Boris", "Anna Boris Boris Anna", " ".join(row), "papyrus", "back"]
    result, terminal = asked(Seating(BARE), *script, "", "Iblis, Utug")
    assert result.end is End.DONE
    assert "each has 2 of them" in terminal.text
    assert f"from its start [{' '.join(SET_UP.row)}]: " in terminal.prompts[-2], "what was taken back is kept by Enter"
    position = result.state.seated
    assert position.bid_order == (BLUE, PINK, PINK, BLUE) and position.djinns == ("Iblis", "Utug")
    assert position.row == (*SET_UP.row[:-1], "papyrus"), "a misspelt card alone is asked for again"
    assert start_game(position).mover is BLUE and position.player(PINK).gold == 50


def test_the_players_in_a_position_are_offered_and_nobody_is_left_out() -> None:
    camel = replace(SET_UP.board[0], camel=Colour.ORANGE)
    there = replace(BARE, board=(camel, *SET_UP.board[1:]), row=SET_UP.row, djinns=())
    result, terminal = asked(Seating(there), "pink Anna, blue Bo", "Anna, Bo, Cy", "pink Anna, orange Bo, blue Cy")
    assert "also has orange" in terminal.text
    assert "name the colours too, such as orange Anna" in terminal.text
    assert result.state.seated.bid_order == (PINK, Colour.ORANGE, BLUE)


def test_only_a_table_at_its_bids_is_asked_about() -> None:
    assert lacks_order(BARE) and not lacks_order(SET_UP)
    assert not lacks_order(replace(BARE, phase=Phase.TURN)) and not lacks_order(replace(BARE, to_move=PINK))
