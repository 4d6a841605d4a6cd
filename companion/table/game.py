"""A whole game as a program plays it: what can be done now, what happened, and what comes of it, in one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from companion.arguments import checked
from companion.errors import CompanionError, NotationError
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.names import in_english
from companion.notation.records import is_record
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, TurnLine, parse_line, parse_record
from companion.notation.records.player import Played
from companion.notation.records.replay import replay
from companion.notation.records.steps import Observation, observation_phrase, parse_observation
from companion.rules.engine.game import legal_actions
from companion.rules.engine.scoring import GameResult, result_of_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import Action
from companion.rules.model.chance import NOTHING_DRAWN, Chance, ChanceNeededError, Drawn, SampledChance, ScriptedChance
from companion.rules.model.components import Colour
from companion.rules.model.events import Event
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.table.playing import Playing, accepted, action_tried, line_tried

if TYPE_CHECKING:
    from companion.advisor.advice import BidAdvice, Budget, TurnAdvice


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Game:
    """A game by the rules at one moment. A `Game` never changes: `play` returns the game that comes next.

    `Game(players=3, seed=7)` begins one with a random set-up, `Game.of` goes on from a position or a record. What is
    drawn comes from the seed, unless `play` is told, so the same lines make the same game. `events` are all that
    happened since the record begins; `str(game.record)` is its text.
    """

    record: Record
    state: GameState
    seed: int | None
    events: tuple[Event, ...] = field(compare=False)
    _owes: bool
    _draws: int = field(compare=False)

    @checked
    def __init__(self, players: int, seed: int, *, promo: bool = False) -> None:
        """A game before its first bid, with the set-up of `random_setup`; raises what that raises."""
        self._begin(Record(new_header(random_setup(players, seed, promo=promo), {}, promo=promo)), seed)

    @classmethod
    @checked
    def of(cls, start: Position | Record | str, *, seed: int | None = 0) -> Game:
        """The game that goes on from a position or at the end of a record, or from the text or code of either.

        With seed None nothing is drawn but what `play` is told. Raises what `start_game` and `replay` raise.
        """
        if isinstance(start, str):
            start = parse_record(start) if is_record(start) else parse_position(start)
        game = cls.__new__(cls)
        game._begin(start if isinstance(start, Record) else Record(new_header(start, {})), seed)
        return game

    def _begin(self, record: Record, seed: int | None) -> None:
        played = replay(record)
        # Where lines stood in a file makes no other game.
        record = replace(record, lines=tuple(replace(line, number=0) for line in record.lines))
        self._set(Playing(record, played.state, played.owes_refill), seed, played.plays, (), 0)

    def _set(
        self, now: Playing, seed: int | None, plays: Iterable[Played], events: tuple[Event, ...], draws: int
    ) -> None:
        steps = [played.step for played in plays]
        happened = (*events, *(event for step in steps for event in step.events))
        drawn = draws + sum(len((*one.drawn.cards, *one.drawn.djinns, *one.drawn.meeples)) for one in steps)
        for name, value in zip(self.__slots__, (now.record, now.state, seed, happened, now.owes, drawn), strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        """What makes the same game: short before the first bid, with the record afterwards."""
        setup, colours = self.record.header.setup, self.position.colours
        if self.seed is not None and not self.record.lines:
            for promo in (False, True):
                if self == Game(len(colours), self.seed, promo=promo):
                    return f"Game(players={len(colours)}, seed={self.seed}{', promo=True' if promo else ''})"
        bare = self.record == Record(new_header(setup, {}))
        return f"Game.of({encode(setup) if bare else str(self.record)!r}, seed={self.seed})"

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def mover(self) -> Colour | None:
        """Whose decision it is; None when the game is over."""
        return self.state.mover

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def legal(self) -> tuple[Action, ...]:
        """Every action that `play` takes now; none when the game is over or a clean-up has to be told."""
        return () if self._owes else legal_actions(self.state)

    @property
    def result(self) -> GameResult:
        """The points so far, and who won once the game is over (rules 9, 10)."""
        return result_of_game(self.state)

    @checked
    def play(self, *lines: str | Action, drawn: str = "") -> Game:
        """The game after actions of `legal`, or lines in the record's notation, one after the other.

        A line is a bid ("bid 3"), one step of a turn or several ("c3 > c4g > d4y; take Jafaar"), or "end"; with the
        player's colour ("pink: c3 > …") it's a whole turn, as in records. `drawn` tells what chance gave, in order
        ("fish, silk, Utug"); what it doesn't tell comes from the seed. Raises IllegalMoveError for what the rules
        forbid, NotationError for what can't be read, ChanceNeededError for a draw without a seed. This game stays as
        it is.
        """
        observed = parse_observation(in_english(drawn))
        script = ScriptedChance(Drawn(observed.cards, observed.djinns, observed.meeples))
        chance = _Drawing(script, self.seed, self._draws) if drawn.strip() or self.seed is not None else None
        game = self
        for line in lines:
            now = Playing(game.record, game.state, game._owes)
            if not isinstance(line, str):
                trial = action_tried(now, line, chance)
            elif line.strip():
                trial = line_tried(now, line, whole_turn=_is_whole_turn(line), chance=chance)
            else:
                raise NotationError("type what was played; end ends the turn")
            before, game = game, Game.__new__(Game)
            game._set(accepted(now, trial), self.seed, trial.plays, before.events, before._draws)
        if script.left != NOTHING_DRAWN:
            left = Observation(script.left.cards, script.left.djinns, script.left.meeples)
            raise NotationError("{shown} isn't drawn here (rules 8.1, 11)", shown=observation_phrase(left))
        return game

    @checked
    def advise(self, *, top: int = 5, budget: Budget | None = None, seed: int = 0) -> TurnAdvice | BidAdvice:
        """What the player to decide had best do: a bid, or a turn. Raises what `advise` raises."""
        # The search loads numpy, which who only plays needn't wait for.
        from companion.advisor.search.advise import advise
        from companion.advisor.search.bids import advise_bid

        if self.state.stage is Stage.BID:
            return checked(advise_bid)(self.state, budget=budget, seed=seed)
        return checked(advise)(self.state, top=top, budget=budget, seed=seed)


class _Drawing(Chance):
    """What a script has, then what the seed gives: by how much was drawn before, however lines are divided."""

    def __init__(self, script: Chance, seed: int | None, draws: int) -> None:
        self._script, self._seed, self._draws = script, seed, draws

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        self._draws += 1
        try:
            return self._script.draw(wanted, options, face_up=face_up)
        except ChanceNeededError:
            if self._seed is None:
                raise
            return SampledChance(Random(f"{self._seed}/{self._draws}")).draw(wanted, options, face_up=face_up)


def _is_whole_turn(line: str) -> bool:
    """Whether a line is a turn as records write it, to its end: with the player's colour, and not left open."""
    try:
        entry = parse_line(1, line).entry
    except CompanionError:
        return False
    return isinstance(entry, TurnLine) and not entry.open
