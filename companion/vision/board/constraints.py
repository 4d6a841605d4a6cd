"""What the rules allow, used over the whole board: distributions of numbers -> the likeliest possible contents."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.language.phrase import say, term
from companion.rules.model.board import SQUARES, SURROUNDINGS
from companion.rules.model.components import (
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TOTAL_MEEPLES,
    TRIBE_LETTERS,
    Colour,
    TileAction,
    TileKind,
    Tribe,
    camels_in_box,
)
from companion.vision.board.contents_hypotheses import Hypotheses, other_readings, ranked
from companion.vision.board.pieces import CAMEL_GROUP, GROUPS, CountProbs
from companion.vision.numerics import Float64, softmax
from companion.vision.readings import MAX_OTHERS

START_TILES = 22
"""With three meeples on this many tiles and nothing else anywhere, the board is a starting one (rules 2.4)."""

MAX_START_NLL = 20.0
"""By how much, in nats over all tiles, a starting board may be less likely than the board without that prior.

A few hidden meeples come to less; the first turn of a game, one tile emptied and others with four, to more.
"""

MEEPLES_A_TILE_AT_START = TOTAL_MEEPLES // SQUARES

_MEEPLE_GROUPS = tuple(number for number, group in enumerate(GROUPS) if group.kind in TRIBE_LETTERS)
_IN_BOX: dict[str, tuple[int, str]] = {
    **{tribe.letter: (count, term(tribe.noun)) for tribe, count in zip(Tribe, MEEPLE_COUNTS, strict=True)},
    "palm": (PALMS, term("palms")),
    "palace": (PALACES, term("palaces")),
}
"""How many of a kind of piece the box holds, and what they are called."""

_START_CONTENTS: NDArray[np.int64] = np.array(
    [
        numbers
        for numbers in itertools.product(range(MEEPLES_A_TILE_AT_START + 1), repeat=len(TRIBE_LETTERS))
        if sum(numbers) == MEEPLES_A_TILE_AT_START
    ]
)
"""Every way to have three meeples on a tile, (35, 5)."""

_START_NUMBERS = [
    tuple(int(hand[_MEEPLE_GROUPS.index(group)]) if group in _MEEPLE_GROUPS else 0 for group in range(len(GROUPS)))
    for hand in _START_CONTENTS
]
"""The same as the numbers of `pieces.GROUPS`."""


@dataclass(frozen=True, slots=True)
class TileContents:
    """What is taken to stand on a tile, and what else may.

    `numbers` has a number for each of `pieces.GROUPS`; `probability` is that all of them are right;
    `others` are the next likeliest readings with their probabilities, likeliest first;
    `forced` says in words where the rules, not the picture, decided.
    """

    numbers: tuple[int, ...]
    probability: float
    others: tuple[tuple[float, tuple[int, ...]], ...] = ()
    forced: tuple[str, ...] = ()


def infer_contents(
    probs: CountProbs,
    kinds: Sequence[TileKind],
    hypotheses: Sequence[Hypotheses],
    corrected: Collection[int] = (),
) -> list[TileContents]:
    """What stands on each of the thirty tiles, by square, on all the evidence.

    `hypotheses` are what may stand on each tile as a whole. No kind of piece stands more often than the box holds it
    (rules 1), palms stand on or beside an oasis and palaces on or beside a village (rules 6.1, 6.2, 11.2), and a
    starting board has three meeples on every tile (rules 2.4). Squares that were `corrected` are not changed to fit the
    box: where they hold more than it does, the others stay as they were seen.
    """
    possible = _possible(kinds)
    probs = _without_impossible(probs, possible)
    whole = [_only_possible(one, possible[square]) for square, one in enumerate(hypotheses)]
    numbers = np.stack([one.numbers[0] for one in whole])
    if _is_start(probs, numbers):
        return _start(probs)
    forced: list[list[str]] = [[] for _ in range(SQUARES)]
    _limit_to_box(whole, numbers, forced, corrected)
    contents = []
    for square, one in enumerate(whole):
        taken = tuple(int(number) for number in numbers[square])
        others = other_readings(one, taken, MAX_OTHERS)
        contents.append(TileContents(taken, one.probability(taken), others, tuple(forced[square])))
    return contents


_BUILT = {"palm": TileAction.OASIS, "palace": TileAction.VILLAGE}


def _possible(kinds: Sequence[TileKind]) -> list[list[bool]]:
    """For each tile and each of `pieces.GROUPS` whether any may stand there: palms far from every oasis may not."""
    near = [{kinds[one].action for one in (square, *SURROUNDINGS[square])} for square in range(SQUARES)]
    return [[_BUILT.get(group.kind) in {None, *around} for group in GROUPS] for around in near]


def _only_possible(hypotheses: Hypotheses, possible: Sequence[bool]) -> Hypotheses:
    """The hypotheses with what may not stand there left out; were all impossible, what may not is not there."""
    impossible = np.flatnonzero(~np.array(possible))
    if not len(impossible):
        return hypotheses
    possible_ones = ~hypotheses.numbers[:, impossible].any(axis=1)
    if possible_ones.any():
        return ranked(hypotheses.numbers[possible_ones], hypotheses.log_probs[possible_ones])
    likeliest = hypotheses.numbers[:1].copy()
    likeliest[:, impossible] = 0
    return ranked(likeliest, np.zeros(1))


def _without_impossible(probs: CountProbs, possible: Sequence[Sequence[bool]]) -> CountProbs:
    """The distributions with what may not stand on a tile ruled out."""
    result = []
    for number, row in enumerate(probs):
        ruled_out = [square for square in range(SQUARES) if not possible[square][number]]
        if ruled_out:
            row = row.copy()
            row[ruled_out] = [1.0] + [0.0] * (row.shape[1] - 1)
        result.append(row)
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _Limit:
    """What the box holds of a piece: its group, for how many each of the group's numbers stands, how many there are."""

    group: int
    values: tuple[int, ...]
    available: int
    name: str


def _limits(numbers: NDArray[np.int64]) -> list[_Limit]:
    """What the box holds (rules 1.2, 1.3, 1.5, 2.1).

    Camels of a colour are limited by as many colours as are seen, and there are none of a colour that is not.
    """
    limits = []
    for number, group in enumerate(GROUPS):
        if group.kind == "camel":
            seen = [colour for index, colour in enumerate(Colour, 1) if (numbers[:, number] == index).any()]
            for index, colour in enumerate(Colour, 1):
                values = tuple(int(place == index) for place in range(group.size))
                most = camels_in_box(colour, len(seen)) if colour in seen else 0
                limits.append(_Limit(number, values, most, say("{colour} camel", colour=colour)))
        else:
            limits.append(_Limit(number, tuple(range(group.size)), *_IN_BOX[group.kind]))
    return limits


def _limit_to_box(
    whole: Sequence[Hypotheses], numbers: NDArray[np.int64], forced: list[list[str]], corrected: Collection[int]
) -> None:
    """Change what is taken in place, always on the least sure tile, until the box holds all that is read."""
    limits = _limits(numbers)
    # By square, limit and contents how many pieces of the limit that is; shorter lists are filled up as impossible.
    most = max(len(one.numbers) for one in whole)
    uses = np.zeros((SQUARES, len(limits), most), dtype=np.int64)
    logs = np.full((SQUARES, most), -np.inf)
    for square, one in enumerate(whole):
        uses[square, :, : len(one.numbers)] = _used_by(limits, one.numbers)
        logs[square, : len(one.numbers)] = one.log_probs
    taken, now = _used_by(limits, numbers).T.copy(), logs[:, 0].copy()
    # What contents that were not looked at are taken to have: less than all that were.
    unseen = np.where(np.isfinite(logs), logs, np.inf).min(axis=1) - 1.0
    available = np.array([limit.available for limit in limits])
    free = np.array([square not in corrected for square in range(SQUARES)])
    for place, limit in enumerate(limits):
        if taken[~free, place].sum() > limit.available:
            continue
        while taken[:, place].sum() > limit.available:
            more = uses - taken[:, :, None]
            # Fewer of this, and not more of anything than the box still holds.
            fits = (more <= np.maximum(available - taken.sum(axis=0), 0)[None, :, None]).all(axis=1)
            fewer = np.where(fits & (more[:, place] < 0), logs, -np.inf)
            best = fewer.max(axis=1)
            # Where no such contents were looked at, a piece is taken away: dearer than anything that was.
            lost = now - np.where(np.isfinite(best), best, unseen)
            square = int(np.where(free & (taken[:, place] > 0), lost, np.inf).argmin())
            if np.isfinite(best[square]):
                chosen = int(fewer[square].argmax())
                numbers[square], now[square] = whole[square].numbers[chosen], best[square]
            else:
                gone = limit.group == CAMEL_GROUP
                numbers[square, limit.group] = 0 if gone else numbers[square, limit.group] - 1
                # Each further one is twice as dear, or all would come off one tile.
                step = now[square] - unseen[square]
                now[square], unseen[square] = unseen[square], unseen[square] - 2 * step
            taken[square] = _used_by(limits, numbers[square : square + 1])[:, 0]
            forced[square].append(say("one more {limit} seen than the box holds", limit=limit.name))


def _used_by(limits: Sequence[_Limit], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pieces of each limit contents (N, groups) are: (limits, N)."""
    return np.stack([np.array(limit.values)[numbers[:, limit.group]] for limit in limits])


def _is_start(probs: CountProbs, numbers: NDArray[np.int64]) -> bool:
    """Whether the board looks like a starting one and is hardly less likely to be one than what it looks like."""
    meeples = numbers[:, _MEEPLE_GROUPS].sum(axis=1)
    rest = np.delete(numbers, _MEEPLE_GROUPS, axis=1)
    if rest.any() or int((meeples == MEEPLES_A_TILE_AT_START).sum()) < START_TILES:
        return False
    likeliest = float(sum(np.log(probs[group].max(axis=1)).sum() for group in _MEEPLE_GROUPS))
    return likeliest - float(_start_log_likelihoods(probs).max(axis=1).sum()) < MAX_START_NLL


def _start_log_likelihoods(probs: CountProbs) -> Float64:
    """Log-likelihoods (30, 35) of each tile's holding each of `_START_CONTENTS`."""
    hands = [
        [np.log(probs[group][:, hand[place]]) for place, group in enumerate(_MEEPLE_GROUPS)] for hand in _START_CONTENTS
    ]
    return np.asarray(np.array(hands).sum(axis=1).T)


def _start(probs: CountProbs) -> list[TileContents]:
    """The likeliest starting board: three meeples a tile, and all ninety of the box on it (rules 2.3, 2.4)."""
    logs = _start_log_likelihoods(probs)
    free = logs.argmax(axis=1)
    chosen = _whole_bag(logs, free.copy())
    posterior = softmax(logs, axis=1)
    contents = []
    for square in range(SQUARES):
        order = [int(hand) for hand in np.argsort(-posterior[square], kind="stable") if hand != chosen[square]]
        plain = tuple(int(probs[group][square].argmax()) for group in _MEEPLE_GROUPS)
        forced = []
        if plain != tuple(_START_CONTENTS[free[square]].tolist()):
            forced.append(say("three meeples taken, as on every tile of a starting board"))
        if chosen[square] != free[square]:
            forced.append(say("chosen so that all ninety meeples of the box are on the board"))
        contents.append(
            TileContents(
                _START_NUMBERS[chosen[square]],
                float(posterior[square, chosen[square]]),
                tuple((float(posterior[square, hand]), _START_NUMBERS[hand]) for hand in order[:3]),
                tuple(forced),
            )
        )
    return contents


def _whole_bag(logs: Float64, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Change tiles, at the least loss of likelihood, until every meeple of the bag lies on the board.

    `logs` are the log-likelihoods (30, 35) of the rows of `_START_CONTENTS`. One meeple too many of a colour is
    made another along the cheapest chain of changes, a tile each (successive shortest paths).
    """
    tribes = len(TRIBE_LETTERS)
    by_hand = {tuple(hand.tolist()): number for number, hand in enumerate(_START_CONTENTS)}
    while True:
        spare = _START_CONTENTS[chosen].sum(axis=0) - MEEPLE_COUNTS
        if not spare.any():
            return chosen
        # cost[c, d]: what it costs to turn one c into a d on the tile where that is cheapest.
        cost = np.full((tribes, tribes), np.inf)
        change: dict[tuple[int, int], tuple[int, int]] = {}
        for square, hand in enumerate(chosen):
            for one, other in itertools.permutations(range(tribes), 2):
                if not _START_CONTENTS[hand, one]:
                    continue
                numbers = _START_CONTENTS[hand].copy()
                numbers[one] -= 1
                numbers[other] += 1
                changed = by_hand[tuple(numbers.tolist())]
                loss = float(logs[square, hand] - logs[square, changed])
                if loss < cost[one, other]:
                    cost[one, other] = loss
                    change[one, other] = (square, changed)
        source, target = int(spare.argmax()), int(spare.argmin())
        path = min(
            (
                (source, *middle, target)
                for length in range(tribes - 1)
                for middle in itertools.permutations([t for t in range(tribes) if t not in (source, target)], length)
                if len({change.get(step, (-1, -1))[0] for step in itertools.pairwise((source, *middle, target))})
                == length + 1
            ),
            key=lambda path: sum(cost[step] for step in itertools.pairwise(path)),
        )
        for step in itertools.pairwise(path):
            square, changed = change[step]
            chosen[square] = changed
