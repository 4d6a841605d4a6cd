"""A turn that a photo shows, as the taps that tell it: the questions that remain are those that a tapped turn asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.actions import Sow
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.components import Colour
from companion.table.games import TableGame
from companion.table.tapping import turn_beginning
from companion.table.turn_questions import About, Asking, TapQuestion, TurnQuestions
from companion.tracking.inference import PlayedTurns, played_turns
from companion.tracking.outcomes import Likelihood, VisibleTurn


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
    dialogue = asked.turn()
    question = next(dialogue, None)
    answers: list[tuple[About, str]] = []
    while question is not None:
        known = len(answers) < len(taps)
        answer = taps[len(answers)] if known else _answer(question, asked, turn, answers)
        if answer not in {tap.token for tap in question.offered}:
            break
        answers.append((question.about, answer))
        question = _next(dialogue, answer)
    return (*(answer for _, answer in answers), *taps[len(answers) :])


def _next(dialogue: Asking, tap: str) -> TapQuestion | None:
    try:
        return dialogue.send(tap)
    except StopIteration:
        return None


def _answer(
    question: TapQuestion, asked: TurnQuestions, turn: VisibleTurn, answers: Sequence[tuple[About, str]]
) -> str | None:
    """What the photo answers, None where it doesn't; `answers` are those before, with what they were about."""
    moved = any(isinstance(action, Sow) for action in asked.actions)
    used = asked.state.progress.used
    uses = [one for one in (turn.then if moved else turn.first) if one[0].paid.djinn not in used]
    match question.about:
        case About.START | About.CLOSE if uses:
            return f"use {uses[0][0].paid.djinn}"
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
            return _victims(question, turn, [answer for about, answer in answers if about is About.VICTIMS])
        case About.FAKIRS if turn.kills:
            # Nobody discards more than it takes to reach so far.
            return question.taps[0].token
        case About.BUILT_ON:
            return SQUARE_NAMES[turn.sowing.end if turn.onto is None else turn.onto]
        case About.DJINN:
            return turn.djinn
        case About.POWER:
            return "on"
        case About.POWER_TILE if uses and uses[0][0].square is not None:
            return SQUARE_NAMES[uses[0][0].square]
        case About.POWER_BUILT_ON if uses and uses[0][0].square is not None:
            use = uses[0][0]
            return SQUARE_NAMES[uses[0][0].square if use.onto is None else use.onto]
        case About.DRAWN_MEEPLE:
            drawn = [tribe for _, seen in (*turn.first, *turn.then) for tribe in seen.meeples]
            number = sum(about is About.DRAWN_MEEPLE for about, _ in answers)
            return drawn[number].noun if number < len(drawn) else None
    return None


def _place_of_victim(question: TapQuestion, turn: VisibleTurn) -> str | None:
    """The tile of a kill; where there was none on a tile, the one player in front of whom it can have been."""
    if turn.kills and turn.kills[0].square is not None:
        return SQUARE_NAMES[turn.kills[0].square]
    elsewhere = [tap.token for tap in question.taps if tap.square is None]
    return elsewhere[0] if len(elsewhere) == 1 else None


def _victims(question: TapQuestion, turn: VisibleTurn, told: Sequence[str]) -> str | None:
    """How many were killed on a tile, then which, one after another."""
    offered = [tap.token for tap in question.taps]
    if "one" in offered:
        more = [token for token in offered if token != "one"]
        return "one" if len(turn.kills) < 2 else more[0] if len(more) == 1 else None
    letters = [victim.tribe.letter for victim in turn.kills]
    for letter in told:
        if letter in letters:
            letters.remove(letter)
    return next((letter for letter in letters if letter in offered), None)
