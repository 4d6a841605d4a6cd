"""Which turns a photo shows: one, none, several, that of an earlier board, or no legal one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from companion.advisor.explanation import fresh_turn
from companion.errors import UnusableInputError
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import ActTile, ActTribe, Drop, Lift, UsePower
from companion.rules.model.board import NO_MEEPLES, parse_square, with_meeples
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.state import GameState
from companion.tracking import inference
from companion.tracking.inference import MISFIT_NATS, Verdict, misfit_of, played_turns, turn_nats
from companion.tracking.outcomes import hands_drawn
from tests.rules.tables import player
from tests.rules.test_turn import PINK, ROW, position
from tests.tracking.games import Turn, turns
from tests.tracking.knowing import Knowing, Unclear, board_of, one_meeple_off

GAMES = [(2, 3), (3, 8), (4, 5)]


@cache
def whole_games() -> tuple[Turn, ...]:
    return tuple(turn for players, seed in GAMES for turn in turns(players, seed))


def test_every_turn_of_whole_games_is_named_with_its_powers_and_kills() -> None:
    sure = 0
    for turn in whole_games():
        played = played_turns(turn.before, Knowing(board_of(turn.after)))
        assert played.verdict is Verdict.TURN, turn.actions
        sure += played.is_sure
        (found,) = played.candidates[0].turns
        assert played.candidates[0].board == board_of(turn.after)
        assert found.player is turn.before.mover
        lifted = next(action for action in turn.actions if isinstance(action, Lift))
        dropped = [action for action in turn.actions if isinstance(action, Drop)]
        assert (found.sowing.start, found.sowing.end) == (lifted.square, dropped[-1].square)
        assert sorted(found.sowing.drops) == sorted(action.tribe for action in dropped)
        assert found.sowing.tribe is dropped[-1].tribe
        killed = [action.choice.victims for action in turn.actions if isinstance(action, ActTribe)]
        on_tiles = {victim for victims in killed for victim in victims if victim.square is not None}
        # Who was left on a tile and killed there, or not left there at all, looks alike in the end.
        assert len(found.kills) == len(on_tiles)
        assert {onto for action in turn.actions if isinstance(action, ActTile) and (onto := action.choice.onto)} <= {
            found.onto
        }
    # A kill or a power is one of many that there might have been.
    assert sure > 0.9 * len(whole_games())


def test_powers_that_change_the_board_are_among_those_turns() -> None:
    used = {action.paid.djinn for turn in whole_games() for action in turn.actions if isinstance(action, UsePower)}
    assert used & {"Bouraq", "Enki", "Leta", "Utug", "Anun-Nak"}


def test_a_misread_tile_anywhere_changes_nothing() -> None:
    random = Random(4)
    for turn in whole_games()[:12]:
        after = board_of(turn.after)
        square = random.randrange(30)
        photo = Knowing(after, {square: one_meeple_off(after[square], random)})
        played = played_turns(turn.before, photo)
        assert played.candidates[0].board == after, turn.actions


def test_a_photo_of_the_known_board_shows_that_nobody_has_played() -> None:
    for turn in whole_games()[:6]:
        played = played_turns(turn.before, Knowing(board_of(turn.before)))
        assert (played.verdict, round(played.nothing, 2)) == (Verdict.NOTHING, 1.0)


def test_two_turns_between_are_told_in_their_order() -> None:
    for first, second in _pairs(1)[:3]:
        played = played_turns(first.before, Knowing(board_of(second.after)))
        assert played.verdict is Verdict.TURN
        assert played.candidates[0].board == board_of(second.after)
        assert [turn.player for turn in played.candidates[0].turns] == [first.before.mover, second.before.mover]


def test_three_turns_between_are_found_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that went into the first boards of the beam alone missed the second of these."""
    monkeypatch.setattr(inference, "STEPS", 15_000)
    pairs = _pairs(2)
    for first, third in [(one, last) for (one, next_), (again, last) in pairwise(pairs) if next_ is again][:2]:
        played = played_turns(first.before, Knowing(board_of(third.after)))
        assert played.verdict is Verdict.TURN and len(played.candidates[0].turns) == 3
        assert played.candidates[0].board == board_of(third.after)


def _pairs(seed: int) -> list[tuple[Turn, Turn]]:
    """Turns of one round, one after the other, of which the first draws nothing and takes nothing from the row."""
    played = list(turns(3, seed, powers=0.0))
    return [
        (one, other)
        for one, other in zip(played, played[1:], strict=False)
        if one.after.position.bid_order is not None
        and other.before.position.bid_order is not None
        and len(other.before.position.bid_order) == len(one.before.position.bid_order or ()) + 1
    ]


def test_a_board_of_before_is_named_as_that() -> None:
    turn, later = whole_games()[2], whole_games()[3]
    earlier = [board_of(turn.after), board_of(turn.before)]
    assert board_of(later.before) == earlier[0]
    photo = Knowing(board_of(turn.before))
    played = played_turns(later.before, photo, earlier=earlier, max_turns=2)
    assert (played.verdict, played.earlier) == (Verdict.EARLIER, 2)


def test_what_no_turn_leaves_is_unexplained() -> None:
    turn = whole_games()[1]
    board = list(board_of(turn.before))
    full = [square for square, tile in enumerate(board) if any(tile.meeples)]
    for square in full[::4]:
        board[square] = with_meeples(board[square], tuple(2 * number + 1 for number in board[square].meeples))
    played = played_turns(turn.before, Knowing(tuple(board)), max_turns=1)
    assert played.verdict is Verdict.UNEXPLAINED and not played.is_sure


def test_a_meeple_that_was_overlooked_before_is_told() -> None:
    random = Random(9)
    right = named = 0
    for turn, where in product(whole_games()[:12], ("start", "end")):
        known, square = _off(turn, where, random)
        played = played_turns(known, Knowing(board_of(turn.after)), max_turns=1)
        right += played.candidates[0].board == board_of(turn.after)
        named += set(played.candidates[0].turns[0].corrections) == {square}
    # A tribe of which the end tile held none may not be taken there by what was known (rules 4.5), and what is missing
    # from the start may as well have stood elsewhere.
    assert right >= 20 and named >= 16, (right, named)


def test_a_tile_that_is_a_meeple_wrong_is_named_though_the_turn_leaves_it() -> None:
    random = Random(5)
    for turn in whole_games()[:10]:
        before, after = board_of(turn.before), board_of(turn.after)
        left = [square for square in range(30) if before[square] == after[square] and any(after[square].meeples)]
        square = random.choice(left)
        photo = Knowing(after, {square: one_meeple_off(after[square], random)})
        played = played_turns(turn.before, photo, max_turns=1)
        assert (played.candidates[0].board, played.doubted) == (after, (square,)), turn.actions
        assert played_turns(turn.before, Knowing(after), max_turns=1).doubted == ()


def _off(turn: Turn, where: str, random: Random) -> tuple[GameState, int]:
    """The state before with a meeple fewer on the turn's start or end than there was, and which tile that is."""
    actions = [action for action in turn.actions if isinstance(action, Lift | Drop)]
    square = actions[0 if where == "start" else -1].square
    board = list(board_of(turn.before))
    tile = board[square]
    there = [tribe for tribe in Tribe if tile.meeples[tribe]]
    if there:
        gone = random.choice(there)
        fewer = tuple(number - (tribe is gone) for tribe, number in zip(Tribe, tile.meeples, strict=True))
        board[square] = with_meeples(tile, fewer)
    return replace(turn.before, position=turn.before.position.with_board(tuple(board))), square


def test_whoever_played_is_found_where_that_is_not_known() -> None:
    found = 0
    for turn in whole_games()[10:18]:
        colours = turn.before.position.colours
        played = played_turns(turn.before, Knowing(board_of(turn.after)), movers=colours)
        assert played.candidates[0].board == board_of(turn.after)
        found += played.candidates[0].turns[0].player is turn.before.mover
    assert found


def test_a_djinn_is_paid_for_so_that_its_power_can_be_too() -> None:
    # Pink's two elders buy Utug, and then nothing is left for its power: an elder and a fakir do twice (rules 6.5, 11).
    before = fresh_turn(position(c1="M6:g", c2="S6:g", e4="M6:wwgg"), moves=True)
    after = position(c1="M6", c2="S6@P", e4="M6:wwgg@P").board
    first = played_turns(before, Knowing(after)).candidates[0]
    assert (first.board, first.turns[0].djinn) == (after, "Utug")


def test_a_power_may_be_paid_for_with_a_fakir_bought_in_the_same_turn() -> None:
    pink = player(PINK, gold=3, djinns=("Enki",))
    after = position(b1="V5", c1="M6@P", e4="O8@P^1").board
    explained = []
    for row in (ROW, ROW[1:]):
        before = position(row, b1="V5:b", c1="M6:b", e4="O8@P").with_player(pink)
        first = played_turns(fresh_turn(before, moves=True), Knowing(after)).candidates[0]
        explained.append(first.board == after and first.turns[0].fakirs_bought == 1)
    # Without one in the row nothing pays for Enki (rules 6.3, 11).
    assert explained == [True, False]


def test_a_power_is_paid_for_so_that_another_can_be_too() -> None:
    # Enki takes an elder and a fakir, and Utug another elder and fakir: only the third fakir may pay for Enki.
    pink = player(PINK, djinns=("Utug",), elders=0, fakirs=3)
    before = position(djinns=("Enki",), c1="M6:w", b1="S6:w", e4="M6:wwgg", f2="O8@P").with_player(pink)
    after = position(c1="M6", b1="S6@P", e4="M6:wwgg@P", f2="O8@P^1").board
    first = played_turns(fresh_turn(before, moves=True), Knowing(after)).candidates[0]
    assert (first.board, first.turns[0].djinn) == (after, "Enki")


def test_what_is_less_clear_is_less_sure() -> None:
    turn = whole_games()[5]
    clear, vague = (played_turns(turn.before, Unclear(board_of(turn.after), nats)) for nats in (9.0, 2.0))
    assert clear.candidates[0].probability > vague.candidates[0].probability
    assert not vague.is_sure


def test_probabilities_are_of_one_whole() -> None:
    turn = whole_games()[7]
    played = played_turns(turn.before, Unclear(board_of(turn.after), 3.0))
    whole = played.nothing + sum(one.probability for one in played.candidates)
    assert 0.5 < whole <= 1.0 + 1e-9
    assert list(played.candidates) == sorted(played.candidates, key=lambda one: -one.probability)


def test_a_board_misfits_by_what_its_tiles_cannot_explain() -> None:
    board = board_of(whole_games()[0].before)
    assert misfit_of(board, Knowing(board)) == 0.0
    other = list(board)
    other[3] = with_meeples(board[3], tuple(number + 2 for number in board[3].meeples))
    assert misfit_of(tuple(other), Knowing(board)) > MISFIT_NATS


def test_no_photo_shows_a_turn_while_players_bid() -> None:
    with pytest.raises(UnusableInputError, match="nobody's turn begins here"):
        played_turns(new_game(3, 1), Knowing(new_game(3, 1).position.board))


def test_no_hand_is_drawn_of_a_tribe_with_a_meeple_too_many() -> None:
    begins = position(ROW, (), None, e5="M4:" + "y" * 17)
    assert hands_drawn(fresh_turn(begins, moves=True)).keys() == {
        hand for hand in product(range(4), repeat=len(Tribe)) if sum(hand) == 3 and not hand[Tribe.VIZIER]
    }


def test_11_meeples_that_anun_nak_brings_may_be_sown_passed_or_taken_in_the_same_turn() -> None:
    far: dict[str, Any] = {"e5": "M4:yy", "f5": "M4:www", "b1": "M6@K", "b3": "M6@K", "c1": "M6@K", "c3": "M6@K"}
    cases: tuple[tuple[dict[str, Any], dict[str, Any], tuple[str, str]], ...] = (
        # Sown: nothing stands on b2 before the turn, and nothing after it.
        ({"d3": "M4:g"}, {"c2": "M6:w", "d2": "M6:b", "d3": "M4@P"}, ("b2", "wbg")),
        ({"a2": "M6:wg", "c2": "M6:g"}, {"b2": "M6:yyww", "c2": "M6@P"}, ("a2", "wg")),
        ({"a2": "M6:y"}, {"b2": "M6:ww"}, ("a2", "y")),
    )
    for before, after, sown in cases:
        begins = position(**far, **before)
        begins = begins.with_player(replace(begins.player(Colour.PINK), djinns=("Anun-Nak",)))
        bare: dict[str, Any] = dict.fromkeys(before, "M6")
        ends = position(**{**far, **bare, **after})
        played = played_turns(fresh_turn(begins, moves=True), Knowing(ends.board))
        (turn,) = played.candidates[0].turns
        assert played.is_sure and played.candidates[0].board == ends.board
        ((use, drawn),) = turn.first
        assert (use.paid.djinn, use.square, len(drawn.meeples)) == ("Anun-Nak", parse_square("b2"), 3)
        assert (turn.sowing.start, "".join(tribe.letter for tribe in turn.sowing.drops)) == (
            parse_square(sown[0]),
            sown[1],
        )


def test_1_2_no_meeple_was_overlooked_while_all_are_in_sight() -> None:
    """In a first turn's photo, before which all 90 meeples lie on the board."""
    turn = whole_games()[0]
    assert sum(sum(tile.meeples) for tile in board_of(turn.before)) == 90
    square = next(action.square for action in turn.actions if isinstance(action, Lift))
    before = board_of(turn.before)
    emptied = (*before[:square], with_meeples(before[square], NO_MEEPLES), *before[square + 1 :])
    for photo in (Unclear(emptied, 6.0), Unclear(board_of(turn.after), 3.0)):
        played = played_turns(turn.before, photo, max_turns=1)
        corrected = [one.turns[0].corrections for one in played.candidates]
        gained = [
            square
            for corrections in corrected
            for square, tile in corrections.items()
            if sum(tile.meeples) > sum(before[square].meeples)
        ]
        assert corrected and not gained
    assert played_turns(turn.before, Unclear(emptied, 4.0), max_turns=1).lifted == (square,)


def test_where_few_turns_are_left_each_is_likelier() -> None:
    """At the end of a game a photo that isn't sure still shows the turn, since hardly another one can be played."""
    few = fresh_turn(position(c1="M4:y@K", c2="M4:y@K", f5="M4:w"), moves=True)
    after = position(c1="M4@K", c2="M4@K", f5="M4:w").board
    played = played_turns(few, Unclear(after, 4.0))
    assert played.verdict is Verdict.TURN
    full = new_game(3, 1).position.board
    assert turn_nats(full) < turn_nats(few.position.board) < 0
