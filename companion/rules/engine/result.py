"""How a game stands: everybody's points, whether it is over, and who has won or leads (rules 9, 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.engine.finishing import has_legal_sowing
from companion.rules.engine.scoring import Score, assumptions, score, winners
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import NOTHING_HIDDEN, GameState


@dataclass(frozen=True, slots=True)
class GameResult:
    """The points of all who play, and what may be said of them.

    `scores` in the order in which players are shown; `finished` says whether the game is over (rules 9);
    `unknown` is a sentence for each thing that gives points, is not known and counts as 0.
    """

    scores: Mapping[Colour, Score]
    finished: bool
    unknown: tuple[str, ...] = ()

    @property
    def ahead(self) -> tuple[Colour, ...]:
        """All who have the most points, whether the game is over or not."""
        return winners(self.scores)

    @property
    def winners(self) -> tuple[Colour, ...]:
        """Who is known to have won: nobody while the game goes on or something that counts is unknown; tied players
        share the win (rules 9.3).
        """
        return self.ahead if self.finished and not self.unknown else ()

    @property
    def leaders(self) -> tuple[Colour, ...]:
        """Who has the most points while the game goes on."""
        return () if self.finished else self.ahead


def is_finished(position: Position, *, final: bool = False) -> bool:
    """Whether a position is the end of a game (rules 9).

    Its phase decides. One that names no phase is an end if the rules allow it to be one, or if `final` says so.
    `to_move` alone speaks against no end, since whoever played last may still be named.
    """
    if position.phase is not None:
        return position.phase is Phase.END
    return final or _may_be_over(position)


def _may_be_over(position: Position) -> bool:
    """Whether a colour has no camel left (rules 9.1) or no move is legal (rules 9.2), and nobody is still to play."""
    if position.turn_order:
        # All other turns of the last round are still played (rules 9.1, 9.2).
        return False
    out_of_camels = any(position.camels_left(colour) <= 0 for colour in position.colours)
    return out_of_camels or not has_legal_sowing(position.board)


def result_of(position: Position, *, unseen: Mapping[Colour, int] = NOTHING_HIDDEN, final: bool = False) -> GameResult:
    """How the game stands in a position; `unseen` as for `scoring.assumptions`, `final` as for `is_finished`."""
    return GameResult(score(position), is_finished(position, final=final), tuple(assumptions(position, unseen)))


def result_of_game(state: GameState) -> GameResult:
    """How a game stands that is played by the rules, which knows of cards that nobody else has seen."""
    return result_of(state.position, unseen=state.unseen)
