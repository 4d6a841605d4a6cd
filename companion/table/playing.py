"""A game in progress at a table: what is typed or tapped is played by the rules and written into its record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations

from companion.errors import IllegalMoveError, NotationError, quoted
from companion.language.phrase import Phrase, counted, joined, say
from companion.notation.names import in_english
from companion.notation.records.lines import CorrectionLine, Record, Remark, TurnLine, parse_turn
from companion.notation.records.player import RecordPlayer
from companion.notation.records.recording import recorded, shut, without_last_decision
from companion.notation.records.replay import replay
from companion.notation.records.steps import Observation, parse_observation
from companion.notation.tokens import format_meeples
from companion.notation.wording import record_words
from companion.rules.engine.game import legal_actions
from companion.rules.engine.sowing import check_sowing
from companion.rules.model.actions import Action, EndTurn, Lift, PlaceBid, Sowing
from companion.rules.model.board import Board, parse_square
from companion.rules.model.chance import Chance
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, TRIBE_LETTERS, Colour, Tribe
from companion.rules.model.state import GameState, Stage
from companion.table.results import player_name

WANTED = {
    "card": say("cards drawn, ? where nobody saw it"),
    "meeple": say("meeples drawn, such as ywg"),
    "djinn": say("djinns drawn, in order"),
}
"""What is asked where the table has to tell what was drawn."""

_PRICE = re.compile(
    r"(?:(?P<colour>black|orange|blue|pink):? )?(?:bid )?(?P<price>\d{1,3})(?: with (?P<fakirs>\d{1,2}) fakirs?)?"
)
_END = re.compile(r"(?:(?P<rest>.*);)?\s*(?:end|end turn|e)\s*", re.IGNORECASE | re.DOTALL)
_START = re.compile(r"(?:[a-z]+ ?: ?)?(?P<square>[a-f][1-5])", re.IGNORECASE)
_PLACE = re.compile(r"([a-f][1-5]) ?([ywbgr]?)(?![a-z0-9])")
_WALK = re.compile(r"[a-f][1-5](?:[\s,>-]+[a-f][1-5](?: ?[ywbgr])?)+", re.IGNORECASE)
_TRIED_HAND = 8
"""Of larger hands the orders are not tried: there are too many."""

_REFILL_FIRST = say("first enter the new cards and djinns (rules 8.1)")
_SHOWN_ORDERS = 3
"""How many orders are written out where several may be meant."""

_STEP = re.compile(r"[a-f][1-5] ?[ywbgr](?: ?>.*)?", re.IGNORECASE)
_ASKED: dict[Stage, Callable[[str], Phrase]] = {
    Stage.MOVE: lambda mover: say("{mover} moves, such as c3 > c4g > d4y", mover=mover),
    Stage.SOW: lambda mover: say("{mover} leaves a meeple, such as c4g", mover=mover),
    Stage.TRIBE: lambda mover: say("{mover} acts with the meeples in hand", mover=mover),
    Stage.TILE: lambda mover: say("{mover} uses the tile or passes", mover=mover),
    Stage.CLOSE: lambda mover: say("{mover} sells, or end", mover=mover),
    Stage.SELL: lambda mover: say("{mover} sells, or end", mover=mover),
    Stage.KEEP: lambda mover: say("{mover} keeps a djinn", mover=mover),
}


@dataclass(frozen=True, slots=True)
class Pending:
    """A line that was given and waits for what chance brought; `seen` is what was typed of it so far."""

    line: str
    seen: tuple[Observation, ...]
    wanted: str


@dataclass(frozen=True, slots=True)
class Playing:
    """A game on its way: the record, the state after it, whether its last turn owes what came in the clean-up."""

    record: Record
    state: GameState
    owes: bool

    @property
    def begins_turn(self) -> bool:
        """Whether a turn begins: meeples are moved next, or could be if there were a legal move (rules 9.2)."""
        if self.owes:
            return False
        if self.state.stage is not Stage.CLOSE:
            return self.state.stage is Stage.MOVE
        entries = [line.entry for line in self.record.lines if not isinstance(line.entry, Remark | CorrectionLine)]
        return not (entries and isinstance(entries[-1], TurnLine) and entries[-1].open)


def game_at(record: Record, *, unchecked_hands: bool = False) -> Playing:
    """The game at the end of a record; `unchecked_hands` is that of `GameState`. Raises what `replay` raises."""
    played = replay(record, unchecked_hands=unchecked_hands)
    # What is announced is asked for again, and then told with what it drew.
    record = record if played.announced is None else without_last_decision(record) or record
    return Playing(record, played.state, played.owes_refill)


def play_line(game: Playing, line: str, seen: Sequence[Observation] = (), *, whole_turn: bool = False) -> Playing:
    """The game after a line as typed, over with it if a `whole_turn`; `seen` was drawn, in order. Raises
    ChanceNeededError for a missing draw, IllegalMoveError, NotationError.
    """
    return accepted(game, line_tried(game, line, seen, whole_turn=whole_turn))


def line_tried(
    game: Playing, line: str, seen: Sequence[Observation] = (), *, whole_turn: bool, chance: Chance | None = None
) -> RecordPlayer:
    """What a line plays, as for `play_line`; draws that it doesn't tell come from `chance`, if there is any."""
    trial = _player(game, chance)
    if game.owes:
        text = line.partition(":")[2] if line.lower().startswith("refill:") else line
        trial.refill(parse_observation(in_english(text)))
    elif game.state.is_over:
        raise IllegalMoveError("the game is over (rules 9)")
    elif game.state.stage is Stage.BID:
        trial.act(parse_bid(game.state, line, game.record.header.names))
    else:
        steps, ends = _parse_steps(game.state, line)
        drawn = iter(seen)
        for step in steps:
            trial.step(step, drawn)
        if ends or whole_turn:
            trial.end_turn()
    return trial


def action_tried(game: Playing, action: Action, chance: Chance | None = None) -> RecordPlayer:
    """What an action plays. Raises IllegalMoveError for one that isn't legal, or while a clean-up has to be told."""
    if game.owes:
        raise IllegalMoveError("{action} is not possible now: {expected}", action=action, expected=_REFILL_FIRST)
    trial = _player(game, chance)
    if isinstance(action, EndTurn) and game.state.stage in (Stage.CLOSE, Stage.SELL):
        trial.end_turn()
    else:
        trial.act(action)
    return trial


def play_refill(game: Playing, seen: Observation) -> Playing:
    """The game after the clean-up that it owes. Raises what the rules say of cards that cannot have come."""
    trial = _player(game)
    trial.refill(seen)
    return accepted(game, trial)


def forced_steps(game: Playing) -> Iterator[Playing]:
    """The game after each step that the rules force, for as long as nothing is left to decide."""
    while not game.owes and is_forced(game.state):
        trial = _player(game)
        if game.state.stage in (Stage.CLOSE, Stage.SELL):
            trial.end_turn()
        else:
            trial.act(legal_actions(game.state)[0])
        game = accepted(game, trial)
        yield game


def decision_before(game: Playing) -> Playing | None:
    """The game before its last real choice, or what came in a clean-up; None if there was none."""
    record = without_last_decision(game.record)
    while record is not None:
        before = game_at(record)
        if before.owes or not is_forced(before.state):
            return before
        record = without_last_decision(record)
    return None


def is_forced(state: GameState) -> bool:
    """Whether the rules leave one thing to do, as far as the program knows enough to say so."""
    if state.stage in (Stage.BID, Stage.MOVE, Stage.SOW, Stage.KEEP, Stage.END) or state.mover is None:
        return False
    player = state.player(state.mover)
    known = (player.gold, player.elders, player.fakirs, player.goods, player.djinns, state.position.row)
    if None in known or state.hidden[state.position.colours.index(state.mover)]:
        return False
    return len(legal_actions(state)) == 1


def _player(game: Playing, chance: Chance | None = None) -> RecordPlayer:
    return RecordPlayer(game.state, owes_refill=game.owes, chance=chance)


def accepted(game: Playing, trial: RecordPlayer) -> Playing:
    """The game with what was played, as new lines of its record."""
    record = game.record
    for played in trial.plays:
        record = recorded(record, played.before, played.action, played.step, owed=game.owes)
    if trial.owes_refill and not game.owes:
        record = shut(record, trial.state)
    return Playing(record, trial.state, trial.owes_refill)


def _mover(state: GameState, names: Mapping[Colour, str]) -> str:
    assert state.mover is not None, "somebody decides"
    return player_name(state.mover, names)


def prompt(state: GameState, names: Mapping[Colour, str], *, owes_refill: bool) -> str:
    """The words before what is typed; `names` are the players'."""
    position = state.position
    if owes_refill:
        cards = ROW_LENGTH - len(position.row) if position.row is not None else 0
        djinns = FACE_UP_DJINNS - len(position.djinns) if position.djinns is not None else 0
        return say("refill: {cards}, {djinns}", cards=counted(cards, "cards"), djinns=counted(djinns, "djinns"))
    if state.stage is Stage.BID:
        prices = dict.fromkeys(action.price for action in legal_actions(state) if isinstance(action, PlaceBid))
        return say("{mover} bids ({prices})", mover=_mover(state, names), prices=joined(" ", map(str, prices)))
    return _ASKED[state.stage](_mover(state, names))


def parse_bid(state: GameState, text: str, names: Mapping[Colour, str]) -> PlaceBid:
    """The bid that was typed: a price, perhaps with fakirs or the bidder's colour. Raises NotationError."""
    match = _PRICE.fullmatch(" ".join(in_english(text).lower().split()))
    if match is None or match["colour"] not in (None, state.mover):
        raise NotationError(
            "{text} is not a bid by {mover}; type the price of a spot, or 8 with 1 fakir",
            text=quoted(text, 40),
            mover=_mover(state, names),
        )
    return PlaceBid(int(match["price"]), int(match["fakirs"] or 0))


def _parse_steps(state: GameState, text: str) -> tuple[tuple[str, ...], bool]:
    """The steps that were typed, and whether the turn ends after them."""
    assert state.mover is not None
    text = in_english(text)
    before, colon, after = text.partition(":")
    body = after if colon and before.strip().lower() == state.mover else text
    ends = False
    if match := _END.fullmatch(body):
        body, ends = match["rest"] or "", True
    if state.stage is Stage.SOW and _STEP.fullmatch(body.strip()):
        body = "> " + body.strip()
    first, *others = parse_turn(state.mover, body).steps or ("",)
    if state.stage is Stage.MOVE and _WALK.fullmatch(first):
        first = _spelt_walk(state.position.board, first)
    return tuple(step for step in (first, *others) if step), ends


def _spelt_walk(board: Board, typed: str) -> str:
    """A walk that was typed in a hurry as records write it: "c3 c4g d4" is c3 > c4g > d4y where only y can be meant.

    Raises NotationError where several orders are legal, or where there are more or fewer tiles than meeples.
    """
    start, *steps = _PLACE.findall(typed.lower())
    spelt = joined(" > ", (start[0], *(square + letter for square, letter in steps)))
    square, path = parse_square(start[0]), tuple(parse_square(one) for one, _ in steps)
    hand = [tribe for tribe in Tribe for _ in range(board[square].meeples[tribe])]
    if all(letter for _, letter in steps) or not hand or len(hand) > _TRIED_HAND:
        return spelt
    if len(path) != len(hand):
        raise NotationError(
            "{tile} holds {meeples}: name a tile for each", tile=start[0], meeples=counted(len(hand), "meeple")
        )
    asked = [Tribe(TRIBE_LETTERS.index(letter)) if letter else None for _, letter in steps]
    # By what is left where and the last one dropped: two meeples dropped on one tile have no order.
    meant: dict[object, Sowing] = {}
    for order in sorted(set(permutations(hand))):
        if len(meant) <= _SHOWN_ORDERS and all(one in (None, tribe) for one, tribe in zip(asked, order, strict=True)):
            with suppress(IllegalMoveError):
                check_sowing(board, sowing := Sowing(square, path, order))
                meant.setdefault((frozenset(Counter(zip(path, order, strict=True)).items()), order[-1]), sowing)
    written = [str(sowing).replace(">", " > ") for sowing in meant.values()]
    if len(written) > 1:
        some = joined(say("; or "), written[:_SHOWN_ORDERS])
        raise NotationError("say which meeple is left where: {some}", some=some)
    return written[0] if written else spelt


def listed(state: GameState) -> list[tuple[str, str]]:
    """Every legal action in words, in the order of their numbers, and the line that does it."""
    rows = []
    for action in legal_actions(state):
        line: str = "end" if isinstance(action, EndTurn) else record_words(state, action)
        words = line
        if isinstance(action, Lift):
            meeples = format_meeples(state.position.board[action.square].meeples)
            words = say("{words}  take {meeples}", words=line, meeples=meeples)
        rows.append((words, line))
    return rows


def start_of(text: str) -> int | None:
    """The tile that what was typed begins with, if it does."""
    match = _START.match(text)
    return parse_square(match["square"].lower()) if match else None
