"""Which turns a photo shows, how likely each is, and whether any legal turn explains the photo at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from heapq import nlargest
from math import exp, inf, log

from companion.errors import UnusableInputError
from companion.rules.engine.counting import MAX_BOARD_HAND, count_boards
from companion.rules.engine.game import step
from companion.rules.engine.sow_search import MAX_BOARDS
from companion.rules.model.actions import EndTurn, Sowing
from companion.rules.model.board import NO_MEEPLES, Board, Tile, with_meeples
from companion.rules.model.chance import UNSEEN, ChanceNeededError
from companion.rules.model.components import Colour, TileAction, Tribe, member_repr
from companion.rules.model.state import FRESH, GameState, Stage
from companion.tracking.outcomes import CUT_NATS, boards_after
from companion.tracking.turn_evidence import WRONG_MEEPLE_NATS, SharedScores, one_off
from companion.tracking.visible import BoardAfter, Likelihood, VisibleTurn

MOST_BOARDS, BOARDS_EACH = 24_000, 10
"""How many boards are taken to follow a turn's beginning at most, which is the median of all boards; and how many each
sowing is taken to leave, by kills and powers."""

TEMPER = 0.7
"""How much less sure what is said is than what photos seem to say: tiles go wrong together."""

SURE = 0.95
"""A turn is played by one tap if it's likelier than this."""

SLACK_NATS, MISFIT_NATS = 4.0, 18.0
"""By how much the likeliest contents of a tile may beat those of a board, and by how much more in all, before the board
no longer explains the photo. Of the boards of 211 turns 94% are under it, of 213 taken for one that were two none."""

MOST_CHANGED = 20
"""With more tiles contradicted than this, no turn or three lead from a board to what a photo shows."""

DOUBT_NATS = 6.0
"""A tile is doubted if a meeple more or fewer is likelier by more: of boards a meeple wrong that is 90%, of right ones
one photo in nine has such a tile."""

MOST_DOUBTED = 3
"""Where more tiles are doubted, the board is another one altogether."""

EARLIER_NATS = -3.0
"""What speaks against a photo's being of an earlier board."""

DOUBTFUL_NATS = 12.0
"""From this misfit on, more turns are looked for; one turn that is taken for two misfits by 15 or more."""

SUSPECT_NATS = 60.0
"""No board that was a meeple wrong before the turn misfits by more."""

MANY_TURNS_CHANGED = 4
"""Three turns leave at least this many tiles that no single one explains."""

MAX_TURNS = 3
"""At most this many turns may lie between a photo and the board that is known."""

BEAM = 300
"""How many boards are followed from one turn to the next."""

STEPS = 200_000
"""How many steps each turn of several may take in all, a second or two: the likeliest boards are followed first."""

NARROW_BEAM = 120
"""How many where three turns lie between, which are looked for in each of these."""

BEAM_CUT_NATS, LAST_CUT_NATS = 14.0, 10.0
"""What is followed from turn to turn: boards within this much of the best, and after the last turn."""

FIRST_CUT_NATS = 0.5
"""What is looked for first on each of these boards: a best turn is soon found, and rules out most that others begin."""

MORE_NATS, EMPTIED_NATS, GONE_NATS = -2.0, -3.0, -3.5
"""What it counts against a board that a later turn leaves a meeple more on a tile, empties it, or takes a colour."""


class Verdict(StrEnum):
    """What a photo shows."""

    __repr__ = member_repr

    TURN = "turn"
    """One turn, or several: the first candidate."""
    NOTHING = "nothing"
    """The board as it is known: nobody has played yet."""
    EARLIER = "earlier"
    """The board as it was before the last turns."""
    UNEXPLAINED = "unexplained"
    """No legal turn, nor two or three, leave such a board."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Turns that may have been played, one after another, and the board that they leave.

    `after` is the state at the end of the last turn, before anything is sold; `misfit` is that of the board
    (`misfit_of`).
    """

    turns: tuple[VisibleTurn, ...]
    after: GameState
    probability: float
    misfit: float

    @property
    def board(self) -> Board:
        return self.after.position.board


@dataclass(frozen=True, slots=True)
class PlayedTurns:
    """What a photo shows of a game in progress.

    `candidates` are ranked, likeliest first; `nothing` is the probability that nobody has played. `earlier` is how many
    turns ago the board looked so, where it did. On `doubted` squares the photo shows a meeple more or fewer than the
    likeliest board has: it may have been wrong there before. Where it shows no turn, `lifted` squares look empty that
    held meeples.
    """

    verdict: Verdict
    candidates: tuple[Candidate, ...]
    nothing: float
    earlier: int | None = None
    doubted: tuple[int, ...] = ()
    lifted: tuple[int, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the first candidate may be played by one tap."""
        first = self.candidates[0] if self.candidates else None
        return self.verdict is Verdict.TURN and first is not None and first.probability > SURE


@dataclass(frozen=True, slots=True)
class _Line:
    """Turns so far, with what speaks for the board they leave over the one at the start; `prior` is included."""

    turns: tuple[VisibleTurn, ...]
    state: GameState
    nats: float
    prior: float

    @property
    def board(self) -> Board:
        return self.state.position.board


def turn_nats(board: Board) -> float:
    """What speaks against any one turn from a board: no turn is as likely as all."""
    if max(sum(tile.meeples) for tile in board) > MAX_BOARD_HAND:
        return -log(MOST_BOARDS)
    return -log(min(BOARDS_EACH * max(count_boards(board), 1), MOST_BOARDS))


def misfit_of(board: Board, likelihood: Likelihood) -> float:
    """How many nats in all a photo contradicts a board by, beyond what misreading a tile or two explains."""
    return sum(_excesses(board, likelihood))


def _excesses(board: Board, likelihood: Likelihood) -> list[float]:
    """How many nats a photo contradicts each tile by, of those that it contradicts."""
    gaps = (likelihood.best(square) - likelihood(square, tile) for square, tile in enumerate(board))
    return [gap - SLACK_NATS for gap in gaps if gap > SLACK_NATS]


def doubted_on(board: Board, likelihood: Likelihood) -> tuple[int, ...]:
    """The few tiles that a photo shows with a meeple more or fewer."""
    doubted = []
    for square, tile in enumerate(board):
        known = likelihood(square, tile) + DOUBT_NATS
        if likelihood.best(square) > known:
            others = (with_meeples(tile, meeples) for meeples in one_off(tile.meeples))
            doubted += [square] if max(likelihood(square, other) for other in others) > known else []
    return tuple(doubted) if len(doubted) <= MOST_DOUBTED else ()


def lifted_on(board: Board, likelihood: Likelihood) -> tuple[int, ...]:
    """The one tile that a photo shows without its meeples: in the middle of a turn they are in a hand."""
    emptied = [
        square
        for square, tile in enumerate(board)
        if any(tile.meeples)
        and likelihood(square, with_meeples(tile, NO_MEEPLES)) > likelihood(square, tile) + DOUBT_NATS
    ]
    return tuple(emptied) if len(emptied) == 1 else ()


def played_turns(
    state: GameState,
    likelihood: Likelihood,
    *,
    movers: Sequence[Colour] = (),
    earlier: Sequence[Board] = (),
    max_turns: int = MAX_TURNS,
) -> PlayedTurns:
    """Which turns lead from a state to what a photo shows.

    `state` is at the beginning of a turn; `movers` are all that may have had it, where that isn't known. `earlier` are
    boards of the same game before, the last first. Raises UnusableInputError where no turn is to be played.
    """
    if state.stage is not Stage.MOVE:
        raise UnusableInputError("nobody's turn begins here, so that no photo shows one")
    starts = [turn_of(state, colour) for colour in movers] or [state]
    board = state.position.board
    nothing = misfit_of(board, likelihood)
    if len(_excesses(board, likelihood)) > MOST_CHANGED:
        back = _earlier(board, earlier, likelihood, 0.0)
        return PlayedTurns(Verdict.UNEXPLAINED if back is None else Verdict.EARLIER, (), 0.0, back)
    lines = [line for start in starts for line in _one_turn(start, likelihood)]
    best = max(lines, key=lambda line: line.nats, default=None)
    explained = min(nothing, inf if best is None else misfit_of(best.board, likelihood))
    if 0 < explained <= SUSPECT_NATS:
        # A meeple that was overlooked before is likelier than a tile misread by so much.
        floor = -turn_nats(board) - CUT_NATS if best is None else best.nats
        lines += [line for start in starts for line in _one_turn(start, likelihood, floor=floor, suspect=True)]
        best = max(lines, key=lambda line: line.nats, default=None)
        if best is not None:
            overlooked = -WRONG_MEEPLE_NATS if best.turns[0].corrections else 0.0
            explained = min(nothing, misfit_of(best.board, likelihood) + overlooked)
    back = _earlier(board, earlier, likelihood, 0.0 if best is None else max(best.nats, 0.0))
    if back is not None:
        return PlayedTurns(Verdict.EARLIER, (), 0.0, back)
    changed = len(_excesses(board if best is None else best.board, likelihood))
    for turns in range(2, max_turns + 1):
        if explained <= DOUBTFUL_NATS or changed < (1, MANY_TURNS_CHANGED)[turns > 2]:
            break
        further = list(_several(starts, likelihood, turns))
        lines += further
        explained = min([explained, *(misfit_of(line.board, likelihood) for line in further[:1])])
    ranked = _ranked(lines, likelihood, nothing)
    likeliest = ranked.candidates[0].board if ranked.verdict is not Verdict.NOTHING and ranked.candidates else board
    lifted = () if ranked.verdict is Verdict.TURN else lifted_on(board, likelihood)
    return replace(ranked, doubted=doubted_on(likeliest, likelihood), lifted=lifted)


def _earlier(board: Board, earlier: Sequence[Board], likelihood: Likelihood, best: float) -> int | None:
    """How many turns ago the board looked as a photo shows it, if that explains the photo best."""
    speaks = [
        (_speaking(was, board, likelihood), -back)
        for back, was in enumerate(earlier, 1)
        if was != board and misfit_of(was, likelihood) <= MISFIT_NATS
    ]
    nats, back = max(speaks, default=(-inf, 0))
    return -back if nats + EARLIER_NATS > best else None


def _speaking(board: Board, before: Board, likelihood: Likelihood) -> float:
    """What speaks for a board over another one, in nats."""
    return sum(
        likelihood(square, tile) - likelihood(square, was)
        for square, (tile, was) in enumerate(zip(board, before, strict=True))
        if tile is not was and tile != was
    )


def _ranked(lines: Iterable[_Line], likelihood: Likelihood, nothing: float) -> PlayedTurns:
    """The lines with probabilities, and what that comes to.

    One board may be left by turns that end on different tiles, or by several in another order: these stand apart.
    """
    best: dict[tuple[object, ...], _Line] = {}
    for line in sorted(lines, key=lambda line: -line.nats):
        ends = [(turn.sowing.end, turn.sowing.tribe) for turn in line.turns]
        players = [turn.player for turn in line.turns] if len(line.turns) > 1 else []
        best.setdefault((line.board, *ends, *players), line)
    ranked = list(best.values())
    # What photos say is tempered, priors are not.
    scores = [TEMPER * (line.nats - line.prior) + line.prior for line in ranked]
    top = max([0.0, *scores])
    weights = [exp(score - top) for score in scores]
    whole = exp(-top) + sum(weights)
    order = sorted(range(len(ranked)), key=lambda place: -weights[place])
    candidates = tuple(
        Candidate(
            ranked[place].turns, ranked[place].state, weights[place] / whole, misfit_of(ranked[place].board, likelihood)
        )
        for place in order[:8]
    )
    unplayed = exp(-top) / whole
    if candidates and candidates[0].probability >= unplayed:
        verdict = Verdict.TURN if candidates[0].misfit <= MISFIT_NATS else Verdict.UNEXPLAINED
    else:
        verdict = Verdict.NOTHING if nothing <= MISFIT_NATS else Verdict.UNEXPLAINED
    return PlayedTurns(verdict, candidates, unplayed)


def turn_of(state: GameState, colour: Colour) -> GameState:
    """The same game at the beginning of a turn of that player's."""
    position = replace(state.position, to_move=colour)
    return replace(state, position=position, stage=Stage.MOVE, progress=FRESH)


def next_turns(state: GameState) -> Iterator[GameState]:
    """The states in which the next turn begins: of the next player, or of anybody where a new round began."""
    try:
        after = step(state, EndTurn(), UNSEEN).state
    except ChanceNeededError:
        after = None
    if after is not None and after.stage is Stage.MOVE:
        yield after
    elif after is None or after.stage is Stage.BID or state.position.turn_order is None:
        # Where nobody knows who plays after whom, the game isn't over by rules 9.1 either.
        for player in state.position.players:
            yield turn_of(state, player.colour)


def _one_turn(
    state: GameState, likelihood: Likelihood, *, floor: float = -inf, suspect: bool = False
) -> Iterator[_Line]:
    a_turn = turn_nats(state.position.board)
    for one in boards_after(state, SharedScores(likelihood), floor=floor - a_turn, suspect=suspect):
        yield _Line((one.turn,), one.state, one.nats + a_turn, one.prior + a_turn)


def _several(starts: Sequence[GameState], likelihood: Likelihood, turns: int) -> Iterator[_Line]:
    """Lines of that many turns, likeliest first: a beam over boards, each taken for what later turns may make of it."""
    lines = [_Line((), start, 0.0, 0.0) for start in starts]
    board = starts[0].position.board
    a_turn = turn_nats(board)
    beam = BEAM if turns <= 2 else NARROW_BEAM
    for left in range(turns - 1, 0, -1):
        relaxed = _Relaxed(likelihood, left, starts[0].position.colours or tuple(Colour))
        begun = [
            (line.prior + _speaking(line.board, board, relaxed), line, start)
            for line in lines
            for start in ([line.state] if not line.turns else next_turns(line.state))
        ]
        scored = _followed(begun, relaxed, BEAM_CUT_NATS, beam)
        best: dict[tuple[Board, Colour], _Line] = {}
        for _, line, one in scored:
            best.setdefault((one.board, one.turn.player), _extended(line, one, likelihood, a_turn))
        lines = list(best.values())[:beam]
    begun = [(line.nats + a_turn, line, start) for line in lines for start in next_turns(line.state)]
    for _, line, one in _followed(begun[:BEAM], likelihood, LAST_CUT_NATS, MAX_BOARDS):
        yield _extended(line, one, likelihood, a_turn)


def _followed(
    begun: Sequence[tuple[float, _Line, GameState]], likelihood: Likelihood, cut: float, most: int
) -> list[tuple[float, _Line, BoardAfter]]:
    """The boards that another turn leaves after any of these lines, within `cut` nats of the best, best first.

    Each line stands with what speaks for it so far. The first pass looks for the best turns alone, and the second goes
    through the lines by what that showed they can come to: most need no steps then.
    """
    found: dict[tuple[int, Board, Sowing], tuple[float, _Line, BoardAfter]] = {}
    promise = {place: so_far for place, (so_far, _, _) in enumerate(begun)}
    shared = SharedScores(likelihood)

    def floor_of(within: float) -> float:
        ranked = nlargest(2 * most, (nats for nats, _, _ in found.values()))
        return max(ranked[0] - within, ranked[-1] if len(ranked) == 2 * most else -inf) if ranked else -inf

    for within in (FIRST_CUT_NATS, cut):
        shared.steps_left, floor = STEPS, floor_of(cut)
        for place in sorted(promise, key=lambda place: -promise[place]):
            so_far, line, start = begun[place]
            after = boards_after(start, shared, cut=within, floor=floor - so_far, most=most)
            for one in after:
                found[place, one.board, one.turn.sowing] = (so_far + one.nats, line, one)
                promise[place] = max(promise[place], so_far + one.nats)
            floor = floor_of(within) if after else floor
    floor = floor_of(cut)
    return sorted((one for one in found.values() if one[0] >= floor), key=lambda one: -one[0])


def _extended(line: _Line, one: BoardAfter, likelihood: Likelihood, a_turn: float) -> _Line:
    """The line with one more turn, by what the photo says of its board."""
    more = _speaking(one.board, line.board, likelihood)
    prior = one.prior + a_turn
    return _Line((*line.turns, one.turn), one.state, line.nats + more + prior, line.prior + prior)


@dataclass(frozen=True, slots=True)
class _Relaxed:
    """What speaks for tiles that later turns may still change, at what that costs."""

    likelihood: Likelihood
    turns: int
    colours: tuple[Colour, ...]
    _known: dict[tuple[object, ...], float] = field(default_factory=dict)

    def __call__(self, square: int, tile: Tile, /) -> float:
        return self._best(square, tile, self.turns)

    def best(self, square: int, /) -> float:
        """What speaks for the likeliest contents."""
        return self.likelihood.best(square)

    def _best(self, square: int, tile: Tile, turns: int) -> float:
        if not turns:
            return self.likelihood(square, tile)
        key = (square, turns, tile.meeples, tile.camel, tile.palms, tile.palaces)
        value = self._known.get(key)
        if value is None:
            value = self._best(square, tile, turns - 1)
            for other, cost in _later(tile, self.colours):
                value = max(value, self._best(square, other, turns - 1) + cost)
            self._known[key] = value
        return value


def _later(tile: Tile, colours: Sequence[Colour]) -> Iterator[tuple[Tile, float]]:
    """What a turn may make of a tile, each at what it costs."""
    for tribe in Tribe:
        more = (*tile.meeples[:tribe], tile.meeples[tribe] + 1, *tile.meeples[tribe + 1 :])
        yield with_meeples(tile, more), MORE_NATS
    if any(tile.meeples):
        yield with_meeples(tile, NO_MEEPLES), EMPTIED_NATS
    action = tile.kind.action
    for tribe in Tribe:
        if tile.meeples[tribe]:
            left = with_meeples(tile, (*tile.meeples[:tribe], 0, *tile.meeples[tribe + 1 :]))
            if action is TileAction.OASIS:
                left = replace(left, palms=left.palms + 1)
            elif action is TileAction.VILLAGE:
                left = replace(left, palaces=left.palaces + 1)
            yield left, GONE_NATS
            if left.camel is None and left.meeples == NO_MEEPLES:
                yield from ((replace(left, camel=colour), GONE_NATS) for colour in colours)
