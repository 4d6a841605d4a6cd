"""Advice in the terminal and as JSON, from values made by hand."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest
from rich.console import Console

from companion.advisor.advice import (
    AdviceLevel,
    AdvisedBid,
    BidAdvice,
    DecidingReading,
    DecidingTile,
    Estimate,
    TurnAdvice,
)
from companion.advisor.bid_wording import bid_equals
from companion.cli.views.advice_documents import advice_document, bid_document
from companion.cli.views.advice_view import (
    BRIEF,
    Detail,
    advice_lines,
    all_reasons,
    answer_lines,
    bid_table,
    coloured,
    look_first,
    more_words,
)
from companion.cli.views.board_view import BoardView
from companion.drawing.palette import TRIBES
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from tests.advisor.advised import advised
from tests.samples import END, MID

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


@pytest.fixture(scope="module")
def advice() -> TurnAdvice:
    return advised(MID, 3, equal=2)


WHY = Detail(why=True)
ENDS = "Wins 64% of games, even is 33%; expected to finish 12.4 ahead of the best of the others."
LIFT = "Lift the 7 meeples on e2 and end on e5: take 3 viziers, claim e5 (S15). "


def shown(advice: TurnAdvice, detail: Detail = BRIEF, **more: object) -> list[str]:
    return list(advice_lines(advice, detail, **more))  # type: ignore[arg-type]


def printed(renderable: object, width: int = 80) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width).print(renderable)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_the_best_turn_is_told_in_a_sentence_and_all_with_the_same_numbers(advice: TurnAdvice) -> None:
    sentence = " ".join(answer_lines(advice, names={Colour.ORANGE: "Olha"}))
    assert sentence == f"{LIFT}+38 now; Olha's best answer is +5. {ENDS}"
    lines = shown(advice)
    assert lines[1].split() == ["Wins", "Ahead", "Now"]
    assert re.match(r" 1\. +64% +\+12\.4 +\+38  e2 > ", lines[2])
    assert re.match(r" 2\. +59% +\+10\.9 +\+\d+  take 3 viziers on f4 and claim it", lines[4])
    assert re.match(r" 3\. +\d+% +\+9\.4 +\+\d+  ", next(line for line in lines if line.startswith(" 3.")))
    assert not any("expected to finish 12.4" in line for line in lines)
    best = advice.turns[0]
    for turn, told in [
        (replace(best, best_capture_left=None), "+38 now."),
        (replace(best, about=True), "orange's best answer is about +5."),
        (replace(best, best_capture_left=-0.2), "orange has no answer that brings points."),
        (replace(best, reply=None), "the next player's best answer is +5."),
    ]:
        one = replace(advice, turns=(turn,))
        assert " ".join(answer_lines(one)).endswith(f"{told} {ENDS}")
    again = replace(advice, to_move=Colour.ORANGE)
    assert "orange plays again, and the best turn then is worth +5." in " ".join(answer_lines(again))


def test_other_ways_are_shown_where_they_are_wished_for(advice: TurnAdvice) -> None:
    first, second, third = advice.turns
    two = replace(advice, turns=(first, replace(second, idea=1), replace(third, idea=2)))
    assert len([line for line in shown(two) if re.match(r" \d\. ", line)]) == 2
    ways = "\n".join(shown(two, Detail(ways=True)))
    assert re.search(r"or [a-f]\d >", ways) and "1.5 ± 0.4 less" in " ".join(ways.split())
    why, more = more_words(two.turns, BRIEF)
    assert "--why" in why and more == "1 more way to play it: --ways."
    assert not [*more_words(two.turns, Detail(why=True, ways=True))]
    assert [*more_words(two.turns, WHY)] == [more]
    assert [*more_words(advice.turns, BRIEF)] == [why]
    assert not [*more_words(advice.turns, replace(BRIEF, level=AdviceLevel.PATH))]


def test_a_turn_is_told_in_sentences_that_add_up(advice: TurnAdvice) -> None:
    lines = shown(advice, WHY)
    assert lines[0] == "Best turns for blue"
    at = next(place for place, line in enumerate(lines) if line.startswith("     now"))
    assert " ".join(" ".join(lines[3:at]).split()).endswith(": take 3 viziers, claim e5 (S15)")
    assert lines[at : at + 6] == [
        "     now +38: claims e5 (+15), takes 3 viziers (+3, now ahead of 2 players: +20)",
        "     wins 64% of games, even is 33%; expected to finish 12.4 ± 0.6 ahead of the",
        "       best of the others",
        "     leaves orange no turn worth more than 5 straight away",
        "     most likely reply: orange takes merchants on c3 (+11), 43% of the time",
        "     1.5 ± 0.4 better than the next: +3.0 tiles, -1.2 goods",
    ]
    assert lines[-1] == "Turns 1 and 2 are too close to call: they're less than a point apart."
    assert max(map(len, lines)) <= 80
    assert shown(replace(advice, turns=())) == ["No turn to suggest for blue."]


def test_levels(advice: TurnAdvice) -> None:
    assert shown(advice, Detail(AdviceLevel.NUDGE)) == ["Look at e2: lift its 7 meeples."]
    alike = replace(advice, turns=tuple(replace(turn, equal=True) for turn in advice.turns))
    assert shown(alike, Detail(AdviceLevel.NUDGE)) == [
        "Look at e2: lift its 7 meeples.",
        "Just as good: f3: lift its 4 meeples.",
    ]
    lines = shown(advice, Detail(AdviceLevel.PATH))
    assert re.fullmatch(r" 1\. e2( > [a-f][1-5][ywbgr]){7}", lines[1])
    assert not any("+" in line or "ahead" in line for line in lines[1:])


def test_a_turn_rests_on_doubtful_tiles(advice: TurnAdvice) -> None:
    doubts = {SQUARE_NAMES.index("e5"): 0.5, SQUARE_NAMES.index("a1"): 0.4}
    lines = [line.strip() for line in shown(advice, WHY, doubts=doubts) if "doubtful tiles" in line]
    assert lines == ["depends on doubtful tiles: e5"] * len(lines) != []
    assert advice_document(advice, doubts)["assumed"] == ["turns depend on e5 (50% sure)."]
    assert [*all_reasons(advice.turns[0], doubts)][-1] == lines[0]


def test_json_has_the_keys_of_the_contract(advice: TurnAdvice) -> None:
    document = json.loads(json.dumps(advice_document(advice)))
    assert document["to_move"] == "blue"
    first, second, _ = document["moves"]
    promised = {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "error", "why", "line"}
    assert promised <= set(first)
    assert (first["take"], first["claims"]) == ({"colour": "y", "count": 3}, ["e5"])
    assert (first["gain"], first["value"], first["error"]) == (38, 12.4, 0.6)
    assert re.fullmatch(r"blue: e2 > .*: claim e5; 3 viziers; pass", first["line"])
    assert [one["idea"] for one in document["moves"]] == [1, 2, 3]
    assert (first["equal"], second["equal"], second["behind"]) == (False, True, {"value": 1.5, "error": 0.4})
    assert first["reply"] == {"player": "orange", "to": "c3", "colour": "g", "gain": 11.2, "share": 0.43}
    assert first["why"].startswith("now +38: claims e5 (+15), takes 3 viziers (")
    exact = replace(advice, turns=(replace(advice.turns[0], estimate=Estimate(7)),))
    (turn,) = json.loads(json.dumps(advice_document(exact)))["moves"]
    assert turn["value"] == 7 and "error" not in turn


def test_the_path_is_numbered_on_the_board(advice: TurnAdvice) -> None:
    best = advice.turns[0]
    board = BoardView(advice.position.board, (), best.sowing, best.explained.claims)
    lines = printed(board)
    marks = re.findall(r"lift 7|\b[1-7][ywbgr]\b|claim", "\n".join(lines))
    assert "lift 7" in marks and "claim" in marks and set("1234567") <= {mark[0] for mark in marks}
    assert any("lift 7 take all meeples, 1w the first step" in line for line in lines), "an example of this turn"
    bare = [line.split() for line in printed(board, width=40)]
    assert bare[0][:4] == ["1", "O8", "S6", "S6"] and [line[0] for line in bare if line[0] in set("12345")] == [
        *"12345"
    ]


def test_steps_are_coloured_by_the_meeple_that_is_left(advice: TurnAdvice) -> None:
    text = coloured(shown(advice)[2])
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert (
        TRIBES["vizier"].lower() in styles["y"]
        and TRIBES["assassin"].lower() in styles["r"]
        and "bold" in styles[" 1. "]
    )
    assert coloured("now +38: claims e5 (+15)").spans == []


def test_bids_as_a_table_and_as_json(advice: TurnAdvice) -> None:
    turns = advice.turns
    bids = (
        AdvisedBid(PlaceBid(5), Estimate(6.2, 0.3), 1, turn=turns[0]),
        AdvisedBid(PlaceBid(8, 1), Estimate(6.0, 0.3), 1, behind=Estimate(0.2, 0.2), equal=True, turn=turns[0]),
        AdvisedBid(PlaceBid(0), Estimate(-1.25, 0.3), 3, behind=Estimate(7.45, 0.3), win=0.412, turn=turns[2]),
    )
    position = replace(MID, phase=Phase.BID)
    found = BidAdvice(Colour.BLUE, position, bids, assumed=("black: gold not known.",))
    assert bid_equals(found) == "Less than a point apart: 5 and 8 with 1 fakir (pays 5)."
    lines = printed(bid_table(found), width=140)
    assert lines[0].split() == ["Bid", "Plays", "Wins", "Ahead", "What", "for"]
    best, equal, last = (line for line in lines if re.match(r" *(best|equal|0) ", line))
    assert "only as first: take 3 viziers on e5, claim e5 (S15) (+38 now)" in best
    assert "8 with 1 fakir (pays 5)" in equal
    assert re.search(r"41% +-1\.2", last) and "third" in last and "take 4 viziers on e2" in last
    document = json.loads(json.dumps(bid_document(found)))
    assert (document["player"], document["best"], document["assumed"]) == ("blue", 5, ["black: gold not known."])
    assert [(bid["price"], bid["fakirs"], bid["value"], bid["error"]) for bid in document["bids"]] == [
        (5, 0, 6.2, 0.3),
        (8, 1, 6.0, 0.3),
        (0, 0, -1.25, 0.3),
    ]
    assert bid_document(BidAdvice(None, END)) == {"player": None, "bids": [], "best": None}


def deciding(advice: TurnAdvice, worth: float = 1.3, idea: int | None = 2, *, hedged: bool = False) -> TurnAdvice:
    """The advice with a tile in doubt on which the best turn hangs, and with how likely turns hold."""
    square = SQUARE_NAMES.index("e5")
    seen = advice.position.board[square]
    other = replace(seen, meeples=(0, 2, 0, 0, 0))
    readings = (
        DecidingReading(seen, 0.6, not hedged, 3 if hedged else 1, "take 3 viziers on e5"),
        DecidingReading(other, 0.4, False, idea, "take 2 elders on e5"),
    )
    turns = tuple(replace(turn, holds=holds) for turn, holds in zip(advice.turns, (0.6, 0.96, 1.0), strict=True))
    return replace(advice, turns=turns, decides=(DecidingTile(square, worth, readings),))


def test_what_to_look_at_is_said_with_what_to_play_then(advice: TurnAdvice) -> None:
    looked = " ".join(" ".join(look_first(deciding(advice))).split())
    assert looked.startswith("Look at e5 before you play: if you see ")
    assert looked.endswith("2 elders, take turn 2 instead.")
    other = " ".join(" ".join(look_first(deciding(advice, idea=None))).split())
    assert other.endswith("take 2 elders on e5 instead.")
    hedge = " ".join(" ".join(look_first(deciding(advice, hedged=True))).split())
    assert "before you play: if you see what is shown, take turn 3 instead; if you see " in hedge
    assert list(look_first(deciding(advice, worth=0.05))) == [], "it costs less than the look"
    found = deciding(advice)
    lines = shown(found)
    assert "The photo leaves these turns in some doubt: 1 (60%), 2 (96%)." in lines
    assert not any("100%" in line for line in lines)


def test_json_tells_how_likely_turns_hold_and_which_tiles_decide(advice: TurnAdvice) -> None:
    found = deciding(advice)
    document = json.loads(json.dumps(advice_document(found)))
    assert [turn["holds"] for turn in document["moves"]] == [0.6, 0.96, 1.0]
    seen = str(advice.position.board[SQUARE_NAMES.index("e5")])
    (tile,) = document["decides"]
    assert (tile["tile"], tile["worth"], tile["readings"][0]) == ("e5", 1.3, [seen, 0.6])
    plain = advice_document(advice)
    assert "decides" not in plain and "holds" not in plain["moves"][0]  # type: ignore[index]
