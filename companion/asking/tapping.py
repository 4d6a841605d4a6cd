"""A turn told by taps on the board: questions one after another, until exactly one legal turn is left.

The rules' own list of what is legal decides what can be tapped. Taps are words such as "c3", "yg" or "Utug", so that
an address can hold all of a half-told turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.asking.question import Kind, Question
from companion.asking.taps import About
from companion.asking.turn_questions import TurnQuestions
from companion.errors import NotationError, UnusableInputError, quoted
from companion.notation.records.lines import format_entry
from companion.notation.records.recording import turn_of
from companion.rules.engine.sowing import has_legal_sowing, lifted, path_options, standing_on, takings
from companion.rules.model.actions import Action
from companion.rules.model.board import Board
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState, Stage
from companion.table.games import TableGame


@dataclass(frozen=True, slots=True)
class TappedTurn:
    """A turn so far.

    `board` is as it lies there by then; `start` and `path` show where the meeples went, `hand` are those whose places
    are still open, `ends` the tiles where they can end, with how many of which tribe are taken there. `said` are the
    decisions so far, `question` what is asked next, None where nothing is left to choose. `line` is the turn as a
    record has it, None while it cannot end yet. `back` is how many taps are left when the last step is taken back.
    `has_powers` says whether powers may have been used between its steps. `ways` are the tiles for the next meeple, for
    the one after it and so on, on the ways to an end that was asked for; nothing without. `actions` are the decisions.
    `taps` tell it all; `fault` is that of the next one.
    """

    taps: tuple[str, ...]
    fault: NotationError | None
    board: Board
    start: int | None
    path: tuple[int, ...]
    hand: tuple[Tribe, ...]
    ends: Mapping[int, Mapping[Tribe, int]]
    said: tuple[str, ...]
    question: Question[str] | None
    line: str | None
    back: int
    has_powers: bool
    ways: tuple[frozenset[int], ...] = ()
    actions: tuple[Action, ...] = ()


def tapped_turn(
    game: TableGame,
    taps: Sequence[str],
    *,
    stops_for_powers: bool = False,
    towards: int | None = None,
    as_far_as_possible: bool = False,
) -> TappedTurn:
    """The turn of the player to move after these taps, and the ways `towards` an end. What has one answer isn't asked,
    unless it `stops_for_powers`. Raises UnusableInputError in no turn, and NotationError for a wrong tap, unless the
    turn is told `as_far_as_possible`.
    """
    begun = turn_beginning(game)
    asked = TurnQuestions(begun, stops_for_powers=stops_for_powers)
    steps, fault = [0], None
    for number, tap in enumerate(taps):
        question = asked.interview.question
        try:
            if question is None:
                raise NotationError("{text} isn't one of the answers", text=quoted(tap))
            asked.interview.answer(tap)
        except NotationError as error:
            if not as_far_as_possible:
                raise
            taps, fault = taps[:number], error
            break
        # What is picked together is one step, from its first pick to the word that ends it.
        if not (question.kind is Kind.ORDER and steps[-1] < number):
            steps.append(number)
    question = asked.interview.question
    line = None
    if question is None or question.key == About.CLOSE:
        line = format_entry(turn_of(begun, asked.actions, asked.drawn))
    return TappedTurn(
        taps=tuple(taps),
        fault=fault,
        board=asked.state.position.board,
        start=asked.start,
        path=tuple(asked.path),
        hand=_still_held(asked),
        ends=_ends(asked),
        said=turn_of(begun, asked.actions, asked.drawn, open_ended=True).steps,
        question=question,
        line=line,
        back=steps[-1],
        has_powers=asked.met_powers,
        ways=_ways(asked, towards),
        actions=tuple(asked.actions),
    )


def _still_held(asked: TurnQuestions) -> tuple[Tribe, ...]:
    held = list(asked.hand)
    for tribe in asked.drops if held else ():
        held.remove(tribe)
    return tuple(held)


def _ends(asked: TurnQuestions) -> Mapping[int, Mapping[Tribe, int]]:
    """Where a hand can end that was told from its start; nothing once all its meeples are placed."""
    if asked.start is None or not asked.hand or asked.state.stage is not Stage.MOVE:
        return {}
    return takings(asked.path, asked.start, [asked.hand.count(tribe) for tribe in Tribe], asked.state.position.board)


def _ways(asked: TurnQuestions, end: int | None) -> tuple[frozenset[int], ...]:
    """The tiles of the ways to an end, step by step; nothing where the hand can't end there."""
    if end not in _ends(asked) or asked.start is None:
        return ()
    hand, standing = [asked.hand.count(tribe) for tribe in Tribe], standing_on(asked.state.position.board)
    ways, steps = [[asked.start, *asked.path]], list[frozenset[int]]()
    while ways and len(ways[0]) <= sum(hand):
        # One of the ways that come to a tile from the same side tells of all.
        further: dict[tuple[int, int], list[int]] = {}
        for way in ways:
            before, here = [None, *way][-2:]
            assert here is not None, "a way begins somewhere"
            for square in path_options(before, here, way[1:], hand, lifted(standing, asked.start), end):
                further.setdefault((here, square), [*way, square])
        ways = [*further.values()]
        steps.append(frozenset(square for _, square in further))
    return tuple(steps) if ways else ()


def turn_beginning(game: TableGame) -> GameState:
    """The state in which the turn of the player to move begins. Raises UnusableInputError while nobody plays one."""
    if game.is_over:
        raise UnusableInputError("The game is over.")
    if game.owes_refill:
        raise UnusableInputError("The round is over: enter the new cards.")
    if game.mover is None:
        raise UnusableInputError("say whose turn it is first")
    if game.is_bidding:
        raise UnusableInputError("bids come before turns: tap the bid")
    if game.state is not None:
        return game.state
    return game.lone_turn(moves=has_legal_sowing(game.position.board))
