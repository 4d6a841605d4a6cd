"""A turn that a photo shows, as the taps that tell it: the questions that remain are those that a tapped turn asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from companion.advisor.explanation import explain_turn
from companion.asking.question import Question
from companion.asking.tapping import tapped_turn, turn_beginning
from companion.asking.taps import About
from companion.asking.turn_questions import TurnQuestions
from companion.errors import CompanionError, UnusableInputError
from companion.language.phrase import Phrase, joined
from companion.notation.records.lines import Record
from companion.notation.records.replay import replay
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.engine.turn import supposed
from companion.rules.model.actions import Action, ActTile, ActTribe, Lift, Sow
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.chance import NOTHING_DRAWN, UNSEEN, Drawn, ScriptedChance
from companion.rules.model.components import FAKIR, Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.table.games import TableGame
from companion.tracking.inference import PlayedTurns, Verdict, next_turns, played_turns
from companion.tracking.visible import Likelihood, VisibleTurn

if TYPE_CHECKING:
    from companion.printing.hint.drawing import TurnMarks

MOST_SHOWN = 3
"""How many candidates are shown to choose from."""

MOST_EARLIER = 6
"""How many turns back a photo's board is looked for."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn that a photo shows, as people read it: the way of the meeples, what was done, what is drawn of it."""

    turn: VisibleTurn
    path: str
    aim: Phrase
    marks: TurnMarks


@dataclass(frozen=True, slots=True)
class ShownTurns:
    """Turns that a photo may show, one after another.

    `taps` tell the first of them as far as the photo does: it `may_end` there, and more `may_follow` that no photo
    shows, such as a sale.
    """

    turns: tuple[ShownTurn, ...]
    taps: tuple[str, ...]
    may_end: bool = False
    may_follow: bool = True

    @property
    def first(self) -> VisibleTurn:
        return self.turns[0].turn


@dataclass(frozen=True, slots=True)
class PhotoTurns:
    """What a photo shows of a game, with the likeliest `candidates`; the other fields are those of `PlayedTurns`.

    `doubted` and `lifted` are squares' names; `covered` says over which something lies, None where nothing does.
    """

    verdict: Verdict
    candidates: tuple[ShownTurns, ...] = ()
    is_sure: bool = False
    earlier: int | None = None
    doubted: tuple[str, ...] = ()
    lifted: tuple[str, ...] = ()
    covered: Phrase | None = None


def why_no_turn(game: TableGame) -> Phrase | None:
    """What comes before the next turn, in a sentence; None where one can be played, whoever's it is."""
    if game.position.to_move is None and not (game.is_over or game.owes_refill or game.is_bidding):
        return None
    try:
        turn_beginning(game)
    except UnusableInputError as error:
        return joined("", (str(error),))
    return None


def shown_turns(
    game: TableGame,
    likelihood: Likelihood,
    row: tuple[str, ...] | None = None,
    djinns: tuple[str, ...] | None = None,
) -> PhotoTurns:
    """Which turns of a game in progress a photo shows, to be chosen from. Raises as `turns_in_photo`.

    `row` and `djinns` are what lies there after a turn, where the photo shows it.
    """
    earlier = () if game.playing is None else earlier_boards(game.playing.record)[:MOST_EARLIER]
    found = turns_in_photo(game, likelihood, earlier)
    if found.verdict is not Verdict.TURN:
        lifted = tuple(SQUARE_NAMES[one] for one in found.lifted)
        return PhotoTurns(found.verdict, earlier=found.earlier, lifted=lifted)
    candidates = tuple(_shown(game, face_up(one.turns, row, djinns)) for one in found.candidates[:MOST_SHOWN])
    return PhotoTurns(
        found.verdict, candidates, found.is_sure, doubted=tuple(SQUARE_NAMES[one] for one in found.doubted)
    )


def face_up(
    turns: Sequence[VisibleTurn], row: tuple[str, ...] | None, djinns: tuple[str, ...] | None
) -> tuple[VisibleTurn, ...]:
    """Turns with what lies there after the last of them; what lay there between two, no photo shows."""
    return (*turns[:-1], *(replace(turn, row=row, djinns=djinns) for turn in turns[-1:]))


def left_after(game: TableGame, shown: ShownTurns) -> ShownTurns | None:
    """The turns left once the first has led to a game; None if none are, or if bids or cards come first."""
    turns = shown.turns[1:]
    if not turns or why_no_turn(game) is not None or game.mover not in (None, turns[0].turn.player):
        return None
    return _with_taps(game, turns)


def as_it_began(game: TableGame, turn: VisibleTurn) -> Position:
    """The position in which a turn begins: its player to move, on the board as it must have been."""
    tiles = enumerate(game.position.board)
    board = tuple(turn.corrections.get(square, tile) for square, tile in tiles)
    return replace(game.position.with_board(board), to_move=turn.player)


def earlier_boards(record: Record) -> tuple[Board, ...]:
    """The boards from which the turns of a record moved meeples, the last first."""
    plays = replay(record, unchecked_hands=True).plays
    return tuple(play.before.position.board for play in reversed(plays) if isinstance(play.action, Sow | Lift))


def _shown(game: TableGame, turns: Sequence[VisibleTurn]) -> ShownTurns:
    return _with_taps(game, tuple(_in_words(turn_beginning(_begun(game, turns[0])), turns)))


def _begun(game: TableGame, turn: VisibleTurn) -> TableGame:
    position = as_it_began(game, turn)
    return game if position == game.position else replace(game, position=position, playing=None)


def _with_taps(game: TableGame, turns: tuple[ShownTurn, ...]) -> ShownTurns:
    first = turns[0].turn
    begins = _begun(game, first)
    shown = ShownTurns(turns, known_taps(begins, (), first))
    with suppress(CompanionError):
        told = tapped_turn(begins, shown.taps)
        shown = replace(shown, may_end=told.line is not None, may_follow=told.question is not None)
        if told.line is not None and not (first.row is None and first.djinns is None):
            # What the row and the djinns tell is said too.
            aim = explain_turn(turn_beginning(begins), told.actions).aim
            shown = replace(shown, turns=(replace(turns[0], aim=aim), *turns[1:]))
    return shown


def _in_words(state: GameState, turns: Sequence[VisibleTurn]) -> Iterator[ShownTurn]:
    from companion.printing.hint.drawing import marks_of

    for number, turn in enumerate(turns):
        following = next_turns(state) if number else [state]
        begins = _with_fakirs(supposed(next(after for after in following if after.mover is turn.player)), turn)
        actions, state = _decisions(begins, turn)
        explained = explain_turn(begins, actions)
        yield ShownTurn(turn, explained.path, explained.aim, marks_of(turn.sowing, explained.events))


def _with_fakirs(state: GameState, turn: VisibleTurn) -> GameState:
    """The beginning of a turn with the fakirs that were bought in it: with what else, no board shows."""
    player = state.position.player(turn.player)
    if not turn.fakirs_bought or player.fakirs is None:
        return state
    richer = replace(player, fakirs=player.fakirs + turn.fakirs_bought)
    return replace(state, position=state.position.with_player(richer))


def _decisions(state: GameState, turn: VisibleTurn) -> tuple[list[Action], GameState]:
    """The decisions that a photo shows, and the state after them; what it doesn't show wasn't done."""
    done = list[Action]()

    def do(action: Action, drawn: Drawn = NOTHING_DRAWN) -> None:
        nonlocal state
        state = step(state, action, UNSEEN if drawn == NOTHING_DRAWN else ScriptedChance(drawn)).state
        done.append(action)

    for use, drawn in turn.first:
        do(use, drawn)
    do(Sow(turn.sowing))
    tribe = [
        action
        for action in legal_actions(state)
        if isinstance(action, ActTribe)
        and tuple(victim for victim in action.choice.victims if victim.square is not None) == turn.kills
    ]
    if tribe:
        do(min(tribe, key=lambda action: (action.choice.fakirs, len(action.choice.victims))))
    tile = [action for action in legal_actions(state) if isinstance(action, ActTile) and not action.choice.cards]
    for action in [one for one in tile if (one.choice.djinn, one.choice.onto) == (turn.djinn, turn.onto)][:1]:
        do(action)
    for use, drawn in turn.then:
        do(use, drawn)
    return done, state


def turns_in_photo(game: TableGame, likelihood: Likelihood, earlier: Sequence[Board] = ()) -> PlayedTurns:
    """Which turns of a game in progress a photo shows; anybody's where it isn't known whose turn it is.

    `earlier` are boards that the game had before, the last first. Raises UnusableInputError where no turn can be played
    now, as before the bids of a round.
    """
    if game.position.to_move is not None or game.is_over:
        return played_turns(turn_beginning(game), likelihood, earlier=earlier)
    colours = game.position.colours or tuple(Colour)
    anybody = replace(game, position=replace(game.position, to_move=colours[0]))
    state = anybody.lone_turn(moves=has_legal_sowing(game.position.board))
    return played_turns(state, likelihood, movers=colours, earlier=earlier)


def known_taps(game: TableGame, taps: Sequence[str], turn: VisibleTurn) -> tuple[str, ...]:
    """The taps, and after them those that the photo tells, up to the next question that it doesn't answer or the end.

    `game` is at the beginning of that player's turn, and its board is the one that the turn began with. Taps that
    aren't offered end it.
    """
    asked = TurnQuestions(turn_beginning(game))
    answers: list[tuple[str, str]] = []
    while (question := asked.interview.question) is not None:
        known = len(answers) < len(taps)
        answer = taps[len(answers)] if known else _answer(question, asked, turn, answers)
        if answer not in {tap.token for tap in question.offered}:
            break
        answers.append((question.key, answer))
        asked.interview.answer(answer)
    return (*(answer for _, answer in answers), *taps[len(answers) :])


def _answer(
    question: Question[str], asked: TurnQuestions, turn: VisibleTurn, answers: Sequence[tuple[str, str]]
) -> str | None:
    """What the photo answers, None where it doesn't; `answers` are those before, with what they were about."""
    moved = any(isinstance(action, Sow) for action in asked.actions)
    used = asked.state.progress.used
    use = next((one for one, _ in (turn.then if moved else turn.first) if one.paid.djinn not in used), None)
    before = [answer for key, answer in answers if key == question.key]
    match question.key:
        case About.BUILT_ON | About.POWER if use is not None and use.square == turn.sowing.end:
            # What is claimed there is claimed before a palm or palace stands on it (rules 11).
            return f"use {use.paid.djinn}"
        case About.START | About.CLOSE if use is not None:
            return f"use {use.paid.djinn}"
        case About.START:
            return SQUARE_NAMES[turn.sowing.start]
        case About.STEP:
            return SQUARE_NAMES[turn.sowing.path[len(asked.path)]]
        case About.ORDER:
            left = "".join(tribe.letter for tribe in turn.sowing.drops[len(asked.drops) :])
            return left if any(tap.token == left for tap in question.taps) else left[:1]
        case About.VICTIM_PLACE:
            return _place_of_victim(question, turn)
        case About.VICTIMS:
            return _victims(question, turn, before)
        case About.FAKIRS if turn.kills:
            # Nobody discards more than it takes to reach so far.
            return question.taps[0].token
        case About.BUILT_ON:
            return SQUARE_NAMES[turn.sowing.end if turn.onto is None else turn.onto]
        case About.DJINN:
            return turn.djinn or _taken(asked.state.position.djinns or (), turn.djinns)
        case About.BOUGHT:
            row = asked.state.position.row or ()
            if turn.row is None and len(before) < turn.fakirs_bought:
                # They paid for the powers that follow; what else was bought is asked.
                return str([place for place, card in enumerate(row, 1) if card == FAKIR][len(before)])
            return _bought(row, turn.row, len(before))
        case About.POWER:
            return "on"
        case About.POWER_TILE | About.POWER_BUILT_ON if use is not None and use.square is not None:
            onto = None if question.key == About.POWER_TILE else use.onto
            return SQUARE_NAMES[use.square if onto is None else onto]
        case About.DRAWN_MEEPLE:
            drawn = [tribe for _, seen in (*turn.first, *turn.then) for tribe in seen.meeples]
            return drawn[len(before)].letter if len(before) < len(drawn) else None
    return None


def _place_of_victim(question: Question[str], turn: VisibleTurn) -> str | None:
    """The tile of a kill; where there was none on a tile, the one player in front of whom it can have been."""
    if turn.kills and turn.kills[0].square is not None:
        return SQUARE_NAMES[turn.kills[0].square]
    elsewhere = [tap.token for tap in question.taps if tap.square is None]
    return elsewhere[0] if len(elsewhere) == 1 else None


def _taken(before: Sequence[str], seen: Sequence[str] | None) -> str | None:
    """The djinn that was taken, or none, where the photo shows all others; None where it doesn't."""
    gone = [name for name in before if name not in (seen or ())]
    if seen is None or len(gone) > 1 or len(seen) + len(gone) != len(before):
        return None
    return gone[0] if gone else "nothing"


def _bought(before: Sequence[str], seen: Sequence[str] | None, number: int) -> str | None:
    """The next card bought after that `number`, by its place; None where the photo doesn't show the row so."""
    for places in combinations(range(len(before)), max(len(before) - len(seen or ()), 0)):
        if seen is not None and [card for place, card in enumerate(before) if place not in places] == [*seen]:
            return str(places[number] + 1) if number < len(places) else "nothing"
    return None


def _victims(question: Question[str], turn: VisibleTurn, before: Sequence[str]) -> str | None:
    """How many were killed on a tile, then which, one after another."""
    offered = [tap.token for tap in question.taps]
    if "one" in offered:
        more = [token for token in offered if token != "one"]
        if not turn.kills:
            # In front of a player no board shows how many.
            return None
        return "one" if len(turn.kills) < 2 else more[0] if len(more) == 1 else None
    letters = [victim.tribe.letter for victim in turn.kills]
    for letter in before:
        if letter in letters:
            letters.remove(letter)
    return next((letter for letter in letters if letter in offered), None)
