"""Which turns a series of photos shows, one after another: a later photo settles or corrects what an earlier showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import exp, inf, log

from companion.rules.engine.game import step
from companion.rules.model.actions import EndTurn
from companion.rules.model.board import Board
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, Tribe, markers_each
from companion.rules.model.state import GameState, Stage
from companion.tracking.inference import (
    MAX_TURNS,
    MISFIT_NATS,
    TEMPER,
    PlayedTurns,
    Verdict,
    misfit_of,
    played_turns,
    turn_nats,
)
from companion.tracking.inference import turn_of as begun_by
from companion.tracking.visible import Likelihood, VisibleTurn

LINES = 8
"""How many lines of turns are followed from photo to photo."""

LINE_CUT_NATS = 7.0
"""Lines that are less likely than the best by this much are followed no further."""

SEARCHED = 2
"""From this many of the lines two turns and more between two photos are looked for, which takes long."""

PATIENCE = 2
"""So many photos after one that no single turn explains are looked at before that: mostly they settle which it was."""

SPOILT_NATS = -45.0
"""What speaks against a photo's telling nothing of the game, as one with a hand in it: the true board of a photo that
is misread by as much as any costs a line as much."""

SEARCHES = 128
"""How many searches are remembered, the latest."""

_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Shown:
    """What a photo shows on a line: the turns since the photo before, none if there are none, and the board then."""

    turns: tuple[VisibleTurn, ...]
    board: Board
    verdict: Verdict = Verdict.TURN

    @property
    def ends(self) -> tuple[tuple[int, Tribe], ...]:
        """Where each turn ended, and what was taken there: turns that differ in that may leave one board."""
        return tuple((turn.sowing.end, turn.sowing.tribe) for turn in self.turns)


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """One way in which all photos may have come about: what each shows, the state at last, how likely that is."""

    shown: tuple[Shown, ...]
    state: GameState
    probability: float


@dataclass(frozen=True, slots=True)
class Series:
    """What a series of photos shows: its `lines`, the likeliest first."""

    lines: tuple[SeriesLine, ...]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What each photo shows by the likeliest line."""
        return tuple(shown.verdict for shown in self.lines[0].shown)

    def candidates(self, photo: int) -> tuple[tuple[Shown, float], ...]:
        """What a photo may show, each with its probability by all photos, the likeliest first."""
        ranked: dict[tuple[object, ...], tuple[Shown, float]] = {}
        for shown, line in ((line.shown[photo], line) for line in self.lines):
            if shown.verdict is Verdict.UNEXPLAINED:
                continue
            first, probability = ranked.get((shown.board, *shown.ends), (shown, 0.0))
            ranked[shown.board, *shown.ends] = first, probability + line.probability
        return tuple(sorted(ranked.values(), key=lambda one: -one[1]))


@dataclass(frozen=True, slots=True)
class _Line:
    """Turns so far. `told` are the players whose turns in a round without a known order show on the board, of `played`
    turns in it; `played` is None where the order is known. `boards` are those that it has left behind.
    """

    state: GameState
    nats: float
    shown: tuple[Shown, ...] = ()
    boards: tuple[Board, ...] = ()
    played: int | None = None
    told: tuple[Colour, ...] = ()

    @property
    def board(self) -> Board:
        return self.state.position.board


_Unsettled = tuple[list[_Line], Likelihood]
"""A photo that no line explains yet, with the lines before it."""


def turns_in_series(
    state: GameState, photos: Iterable[Likelihood], *, earlier: Sequence[Board] = (), clear: float | None = None
) -> Series:
    """The turns that photos show, taken one after another, the first after the board of `state`.

    `state` is at the beginning of a turn or between two; before the bids of a round anybody may have moved. `earlier`
    are boards of the same game before, the last first. A photo that no line explains is passed over. With `clear` only
    what the first one shows is asked, and no more photos are looked at once a turn is likelier than that.
    """
    # At the end of a turn the next one comes; else `state` is where it begins.
    lines = [_Line(state, 0.0)]
    unsettled: list[_Unsettled] = []
    for photo in photos:
        unsettled.append((lines, photo))
        lines, explained = _with_photo(lines, photo, earlier)
        if explained:
            unsettled = []
        elif len(unsettled) > PATIENCE:
            lines, unsettled = _searched_again(unsettled, earlier)
        if clear is not None and not unsettled:
            series = _weighed(lines)
            if series.verdicts[0] is Verdict.TURN and series.candidates(0)[0][1] > clear:
                return series
    while unsettled and (clear is None or not unsettled[0][0][0].shown):
        lines, unsettled = _searched_again(unsettled, earlier)
    return _weighed(lines)


def _weighed(lines: Sequence[_Line]) -> Series:
    top = max(line.nats for line in lines)
    whole = sum(exp(line.nats - top) for line in lines)
    return Series(tuple(SeriesLine(line.shown, line.state, exp(line.nats - top) / whole) for line in lines))


def _searched_again(unsettled: Sequence[_Unsettled], earlier: Sequence[Board]) -> tuple[list[_Line], list[_Unsettled]]:
    """The lines with photos of which two turns and more explain the first, and which photos are still unsettled."""
    (before, first), *rest = unsettled
    lines, _ = _with_photo(before, first, earlier, MAX_TURNS)
    left: list[_Unsettled] = []
    for _, photo in rest:
        left.append((lines, photo))
        lines, explained = _with_photo(lines, photo, earlier)
        left = [] if explained else left
    return lines, left


def _with_photo(
    lines: list[_Line], photo: Likelihood, earlier: Sequence[Board], turns: int = 1
) -> tuple[list[_Line], bool]:
    """The lines with one more photo, the likeliest first, and whether one explains it by that many turns."""
    before = [board for board in (*lines[0].boards[::-1], *earlier) if board != lines[0].board]
    back = min((misfit_of(board, photo) for board in before), default=inf)
    if back <= MISFIT_NATS / 2 and misfit_of(lines[0].board, photo) > MISFIT_NATS:
        return [_passed(line, Verdict.EARLIER) for line in lines], True
    found = [_seen(line, photo) for line in lines] + [one for line in lines for one in _further(line, photo, 1)]
    explained = any(map(partial(_explains, photo=photo), found))
    if not explained and back <= MISFIT_NATS:
        return [_passed(line, Verdict.EARLIER) for line in lines], True
    for line in lines[:SEARCHED] if turns > 1 else ():
        # The less likely line is searched where the likeliest explains nothing.
        if not explained:
            found += _further(line, photo, turns)
            explained = any(map(partial(_explains, photo=photo), found))
    if not explained:
        # Later photos settle whether this one is spoilt, or misread in a few places.
        found += [_passed(line, Verdict.UNEXPLAINED) for line in lines]
    found.sort(key=lambda line: -line.nats)
    kept: dict[tuple[object, ...], _Line] = {}
    for line in found:
        if line.nats > found[0].nats - LINE_CUT_NATS:
            ends = (shown.ends for shown in line.shown)
            kept.setdefault((line.board, line.state.mover, line.played, line.told, *ends), line)
    return list(kept.values())[:LINES], explained


def _explains(line: _Line, photo: Likelihood) -> bool:
    return misfit_of(line.board, photo) <= MISFIT_NATS


def _fit(board: Board, photo: Likelihood) -> float:
    """What speaks for a board, in nats, over the likeliest contents of all tiles."""
    return sum(photo(square, tile) - photo.best(square) for square, tile in enumerate(board))


def _passed(line: _Line, verdict: Verdict) -> _Line:
    """The line after a photo that shows no turn."""
    nats = line.nats + SPOILT_NATS if verdict is Verdict.UNEXPLAINED else line.nats
    return replace(line, shown=(*line.shown, Shown((), line.board, verdict)), nats=nats)


def _seen(line: _Line, photo: Likelihood) -> _Line:
    """The line if nobody has played since the photo before."""
    return replace(_passed(line, Verdict.NOTHING), nats=line.nats + TEMPER * _fit(line.board, photo))


def _further(line: _Line, photo: Likelihood, turns: int) -> Iterator[_Line]:
    """The line with what may have been played since the photo before: one turn, or up to that many."""
    start = _next_turn(line)
    if start is None:
        return
    colours = start.state.position.colours
    movers: Sequence[Colour] = ()
    if start.played is not None:
        gone, each = Counter(start.told), markers_each(len(colours))
        movers = [colour for colour in _in_order(start.state) if gone[colour] < each]
    state = begun_by(start.state, movers[0]) if movers else start.state
    found = _searched(state, photo, tuple(movers), turns)
    if not found.candidates:
        return
    first = found.candidates[0]
    # By how much the first is likelier than that nobody has played, its prior included.
    gain = TEMPER * (_fit(first.board, photo) - _fit(line.board, photo)) + turn_nats(line.board) * len(first.turns)
    if found.nothing > _TINY and first.probability > _TINY:
        gain = log(first.probability / found.nothing)
    fit = line.nats + TEMPER * _fit(line.board, photo)
    for one in found.candidates:
        if one.probability <= _TINY:
            continue
        told = start.told
        if start.played is not None and one.turns[0].tells_player(line.board):
            told = (*told, one.turns[0].player)
        yield _Line(
            one.after,
            fit + gain + log(one.probability / first.probability),
            (*line.shown, Shown(one.turns, one.board)),
            (*line.boards, line.board),
            None if start.played is None else start.played + len(one.turns),
            told,
        )


@lru_cache(SEARCHES)
def _searched(state: GameState, photo: Likelihood, movers: tuple[Colour, ...], turns: int) -> PlayedTurns:
    """What a photo shows after a state, which the photos before it and after it often ask again."""
    return played_turns(state, photo, movers=movers, max_turns=turns)


def _next_turn(line: _Line) -> _Line | None:
    """The line where its next turn begins; None where none does."""
    state = line.state
    markers = len(state.position.colours) * markers_each(len(state.position.colours))
    if line.played is not None:
        return line if line.played < markers else replace(line, played=0, told=())
    if not line.boards and state.stage is Stage.MOVE:
        return line
    while state.stage is not Stage.MOVE or state is line.state:
        try:
            state = state if state.stage is Stage.BID else step(state, EndTurn(), UNSEEN).state
        except ChanceNeededError:
            break
        if state.stage is Stage.END:
            return None
        if state.stage is Stage.BID:
            break
    else:
        return replace(line, state=state)
    return replace(line, played=0, told=())


def _in_order(state: GameState) -> Sequence[Colour]:
    """Everybody, in the order of the bids where it is known."""
    return tuple(dict.fromkeys((*(state.position.bid_order or ()), *state.position.colours)))
