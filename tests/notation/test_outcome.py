"""Result codes and links to BG Stats: what is written is read back; and the examples of docs/notation.md."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.outcome import Outcome, parse_outcome, push_link
from companion.notation.tokens import format_board, parse_tile
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import CATEGORIES, GameResult, Score
from companion.rules.model.components import CARD_COUNTS, TILE_KINDS, Colour

NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)
POINTS = st.lists(st.none() | st.integers(0, 150), min_size=len(CATEGORIES), max_size=len(CATEGORIES))


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    colours = draw(st.lists(st.sampled_from(list(Colour)), min_size=1, max_size=4, unique=True))
    told = draw(st.booleans())
    points = {colour: tuple(draw(POINTS)) for colour in colours} if told else {}
    totals = {
        colour: sum(one or 0 for one in points[colour]) if told else draw(st.integers(0, 999)) for colour in colours
    }
    names = draw(st.dictionaries(st.sampled_from(colours), NAMES))
    date, place = draw(st.sampled_from(["", "2026-02-14"])), draw(st.just("") | NAMES)
    finished = draw(st.booleans())
    return Outcome(totals, finished, finished and draw(st.booleans()), names, points, date, place)


@given(outcomes())
def test_what_is_written_is_read_back(outcome: Outcome) -> None:
    assert parse_outcome(outcome.text) == outcome
    assert parse_outcome(f"{outcome.text}\n") == outcome


def test_the_example_of_the_documentation_is_one() -> None:
    outcome = parse_outcome(example("result"))
    assert outcome is not None and f"{outcome.text}\n" == example("result")
    assert outcome.points[Colour.PINK][CATEGORIES.index("viziers")] == 2


def test_a_game_that_goes_on_has_no_ranks() -> None:
    outcome = Outcome(
        {Colour.PINK: 40, Colour.BLUE: 40}, False, False, {Colour.PINK: "Anna (blue) 3"}, place="Lviv, at home"
    )
    assert outcome.text == "Five Tribes, Lviv, at home\nAnna (blue) 3 (pink) 40\nblue 40\nnot over yet"
    assert parse_outcome(outcome.text) == outcome


def test_other_texts_are_no_results(subtests: pytest.Subtests) -> None:
    for text in [
        "",
        "FT1-ABC",
        "Five Tribes",
        "Five Tribesmen\n1. pink 3",
        "https://example.org/Five Tribes\n1. pink 3",
        "Five Tribes\n1. puce 3",
        "Five Tribes\n1. pink 3\n2. pink 2",
        "Five Tribes\n1. pink 3\nthat is all",
        "Five Tribes\n1. pink 3 = 1+2",
        "Five Tribes\n1. pink 9 = 1+1+1+1+1+1+1+1",
        "Five Tribes\n1. pink 99999999",
        "Five Tribes, " + "a" * 5000 + "\n1. pink 3",
        "Five Tribes\n" + "1. pink 3\n" * 500,
    ]:
        with subtests.test(text=text):
            assert parse_outcome(text) is None


PAGE = (Path(__file__).resolve().parents[2] / "docs/notation.md").read_text(encoding="utf-8")


def example(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_examples_are_one_position() -> None:
    position = parse_position(example("toml"))
    assert parse_position(example("code")) == position
    assert encode(position) == example("code").strip()
    assert format_board(position.board) == example("board").strip()
    assert parse_position(example("board")).board == position.board


def test_tile_examples_are_written_as_the_page_shows_them() -> None:
    (sentence,) = re.findall(r"Examples: (.*?)\.\n", PAGE, re.DOTALL)
    tokens = re.findall(r"`(.*?)`", sentence)
    assert len(tokens) == 5
    assert [str(parse_tile(token)) for token in tokens] == tokens


def test_the_orders_named_on_the_page_are_those_of_the_box() -> None:
    assert f"tiles {' '.join(TILE_KINDS)};" in " ".join(PAGE.split())
    cards = re.sub(r" \(slave or worker in older printings\)", "", PAGE.split("\nCards: ")[1].split(".\n")[0])
    assert cards.replace("\n", " ").split(", ") == list(CARD_COUNTS)
    assert sorted(DJINNS) == list(DJINNS)


BLACK, ORANGE, BLUE, PINK = Colour
SCORES = {PINK: Score(gold=90), BLACK: Score(gold=101), BLUE: Score(gold=101), ORANGE: Score(gold=3)}
ENDED = GameResult(SCORES, finished=True)
CALLED = {PINK: "Анна & Co", BLACK: "Boris"}
EVENING = datetime(2026, 11, 20, 23, 30, 5, tzinfo=timezone(timedelta(hours=3)))


def data_of(link: str) -> dict[str, Any]:
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    (data,) = parse_qs(parts.query, strict_parsing=True)["data"]
    decoded: dict[str, Any] = json.loads(data)
    return decoded


def test_the_play_has_every_field_in_the_form_that_the_app_takes() -> None:
    data = data_of(push_link(ENDED, CALLED, played=EVENING))
    assert data["playDate"] == "2026-11-20 20:30:05"
    assert (data["sourceName"], data["game"]["bggId"]) == ("Five Tribes companion", 157354)
    assert data["game"]["highestWins"] is True and data["game"]["noPoints"] is False
    assert [(p["name"], p["score"], p["rank"], p["winner"], p["startPlayer"]) for p in data["players"]] == [
        ("Анна & Co", 90, 3, False, False),
        ("Boris", 101, 1, True, False),
        ("Blue", 101, 1, True, False),
        ("Orange", 3, 4, False, False),
    ]


def test_players_of_one_game_are_never_one_player_of_the_app() -> None:
    names = {PINK: "Anna", BLACK: "anna ", ORANGE: "Blue"}
    players = data_of(push_link(ENDED, names, played=EVENING))["players"]
    assert [(player["name"], player["sourcePlayerId"]) for player in players] == [
        ("Anna (pink)", "Anna (pink)"),
        ("anna (black)", "anna (black)"),
        ("Blue (blue)", "blue"),
        ("Blue (orange)", "Blue (orange)"),
    ]


def test_the_same_game_is_the_same_play_and_another_is_not() -> None:
    first = data_of(push_link(ENDED, CALLED, played=EVENING))
    again = data_of(push_link(ENDED, CALLED, played=EVENING + timedelta(minutes=5)))
    other = data_of(push_link(GameResult({**SCORES, PINK: Score(gold=91)}, finished=True), CALLED, played=EVENING))
    tomorrow = data_of(push_link(ENDED, CALLED, played=EVENING + timedelta(days=1)))
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
            players = data_of(push_link(result, CALLED, played=EVENING))["players"]
            assert [(player["score"], player["winner"], "rank" in player) for player in players] == [
                (90, False, False),
                (101, False, False),
                (101, False, False),
                (3, False, False),
            ]


def test_the_place_is_the_location_and_makes_no_other_play_of_it() -> None:
    at_home, nowhere = (data_of(push_link(ENDED, CALLED, played=EVENING, place=place)) for place in ("Київ & Co", ""))
    assert at_home.pop("location") == "Київ & Co"
    assert at_home == nowhere
