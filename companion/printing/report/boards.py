"""The boards of a report: one for a turn as a hint has it, or one for a round with the steps of all its turns."""

from __future__ import annotations

from enum import StrEnum

from companion.advisor.account import RoundTold, TurnTold
from companion.language.phrase import joined, say
from companion.printing.core.geometry import Box
from companion.printing.core.surface import Surface
from companion.printing.core.template import CamelTints
from companion.printing.hint.board import DRAWN, draw_board, draw_turn_on_board, place_board_labels, projection
from companion.printing.hint.drawing import draw_arrows, draw_label, draw_tile_rim
from companion.printing.hint.marks import Arrow, TurnMarks, lay_arrows, marks_of
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.board import Board
from companion.rules.model.events import AssassinsKilled, TileClaimed


class BoardsOf(StrEnum):
    """What a report has a board for."""

    ROUND = "round"
    TURN = "turn"
    NONE = "none"


def turn_letter(place: int) -> str:
    """The letter of a turn by its place in the round from 0: A for the first."""
    return chr(ord("A") + place)


def draw_turn(surface: Surface, box: Box, turn: TurnTold, template: SetupTemplate, language: str) -> None:
    """The board before a turn with its steps as numbered arrows, and what is lifted, taken, killed and claimed."""
    marks = marks_of(turn.sowing, turn.events)
    draw_turn_on_board(surface, box, turn.before.position.board, marks, template, language)


def draw_round(
    surface: Surface,
    box: Box,
    told: RoundTold,
    board: Board,
    tints: CamelTints,
    look: SetupTemplate,
    language: str,
) -> None:
    """A board with the steps of all turns of a round, in the players' colours and with the turns' letters.

    Beside the tiles stands who is killed there and which are claimed, after the letter of the turn.
    """
    project = projection(box)
    draw_board(surface, box, board, look)
    for turn in told.turns:
        if turn.sowing is not None:
            draw_tile_rim(surface, project, DRAWN, turn.sowing.start, tints.of(turn.colour))
    laid: list[Arrow] = []
    for turn in told.turns:
        if turn.sowing is not None:
            arrows = lay_arrows(turn.sowing, DRAWN, others=laid)
            ink = tints.of(turn.colour)
            draw_arrows(surface, project, arrows, look, ink=ink, prefix=turn_letter(turn.place))
            laid += arrows
    labels: dict[int, str] = {}
    colours: dict[int, str] = {}
    for turn in told.turns:
        events = [event for event in turn.events if isinstance(event, AssassinsKilled | TileClaimed)]
        for square, what in marks_of(None, events).labels.items():
            said = say("{turn}: {what}", turn=turn_letter(turn.place), what=what)
            labels[square] = joined(", ", (labels[square], said)) if square in labels else said
            colours.setdefault(square, tints.of(turn.colour))
    for label in place_board_labels(surface, box, TurnMarks(None, labels), language, laid):
        draw_label(surface, label, colours[label.square])
