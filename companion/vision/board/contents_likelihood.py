"""What a photo says of any contents of a tile, whether or not they were among those that were ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.rules.model.board import SQUARES, Tile
from companion.vision import fitted
from companion.vision.board.contents_hypotheses import Hypotheses, Numbers
from companion.vision.board.piece_corrections import numbers_of
from companion.vision.board.pieces import CountProbs

FLOOR = 1e-5
"""No number of a kind of piece is less likely than this: the networks are surer than they are right."""

UNRANKED_NATS = 25.0
"""No contents are less likely than this by the ranking."""


@dataclass(frozen=True, slots=True, eq=False)
class ContentsLikelihood:
    """Log-likelihoods, in nats, of any contents of each tile, in plain numbers.

    `counts` are those of each number of each of `pieces.GROUPS`, by square; `ranked` those of the contents that were
    looked at as a whole, by square. On a square that is `covered` all contents are equally likely.
    """

    counts: tuple[tuple[tuple[float, ...], ...], ...]
    ranked: tuple[dict[Numbers, float], ...]
    covered: frozenset[int] = frozenset()
    _known: dict[tuple[object, ...], float] = field(default_factory=dict, init=False, repr=False)
    _best: list[float] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def of(
        cls, pieces: CountProbs, hypotheses: Sequence[Hypotheses], covered: frozenset[int] = frozenset()
    ) -> ContentsLikelihood:
        """What photos say of each tile's contents, by what `BoardEvidence` has of them."""
        logs = [np.log(np.maximum(row, FLOOR)) for row in pieces]
        return cls(
            tuple(tuple(tuple(map(float, log[square])) for log in logs) for square in range(SQUARES)),
            tuple({one.as_numbers(at): float(log) for at, log in enumerate(one.log_probs)} for one in hypotheses),
            covered,
        )

    def __call__(self, square: int, tile: Tile) -> float:
        """What speaks for a tile's contents, in nats."""
        # Tiles themselves take longer to look up.
        key = (square, tile.meeples, tile.camel, tile.palms, tile.palaces)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.nats(square, numbers_of(tile))
        return known

    def nats(self, square: int, numbers: Numbers) -> float:
        """The same by numbers of `pieces.GROUPS`."""
        if square in self.covered:
            return 0.0
        counted = sum(logs[number] for logs, number in zip(self.counts[square], numbers, strict=True))
        ranked = self.ranked[square]
        whole = ranked.get(numbers)
        if whole is None:
            # What wasn't looked at is a little less likely than all that was.
            whole = min(ranked.values()) - 1
        return fitted.RANKED_WEIGHT * max(whole, -UNRANKED_NATS) + (1 - fitted.RANKED_WEIGHT) * counted

    def best(self, square: int) -> float:
        """What speaks for the likeliest contents of a tile, in nats."""
        if not self._best:
            self._best.extend(map(self._best_of, range(SQUARES)))
        return self._best[square]

    def _best_of(self, square: int) -> float:
        each = tuple(logs.index(max(logs)) for logs in self.counts[square])
        return max(self.nats(square, numbers) for numbers in (each, *self.ranked[square]))
