"""Hints on their way: thought about in a process of their own, kept while the game stands as it did."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.advisor.advice import DEFAULT_PLAYOUTS, FairSetup
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.system.progress import TellShare
from companion.table.advising import TableAdvice
from companion.table.games import TableGame
from companion.table.seats import thought_about
from companion.web.store.jobs import Job, start
from companion.web.store.live_events import EventHub
from companion.web.store.worker import Worker

if TYPE_CHECKING:
    from companion.advisor.search.boards import Alternatives

ADVISE = "companion.table.advising:advise_table"
FAIR = "companion.table.advising:fair_table"
MAX_HINTS = 40
FAIR_TIME_S = 10.0
"""After this a fair set-up is no longer looked for: a table that waits has the fairest so far."""


class Adviser:
    """Thinks about turns and bids; the same question is thought about once."""

    def __init__(
        self, worker: Worker, hub: EventHub, *, playouts: int = DEFAULT_PLAYOUTS, fair_s: float = FAIR_TIME_S
    ) -> None:
        self._fair_s = fair_s
        self._worker = worker
        self._hub = hub
        self._playouts = playouts
        self._hints: OrderedDict[tuple[object, ...], Job[TableAdvice]] = OrderedDict()

    def ask(self, game: str, asked: Position | GameState, alternatives: Alternatives | None = None) -> Job[TableAdvice]:
        """The hint for a game as a seat knows it, begun if nobody asked before; pages of the `game` hear of its end.

        `alternatives` are what else may lie on tiles that were read from a photo.
        """
        doubts = tuple(sorted((square, tuple(others)) for square, others in (alternatives or {}).items()))
        key = (game, asked, doubts)
        known = self._hints.get(key)
        if known is None or known.may_be_repeated:
            think = partial(self._worker.run, ADVISE, asked, self._playouts, 0, dict(doubts))
            self._hints[key] = start(lambda tell: think(tell=tell), self._hub, game, ended="hint", tells_progress=False)
        self._hints.move_to_end(key)
        while len(self._hints) > MAX_HINTS:
            self._hints.popitem(last=False)
        return self._hints[key]

    def drop_past(self, key: str, game: TableGame) -> None:
        """Think no more about a game as it was before, where nobody can ask for that now."""
        thinking = [hint for hint, job in self._hints.items() if hint[0] == key and not job.has_ended]
        now = [thought_about(game, seat) for seat in (None, game.mover)] if thinking else []
        for hint in thinking:
            if hint[1] not in now and (task := self._hints[hint].task) is not None:
                task.cancel()
                del self._hints[hint]

    async def fair_setup(self, colours: Sequence[Colour], seed: int, tell: TellShare) -> FairSetup:
        """A set-up with an equally good start for all, of the seeds from `seed` on, or the fairest that was found."""
        setup: FairSetup = await self._worker.run(FAIR, tuple(colours), seed, self._fair_s, tell=tell)
        return setup
