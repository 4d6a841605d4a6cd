"""A record made from what photos of a series would say, with nothing asked and with answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.asking.photo_questions import photo_question
from companion.asking.photo_record import begin, chosen, doubted, settled, tap, typed, unasked
from companion.asking.recorded_rounds import cheapest_bids, read_bids, refill
from companion.asking.recording import Ask, Recording, SeriesPhoto
from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.notation.records.lines import (
    BidsLine,
    Record,
    RefillLine,
    TurnLine,
    format_entry,
    format_record,
    parse_record,
)
from companion.notation.records.replay import opening, replay
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import SQUARE_NAMES, Board, with_meeples
from companion.rules.model.components import Colour
from companion.tracking.inference import Verdict
from tests.tracking.seen_boards import photo_of, played_record, spoilt


def photos(boards: Sequence[Board]) -> list[SeriesPhoto]:
    return [SeriesPhoto(f"{number}.jpg", photo_of(board)) for number, board in enumerate(boards, 1)]


def alone(now: Recording) -> Recording:
    """The recording once nothing is asked that can be left open."""
    while now.ask not in (None, Ask.TURN):
        now = unasked(now)
    return now


def sowings(record: Record) -> list[str]:
    return [line.entry.steps[0] for line in record.lines if isinstance(line.entry, TurnLine)]


def bids(record: Record) -> list[str]:
    return [format_entry(line.entry) for line in record.lines if isinstance(line.entry, BidsLine)]


def test_a_game_of_two_rounds_is_recorded_with_nothing_asked() -> None:
    """Replayed strictly; rules 3: the bids are the cheapest that lead to an order, and said to be."""
    played, boards = played_record(3, 1, 5)
    now = alone(begin(Record(played.header), photos(boards)))
    assert sowings(now.record) == sowings(played)
    assert [turn.photo for turn in now.turns] == ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"]
    assert now.without == ()
    assert "What was bid" in now.turns[0].asked[0]
    assert any("New cards and djinns" in asked for asked in now.turns[3].asked)
    assert replay(parse_record(format_record(now.record))).state.position.board == boards[-1]
    assert "the prices aren't" in format_record(now.record)


def test_with_bids_and_refill_told_the_record_is_the_game() -> None:
    played, boards = played_record(3, 1, 5)
    told = iter(bids(played))
    refills = iter([line.entry.observation for line in played.lines if isinstance(line.entry, RefillLine)])
    now = begin(Record(played.header), photos(boards))
    while now.ask is not None:
        if now.ask is Ask.BIDS:
            now = settled(read_bids(now, next(told).partition(":")[2]))
        elif now.ask is Ask.REFILL:
            now = settled(refill(now, next(refills)))
        else:
            now = unasked(now)
    assert format_record(now.record) == format_record(played)


def test_a_record_goes_on_with_all_photos_given_again() -> None:
    played, boards = played_record(3, 1, 4)
    begun = alone(begin(Record(played.header), photos(boards[:2]))).record
    now = alone(begin(begun, photos(boards)))
    assert [turn.photo for turn in now.turns] == ["3.jpg", "4.jpg"]
    assert sowings(now.record) == sowings(played)
    assert alone(begin(now.record, photos(boards))).turns == ()


def test_what_photos_without_a_turn_show_is_kept() -> None:
    """Also of one that is taken before the bids of a round, and of those after the end of the game."""
    played, boards = played_record(3, 1, 4)
    one, two, three, four = (photo_of(board) for board in boards)
    shown = [one, two, one, three, spoilt(boards[2]), four, four]
    now = alone(begin(Record(played.header), [SeriesPhoto(str(place), photo) for place, photo in enumerate(shown)]))
    assert sowings(now.record) == sowings(played)
    assert now.without == (("2", Verdict.EARLIER), ("4", Verdict.UNEXPLAINED), ("6", Verdict.NOTHING))
    whole, boards = played_record(2, 1, 36)
    # In the last turn nobody can move any more.
    shown = [spoilt(boards[-1]), photo_of(boards[-1])]
    before = Record(whole.header, whole.lines[:-2])
    now = alone(begin(before, [SeriesPhoto(str(place), photo) for place, photo in enumerate(shown)]))
    assert now.game.is_over
    assert now.without == (("0", Verdict.UNEXPLAINED), ("1", Verdict.NOTHING))


@pytest.mark.slow
def test_a_missing_photo_gives_two_turns_from_the_next() -> None:
    played, boards = played_record(3, 1, 3)
    now = alone(begin(Record(played.header), [photos(boards)[0], photos(boards)[2]]))
    # Nobody says in which order the round was played.
    assert now.ask is Ask.TURN
    now = alone(settled(chosen(now, 0)))
    assert [turn.photo for turn in now.turns] == ["1.jpg", "3.jpg", "3.jpg"]
    assert sorted(sowings(now.record)) == sorted(sowings(played))


@pytest.mark.slow
def test_what_photos_cannot_be_is_refused() -> None:
    played, boards = played_record(4, 1, 9)
    start = Record(played.header)
    other = photos(played_record(4, 2, 6)[1])
    with pytest.raises(UnusableInputError, match="none of the photos shows this game"):
        begin(start, other[4:])
    wrong = [*photos(boards)[:1], photos(boards)[8], *photos(boards)[1:8]]
    with pytest.raises(UnusableInputError, match=r"wrong order: 9\.jpg shows what follows 8\.jpg"):
        begin(start, wrong)


def test_a_photo_of_the_row_answers_what_came_into_it() -> None:
    """Rules 8.1: taken after the clean-up the row is whole, and begins as it was left; no djinn was taken."""
    played, boards = played_record(3, 1, 4)
    before = Record(played.header, tuple(line for line in played.lines if "refill" not in format_entry(line.entry))[:5])
    after = replay(Record(played.header, played.lines[:6])).state.position
    assert replay(before).owes_refill
    assert after.row is not None
    third, fourth = photos(boards)[2:]
    for djinns in (after.djinns, None):
        now = begin(before, [replace(third, row=after.row, djinns=djinns), fourth])
        assert now.ask is Ask.BIDS
        assert (now.game.position.row, now.game.position.djinns) == (after.row, after.djinns)
    assert begin(before, [replace(third, row=after.row[1:], djinns=after.djinns), fourth]).ask is Ask.REFILL


def test_bids_are_typed_with_prices_or_as_the_order_of_turns(subtests: pytest.Subtests) -> None:
    now = begin(Record(played_record(3, 1, 1)[0].header), photos(played_record(3, 1, 1)[1]))
    for answer, said in {
        "blue 8, orange 5, black 1": "round 1: blue 8, orange 5, black 1",
        "orange 5 black 1 blue 8": "round 1: blue 8, orange 5, black 1",
        "black, blue, orange": "round 1: blue 1, orange 0, black 3",
        "O K B": "round 1: blue 0, orange 1, black 0",
        "": "round 1: blue 3, orange 1, black 0",
    }.items():
        with subtests.test(msg=answer):
            assert bids(read_bids(now, answer).record) == [said]
    for answer in ("blue 8, orange 5", "blue orange", "blue 8, orange 5, black 1, black 3", "blue blue black"):
        with subtests.test(msg=answer), pytest.raises(NotationError):
            read_bids(now, answer)


def test_rules_3_2_the_cheapest_bids_for_two_players_with_two_markers_each() -> None:
    state = start_game(random_setup(2, 1))
    order = [Colour.PINK, Colour.BLUE, Colour.BLUE, Colour.PINK]
    placed = cheapest_bids(state, order)
    assert [colour for colour, _ in placed] == list(state.position.bid_order or ())
    assert sum(bid.price for _, bid in placed) <= 4


def test_an_answer_is_part_of_the_turn() -> None:
    """Rules 6.3: what was bought no board shows."""
    played, boards = played_record(3, 1, 2)
    now = begin(Record(played.header), photos(boards))
    while now.question is None or "What was bought" not in now.question.words:
        now = unasked(now)
    bought = now.question.taps[0]
    now = settled(tap(now, bought.token))
    now = alone(now)
    assert any(bought.words in asked for asked in now.turns[1].asked)
    assert "buy" in now.turns[1].line
    assert opening(now.record.header).position == start_game(played.header.setup).position


def test_4_8_the_order_of_a_round_is_that_of_the_camels_on_tiles_that_its_own_turns_emptied() -> None:
    """The board on which each turn begins tells, not that of the round; assassins empty tiles too (rules 5.5)."""
    told = 0
    for seed in (18, 61, 108, 109, 137, 146):
        played, boards = played_record(3, seed, 3)
        lines = [line.entry for line in played.lines if isinstance(line.entry, TurnLine)][:3]
        order = begin(Record(played.header), photos(boards)).order
        for place, line in enumerate(lines):
            if ": claim " in format_entry(line) and order:
                assert order[place] is line.colour, (seed, line)
                told += place > 0
    assert told == 6


def test_a_turn_that_is_asked_for_can_be_typed() -> None:
    record, boards = played_record(3, 1, 2)
    now = alone(begin(Record(record.header), photos(boards), proposes=True))
    assert now.ask is Ask.TURN
    line = next(format_entry(line.entry) for line in record.lines if isinstance(line.entry, TurnLine))
    mover = now.game.mover
    other = alone(settled(typed(now, f"{mover}:{line.partition(':')[2]}")))
    assert [turn.asked for turn in other.turns] == [("typed",)]
    assert other.photos[0].name == "2.jpg"
    with pytest.raises(CompanionError):
        typed(now, f"{mover}: a1 > f5")


def test_of_two_turns_on_a_photo_one_can_be_typed() -> None:
    record, boards = played_record(3, 1, 2)
    now = alone(begin(Record(record.header), photos(boards[1:]), proposes=True))
    line = next(format_entry(line.entry) for line in record.lines if isinstance(line.entry, TurnLine))
    now = settled(typed(now, f"{now.game.mover}:{line.partition(':')[2]}"))
    assert now.photos and now.photos[0].name == "1.jpg", "it's looked at again"


def test_tiles_that_look_a_meeple_wrong_are_named_where_the_turn_is_asked() -> None:
    record, boards = played_record(3, 1, 1)
    square = next(n for n, tile in enumerate(boards[0]) if sum(tile.meeples) == 3)
    wrong = with_meeples(boards[0][square], (1, *boards[0][square].meeples[1:]))
    seen = (*boards[0][:square], wrong, *boards[0][square + 1 :])
    now = alone(
        begin(Record(record.header), photos([seen if wrong != boards[0][square] else boards[0]]), proposes=True)
    )
    assert now.ask is Ask.TURN and doubted(now) == [SQUARE_NAMES[square]]
    assert SQUARE_NAMES[square] in str(photo_question(now).why[0])
