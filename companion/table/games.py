"""A game on the table as it is kept: a position while it is being set up, a record once it is played.

What is known of the order of players decides: with it the game can be played on by the rules and is a record; without
it turns are still played, each by itself, on the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.advisor.explanation import fresh_turn
from companion.errors import CompanionError, ImpossiblePositionError, UnusableInputError
from companion.language.phrase import say
from companion.notation.files import format_json, parse_position
from companion.notation.records import is_record
from companion.notation.records.header import new_header, renamed
from companion.notation.records.lines import (
    Record,
    Remark,
    ResultLine,
    TurnLine,
    format_record,
    parse_record,
    parse_turn,
)
from companion.notation.records.player import RecordPlayer
from companion.notation.records.recording import corrected, rounds_of, with_result
from companion.notation.records.steps import Observation, is_walk
from companion.rules.engine.resuming import go_on_from, off_tracks, start_game
from companion.rules.engine.scoring import GameResult, result_of, result_of_game
from companion.rules.engine.setup import starting_player
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import GameState, Stage
from companion.table.playing import Playing, accepted, action_tried, game_at, play_line, play_refill

_ON_A_FRESH_TILE = 3


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game as it stands: its position and, where the order of players is known, the game by the rules. Hands are kept
    as their players tell them (rules 12.2); the last two are as in `GameState`, for a turn by itself.
    """

    position: Position
    playing: Playing | None = None
    hidden: tuple[int, ...] = ()
    unchecked_hands: bool = True

    @property
    def state(self) -> GameState | None:
        """Where in the round and the turn the game stands; None where the order of players is not known."""
        return None if self.playing is None else self.playing.state

    @property
    def mover(self) -> Colour | None:
        """Whose decision it is, as far as it is known; None while the table owes what came in the clean-up."""
        return None if self.owes_refill else self.position.to_move

    @property
    def owes_refill(self) -> bool:
        """Whether the round is over and nobody has said what came into the row (rules 8.1)."""
        return self.playing is not None and self.playing.owes

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def is_bidding(self) -> bool:
        return self.position.phase is Phase.BID and not self.is_over and not self.owes_refill

    @property
    def result(self) -> GameResult:
        """How the game stands, whoever looks at it."""
        return result_of(self.position) if self.state is None else result_of_game(self.state)

    @property
    def round(self) -> int | None:
        """The number of the round, from 1, where the game is known from its first."""
        if self.playing is None or not is_set_up(self.playing.record.header.setup.board):
            return None
        begins = self.is_bidding and not self.position.turn_order
        return rounds_of(self.playing.record) + begins

    @property
    def has_turns(self) -> bool:
        """Whether anything was bid or played since the game's text begins."""
        return self.playing is not None and bool(self.playing.record.lines)

    def lone_turn(self, *, moves: bool) -> GameState:
        """The beginning of a turn by itself, with meeples to move or none. Raises ImpossiblePositionError."""
        state = fresh_turn(self.position, moves=moves)
        return replace(state, hidden=self.hidden or state.hidden, unchecked_hands=self.unchecked_hands)

    @property
    def text(self) -> str:
        """The text that the game is kept as: a record, or a position file in JSON."""
        return format_json(self.position) if self.playing is None else format_record(self.playing.record)


@lru_cache(maxsize=64)
def open_table(text: str) -> TableGame:
    """The game that a kept text holds. Raises what `parse_position` and `replay` raise."""
    if not is_record(text):
        return TableGame(parse_position(text))
    return _of_playing(game_at(parse_record(text), unchecked_hands=True))


def _of_playing(playing: Playing) -> TableGame:
    return TableGame(playing.state.position, playing)


def begin_table(
    position: Position,
    names: Mapping[Colour, str],
    *,
    date: str,
    place: str = "",
    before: GameState | None = None,
) -> TableGame:
    """A game that begins with a position, as a record where the rules can go on from it; `before` is the game that
    begins anew, which knows more. Hands that contradict one another hinder nobody.
    """
    known = {colour: name for colour, name in names.items() if colour in position.colours}
    try:
        state = start_game(position, unchecked_hands=True) if before is None else go_on_from(before, position)
    except CompanionError:
        return TableGame(position)
    header = new_header(
        position,
        known,
        date=date,
        place=place,
        promo=before is not None and before.promo,
        hidden=state.unseen,
        djinn_discards=state.djinn_discards,
    )
    return _of_playing(game_at(Record(header), unchecked_hands=True))


def put_right(
    game: TableGame,
    position: Position,
    names: Mapping[Colour, str],
    *,
    date: str,
    place: str = "",
    earlier: TableGame | None = None,
) -> TableGame:
    """The game with a corrected position, by a line of its record; if nothing was played, or the rules can't go on, it
    begins with it. `earlier` is the game before such a part, which goes on when it can.
    """
    whole = earlier if game.playing is None and earlier is not None else game
    if not whole.has_turns or whole.playing is None or position.colours != whole.position.colours:
        return begin_table(position, names, date=date, place=place, before=whole.state)
    if position == game.position:
        return with_names(game, names)
    record = corrected(whole.playing.record, whole.position, position)
    try:
        playing = game_at(record, unchecked_hands=True)
    except CompanionError:
        return TableGame(position)
    playing = replace(playing, record=with_result(playing.record, playing.state))
    return with_names(_of_playing(playing), names)


def with_names(game: TableGame, names: Mapping[Colour, str]) -> TableGame:
    """The same game, where it is a record with these names in place of those that it tells."""
    if game.playing is None:
        return game
    record = game.playing.record
    known = {colour: name for colour, name in names.items() if colour in game.position.colours}
    return replace(game, playing=replace(game.playing, record=replace(record, header=renamed(record.header, known))))


def why_no_record(position: Position) -> str:
    """Why turns from a position are played one by one and not by the rules; "" if the game can go on."""
    try:
        start_game(position, unchecked_hands=True)
    except CompanionError as error:
        lacks_markers = len(position.colours) in (2, 3, 4) and max(off_tracks(position).values()) > 0
        if lacks_markers and not isinstance(error, ImpossiblePositionError):
            return say("not every marker has its place on a track yet")
        return str(error)
    return ""


def is_set_up(board: Board) -> bool:
    """Whether a board is as it is before the first bid: three meeples on each tile, and nothing else (rules 2.3)."""
    bare = (tile.camel is None and not tile.palms and not tile.palaces for tile in board)
    return all(bare) and all(sum(tile.meeples) == _ON_A_FRESH_TILE for tile in board)


def with_players(position: Position, order: Sequence[Colour]) -> Position:
    """The position with who plays, in the order of the next bids; before the first bid all have 50 GC (rules 2.8)."""
    if not order:
        raise UnusableInputError("enter the players, starting with whoever is next")
    colours = tuple(colour for colour in Colour if colour in {*order, *position.colours})
    begins = is_set_up(position.board) and not position.turn_order
    players = tuple(starting_player(colour) if begins else position.player(colour) for colour in colours)
    waiting = position.turn_order or ()
    return replace(
        position, players=players, to_move=order[0], phase=Phase.BID, bid_order=tuple(order), turn_order=waiting
    )


def played(game: TableGame, line: str, seen: Sequence[Observation] = ()) -> TableGame:
    """The game after a line: a whole turn, a bid, or a clean-up; `seen` was drawn, in order. Raises ChanceNeededError,
    IllegalMoveError, NotationError.
    """
    if game.playing is None:
        return _played_alone(game, line, seen)
    # Whoever can't move meeples ends the turn: only that player knows there's nothing to sell (rules 9.2, 12.2).
    return _of_playing(play_line(game.playing, line, seen, whole_turn=True))


def before_turn(game: TableGame, place: int) -> TableGame | None:
    """The game as it stood before a turn, by its place among the lines of the record; None where no turn stands."""
    lines = () if game.playing is None else game.playing.record.lines
    if game.playing is None or not 0 <= place < len(lines) or not isinstance(lines[place].entry, TurnLine):
        return None
    record = replace(game.playing.record, lines=lines[:place])
    return _of_playing(game_at(record, unchecked_hands=True))


def turn_replaced(game: TableGame, place: int, after: TableGame) -> tuple[TableGame, int]:
    """The game with another turn, and how many later lines the rules no longer allow after it."""
    assert game.playing is not None and after.playing is not None, "turns stand in records"
    record = after.playing.record
    rest = [line for line in game.playing.record.lines[place + 1 :] if not isinstance(line.entry, ResultLine)]
    playing = after.playing
    # What is illegal stays so whatever comes after it.
    legal, illegal = 0, len(rest) + 1
    while illegal - legal > 1:
        middle = (legal + illegal) // 2
        try:
            playing = game_at(replace(record, lines=(*record.lines, *rest[:middle])), unchecked_hands=True)
            legal = middle
        except CompanionError:
            illegal = middle
    left = sum(not isinstance(line.entry, Remark) for line in rest[legal:])
    return _of_playing(replace(playing, record=with_result(playing.record, playing.state))), left


def bid_placed(game: TableGame, bid: PlaceBid) -> TableGame:
    """The game after a bid. Raises IllegalMoveError for one that is not open, UnusableInputError if nobody bids."""
    if game.playing is None:
        raise UnusableInputError("enter the players first, in the order they bid")
    if game.playing.owes or game.playing.state.stage is not Stage.BID:
        raise UnusableInputError("nobody's bidding now: the game has moved on")
    return _of_playing(accepted(game.playing, action_tried(game.playing, bid)))


def refilled(game: TableGame, seen: Observation) -> TableGame:
    """The game after a clean-up (rules 8.1). Raises UnusableInputError where none is owed, or for such cards."""
    if game.playing is None or not game.playing.owes:
        raise UnusableInputError("the row has already been refilled: the game has moved on")
    return _of_playing(play_refill(game.playing, seen))


def _played_alone(game: TableGame, line: str, seen: Sequence[Observation]) -> TableGame:
    """A turn on a position that doesn't say whose turn is next; afterwards it's nobody's."""
    position = game.position
    colour, _, body = line.partition(":")
    if position.to_move is None or colour.strip() != position.to_move:
        raise UnusableInputError("say whose turn it is first")
    turn = parse_turn(position.to_move, body)
    moves = any(is_walk(step) for step in turn.steps)
    player = RecordPlayer(game.lone_turn(moves=moves))
    drawn = iter(seen)
    for step in turn.steps:
        player.step(step, drawn)
    player.close_turn()
    after = player.state.position
    if player.state.unseen.get(position.to_move, 0) > player.start.unseen.get(position.to_move, 0):
        # Cards of a row that nobody knows: a position has no place for a hand that is known in part.
        after = after.with_player(replace(after.player(position.to_move), goods=None, fakirs=None))
    return TableGame(replace(after, to_move=None, turn_order=None, bid_order=None))


def ended(position: Position) -> Position:
    """The position as the end of its game, to be counted (rules 10)."""
    return replace(position, phase=Phase.END, to_move=None, turn_order=None)
