"""Advice in the terminal and as JSON, from values made by hand."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from companion.advisor.advice import AdvisedBid, BidAdvice, Estimate, TurnAdvice
from companion.advisor.level import AdviceLevel
from companion.advisor.wording import bid_equals, bid_headline, words_of
from companion.cli.views.advice_view import (
    advice_document,
    advice_lines,
    best_board,
    bid_document,
    bid_table,
    coloured,
    with_doubts,
)
from companion.cli.views.board_view import BoardView
from companion.notation.files import parse_position
from companion.notation.tokens import parse_sowing
from companion.rules.engine.scoring import result_of
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import GameState, Stage
from tests.advisor.advised import advised

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def sample(name: str) -> Position:
    return parse_position((SAMPLES / name).read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture(scope="module")
def advice() -> TurnAdvice:
    return advised(sample("mid.toml"), 3, equal=2)


def shown(advice: TurnAdvice, level: AdviceLevel = AdviceLevel.FULL, **more: object) -> list[str]:
    return list(advice_lines(advice, words_of(advice), level, **more))  # type: ignore[arg-type]


def printed(renderable: object, width: int = 80, **more: object) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width, **more).print(renderable)  # type: ignore[arg-type]
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_a_turn_is_told_in_sentences_that_add_up(advice: TurnAdvice) -> None:
    lines = shown(advice)
    assert lines[:9] == [
        "Best turns for blue, by how far ahead the game is expected to end",
        "",
        " 1. e2 > e3y > e4w > e5y > d5g > d4r > e4r > e5y: take 3 viziers, claim e5 (S15)",
        "     now +38: claims e5 (+15), takes 3 viziers (+3, now ahead of two",
        "       players: +20)",
        "     expected to end 12.4 ahead, ± 0.6",
        "     leaves orange no turn that brings more than 5 at once",
        "     most likely reply: orange takes merchants on c3 (+11), 43% of the time",
        "     1.5 ± 0.4 better than the next: +3.0 tiles, -1.2 goods",
    ]
    assert lines[-1] == "Turns 1 and 2 are as good as one another: the differences are within the noise."
    assert max(map(len, lines)) <= 80


def test_a_nudge_names_the_tile_alone_and_those_as_good(advice: TurnAdvice) -> None:
    assert shown(advice, AdviceLevel.NUDGE) == ["Look at e2: lift its 7 meeples."]
    alike = replace(advice, turns=tuple(replace(turn, equal=True) for turn in advice.turns))
    assert shown(alike, AdviceLevel.NUDGE) == ["Look at e2: lift its 7 meeples.", "As good: f3: lift its 4 meeples."]


def test_the_path_alone_tells_no_worth(advice: TurnAdvice) -> None:
    lines = shown(advice, AdviceLevel.PATH)
    assert lines[1] == " 1. e2 > e3y > e4w > e5y > d5g > d4r > e4r > e5y"
    assert not any("+" in line or "ahead" in line for line in lines[1:])


def test_a_turn_rests_on_doubtful_tiles(advice: TurnAdvice) -> None:
    lines = shown(advice, doubts={SQUARE_NAMES.index("d5"): 0.5, SQUARE_NAMES.index("a1"): 0.4})
    assert [line.strip() for line in lines if "rests on" in line] == ["rests on d5, read with 50%"]
    document = advice_document(advice, words_of(advice), {SQUARE_NAMES.index("d5"): 0.5})
    assert document["assumed"] == ["turns rest on d5, read with 50%."]
    drawn = with_doubts(words_of(advice), {SQUARE_NAMES.index("d5"): 0.5})
    assert [one.reasons[-1] for one in drawn if "rests on" in one.reasons[-1]] == ["rests on d5, read with 50%"]


def test_nobody_to_move_and_no_turn(advice: TurnAdvice) -> None:
    over = TurnAdvice(None, GameState(sample("end.toml"), Stage.END), result=result_of(sample("end.toml")))
    assert shown(over) == ["The game is over. pink wins with 147 points, 1 ahead."]
    assert advice_document(over, []) == {"to_move": None, "moves": []}
    assert shown(replace(advice, turns=())) == ["No turn to suggest for blue."]


def test_json_has_the_keys_of_the_contract(advice: TurnAdvice) -> None:
    document = json.loads(json.dumps(advice_document(advice, words_of(advice))))
    assert document["to_move"] == "blue"
    first, second, _ = document["moves"]
    promised = {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "error", "why", "line"}
    assert promised <= set(first)
    steps = ">".join([first["from"], *(a + b for a, b in zip(first["path"], first["drops"], strict=True))])
    assert parse_sowing(steps) == advice.turns[0].sowing
    assert (first["take"], first["claims"]) == ({"colour": "y", "count": 3}, ["e5"])
    assert (first["gain"], first["value"], first["error"]) == (38, 12.4, 0.6)
    assert first["line"] == "blue: e2 > e3y > e4w > e5y > d5g > d4r > e4r > e5y: claim e5; 3 viziers; pass"
    assert (first["equal"], second["equal"], second["behind"]) == (False, True, {"value": 1.5, "error": 0.4})
    assert first["reply"] == {"player": "orange", "to": "c3", "colour": "g", "gain": 11.2, "share": 0.43}
    assert first["why"].startswith("now +38: claims e5 (+15), takes 3 viziers (")


def test_an_exact_value_has_no_error(advice: TurnAdvice) -> None:
    exact = replace(advice, turns=(replace(advice.turns[0], estimate=Estimate(7)),))
    (entry,) = json.loads(json.dumps(advice_document(exact, words_of(exact))))["moves"]
    assert entry["value"] == 7
    assert "error" not in entry


def test_the_path_is_numbered_on_the_board(advice: TurnAdvice) -> None:
    lines = printed(best_board(advice, words_of(advice)))
    marks = ("lift 7", "1y", "5r", "4g")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.count("│") == 7]
    assert [row for row in rows if set(marks) & set(row)] == [
        ["", "", "", "", "lift 7", ""],
        ["", "", "", "", "1y", ""],
        ["@K", "", "", "5r", "2w 6r", ""],
        ["", "@O", "", "4g", "3y 7y claim", ""],
    ]
    assert any("first step" in line for line in lines)
    assert not any("lift" in line for line in printed(BoardView(advice.position.board)))


def test_narrow_terminals_have_the_bare_board(advice: TurnAdvice) -> None:
    assert printed(best_board(advice, words_of(advice)), width=60)[0].startswith("O8 S6 S6")


def test_steps_are_coloured_by_the_meeple_that_is_left(advice: TurnAdvice) -> None:
    text = coloured(shown(advice)[2])
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert "#f2c230" in styles["y"] and "#c42f2f" in styles["r"] and "bold" in styles[" 1. "]
    assert coloured("now +38: claims e5 (+15)").spans == []


def bids(advice: TurnAdvice) -> BidAdvice:
    position = replace(sample("mid.toml"), phase=Phase.BID)
    turns = advice.turns
    return BidAdvice(
        Colour.BLUE,
        position,
        (
            AdvisedBid(PlaceBid(5), Estimate(6.2, 0.3), 1, turn=turns[0]),
            AdvisedBid(PlaceBid(8, 1), Estimate(6.0, 0.3), 1, behind=Estimate(0.2, 0.2), equal=True, turn=turns[0]),
            AdvisedBid(PlaceBid(0), Estimate(-1.25, 0.3), 3, behind=Estimate(7.45, 0.3), turn=turns[2]),
        ),
        assumed=("black: gold not known.",),
    )


def test_bids_stand_in_a_table_with_what_they_are_for(advice: TurnAdvice) -> None:
    found = bids(advice)
    assert bid_headline(found) == "Best bid for blue: 5, to play first so far; expected to end 6.2 ahead, ± 0.3"
    assert bid_equals(found) == "As good as one another, within the noise: 5 and 8 with 1 fakir (pays 5)."
    lines = printed(bid_table(found), width=140)
    assert lines[0].split() == ["Bid", "Plays", "Ahead", "What", "for"]
    rows = [line for line in lines if line.strip().startswith(("best", "equal", "0 "))]
    assert rows[0].split("  ")[0].strip() == "best"
    assert "only as first: take 3 viziers on e5, claim e5 (S15) (+38 now)" in rows[0]
    assert "8 with 1 fakir (pays 5)" in rows[1]
    assert "-1.2 ± 0.3" in rows[2] and "third" in rows[2] and "take 4 viziers on e2" in rows[2]
    assert all(line.isascii() for line in printed(bid_table(found, ascii_only=True)) if "±" not in line)


def test_bids_as_json(advice: TurnAdvice) -> None:
    document = json.loads(json.dumps(bid_document(bids(advice))))
    assert (document["player"], document["best"], document["assumed"]) == ("blue", 5, ["black: gold not known."])
    assert [(one["price"], one["fakirs"], one["value"], one["error"]) for one in document["bids"]] == [
        (5, 0, 6.2, 0.3),
        (8, 1, 6.0, 0.3),
        (0, 0, -1.25, 0.3),
    ]
    nobody = BidAdvice(None, sample("end.toml"))
    assert bid_document(nobody) == {"player": None, "bids": [], "best": None}
