"""The player of records: a game played from lines, each decision done by the rules, wrong ones refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile

from companion.errors import IllegalMoveError, NotationError
from companion.language.phrase import counted, joined, named, say, say_as
from companion.notation.records.corrections import Change, corrected_djinn_discards, corrected_unseen, with_changes
from companion.notation.records.lines import (
    BidsLine,
    CorrectionLine,
    Entry,
    Line,
    RefillLine,
    Remark,
    ResultLine,
    TurnLine,
)
from companion.notation.records.recording import observation_of
from companion.notation.records.steps import (
    NO_MOVE,
    Building,
    Observation,
    Pass,
    Purchase,
    RecordStep,
    TribeActionRecord,
    Walk,
    format_observation,
    format_step,
)
from companion.rules.engine.game import Step, step
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import go_on_from, next_decision
from companion.rules.engine.tile_actions import check_pass, check_placing
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    PlaceBid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    UsePower,
)
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import NOTHING_DRAWN, Chance, ChanceNeededError, Drawn, ScriptedChance
from companion.rules.model.components import TileAction, Tribe
from companion.rules.model.state import GameState, Stage

_PLACED_ON = {"palm": TileAction.OASIS, "palace": TileAction.VILLAGE}


@dataclass(frozen=True, slots=True)
class Played:
    """One action of a replayed game: the number of its line, the state before it, and what it came to."""

    line: int
    before: GameState
    action: Action
    step: Step


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction of a replayed game: the number of its line, how many actions were played before it, what was put
    right, and the state that it led to. `ends_turn` tells that no turn goes on over it.
    """

    line: int
    place: int
    changes: tuple[Change, ...]
    after: GameState
    ends_turn: bool


@dataclass
class RecordPlayer:
    """A game being played from lines; a line that fails leaves `state` where the fault is.

    `lifting` is the tile whose meeples were moved last, or were to be. `announced` ends a line that breaks off before
    what it draws; the next line has to begin with it.
    `chance` draws what the lines do not tell; without it that is a fault. `strict` refuses what earlier versions
    wrote against rules 6.1 and 6.2; without it that goes into `warnings`.
    """

    state: GameState
    chance: Chance | None = None
    strict: bool = True
    line: int = 0
    owes_refill: bool = False
    plays: list[Played] = field(default_factory=list)
    corrections: list[Corrected] = field(default_factory=list)
    rounds: int = 0
    lifting: int | None = None
    warnings: list[str] = field(default_factory=list)
    announced: RecordStep | None = None
    start: GameState = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.state

    def entry(self, line: Line) -> None:
        """Play what a line says."""
        if self.announced is not None and not isinstance(line.entry, Remark | CorrectionLine):
            self._check_announced(line.entry, self.announced)
        match line.entry:
            case Remark():
                return
            case RefillLine():
                self.refill(line.entry.seen)
            case CorrectionLine():
                self.correct(line.entry.changes)
            case _ if self.owes_refill:
                raise NotationError(
                    say(
                        "the round is over, so first comes a line such as refill: fish, silk, Utug with what was "
                        "put into the row and to the djinns (rules 8.1)"
                    )
                )
            case BidsLine():
                self._bids(line.entry)
            case TurnLine():
                self._turn(line.entry)
            case ResultLine():
                self._result(line.entry)

    def act(self, action: Action, chance: Chance | None = None) -> Step:
        """Take an action and note it."""
        done = step(self.state, action, chance)
        self.plays.append(Played(self.line, self.state, action, done))
        self.state = done.state
        return done

    def _bids(self, entry: BidsLine) -> None:
        if self.state.stage is Stage.BID and not self.state.position.turn_order:
            self.rounds += 1
        self.rounds = max(self.rounds, 1)
        if entry.round != self.rounds:
            raise NotationError(
                say(
                    "the line says round {round}, but this is round {rounds}: lines are missing",
                    round=entry.round,
                    rounds=self.rounds,
                )
            )
        for bid in entry.bids:
            if self.state.stage is Stage.BID and self.state.mover is not bid.colour:
                raise IllegalMoveError(
                    say("{mover} is to bid, not {colour} (rules 3.1)", mover=self.state.mover, colour=bid.colour)
                )
            self.act(PlaceBid(bid.price, bid.fakirs))

    def _turn(self, entry: TurnLine) -> None:
        state = self.state
        if state.mover is not entry.colour or state.stage is Stage.BID:
            if state.is_over:
                raise IllegalMoveError(say("the game is over (rules 9)"))
            what = say("bid (rules 3.1)") if state.stage is Stage.BID else say("play (rules 3.3)")
            raise IllegalMoveError(
                say(
                    "{mover} is to {what}; this line is {colour}'s turn",
                    mover=state.mover,
                    what=what,
                    colour=entry.colour,
                )
            )
        for place, item in enumerate(entry.items, 1):
            try:
                self.item(item)
            except ChanceNeededError:
                seen = item.seen
                if not entry.open or place < len(entry.items) or seen.cards or seen.djinns or seen.meeples:
                    raise
                self.announced = item
        if not entry.open:
            self.end_turn()

    def _check_announced(self, entry: Entry, announced: RecordStep) -> None:
        """See that a line goes on with what the one before it has announced."""
        again = isinstance(entry, TurnLine) and bool(entry.items) and entry.items[0].decision == announced.decision
        if not again:
            words = format_step(announced)
            raise NotationError(
                say(
                    "the line before this ends with {words!r} and does not tell what is drawn; begin this "
                    "one with '{words}: ' and what was drawn (rules 11)",
                    words=words,
                )
            )
        self.announced = None

    def end_turn(self) -> None:
        """Do what is left without a choice, and end the turn; the refill may have to be told yet."""
        self.close_turn()
        try:
            self.act(EndTurn(), self.chance)
        except ChanceNeededError:
            self.owes_refill = True

    def close_turn(self) -> None:
        """Do the tribe action and the tile action without a choice, as far as they were not told."""
        self._skip_to(Stage.CLOSE)

    @property
    def turn(self) -> list[Played]:
        """What was played in the turn that is under way, or whose clean-up is still to be told."""
        since = max((one.place for one in self.corrections if one.ends_turn), default=0)
        played = takewhile(lambda play: not isinstance(play.action, (PlaceBid, EndTurn)), reversed(self.plays[since:]))
        return [*played][::-1]

    def correct(self, changes: tuple[Change, ...]) -> None:
        """Go on with what somebody put right; a clean-up that brings nothing any more is over with it."""
        told = with_changes(self.state.position, changes)
        goes_on = (bool(self.turn) or self.owes_refill) and next_decision(told) == next_decision(self.state.position)
        after = go_on_from(
            self.state,
            told,
            inside_turn=goes_on,
            unseen=corrected_unseen(changes),
            djinn_discards=corrected_djinn_discards(changes),
        )
        self.corrections.append(Corrected(self.line, len(self.plays), changes, after, ends_turn=not goes_on))
        self.state = after
        # What the line before breaks off at has not been done, and need not be what comes next any more.
        self.announced = None
        if not goes_on:
            self.owes_refill = False
        elif self.owes_refill:
            self.owes_refill = False
            self.end_turn()

    def refill(self, seen: Observation) -> None:
        """End the round with what came in the clean-up."""
        if not self.owes_refill:
            raise IllegalMoveError(say("nothing is refilled here (rules 8.1)"))
        self.act_as_observed(EndTurn(), seen)
        self.owes_refill = False

    def _result(self, entry: ResultLine) -> None:
        if not self.state.is_over:
            raise IllegalMoveError(say("the game is not over, so it has no result yet (rules 9)"))
        counted = {colour: one.total for colour, one in score(self.state.position).items()}
        told = dict(entry.points)
        # Cards that nobody had seen are laid open at the end, and may be goods (rules 10.7).
        least = {colour for colour in self.state.unseen if told.get(colour, 0) > counted[colour]}
        if told.keys() != counted.keys() or any(told[one] != counted[one] for one in told if one not in least):
            shown = joined(", ", (joined(" ", (colour, str(points))) for colour, points in counted.items()))
            raise NotationError(say("the game comes to another result: {shown} (rules 10)", shown=shown))

    def item(self, item: RecordStep) -> None:
        """Do one decision of a turn, those before it that leave no choice included."""
        decision = item.decision
        match decision:
            case Walk():
                self._walk(decision, item.seen)
            case TribeActionRecord():
                self._tribe_action(decision, item.seen)
            case Building() | Purchase() | ActTile():
                self._skip_to(Stage.TILE)
                self.act_as_observed(self._tile_action(decision), item.seen)
            case Pass():
                self._pass(decision)
            case Sell():
                self._skip_to(Stage.CLOSE)
                self.act_as_observed(decision, item.seen)
            case UsePower() | KeepDjinn():
                self.act_as_observed(decision, item.seen)

    def _skip_to(self, stage: Stage) -> None:
        """Do the tribe action and the tile action without a choice, where they were not told."""
        if self.state.stage is Stage.TRIBE:
            self.act(ActTribe())
        if self.state.stage is Stage.TILE and stage is Stage.CLOSE:
            self.act(ActTile())

    def _walk(self, walk: Walk, seen: Observation) -> None:
        self.lifting = walk.start
        if walk.start is not None:
            held = sum(self.state.position.board[walk.start].meeples)
            if self.state.stage is not Stage.MOVE or (walk.steps and len(walk.steps) >= held):
                path, drops = zip(*walk.steps, strict=True) if walk.steps else ((), ())
                self.act_as_observed(Sow(Sowing(walk.start, path, drops)), seen)
                return
            self.act(Lift(walk.start))
        done: list[Step] = [self.act(Drop(square, tribe)) for square, tribe in walk.steps]
        claims = [square for one in done for square in observation_of(Drop(0, Tribe.VIZIER), one).claims]
        _compare_claims(seen.claims, tuple(claims))

    def _tribe_action(self, record: TribeActionRecord, seen: Observation) -> None:
        taken = self.state.progress.taken
        if self.state.stage is Stage.TRIBE and taken is not None and record.tribe is not None:
            count = taken.count if record.count is None else record.count
            if (record.tribe, count) != (taken.tribe, taken.count):
                raise IllegalMoveError(
                    say(
                        "in hand from {square}: {taken}, not {told} (rules 4.7)",
                        taken=counted(taken.count, taken.tribe.noun),
                        square=SQUARE_NAMES[taken.end],
                        told=counted(count, record.tribe.noun),
                    )
                )
        self.act_as_observed(ActTribe(record.choice), seen)

    def _tile_action(self, decision: Building | Purchase | ActTile) -> ActTile:
        match decision:
            case ActTile():
                return decision
            case Purchase():
                return ActTile(TileChoice(cards=self._places(decision)))
            case Building():
                self._check_piece(decision.piece)
                return ActTile(TileChoice(helper=decision.helper, onto=decision.onto))

    def _check_piece(self, piece: str) -> None:
        taken = self.state.progress.taken
        if self.state.stage is not Stage.TILE or taken is None:
            return
        try:
            check_placing(self.state, piece)
        except IllegalMoveError as error:
            if self.strict or self.state.position.board[taken.end].kind.action is not _PLACED_ON[piece]:
                raise
            self._warn(error, "pass")

    def _warn(self, error: IllegalMoveError, read_as: str) -> None:
        self.warnings.append(
            say("line {line}: {error}; read as {read_as}", line=self.line, error=error, read_as=read_as)
        )

    def _places(self, purchase: Purchase) -> tuple[int, ...]:
        row = self.state.position.row or ()
        places: list[int] = []
        for name, place in purchase.cards:
            if place is None:
                place = next((at for at, card in enumerate(row) if card == name and at not in places), None)
            if place is None or place >= len(row) or (name is not None and row[place] != name):
                at = "" if place is None else say(" at place {place}", place=place + 1)
                raise IllegalMoveError(
                    say(
                        "no {name} lies in the row{at}; there lie {row} (rules 6.3, 6.4)",
                        name=say_as("of a row", "card") if name is None else named(name),
                        at=at,
                        row=joined(", ", map(named, row)) if row else say_as("cards", "none"),
                    )
                )
            places.append(place)
        return tuple(places)

    def _pass(self, what: Pass) -> None:
        closing = self.state.stage in (Stage.CLOSE, Stage.SELL)
        if closing and not self._has_moved():
            return
        if what == NO_MOVE and not closing:
            raise IllegalMoveError(say("{mover} can move, and so must (rules 4.6)", mover=self.state.mover))
        if self.state.stage in (Stage.MOVE, Stage.SOW):
            raise IllegalMoveError(say("{mover} must move meeples and cannot pass (rules 4.6)", mover=self.state.mover))
        self._skip_to(Stage.TILE)
        if self.state.stage is Stage.TILE:
            self._check_pass()
        self.act(ActTile())

    def _check_pass(self) -> None:
        try:
            check_pass(self.state)
        except IllegalMoveError as error:
            if self.strict:
                raise
            self._warn(error, say("placing it"))

    def _has_moved(self) -> bool:
        """Whether meeples were moved in this turn."""
        return any(isinstance(play.action, (Lift, Sow)) for play in self.turn)

    def act_as_observed(self, action: Action, seen: Observation) -> None:
        """Take an action with the chance that was told, and compare what else was seen of it."""
        taken = self.state.progress.taken
        from_row = isinstance(action, ActTribe) and taken is not None and taken.tribe is Tribe.MERCHANT
        drawn = Drawn(() if from_row else seen.cards, seen.djinns, seen.meeples)
        chance = ScriptedChance(drawn)
        done = self.act(action, self.chance if drawn == NOTHING_DRAWN and self.chance else chance)
        if chance.left != NOTHING_DRAWN:
            left = chance.left
            shown = format_observation(Observation(left.cards, left.djinns, left.meeples))
            raise NotationError(
                say("{shown} stands after ':', but nothing more is drawn there (rules 8.1, 11)", shown=shown)
            )
        real = observation_of(action, done)
        if from_row:
            _compare_cards(seen.cards, real.cards)
        _compare_claims(seen.claims, real.claims)
        if seen.gold is not None and seen.gold != (real.gold or 0):
            raise NotationError(
                say(
                    "the line says {gold} GC, but it brings {brought} GC (rules 5.3, 7.1)",
                    gold=seen.gold,
                    brought=real.gold or 0,
                )
            )


def _compare_cards(said: tuple[str | None, ...], real: tuple[str | None, ...]) -> None:
    """What follows from a decision may be left out of a record; told wrongly, it is refused."""
    if said and said != real:
        shown = format_observation(Observation(cards=real)) or say_as("cards", "none")
        raise NotationError(
            say(
                "the line says {told}, but the row gives {shown} (rules 5.2)",
                told=format_observation(Observation(cards=said)),
                shown=shown,
            )
        )


def _compare_claims(said: tuple[int, ...], real: tuple[int, ...]) -> None:
    if said and said != real:
        shown = format_observation(Observation(claims=real)) or say("no claim")
        raise NotationError(
            say(
                "the line says {told}, but it is {shown} (rules 4.8, 5.5)",
                told=format_observation(Observation(claims=said)),
                shown=shown,
            )
        )
