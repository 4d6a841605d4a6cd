"""A game on its way from photos into a record: what is known of it, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from companion.asking.question import Question
from companion.language.phrase import Phrase
from companion.notation.records.lines import Record
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState
from companion.table.games import TableGame
from companion.table.playing import Playing, game_at
from companion.tracking.inference import Verdict
from companion.tracking.series import Shown
from companion.tracking.visible import Likelihood, VisibleTurn


class Ask(Enum):
    """What is to be answered before a recording goes on."""

    BIDS = auto()
    REFILL = auto()
    TURN = auto()
    """Which of the candidates it was."""
    TAP = auto()
    """What the turn's question asks."""


@dataclass(frozen=True, slots=True)
class SeriesPhoto:
    """A photo that was read: what it says of the board, and the row and the djinns where it shows them for sure.

    `covered` says over which tiles something lies, None where nothing does.
    """

    name: str
    likelihood: Likelihood
    row: tuple[str, ...] | None = None
    djinns: tuple[str, ...] | None = None
    covered: Phrase | None = None


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn as it came into the record; `asked` is what no photo showed, with what was taken for it."""

    photo: str
    player: Colour
    line: str
    probability: float
    others: tuple[tuple[str, float], ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """A game on its way into a record; `photos` are still to be looked at, `last` was looked at before them.

    `choices` are what the first photo may show, `left` its turns that aren't played yet, `taps` what is known of the
    first of them, `asked` what was asked since the turn before. `order` is in whose turns the round fits the photos
    best; `without` is why photos without a turn have none; `ask` is what is asked now, None once all is
    recorded, with the `question` where it is about the turn.
    `expected` is what the photos show by the likeliest of all lines through them, as long as the board is `onto`. One
    that `proposes` plays nothing by itself; whether more was done than a turn needs, such as a sale, it `asks_more`.
    """

    game: TableGame
    photos: tuple[SeriesPhoto, ...]
    earlier: tuple[Board, ...] = ()
    expected: tuple[Shown, ...] = ()
    onto: Board | None = None
    last: SeriesPhoto | None = None
    choices: tuple[tuple[Shown, float], ...] = ()
    left: tuple[VisibleTurn, ...] = ()
    probability: float = 1.0
    others: tuple[tuple[str, float], ...] = ()
    taps: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    order: tuple[Colour, ...] = ()
    turns: tuple[RecordedTurn, ...] = ()
    without: tuple[tuple[str, Verdict], ...] = ()
    ask: Ask | None = None
    question: Question[str] | None = None
    proposes: bool = False
    asks_more: bool = True

    @property
    def state(self) -> GameState:
        assert self.game.state is not None, "a record is played by the rules"
        return self.game.state

    def shows(self, verdict: Verdict) -> tuple[str, ...]:
        """The photos without a turn that this was found of."""
        return tuple(name for name, found in self.without if found is verdict)

    @property
    def playing(self) -> Playing:
        """The game by the rules."""
        assert self.game.playing is not None, "a record is played by the rules"
        return self.game.playing

    @property
    def record(self) -> Record:
        return self.playing.record


def game_of(record: Record) -> TableGame:
    """The table of a record, by the rules."""
    playing = game_at(record)
    return TableGame(playing.state.position, playing, unchecked_hands=False)
