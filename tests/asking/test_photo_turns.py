"""A turn that a photo shows, told by taps: all that the board shows is answered, and the rest is asked as ever."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from companion.advisor.explanation import fresh_turn
from companion.asking.photo_turns import known_taps, shown_turns, turns_in_photo
from companion.asking.tapping import tapped_turn
from companion.asking.taps import About
from companion.errors import UnusableInputError
from companion.notation.records.header import Header
from companion.notation.records.lines import Record
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import ActTile, ActTribe, Sell, UsePower
from companion.rules.model.components import Colour
from companion.rules.model.position import Player, Position
from companion.table.games import TableGame
from companion.table.playing import Playing
from companion.tracking.inference import Verdict
from companion.tracking.visible import VisibleTurn
from tests.rules.test_turn import NO_GOODS, position
from tests.tracking.games import Turn, turns
from tests.tracking.knowing import Knowing, board_of

HIDDEN = {About.OTHER, About.FAKIRS, About.DJINN, About.BOUGHT, About.VICTIM_PLACE, About.VICTIMS, About.CLOSE}
"""What boards don't show: cards, djinns and prices, fakirs, whom one killed in front of a player, sales."""


@cache
def whole_games() -> tuple[Turn, ...]:
    return tuple(turn for players, seed in ((3, 8), (4, 5), (2, 11)) for turn in turns(players, seed))


def game_of(turn: Turn) -> TableGame:
    """The game at the beginning of a turn, as a table has it."""
    return TableGame(turn.before.position, Playing(Record(Header(())), turn.before, owes=False))


@cache
def seen_turns() -> list[tuple[Turn, TableGame, VisibleTurn]]:
    """Each turn, the game at its beginning, and the likeliest turn that a photo of its end shows."""
    games = [(turn, game_of(turn)) for turn in whole_games()]
    photos = [turns_in_photo(game, Knowing(board_of(turn.after))) for turn, game in games]
    return [(*one, photo.candidates[0].turns[0]) for one, photo in zip(games, photos, strict=True)]


def test_only_what_no_board_shows_is_asked() -> None:
    asked = 0
    for turn, game, seen in seen_turns():
        assert not seen.corrections, turn.actions
        taps = known_taps(game, (), seen)
        told = tapped_turn(game, taps)
        if told.question is None or told.question.key == About.CLOSE:
            assert told.line is not None
            assert told.board == board_of(turn.after), turn.actions
        else:
            assert told.question.key in HIDDEN, (told.question.key, turn.actions)
            asked += 1
    assert 0.2 < asked / len(whole_games()) < 0.8


def test_what_was_bought_or_taken_is_told_by_the_row_and_the_djinns_that_a_photo_shows() -> None:
    """Rules 6.3 to 6.5: what a photo shows face up before and after needn't be asked."""
    told = set()
    for turn, game, seen in seen_turns():
        done = [action.choice for action in turn.actions if isinstance(action, ActTile)]
        if any(isinstance(action, UsePower) for action in turn.actions) or not done:
            continue
        shown = replace(seen, row=turn.after.position.row, djinns=turn.after.position.djinns)
        asked, asked_of_board = (tapped_turn(game, known_taps(game, (), one)).question for one in (shown, seen))
        if asked_of_board is None or asked_of_board.key not in (About.BOUGHT, About.DJINN):
            continue
        assert asked is None or asked.key not in (About.BOUGHT, About.DJINN), turn.actions
        taps = known_taps(game, (), shown)
        assert done[0].djinn is None or done[0].djinn in taps
        row = tapped_turn(game, taps).line if asked is None or asked.key == About.CLOSE else None
        bought = [card for card in done[0].cards if row is not None]
        assert row is None or row.count("buy") == bool(bought)
        told.add((asked_of_board.key, bool(done[0].cards or done[0].djinn)))
    assert {(About.BOUGHT, True), (About.DJINN, True)} <= told


def test_a_row_that_no_purchase_leaves_is_asked_about() -> None:
    game, seen = next(
        (game, seen)
        for _, game, seen in seen_turns()
        if (asked := tapped_turn(game, known_taps(game, (), seen)).question) is not None and asked.key == About.BOUGHT
    )
    assert game.position.row is not None
    for row in (game.position.row * 2, game.position.row[::-1][:-1]):
        question = tapped_turn(game, known_taps(game, (), replace(seen, row=row))).question
        assert question is not None and question.key == About.BOUGHT


def test_answers_to_open_questions_are_kept_and_what_follows_is_told_again() -> None:
    kinds = set()
    for turn, game, seen in seen_turns():
        taps: tuple[str, ...] = known_taps(game, (), seen)
        for _ in range(12):
            told = tapped_turn(game, taps)
            if told.question is None or told.question.key == About.CLOSE:
                break
            kinds.add(told.question.key)
            taps = known_taps(game, (*taps, told.question.taps[0].token), seen)
        assert told.line is not None
        if not any(isinstance(action, UsePower | Sell) for action in turn.actions) and not _kills_in_front(turn):
            assert told.board == board_of(turn.after), turn.actions
    assert {About.OTHER, About.FAKIRS} <= kinds


def _kills_in_front(turn: Turn) -> bool:
    acts = [action for action in turn.actions if isinstance(action, ActTribe)]
    return any(victim.square is None for act in acts for victim in act.choice.victims)


def _taps(before: Position, after: Position) -> list[str]:
    """The taps that a photo of the board after a turn tells."""
    game = TableGame(before, Playing(Record(Header(())), fresh_turn(before, moves=True), owes=False))
    return [*known_taps(game, (), turns_in_photo(game, Knowing(after.board)).candidates[0].turns[0])]


def test_11_utug_claims_the_end_tile_before_a_palm_stands_on_it() -> None:
    before = position(b2="M4:w", c2="O8:wg")
    before = before.with_player(replace(before.player(Colour.PINK), djinns=("Utug",), elders=4))
    taps = _taps(before, before.with_board(position(b2="M4", c2="O8:g@P^1").board))
    assert taps == ["b2", "use Utug"]


def test_11_10_how_many_iblis_killed_in_front_of_a_player_is_asked() -> None:
    black = Player(Colour.BLACK, gold=50, viziers=3, elders=2, fakirs=0, goods=NO_GOODS, djinns=())
    before = position(b2="M4:r", c2="M4:r@K", black=black)
    before = before.with_player(replace(before.player(Colour.PINK), djinns=("Iblis",)))
    taps = _taps(before, before.with_board(position(b2="M4", c2="M4@K").board))
    game = TableGame(before, Playing(Record(Header(())), fresh_turn(before, moves=True), owes=False))
    question = tapped_turn(game, taps).question
    assert question is not None and question.key == About.VICTIMS and "one" in {tap.token for tap in question.taps}


def test_taps_that_are_not_offered_stay_where_they_stand() -> None:
    _, game, seen = seen_turns()[0]
    assert known_taps(game, ("nowhere",), seen) == ("nowhere",)


def test_whoever_is_to_move_need_not_be_known() -> None:
    turn = whole_games()[3]
    position = turn.before.position
    unknown = TableGame(_without_tracks(position))
    played = turns_in_photo(unknown, Knowing(board_of(turn.after)))
    assert (played.verdict, played.candidates[0].board) == (Verdict.TURN, board_of(turn.after))


def _without_tracks(position: Position) -> Position:
    return replace(position, to_move=None, phase=None, bid_order=None, turn_order=None)


def test_before_the_bids_no_photo_is_a_turn() -> None:
    state = new_game(3, 4)
    game = TableGame(state.position, Playing(Record(Header(())), state, owes=False))
    with pytest.raises(UnusableInputError, match="bids come before turns"):
        turns_in_photo(game, Knowing(state.position.board))


def test_a_fakir_that_paid_for_a_power_is_known_to_be_bought() -> None:
    before = position(b1="V5:b", c1="M6:b", e4="O8@P")
    before = before.with_player(replace(before.player(Colour.PINK), elders=0, fakirs=0, gold=3, djinns=("Enki",)))
    game = TableGame(before, None)
    (shown,) = shown_turns(game, Knowing(position(b1="V5", c1="M6@P", e4="O8@P^1").board)).candidates[:1]
    assert "Enki" in shown.turns[0].aim
    line = tapped_turn(game, shown.taps).line
    assert line is not None and "buy fakir" in line and "use Enki for fakir on e4" in line
