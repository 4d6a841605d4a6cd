"""What came out of games, and what many of them tell."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.history.database import History
from companion.history.saved_results import DjinnHeld, GamePart, TextKind, compute_result
from companion.history.statistics import TOTAL, PointsFigures, Spent, statistics_of
from companion.history.transfer import games_csv
from companion.notation.files import format_json
from companion.notation.outcome import Outcome, outcome_of
from companion.notation.records.header import new_header
from companion.notation.records.lines import BidsLine, Record, format_record
from companion.rules.engine.scoring import CATEGORIES, result_of
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import SPOT_PRICES_GC, Colour
from tests.history.games import BEGUN, opened
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record, stuck_game
from tests.samples import END, MID

BLACK, ORANGE, BLUE, PINK = Colour


def _outcome(totals: dict[Colour, int], names: dict[Colour, str], date: str = "2026-02-14") -> str:
    """An outcome in which all points are gold."""
    points = {colour: (total, *([0] * 7)) for colour, total in totals.items()}
    return Outcome(totals, True, True, names, points, date).text


@pytest.fixture
def history(tmp_path: Path) -> History:
    return opened(tmp_path / "games.sqlite3")


def test_results_of_a_record_are_those_of_the_rules() -> None:
    for seed in (1, 2, 3):
        record, state, _ = random_record(2 + seed % 3, seed)
        result = compute_result([GamePart(TextKind.RECORD, format_record(record))])
        expected = result_of(state.position)
        assert {colour: (player.total, dict(player.points)) for colour, player in result.players.items()} == {
            colour: (score.total, score.points) for colour, score in expected.scores.items()
        }
        assert tuple(colour for colour, player in result.players.items() if player.place == 1) == expected.winners
        assert {(djinn.colour, djinn.name) for djinn in result.djinns} == {
            (player.colour, name) for player in state.position.players for name in player.djinns or ()
        }


def test_a_djinn_is_worth_its_own_points_and_what_it_changes() -> None:
    """Rules 11: Jafaar gives 6 VP and 2 more for each vizier, Haurvatat 8 and 2 more for each palm."""
    board = "\n".join(["V5 V5 V5 V5 V5 S6", "O8@P^2 O8 O8 O8 O8 O8", "M4 M4 M4 M4 M4 M4", "M4 M4 M6 M6 M6 M6"])
    text = (
        'phase = "end"\nboard = """\n' + board + '\nM6 M6 M6 M6 S12 S15\n"""\n[players.pink]\ngold = 1\nviziers = 3\n'
        'elders = 0\ndjinns = ["Jafaar", "Haurvatat", "Utug"]\n[players.blue]\ngold = 9\nviziers = 5\n'
    )
    result = compute_result([GamePart(TextKind.POSITION, text)])
    worth = {"Jafaar": 6 + 2 * 3, "Haurvatat": 8 + 2 * 2, "Utug": 4}
    assert {djinn.name: djinn.points for djinn in result.djinns} == worth


def test_rules_11_a_djinn_of_a_sheet_is_worth_what_the_score_counts() -> None:
    """Jafaar: 6 VP and 2 more for each vizier, however their number is typed; points alone tell no viziers."""
    for viziers, worth in (("5", 16), ("3+2", 16), ("3*2-1", 16), ("none", 6), ("-", 6), ("=15", 6)):
        lines = f'[players.pink]\nviziers = "{viziers}"\ndjinns = "jafaar"\n[players.blue]\ngold = "9"\n'
        sheet = GamePart(TextKind.SHEET, f"score_sheet = 1\n{lines}")
        outcome = GamePart(TextKind.OUTCOME, _outcome({PINK: 40, BLUE: 9}, {}))
        assert compute_result([sheet, outcome]).djinns == (DjinnHeld(PINK, "Jafaar", worth),), viziers


def test_bids_go_on_counting_their_rounds_where_a_new_part_begins() -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    once = compute_result([GamePart(TextKind.RECORD, text)])
    last = max(bid.round for bid in once.bids)
    later = re.sub(r"(?m)^round (\d+)", lambda found: f"round {int(found[1]) + last}", text)
    both = (*once.bids, *(replace(bid, round=bid.round + last) for bid in once.bids))
    outcome = GamePart(TextKind.OUTCOME, _outcome({PINK: 40, BLUE: 9}, {}))
    for second in (text, later):
        parts = [GamePart(TextKind.RECORD, text), GamePart(TextKind.RECORD, second), outcome]
        assert [bid.round for bid in compute_result(parts).bids] == [bid.round for bid in both]
    assert compute_result([GamePart(TextKind.RECORD, text)] * 2).bids == both


def test_rules_11_8_what_fakirs_spared_was_not_paid(history: History) -> None:
    record, _, used = random_record(2, 0, djinn="Kumarbi")
    assert "Kumarbi" in used
    history.finish(history.begin(format_record(record)))
    ((_, result),) = history.finished_games()
    made = [bid for line in record.lines if isinstance(line.entry, BidsLine) for bid in line.entry.bids]
    assert [(bid.colour, bid.price) for bid in result.bids] == [(colour, bid.price) for colour, bid in made]
    for kept, (_, bid) in zip(result.bids, made, strict=True):
        assert kept.paid == SPOT_PRICES_GC[max(SPOT_PRICES_GC.index(bid.price) - bid.fakirs, 0)]
    paid, prices = sum(bid.paid or 0 for bid in result.bids), sum(bid.price for bid in result.bids)
    assert sum(player.bids for player in statistics_of(history.finished_games()).spent) == paid < prices
    # Where it is not known what was paid, the price counts.
    with history.changing() as database:
        database.execute("UPDATE bids SET paid = NULL")
    assert sum(player.bids for player in statistics_of(history.finished_games()).spent) == prices


def test_rules_3_4_who_cannot_pay_for_the_cheapest_spot_paid_what_he_had(history: History) -> None:
    position = random_setup(2, 7)
    for player in position.players:
        position = position.with_player(replace(player, gold=0))
    begun = Record(new_header(position, {}, date="2026-02-14"))
    order = position.bid_order or ()
    bids = ", ".join(f"{colour} {price}" for colour, price in zip(order, (0, 0, 0, 1), strict=True))
    result = history.finish(history.begin(format_record(begun) + f"round 1: {bids}\n"))
    assert [(bid.price, bid.paid) for bid in result.bids] == [(0, 0), (0, 0), (0, 0), (1, 0)]


def test_a_record_that_cannot_be_played_tells_no_djinns_and_not_what_was_paid() -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    torn = next(line for line in text.split("\n") if line.startswith("pink:"))
    broken, whole = (GamePart(TextKind.RECORD, words) for words in (text.replace(torn, "pink: a1 > a2y"), text))
    once = compute_result([whole])
    twice = compute_result([broken, whole])
    assert [bid.paid for bid in twice.bids] == [None] * len(once.bids) + [bid.paid for bid in once.bids]
    result = compute_result([broken, GamePart(TextKind.OUTCOME, _outcome({PINK: 40, BLUE: 9}, {}))])
    assert {colour: player.total for colour, player in result.players.items()} == {PINK: 40, BLUE: 9}
    assert result.djinns == () and result.bids


def test_an_outcome_tells_points_and_the_position_before_it_the_djinns() -> None:
    text = outcome_of(result_of(END, final=True), {PINK: "Anna"}, date="2026-02-14", place="Lviv").text
    first, last = (GamePart(TextKind.POSITION, format_json(position)) for position in (MID, END))
    outcome, alone = GamePart(TextKind.OUTCOME, text), compute_result([last])
    assert compute_result([first]).djinns != alone.djinns != ()
    for parts in ([last, outcome], [first, last, outcome, outcome]):
        result = compute_result(parts)
        assert result.djinns == alone.djinns
        assert result.players == {colour: alone.players[colour] for colour in result.players}


def test_statistics_never_take_two_players_of_one_game_for_one(history: History) -> None:
    history.finish(history.begin(_outcome({PINK: 100, BLUE: 80}, {PINK: "Anna", BLUE: "ANNA"})))
    history.finish(history.begin(_outcome({PINK: 70, BLUE: 90}, {PINK: "Anna"})))
    players = {player.name: (player.games, player.won) for player in statistics_of(history.finished_games()).players}
    assert players == {"Anna (pink)": (1, 1), "ANNA (blue)": (1, 0), "Anna": (1, 0), "": (1, 1)}


def test_statistics_count_wins_means_and_bests_by_name(history: History) -> None:
    for totals, names in (
        ({PINK: 100, BLUE: 80}, {PINK: "Anna", BLUE: "Boris"}),
        ({PINK: 70, BLACK: 90}, {PINK: "boris ", BLACK: " ANNA"}),
        ({BLUE: 60, ORANGE: 60}, {BLUE: "Anna"}),
    ):
        history.finish(history.begin(_outcome(totals, names)))
    found = statistics_of(history.finished_games())
    players = {player.name: player for player in found.players}
    assert found.games == 3
    anna, boris, nobody = players["Anna"], players["boris"], players[""]
    # A shared win is a win (rules 9.3).
    assert (anna.games, anna.won, boris.games, boris.won) == (3, 3, 2, 0)
    assert anna.points[TOTAL] == PointsFigures(3, 250 / 3, 100)
    assert boris.points["gold"] == PointsFigures(2, 75.0, 80)
    assert (nobody.colour, nobody.games, nobody.won) == (ORANGE, 1, 1)
    assert [player.name for player in found.players] == ["Anna", "", "boris"]
    # Outcomes alone tell no bids.
    assert found.spent == ()


def test_players_stand_by_wins_then_by_mean(history: History) -> None:
    for totals, names in (
        ({PINK: 90, BLUE: 80}, {PINK: "Zoe", BLUE: "Boris"}),
        ({PINK: 110, BLUE: 50}, {PINK: "Anna", BLUE: "Boris"}),
        ({PINK: 20, BLUE: 30}, {PINK: "Anna", BLUE: "Carla"}),
    ):
        history.finish(history.begin(_outcome(totals, names)))
    players = statistics_of(history.finished_games()).players
    assert [(player.name, player.won) for player in players] == [("Zoe", 1), ("Anna", 1), ("Carla", 1), ("Boris", 0)]
    assert players[0].points[TOTAL].best < players[1].points[TOTAL].best


def test_a_game_of_which_it_is_not_known_who_has_won_counts_in_no_figure(history: History) -> None:
    for position in (END, END.with_player(replace(END.player(PINK), gold=None))):
        history.finish(history.begin(format_json(position), names={PINK: "Anna"}))
    assert [result.is_decided for _, result in history.finished_games()].count(False) == 1
    found = statistics_of(history.finished_games())
    assert found.games == 1 and {player.games for player in found.players} == {1}
    assert sum(djinn.held for djinn in found.djinns) == sum(len(player.djinns or ()) for player in END.players)


def test_statistics_of_bids_and_djinns_are_those_of_the_records(history: History) -> None:
    for seed in range(3):
        record, _, _ = random_record(2, seed)
        history.finish(history.begin(format_record(record)))
    games = history.finished_games()
    found = statistics_of(games)
    bids = [(bid.price, result.players[bid.colour].place == 1) for _, result in games for bid in result.bids]
    assert [(price.price, price.paid, price.won) for price in found.prices] == _counted(bids)
    spent = [
        Spent(sum(bid.paid or 0 for bid in result.bids if bid.colour is colour), player.total, player.place == 1)
        for _, result in games
        for colour, player in result.players.items()
    ]
    assert sorted(map(repr, found.spent)) == sorted(map(repr, spent))
    held = [(djinn, result.players[djinn.colour].place == 1) for _, result in games for djinn in result.djinns]
    holders = [(djinn.name, won) for djinn, won in held]
    assert sorted((djinn.name, djinn.held, djinn.won) for djinn in found.djinns) == _counted(holders)
    worth = [djinn.points for djinn in found.djinns]
    assert worth == sorted(worth, reverse=True)
    for djinn in found.djinns:
        own = [other.points for other, _ in held if other.name == djinn.name]
        assert djinn.points == pytest.approx(sum(own) / len(own))


def _counted(found: Sequence[tuple[Any, bool]]) -> list[tuple[Any, int, int]]:
    """How often each is there, and how often its player won; in order."""
    every, won = Counter(name for name, _ in found), Counter(name for name, is_won in found if is_won)
    return [(name, every[name], won[name]) for name in sorted(every)]


def test_a_category_that_is_not_known_counts_for_nobody(history: History) -> None:
    text = "Five Tribes, 2026-02-14\n1. Anna (pink) 30 = 30+?+0+0+0+0+0+0\n2. blue 20 = 20+0+0+0+0+0+0+0"
    history.finish(history.begin(text))
    (anna,) = [player for player in statistics_of(history.finished_games()).players if player.name == "Anna"]
    assert set(CATEGORIES) - set(anna.points) == {"viziers"}
    # In a second game it is known.
    history.finish(history.begin(text.replace("30 = 30+?", "35 = 30+5")))
    (anna,) = [player for player in statistics_of(history.finished_games()).players if player.name == "Anna"]
    assert (anna.games, anna.points["viziers"]) == (2, PointsFigures(1, 5.0, 5))


def test_nobody_has_won_where_something_that_counts_is_not_known(history: History) -> None:
    drawn = "blue: use Sloar for fakir: {}\n"
    unseen, seen = (stuck_game("Sloar") + drawn.format(card) for card in ("?", "fish"))
    undecided = "Five Tribes, 2026-02-14\nAnna (pink) 30 = 30+?+0+0+0+0+0+0\nblue 20 = 20+0+0+0+0+0+0+0"
    for text, goods in ((unseen, None), (undecided, 0)):
        key = history.begin(text)
        result = history.finish(key)
        assert [player.place for player in result.players.values()] == [0, 0]
        assert history.game(key).winners == ()
        assert result.players[BLUE].points["goods"] == goods
    key = history.begin(seen)
    assert history.finish(key).players[BLUE].points["goods"] == 1
    assert history.game(key).winners == (BLUE,)
    rows = list(csv.DictReader(io.StringIO(games_csv(history.games(), "en").decode("utf-8-sig"))))
    ranks = sorted((row["player"], row["rank"], row["won"]) for row in rows)
    assert ranks == sorted([("blue", "", "0"), ("pink", "", "0")] * 2 + [("blue", "1", "1"), ("pink", "2", "0")])


def test_the_latest_games_stand_first(history: History) -> None:
    dates = [(BEGUN + timedelta(days=day)).date().isoformat() for day in (3, 1, 2)]
    for date in dates:
        history.finish(history.begin(_outcome({PINK: 1, BLUE: 2}, {}, date)))
    assert [game.date for game in history.games()] == sorted(dates, reverse=True)
    assert [game.date for game, _ in history.finished_games()] == sorted(dates, reverse=True)
    assert [game.date for game in history.games(first=1, most=1)] == sorted(dates)[1:2]
