"""The player of records: a game played from lines, each step done by the rules, wrong ones refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

from companion.errors import IllegalMoveError, NotationError
from companion.language.phrase import joined, say, say_as
from companion.notation.records import lines, steps
from companion.notation.records.corrections import Change, corrected_unseen, with_changes
from companion.notation.records.steps import Observation, observation_phrase
from companion.rules.engine.game import Step, step
from companion.rules.engine.resuming import go_on_from, next_decision
from companion.rules.engine.scoring import score
from companion.rules.engine.tile_actions import check_pass, check_placing
from companion.rules.model.actions import Action, ActTile, ActTribe, EndTurn, Lift, PlaceBid, Sow
from companion.rules.model.chance import NOTHING_DRAWN, Chance, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState, Stage

_STAGES = {**dict.fromkeys(("palm", "palace", "buy", "take"), Stage.TILE), "sell": Stage.CLOSE}
"""The stage that a step belongs to, by its first word; what comes before without a choice may be left out."""


@dataclass(frozen=True, slots=True)
class Played:
    """One action of a replayed game: the number of its line, the state before it, and what it came to."""

    line: int
    before: GameState
    action: Action
    step: Step


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction in a replayed game: its line, the actions before it, the changes, the state after it."""

    line: int
    place: int
    changes: tuple[Change, ...]
    after: GameState
    ends_turn: bool


@dataclass
class RecordPlayer:
    """A game being played from lines, whose `state` stays where a fault is. `lifting` is the tile lifted last,
    `announced` a last step without its draw, which the next line begins with; `chance` draws the rest.
    """

    state: GameState
    line: int = 0
    owes_refill: bool = False
    plays: list[Played] = field(default_factory=list)
    corrections: list[Corrected] = field(default_factory=list)
    rounds: int = 0
    lifting: int | None = None
    announced: str | None = None
    chance: Chance | None = None
    start: GameState = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.state

    def entry(self, line: lines.Line) -> None:
        if self.announced is not None and not isinstance(line.entry, lines.Remark | lines.CorrectionLine):
            self._check_announced(line.entry, self.announced)
        match line.entry:
            case lines.Remark():
                return
            case lines.RefillLine():
                self.refill(line.entry.observation)
            case lines.CorrectionLine():
                self.correct(line.entry.changes)
            case _ if self.owes_refill:
                raise NotationError(
                    "the round is over, so the next line is something like refill: fish, silk, Utug, with the "
                    "cards and djinns that were laid out (rules 8.1)"
                )
            case lines.BidsLine():
                self._bids(line.entry)
            case lines.TurnLine():
                self._turn(line.entry)
            case lines.ResultLine():
                self._result(line.entry)

    def act(self, action: Action, chance: Chance | None = None) -> Step:
        done = step(self.state, action, self.chance if chance is None else chance)
        self.plays.append(Played(self.line, self.state, action, done))
        self.state = done.state
        return done

    def _bids(self, entry: lines.BidsLine) -> None:
        if self.state.stage is Stage.BID and not self.state.position.turn_order:
            self.rounds += 1
        self.rounds = max(self.rounds, 1)
        if entry.round != self.rounds:
            raise NotationError(
                "the line says round {round}, but this is round {rounds}: lines are missing",
                round=entry.round,
                rounds=self.rounds,
            )
        for colour, bid in entry.bids:
            if self.state.stage is Stage.BID and self.state.mover is not colour:
                raise IllegalMoveError(
                    "{mover} is to bid, not {colour} (rules 3.1)", mover=self.state.mover, colour=colour
                )
            self.act(bid)

    def _turn(self, entry: lines.TurnLine) -> None:
        state = self.state
        if state.mover is not entry.colour or state.stage is Stage.BID:
            if state.is_over:
                raise IllegalMoveError("the game is over (rules 9)")
            what = say("bid (rules 3.1)") if state.stage is Stage.BID else say("play (rules 3.3)")
            raise IllegalMoveError(
                "{mover} is to {what}; this line is {colour}'s turn", mover=state.mover, what=what, colour=entry.colour
            )
        for place, text in enumerate(entry.steps, 1):
            try:
                self.step(text)
            except ChanceNeededError:
                if not entry.open or place < len(entry.steps) or steps.split_step(text)[1].names_draw:
                    raise
                self.announced = text
        if not entry.open:
            self.end_turn()

    def _check_announced(self, entry: lines.Entry, announced: str) -> None:
        """Raises NotationError unless a line goes on with the announced step."""
        first = entry.steps[0] if isinstance(entry, lines.TurnLine) and entry.steps else ""
        if not first or self._actions_of(first) != self._actions_of(announced):
            raise NotationError(
                "the previous line ends with {words!r} without saying what was drawn; begin this one with "
                "'{words}: ' and what was drawn (rules 11)",
                words=announced,
            )
        self.announced = None

    def _actions_of(self, text: str) -> tuple[Action, ...]:
        return steps.parse_actions(steps.split_step(text)[0], self.state)

    def end_turn(self) -> None:
        """Do what leaves no choice, and end the turn; its refill may come on a later line."""
        self.close_turn()
        try:
            self.act(EndTurn())
        except ChanceNeededError:
            if self.chance is not None:
                raise
            self.owes_refill = True

    def close_turn(self) -> None:
        """Do the tribe action and the tile action without a choice, if they weren't in the line."""
        self._skip_to(Stage.CLOSE)

    @property
    def turn(self) -> list[Played]:
        """What was played in the turn under way, or before the clean-up that is still to come."""
        since = max((corrected.place for corrected in self.corrections if corrected.ends_turn), default=0)
        played = takewhile(lambda play: not isinstance(play.action, (PlaceBid, EndTurn)), reversed(self.plays[since:]))
        return [*played][::-1]

    def correct(self, changes: tuple[Change, ...]) -> None:
        """Go on from a corrected position; a clean-up that now draws nothing is done."""
        before = self.state.position
        position = with_changes(before, changes)
        goes_on = (bool(self.turn) or self.owes_refill) and next_decision(position) == next_decision(before)
        unseen, djinn_discards = corrected_unseen(changes)
        after = go_on_from(self.state, position, inside_turn=goes_on, unseen=unseen, djinn_discards=djinn_discards)
        self.corrections.append(Corrected(self.line, len(self.plays), changes, after, ends_turn=not goes_on))
        self.state = after
        # The announced step needn't come next any more.
        self.announced = None
        if not goes_on:
            self.owes_refill = False
        elif self.owes_refill:
            self.owes_refill = False
            self.end_turn()

    def refill(self, observation: Observation) -> None:
        """End the round with what came in the clean-up."""
        if not self.owes_refill:
            raise IllegalMoveError("nothing is refilled here (rules 8.1)")
        self.act_as_observed(EndTurn(), observation)
        self.owes_refill = False

    def _result(self, entry: lines.ResultLine) -> None:
        if not self.state.is_over:
            raise IllegalMoveError("the game isn't over, so it has no result yet (rules 9)")
        counted = {colour: points.total for colour, points in score(self.state.position).items()}
        recorded = dict(entry.points)
        # Unseen cards are laid open at the end, and may be goods (rules 10.7).
        open_cards = {colour for colour in self.state.unseen if recorded.get(colour, 0) > counted[colour]}
        if {**recorded, **{colour: counted[colour] for colour in open_cards}} != counted:
            shown = joined(", ", (joined(" ", (colour, str(points))) for colour, points in counted.items()))
            raise NotationError("that isn't the result of the game, which is {shown} (rules 10)", shown=shown)

    def step(self, text: str, drawn: Iterator[Observation] | None = None) -> None:
        """Do one step, and those before it without a choice; what it draws comes from it or from `drawn`, in order."""
        words, observation = steps.split_step(text)
        while True:
            try:
                self._do(words, observation)
                return
            except ChanceNeededError:
                seen = next(drawn, None) if drawn is not None else None
                if seen is None:
                    raise
                # What is told one after another is what was drawn in that order.
                cards, djinns = (*observation.cards, *seen.cards), (*observation.djinns, *seen.djinns)
                meeples = (*observation.meeples, *seen.meeples)
                observation = replace(observation, cards=cards, djinns=djinns, meeples=meeples)

    def _do(self, words: str, observation: Observation) -> None:
        if steps.is_pass(words):
            self._pass(words)
            return
        first = words.lower().split()[0]
        if first in _STAGES:
            self._skip_to(_STAGES[first])
        if first in ("palm", "palace") and self.state.stage is Stage.TILE:
            check_placing(self.state, first)
        *before, last = steps.parse_actions(words, self.state)
        if isinstance(lifted := [*before, last][0], Lift | Sow):
            self.lifting = lifted.square if isinstance(lifted, Lift) else lifted.sowing.start
        for action in before:
            self.act(action)
        self.act_as_observed(last, observation)

    def _skip_to(self, stage: Stage) -> None:
        """Do the tribe action, and for stage CLOSE the tile action, without a choice."""
        if self.state.stage is Stage.TRIBE:
            self.act(ActTribe())
        if self.state.stage is Stage.TILE and stage is Stage.CLOSE:
            self.act(ActTile())

    def _pass(self, words: str) -> None:
        closing = self.state.stage in (Stage.CLOSE, Stage.SELL)
        if closing and not any(isinstance(play.action, Lift | Sow) for play in self.turn):
            return
        if words.lower() == steps.NO_MOVE and not closing:
            raise IllegalMoveError("{mover} can move, so has to (rules 4.6)", mover=self.state.mover)
        if self.state.stage in (Stage.MOVE, Stage.SOW):
            raise IllegalMoveError("{mover} has to move meeples and can't pass (rules 4.6)", mover=self.state.mover)
        self._skip_to(Stage.TILE)
        if self.state.stage is Stage.TILE:
            check_pass(self.state)
        self.act(ActTile())

    def act_as_observed(self, action: Action, observation: Observation) -> None:
        """Take an action with the draws that were observed, and compare what else was."""
        taken = self.state.progress.taken
        from_row = isinstance(action, ActTribe) and taken is not None and taken.tribe is Tribe.MERCHANT
        drawn = Drawn(() if from_row else observation.cards, observation.djinns, observation.meeples)
        chance = ScriptedChance(drawn, self.chance)
        done = self.act(action, chance)
        if chance.left != NOTHING_DRAWN:
            left = chance.left
            shown = observation_phrase(Observation(left.cards, left.djinns, left.meeples))
            raise NotationError("{shown} comes after ':', but nothing more is drawn there (rules 8.1, 11)", shown=shown)
        # What follows from a decision may be left out, but not be wrong.
        real = steps.observation_of(action, done)
        if from_row and observation.cards and observation.cards != real.cards:
            raise NotationError(
                "the line says {told}, but the row gives {shown} (rules 5.2)",
                told=observation_phrase(Observation(observation.cards)),
                shown=observation_phrase(Observation(real.cards)) or say_as("cards", "none"),
            )
        if observation.claims and observation.claims != real.claims:
            raise NotationError(
                "the line says {told}, but it is {shown} (rules 4.8, 5.5)",
                told=observation_phrase(Observation(claims=observation.claims)),
                shown=observation_phrase(Observation(claims=real.claims)) or say("no claim"),
            )
        if observation.gold is not None and observation.gold != (real.gold or 0):
            raise NotationError(
                "the line says {gold} GC, but it brings {brought} GC (rules 5.3, 7.1)",
                gold=observation.gold,
                brought=real.gold or 0,
            )


def played_steps(plays: Iterable[Played]) -> tuple[str, ...]:
    """Actions of a turn as the steps of its line, as phrases, without its end."""
    words: tuple[str, ...] = ()
    for play in plays:
        if not isinstance(play.action, PlaceBid | EndTurn):
            words = steps.added_step(words, play.action, steps.step_phrase(play.before, play.action, play.step))
    return words
