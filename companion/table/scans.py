"""What the codes printed on cards and sheets tell, as it is shown before a game begins with it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.notation.outcome import Outcome
from companion.rules.model.position import Phase, Position
from companion.table.games import is_set_up


@dataclass(frozen=True, slots=True)
class CodedTable:
    """A table that a code tells: the code, and the position that it holds."""

    code: str
    position: Position

    @property
    def is_set_up(self) -> bool:
        """Whether it is a game that begins (rules 2)."""
        return is_set_up(self.position.board)

    @property
    def is_over(self) -> bool:
        """Whether it is the end of a game (rules 9)."""
        return self.position.phase is Phase.END


@dataclass(frozen=True, slots=True)
class ScannedCodes:
    """All that the codes in some photos tell, each table and each result once; one of the two is there at least."""

    tables: tuple[CodedTable, ...]
    outcomes: tuple[Outcome, ...] = ()

    def outcome_of(self, table: CodedTable) -> Outcome | None:
        """The result that a sheet has beside the code of its table."""
        fitting = (one for one in self.outcomes if set(one.totals) == set(table.position.colours))
        return next(fitting, None) if len(self.tables) == 1 else None

    @property
    def lone_outcomes(self) -> tuple[Outcome, ...]:
        """The results of games whose table no code tells."""
        told = [self.outcome_of(table) for table in self.tables]
        return tuple(one for one in self.outcomes if one not in told)
