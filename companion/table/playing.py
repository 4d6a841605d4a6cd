"""A game in progress at a table: what is typed or tapped is played by the rules and written into its record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.errors import IllegalMoveError, UnusableInputError
from companion.language.phrase import Phrase, say
from companion.notation.names import in_english
from companion.notation.records.lines import CorrectionLine, Record, Remark, TurnLine, format_entry
from companion.notation.records.player import RecordPlayer
from companion.notation.records.recording import recorded, shut, without_last_decision
from companion.notation.records.replay import replay
from companion.notation.records.steps import Observation, RecordStep, parse_observation
from companion.rules.model.actions import PlaceBid
from companion.rules.model.chance import ChanceNeededError, SampledChance
from companion.rules.model.state import GameState, Stage
from companion.table import options

_WANTED = {"card": say("cards drawn, ? where nobody saw it"), "meeple": say("meeples drawn, such as ywg")}
_WANTED_DJINNS = say("djinns drawn, in order")


@dataclass(frozen=True, slots=True)
class Pending:
    """A line that was given and waits for what chance brought; `seen` is what was told of it so far."""

    line: str
    seen: tuple[Observation, ...]
    wanted: str


@dataclass(frozen=True, slots=True)
class Playing:
    """A game on its way: the record, the state after it, whether its last turn owes what came in the clean-up."""

    record: Record
    state: GameState
    owes: bool
    pending: Pending | None = None

    @property
    def begins_turn(self) -> bool:
        """Whether a turn begins: meeples are moved next, or could be if there were a legal move (rules 9.2)."""
        if self.owes:
            return False
        if self.state.stage is not Stage.CLOSE:
            return self.state.stage is Stage.MOVE
        told = [line.entry for line in self.record.lines if not isinstance(line.entry, Remark | CorrectionLine)]
        return not (told and isinstance(told[-1], TurnLine) and told[-1].open)


def wanted_words(needed: ChanceNeededError) -> Phrase:
    """What is asked where the table has to tell what was drawn."""
    return _WANTED.get(needed.wanted, _WANTED_DJINNS)


def game_at(record: Record, *, unchecked_hands: bool = False) -> Playing:
    """The game at the end of a record; `unchecked_hands` is that of `GameState`. Raises what `replay` raises."""
    played = replay(record, unchecked_hands=unchecked_hands)
    # What is announced is asked for again, and then told with what it drew.
    record = record if played.announced is None else without_last_decision(record) or record
    return Playing(record, played.state, played.owes_refill)


def play_line(
    game: Playing, line: str, seen: Sequence[Observation] = (), *, seed: int | None = None, whole_turn: bool = False
) -> Playing:
    """The game after a line as it is typed: a bid, a decision or several, or what came in the clean-up.

    `seen` are things drawn, in order, that the line does not tell; with a `seed` they are drawn by it. A `whole_turn`
    is over with the line. Raises ChanceNeededError where something drawn is still to be told, IllegalMoveError for what
    the rules forbid, NotationError for what cannot be read.
    """
    trial = _player(game, seed)
    if game.owes:
        text = line.partition(":")[2] if line.lower().startswith("refill:") else line
        trial.refill(parse_observation(in_english(text)))
    elif game.state.is_over:
        raise IllegalMoveError(say("the game is over (rules 9)"))
    elif game.state.stage is Stage.BID:
        trial.act(options.parse_bid(game.state, line, game.record.header.names))
    else:
        _play_items(game.state, trial, line, iter(seen), whole_turn=whole_turn)
    return _accepted(game, trial)


def play_bid(game: Playing, bid: PlaceBid) -> Playing:
    """The game after a bid. Raises IllegalMoveError for one that is not open, UnusableInputError while nobody bids."""
    if game.owes or game.state.stage is not Stage.BID:
        raise UnusableInputError(say("nobody bids now: the game has gone on"))
    trial = _player(game, None)
    trial.act(bid)
    return _accepted(game, trial)


def play_refill(game: Playing, seen: Observation) -> Playing:
    """The game after the clean-up of a round (rules 8.1), with what came into the row and beside the djinns.

    Raises UnusableInputError where none is owed, and what the rules say of cards that cannot have come.
    """
    if not game.owes:
        raise UnusableInputError(say("the row was filled up already: the game has gone on"))
    trial = _player(game, None)
    trial.refill(seen)
    return _accepted(game, trial)


def forced_steps(game: Playing, *, seed: int | None = None) -> Iterator[Playing]:
    """The game again and again while nothing is left to decide, each time with what the rules say done."""
    while not game.owes and options.is_forced(game.state):
        trial = _player(game, seed)
        if game.state.stage in (Stage.CLOSE, Stage.SELL):
            trial.end_turn()
        else:
            trial.act(options.forced(game.state))
        game = _accepted(game, trial)
        yield game


def decision_before(game: Playing, *, drawn_by_seed: bool = False) -> Playing | None:
    """The game before its last decision in which there was a choice; None if there was none.

    What came in a clean-up is one for the table to tell, save where it was `drawn_by_seed`.
    """
    record = without_last_decision(game.record)
    while record is not None:
        before = game_at(record)
        if (not drawn_by_seed) if before.owes else not options.is_forced(before.state):
            return before
        record = without_last_decision(record)
    return None


def _player(game: Playing, seed: int | None) -> RecordPlayer:
    chance = None
    if seed is not None:
        # The same draws again after an undo: they hang on what was played before.
        before = "\n".join(format_entry(line.entry) for line in game.record.lines)
        chance = SampledChance(Random(f"{seed}\n{before}"))
    return RecordPlayer(game.state, chance, owes_refill=game.owes)


def _play_items(
    state: GameState, trial: RecordPlayer, line: str, drawn: Iterator[Observation], *, whole_turn: bool
) -> None:
    items, ends = options.parse_items(state, line)
    for item in items:
        play_item(trial, item, drawn)
    if ends or whole_turn:
        trial.end_turn()


def play_item(trial: RecordPlayer, item: RecordStep, drawn: Iterator[Observation]) -> None:
    """Do one item; what it draws and does not tell comes from what was told besides, in order.

    Raises ChanceNeededError where that is not enough.
    """
    while True:
        try:
            trial.item(item)
            return
        except ChanceNeededError:
            seen = next(drawn, None)
            if seen is None:
                raise
            item = RecordStep(
                item.decision, Observation(seen.cards, seen.djinns, seen.meeples, item.seen.gold, item.seen.claims)
            )


def _accepted(game: Playing, trial: RecordPlayer) -> Playing:
    """The game with what was played, as new lines of its record."""
    record = game.record
    for played in trial.plays:
        record = recorded(record, played.before, played.action, played.step, owed=game.owes)
    if trial.owes_refill and not game.owes:
        record = shut(record, trial.state)
    return Playing(record, trial.state, trial.owes_refill)
