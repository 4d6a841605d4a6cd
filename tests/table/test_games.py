"""What a kept text is, and how a game goes on from it: by the rules where the order is known, turn by turn else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from companion.errors import IllegalMoveError, UnusableInputError
from companion.notation.files import format_json, parse_position
from companion.notation.records.steps import Observation, parse_observation
from companion.rules.engine.djinns import DJINNS, PROMO_DJINNS
from companion.rules.engine.scoring import result_of
from companion.rules.engine.setup import new_game, random_setup
from companion.rules.model.actions import PlaceBid
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, Colour
from companion.rules.model.position import Phase, Position
from companion.table.games import (
    TableGame,
    begin_table,
    bid_placed,
    ended,
    is_set_up,
    open_table,
    played,
    refilled,
    with_players,
)
from companion.table.playing import decision_before, game_at, is_forced, play_line
from companion.table.seats import may_ask, may_change, sees_all, visible_position
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record, stuck_game
from tests.samples import MID, START

BLACK, ORANGE, BLUE, PINK = Colour


SHORT = "e3 > d3b"
"""A sowing on that board which leaves nothing to choose."""


def board_alone(position: Position) -> Position:
    """What a photo of the board tells."""
    return Position(position.board)


def test_a_game_is_kept_as_a_record_where_the_order_is_known_and_as_a_position_else() -> None:
    begun = begin_table(MID, {BLUE: "Марія", PINK: "nobody"}, date="2026-11-22", place="Home")
    assert begun.text.startswith("Five Tribes record 1\n")
    assert begun.playing is not None and begun.playing.record.header.names == {BLUE: "Марія"}
    assert open_table(begun.text).position == begun.position
    loose = begin_table(board_alone(MID), {}, date="2026-11-22")
    assert loose.playing is None and parse_position(loose.text) == board_alone(MID)


def test_a_board_that_is_set_up_begins_with_everybodys_50_gold() -> None:
    """rules 2.8"""
    assert is_set_up(START.board) and not is_set_up(MID.board)
    with_camel, emptied = replace(START.board[0], camel=BLUE), replace(START.board[0], meeples=(0, 0, 0, 0, 0))
    assert not any(is_set_up((tile, *START.board[1:])) for tile in (with_camel, emptied))
    position = with_players(board_alone(START), (PINK, BLUE, PINK, BLUE))
    game = begin_table(position, {}, date="")
    assert game.is_bidding and game.mover is PINK
    assert [player.gold for player in game.position.players] == [50, 50]
    with pytest.raises(UnusableInputError, match="starting with whoever is next"):
        with_players(board_alone(MID), ())


def test_bids_are_placed_by_the_rules() -> None:
    game = begin_table(random_setup(2, 7), {}, date="")
    for price in (0, 5, 3, 1):
        game = bid_placed(game, PlaceBid(price))
    assert game.position.phase is Phase.TURN
    with pytest.raises(UnusableInputError, match="nobody's bidding now"):
        bid_placed(game, PlaceBid(8))
    with pytest.raises(UnusableInputError, match="enter the players first"):
        bid_placed(TableGame(MID), PlaceBid(8))


def whole_turn(game: TableGame) -> TableGame:
    """The game after the best turn at once of the player to move."""
    from companion.notation.records.recording import actions_line
    from tests.advisor.gains import best_turns

    best = best_turns(game.position, top=1)[0]
    return played(game, actions_line(best.explained.begins, best.actions))


def test_a_turn_in_the_record_hands_on_to_the_next() -> None:
    game = begin_table(MID, {}, date="")
    after = whole_turn(game)
    assert after.mover is ORANGE and after.has_turns and not game.has_turns
    assert open_table(after.text).position == after.position


def test_the_last_turn_of_a_round_owes_what_came_into_the_row() -> None:
    """rules 8.1"""
    assert MID.row is not None
    position = replace(MID, turn_order=(), bid_order=(BLACK, ORANGE, BLUE), row=MID.row[:8])
    game = begin_table(position, {}, date="")
    with pytest.raises(UnusableInputError, match="already been refilled"):
        refilled(game, parse_observation("silk"))
    after = whole_turn(game)
    assert after.owes_refill and after.mover is None and not after.is_bidding
    assert game.playing is not None and after.playing is not None
    assert game.playing.begins_turn and not after.playing.begins_turn
    with pytest.raises(UnusableInputError):
        refilled(after, Observation())
    bidding = refilled(after, parse_observation("silk"))
    assert bidding.is_bidding and bidding.mover is BLACK and bidding.position.row == (*MID.row[:8], "silk")


def test_a_turn_by_itself_changes_the_board_and_names_nobody_next() -> None:
    loose = TableGame(replace(MID, turn_order=None, bid_order=None, phase=None))
    after = whole_turn(loose)
    assert after.playing is None and after.mover is None
    assert after.position.board == whole_turn(begin_table(MID, {}, date="")).position.board
    with pytest.raises(UnusableInputError, match="whose turn it is"):
        played(after, "blue: a1 > a2y")
    with pytest.raises(UnusableInputError, match="whose turn it is"):
        played(loose, "pink: a1 > a2y")
    with pytest.raises(IllegalMoveError):
        played(loose, "blue: a1 > a2y")


def test_what_is_drawn_is_asked_for() -> None:
    blue = replace(MID.player(BLUE), fakirs=1, djinns=("Sloar",))
    game = begin_table(MID.with_player(blue), {}, date="")
    line = f"use Sloar for fakir; {SHORT}"
    with pytest.raises(ChanceNeededError) as needed:
        played(game, line)
    assert needed.value.wanted == "card"
    after = played(game, line, [parse_observation("silk")])
    assert "use Sloar for fakir: silk" in after.text and after.mover is ORANGE


def drawn_unseen() -> TableGame:
    """A game in which blue has drawn a card that nobody else saw, and put two djinns away (rules 11)."""
    blue = replace(MID.player(BLUE), fakirs=2, elders=4, djinns=("Sloar", "Sibittis"))
    game = begin_table(MID.with_player(blue), {}, date="")
    djinns = [name for name in DJINNS if name not in {*(MID.djinns or ()), "Sloar", "Sibittis", *HELD}][:3]
    line = f"use Sloar for fakir: ?; use Sibittis for 2 elders: {', '.join(djinns)}; keep {djinns[0]}; {SHORT}"
    return played(game, line)


HELD = {name for player in MID.players for name in player.djinns or ()}


def test_what_was_drawn_unseen_is_still_out_of_the_decks_in_a_new_part() -> None:
    """rules 8.1, 12.2"""
    before = drawn_unseen()
    state = before.state
    assert state is not None and sum(state.hidden) == 1 and len(state.djinn_discards) == 2
    part = begin_table(before.position, {BLUE: "Марія"}, date="", before=state)
    assert part.text != before.text and part.state is not None
    assert (part.state.hidden, part.state.djinn_discards) == (state.hidden, state.djinn_discards)
    again = open_table(part.text)
    assert again == part
    # A game that begins anew knows nothing of it.
    assert begin_table(before.position, {}, date="").state != part.state


def test_12_2_the_result_knows_of_cards_that_nobody_else_has_seen() -> None:
    game = open_table(stuck_game("Sloar") + "blue: use Sloar for fakir: ?\n")
    assert game.is_over
    assert (game.result.winners, len(game.result.unknown)) == ((), 1)
    assert open_table(stuck_game("Sloar") + "blue: use Sloar for fakir: fish\n").result.winners == (BLUE,)
    assert TableGame(MID).result == result_of(MID)


def test_the_promo_djinn_is_still_in_the_game_in_a_new_part() -> None:
    state = new_game(3, 4, promo=True)
    assert PROMO_DJINNS.keys().isdisjoint(state.position.djinns or ())
    part = begin_table(state.position, {}, date="", before=state)
    for game in (part, open_table(part.text)):
        assert game.state is not None and game.state.promo


def test_a_hand_told_anew_is_told_whole() -> None:
    before = drawn_unseen()
    blue = before.position.player(BLUE)
    assert blue.goods is not None and blue.fakirs is not None and before.state is not None
    for goods, fakirs in ((1, 0), (0, 1)):
        hand = replace(blue, goods=(blue.goods[0] + goods, *blue.goods[1:]), fakirs=blue.fakirs + fakirs)
        after = begin_table(before.position.with_player(hand), {}, date="", before=before.state).state
        assert after is not None and sum(after.hidden) == 0 and after.djinn_discards == before.state.djinn_discards


def test_djinns_that_lie_there_again_are_no_longer_put_away() -> None:
    before = drawn_unseen()
    assert before.state is not None
    back, gone = before.state.djinn_discards
    told = replace(before.position, djinns=(back, *(before.position.djinns or ())[1:]))
    after = begin_table(told, {}, date="", before=before.state).state
    assert after is not None and after.djinn_discards == (gone,)


def test_what_cannot_be_beside_what_is_told_is_forgotten() -> None:
    """rules 1.4: with all cards in sight nobody holds an unseen one."""
    before = drawn_unseen()
    position = before.position
    left = Counter(CARD_COUNTS) - Counter((*(position.row or ()), *(position.discards or ())))
    for player in position.players:
        left -= Counter(dict(zip(GOODS, player.goods or (), strict=False)) | {FAKIR: player.fakirs or 0})
    told = replace(position, discards=(*(position.discards or ()), *left.elements()))
    assert before.state is not None
    # The promo djinn is in the game all the same.
    after = begin_table(told, {}, date="", before=replace(before.state, promo=True)).state
    assert after is not None and sum(after.hidden) == 0 and after.promo


def test_what_is_taken_back_is_the_last_choice_that_there_was() -> None:
    playing = open_table(THREE_ROUNDS.read_text(encoding="utf-8")).playing
    for _ in range(4):
        assert playing is not None
        playing = decision_before(playing)
        assert playing is not None and (playing.owes or not is_forced(playing.state))


def test_a_game_may_be_ended_by_the_table() -> None:
    assert begin_table(ended(MID), {}, date="").is_over


def test_a_seat_knows_its_own_hand_and_all_that_lies_open() -> None:
    """rules 12.1, 12.2"""
    for seat in (BLACK, PINK):
        seen = visible_position(MID, seat)
        for player in MID.players:
            known = seen.player(player.colour)
            assert (known.viziers, known.elders, known.djinns) == (player.viziers, player.elders, player.djinns)
            hidden = (known.gold, known.fakirs, known.goods) == (None, None, None)
            assert hidden == (player.colour is not seat)
        assert replace(seen, players=()) == replace(MID, players=())
        assert visible_position(ended(MID), seat) == ended(MID)
    assert visible_position(MID, None) == MID


def test_who_may_ask_and_change() -> None:
    game = begin_table(MID, {}, date="")
    assert [may_ask(game, seat) for seat in (None, BLUE, ORANGE, PINK)] == [True, True, False, False]
    assert [may_change(game, seat, BLUE) for seat in (None, BLUE, ORANGE)] == [True, True, False]
    assert [sees_all(game, seat) for seat in (None, BLUE)] == [True, False]
    assert sees_all(begin_table(ended(MID), {}, date=""), BLUE)


def test_texts_are_positions_and_records() -> None:
    assert open_table(format_json(MID)).position == MID
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    assert open_table(text).playing is not None
    assert open_table(text).text == text


def test_nothing_is_played_once_the_game_is_over() -> None:  # rules 9
    over = game_at(random_record(2, 3)[0])
    assert over.state.is_over
    with pytest.raises(IllegalMoveError, match="the game is over"):
        play_line(over, "c3 > c4g")


def test_9_2_a_turn_without_a_legal_move_begins_until_something_of_it_was_played() -> None:
    stuck = open_table(stuck_game("Sloar")).playing
    assert stuck is not None and stuck.begins_turn
    assert not play_line(stuck, "use Sloar for fakir: ?").begins_turn
