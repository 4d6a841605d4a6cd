"""The turn that photos of a game in progress show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import PhotoError, UsageError
from companion.opening.photos import read_photos
from companion.opening.source import Source, read_inputs
from companion.rules.engine.resuming import start_game
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.tracking.inference import PlayedTurns
from companion.tracking.inference import played_turns as turns_shown
from companion.vision.board.contents_likelihood import ContentsLikelihood

if TYPE_CHECKING:
    from companion.vision.reading.session import PhotoSession


def played_turns(before: Position | GameState, *photos: Source, own_set: bool = True) -> PlayedTurns:
    """Which legal turn, or which two or three, lead from the game before to what photos show; `own_set` uses the tiles
    learnt. Raises PhotoError, and UnusableInputError where no turn begins.
    """
    if not photos:
        raise UsageError("give a photo of the table after the turn")
    state = start_game(before) if isinstance(before, Position) else before
    session = read_photos(read_inputs(photos, photos_only=True), own_set=own_set, board=state.position.board)
    return turns_shown(state, likelihood_of(session, state.position.board))


def cards_shown(session: PhotoSession) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The row of cards and the djinns on offer that photos show without a doubt; None for what they don't."""
    reading = session.reading
    unsure = any(card.card is None for card in reading.row)
    return None if unsure else reading.position.row, None if reading.titles else reading.position.djinns


def likelihood_of(session: PhotoSession, board: Board) -> ContentsLikelihood:
    """What photos say of each tile's contents on a board. Raises PhotoError where they show none, or another."""
    evidence = session.evidence
    if evidence is None:
        raise PhotoError("the photo doesn't show the board")
    same = sum(read.kind is known.kind for read, known in zip(session.as_read.position.board, board, strict=True))
    if same < SQUARES:
        raise PhotoError("the photo shows another table: its tiles don't lie as in this game")
    return ContentsLikelihood.of(evidence)
