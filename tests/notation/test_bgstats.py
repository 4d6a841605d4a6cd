"""The link to BG Stats: every field that the app insists on."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.notation.outcome import push_link
from companion.rules.engine.scoring import GameResult, Score
from companion.rules.model.components import Colour

BLACK, ORANGE, BLUE, PINK = Colour
SCORES = {PINK: Score(gold=90), BLACK: Score(gold=101), BLUE: Score(gold=101), ORANGE: Score(gold=3)}
ENDED = GameResult(SCORES, finished=True)
NAMES = {PINK: "Анна & Co", BLACK: "Boris"}
EVENING = datetime(2026, 11, 20, 23, 30, 5, tzinfo=timezone(timedelta(hours=3)))


def data_of(link: str) -> dict[str, Any]:
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    decoded: dict[str, Any] = json.loads(data)
    return decoded


def test_the_play_has_every_field_in_the_form_that_the_app_takes() -> None:
    data = data_of(push_link(ENDED, NAMES, played=EVENING))
    assert data["playDate"] == "2026-11-20 20:30:05"
    assert (data["sourceName"], data["game"]["bggId"]) == ("Five Tribes companion", 157354)
    assert data["game"]["highestWins"] is True and data["game"]["noPoints"] is False
    assert [(p["name"], p["score"], p["rank"], p["winner"], p["startPlayer"]) for p in data["players"]] == [
        ("Анна & Co", 90, 3, False, False),
        ("Boris", 101, 1, True, False),
        ("Blue", 101, 1, True, False),
        ("Orange", 3, 4, False, False),
    ]


def test_the_same_game_is_the_same_play_and_another_is_not() -> None:
    first = data_of(push_link(ENDED, NAMES, played=EVENING))
    again = data_of(push_link(ENDED, NAMES, played=EVENING + timedelta(minutes=5)))
    other = data_of(push_link(GameResult({**SCORES, PINK: Score(gold=91)}, finished=True), NAMES, played=EVENING))
    tomorrow = data_of(push_link(ENDED, NAMES, played=EVENING + timedelta(days=1)))
    ids = [data["sourcePlayId"] for data in (first, again, other, tomorrow)]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_a_link_for_four_is_short_enough_for_the_app() -> None:
    names = {colour: "Александра Константиновна" for colour in Colour}
    assert len(push_link(ENDED, names, played=datetime(2026, 1, 1, tzinfo=UTC))) < 8000


def test_9_nobody_has_won_and_none_has_a_rank_unless_it_is_sure(subtests: pytest.Subtests) -> None:
    """The app for Android wants to be told that nobody has won all the same."""
    for result in [GameResult(SCORES, finished=False), GameResult(SCORES, True, ("pink: goods",))]:
        with subtests.test(result=result):
            players = data_of(push_link(result, NAMES, played=EVENING))["players"]
            assert [(player["score"], player["winner"], "rank" in player) for player in players] == [
                (90, False, False),
                (101, False, False),
                (101, False, False),
                (3, False, False),
            ]


def test_the_place_is_the_location_and_makes_no_other_play_of_it() -> None:
    at_home, nowhere = (data_of(push_link(ENDED, NAMES, played=EVENING, place=place)) for place in ("Київ & Co", ""))
    assert at_home.pop("location") == "Київ & Co"
    assert at_home == nowhere
