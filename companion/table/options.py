"""What can be typed or picked at a prompt of `companion play`, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, counted, joined, say
from companion.notation.names import in_english
from companion.notation.records.lines import parse_turn
from companion.notation.records.recording import action_words
from companion.notation.records.steps import RecordStep
from companion.notation.tokens import format_meeples
from companion.rules.engine.game import legal_actions
from companion.rules.model.actions import Action, EndTurn, Lift, PlaceBid
from companion.rules.model.board import parse_square
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH, Colour
from companion.rules.model.state import GameState, Stage
from companion.table.results import player_name

_PRICE = re.compile(
    r"(?:(?P<colour>black|orange|blue|pink):? )?(?:bid )?(?P<price>\d{1,3})(?: with (?P<fakirs>\d{1,2}) fakirs?)?"
)
_END = re.compile(r"(?:(?P<rest>.*);)?\s*(?:end|end turn|e)\s*", re.IGNORECASE | re.DOTALL)
_START = re.compile(r"(?:[a-z]+ ?: ?)?(?P<square>[a-f][1-5])", re.IGNORECASE)
_STEP = re.compile(r"[a-f][1-5] ?[ywbgr](?: ?>.*)?", re.IGNORECASE)

_ASKED: dict[Stage, Callable[[str], Phrase]] = {
    Stage.MOVE: lambda mover: say("{mover} moves, such as c3 > c4g > d4y", mover=mover),
    Stage.SOW: lambda mover: say("{mover} leaves a meeple, such as c4g", mover=mover),
    Stage.TRIBE: lambda mover: say("{mover} acts with the meeples in hand", mover=mover),
    Stage.TILE: lambda mover: say("{mover} uses the tile or passes", mover=mover),
    Stage.CLOSE: lambda mover: say("{mover} sells, or end", mover=mover),
    Stage.SELL: lambda mover: say("{mover} sells more, or end", mover=mover),
    Stage.KEEP: lambda mover: say("{mover} keeps a djinn", mover=mover),
}


def prompt(state: GameState, names: Mapping[Colour, str], *, owes_refill: bool) -> str:
    """The words before what is typed; `names` are the players'."""
    position = state.position
    if owes_refill:
        cards = ROW_LENGTH - len(position.row) if position.row is not None else 0
        djinns = FACE_UP_DJINNS - len(position.djinns) if position.djinns is not None else 0
        return say("refill: {cards}, then {djinns}", cards=counted(cards, "cards"), djinns=counted(djinns, "djinns"))
    if state.stage is Stage.BID:
        prices = dict.fromkeys(action.price for action in legal_actions(state) if isinstance(action, PlaceBid))
        return say("{mover} bids ({prices})", mover=_mover(state, names), prices=joined(" ", map(str, prices)))
    return _ASKED[state.stage](_mover(state, names))


def _mover(state: GameState, names: Mapping[Colour, str]) -> str:
    assert state.mover is not None, "somebody decides"
    return player_name(state.mover, names)


def parse_bid(state: GameState, text: str, names: Mapping[Colour, str]) -> PlaceBid:
    """The bid that was typed: a price, perhaps with fakirs, perhaps after the bidder's colour.

    `names` are the players'. Raises NotationError for anything else.
    """
    match = _PRICE.fullmatch(" ".join(in_english(text).lower().split()))
    if match is None or match["colour"] not in (None, state.mover):
        raise NotationError(
            say(
                "{text} is no bid of {mover}; type the price of a spot, or 8 with 1 fakir",
                text=quoted(text, 40),
                mover=_mover(state, names),
            )
        )
    return PlaceBid(int(match["price"]), int(match["fakirs"] or 0))


def parse_items(state: GameState, text: str) -> tuple[tuple[RecordStep, ...], bool]:
    """The items that were typed, and whether the turn ends after them."""
    assert state.mover is not None
    text = in_english(text)
    before, colon, after = text.partition(":")
    body = after if colon and before.strip().lower() == state.mover else text
    ends = False
    if match := _END.fullmatch(body):
        body, ends = match["rest"] or "", True
    if state.stage is Stage.SOW and _STEP.fullmatch(body.strip()):
        body = "> " + body.strip()
    return parse_turn(state.mover, body).items, ends


def listed(state: GameState) -> list[tuple[str, str]]:
    """Every legal action in words, in the order of their numbers, and the line that does it."""
    return [_listed(state, action) for action in legal_actions(state)]


def _listed(state: GameState, action: Action) -> tuple[str, str]:
    line = "end" if isinstance(action, EndTurn) else action_words(state, action)
    if isinstance(action, Lift):
        meeples = format_meeples(state.position.board[action.square].meeples)
        return say("{words}  take {meeples}", words=line, meeples=meeples), line
    return line, line


def is_forced(state: GameState) -> bool:
    """Whether nothing is left to decide but what the rules say, and the program knows enough to say so."""
    if state.stage in (Stage.BID, Stage.MOVE, Stage.SOW, Stage.KEEP, Stage.END) or state.mover is None:
        return False
    player = state.player(state.mover)
    known = (player.gold, player.elders, player.fakirs, player.goods, player.djinns, state.position.row)
    if None in known or state.hidden[state.position.colours.index(state.mover)]:
        return False
    return len(legal_actions(state)) == 1


def forced(state: GameState) -> Action:
    """The only action that there is."""
    return legal_actions(state)[0]


def start_of(text: str) -> int | None:
    """The tile that what was typed begins with, if it does."""
    match = _START.match(text)
    return parse_square(match["square"].lower()) if match else None
