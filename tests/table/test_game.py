"""A whole game in one value: played by actions and by lines, drawn by its seed or told, and read back from its text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

import companion
from companion import Game
from tests.samples import SAMPLES


def to_the_end(game: Game, seed: int = 1) -> Game:
    """The game played on by chance, an action at a time."""
    random = Random(seed)
    while not game.is_over:
        game = game.play(game.legal[int(random.random() * len(game.legal))])
    return game


@pytest.fixture(scope="module")
def over() -> Game:
    return to_the_end(Game(players=3, seed=7))


def test_a_game_is_played_to_its_end_and_never_changes(over: Game) -> None:
    begun = Game(players=3, seed=7)
    assert begun == Game(3, 7) != Game(3, 8) and hash(begun) == hash(Game(3, 7))
    after = begun.play("bid 3")
    assert (begun.events, begun.mover, len(begun.legal)) == ((), companion.Colour.ORANGE, 7)
    assert [type(event).__name__ for event in after.events] == ["BidPlaced"] and after.mover is companion.Colour.BLUE
    assert over.legal == () and over.result.winners and over.result.finished
    assert str(over.record).splitlines()[-1].startswith("result: black ")
    with pytest.raises(companion.IllegalMoveError, match="over"):
        over.play("bid 3")


def test_the_lines_of_a_record_make_the_game_that_actions_made(over: Game) -> None:
    game = Game(players=3, seed=7)
    for line in str(over.record).splitlines()[2:]:
        kind, _, rest = line.partition(":")
        if kind.startswith("round"):
            game = game.play(*(bid.strip() for bid in rest.split(",")))
        elif kind in list(companion.Colour):
            game = game.play(line)
    # However the lines are divided, the seed draws the same at each clean-up.
    assert game == over and game.events == over.events
    assert eval(repr(over), {"Game": Game}) == over
    assert Game.of(str(over.record), seed=7) == Game.of(over.record, seed=7) == over


def test_what_is_printed_makes_the_same_game() -> None:
    mid = companion.open_position(SAMPLES / "mid.toml").position
    games = [Game(3, 7), Game(2, 0, promo=True), Game(4, 1).play("bid 0"), Game.of(mid), Game.of(mid, seed=None)]
    for game in games:
        assert eval(repr(game), {"Game": Game}) == game
    assert repr(games[0]) == "Game(players=3, seed=7)" and repr(games[1]) == "Game(players=2, seed=0, promo=True)"
    assert repr(games[3]) == f"Game.of('{companion.encode(mid)}', seed=0)"
    text = (SAMPLES / "mid.toml").read_text(encoding="utf-8")
    assert Game.of(text).position == Game.of(mid).position


def test_a_clean_up_draws_by_the_seed_unless_it_is_told() -> None:
    ready, random = Game(players=2, seed=4), Random(1)
    while companion.EndTurn() not in ready.legal or "refill: " not in str(ready.play("end").record):
        ready = ready.play(ready.legal[int(random.random() * len(ready.legal))])
    drawn = ready.play("end")
    refill = next(line for line in str(drawn.record).splitlines() if line.startswith("refill: "))
    assert ready.play(companion.EndTurn()) == drawn != Game.of(ready.record, seed=5).play("end")
    untold = Game.of(ready.record, seed=None)
    told = untold.play("end").play(refill)
    assert untold.play("end").legal == () and told.state == drawn.state
    assert untold.play("end", drawn=refill.removeprefix("refill: ")) == told
    with pytest.raises(companion.CompanionError, match="drawn here"):
        untold.play("end", drawn=refill.removeprefix("refill: ").split(",")[0])
    with pytest.raises(companion.IllegalMoveError, match="new cards and djinns"):
        untold.play("end").play(companion.PlaceBid(3))
    with pytest.raises(companion.NotationError, match="isn't drawn here"):
        Game(2, 4).play("bid 3", drawn="fish")


def test_advice_is_for_the_decision_that_comes_next(over: Game) -> None:
    few = companion.Budget(playouts=60)
    bidding = Game(players=2, seed=4)
    assert isinstance(bidding.advise(budget=few), companion.BidAdvice)
    moving = bidding.play("bid 0", "bid 1", "bid 3", "bid 5")
    turn = moving.advise(top=1, budget=few)
    assert isinstance(turn, companion.TurnAdvice)
    assert moving.play(*turn.turns[0].actions).events
    assert over.advise(budget=few).result == over.result
    with pytest.raises(companion.UnusableInputError, match="whole turns"):
        moving.play(moving.legal[0]).advise(budget=few)


@pytest.mark.parametrize(
    "line",
    ["", "nonsense", "z9", "bid 4", "bid -1", "refill: fish", "\0", "end", "pink: c3", "round 1: blue 3", "c3 > c4g"],
)
def test_lines_that_cannot_be_played_are_refused(line: str) -> None:
    game = Game(players=3, seed=7)
    for at in (game, game.play("bid 0", "bid 1", "bid 3")):
        with pytest.raises(companion.CompanionError):
            at.play(line)
        assert at == Game.of(at.record, seed=7)


@pytest.mark.parametrize("odd", [None, 3, 2.5, b"x", ["bid 3"], object(), companion.Lift, companion.Lift(99)])
def test_arguments_that_make_no_game_are_refused(odd: Any) -> None:
    game = Game(players=3, seed=7)
    calls: list[Callable[..., object]] = [Game.of, game.play, partial(Game, 3), partial(Game, seed=7)]
    # A game of three with the seed 3 is one.
    for call in calls[: 2 if odd == 3 else 4]:
        with pytest.raises(companion.CompanionError):
            call(odd)
    told: Any = odd or 3
    for refused in (lambda: game.play(drawn=told), lambda: game.advise(budget=told)):
        with pytest.raises(companion.CompanionError):
            refused()
