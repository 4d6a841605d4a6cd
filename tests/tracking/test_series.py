"""Photos taken one after another: which turns they show, with photos misread, missing, repeated or spoilt."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.advisor.explanation import fresh_turn
from companion.notation.records.replay import opening, replay
from companion.rules.model.board import SQUARE_NAMES, Board, Tile
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage
from companion.tracking.inference import MAX_TURNS, PlayedTurns, Verdict, played_turns
from companion.tracking.series import Series, turns_in_series
from companion.tracking.visible import Likelihood
from tests.rules.test_turn import position
from tests.tracking.seen_boards import Between, SeenBoard, photo_of, played_record, spoilt

PLAYED = [Verdict.TURN] * 5


@dataclass(frozen=True)
class Blurred:
    """A photo that says a quarter of what it would say."""

    photo: SeenBoard

    def __call__(self, square: int, tile: Tile, /) -> float:
        return self.photo(square, tile) / 4

    def best(self, square: int, /) -> float:
        return self.photo.best(square) / 4


def _game(players: int, seed: int, turns: int) -> tuple[GameState, list[Board]]:
    record, boards = played_record(players, seed, turns)
    return next(play.before for play in replay(record).plays if play.before.stage is Stage.MOVE), boards


def _boards(series: Series) -> list[Board]:
    return [shown.board for shown in series.lines[0].shown]


def test_whole_games_come_out_turn_by_turn(subtests: pytest.Subtests) -> None:
    """Nobody says who bid what, rounds end in between, and tiles are misread on most photos."""
    for players, seed in ((2, 1), (4, 1)):
        with subtests.test(players=players, seed=seed):
            record, boards = played_record(players, seed, 5)
            start = opening(record.header)
            series = turns_in_series(start, [photo_of(board, 9 * seed + n) for n, board in enumerate(boards)])
            assert series.verdicts == tuple(PLAYED)
            assert _boards(series) == boards
            assert series.lines[0].probability > 0.95
            assert [len(shown.turns) for shown in series.lines[0].shown] == [1] * 5


def test_a_photo_of_the_same_board_and_one_of_an_earlier_board_are_passed_over() -> None:
    start, boards = _game(3, 1, 3)
    first, second, third = (photo_of(board) for board in boards)
    series = turns_in_series(start, [photo_of(start.position.board), first, first, second, first, third])
    assert series.verdicts == (
        Verdict.NOTHING,
        Verdict.TURN,
        Verdict.NOTHING,
        Verdict.TURN,
        Verdict.EARLIER,
        Verdict.TURN,
    )
    assert _boards(series)[-1] == boards[-1]


def test_boards_from_before_the_series_are_known_too() -> None:
    start, boards = _game(3, 1, 3)
    series = turns_in_series(start, [photo_of(boards[2])], earlier=[boards[2]])
    assert series.verdicts == (Verdict.EARLIER,)


def test_of_a_missing_photo_the_next_shows_two_turns() -> None:
    start, boards = _game(3, 1, 3)
    series = turns_in_series(start, [photo_of(boards[0]), photo_of(boards[2])])
    assert [len(shown.turns) for shown in series.lines[0].shown] == [1, 2]
    assert _boards(series) == [boards[0], boards[2]]


def test_later_photos_correct_what_an_earlier_seemed_to_show() -> None:
    """The first photo looks rather like what another turn would have left."""
    start, boards = _game(3, 1, 3)
    # Halfway between the board and another the photo fits several turns.
    candidates = played_turns(start, Blurred(photo_of(boards[0]))).candidates
    other = next(one.board for one in candidates if one.board != boards[0])
    misleading = Between(photo_of(other), photo_of(boards[0]))
    alone = turns_in_series(start, [misleading])
    assert _boards(alone) == [other]
    series = turns_in_series(start, [misleading, photo_of(boards[1]), photo_of(boards[2])])
    assert _boards(series) == boards


def test_a_spoilt_photo_stops_nothing() -> None:
    start, boards = _game(2, 1, 2)
    series = turns_in_series(start, [photo_of(boards[0]), spoilt(boards[0]), photo_of(boards[1])])
    assert series.verdicts == (Verdict.TURN, Verdict.UNEXPLAINED, Verdict.TURN)
    assert _boards(series)[-1] == boards[-1]


@dataclass(frozen=True)
class Doubting:
    """A photo that takes the true contents of some tiles for so many nats less likely than others."""

    photo: SeenBoard
    squares: tuple[int, ...]
    nats: float

    def __call__(self, square: int, tile: Tile, /) -> float:
        return self.photo(square, tile) - self.nats * (square in self.squares)

    def best(self, square: int, /) -> float:
        return self.photo.best(square)


def test_a_photo_misread_in_a_few_places_is_settled_by_those_after_it() -> None:
    """By itself it's further from any board than a photo may be."""
    start, boards = _game(3, 1, 3)
    untouched = tuple(n for n, tile in enumerate(start.position.board) if all(board[n] == tile for board in boards))
    misread = Doubting(photo_of(boards[0]), untouched[:2], 14.0)
    assert played_turns(start, misread).verdict is Verdict.UNEXPLAINED
    series = turns_in_series(start, [misread, photo_of(boards[1]), photo_of(boards[2])])
    assert series.verdicts == (Verdict.TURN,) * 3
    assert _boards(series) == boards


def test_two_turns_are_looked_for_only_where_the_photos_that_follow_do_not_settle_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def counted(state: GameState, photo: Likelihood, movers: tuple[Colour, ...], turns: int) -> PlayedTurns:
        asked.append(turns)
        return played_turns(state, photo, movers=movers, max_turns=turns)

    monkeypatch.setattr("companion.tracking.series._searched", counted)
    start, boards = _game(3, 1, 4)
    one, two, three, four = (photo_of(board) for board in boards)
    assert turns_in_series(start, [one, spoilt(boards[0]), two, three]).verdicts[1] is Verdict.UNEXPLAINED
    assert set(asked) == {1}
    # Its turn comes where none does, or where no more photos do.
    shown = turns_in_series(start, [one, three, four]).lines[0].shown
    assert [(len(one.turns), one.board) for one in shown] == [(1, boards[0]), (2, boards[2]), (1, boards[3])]
    assert MAX_TURNS in asked


def test_turns_that_leave_one_board_stand_apart() -> None:
    """Each of two lone meeples can go to the other: the tiles differ in what they do."""
    state = fresh_turn(position(c1="S15:w@K", c2="M4:w@K", a5="M6:y"), moves=True)
    after = position(c1="S15@K", c2="M4@K", a5="M6:y").board
    candidates = turns_in_series(state, [photo_of(after)]).candidates(0)
    ends = {SQUARE_NAMES[shown.turns[0].sowing.end]: probability for shown, probability in candidates[:2]}
    assert ends.keys() == {"c1", "c2"}
    assert max(ends.values()) < 0.95
